"""Classes such as First or Distinction: who is in which before and after, how surely, and who is borderline."""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array, Indices, Mask
from panelcal.frozen import dataclass
from panelcal.panel import by_number
from panelcal.reading.settings import Band, Settings
from panelcal.reporting.wording import compact, number, percent, short_of
from panelcal.systems.calibration.confidence_words import confidence_noun
from panelcal.systems.calibration.results import Results

_SLACK = 1e-9
_PRINTED = 0.1  # the one decimal that is shown


@dataclass(frozen=True, slots=True, eq=False)
class Classes:
    """Classes of all objects.

    Attributes
    ----------
    bands
        Best first; as in the settings, and below the last one where somebody does not reach that.
    before, after
        (n_objects,) place in `bands` by raw average and by calibrated value.
    at_least
        (n_objects,) probability that the true value is in the class after or better; NaN where the method has none.
    crossed
        (n_objects,) the boundary crossed, of several the one nearest to the value, which is the least sure to be
        crossed; NaN where the class stays.
    reaches_crossed
        (n_objects,) probability that the true value is at that boundary or on its better side; NaN where the class
        stays or the method has none.
    borderline
        Per object a phrase, empty when not borderline.
    borderline_in_brief
        The same phrases, as short as a column of a table wants them.
    counted
        (n_objects,) whether an object counts; those that only fix the zero may not: nothing happens to them.
    """

    bands: tuple[Band, ...]
    before: Indices
    after: Indices
    at_least: Array
    crossed: Array
    reaches_crossed: Array
    borderline: tuple[str, ...]
    borderline_in_brief: tuple[str, ...]
    counted: Mask

    def name(self, place: int) -> str:
        """Name of the class at that place."""
        return self.bands[place].name

    @property
    def likelier_before(self) -> Mask:
        """(n_objects,) whether an object crosses a boundary and its true value is more likely on the side it left."""
        improved = self.after < self.before
        return (self.before != self.after) & np.where(improved, self.reaches_crossed < 0.5, self.reaches_crossed >= 0.5)

    def is_likelier_before(self, at: int) -> bool:
        """Tell of one object whether it is among `likelier_before`; asked of thousands, one by one."""
        before, after = int(self.before[at]), int(self.after[at])
        reaches = float(self.reaches_crossed[at])
        return before != after and (reaches < 0.5 if after < before else reaches >= 0.5)

    def crossed_at(self, at: int) -> tuple[float, ...]:
        """Boundaries that an object crosses, in the order in which it does."""
        before, after = int(self.before[at]), int(self.after[at])
        places = range(before - 1, after - 1, -1) if after < before else range(before, after)
        return tuple(self.bands[place].lowest for place in places)

    def printed_boundary(self, value: float, place: int) -> float | None:
        """Return the boundary above a class that a value in it is printed as; None where it is not."""
        boundary = self.bands[max(place - 1, 0)].lowest
        far = place == 0 or abs(value - boundary) > _PRINTED
        return None if far or number(value) != number(boundary) else boundary

    def open_cases(self) -> tuple[tuple[int, float], ...]:
        """Places of objects that cross a boundary or are borderline, each with that boundary."""
        crossing = [(int(o), float(self.crossed[o])) for o in np.flatnonzero(self.before != self.after)]
        borderline = [(o, self.bands[self.after[o] - 1].lowest) for o, phrase in enumerate(self.borderline) if phrase]
        return tuple(dict.fromkeys([*crossing, *borderline]))

    def table(self) -> Indices:
        """(n_bands, n_bands) how many objects were in class [i] before and are in class [j] after."""
        counts = np.zeros((len(self.bands), len(self.bands)), dtype=np.intp)
        np.add.at(counts, (self.before[self.counted], self.after[self.counted]), 1)
        return counts


