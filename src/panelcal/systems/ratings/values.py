"""`Cal values` for ratings: one row per object by expected rank, with what can and what cannot be told apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from panelcal.ordinal.posterior import OrdinalPosterior
from panelcal.reading.nouns import plural, plural_of
from panelcal.reporting.cell_content import numbers
from panelcal.reporting.columns import IN_FULL, WHY, Spec, columns_of
from panelcal.reporting.decisions import DECISION, board_decision
from panelcal.reporting.drawn_intervals import DRAWN, FIRST, LAST, LINE, VALUE, drawn_intervals
from panelcal.reporting.model import CellValue, Column, Sheet, Table
from panelcal.reporting.paper import legend, printed_block, printed_first, with_room_for
from panelcal.reporting.run_facts import RunContext
from panelcal.reporting.wording import words_of
from panelcal.systems.ratings.results import OrdinalResults
from panelcal.systems.ratings.words import explain_cases, explain_objects

_NEAR_LEADER = "Not reliably below the leader"
_SCREEN_ONLY = frozenset(
    {
        "Assessments",
        "Naive average",
        "Naive rank",
        "Total",
        "Lower",
        "Upper",
        "Above",
        "Below",
        "P(beats the next)",
        _NEAR_LEADER,
        IN_FULL,
    }
)


def ordinal_values_sheet(context: RunContext[OrdinalResults], table: Table) -> Sheet:
    """Build the sheet around the table of `ordinal_values_table`."""
    results = context.results
    level = f"{results.posterior.level:.0%}"
    lines = (
        "Expected rank: mean rank over all that the ratings leave possible, 1 = best. "
        f"{_drawn_in_words(results, DRAWN)}",
        f"P(best): chance to be truly the best. Winner set: holds the best with {level} probability. Up from, "
        "down from: the place by plain averages.",
        "Naive average (plain mean of the ratings), Total, its interval, the features, P(beats the next), who is not "
        "reliably below the leader, and Why, in full, stand further right on the sheet; not printed.",
    )
    return Sheet(
        name=context.sheet("Cal values"),
        title=f"{plural_of(results.reading.nouns.object)} by expected rank",
        explanation=(
            f"The best first. Rank from to Rank to holds the true rank with {level} probability; neighbours can hardly "
            "ever be told apart."
        ),
        tables=(table,),
        frozen=(5, 2),
        notes=legend(table, lines, last_heading=DECISION),
        printed=(printed_block(table, last_heading=DECISION, below=1 + len(lines)),),
    )


def ordinal_values_table(context: RunContext[OrdinalResults]) -> Table:
    """Build the table; the charts on `Cal summary` draw on its cells."""
    results = context.results
    words = words_of(
        results.reading.nouns,
        level=f"{results.posterior.level:.0%}",
        places=str(results.places),
        ratings=plural(results.reading.nouns.score),
    )
    names, certainty = columns_of(_NAMES, context, words), columns_of(_CERTAINTY, context, words)
    features = _feature_columns(results, {column.heading for column in (*names, *certainty)})
    screen_only = _SCREEN_ONLY | {column.heading for column in features}
    table = Table(printed_first((*names, *features, *certainty), screen_only), name="values")
    return with_room_for(table, WHY, last_heading=DECISION)


def _feature_columns(results: OrdinalResults, taken: Set[str]) -> list[Column]:
    """Show the mean of each feature; nothing where there is but one. Headings differ from those that are taken."""
    posterior = results.posterior
    if len(posterior.features) == 1:
        return []
    return [
        Column(
            f"Feature {feature}" if feature in taken else feature,
            numbers(posterior.feature_mean[results.order, q]),
            "score",
            10,
        )
        for q, feature in enumerate(posterior.features)
    ]


_Context = RunContext[OrdinalResults]


def _ordered(shows: Callable[[OrdinalResults], ArrayLike]) -> Callable[[_Context], np.ndarray]:
    """Return what shows figures of all objects in the order of the sheet."""
    return lambda c: np.asarray(shows(c.results))[c.results.order]


def _ordered_labels(shows: Callable[[_Context], Sequence[CellValue]]) -> Callable[[_Context], list[CellValue]]:
    def cells(context: _Context) -> list[CellValue]:
        shown = shows(context)
        return [shown[k] or None for k in context.results.order]

    return cells


def _links(context: _Context) -> list[str]:
    results = context.results
    cells = results.reading.object_cells
    return [f"#{results.reading.sheet}!{cells[k]}" for k in results.order] if context.linked else []


def _drawn(results: OrdinalResults) -> list[str | None]:
    """Draw the interval of each rank, from the first rank to the last."""
    posterior, order = results.posterior, results.order
    low, high = posterior.rank_interval[order].astype(float).T
    return drawn_intervals(posterior.rank_mean[order], low, high, ends=(1.0, float(max(len(order), 2))))


def _drawn_in_words(results: OrdinalResults, opening: str) -> str:
    return f"{opening} from rank 1 to {len(results.order)}: {VALUE} expected rank in its interval {FIRST}{LINE}{LAST}."


def _near_leader(results: OrdinalResults) -> list[str | None]:
    posterior = results.posterior
    return ["yes" if posterior.objects[k] in posterior.not_reliably_below_leader else None for k in results.order]


_NAMES: tuple[Spec[_Context], ...] = (
    Spec("{Object}", _ordered_labels(lambda c: c.results.posterior.objects), "text", 14, links=_links),
    Spec(
        "Name",
        _ordered_labels(lambda c: c.results.reading.object_names),
        width=20,
        when=lambda c: bool(c.results.reading.object_names),
    ),
    Spec(
        "Category",
        _ordered_labels(lambda c: c.results.reading.categories),
        width=14,
        when=lambda c: bool(c.results.reading.categories),
    ),
    Spec("Place", lambda c: range(1, len(c.results.order) + 1), "integer", 7, "In order of the expected rank."),
    Spec(
        "Assessments",
        _ordered(lambda r: np.bincount(r.posterior.ratings.object_index, minlength=len(r.order))),
        "integer",
        explanation="How many {assessors} rated it.",
    ),
    Spec(
        "Naive average",
        _ordered(lambda r: r.naive),
        "score",
        9,
        "Plain mean of the {ratings} on the scale of the sheet, features weighted.",
    ),
    Spec("Naive rank", _ordered(lambda r: r.naive_rank), "integer", 8),
    Spec(
        "Total",
        _ordered(lambda r: r.posterior.total_mean),
        "score",
        8,
        "The sum of its features, weighted, on the logit scale: one more, and {an_assessor} with a cut-point just "
        "there rates it above rather than below in 73 of 100 cases. 0 is about average.",
    ),
    Spec("Lower", _ordered(lambda r: r.posterior.total_interval[:, 0]), "score", 8, "{level} of the posterior."),
    Spec("Upper", _ordered(lambda r: r.posterior.total_interval[:, 1]), "score", 8, "{level} of the posterior."),
    Spec(
        "Above",
        _ordered(lambda r: r.posterior.total_interval[:, 1] - r.posterior.total_mean),
        "score",
        8,
        "From the total to the upper end, for the charts.",
    ),
    Spec(
        "Below",
        _ordered(lambda r: r.posterior.total_mean - r.posterior.total_interval[:, 0]),
        "score",
        8,
        "From the lower end to the total, for the charts.",
    ),
)
_CERTAINTY: tuple[Spec[_Context], ...] = (
    Spec(
        "Expected rank",
        _ordered(lambda r: r.posterior.rank_mean),
        "score",
        10,
        "Mean rank over the posterior; 1 = best.",
    ),
    Spec("Rank from", _ordered(lambda r: r.posterior.rank_interval[:, 0]), "integer", 7, "{level}."),
    Spec("Rank to", _ordered(lambda r: r.posterior.rank_interval[:, 1]), "integer", 7, "{level}."),
    Spec(DRAWN, lambda c: _drawn(c.results), "drawing", explanation=lambda c: _drawn_in_words(c.results, "Drawn")),
    Spec(
        "P(best)",
        _ordered(lambda r: r.posterior.best_probability),
        "percent",
        14,
        "Probability that it is the best {object} of all.",
    ),
    Spec(
        "P(best of category)",
        _ordered(lambda r: r.best_in_category),
        "percent",
        11,
        "Probability that it is the best of its category.",
        when=lambda c: bool(c.results.reading.categories),
    ),
    Spec(
        "P(top {places})",
        _ordered(lambda r: r.top),
        "percent",
        9,
        "Probability that it is among the {places} best: Places to award on Settings.",
    ),
    Spec(
        "P(beats the next)",
        lambda c: _beats_next(c.results.posterior.beats, c.results.order),
        "percent",
        11,
        "Probability that it is better than the {object} in the row below; 50% is a toss of a coin.",
    ),
    Spec(
        "Winner set",
        lambda c: [_in_winner_set(c.results.posterior, k) for k in c.results.order],
        "text",
        9,
        "The smallest set that holds the best with {level} probability. Edge: other draws from the same ratings could "
        "place it on the other side.",
    ),
    Spec(
        _NEAR_LEADER,
        lambda c: _near_leader(c.results),
        "text",
        13,
        "The leader beats it with less than {level} probability.",
    ),
    Spec(
        WHY,
        _ordered_labels(lambda c: explain_cases(c.results)),
        "wrapped",
        31,
        "Where the rank differs much from that by plain averages, or one {assessor} decides; else blank.",
    ),
    board_decision("the jury decides"),
    Spec(IN_FULL, _ordered_labels(lambda c: explain_objects(c.results)), "text", 40),
)


def _in_winner_set(posterior: OrdinalPosterior, k: int) -> str | None:
    label = posterior.objects[k]
    inside, edge = label in posterior.winner_set, label in posterior.winner_set_edge
    if inside:
        return "yes, edge" if edge else "yes"
    return "no, edge" if edge else None


def _beats_next(beats: np.ndarray, order: np.ndarray) -> list[CellValue]:
    return [*(float(beats[one, other]) for one, other in pairwise(order.tolist())), None]
