"""`Cal values` for ratings: one row per object by expected rank, with what can and what cannot be told apart."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from panelcal.ordinal.posterior import OrdinalPosterior
from panelcal.reporting.cell_content import numbers
from panelcal.reporting.decisions import DECISION, decision_column
from panelcal.reporting.model import CellValue, Column, Highlight, Sheet, Table
from panelcal.reporting.paper import legend, printed_block, printed_first
from panelcal.reporting.run_facts import RunContext
from panelcal.reporting.wording import plural_of
from panelcal.systems.ratings.results import OrdinalResults
from panelcal.systems.ratings.words import explain_objects

_SCREEN_ONLY = frozenset(
    {"Assessments", "Naive rank", "Total", "Lower", "Upper", "Above", "Below", "P(beats the next)"}
)


def ordinal_values_sheet(context: RunContext[OrdinalResults], table: Table) -> Sheet:
    """Build the sheet around the table of `ordinal_values_table`."""
    results = context.results
    level = f"{results.posterior.level:.0%}"
    lines = (
        f"Expected rank: mean rank over all that the ratings leave possible, 1 = best; Rank from, Rank to: the middle "
        f"{level} of it. Naive average: plain mean of the ratings.",
        f"P(best): chance to be truly the best. Winner set: holds the best with {level} probability. Not reliably "
        f"below: the leader beats it with less than {level}.",
        "Total, its interval, the features and P(beats the next) stand further right on the sheet; not printed.",
    )
    return Sheet(
        name=context.sheet("Cal values"),
        title=f"{plural_of(results.reading.nouns.object)} by expected rank",
        explanation=(
            f"The best first. Lower to Upper holds the true total with {level} probability; neighbours can hardly ever "
            "be told apart."
        ),
        tables=(table,),
        frozen=(5, 2),
        notes=legend(table, lines),
        printed=(printed_block(table, last_heading=DECISION, below=1 + len(lines)),),
    )


def ordinal_values_table(context: RunContext[OrdinalResults]) -> Table:
    """Build the table; the charts on `Cal summary` draw on its cells."""
    results = context.results
    reading, posterior = results.reading, results.posterior
    order = results.order
    level = f"{posterior.level:.0%}"
    noun, score = results.object_noun, reading.nouns.score

    def sorted_cells(values: ArrayLike) -> list[CellValue]:
        return numbers(np.asarray(values)[order])

    links = [f"#{reading.sheet}!{reading.object_cells[k]}" for k in order] if context.linked else []
    columns = [
        Column(reading.nouns.object, [posterior.objects[k] for k in order], "text", 14, links=links),
    ]
    if reading.object_names:
        columns.append(Column("Name", [reading.object_names[k] for k in order], "text", 20))
    if reading.categories:
        columns.append(Column("Category", [reading.categories[k] or None for k in order], "text", 14))
    interval = posterior.total_interval
    columns += [
        Column("Place", list(range(1, len(order) + 1)), "integer", 7, explanation="In order of the expected rank."),
        Column(
            "Assessments",
            sorted_cells(np.bincount(posterior.ratings.object_index, minlength=len(order))),
            "integer",
            12,
            explanation=f"How many {results.assessors_noun} rated it.",
        ),
        Column(
            "Naive average",
            sorted_cells(results.naive),
            "general",
            9,
            explanation=f"Plain mean of its {score.lower()}s on the scale of the sheet, features weighted.",
            styles=["score"] * len(order),
        ),
        Column("Naive rank", sorted_cells(results.naive_rank), "integer", 8),
        Column(
            "Total",
            sorted_cells(posterior.total_mean),
            "score",
            8,
            explanation=(
                f"The sum of its features, weighted, on the logit scale: one more, and a {results.assessor_noun} "
                "with a cut-point just there rates it above rather than below in 73 of 100 cases. 0 is about average."
            ),
        ),
        Column("Lower", sorted_cells(interval[:, 0]), "score", 8, explanation=f"{level} of the posterior."),
        Column("Upper", sorted_cells(interval[:, 1]), "score", 8, explanation=f"{level} of the posterior."),
        Column(
            "Above",
            sorted_cells(interval[:, 1] - posterior.total_mean),
            "score",
            8,
            explanation="From the total to the upper end, for the charts.",
        ),
        Column(
            "Below",
            sorted_cells(posterior.total_mean - interval[:, 0]),
            "score",
            8,
            explanation="From the lower end to the total, for the charts.",
        ),
    ]
    features = [
        Column(_heading(feature, columns), sorted_cells(posterior.feature_mean[:, q]), "score", 10)
        for q, feature in enumerate(posterior.features)
        if len(posterior.features) > 1
    ]
    columns += [
        *features,
        Column(
            "Expected rank",
            sorted_cells(posterior.rank_mean),
            "score",
            10,
            explanation="Mean rank over the posterior; 1 = best.",
        ),
        Column("Rank from", sorted_cells(posterior.rank_interval[:, 0]), "integer", 7, explanation=f"{level}."),
        Column("Rank to", sorted_cells(posterior.rank_interval[:, 1]), "integer", 7, explanation=f"{level}."),
        Column(
            "P(best)",
            sorted_cells(posterior.best_probability),
            "percent",
            14,
            explanation=f"Probability that it is the best {noun} of all.",
            highlight=Highlight("data bar"),
        ),
    ]
    if reading.categories:
        columns.append(
            Column(
                "P(best of category)",
                sorted_cells(results.best_in_category),
                "percent",
                11,
                explanation="Probability that it is the best of its category.",
            )
        )
    columns += [
        Column(
            f"P(top {results.places})",
            sorted_cells(results.top),
            "percent",
            9,
            explanation=f"Probability that it is among the {results.places} best: Places to award on Settings.",
        ),
        Column(
            "P(beats the next)",
            _beats_next(posterior.beats, order),
            "percent",
            11,
            explanation=f"Probability that it is better than the {noun} in the row below; 50% is a toss of a coin.",
        ),
        Column(
            "Winner set",
            [_in_winner_set(posterior, k) for k in order],
            "text",
            9,
            explanation=(
                f"The smallest set that holds the best with {level} probability. Edge: other draws from the same "
                "ratings could place it on the other side."
            ),
            highlight=Highlight("text", starts="yes"),
        ),
        Column(
            "Not reliably below the leader",
            ["yes" if posterior.objects[k] in posterior.not_reliably_below_leader else None for k in order],
            "text",
            13,
            explanation=f"The leader beats it with less than {level} probability.",
            highlight=Highlight("text", starts="yes"),
        ),
    ]
    reasons = explain_objects(results)
    columns += [
        Column("Why", [reasons[k] for k in order], "wrapped", 72),
        decision_column(len(order), "Left blank: the jury decides."),
    ]
    screen_only = _SCREEN_ONLY | {column.heading for column in features}
    return Table(printed_first(columns, screen_only), name="values")


def _in_winner_set(posterior: OrdinalPosterior, k: int) -> str | None:
    label = posterior.objects[k]
    inside, edge = label in posterior.winner_set, label in posterior.winner_set_edge
    if inside:
        return "yes, edge" if edge else "yes"
    return "no, edge" if edge else None


def _heading(feature: str, columns: Sequence[Column]) -> str:
    """A feature's heading, told apart from the columns that are there anyway."""
    taken = {column.heading for column in columns} | {"Why", DECISION, "Winner set", "Expected rank"}
    return f"Feature {feature}" if feature in taken else feature


def _beats_next(beats: np.ndarray, order: np.ndarray) -> list[CellValue]:
    return [*(float(beats[one, other]) for one, other in pairwise(order.tolist())), None]
