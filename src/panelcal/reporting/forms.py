"""What sheets to fill in have, and sheets of results have not, as data."""

from __future__ import annotations

from collections.abc import Sequence

from panelcal.frozen import dataclass


@dataclass(frozen=True, slots=True)
class EntryCheck:
    """What is asked of cells as they are typed: a formula, which only warns, or else what they must be.

    Attributes
    ----------
    block
        The cells, such as "B5:F124".
    title, message
        Of the box that comes up; at most 32 and 255 characters.
    formula
        Is to hold, spelt for the upper left cell of the block.
    choices
        One of these.
    between
        A number from the first to the second.
    longest
        A text of at most so many characters.
    """

    block: str
    title: str
    message: str = "Choose one from the list."
    formula: str = ""
    choices: Sequence[str] = ()
    between: tuple[float, float] | None = None
    longest: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """What a sheet to fill in has beside its cells.

    Attributes
    ----------
    checks
        What is asked of its cells.
    heights
        Of rows in points, by row number; the others are as high as programs make them.
    title_rows, title_columns
        Repeated on every printed page, such as "3:4" and "A:A"; empty = none.
    grid
        Whether lines are drawn between the cells.
    hidden
        Numbers of the hidden columns.
    pages_across
        On how many pages side by side it is printed.
    pages_down
        To how many pages below one another it is shrunk; 0 = any number.
    header
        Left and right, on every printed page.
    """

    checks: tuple[EntryCheck, ...] = ()
    heights: tuple[tuple[int, float], ...] = ()
    title_rows: str = ""
    title_columns: str = ""
    grid: bool = True
    hidden: tuple[int, ...] = ()
    pages_across: int = 1
    pages_down: int = 0
    header: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class Name:
    """A name in the workbook: for cells, such as "Settings!$B$5", or for a formula."""

    name: str
    meaning: str
    comment: str | None = None
