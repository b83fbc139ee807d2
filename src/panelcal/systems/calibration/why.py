"""Why a value moved, in words that add up.

Exact identity (docs/proofs.md): v_o = confidence-weighted raw average - confidence-weighted average of the biases of
the object's assessors. Each assessor's part is -(c_ao/C_o) b_a. Where a method is chosen for which this does not hold,
what it did is said instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence, Set

import numpy as np

from panelcal.reporting.wording import (
    all_in_last_digits,
    all_numbers,
    compact,
    counted,
    number,
    percent,
    rounded_parts,
    short_of,
)
from panelcal.systems.calibration.cases import decision_cases
from panelcal.systems.calibration.classes import Classes
from panelcal.systems.calibration.results import Results
from panelcal.systems.calibration.unexpected import unexpected_in_words, unexpected_scores
from panelcal.systems.calibration.why_method import explain_by_method

_NAMED = 4
_DECIMALS = 1
_SAT = {"module", "exam", "examination", "paper", "unit", "course", "subject", "test"}  # those one sits, not persons


def explain_values(results: Results, classes: Classes | None) -> tuple[str, ...]:
    """Explain every object's calibrated value, one paragraph each.

    What is printed of raw average, change and calibrated value is what the cells beside show. The printed parts add up
    to the change, and raw average, parts and what rounding makes of them to the calibrated value, exactly.
    """
    words = _Words(results, classes, unexpected=set(np.flatnonzero(unexpected_scores(results)).tolist()))
    order = np.argsort(results.panel.object_index, kind="stable").tolist()
    ends = np.cumsum(np.bincount(results.panel.object_index)).tolist()
    starts = [0, *ends[:-1]]
    return tuple([words.paragraph(at, order[starts[at] : ends[at]]) for at in range(results.panel.n_objects)])


def explain_cases(results: Results, classes: Classes | None) -> tuple[str | None, ...]:
    """Say in a few words what happened to each object, None where nothing did.

    A boundary crossed, borderline, an unexpected score, a change that is marked, one assessment only.
    """
    words = _Words(results, classes, unexpected=set(np.flatnonzero(unexpected_scores(results)).tolist()))
    panel = results.panel
    happened = np.bincount(panel.object_index) == 1
    happened |= decision_cases(results, classes) | (np.abs(results.change) >= results.alert_threshold)
    if classes is not None and len(classes.bands) > 1:
        happened |= _near_boundary(results, classes)
    order = np.argsort(panel.object_index, kind="stable").tolist()
    ends = np.cumsum(np.bincount(panel.object_index)).tolist()
    starts = [0, *ends[:-1]]
    found: list[str | None] = [None] * panel.n_objects
    for at in np.flatnonzero(happened).tolist():
        found[at] = words.in_brief(at, order[starts[at] : ends[at]]) or None
    return tuple(found)


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
    return _Words(results, classes, unexpected=set(), unnamed=unnamed).paragraph(
        at, np.flatnonzero(results.panel.object_index == at).tolist()
    )


class _Told(dict[int, str]):
    """Words for whole numbers, each put together once."""

    def __init__(self, words: Callable[[int], str]) -> None:
        super().__init__()
        self._words = words

    def __missing__(self, number: int) -> str:
        told = self[number] = self._words(number)
        return told


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
        self._biases = results.biases_taken_off
        self._assessor = panel.assessor_index.tolist()
        self._lone = set(np.flatnonzero(results.single_object_assessors).tolist())
        notable = results.single_object_assessors[panel.assessor_index]
        notable[list(unexpected)] = True
        self._notable = set(panel.object_index[notable].tolist())
        self._score, self._scores, self._one = results.score_noun, results.scores_noun, results.assessor_noun
        several = results.assessors_noun
        self._opening = f"The {several} taken were marked" if self._one in _SAT else f"The {several} here scored"
        self._weighed = bool(results.reading.declared)
        self._verbs = _Told(lambda units: _verb(units / 10**_DECIMALS))
        self._sizes = _Told(lambda units: number(units / 10**_DECIMALS))
        self._others = _Told(lambda count: counted(count, "other"))
        self._interval = None if classes is None else results.value_interval(results.reading.settings.level)
        if self._biases is not None:
            share = panel.confidences / results.calibration.equations.object_confidence[panel.object_index]
            parts = -share * self._biases[panel.assessor_index]
            self._parts, self._minus_size = parts.tolist(), (-np.abs(parts)).tolist()
            self._described = [_described(bias) for bias in self._biases.tolist()]
            self._who = [f"{label} ({said})" for label, said in zip(panel.assessors, self._described, strict=True)]
            self._raw, self._values = all_numbers(results.raw), all_numbers(results.values)
            self._moved = all_in_last_digits(results.change)
            rounding = np.subtract(all_in_last_digits(results.values), all_in_last_digits(results.raw)) - self._moved
            self._by_rounding = rounding.tolist()
            known = np.isfinite(results.value_errors)
            errors = all_numbers(np.where(known, results.value_errors, 0.0))
            self._errors = [f" +/- {error}" if k else "" for error, k in zip(errors, known.tolist(), strict=True)]
            # Most parts are told as they are rounded by themselves.
            self._units = all_in_last_digits(parts)

    def paragraph(self, at: int, own: list[int]) -> str:
        """Explain an object from its own assessments."""
        results = self._results
        sentences = explain_by_method(results, at, np.array(own)) if self._biases is None else self._sentences(at, own)
        return " ".join([*sentences, *self._caveats(at, own)])

    def in_brief(self, at: int, own: list[int]) -> str:
        """Say what happened to an object, the most pressing first."""
        parts = []
        odd = [k for k in own if k in self._unexpected]
        if odd:
            parts.append(f"Unexpected: {unexpected_in_words(self._results, odd)}")
        if self._classes is not None and self._interval is not None:
            sentences = _class_sentences(self._results, self._interval[at], self._classes, at, brief=True)
            parts += [sentence.removesuffix(".") for sentence in sentences]
        change = float(self._results.change[at])
        if abs(change) >= self._results.alert_threshold:
            parts.append(f"{'Up' if change > 0 else 'Down'} {number(abs(change))}{self._mostly(own)}")
        if len(own) == 1:
            parts.append(f"One {self._one} only: nothing checks this value")
        return "; ".join([parts[0], *(part[0].lower() + part[1:] for part in parts[1:])]) if parts else ""

    def _mostly(self, own: list[int]) -> str:
        """Name the two assessments that a change is mostly due to."""
        if self._biases is None:
            return ""
        most = sorted(own, key=lambda k: -abs(self._parts[k]))[:2]
        panel = self._results.panel
        named = [f"{panel.assessors[self._assessor[k]]} {self._described[self._assessor[k]]}" for k in most]
        return f": {', '.join(named)}"

    def _sentences(self, at: int, own: list[int]) -> list[str]:
        # What is printed is what adds up, so all three are rounded by the one function that prints.
        moved, by_rounding, parts = self._moved[at], self._by_rounding[at], self._parts
        by_size = sorted(own, key=self._minus_size.__getitem__)
        many = len(own)
        if self._unnamed:
            by_size.sort(key=self._unnamed.__contains__)
            many -= sum(k in self._unnamed for k in own)
        many = min(_NAMED, many)
        named, others = by_size[:many], by_size[many:]
        if others:
            units = [self._units[k] for k in named]
            rest = moved - sum(units)
        else:
            units = rounded_parts([parts[k] for k in named], moved, _DECIMALS)
        if self._weighed:
            effects = [self._effect(k, effect) for k, effect in zip(named, units, strict=True)]
        else:
            who, assessor, verbs = self._who, self._assessor, self._verbs
            effects = [f"{who[assessor[k]]} {verbs[effect]}" for k, effect in zip(named, units, strict=True)]
        if others:
            effects.append(f"{self._others[len(others)]} {self._verbs[rest]}")
        if by_rounding:
            effects.append(f"rounding {self._verbs[by_rounding]}")
        if moved == 0:
            balance = f"in line with the panel on balance: {', '.join(effects)}"
        else:
            direction = "below" if moved > 0 else "above"
            balance = f"{self._sizes[abs(moved)]} {direction} the panel on balance: {', '.join(effects)}"
        opening = f"The only {self._score} was" if len(own) == 1 else self._opening
        return [
            f"Raw average {self._raw[at]}.",
            f"{opening} {balance}.",
            f"Calibrated {self._values[at]}{self._errors[at]}.",
        ]

    def _effect(self, assessment: int, units: int) -> str:
        """Say what an assessment of declared weight did."""
        assessor = self._assessor[assessment]
        label = self._results.panel.assessors[assessor]
        weight = _weight(self._results, assessment)
        return f"{label} ({weight}{self._described[assessor]}) {self._verbs[units]}"

    def _caveats(self, at: int, own: list[int]) -> list[str]:
        if at not in self._notable and len(own) > 1 and self._classes is None:
            return []
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


def _described(bias: float) -> str:
    size = number(abs(bias))
    return "in line" if float(size) == 0 else f"{size} {'high' if bias > 0 else 'low'}"


def _weight(results: Results, assessment: int) -> str:
    """Say how much the assessment counts: "15 credits, ", or nothing where all count alike."""
    reading = results.reading
    if not reading.declared:
        return ""
    noun, written = reading.nouns.confidence.lower(), reading.declared[assessment]
    if noun in {"credits", "cats", "ects"}:
        return f"{written} {'credit' if written == '1' else 'credits'}, "
    if noun in {"", "confidence", "weight"} and not written.replace(".", "").isdigit():
        return f"{written} confidence, "
    return f"{noun or 'confidence'} {written}, "


def _verb(effect: float) -> str:
    if effect == 0:
        return "changed nothing"
    return f"{'added' if effect > 0 else 'took'} {number(abs(effect))}"


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
    boundary = classes.bands[max(place - 1, 0)].lowest
    if place == 0 or abs(value - boundary) > 10**-_DECIMALS or number(value) != number(boundary):
        return []
    return [f"The {what} is {short_of(value, boundary)} {compact(boundary)}."]


def _crossing_in_brief(results: Results, classes: Classes, at: int, crossed: Sequence[float]) -> str:
    """Say how surely a boundary is crossed."""
    nearest, reaches = float(classes.crossed[at]), float(classes.reaches_crossed[at])
    boundaries = " and ".join(compact(boundary) for boundary in crossed)
    if math.isnan(reaches):
        return f"Crosses {boundaries}"
    side = "above" if results.reading.settings.higher_is_better else "below"
    which = "" if len(crossed) == 1 else f" {compact(nearest)}"
    return f"Crosses {boundaries}: {percent(reaches)} at or {side}{which}"


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
