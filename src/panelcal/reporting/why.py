"""Why a value moved, in words that add up.

Exact identity (docs/proofs.md): v_o = confidence-weighted raw average - confidence-weighted average of the biases of
the object's assessors. Each assessor's part is -(c_ao/C_o) b_a.
"""

from __future__ import annotations

import numpy as np

from panelcal.reporting.classes import Classes
from panelcal.reporting.results import Results
from panelcal.reporting.wording import compact, counted, number, rounded_parts

_NAMED = 4
_DECIMALS = 1
_SAT = {"module", "exam", "examination", "paper", "unit", "course", "subject", "test"}  # those one sits, not persons


def explain_values(results: Results, classes: Classes | None) -> tuple[str, ...]:
    """Explain every object's calibrated value, one paragraph each.

    The printed raw average, the printed parts and the printed calibrated value add up exactly.
    """
    order = np.argsort(results.panel.object_index, kind="stable")
    ends = np.cumsum(np.bincount(results.panel.object_index))
    own = np.split(order, ends[:-1])
    return tuple(_explain(results, classes, k, own[k]) for k in range(results.panel.n_objects))


def explain_value(results: Results, classes: Classes | None, at: int) -> str:
    """Explain one object's calibrated value."""
    return _explain(results, classes, at, np.flatnonzero(results.panel.object_index == at))


def _explain(results: Results, classes: Classes | None, at: int, own: np.ndarray) -> str:
    panel, calibration = results.panel, results.calibration
    # What is printed is what adds up, so both are rounded by the one function that prints.
    raw, value = float(number(results.raw[at])), float(number(calibration.values[at]))
    unit = 10**_DECIMALS
    moved = round(value * unit) - round(raw * unit)

    share = panel.confidences[own] / calibration.equations.object_confidence[at]
    parts = -share * calibration.biases[panel.assessor_index[own]]
    by_size = np.argsort(-np.abs(parts), kind="stable")
    named, others = by_size[:_NAMED], by_size[_NAMED:]
    grouped = [parts[k] for k in named] + ([parts[others].sum()] if len(others) else [])
    units = rounded_parts(grouped, moved, _DECIMALS)

    effects = [_effect(results, own[k], units[place] / unit) for place, k in enumerate(named)]
    if len(others):
        effects.append(f"{counted(len(others), 'other')} {_verb(units[-1] / unit)}")
    if moved == 0:
        balance = f"in line with the panel on balance: {', '.join(effects)}"
    else:
        direction = "below" if moved > 0 else "above"
        balance = f"{number(abs(moved) / unit)} {direction} the panel on balance: {', '.join(effects)}"
    sentences = [f"Raw average {number(raw)}.", f"{_opening(results, len(own))} {balance}."]
    error = results.uncertainty.value_errors[at]
    plus_minus = f" +/- {number(error)}" if np.isfinite(error) else ""
    sentences.append(f"Calibrated {number(value)}{plus_minus}.")
    sentences.extend(_caveats(results, classes, at, own))
    return " ".join(sentences)


def _opening(results: Results, count: int) -> str:
    if count == 1:
        return f"The only {results.score_noun} was"
    if results.assessor_noun in _SAT:
        return f"The {results.assessors_noun} taken were marked"
    return f"Its {results.assessors_noun} scored"


def _effect(results: Results, assessment: int, effect: float) -> str:
    panel = results.panel
    assessor = panel.assessor_index[assessment]
    bias = results.calibration.biases[assessor]
    size = number(abs(bias))
    described = "in line" if float(size) == 0 else f"{size} {'high' if bias > 0 else 'low'}"
    weight = _weight(results, assessment)
    return f"{panel.assessors[assessor]} ({weight}{described}) {_verb(effect)}"


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


def _caveats(results: Results, classes: Classes | None, at: int, own: np.ndarray) -> list[str]:
    panel = results.panel
    sentences = []
    lone = [
        panel.assessors[a] for a in panel.assessor_index[own] if results.single_object_assessors[a] and len(own) > 1
    ]
    if lone:
        who = " and ".join([", ".join(lone[:-1]), lone[-1]] if len(lone) > 1 else lone)
        sentences.append(
            f"The {results.score_noun if len(lone) == 1 else results.scores_noun} of {who} cannot be compared with "
            "anyone else's and "
            f"{'does' if len(lone) == 1 else 'do'} not count."
        )
    if len(own) == 1:
        sentences.append(f"One {results.assessor_noun} only: nothing checks this value.")
    if classes is not None:
        sentences.extend(_class_sentences(results, classes, at))
    return sentences


def _class_sentences(results: Results, classes: Classes, at: int) -> list[str]:
    before, after = int(classes.before[at]), int(classes.after[at])
    sentences = []
    if before != after:
        crossed = classes.bands[min(before, after)]
        half = results.uncertainty.value_interval(results.reading.settings.level)[at]
        within = half[0] <= crossed.lowest <= half[1]
        sentences.append(f"Crosses {compact(crossed.lowest)}{'; within uncertainty' if within else ''}.")
    if classes.borderline[at]:
        sentences.append(f"Borderline: {classes.borderline[at]}.")
    return sentences
