"""Checks on the numbers once they are read: the declared scale, many zeros, scales on which differences are uneven."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from panelcal.arrays import Array
from panelcal.panel import Panel
from panelcal.reading.decisions import About, Decision
from panelcal.reading.nouns import Nouns, plural, with_article
from panelcal.reading.problems import Problems, listed
from panelcal.reading.settings import Settings

_LEAST_ZEROS = 3
_SHARE_OF_ZEROS = 0.2
_FAR_ABOVE = 0.5  # of the width of the scale: extra credit does not go that far, a lost decimal point does
_FAR_OFF = 12.0  # robust standard deviations from the median, where no scale is given
_ENOUGH_TO_TELL, _SHARE_OF_SLIPS = 20, 0.02
_QUARTILES_APART = 1.349  # of a normal distribution, in standard deviations

_DANISH = (-3.0, 0.0, 2.0, 4.0, 7.0, 10.0, 12.0)
_GERMAN = (1.0, 1.3, 1.7, 2.0, 2.3, 2.7, 3.0, 3.3, 3.7, 4.0, 4.3, 4.7, 5.0)


def check_scale(
    scores: Array,
    address_of: Callable[[int], str],
    sheet: str,
    noun: str,
    settings: Settings,
    problems: Problems,
) -> list[Decision]:
    """Stop at scores below the declared scale, warn of scores above it and of negative ones without a scale.

    Parameters
    ----------
    scores
        (K,) with NaN where there is none.
    """
    decisions: list[Decision] = []
    low, high = settings.scale_low, settings.scale_high
    if low is not None:
        for k in np.flatnonzero(scores < low):
            problems.add(
                sheet,
                f"{{where}} [holds {with_article(noun)}|hold {plural(noun)}] below {low:g}, the lowest score by the "
                "settings: "
                f"correct "
                "[it|them], or change the scale.",
                address_of(int(k)),
            )
    if high is not None:
        decisions += _above_scale(scores, address_of, sheet, noun, low, high)
    if low is None and high is None:
        decisions += _far_off(scores, address_of, sheet, noun)
    negative = scores < 0
    danish = _on_scale(scores, _DANISH)
    if low is None and negative.any() and (scores > 0).any() and not danish:
        cells = tuple(address_of(int(k)) for k in np.flatnonzero(negative))
        sentence = f"Negative {plural(noun)} among positive ones, kept as they are: {listed(cells)}."
        decisions.append(Decision(About.NEGATIVE_SCORE, cells, sentence, "warning", sheet))
    return decisions


def _above_scale(
    scores: Array, address_of: Callable[[int], str], sheet: str, noun: str, low: float | None, high: float
) -> list[Decision]:
    """Warn of scores above the scale, those far above first."""
    decisions = []
    far = scores > high + _FAR_ABOVE * (high - (min(0.0, high) if low is None else low))
    if far.any():
        places = [int(k) for k in np.flatnonzero(far)]
        cells = tuple(address_of(k) for k in places)
        held = listed([f"{cell} holds {scores[k]:g}" for cell, k in zip(cells, places, strict=True)])
        looks = "this looks like a slip" if len(cells) == 1 else "these look like slips"
        it = "it" if len(cells) == 1 else "them"
        sentence = (
            f"{held}, far above {high:g}, the highest {noun} by the settings: {looks} of the pen. Kept; "
            f"correct {it} in the sheet."
        )
        decisions.append(Decision(About.FAR_ABOVE, cells, sentence, "warning", sheet))
    above = (scores > high) & ~far
    if above.any():
        cells = tuple(address_of(int(k)) for k in np.flatnonzero(above))
        sentence = (
            f"Above {high:g}, the highest {noun} by the settings, and kept (extra credit exists): {listed(cells)}."
        )
        decisions.append(Decision(About.ABOVE_THE_SCALE, cells, sentence, "warning", sheet))
    return decisions


def _far_off(scores: Array, address_of: Callable[[int], str], sheet: str, noun: str) -> list[Decision]:
    """Warn of a few scores unlike all others where no scale says what is possible."""
    known = np.flatnonzero(np.isfinite(scores))
    if len(known) < _ENOUGH_TO_TELL:
        return []
    quarter, middle, three_quarters = np.quantile(scores[known], [0.25, 0.5, 0.75])
    far = known[np.abs(scores[known] - middle) > _FAR_OFF * (three_quarters - quarter) / _QUARTILES_APART]
    if three_quarters == quarter or not 0 < len(far) <= max(1, _SHARE_OF_SLIPS * len(known)):
        return []
    cells = tuple(address_of(int(k)) for k in far)
    held = listed([f"{cell} holds {scores[k]:g}" for cell, k in zip(cells, far, strict=True)])
    sentence = (
        f"{held}, far from all other {plural(noun)} (half of them lie between {quarter:g} and {three_quarters:g}): "
        "perhaps a "
        "slip of the pen. Kept; if so, correct it in the sheet."
    )
    return [Decision(About.FAR_OFF, cells, sentence, "warning", sheet)]


def check_numbers(
    panel: Panel, nouns: Nouns, assessor_cells: tuple[str, ...], sheet: str, settings: Settings
) -> list[Decision]:
    """Warn of many zeros, of scales with uneven steps and of the direction of the scale."""
    decisions: list[Decision] = []
    counts = np.bincount(panel.assessor_index, minlength=panel.n_assessors)
    zeros = np.bincount(panel.assessor_index, panel.scores == 0, panel.n_assessors)
    many = np.flatnonzero((zeros >= _LEAST_ZEROS) & (zeros >= _SHARE_OF_ZEROS * counts) & (zeros < counts))
    if len(many):
        names = listed([f"{panel.assessors[a]} ({zeros[a]:.0f} of {counts[a]})" for a in many])
        sentence = (
            f"Many {plural(nouns.score)} are 0: {names}. Clear the cells if nothing was assessed; 0 counts as a "
            f"{plural(nouns.score, 1)}."
        )
        decisions.append(Decision(About.MANY_ZEROS, tuple(assessor_cells[a] for a in many), sentence, "warning", sheet))
    if not settings.higher_is_better:
        sentence = "Lower scores are better by the settings: ranks and classes are counted from the lowest."
        decisions.append(Decision(About.LOWER_IS_BETTER, (), sentence, "warning", sheet))
    if _on_scale(panel.scores, _DANISH):
        sentence = (
            "The scores use the uneven steps -3, 0, 2, 4, 7, 10, 12: a difference does not mean the same everywhere on "
            "such a scale, so treat the results with care."
        )
        decisions.append(Decision(About.UNEVEN_SCALE, (), sentence, "warning", sheet))
    return decisions


def looks_german(scores: Array) -> bool:
    """Tell whether scores are steps of the German scale from 1.0 to 5.0, thirds included."""
    return _on_scale(scores, _GERMAN) and bool(np.any(np.isin(np.round(scores % 1, 6), (0.3, 0.7))))


def _on_scale(scores: Array, steps: tuple[float, ...]) -> bool:
    """Tell whether at least four different scores occur and all of them are steps of a scale with uneven steps."""
    present = set(np.unique(scores[~np.isnan(scores)]).tolist())
    uneven = {-3.0, 7.0, 12.0} if -3.0 in steps else {1.3, 1.7}
    return len(present) >= 4 and present <= set(steps) and len(present & uneven) >= (2 if -3.0 in steps else 1)


def check_links(
    panel: Panel, nouns: Nouns, object_cells: tuple[str, ...], assessor_cells: tuple[str, ...], sheet: str
) -> list[Decision]:
    """List objects with one assessor and assessors with one object; both are kept."""
    decisions: list[Decision] = []
    thing, assessor = plural(nouns.object, 1), plural(nouns.assessor, 1)
    per_object = np.bincount(panel.object_index, minlength=panel.n_objects)
    if (alone := np.flatnonzero(per_object == 1)).size:
        names = listed([panel.objects[k] for k in alone])
        sentence = f"No cross-check: only one {assessor} assessed {names}. Kept."
        decisions.append(Decision(About.NO_CROSS_CHECK, tuple(object_cells[k] for k in alone), sentence, "note", sheet))
    per_assessor = np.bincount(panel.assessor_index, minlength=panel.n_assessors)
    if (alone := np.flatnonzero(per_assessor == 1)).size:
        names = listed([panel.assessors[k] for k in alone])
        sentence = f"No effect on others: only one {thing} was assessed by {names}. Kept."
        decisions.append(
            Decision(About.NO_EFFECT_ON_OTHERS, tuple(assessor_cells[k] for k in alone), sentence, "note", sheet)
        )
    return decisions
