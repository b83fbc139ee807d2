"""The questions about a run with their answers, as `Cal audit` lists them."""

from __future__ import annotations

from panelcal.reporting.model import Report


def questions_of(report: Report, *kinds: str) -> dict[str, tuple[object, str]]:
    """Return question -> answer and words, of these kinds of rows."""
    (table,) = next(sheet for sheet in report.sheets if sheet.name.startswith("Cal audit")).tables
    rows = zip(*(column.cells for column in table.columns), strict=True)
    wanted = kinds or ("Question", "For the statistician")
    return {item: (answer, words) for kind, item, answer, words in rows if kind in wanted}