def classify(results: Results) -> Classes | None:
    """Put every object into the classes of the settings; None when there are none.

    A value belongs to the best class whose boundary it reaches. The last class has no lower end, unless it begins
    within the scale and somebody does not reach it: then a class below it is added.
    """
    settings = results.reading.settings
    if not settings.bands:
        return None
    sign = 1.0 if settings.higher_is_better else -1.0
    bands = _with_what_is_below(results, sign)
    boundaries = np.array([band.lowest for band in bands])
    before = class_places(results.raw, boundaries, sign)
    after = class_places(results.values, boundaries, sign)
    before = np.where(results.ranked, before, after)
    nearest = np.where(after < before, after, after - 1)
    moved = before != after
    at_least = np.ones(len(after))
    reaches_crossed = np.full(len(after), np.nan)
    for place in range(len(bands) - 1):
        above = results.exceeds(float(boundaries[place]))
        better = above if sign > 0 else 1 - above
        at_least = np.where(after == place, better, at_least)
        reaches_crossed = np.where(moved & (nearest == place), better, reaches_crossed)
    borderline = _borderline(results, settings, boundaries, after, sign)
    return Classes(
        bands=bands,
        before=before,
        after=after,
        at_least=np.where(results.ranked, at_least, np.nan),
        crossed=np.where(moved, boundaries[nearest], np.nan),
        reaches_crossed=reaches_crossed,
        borderline=tuple(f"{brief} at or {_better_side(settings)}" if brief else "" for brief in borderline),
        borderline_in_brief=borderline,
        counted=results.ranked,
    )


def _with_what_is_below(results: Results, sign: float) -> tuple[Band, ...]:
    """Add a class for those who do not reach the last one, such as wines without a medal; none where all reach it.

    Of a last class that begins where the scale does, or below every raw average of a scale without ends, nobody can
    fall short but by calibrating, and it stays the last.
    """
    settings = results.reading.settings
    bands, end = settings.bands, settings.scale_low if settings.higher_is_better else settings.scale_high
    last = sign * bands[-1].lowest
    if end is not None and last <= sign * end:
        return bands
    judged = [results.raw] if end is None else [results.raw, results.values]
    if not any((sign * found[results.ranked] < last - _SLACK * max(1.0, abs(last))).any() for found in judged):
        return bands
    return (*bands, Band(f"below {bands[-1].name}", -sign * np.inf))


def class_places(values: Array, boundaries: Array, sign: float) -> Indices:
    """Return (n,) the first class whose boundary each value reaches, the last one if none."""
    # A raw average of exactly 70 must not miss 70 by the rounding of its own sum.
    slack = _SLACK * max(1.0, float(np.max(np.abs(values), initial=0.0)))
    reached = sign * values[:, None] >= sign * boundaries[None, :] - slack
    reached[:, -1] = True
    return np.argmax(reached, axis=1)


def _better_side(settings: Settings) -> str:
    return "above" if settings.higher_is_better else "below"


def _borderline(
    results: Results, settings: Settings, boundaries: Array, after: Indices, sign: float
) -> tuple[str, ...]:
    panel, values = results.panel, results.values
    order = by_number(panel.object_index, panel.n_objects)
    own = np.split(order, np.cumsum(np.bincount(panel.object_index))[:-1])
    phrases = []
    for k, (value, place) in enumerate(zip(values, after, strict=True)):
        if place == 0 or not results.ranked[k]:
            phrases.append("")
            continue
        boundary = boundaries[place - 1]
        short_by = sign * (boundary - value)
        if short_by > results.borderline_zone:
            phrases.append("")
            continue
        mine = own[k]
        at_or_above = sign * panel.scores[mine] >= sign * boundary
        share = panel.confidences[mine][at_or_above].sum() / panel.confidences[mine].sum()
        if share >= settings.borderline_credit_share:
            weight = confidence_noun(results) if results.reading.nouns.confidence else results.scores_noun
            phrases.append(f"{short_of(value, boundary)} {compact(float(boundary))}; {percent(share)} of {weight}")
        else:
            phrases.append("")
    return tuple(phrases)
