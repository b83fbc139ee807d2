"""What the scores say about confidences and about habits that the model does not know, as answers of the summary.

None changes a value; each says what to do. The level of 1% keeps false alarms off the summaries of most years.
"""

from __future__ import annotations

import numpy as np

from panelcal.calibration.diagnostics import confidence_bias, round_numbers
from panelcal.calibration.nonadditivity import LEVEL, nonadditivity, piled_up
from panelcal.errors import MethodNotApplicable
from panelcal.reading.nouns import plural_of, with_article
from panelcal.reporting.wording import chance, compact, number, signed, some_of
from panelcal.systems.calibration.assessors import side_of_bias
from panelcal.systems.calibration.confidence_words import (
    are_credits,
    confidence_noun,
    confidences_noun,
    declared_by_assessor,
)
from panelcal.systems.calibration.results import Results

_DOUBT = 0.01
_NAMED = 3
_ALIKE = 1e-9

Answer = tuple[str, str, str]


def diagnostic_answers(results: Results) -> list[Answer]:
    """Return question, answer and words for each habit that this panel can tell about."""
    found: list[Answer] = []
    for ask in (_confidence_and_generosity, _generosity_and_spread, _round_scores):
        try:
            answer = ask(results)
        except MethodNotApplicable:  # nothing to tell, nothing to read
            continue
        if answer is not None:
            found.append(answer)
    return found


def declared_answer(results: Results) -> Answer | None:
    """Say whether what was declared agrees with how well the scores fit; None where nothing was declared."""
    if not results.reading.nouns.confidence:
        return None
    found, scores, plural = results.declared, results.scores_noun, confidences_noun(results)
    if not are_credits(results):
        question = f"Do {scores} of high {confidence_noun(results)} scatter less?"
    elif declared_by_assessor(results):
        question = f"Do {scores} of larger {results.assessors_noun} scatter less?"
    else:
        question = f"Do {scores} with more {plural} scatter less?"
    if not np.isfinite(found.exponent):
        alike = np.ptp(results.panel.confidences) <= _ALIKE * results.panel.confidences.max()
        words = f"All {scores} count alike here" if alike else f"The {scores} leave nothing to judge this by"
        return question, "cannot tell", f"{words}; this is common and harmless."
    measured = (
        f"{number(found.exponent, 2)} +/- {number(found.exponent_error, 2)}; 1 = as {plural} imply, 0 = not at all"
    )
    answer, words = {
        "as declared": ("yes", f"As much as the {plural} imply."),
        "too weak to tell": (
            "cannot tell",
            f"Too few {scores} to tell; this is common and harmless.",
        ),
        "say nothing": (
            "no",
            f"The {plural} say nothing about how well {scores} fit ({chance(found.p_as_declared)}). Nothing "
            "need be done; Fisher on Cal methods shows what counting all alike would change.",
        ),
        "exaggerate": (
            "yes, but little",
            f"Less than the {plural} imply ({chance(found.p_as_declared)}): they exaggerate differences.",
        ),
        "understate": ("yes, and more", f"Even more than the {plural} imply ({chance(found.p_as_declared)})."),
    }[found.finding]
    return question, answer, f"{words} ({measured}.)"


def _confidence_and_generosity(results: Results) -> Answer:
    found = confidence_bias(results.calibration)
    noun = confidence_noun(results)
    question = f"{plural_of(results.reading.nouns.score)} rise with {noun}?"
    if found.p_value >= _DOUBT:
        return question, "no clear sign", f"Generosity does not visibly depend on {noun} ({chance(found.p_value)})."
    return (
        question,
        f"{signed(found.slope)} per doubling",
        f"Give or take {number(found.slope_error)} ({chance(found.p_value)}). One bias for each "
        f"{results.assessor_noun} cannot take this out: ask why, and see Fisher on Cal methods.",
    )


def _generosity_and_spread(results: Results) -> Answer | None:
    """Say whether generous assessors are flatter; nothing where that is not clear."""
    found = nonadditivity(results.calibration)
    if found.p_value >= LEVEL:
        return None
    nouns, flatter = results.assessors_noun, found.slope < 0
    question = f"Are {side_of_bias(results, 1.0)} {nouns} {'flatter' if flatter else 'steeper'}?"
    words = (
        f"For every point of bias, {results.scores_noun} of {with_article(results.assessor_noun)} lie "
        f"{abs(found.slope):.1%} {'closer together' if flatter else 'further apart'} ({chance(found.p_value)})."
    )
    piled = piled_up(found.at_top, found.at_bottom)
    if piled:
        return question, "yes", f"{words} But {piled}, and an end of the scale makes such a slope: look there first."
    return question, "yes", f"{words} The method spread allows for it: see Cal methods."


def _magnets(results: Results) -> list[float]:
    """Scores that others are moved to for reasons of their own: boundaries of classes, ends of the scale."""
    settings = results.reading.settings
    ends = [end for end in (settings.scale_low, settings.scale_high) if end is not None]
    return [*ends, *(band.lowest for band in settings.bands)]


def _round_scores(results: Results) -> Answer:
    panel = results.reading.panel
    found = round_numbers(panel, boundaries=_magnets(results))
    question = f"Round {results.scores_noun} preferred?"
    counted = (
        f"Away from boundaries, zeros and the ends of the scale, {found.share:.0%} are multiples of "
        f"{compact(found.base)}, where {found.expected_share:.0%} would be"
    )
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
