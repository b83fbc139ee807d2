"""`Cal methods` for ratings: plain averages, shared cut-points, additive calibration, own cut-points side by side.

What the result changes against plain averages is drawn on `Cal summary`.
"""

from __future__ import annotations

from dataclasses import replace

from panelcal.reading.nouns import with_article
from panelcal.reporting.cell_content import numbers
from panelcal.reporting.columns import in_order
from panelcal.reporting.model import CellRange, Column, Sheet, Table
from panelcal.reporting.page_flow import FEWEST_ROWS
from panelcal.reporting.paper import fits_on_page, rows_on_first_page, whole_on_pages
from panelcal.reporting.run_facts import RunContext
from panelcal.systems.ratings.results import OrdinalResults


def ordinal_methods_sheet(context: RunContext[OrdinalResults]) -> Sheet:
    """Build the sheet."""
    results = context.results
    table = _table(context)
    preferences = _preferences(results, table.last_row + 3)
    sheet = Sheet(
        name=context.sheet("Cal methods"),
        title="What simpler methods would have said",
        explanation=(
            f"The result is that with every {results.assessor_noun}'s own cut-points. A difference is not an error: it "
            "shows what taking the use of the scale into account changes."
        ),
        tables=(table, preferences),
        across=len(table.columns),
    )
    columns = len(table.columns)
    fitting = rows_on_first_page(sheet, table, columns)
    if table.n_rows <= fitting:
        return replace(sheet, printed=whole_on_pages(sheet, columns))
    first, rest = (
        CellRange(1, 1, table.row + fitting, columns),
        CellRange(table.row + fitting + 1, 1, preferences.last_row, columns),
    )
    if table.n_rows >= fitting + FEWEST_ROWS and fits_on_page(sheet, rest, table.row):
        return replace(sheet, printed=(first, rest), repeated=table.row)
    below = CellRange(preferences.row, 1, preferences.last_row, columns)
    return replace(
        sheet,
        explanation=f"{sheet.explanation} On paper: the first {fitting} rows.",
        printed=(first, below),
    )


def _table(context: RunContext[OrdinalResults]) -> Table:
    results = context.results
    reading, posterior, shared = results.reading, results.posterior, results.shared
    additive = results.additive_values
    naive_rank = results.naive_rank
    own_rank = results.rank_of(-posterior.rank_mean, on_sheet_scale=False)
    columns = [
        Column(reading.nouns.object, list(posterior.objects), "text", 14),
        Column("Naive average", numbers(results.naive), "score", 9),
        Column("Naive rank", numbers(naive_rank), "integer", 8),
        Column(
            "Shared cut-points, total",
            numbers(shared.total_mean),
            "score",
            12,
            explanation=f"The same model with the same cut-points for all {results.assessors_noun}; approximate.",
        ),
        Column(
            "Shared cut-points, rank",
            numbers(results.rank_of(shared.total_mean, on_sheet_scale=False)),
            "integer",
            12,
        ),
    ]
    if results.additive is not None:
        columns += [
            Column(
                "Additive calibration",
                numbers(additive),
                "score",
                12,
                explanation=f"One constant for each {results.assessor_noun} taken off, as if ratings were marks.",
            ),
            Column("Additive, rank", numbers(results.rank_of(additive, on_sheet_scale=True)), "integer", 10),
        ]
    columns += [
        Column("Own cut-points, total", numbers(posterior.total_mean), "score", 12, explanation="The result."),
        Column("Own cut-points, rank", numbers(own_rank), "integer", 12, explanation="By the expected rank."),
        Column(
            "Rank change",
            numbers(naive_rank - own_rank),
            "places",
            9,
            explanation="Places gained against plain averages; below zero = lost.",
        ),
    ]
    return Table(in_order(columns, results.order), name="methods")


def _preferences(results: OrdinalResults, row: int) -> Table:
    """Say of each of these rankings how many of the assessors' preferences it turns round."""
    rankings = {
        "Naive average": -results.naive_rank,
        "Shared cut-points": results.shared.total_mean,
        "Additive": -results.rank_of(results.additive_values, on_sheet_scale=True) if results.additive else None,
        "Own cut-points": -results.posterior.rank_mean,
    }
    shown = {name: results.reversed_preferences(better) for name, better in rankings.items() if better is not None}
    return Table(
        (
            Column("Ranking", list(shown), "text", 14),
            Column(
                "Preferences reversed",
                list(shown.values()),
                "percent",
                9,
                explanation=(
                    f"Share of all cases in which {with_article(results.assessor_noun)} rated one of two "
                    f"{results.objects_noun} better, all features together, and the ranking has the other above it."
                ),
            ),
        ),
        row=row,
        name="preferences",
    )
