"""Why a value is what it is, in words: each agent's score, what its anchors make of it, and the mean of these."""

from __future__ import annotations

import numpy as np

from panelcal.reporting.wording import compact, counted, number, signed
from panelcal.systems.anchors.results import AnchorResults

_NOTICED = 0.05
PERHAPS_CHANGED = "perhaps changed"
"""What is said of an agent that was found changed at the check after it gave a score."""


def explain_items(results: AnchorResults) -> list[str]:
    """Return one explanation for each item."""
    return [_explain(results, item) for item in range(len(results.reading.items))]


def explain_cases(results: AnchorResults) -> list[str | None]:
    """Say for each item in a few words what to be careful about; None where there is nothing."""
    reading = results.reading
    known = np.isfinite(reading.scores)
    used = known & np.isfinite(results.calibrated.scores)
    found: list[str | None] = []
    for item in range(len(reading.items)):
        parts = []
        outside = [reading.agents[k] for k in np.flatnonzero(used[:, item] & results.calibrated.outside[:, item])]
        if outside:
            parts.append(f"{_listed(outside)} beyond the anchors")
        changed = [
            reading.agents[k]
            for k in np.flatnonzero(used[:, item])
            if results.agents[k].changed_after(int(reading.score_dates[k, item]))
        ]
        if changed:
            parts.append(f"{_listed(changed)} {PERHAPS_CHANGED}")
        left = [reading.agents[k] for k in np.flatnonzero(known[:, item] & ~used[:, item])]
        if left:
            parts.append(f"{_listed(left)} left out")
        if used[:, item].sum() == 1:
            parts.append(f"one {results.assessor_noun} only")
        found.append("; ".join(parts) or None)
    return found


def _explain(results: AnchorResults, item: int) -> str:
    reading = results.reading
    scored = np.flatnonzero(np.isfinite(reading.scores[:, item]))
    used = [k for k in scored if np.isfinite(results.calibrated.scores[k, item])]
    names = reading.agents
    unused = [names[k] for k in scored if k not in used]
    if not used:
        return f"No value: {_listed(unused)} cannot be calibrated; see Cal assessors."
    calibrated, weights = results.calibrated.scores[:, item], results.calibrated.weights[:, item]
    parts = [
        f"{names[k]} {compact(reading.scores[k, item])} counts as {number(float(calibrated[k]))}"
        + (f" ({weights[k]:.0%})" if len(used) > 1 else "")
        for k in used
    ]
    mean = float(weights[used] @ calibrated[used])
    taken = float(weights[used] @ results.calibrated.corrections[used, item])
    value = float(results.calibrated.values[item])
    text = f"By the anchors, {', '.join(parts)}"
    text += f": together {number(mean)}. " if len(used) > 1 else ". "
    if abs(taken) >= _NOTICED:
        text += f"Shared {results.objects_noun} move it by {signed(-taken)}. "
    text += f"Calibrated {number(value)} +/- {number(float(results.calibrated.errors[item]))}."
    before, after = results.calibrated.disagreement_before[item], results.calibrated.disagreement_after[item]
    if np.isfinite(before) and np.isfinite(after):
        text += f" The {results.assessors_noun} were {number(float(before))} apart and are now {number(float(after))}."
    outside = [names[k] for k in used if results.calibrated.outside[k, item]]
    if outside:
        text += f" {_listed(outside)}: outside the scores of the anchors, where the curve is only carried on."
    changed = [names[k] for k in used if results.agents[k].changed_after(int(reading.score_dates[k, item]))]
    if changed:
        text += f" {_listed(changed)} had changed by the next check (red), perhaps already here."
    if unused:
        text += f" {counted(len(unused), 'score')} left out ({_listed(unused)})."
    return text


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
