"""Why a value moved: the sum in words, what is to be looked at, and what it means for the object's class.

Where a method is chosen by which no biases are taken off, what it did is said instead of a sum.
"""

from __future__ import annotations

import math
from collections.abc import Sequence, Set
from functools import cached_property

import numpy as np

from panelcal.panel import Panel, by_number
from panelcal.reporting.wording import compact, number, percent, short_of
from panelcal.systems.calibration.cases import decision_cases
from panelcal.systems.calibration.classes import Classes
from panelcal.systems.calibration.results import Results
from panelcal.systems.calibration.unexpected import unexpected_in_words, unexpected_scores
from panelcal.systems.calibration.why_method import explain_by_method
from panelcal.systems.calibration.why_sum import bias_in_words, parts_of_changes, sums_in_words

_DECIMALS = 1


def explain_values(results: Results, classes: Classes | None) -> tuple[str, ...]:
    """Explain every object's calibrated value, one paragraph each.

    What is printed of raw average, change and calibrated value is what the cells beside show. The printed parts add up
    to the change, and raw average, parts and what rounding makes of them to the calibrated value, exactly.
    """
    words = _Words(results, classes, unexpected=set(np.flatnonzero(unexpected_scores(results)).tolist()))
    own = _OwnAssessments(results.panel)
    if results.biases_taken_off is None:
        told = [" ".join(explain_by_method(results, at, np.array(own[at]))) for at in range(results.panel.n_objects)]
    else:
        told = sums_in_words(results, results.biases_taken_off)
    for at in words.noted_objects:
        told[at] = " ".join([told[at], *words.caveats(at, own[at])])
    return tuple(told)


def explain_cases(results: Results, classes: Classes | None) -> tuple[str | None, ...]:
    """Say in a few words what happened to each object, None where nothing did.

    A boundary crossed, borderline, an unexpected score, a change that is marked, one assessment only.
    """
    words = _Words(results, classes, unexpected=set(np.flatnonzero(unexpected_scores(results)).tolist()))
    panel = results.panel
    happened = np.bincount(panel.object_index) == 1
    happened |= decision_cases(results, classes) | (np.abs(results.change) >= results.marked_from)
    if classes is not None and len(classes.bands) > 1:
        happened |= _near_boundary(results, classes)
    own = _OwnAssessments(panel)
    found: list[str | None] = [None] * panel.n_objects
    for at in np.flatnonzero(happened).tolist():
        found[at] = words.in_brief(at, own[at]) or None
    return tuple(found)


class _OwnAssessments:
    """The assessments of each object, in order, taken together when they are asked for."""

    def __init__(self, panel: Panel) -> None:
        self._order = by_number(panel.object_index, panel.n_objects)
        self._ends = np.concatenate([[0], np.cumsum(np.bincount(panel.object_index))])

    def __getitem__(self, at: int) -> list[int]:
        """Return those of one object."""
        own: list[int] = self._order[self._ends[at] : self._ends[at + 1]].tolist()
        return own


def _near_boundary(results: Results, classes: Classes) -> np.ndarray:
    """Return (n_objects,) whether a value or a raw average may be printed as a boundary that it misses."""
    boundaries = np.array([band.lowest for band in classes.bands[:-1]])
    both = np.stack([results.raw, results.values])
    return np.asarray((np.abs(both[..., None] - boundaries).min(axis=-1) <= 10**-_DECIMALS).any(axis=0))


def explain_value(results: Results, classes: Classes | None, at: int, *, unnamed: Set[int] = frozenset()) -> str:
    """Explain one object's calibrated value to the one who may see it.

    Nothing is said of unexpected scores, which are the Board's to look into, and without classes nothing of boundaries.
    The assessments in `unnamed` are counted among the others, whatever they did.
    """
    own, biases = np.flatnonzero(results.panel.object_index == at), results.biases_taken_off
    if biases is None:
        told = explain_by_method(results, at, own)
    else:
        told = sums_in_words(results, biases, at, unnamed=unnamed)
    words = _Words(results, classes, unexpected=set(), unnamed=unnamed)
    return " ".join([*told, *words.caveats(at, own.tolist())])


