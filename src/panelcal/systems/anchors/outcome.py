"""What came out of a calibration by anchors, in the few lines that a terminal or a message box has room for."""

from __future__ import annotations

import numpy as np

from panelcal.reporting.wording import counted, number, signed, some_of
from panelcal.systems.anchors.results import AnchorResults


def anchor_sentences(results: AnchorResults) -> tuple[str, ...]:
    """Say how far agents were and are apart, what moved most, and who needs attention."""
    sentences = []
    apart = results.agreement
    if apart is not None:
        before, after = apart.before.disagreement.value, apart.after.disagreement.value
        sentences.append(
            f"{results.assessors_noun.capitalize()} were {number(before)} points apart on average; calibrated by their "
            f"anchors they are {number(after)} apart."
        )
    change = results.change
    if np.isfinite(change).any():
        found, most = results.calibrated, int(np.nanargmax(np.abs(change)))
        sentences.append(
            f"Largest change {signed(float(change[most]))} ({results.reading.items[most]}: "
            f"{number(float(found.raw[most]))} to {number(float(found.values[most]))}); usual standard error "
            f"{number(float(np.nanmedian(found.errors)))}."
        )
    for alarm in ("red", "amber"):
        names = [agent.name for agent in results.agents if agent.checked and agent.alarm == alarm]
        if names:
            sentences.append(f"Drift, {alarm}: {some_of(names)}; see Cal drift.")
    failing = [agent.name for agent in results.agents if agent.monotonicity is not None and agent.monotonicity.failed]
    if failing:
        sentences.append(f"{some_of(failing)}: scores fall where the consensus rises; see Cal assessors.")
    out = [agent.name for agent in results.agents if not agent.usable]
    if out:
        sentences.append(f"Left out: {some_of(out)} ({counted(len(out), results.assessor_noun)}); see Cal assessors.")
    flagged = int((results.review.unlike | results.review.leaked.any(axis=0)).sum())
    if flagged:
        sentences.append(f"{counted(flagged, 'anchor')} to look at; see Cal anchors.")
    return tuple(sentences)
