"""The sum that leads from raw averages to calibrated values, in words, for all objects at once.

Exact identity (docs/proofs.md): v_o = confidence-weighted raw average - confidence-weighted average of the biases of
the object's assessors. Each assessor's part is -(c_ao/C_o) b_a.
"""

from __future__ import annotations

from collections.abc import Callable, Set

import numpy as np
from numpy.typing import NDArray

from panelcal.arrays import Array, Indices, Mask
from panelcal.panel import by_number
from panelcal.reporting.wording import (
    all_in_last_digits,
    all_in_tenths,
    all_numbers,
    all_rounded_parts,
    counted,
    number,
)
from panelcal.systems.calibration.results import Results

_NAMED = 4
_TENTHS = 10
_SAT = {"module", "exam", "examination", "paper", "unit", "course", "subject", "test"}  # those one sits, not persons


class _Told(dict[int, str]):
    """Words for whole numbers, each put together once."""

    def __init__(self, words: Callable[[int], str]) -> None:
        super().__init__()
        self._words = words

    def __missing__(self, number: int) -> str:
        told = self[number] = self._words(number)
        return told


def parts_of_changes(results: Results, biases: Array) -> Array:
    """Return what each assessment (N,) adds to its object's raw average: -(c_ao/C_o) b_a, in score units."""
    panel = results.panel
    share = panel.confidences / results.calibration.equations.object_confidence[panel.object_index]
    return np.asarray(-share * biases[panel.assessor_index])


def bias_in_words(bias: float) -> str:
    """Say how generous an assessor was: "2.1 high", "in line"."""
    size = number(abs(bias))
    return "in line" if float(size) == 0 else f"{size} {'high' if bias > 0 else 'low'}"


def sums_in_words(
    results: Results, biases: Array, at: int | None = None, *, unnamed: Set[int] = frozenset()
) -> list[str]:
    """Spell the sum of every object, or only of that with number `at`: raw average, parts, calibrated value.

    Raw average, change and value are rounded as the cells beside are. The printed parts add up to the change, and raw
    average, parts and what rounding makes of them to the value, exactly. The assessments in `unnamed` are counted among
    the others, whatever they did.
    """
    panel = results.panel
    own = np.arange(panel.n_assessments) if at is None else np.flatnonzero(panel.object_index == at)
    shown = slice(None) if at is None else slice(at, at + 1)
    objects = panel.object_index[own] - (at or 0)
    parts = parts_of_changes(results, biases)[own]
    # What is printed is what adds up, so all three are rounded by the one function that prints.
    moved, raws = all_in_last_digits(results.change[shown]), all_in_last_digits(results.raw[shown])
    by_rounding = all_in_last_digits(results.values[shown]) - raws - moved
    is_unnamed = np.isin(own, list(unnamed))
    count = np.bincount(objects, minlength=len(moved))
    many = np.minimum(_NAMED, count - np.bincount(objects[is_unnamed], minlength=len(moved)))
    by_size = np.argsort(-np.abs(parts), kind="stable")
    by_size = by_size[by_number(is_unnamed[by_size].astype(np.intp), 2)]
    by_size = by_size[by_number(objects[by_size], len(moved))]
    objects = objects[by_size]
    named = np.arange(len(own)) - (np.cumsum(count) - count)[objects] < many[objects]
    by_size, objects = by_size[named], objects[named]
    units = _units(parts[by_size], objects, moved, many == count)
    rest = moved - np.bincount(objects, units, len(moved)).astype(np.int64)
    verbs = _Told(lambda unit: _verb(unit / _TENTHS))
    effects = _effects(results, biases, own[by_size], units, verbs)
    others = _Told(lambda left: counted(left, "other"))
    balances = _Told(_balance)
    openings = _openings(results)
    ends = np.cumsum(many)
    sums = []
    for start, end, alone, change, left, by_others, rounding, raw, value in zip(
        (ends - many).tolist(), ends.tolist(), (count == 1).tolist(), moved.tolist(), (count - many).tolist(),
        rest.tolist(), by_rounding.tolist(), all_in_tenths(raws), _values(results, shown), strict=True,
    ):  # fmt: skip
        said = effects[start:end]
        if left:
            said.append(f"{others[left]} {verbs[by_others]}")
        if rounding:
            said.append(f"rounding {verbs[rounding]}")
        sums.append(
            f"Raw average {raw}. {openings[alone]} {balances[change]} the panel on balance: {', '.join(said)}. "
            f"Calibrated {value}."
        )
    return sums


def _units(parts: Array, objects: Indices, moved: NDArray[np.int64], is_whole: Mask) -> NDArray[np.int64]:
    """Round parts to tenths, such that those of an object whose parts are all named add up to its change."""
    units = all_in_last_digits(parts)
    adding_up = is_whole[objects]
    units[adding_up] = all_rounded_parts(parts[adding_up], objects[adding_up], moved)
    return units


def _effects(
    results: Results, biases: Array, assessments: Indices, units: NDArray[np.int64], verbs: _Told
) -> list[str]:
    """Say who did what: the assessor, how generous it was, its weight where one is declared, and the part in tenths."""
    panel = results.panel
    described = [bias_in_words(bias) for bias in biases.tolist()]
    assessors = panel.assessor_index[assessments]
    if results.reading.declared:
        return [
            f"{panel.assessors[a]} ({_weight(results, k)}{described[a]}) {verbs[unit]}"
            for a, k, unit in zip(assessors.tolist(), assessments.tolist(), units.tolist(), strict=True)
        ]
    who = [f"{label} ({said})" for label, said in zip(panel.assessors, described, strict=True)]
    # The same assessor did the same to many objects, and is told of once.
    least = int(units.min(initial=0))
    different = int(units.max(initial=0)) - least + 1
    told = _Told(lambda code: f"{who[code // different]} {verbs[code % different + least]}")
    return list(map(told.__getitem__, (assessors * different + (units - least)).tolist()))


def _openings(results: Results) -> tuple[str, str]:
    """Say whose scores the parts are, where there are several of them and where there is one."""
    several = results.assessors_noun
    return (
        f"The {several} taken were marked" if results.assessor_noun in _SAT else f"The {several} here scored",
        f"The only {results.score_noun} was",
    )


def _values(results: Results, shown: slice) -> list[str]:
    """Spell the values, each with its standard error where it is known."""
    known = np.isfinite(results.value_errors[shown])
    errors = all_numbers(np.where(known, results.value_errors[shown], 0.0))
    values = all_numbers(results.values[shown])
    return [
        f"{value} +/- {error}" if has else value
        for value, error, has in zip(values, errors, known.tolist(), strict=True)
    ]


def _weight(results: Results, assessment: int) -> str:
    """Say how much the assessment counts: "15 credits, "."""
    reading = results.reading
    noun, written = reading.nouns.confidence.lower(), reading.declared[assessment]
    if noun in {"credits", "cats", "ects"}:
        return f"{written} {'credit' if written == '1' else 'credits'}, "
    if noun in {"", "confidence", "weight"} and not written.replace(".", "").isdigit():
        return f"{written} confidence, "
    return f"{noun or 'confidence'} {written}, "


def _balance(change: int) -> str:
    if change == 0:
        return "in line with"
    return f"{number(abs(change) / _TENTHS)} {'below' if change > 0 else 'above'}"


def _verb(effect: float) -> str:
    if effect == 0:
        return "changed nothing"
    return f"{'added' if effect > 0 else 'took'} {number(abs(effect))}"
