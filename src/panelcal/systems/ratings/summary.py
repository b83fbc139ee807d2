"""`Cal summary` for ratings: a page that says who could be the winner and who cannot be told apart, and its charts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from panelcal.arrays import Array
from panelcal.reporting.decisions import decisions_shown, links_to_rows, shown_from
from panelcal.reporting.front_page import FrontPage, Listed, Pictures, behind_charts, front_sheet
from panelcal.reporting.model import CellRange, CellValue, Chart, Column, Note, Series, Sheet, Table
from panelcal.reporting.run_facts import RunContext
from panelcal.reporting.sorted_bars import MOST_NAMED, bars, both_ends, ends_only, names_on_axis
from panelcal.reporting.up_to_date import stale_literal, up_to_date_note, watched_block
from panelcal.reporting.wording import counted, headed, number
from panelcal.systems.ratings.front import front_of
from panelcal.systems.ratings.results import OrdinalResults

_TO_FILL_IN = (f"Decided on {'_' * 14}    Chair {'_' * 24}    Jury {'_' * 28}",)


def ordinal_summary_sheet(context: RunContext[OrdinalResults], values: Table) -> Sheet:
    """Build the sheet; its list and charts draw on the table of `Cal values`."""
    results = context.results
    reading = results.reading
    title, opening = headed(
        reading.settings.heading, f"Ratings of {reading.source_name}, sheet {reading.sheet}: what can be told apart"
    )
    headed_only = Sheet(
        name=context.sheet("Cal summary"),
        title=title,
        explanation=f"{opening}Read {reading.summary}: {counted(reading.n_ratings, 'rating')}.",
    )
    return front_sheet(
        headed_only,
        _up_to_date(context),
        FrontPage(
            front=front_of(results),
            cases=None,
            ranked=_ranked(results, values, context.sheet("Cal values")),
            rest="The rest stands on Cal values",
            advice="People decide: no prize is awarded and nobody is excluded by itself",
            signing=_TO_FILL_IN,
        ),
        _pictures(results, _cells_of(values, context.sheet("Cal values"))),
    )


def _ranked(results: OrdinalResults, values: Table, sheet: str) -> Listed:
    """List everybody by expected rank, with what can be said of them and a cell for the decision."""
    rows = list(range(values.n_rows))
    labels: list[CellValue] = [results.posterior.objects[k] for k in results.order]
    low, high = results.posterior.rank_interval[results.order].T.tolist()
    within: list[CellValue] = [f"{first} to {last}" for first, last in zip(low, high, strict=True)]

    def cell(heading: str, shown_as: str = "") -> Column:
        return shown_from(values, sheet, rows, heading, shown_as)

    return Listed(
        heading="Ranked list",
        name="ranked",
        columns=(
            cell("Place"),
            Column(results.reading.nouns.object, labels, "text", links=links_to_rows(values, sheet, rows)),
            Column("What the ratings say", [_standing(results, k) for k in results.order], "text"),
            Column(f"True rank within ({results.posterior.level:.0%})", within, "text"),
            cell("P(best)"),
            cell(f"P(top {results.places})", f"Top {results.places}"),
            decisions_shown(values, sheet, rows, who="the jury decides"),
        ),
    )


def _standing(results: OrdinalResults, at: int) -> str:
    posterior = results.posterior
    label = posterior.objects[at]
    said = [results.reading.categories[at]] if results.reading.categories and results.reading.categories[at] else []
    if label in posterior.winner_set:
        said.append("could be the best")
    elif label in posterior.not_reliably_below_leader:
        said.append("close to the leader")
    return "; ".join(said)


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


def _pictures(results: OrdinalResults, of: Callable[[str], CellRange]) -> Pictures:
    moved, leaning = _moved_table(results), _severity_table(results)
    one, other = results.object_noun, results.assessor_noun
    return Pictures(
        (_totals_chart(results, of), _moved_chart(results, moved), _severity_chart(results, leaning)),
        (
            f"One point for each {one}, from the best to the last; the line is its {results.posterior.level:.0%} "
            "interval. Where the lines of two overlap widely, their order is open.",
            f"One bar for each {one}: by how many places it stands better (to the right) or worse than by plain "
            f"averages{_drawn_of(moved.n_rows, len(results.posterior.objects))}.",
            f"One bar for each {other}: how much more severe (to the right) or more generous than the mean. This has "
            f"been taken into account{_drawn_of(leaning.n_rows, len(results.posterior.assessors))}.",
        ),
        behind=(moved, leaning),
    )


def _drawn_of(shown: int, count: int) -> str:
    """Say that only the ends are drawn; nothing where all are."""
    return f". Drawn are the {shown} at the two ends, of {count:,}" if shown < count else ""


def _totals_chart(results: OrdinalResults, of: Callable[[str], CellRange]) -> Chart:
    count = len(results.posterior.objects)
    near = len(results.posterior.not_reliably_below_leader) - 1
    leader = results.posterior.objects[int(results.order[0])]
    named, noun = count <= MOST_NAMED, results.reading.nouns.object
    return Chart(
        kind="points" if named else "scatter",
        title=f"{counted(near, results.object_noun)} cannot be told from {leader}, which leads"
        if near
        else f"{leader} leads, clear of all others",
        x_title=f"{noun}, by expected rank",
        y_title=f"Total (0 is about average), with {results.posterior.level:.0%} interval",
        series=(Series("Total", y=of("Total"), x=of(noun if named else "Place"), plus=of("Above"), minus=of("Below")),),
        alt_text=(
            f"Totals of {count} {results.objects_noun} from the best to the worst, with intervals. Where the intervals "
            "of two overlap widely, their order is not known."
        ),
        row=1,
        column=1,
        height_cm=8.6,
        x_low=None if named else 0,
        x_high=None if named else count + 1,
        legend=False,
    )


def _gained(results: OrdinalResults) -> Array:
    """(n_objects,) places gained against plain averages; zero where these say nothing."""
    places = np.empty(len(results.order))
    places[results.order] = np.arange(1, len(places) + 1)
    return np.where(np.isfinite(results.naive_rank), results.naive_rank - places, 0.0)


def _moved_table(results: OrdinalResults) -> Table:
    gained = _gained(results)
    shown = both_ends(gained)
    columns = (
        Column(results.reading.nouns.object, names_on_axis(results.posterior.objects[k] for k in shown), "text"),
        Column("Places gained", gained[shown].tolist(), "places"),
    )
    return behind_charts(columns, 0, "places drawn")


def _moved_chart(results: OrdinalResults, table: Table) -> Chart:
    gained = _gained(results)
    most = int(np.argmax(np.abs(gained)))
    label, count = results.posterior.objects[most], int(abs(gained[most]))
    way = "gains" if gained[most] > 0 else "loses"
    moves = f"{label} {way} {counted(count, 'place')} against plain averages, more than any other"
    return bars(
        table,
        title=moves if count else "Plain averages give the same order",
        series=(Series("Places gained", table.cell_range("Places gained"), _names(table)),),
        y_title="Places gained (+) or lost (-) against plain averages",
        alt_text=f"Places that {counted(table.n_rows, results.object_noun)} gain or lose against plain averages"
        f"{ends_only(len(gained), results.objects_noun)}.",
    )


def _severity_table(results: OrdinalResults) -> Table:
    severity = results.posterior.severity - float(np.mean(results.posterior.severity))
    shown = both_ends(severity)
    columns = (
        Column(results.reading.nouns.assessor, names_on_axis(results.posterior.assessors[k] for k in shown), "text"),
        Column("Severity drawn", severity[shown].tolist(), "signed"),
    )
    return behind_charts(columns, 3, "severity drawn")


def _severity_chart(results: OrdinalResults, table: Table) -> Chart:
    severity, names = results.posterior.severity, results.posterior.assessors
    low, high = int(np.argmin(severity)), int(np.argmax(severity))
    apart = number(float(severity[high] - severity[low]))
    return bars(
        table,
        title=f"{names[high]} is the most severe and {names[low]} the most generous, {apart} levels apart",
        series=(Series("Severity", table.cell_range("Severity drawn"), _names(table), colour=2),),
        y_title=f"More severe (+) or more generous (-) than the mean, in levels for an average {results.object_noun}",
        alt_text=f"Severity of {counted(table.n_rows, results.assessor_noun)}, the most severe first"
        f"{ends_only(len(names), results.assessors_noun)}.",
    )


def _names(table: Table) -> CellRange:
    return table.cell_range(table.columns[0].heading)


def _cells_of(table: Table, sheet: str) -> Callable[[str], CellRange]:
    return lambda heading: table.cell_range(heading).on(sheet)
