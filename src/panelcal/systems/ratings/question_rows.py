"""Every question about rated objects with its answer and words, as rows of `Cal audit`."""

from __future__ import annotations

import numpy as np

from panelcal.reporting.audit_rows import Row as AuditRow
from panelcal.reporting.model import CellValue
from panelcal.reporting.wording import counted, number
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
    winners_sentence,
)

_ENOUGH_WORTH = (2, 3, 4, 6, 8)

Row = tuple[str, CellValue, str]


def question_rows(results: OrdinalResults) -> list[AuditRow]:
    """Return the questions: who wins, in what order, by which assessors, and how far it can be trusted."""
    rows = _winner_rows(results) + _ranking_rows(results) + _judge_rows(results) + _trust_rows(results)
    return [("Question", question, answer, words, None) for question, answer, words in rows]


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
            f"Codes and the like, each with its cell below, beside {counted(warnings, 'warning')}.",
        ),
    ]
    return rows
