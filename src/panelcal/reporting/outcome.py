"""What came out of a run as data for programs: figures, tables, and what a pipeline may want to be stopped for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from panelcal.frozen import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """Figures and tables under the names that the Python API uses, unrounded.

    Attributes
    ----------
    kind
        "calibration", "anchors", "ratings", "plan" or "next".
    figures
        Single figures: numbers, words, truth values, or mappings of them; NaN where there is no answer.
    tables
        Name -> columns of equal length by name.
    alarms
        Each reason a pipeline may ask to be stopped for, "drift", "policy" or "disconnected" -> a sentence for each
        case, empty where all is well. A reason that this run cannot tell anything about is not among them.
    """

    kind: str
    figures: Mapping[str, Any]
    tables: Mapping[str, Mapping[str, Sequence[Any]]]
    alarms: Mapping[str, tuple[str, ...]]
