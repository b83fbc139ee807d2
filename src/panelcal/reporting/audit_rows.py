"""Rows of an audit that every kind of run has: the run itself, the program, and every decision with its address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from panelcal.reading.decisions import Decision
from panelcal.reading.understood import Understood
from panelcal.reporting.columns import Heading, table_of_rows
from panelcal.reporting.figures import statistic_style
from panelcal.reporting.model import CellValue, Sheet
from panelcal.reporting.run_facts import RunContext

FINGERPRINT_ITEM = "SHA-256 of the cells read"
"""By which a later run finds the fingerprint of this one."""

_CELLS_LISTED = 500

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
        ("Cell or figure", "general", 66),
        ("What was done", "wrapped", 58),
    )
    links = [row[4] for row in rows]
    table = table_of_rows(headings, [row[:4] for row in rows], name="audit", styles=statistic_style, links=links)
    return Sheet(
        name=context.sheet("Cal audit"),
        title="Audit",
        explanation="Everything needed to repeat this run and to question it: program, input, options, decisions.",
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
        ("Run", FINGERPRINT_ITEM, reading.fingerprint, "The same cells give the same fingerprint.", None),
        *(("Program", name, version, "", None) for name, version in context.run.versions.items()),
        *(("Option", name, value, notes.get(name, ""), None) for name, value in context.options.items()),
        *(
            ("Run", "Earlier results", name, said, link_to(name, "A3", linked=context.linked))
            for name in context.run.outdated
        ),
    ]


def decision_rows(decision: Decision, sheet: str, *, linked: bool) -> list[Row]:
    """One row for the decision as a whole, then one per further cell, so that each has its link.

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
    for cell in decision.cells[1:_CELLS_LISTED]:
        rows.append((kind, decision.title, cell, "as above", link_to(sheet, cell, linked=linked)))
    if len(decision.cells) > _CELLS_LISTED:
        rest = len(decision.cells) - _CELLS_LISTED
        rows.append((kind, decision.title, None, f"and {rest:,} more cells of the same kind", None))
    return rows


def link_to(sheet: str, cell: str, *, linked: bool) -> str | None:
    """Spell the link to a cell of the input, None where it stands in another workbook."""
    return f"#{sheet}!{cell}" if linked else None
