"""A plan in a few sentences for a terminal: how much each assessor has, how firmly all is linked, what it buys."""

from __future__ import annotations

from collections.abc import Sequence

from panelcal.planning.assignment import Assignment
from panelcal.planning.worth import ExpectedRanking
from panelcal.reading.nouns import Nouns, in_sentence, plural_of
from panelcal.reporting.wording import counted, mu2_in_words, number, percent


def plan_sentences(
    plan: Assignment, nouns: Nouns, worth: Sequence[ExpectedRanking], minutes: float | None = None
) -> tuple[str, ...]:
    """Say what was planned.

    Parameters
    ----------
    worth
        What numbers of assessors for each object would buy; empty where there is too little to rank.
    minutes
        How long an assessment takes, None = not said.
    """
    thing, assessor = in_sentence(nouns.object), in_sentence(nouns.assessor)
    low, high = int(plan.loads.min()), int(plan.loads.max())
    each = counted(high, thing) if low == high else f"{low} {'or' if high == low + 1 else 'to'} {counted(high, thing)}"
    sentences = [
        f"Each {thing} gets {counted(plan.per_object, assessor)}; each {assessor} has {each}.",
        f"All {plural_of(thing)} and {plural_of(assessor)} are linked, directly or through others. "
        f"mu_2 = {number(plan.mu2, 2)}. {mu2_in_words(plan.mu2, links_listed=False)}",
        f"Conflicts of interest are respected: {counted(len(plan.conflicts), 'pair')} kept apart."
        if plan.conflicts
        else "No conflicts of interest were given.",
    ]
    if minutes is not None:
        all_ = number(len(plan.object_index) * minutes / 60)
        sentences.append(f"Up to {number(high * minutes / 60)} hours for each {assessor}, {all_} hours in all.")
    sentences += [_bought(one, thing, assessor) for one in worth if one.per_object == plan.per_object]
    return tuple(sentences)


def _bought(one: ExpectedRanking, thing: str, assessor: str) -> str:
    low, high = (number(end, 2) for end in one.interval)
    return (
        f"What {counted(one.per_object, assessor)} for each {thing} would buy: a rank correlation with the truth of "
        f"about {number(one.correlation, 2)} ({low} to {high} in {one.level:.0%} of {one.simulations} simulated "
        f"panels), an expected error of {number(one.expected_error, 2)} of their spread; the best {thing} comes "
        f"first in {percent(one.best_first)} of them."
    )