class _Words:
    """Explains objects one by one, with everything that several explanations share worked out before."""

    def __init__(
        self,
        results: Results,
        classes: Classes | None,
        *,
        unexpected: set[int],
        unnamed: Set[int] = frozenset(),
    ) -> None:
        panel = results.panel
        self._results = results
        self._classes = classes
        self._unexpected = unexpected
        self._unnamed = unnamed
        self._change = results.change
        self._assessor = panel.assessor_index.tolist()
        self._lone = set(np.flatnonzero(results.single_object_assessors).tolist())
        self._score, self._scores, self._one = results.score_noun, results.scores_noun, results.assessor_noun
        self._interval = None if classes is None else results.value_interval(results.reading.settings.level)

    @property
    def noted_objects(self) -> Sequence[int]:
        """Objects of which `caveats` may have something to say."""
        panel, results = self._results.panel, self._results
        if self._classes is not None:
            return range(panel.n_objects)
        notable = results.single_object_assessors[panel.assessor_index]
        notable[list(self._unexpected)] = True
        noted = np.bincount(panel.object_index) == 1
        noted[panel.object_index[notable]] = True
        found: list[int] = np.flatnonzero(noted).tolist()
        return found

    def in_brief(self, at: int, own: list[int]) -> str:
        """Say what happened to an object, the most pressing first."""
        parts = []
        odd = [k for k in own if k in self._unexpected]
        if odd:
            parts.append(f"Unexpected: {unexpected_in_words(self._results, odd)}")
        if self._classes is not None and self._interval is not None:
            sentences = _class_sentences(self._results, self._interval[at], self._classes, at, brief=True)
            parts += [sentence.removesuffix(".") for sentence in sentences]
        change = float(self._change[at])
        if abs(change) >= self._results.marked_from:
            parts.append(f"{'Up' if change > 0 else 'Down'} {number(abs(change))}{self._mostly(own)}")
        if len(own) == 1:
            parts.append(f"One {self._one} only: nothing checks this value")
        return "; ".join([parts[0], *(part[0].lower() + part[1:] for part in parts[1:])]) if parts else ""

    def _mostly(self, own: list[int]) -> str:
        """Name the two assessments that a change is mostly due to."""
        if self._biases_and_parts is None:
            return ""
        biases, parts = self._biases_and_parts
        most = sorted(own, key=lambda k: -abs(parts[k]))[:2]
        return f": {', '.join([biases[self._assessor[k]] for k in most])}"

    @cached_property
    def _biases_and_parts(self) -> tuple[list[str], list[float]] | None:
        """Each assessor with how generous it was, and what each assessment did; None where no biases are taken off."""
        results, biases = self._results, self._results.biases_taken_off
        if biases is None:
            return None
        named = zip(results.panel.assessors, biases.tolist(), strict=True)
        return [f"{label} {bias_in_words(bias)}" for label, bias in named], parts_of_changes(results, biases).tolist()

    def caveats(self, at: int, own: list[int]) -> list[str]:
        """Say what is to be kept in mind with an object's value, and what it means for its class."""
        sentences = []
        lone = [
            self._results.panel.assessors[self._assessor[k]]
            for k in own
            if self._assessor[k] in self._lone and k not in self._unnamed
        ]
        if lone and len(own) > 1 and self._results.is_calibration:
            who = " and ".join([", ".join(lone[:-1]), lone[-1]] if len(lone) > 1 else lone)
            sentences.append(
                f"The {self._score if len(lone) == 1 else self._scores} of {who} cannot be compared with "
                "anyone else's and "
                f"{'does' if len(lone) == 1 else 'do'} not count."
            )
        odd = [k for k in own if k in self._unexpected]
        if odd:
            sentences.append(f"Unexpected: {unexpected_in_words(self._results, odd)}.")
        if len(own) == 1:
            sentences.append(f"One {self._one} only: nothing checks this value.")
        if self._classes is not None and self._interval is not None:
            sentences.extend(_class_sentences(self._results, self._interval[at], self._classes, at))
        return sentences


def _class_sentences(
    results: Results, ends: np.ndarray, classes: Classes, at: int, *, brief: bool = False
) -> list[str]:
    """Say which boundary was crossed and how surely; `ends` are the ends of the value's interval."""
    if not classes.counted[at]:
        return []
    sentences = []
    crossed = classes.crossed_at(at)
    if crossed:
        if brief:
            sentences.append(_crossing_in_brief(results, classes, at, crossed))
        else:
            sentences.append(_crossing(results, ends, classes, at, crossed))
    if not brief:
        sentences += _just_short("raw average", float(results.raw[at]), classes, int(classes.before[at]))
    if classes.borderline[at]:
        return [*sentences, classes.borderline_in_brief[at] if brief else f"Borderline: {classes.borderline[at]}."]
    return sentences + _just_short("calibrated value", float(results.values[at]), classes, int(classes.after[at]))


def _just_short(what: str, value: float, classes: Classes, place: int) -> list[str]:
    """Say that a value misses a boundary that it is printed as."""
    boundary = classes.printed_boundary(value, place)
    return [] if boundary is None else [f"The {what} is {short_of(value, boundary)} {compact(boundary)}."]


def _crossing_in_brief(results: Results, classes: Classes, at: int, crossed: Sequence[float]) -> str:
    """Say how surely a boundary is crossed."""
    nearest, reaches = float(classes.crossed[at]), float(classes.reaches_crossed[at])
    boundaries = " and ".join(compact(boundary) for boundary in crossed)
    if math.isnan(reaches):
        return f"Crosses {boundaries}"
    side = "above" if results.reading.settings.higher_is_better else "below"
    which = "" if len(crossed) == 1 else f" {compact(nearest)}"
    return f"Crosses {boundaries}: {percent(reaches)} likely {side}{which}"


def _crossing(results: Results, ends: np.ndarray, classes: Classes, at: int, crossed: Sequence[float]) -> str:
    boundaries, nearest = " and ".join(compact(boundary) for boundary in crossed), float(classes.crossed[at])
    reaches = float(classes.reaches_crossed[at])
    if math.isnan(reaches):
        return f"Crosses {boundaries}."
    which = "it" if len(crossed) == 1 else compact(nearest)
    side = "above" if results.reading.settings.higher_is_better else "below"
    unsettled = ": not settled" if ends[0] <= nearest <= ends[1] else ""
    said = f"Crosses {boundaries}; {percent(reaches)} likely to be at or {side} {which}{unsettled}."
    if not classes.is_likelier_before(at):
        return said
    improved = classes.after[at] < classes.before[at]
    other = {"above": "below", "below": "above"}[side] if improved else side
    return f"{said} More likely {other}: of those whose value comes out here, more belong {other}."
