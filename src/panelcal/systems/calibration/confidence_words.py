"""What confidences are called within sentences: credits on a board's paper, confidence where nothing else was said."""

from __future__ import annotations

import numpy as np

from panelcal.reading.nouns import in_sentence, plural_of
from panelcal.reporting.wording import compact
from panelcal.systems.calibration.results import Results

_CREDITS = frozenset({"credits", "cats", "ects"})


def are_credits(results: Results) -> bool:
    """Tell whether the confidences were given as credits of some kind."""
    return results.reading.nouns.confidence.casefold() in _CREDITS


def confidence_noun(results: Results) -> str:
    """Word for the confidences within a sentence; standard deviations are by then the confidences they stand for."""
    noun = results.reading.nouns.confidence
    return in_sentence(noun) if are_credits(results) or noun.casefold() == "weight" else "confidence"


def confidences_noun(results: Results) -> str:
    """Word for them in the plural: credits, weights, confidences."""
    noun = confidence_noun(results)
    return noun if are_credits(results) else plural_of(noun)


def with_confidence(results: Results, amount: float) -> str:
    """Spell how much something counts: "with 15 credits", "of confidence 4"."""
    noun = confidence_noun(results)
    if are_credits(results):
        return f"with {compact(amount)} {noun[:-1] if noun == 'credits' and amount == 1 else noun}"
    return f"of {noun} {compact(amount)}"


def declared_by_assessor(results: Results) -> bool:
    """Tell whether each assessor has one confidence throughout, as a module has its credits."""
    panel = results.reading.panel
    lowest, highest = np.full(panel.n_assessors, np.inf), np.zeros(panel.n_assessors)
    np.minimum.at(lowest, panel.assessor_index, panel.confidences)
    np.maximum.at(highest, panel.assessor_index, panel.confidences)
    return bool((lowest == highest).all())
