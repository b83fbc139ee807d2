"""What every system has."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from panelcal.frozen import dataclass
from panelcal.methods import SYSTEMS
from panelcal.reading.grid import Source
from panelcal.reading.settings import SETTINGS_SHEET, Settings
from panelcal.reading.settings_sheet import read_settings
from panelcal.reading.understood import Header
from panelcal.systems.choices import Choices

if TYPE_CHECKING:
    from panelcal.reporting.model import Report
    from panelcal.reporting.run_facts import RunFacts

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class System:
    """A way to calibrate, or to plan.

    A step loads its room when it is reached, so that a check does not wait for what computes.

    Attributes
    ----------
    read
        What the sheets mean.
    check
        Refuses what can be read but not computed.
    compute
        The numbers, telling what is being done.
    build
        The result sheets.
    say
        What came out, in a few lines.
    tell
        What came out, as data for programs.
    """

    read: Callable[[Source, Choices], Any]
    check: Callable[[Any], None]
    compute: Callable[[Any, Progress], Any]
    build: Callable[[Any, RunFacts], Report]
    say: Callable[[Any], tuple[str, ...]]
    tell: Callable[[Any], Outcome]


def system_for(source: Source, choices: Choices) -> System:
    """Load the system that a workbook's method, or the caller, asks for, and no other."""
    if choices.plan:
        folder = "continuing" if choices.plan.following else "planning"
    else:
        folder = SYSTEMS.get(chosen_settings(source, choices).method, "calibration")
    system: System = importlib.import_module(f"panelcal.systems.{folder}").SYSTEM
    return system


def chosen_settings(source: Source, choices: Choices) -> Settings:
    """Return the settings of a workbook with what was chosen over them."""
    grid = source.grid(SETTINGS_SHEET)
    return choices.over(Settings() if grid is None else read_settings(grid)[0])


def nothing_to_check(reading: Header) -> None:
    """Take whatever could be read: a system that can do with groups that share nothing, and says so."""


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
