"""Habits that the model does not know, as questions and answers of the summary: generosity by confidence, round scores.

Neither changes a value; each says what to do. The level of 1% keeps false alarms off the summaries of most years.
"""

from __future__ import annotations

import numpy as np

from panelcal.calibration.diagnostics import confidence_bias, round_numbers
from panelcal.errors import MethodNotApplicable
from panelcal.reporting.results import Results
from panelcal.reporting.wording import chance, compact, number, plural_of, signed, some_of

_DOUBT = 0.01
_NAMED = 3

Answer = tuple[str, str, str]


def diagnostic_answers(results: Results) -> list[Answer]:
    """Return question, answer and words for each habit that this panel can tell about."""
    found: list[Answer] = []
    for ask in (_confidence_and_generosity, _round_scores):
        try:
            found.append(ask(results))
        except MethodNotApplicable:  # nothing to tell, nothing to read
            continue
    return found


def _confidence_and_generosity(results: Results) -> Answer:
    found = confidence_bias(results.calibration)
    noun = results.reading.nouns.confidence.lower() or "confidence"
    question = f"{plural_of(results.reading.nouns.score)} rise with {noun}?"
    if found.p_value >= _DOUBT:
        return question, "no clear sign", f"Generosity does not visibly depend on {noun} ({chance(found.p_value)})."
    return (
        question,
        f"{signed(found.slope)} per doubling",
        f"Give or take {number(found.slope_error)} ({chance(found.p_value)}). One bias for each "
        f"{results.assessor_noun} cannot take this out: ask why, and see Fisher on Cal methods.",
    )


def _round_scores(results: Results) -> Answer:
    panel = results.reading.panel
    found = round_numbers(panel)
    question = f"Round {results.scores_noun} preferred?"
    counted = f"{found.share:.0%} are multiples of {compact(found.base)}, where {found.expected_share:.0%} would be"
    if found.p_value >= _DOUBT:
        return question, "no clear sign", f"{counted} expected ({chance(found.p_value)})."
    clear = np.flatnonzero(found.assessor_p_values * panel.n_assessors < _DOUBT)
    clear = clear[np.argsort(found.assessor_p_values[clear], kind="stable")]
    most = f", most of all {some_of([panel.assessors[a] for a in clear], _NAMED)}" if len(clear) else ""
    return (
        question,
        "yes",
        f"{counted} expected ({chance(found.p_value)}){most}. Rounding adds noise, not bias: ask for "
        f"{results.scores_noun} on the whole scale next time.",
    )
