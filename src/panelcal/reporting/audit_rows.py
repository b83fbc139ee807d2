"""Rows of an audit that every kind of run has: the run itself, the program, and every decision with its address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from panelcal.reading.decisions import Decision
from panelcal.reporting.model import CellValue, Column, Sheet, Style, Table

FINGERPRINT_ITEM = "SHA-256 of the cells read"
"""By which a later run finds the fingerprint of this one."""

_CELLS_LISTED = 500
_SMALL = 1e-3

Row = tuple[str, str, CellValue, str, str | None]
"""Kind, item, cell or figure, what was done, link."""


def audit_sheet_of(name: str, rows: Sequence[Row]) -> Sheet:
    """Lay rows out as the sheet."""
    table = Table(
        (
            Column("Kind", [row[0] for row in rows], "text", 12),
            Column("Item", [row[1] for row in rows], "wrapped", 30),
            Column(
                "Cell or figure",
                [row[2] for row in rows],
                "general",
                68,
                links=[row[4] for row in rows],
                styles=[_style_of(row[2]) for row in rows],
            ),
            Column("What was done", [row[3] for row in rows], "wrapped", 76),
        ),
        name="audit",
    )
    return Sheet(
        name=name,
        title="Audit",
        explanation="Everything needed to repeat this run and to question it: program, input, options, decisions.",
        tables=(table,),
        frozen=(5, 1),
    )


def _style_of(figure: CellValue) -> Style:
    if not isinstance(figure, float):
        return "general"
    return "precise" if abs(figure) >= _SMALL else "scientific"


def run_rows(run_id: str, created: str, source_name: str) -> list[Row]:
    """Say which run it was, when, and of which file."""
    return [
        ("Run", "Run identifier", run_id, "Of input, options and program version; printed on every page.", None),
        ("Run", "Date", created.replace("T", " "), "", None),
        ("Run", "Input file", source_name, "", None),
    ]


def program_rows(fingerprint: str, versions: Mapping[str, str], options: Mapping[str, str]) -> list[Row]:
    """Say what was read, as a fingerprint, by which program and with which options."""
    rows: list[Row] = [("Run", FINGERPRINT_ITEM, fingerprint, "The same cells give the same fingerprint.", None)]
    rows += [("Program", name, version, "", None) for name, version in versions.items()]
    rows += [("Option", name, value, "", None) for name, value in options.items()]
    return rows


def earlier_rows(outdated: Sequence[str], *, linked: bool) -> list[Row]:
    """Name the summaries of earlier runs that are out of date now."""
    said = "out of date: its cells had another fingerprint. It is marked so."
    return [("Run", "Earlier results", name, said, link_to(name, "A3", linked=linked)) for name in outdated]


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
        (kind, decision.kind, first, decision.sentence, link_to(sheet, first, linked=linked) if first else None)
    ]
    for cell in decision.cells[1:_CELLS_LISTED]:
        rows.append((kind, decision.kind, cell, "as above", link_to(sheet, cell, linked=linked)))
    if len(decision.cells) > _CELLS_LISTED:
        rest = len(decision.cells) - _CELLS_LISTED
        rows.append((kind, decision.kind, None, f"and {rest:,} more cells of the same kind", None))
    return rows


def link_to(sheet: str, cell: str, *, linked: bool) -> str | None:
    """Spell the link to a cell of the input, None where it stands in another workbook."""
    return f"#{sheet}!{cell}" if linked else None
