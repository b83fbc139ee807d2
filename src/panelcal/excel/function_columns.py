"""The argument what of the cell functions: which one column of an answer, or which one figure, is wanted, by a word."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from panelcal.errors import InputRefused
from panelcal.frozen import dataclass
from panelcal.reading.cell_values import is_blank, label_text

Spill = list[list[Any]]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of an answer, or one figure of it.

    Attributes
    ----------
    word
        What the user is told to type.
    others
        What is understood too; a plural in -s and the case, blanks and signs of a word make no difference.
    """

    word: str
    others: tuple[str, ...] = ()

    def is_called(self, word: str) -> bool:
        """Tell whether a word means this column."""
        known = {_plain(one) for one in (self.word, *self.others)}
        return _plain(word) in known | {f"{one}s" for one in known}


_OBJECT = Column("name", ("object", "label"))
_ASSESSOR = Column("name", ("assessor", "label"))
_ERROR = Column("standard error", ("error", "se"))
_LOWER = Column("lower", ("lower limit", "low", "from"))
_UPPER = Column("upper", ("upper limit", "high", "to"))
_RAW = Column("raw average", ("average", "raw", "mean", "raw mean"))

COLUMNS: Mapping[str, tuple[Column, ...]] = MappingProxyType(
    {
        "calibrate": (
            _OBJECT,
            Column("value", ("calibrated value", "calibrated")),
            _ERROR,
            _LOWER,
            _UPPER,
            _RAW,
            Column("change", ("difference",)),
        ),
        "calibrate_bias": (
            _ASSESSOR,
            Column("bias", ("biases",)),
            _ERROR,
            _LOWER,
            _UPPER,
            _RAW,
            Column("assessments", ("assessment", "count", "number")),
        ),
        "calibrate_fit": (
            Column("w", ("w = R/(N - p)", "w unbiased")),
            Column("w ml", ("w = R/N",)),
            Column("R"),
            Column("N"),
            Column("p"),
            Column("N - p", ("degrees of freedom", "df")),
            Column("mu_2", ("μ_2",)),
            Column("lambda_2", ("λ_2",)),
        ),
        "calibrate_bound": (
            _OBJECT,
            Column("bound"),
            Column("worst case", ("worst",)),
            Column("sensitivity", ("sensitivities",)),
        ),
        "calibrate_compare": (
            _OBJECT,
            Column("simple average", ("simple", "average", "mean")),
            Column("weighted average", ("weighted",)),
            Column("Fisher", ("Fisher calibration", "Fisher's method")),
            Column("calibration", ("calibration with confidence", "confidence", "calibrated", "value")),
        ),
        "calibrate_ordinal": (
            _OBJECT,
            Column("total", ("total (approximate)", "value")),
            _LOWER,
            _UPPER,
            Column("rank", ("expected rank",)),
            Column("rank from"),
            Column("rank to"),
            Column("P(best)", ("best", "probability of being the best")),
            Column("average", ("raw average", "mean")),
        ),
    }
)
"""What each function gives, in the order of its columns; of CALIBRATE_FIT in the order of its figures."""


def chosen_column(function: str, rows: Spill, what: Any, noun: str) -> Spill:
    """Return the column that a word asks for, with its heading where there is one; all of them where it is blank.

    Parameters
    ----------
    function
        Its name here.
    rows
        All that it gives.
    what
        The word.
    noun
        What the labels are names of: Student, Module.

    Raises
    ------
    InputRefused
        If no column is called so.
    """
    if is_blank(what):
        return rows
    number = _number(function, what, noun)
    if number is None:
        raise InputRefused(f"The argument what of {_told(function)}, not {_quoted(what)}.")
    return [[row[number]] for row in rows]


def chosen_figure(rows: Spill, what: Any) -> Spill:
    """Return the figure of CALIBRATE_FIT that a word asks for, alone; all of them with their names where it is blank.

    Raises
    ------
    InputRefused
        If no figure is called so.
    """
    if is_blank(what):
        return rows
    number = _number("calibrate_fit", what)
    if number is None:
        raise InputRefused(f"The argument what of {_told('calibrate_fit')}, not {_quoted(what)}.")
    return [[rows[1 + number][1]]]


def who_takes(what: Any, noun: str, assessor: str) -> list[str]:
    """Return the names, as they are typed, of the functions of a panel of scores that know a word.

    Parameters
    ----------
    what
        The word.
    noun, assessor
        What objects and assessors are called.

    Raises
    ------
    InputRefused
        If none does.
    """
    of_scores = [name for name in COLUMNS if name != "calibrate_ordinal"]
    nouns = {name: assessor if name == "calibrate_bias" else noun for name in of_scores}
    known = [name.upper() for name in of_scores if _number(name, what, nouns[name]) is not None]
    if not known:
        told = "; that of ".join(map(_told, of_scores))
        raise InputRefused(f"No function has a column {_quoted(what)}: the argument what of {told}.")
    return known


def _number(function: str, what: Any, noun: str = "") -> int | None:
    columns, word = COLUMNS[function], str(what)
    of_labels = noun and columns[0].word == "name" and Column(noun).is_called(word)
    return next((k for k, column in enumerate(columns) if column.is_called(word)), 0 if of_labels else None)


def _told(function: str) -> str:
    *first, last = (column.word for column in COLUMNS[function])
    return f"{function.upper()} is {', '.join(first)} or {last}"


def _quoted(what: Any) -> str:
    return f'"{what}"' if isinstance(what, str) else label_text(what)


def _plain(word: str) -> str:
    """Letters and digits only, a subscript as its digit."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", word).casefold()))
