"""What the reader decided, cell by cell: the rows of `Cal audit`."""

from __future__ import annotations

from typing import Literal

from panelcal.frozen import dataclass
from panelcal.reading.grid import Source

Weight = Literal["note", "warning"]

FAR_ABOVE = "far above the scale"
FAR_OFF = "far from the others"
CODE_EXCLUDED = "code excluded"
CALCULATION = "how the workbook calculates"
"""Kinds that reports speak of by themselves."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision about some cells.

    Attributes
    ----------
    kind
        Short name, the same for all decisions of its kind: "code excluded", "text read as number", ...
    cells
        Addresses within `sheet`: single cells ("C7") or ranges ("A90:CD92").
    sentence
        What was found and what was done, in words, ending with how to have it otherwise where there is a choice.
    weight
        "warning" when somebody should look at it, else "note".
    sheet
        The sheet the cells are on.
    excluded_scores
        How many non-empty cells inside the block of scores this decision kept out of the panel.
    found
        What the cells hold, where it is the same code in all of them.
    """

    kind: str
    cells: tuple[str, ...]
    sentence: str
    weight: Weight = "note"
    sheet: str = ""
    excluded_scores: int = 0
    found: str = ""


def about_the_file(source: Source) -> list[Decision]:
    """Put on record what the loader saw, and what it could not see."""
    notes = [Decision("about the file", (), note) for note in source.notes]
    return notes + [Decision("about the file", (), caution, "warning") for caution in source.cautions]
