"""Rows of an audit that every kind of run has: the run itself, the program, and every decision with its address."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from panelcal.reading.decisions import Decision
from panelcal.reading.grid import block_address, corners_of
from panelcal.reading.understood import Understood
from panelcal.reporting.columns import Heading, table_of_rows
from panelcal.reporting.figures import statistic_style
from panelcal.reporting.model import CellValue, Sheet
from panelcal.reporting.run_facts import RunContext

FINGERPRINT_ITEM = "SHA-256 of the cells read"
"""By which a later run finds the fingerprint of this one."""

_CELLS_LISTED = 500
_ROW_EACH = 12  # cells of a decision that have a row each, and so a link each
_RANGES_IN_A_ROW = 80  # so that no row is higher than a spreadsheet allows

Row = tuple[str, str, CellValue, str, str | None]
"""Kind, item, cell or figure, what was done, link."""


def audit_sheet_of(context: RunContext[Any], rows: Sequence[Row], reading: Understood) -> Sheet:
    """Lay rows out as the sheet, every decision of the reader below them."""
    rows = [*understood_rows(reading), *rows]
    for decision in reading.decisions:
        rows += decision_rows(decision, reading.sheet, linked=context.linked)
    headings: tuple[Heading, ...] = (
        ("Kind", "text", 12),
        ("Item", "wrapped", 24),
        ("Cell or figure", "general", 38),
        ("What was done", "wrapped", 86),
    )
    links = [row[4] for row in rows]
    table = table_of_rows(headings, [row[:4] for row in rows], name="audit", styles=statistic_style, links=links)
    return Sheet(
        name=context.sheet("Cal audit"),
        title="Audit",
        explanation="Everything needed to repeat this run and to question it: program, input, options, decisions. "
        "The same cells read give the same SHA-256.",
        tables=(table,),
        frozen=(5, 1),
    )


def understood_rows(reading: Understood) -> list[Row]:
    """Say first who assessed, what was assessed, on which range, and which columns and rows are not read and why."""
    understood = reading.understood
    rows: list[Row] = [("Understood", what, figure, who, None) for what, figure, who in understood.rows()]
    rows += [("Understood", "Not read", ", ".join(one.cells), one.sentence, None) for one in understood.not_read]
    return rows


def run_rows(context: RunContext[Any], reading: Understood) -> list[Row]:
    """Say which run it was, when, of which file and sheet."""
    link = link_to(reading.sheet, "A1", linked=context.linked)
    return [
        (
            "Run",
            "Run identifier",
            context.run_id,
            "Of input, options and program version; printed on every page.",
            None,
        ),
        ("Run", "Date", context.run.created.replace("T", " "), "", None),
        ("Run", "Input file", reading.source_name, "", None),
        ("Run", "Input sheet", reading.sheet, f"Read {reading.summary}.", link),
    ]


def program_rows(context: RunContext[Any], reading: Understood, notes: Mapping[str, str]) -> list[Row]:
    """Say what was read, as a fingerprint, by which program and with which options, and which runs it makes outdated.

    Parameters
    ----------
    notes
        Option -> what is said beside it.
    """
    said = "out of date: its cells had another fingerprint. It is marked so."
    return [
        ("Run", FINGERPRINT_ITEM, reading.fingerprint, "", None),
        *(("Program", name, version, "", None) for name, version in context.run.versions.items()),
        *(("Option", name, value, notes.get(name, ""), None) for name, value in context.options.items()),
        *(
            ("Run", "Earlier results", name, said, link_to(name, "A3", linked=context.linked))
            for name in context.run.outdated
        ),
    ]


def decision_rows(decision: Decision, sheet: str, *, linked: bool) -> list[Row]:
    """One row for the decision as a whole, then one per further cell, so that each has its link; many as ranges.

    Parameters
    ----------
    sheet
        The sheet of decisions that do not name one.
    linked
        Whether the input stands in the same workbook.
    """
    sheet = decision.sheet or sheet
    kind = "Warning" if decision.weight == "warning" else "Decision"
    first = decision.cells[0] if decision.cells else None
    rows: list[Row] = [
        (kind, decision.title, first, decision.sentence, link_to(sheet, first, linked=linked) if first else None)
    ]
    others = decision.cells[1:_CELLS_LISTED]
    if len(others) < _ROW_EACH:
        rows += [(kind, decision.title, cell, "as above", link_to(sheet, cell, linked=linked)) for cell in others]
    else:
        ranges = as_ranges(others)
        for k in range(0, len(ranges), _RANGES_IN_A_ROW):
            said = f"{'And' if k else 'As above'}: {', '.join(ranges[k : k + _RANGES_IN_A_ROW])}"
            link = link_to(sheet, ranges[k], linked=linked)
            rows.append((kind, decision.title, ranges[k], said, link))
    if len(decision.cells) > _CELLS_LISTED:
        rest = len(decision.cells) - _CELLS_LISTED
        rows.append((kind, decision.title, None, f"and {rest:,} more cells of the same kind", None))
    return rows


def as_ranges(cells: Sequence[str]) -> list[str]:
    """Spell cells as few ranges, those down a column together or those along a row, whichever are fewer."""
    whole = [cell for cell in cells if ":" in cell]
    places = {corners_of(cell)[:2] for cell in cells if ":" not in cell}
    down = [block_address(*start, *end) for start, end in _runs(places, (1, 0))]
    along = [block_address(*start, *end) for start, end in _runs(places, (0, 1))]
    return [*min(down, along, key=len), *whole]


def _runs(
    places: Collection[tuple[int, int]], step: tuple[int, int]
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """First and last place of each unbroken line of places in the direction of `step`, from the top."""
    for row, column in sorted(places, key=lambda place: place[::-1] if step[0] else place):
        if (row - step[0], column - step[1]) in places:
            continue
        end = (row, column)
        while (end[0] + step[0], end[1] + step[1]) in places:
            end = (end[0] + step[0], end[1] + step[1])
        yield (row, column), end


def link_to(sheet: str, cell: str, *, linked: bool) -> str | None:
    """Spell the link to a cell of the input, None where it stands in another workbook."""
    return f"#{sheet}!{cell}" if linked else None
