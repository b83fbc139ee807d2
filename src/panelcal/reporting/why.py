"""Why a value moved, in words that add up.

Exact identity (docs/proofs.md): v_o = confidence-weighted raw average - confidence-weighted average of the biases of
the object's assessors. Each assessor's part is -(c_ao/C_o) b_a. Where a method is chosen for which this does not hold,
what it did is said instead.
"""

from __future__ import annotations

import math

import numpy as np

from panelcal.reporting.classes import Classes
from panelcal.reporting.results import Results
from panelcal.reporting.why_method import explain_by_method
from panelcal.reporting.wording import compact, counted, number, rounded_parts

_NAMED = 4
_DECIMALS = 1
_SAT = {"module", "exam", "examination", "paper", "unit", "course", "subject", "test"}  # those one sits, not persons


def explain_values(results: Results, classes: Classes | None) -> tuple[str, ...]:
    """Explain every object's calibrated value, one paragraph each.

    The printed raw average, the printed parts and the printed calibrated value add up exactly, where there are parts.
    """
    words = _Words(results, classes)
    order = np.argsort(results.panel.object_index, kind="stable").tolist()
    ends = np.cumsum(np.bincount(results.panel.object_index)).tolist()
    starts = [0, *ends[:-1]]
    return tuple([words.paragraph(at, order[starts[at] : ends[at]]) for at in range(results.panel.n_objects)])


def explain_value(results: Results, classes: Classes | None, at: int) -> str:
    """Explain one object's calibrated value."""
    return _Words(results, classes).paragraph(at, np.flatnonzero(results.panel.object_index == at).tolist())


class _Words:
    """Explains objects one by one, with everything that several explanations share worked out before."""

    def __init__(self, results: Results, classes: Classes | None) -> None:
        panel = results.panel
        self._results = results
        self._classes = classes
        self._biases = results.biases_taken_off
        self._assessor = panel.assessor_index.tolist()
        self._lone = set(np.flatnonzero(results.single_object_assessors).tolist())
        self._score, self._scores, self._one = results.score_noun, results.scores_noun, results.assessor_noun
        several = results.assessors_noun
        self._opening = f"The {several} taken were marked" if self._one in _SAT else f"Its {several} scored"
        self._verbs: dict[int, str] = {}
        self._interval = None if classes is None else results.value_interval(results.reading.settings.level)
        if self._biases is not None:
            share = panel.confidences / results.calibration.equations.object_confidence[panel.object_index]
            self._parts = (-share * self._biases[panel.assessor_index]).tolist()
            self._described = [_described(bias) for bias in self._biases.tolist()]
            self._raw, self._values = results.raw.tolist(), results.values.tolist()
            self._errors = results.value_errors.tolist()

    def paragraph(self, at: int, own: list[int]) -> str:
        """Explain an object from its own assessments."""
        results = self._results
        sentences = explain_by_method(results, at, np.array(own)) if self._biases is None else self._sentences(at, own)
        return " ".join([*sentences, *self._caveats(at, own)])

    def _sentences(self, at: int, own: list[int]) -> list[str]:
        # What is printed is what adds up, so both are rounded by the one function that prints.
        shown, shown_value = number(self._raw[at]), number(self._values[at])
        unit = 10**_DECIMALS
        moved = round(float(shown_value) * unit) - round(float(shown) * unit)

        parts = self._parts
        by_size = sorted(own, key=lambda k: -abs(parts[k]))
        named, others = by_size[:_NAMED], by_size[_NAMED:]
        grouped = [parts[k] for k in named]
        if others:
            grouped.append(float(np.sum([parts[k] for k in others])))
        units = rounded_parts(grouped, moved, _DECIMALS)

        effects = [self._effect(k, effect) for k, effect in zip(named, units, strict=False)]
        if others:
            effects.append(f"{counted(len(others), 'other')} {self._verb(units[-1])}")
        if moved == 0:
            balance = f"in line with the panel on balance: {', '.join(effects)}"
        else:
            direction = "below" if moved > 0 else "above"
            balance = f"{number(abs(moved) / unit)} {direction} the panel on balance: {', '.join(effects)}"
        opening = f"The only {self._score} was" if len(own) == 1 else self._opening
        error = self._errors[at]
        plus_minus = f" +/- {number(error)}" if math.isfinite(error) else ""
        return [f"Raw average {shown}.", f"{opening} {balance}.", f"Calibrated {shown_value}{plus_minus}."]

    def _effect(self, assessment: int, units: int) -> str:
        assessor = self._assessor[assessment]
        weight = _weight(self._results, assessment)
        label = self._results.panel.assessors[assessor]
        return f"{label} ({weight}{self._described[assessor]}) {self._verb(units)}"

    def _verb(self, units: int) -> str:
        verb = self._verbs.get(units)
        if verb is None:
            verb = self._verbs[units] = _verb(units / 10**_DECIMALS)
        return verb

    def _caveats(self, at: int, own: list[int]) -> list[str]:
        sentences = []
        lone = [self._results.panel.assessors[self._assessor[k]] for k in own if self._assessor[k] in self._lone]
        if lone and len(own) > 1 and self._results.is_calibration:
            who = " and ".join([", ".join(lone[:-1]), lone[-1]] if len(lone) > 1 else lone)
            sentences.append(
                f"The {self._score if len(lone) == 1 else self._scores} of {who} cannot be compared with "
                "anyone else's and "
                f"{'does' if len(lone) == 1 else 'do'} not count."
            )
        if len(own) == 1:
            sentences.append(f"One {self._one} only: nothing checks this value.")
        if self._classes is not None and self._interval is not None:
            sentences.extend(_class_sentences(self._interval[at], self._classes, at))
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


def _class_sentences(ends: np.ndarray, classes: Classes, at: int) -> list[str]:
    """Say which boundary was crossed; `ends` are the ends of the value's interval."""
    before, after = int(classes.before[at]), int(classes.after[at])
    sentences = []
    if before != after:
        crossed = classes.bands[min(before, after)]
        within = ends[0] <= crossed.lowest <= ends[1]
        sentences.append(f"Crosses {compact(crossed.lowest)}{'; within uncertainty' if within else ''}.")
    if classes.borderline[at]:
        sentences.append(f"Borderline: {classes.borderline[at]}.")
    return sentences
