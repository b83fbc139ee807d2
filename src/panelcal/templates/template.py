"""Workbook templates as data: what stands on "Start here", which sheets are filled in, what is asked of their cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from panelcal.frozen import dataclass
from panelcal.reading.settings import Settings
from panelcal.reporting.forms import EntryCheck
from panelcal.reporting.settings_form import Pairs

LOWEST_NAME, HIGHEST_NAME, CODES_NAME = "lowest_score", "highest_score", "score_codes"
HEADING_ROW, FIRST_ROW = 4, 5
"""Of the sheets to fill in: where their headings stand, and what is filled in below them."""

Line = tuple[str, str]
"""Topic and text."""


@dataclass(frozen=True, slots=True, eq=False)
class InputSheet:
    """A sheet to fill in: headings above shaded cells that are checked as they are typed.

    Attributes
    ----------
    name, title, explanation
        Name of the sheet, and what stands in A1 and A2.
    headings
        From left to right; None = for the user to write.
    labels
        How many columns on the left hold names rather than scores.
    widths
        In characters; the last one holds for all further columns.
    rows
        How many rows there are to fill in.
    checks
        What is asked of the cells.
    filled
        What stands in the first of these rows.
    above
        What stands in the row above the headings, as `headings`; empty = nothing.
    above_labels
        Which of these, counted from 0, name what the next one holds; the first `labels` do so in any case.
    turned
        Height of the row of headings where these are turned upright, None where they are level.
    frozen
        Row and column of the first cell that scrolls.
    """

    name: str
    title: str
    explanation: str
    headings: Sequence[str | None]
    labels: int
    widths: Sequence[float]
    rows: int
    checks: Sequence[EntryCheck]
    filled: Sequence[Sequence[Any]] = ()
    above: Sequence[Any] = ()
    above_labels: Sequence[int] = ()
    turned: float | None = None
    frozen: tuple[int, int] = (FIRST_ROW, 1)

    @property
    def last(self) -> int:
        """Last row to fill in."""
        return FIRST_ROW + self.rows - 1


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """A workbook to fill in, or a filled example.

    Attributes
    ----------
    title, description
        Properties of the file.
    start
        What stands in A1 and A2 of "Start here".
    lines
        Its numbered lines.
    sheets
        What is filled in.
    settings
        What the sheet "Settings" shows.
    footer
        On every printed page.
    notice
        That the data are made up; empty where there are none.
    policy
        The table of rules on "Settings"; empty = none.
    """

    title: str
    description: str
    start: tuple[str, str]
    lines: Sequence[Line]
    sheets: Sequence[InputSheet]
    settings: Settings
    footer: str
    notice: str = ""
    policy: Pairs = ()

    def example(self, lines: Sequence[Line], sheets: Sequence[InputSheet], notice: str) -> Template:
        """Return the filled example of an empty template."""
        name, seen = self.start[0], [sheet.name for sheet in sheets]
        return replace(
            self,
            title=f"{name}: filled example (made-up data)",
            description=f"{notice} Example workbook of panelcal.",
            start=(
                f"{name}: a filled example",
                f"Start here, then look at the {'sheet' if len(seen) == 1 else 'sheets'} {_and(seen)}.",
            ),
            lines=lines,
            sheets=sheets,
            footer="Example with made-up data",
            notice=notice,
        )


def block_of(column: str, sheet_rows: int, to: str = "") -> str:
    """Spell the cells to fill in of a column, or of those up to another, such as "B5:F124"."""
    return f"{column}{FIRST_ROW}:{to or column}{FIRST_ROW + sheet_rows - 1}"


def fixed(column: str, rows: int) -> str:
    """Spell the cells to fill in of a column as they stand in a formula: "$B$5:$B$124"."""
    return f"${column}${FIRST_ROW}:${column}${FIRST_ROW + rows - 1}"


def once(block: str, columns: str, rows: int, title: str, message: str) -> EntryCheck:
    """Ask that no two rows hold the same in all of these columns."""
    pairs = ",".join(f"{fixed(column, rows)},${column}{FIRST_ROW}" for column in columns)
    return EntryCheck(block, title, message, f"COUNTIF{'S' if len(columns) > 1 else ''}({pairs})<=1")


def score_is_known(cell: str) -> str:
    """Spell the condition that a cell holds a number on the declared scale or one of the codes on Settings."""
    in_range = f'AND(ISNUMBER({cell}),{cell}>={LOWEST_NAME},OR({HIGHEST_NAME}="",{cell}<={HIGHEST_NAME}))'
    return f"OR({in_range},COUNTIF({CODES_NAME},{cell})>0)"


def run_lines(name: str, input_sheet: str, deciders: str, noun: str, assessor: str) -> tuple[Line, ...]:
    """Spell the lines of "Start here" that say how to check and calibrate a workbook, and what comes out."""
    return (
        (
            "Check it",
            "Save the workbook. In Excel with the add-in or in LibreOffice, click Check data. Or, in a terminal opened "
            "in its folder, type: "
            f"panelcal check {name}.xlsx. It says what would be read and names every cell that needs attention; "
            "nothing is written.",
        ),
        calibrate_line(name, input_sheet),
        (
            "What comes out",
            f"After your sheets come Cal summary (one page for the {deciders}), Cal values (each {noun} before and "
            f"after, and why), Cal assessors (each {assessor}'s bias), and the sheets that show how the result was "
            f"reached and let you check it. {whose_they_are(name)}",
        ),
    )


def calibrate_line(name: str, input_sheet: str, more: str = "") -> Line:
    """Spell the line of "Start here" that names the four ways to calibrate; `more` is said after them."""
    return (
        "Calibrate it",
        f"In Excel with the add-in or in LibreOffice with its extension, open the sheet {input_sheet} and click "
        "Calibrate. In a browser, open panelcal's page and drop the saved file on it. In a terminal, type: "
        f"panelcal calibrate {name}.xlsx.{more}",
    )


def whose_they_are(name: str) -> str:
    """Say where the results are, and that what was filled in stays as it is."""
    return (
        f"A terminal writes them to a new file, {name}-calibrated.xlsx, and the page saves one; Excel and LibreOffice "
        "add them to this one. What you filled in is never changed."
    )


def _and(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
