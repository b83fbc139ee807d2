"""The functions for cells, one row of a table each: names, arguments, words for the Function Wizard, and what computes.

They are those of Excel, of the same names and arguments; here a refusal is the sentence itself, in the cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from panelcal.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a function.

    Attributes
    ----------
    name
        As the Function Wizard shows it.
    meaning
        A line about it.
    """

    name: str
    meaning: str

    @property
    def identifier(self) -> str:
        """Its name in the extension's interface, which has no underscores."""
        return _without_underscores(self.name)


@dataclass(frozen=True, slots=True)
class CellFunction:
    """A function for cells.

    Attributes
    ----------
    name
        As it is typed, and in small letters in `panelcal.excel.functions`.
    meaning
        A line for the Function Wizard.
    arguments
        In order; those from `needed` on may be left out.
    needed
        How many must be given.
    """

    name: str
    meaning: str
    arguments: tuple[Argument, ...]
    needed: int = 1

    @property
    def method(self) -> str:
        """Its name in the extension's interface: CALIBRATE_BIAS is calibrateBias."""
        return _without_underscores(self.name)

    def compute(self, arguments: Sequence[Any]) -> list[list[Any]]:
        """Return the rows that it gives for blocks of values."""
        from panelcal.excel import functions

        rows: list[list[Any]] = getattr(functions, self.name.lower())(*map(_as_in_excel, arguments))
        return rows


def _without_underscores(name: str) -> str:
    first, *others = name.lower().split("_")
    return first + "".join(word.capitalize() for word in others)


def _as_in_excel(argument: Any) -> Any:
    """Empty cells and empty texts are the same here; blocks become what Excel hands over."""
    if isinstance(argument, list):
        return tuple(tuple(None if value == "" else value for value in row) for row in argument)
    return argument


_PANEL = (
    Argument(
        "scores",
        "a row for each object, a column for each assessor, with or without names, or a list with headings; blank "
        "means not assessed",
    ),
    Argument("confidence", "credits or confidences: one cell, row or column, or as many as scores; may be left out"),
    Argument("headers", 'whether names stand above and beside: TRUE, FALSE, "top" or "left"; may be left out'),
    Argument("gauge", 'zero of the biases: "weighted", "equal" or a mean to hold; may be left out'),
    Argument("what", 'one column only: "value", "standard error", "bias" and so on; left out = all of them'),
)
_BY_ARRAY = " Enter it as an array formula: Ctrl+Shift+Enter."

FUNCTIONS = {
    function.name: function
    for function in (
        CellFunction("CALIBRATE", "Calibrated value of each object, with its error and interval." + _BY_ARRAY, _PANEL),
        CellFunction("CALIBRATE_BIAS", "Bias of each assessor, with its error and interval." + _BY_ARRAY, _PANEL),
        CellFunction("CALIBRATE_FIT", "How well the panel agrees and hangs together." + _BY_ARRAY, _PANEL),
        CellFunction("CALIBRATE_BOUND", "How far each value can move when scores change." + _BY_ARRAY, _PANEL),
        CellFunction("CALIBRATE_COMPARE", "Each object by four methods." + _BY_ARRAY, _PANEL),
        CellFunction(
            "CALIBRATE_CONFIDENCE",
            "A confidence from a word such as high, or from a standard deviation.",
            (Argument("stated", "a cell, or cells of one kind"),),
        ),
        CellFunction(
            "CALIBRATE_ANCHORED",
            "Scores of one agent on the scale of anchors whose consensus is known.",
            (
                Argument("score", "the new scores"),
                Argument("anchor_scores", "the agent's scores of the anchors"),
                Argument("consensus", "their consensus from 0 to 100, in the same order"),
                Argument("kind", "spline, isotonic, linear, min-max or mean-sd; may be left out"),
            ),
            needed=3,
        ),
        CellFunction(
            "CALIBRATE_ORDINAL",
            "A quick, approximate ranking from ratings in a few levels." + _BY_ARRAY,
            (Argument("ratings", "a row for each object, a column for each judge"), _PANEL[2], _PANEL[4]),
        ),
        CellFunction("CALIBRATE_WHY", "In words: what was read, or why the others refuse.", _PANEL),
    )
}
"""The functions, by name."""
