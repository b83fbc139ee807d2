"""`Cal summary` for ratings: one printable page that says who could be the winner and who cannot be told apart."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from panelcal.reporting.columns import questions_table
from panelcal.reporting.model import CellRange, CellValue, Chart, Note, Series, Sheet, Style, Table
from panelcal.reporting.run_facts import RunContext
from panelcal.reporting.up_to_date import stale_literal, up_to_date_note, watched_block
from panelcal.reporting.wording import counted, headed, number
from panelcal.systems.ratings.assessors import curves_chart
from panelcal.systems.ratings.results import OrdinalResults
from panelcal.systems.ratings.words import (
    against_averages_sentence,
    category_sentence,
    cuts_answer,
    cuts_sentence,
    leader_sentence,
    likely_placed,
    near_leader,
    settled_sentence,
    warning_sentences,
    winners_sentence,
)

_RIGHT = 5  # first column of what stands on the right
_WIDTHS = ((1, 30.0), (2, 16.0), (3, 84.0), (4, 2.0), (5, 19.0), *((column, 13.0) for column in range(6, 12)))
_ENOUGH_WORTH = (2, 3, 4, 6, 8)

Row = tuple[str, CellValue, str]


def ordinal_summary_sheet(context: RunContext[OrdinalResults], values: Table, curves: Table) -> Sheet:
    """Build the sheet; its charts draw on the tables of `Cal values` and `Cal assessors`."""
    results = context.results
    reading = results.reading
    warnings = warning_sentences(results)
    notes = [Note(row=4 + k, text=text, style="warning") for k, text in enumerate(warnings)]
    top = 5 + len(warnings) if warnings else 4
    main = _main_table(results, top)
    below = main.last_row + 2
    notes += [
        _up_to_date(context),
        Note(
            row=below,
            text="For the jury's decision: panelcal advises; no prize is awarded and nobody is excluded by itself.",
            style="strong",
        ),
    ]
    title, opening = headed(
        reading.settings.heading, f"Ratings of {reading.source_name}, sheet {reading.sheet}: what can be told apart"
    )
    return Sheet(
        name=context.sheet("Cal summary"),
        title=title,
        explanation=f"{opening}Read {reading.summary}: {counted(reading.n_ratings, 'rating')}.",
        tables=(main,),
        notes=tuple(notes),
        charts=_charts(context, values, curves, top, below + 2),
        frozen=None,
        column_widths=_WIDTHS,
        one_page=True,
    )


def _main_table(results: OrdinalResults, row: int) -> Table:
    rows = _winner_rows(results) + _ranking_rows(results) + _judge_rows(results) + _trust_rows(results)
    return questions_table(rows, row=row, styles=_answer_style)


def _answer_style(answer: CellValue) -> Style:
    if not isinstance(answer, float):
        return "general"
    return "score" if abs(answer) >= 1 else "precise"


def _winner_rows(results: OrdinalResults) -> list[Row]:
    posterior = results.posterior
    count = len(posterior.objects)
    rows: list[Row] = [
        ("Who could be the best?", f"{len(posterior.winner_set)} of {count}", winners_sentence(results)),
    ]
    for category in results.categories:
        members = len(results.members(category))
        rows.append(
            (
                f"Best of {category}?",
                f"{len(results.winners_of(category).members)} of {members}",
                category_sentence(results, category),
            )
        )
    rows.append(("Who is not reliably below the leader?", near_leader(results), leader_sentence(results)))
    rows.append((f"Likely among the first {results.places}", *likely_placed(results)))
    rows.append(("Where can the list be cut?", cuts_answer(results), cuts_sentence(results)))
    return rows


def _ranking_rows(results: OrdinalResults) -> list[Row]:
    naive_leader = results.posterior.objects[int(np.nanargmin(results.naive_rank))]
    leader = results.posterior.objects[int(results.order[0])]
    same = "the same leader" if leader == naive_leader else f"{naive_leader} would lead"
    return [("Against plain averages", same, against_averages_sentence(results))]


def _judge_rows(results: OrdinalResults) -> list[Row]:
    posterior = results.posterior
    low, high = int(np.argmin(results.posterior.severity)), int(np.argmax(results.posterior.severity))
    rows: list[Row] = [
        (
            f"How much do {results.assessors_noun} differ?",
            float(np.ptp(results.posterior.severity)),
            f"From the most generous, {posterior.assessors[low]}, to the most severe, {posterior.assessors[high]}, in "
            f"levels of the scale for an average {results.object_noun}.",
        )
    ]
    worth = {one.per_object: one for one in results.worth}
    told = [
        f"{k} would give {number(worth[k].correlation, 2)} ({number(worth[k].interval[0], 2)} to "
        f"{number(worth[k].interval[1], 2)})"
        for k in _ENOUGH_WORTH
        if k in worth
    ]
    per_object = len(posterior.ratings.object_index) / len(posterior.objects)
    if told:
        rows.append(
            (
                f"{results.assessors_noun.capitalize()} for each {results.object_noun}",
                float(per_object),
                f"Rank correlation with the truth on {results.worth[0].simulations} simulated panels of this size: "
                f"{'; '.join(told)}. So few leave the figures a little uneven.",
            )
        )
    return rows


def _trust_rows(results: OrdinalResults) -> list[Row]:
    posterior, reading = results.posterior, results.reading
    weights = ", ".join(
        f"{feature} {weight:g}" for feature, weight in zip(posterior.features, posterior.feature_weights, strict=True)
    )
    rows: list[Row] = []
    if len(posterior.features) > 1:
        pairs = np.triu_indices(len(posterior.features), 1)
        correlations = posterior.feature_correlation[pairs]
        rows.append(
            (
                "Do the features agree?",
                float(correlations.mean()),
                f"Mean correlation between features across {results.objects_noun}. The total weighs {weights}.",
            )
        )
    excluded = sum(decision.excluded_scores for decision in reading.decisions)
    warnings = sum(decision.weight == "warning" for decision in reading.decisions)
    groups = len(posterior.components)
    rows += [
        (
            "Linked?",
            "yes" if groups == 1 else f"NO: {groups} groups",
            f"Every {results.object_noun} can be compared with every other."
            if groups == 1
            else "How the groups compare is assumed, not known; see Cal links.",
        ),
        ("Settled?", "yes" if posterior.converged else "NOT CONVERGED", settled_sentence(results)),
        (
            "Cells left out",
            excluded,
            f"Codes and the like, each with its address on Cal audit; {counted(warnings, 'warning')} there.",
        ),
    ]
    return rows


def _up_to_date(context: RunContext[OrdinalResults]) -> Note:
    """Say whether the ratings are still those that were read, each at its place."""
    grid, reading = context.run.input_grid, context.results.reading
    watched = None if grid is None else watched_block(grid, reading.score_block, with_texts=True)
    if watched is None:
        return Note(
            row=3,
            text="These sheets cannot tell whether the ratings changed since: calibrate again if they did.",
            style="small",
        )
    good = f"Up to date: the ratings, as far as they are numbers, are those of {context.run.created[:10]}."
    return up_to_date_note(good, [(watched.unchanged, stale_literal("ratings have changed"))])


def _charts(
    context: RunContext[OrdinalResults], values: Table, curves: Table, top: int, below: int
) -> tuple[Chart, ...]:
    of = _cells_of(values, context.sheet("Cal values"))
    several = len(context.results.posterior.features) > 1
    return (
        _totals_chart(context.results, of, top),
        _averages_chart(context.results, of, below),
        *([_features_chart(context.results, of, values, below)] if several else []),
        curves_chart(context, curves, row=below, column=_RIGHT),
    )


def _totals_chart(results: OrdinalResults, of: Callable[[str], CellRange], row: int) -> Chart:
    count = len(results.posterior.objects)
    return Chart(
        kind="scatter",
        title=f"Total by rank, with {results.posterior.level:.0%} intervals",
        x_title=f"{results.reading.nouns.object}, by expected rank",
        y_title="Total",
        series=(Series("Total", y=of("Total"), x=of("Place"), plus=of("Above"), minus=of("Below"), colour=0),),
        alt_text=(
            f"Totals of {count} {results.objects_noun} from the best to the worst, with intervals. Where the intervals "
            "of two overlap widely, their order is not known."
        ),
        row=row,
        column=_RIGHT,
        width_cm=19.0,
        height_cm=10.2,
        x_low=0,
        x_high=count + 1,
        legend=False,
    )


def _averages_chart(results: OrdinalResults, of: Callable[[str], CellRange], row: int) -> Chart:
    count = len(results.posterior.objects)
    drawn = Series("Expected rank", y=of("Expected rank"), x=of("Naive average"), marker="diamond", colour=3)
    return Chart(
        kind="scatter",
        title="Rank and naive average",
        x_title="Naive average",
        y_title="Expected rank",
        series=(drawn,),
        alt_text=(
            f"Expected ranks of {count} {results.objects_noun} against their plain averages. The wider the cloud, the "
            f"more it matters who the {results.assessors_noun} were."
        ),
        row=row,
        column=1,
        width_cm=8.7,
        height_cm=8.0,
        y_low=0,
        y_high=count + 1,
        x_low=float(np.floor(np.nanmin(results.naive))),
        x_high=float(np.ceil(np.nanmax(results.naive) + 1e-9)),
        legend=False,
    )


def _features_chart(results: OrdinalResults, of: Callable[[str], CellRange], values: Table, row: int) -> Chart:
    one, two = results.posterior.features[:2]
    y, x = of(_feature(values, two)), of(_feature(values, one))
    return Chart(
        kind="scatter",
        title=f"{one} against {two}",
        x_title=one,
        y_title=two,
        series=(Series(results.reading.nouns.object, y=y, x=x, marker="circle", colour=2),),
        alt_text=(
            f"Scores of {len(results.posterior.objects)} {results.objects_noun} on {one} and on {two}; 0 is about "
            "average on both."
        ),
        row=row,
        column=3,
        width_cm=15.4,
        height_cm=8.0,
        legend=False,
    )


def _feature(values: Table, feature: str) -> str:
    headings = {column.heading for column in values.columns}
    return f"Feature {feature}" if f"Feature {feature}" in headings else feature


def _cells_of(table: Table, sheet: str) -> Callable[[str], CellRange]:
    return lambda heading: table.cell_range(heading).on(sheet)
