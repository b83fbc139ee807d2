"""The rules of the table Policy, each held against the result: kept or not, and by whom it is not.

Nothing is changed because of a rule: the Board sees which rule would be broken, and for whom, and decides.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from panelcal.arrays import Array, Indices, Mask
from panelcal.reading.policy_rules import PolicyRule
from panelcal.reporting.wording import counted, number, signed, some_of
from panelcal.systems.calibration.classes import Classes
from panelcal.systems.calibration.results import Results

_NAMED = 6
_SLACK = 1e-9

KEPT, BROKEN, OPEN = "kept", "not kept", "cannot tell"


def policy_rows(results: Results, classes: Classes | None) -> Iterator[tuple[str, str, str]]:
    """Yield (rule, answer, words) for each rule of the settings, in their order."""
    for rule in results.reading.settings.policy:
        answer, words = _held(rule, results, classes)
        yield f"Policy: {_in_full(rule, results)}", answer, words


def _in_full(rule: PolicyRule, results: Results) -> str:
    if rule.kind == "largest change":
        return f"{rule.label} {rule.limit:g}"
    if rule.kind == "smallest assessor":
        return f"{rule.label} {rule.limit:g} {results.objects_noun}"
    return rule.label


def _held(rule: PolicyRule, results: Results, classes: Classes | None) -> tuple[str, str]:
    if rule.kind == "person":
        return (KEPT, f"Named: {rule.limit}.") if rule.limit else (BROKEN, "Nobody is named beside it on Settings.")
    if rule.kind == "order kept":
        return _order(results)
    if rule.kind == "largest change":
        size = np.abs(np.round(results.change, 10))
        told = [_beyond(float(change), float(rule.limit)) for change in results.change]
        return _answer(size > float(rule.limit) + _SLACK, results, told, order=np.argsort(-size, kind="stable"))
    if rule.kind == "smallest assessor":
        return _small(results, float(rule.limit))
    if classes is None:
        return OPEN, "There are no classes on the sheet Settings."
    failing = len(classes.bands) - 1
    lower = classes.after > classes.before
    if rule.kind == "lowest class":
        lower &= classes.after == failing
    moved = [f"{number(before)} to {number(after)}" for before, after in zip(results.raw, results.values, strict=True)]
    return _answer(lower, results, moved)


def _beyond(change: float, limit: float) -> str:
    """Spell a change with as many decimals as it takes to see that it is above the limit."""
    short, size = signed(change), abs(change)
    return signed(change, 2) if float(number(size)) <= limit < size else short


def _order(results: Results) -> tuple[str, str]:
    if not results.is_calibration:
        return OPEN, f"{results.method.title} has no constant for each {results.assessor_noun}."
    panel = results.panel
    adjusted = panel.scores - results.calibration.biases[panel.assessor_index]
    turned = [
        label for at, label in enumerate(panel.assessors) if _turns(panel.scores, adjusted, panel.assessor_index == at)
    ]
    if turned:
        return BROKEN, f"Not in {some_of(turned, _NAMED)}."
    return KEPT, f"Every {results.score_noun} of one {results.assessor_noun} moves by the same amount."


def _turns(before: Array, after: Array, own: Mask) -> bool:
    """Whether two scores of one assessor stand in another order after than before."""
    order = np.argsort(before[own], kind="stable")
    return bool(np.any(np.diff(after[own][order]) < -_SLACK))


def _small(results: Results, fewest: float) -> tuple[str, str]:
    panel = results.panel
    counts = np.bincount(panel.assessor_index, minlength=len(panel.assessors))
    small = np.flatnonzero((counts < fewest) & (counts > 1)).tolist()
    if not small:
        return KEPT, f"No smaller {results.assessor_noun} moves anybody."
    named = some_of([f"{panel.assessors[at]} ({counts[at]})" for at in small], _NAMED)
    return (
        BROKEN,
        f"{counted(len(small), results.assessor_noun)} with fewer: {named}. To leave them out, name them on Settings, "
        "beside Leave out.",
    )


def _answer(found: Mask, results: Results, told: list[str], order: Indices | None = None) -> tuple[str, str]:
    """Name those who break a rule: the first of `order`, or of the sheet."""
    places = np.flatnonzero(found).tolist() if order is None else [int(at) for at in order if found[at]]
    if not places:
        return KEPT, f"True of every {results.object_noun}."
    named = some_of([f"{results.panel.objects[at]} ({told[at]})" for at in places], _NAMED)
    return BROKEN, f"{counted(len(places), results.object_noun)}: {named}."
