"""Calibrated agents on a panel: anchors take out each agent's scale, overlaps what bias is left.

With the anchors as objects and their consensus as one more assessor, calibration with confidence weighs both sources:
an agent's bias is held by the anchors as firmly as it scored them and by the items it shares with other agents.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from panelcal.anchors.columns import as_floats
from panelcal.anchors.curves import AnchorCurve
from panelcal.arrays import Array
from panelcal.errors import MethodNotApplicable
from panelcal.panel import Panel

CONSENSUS = "Consensus"


def calibrated_panel(
    curves: Sequence[AnchorCurve],
    scores: ArrayLike,
    *,
    objects: Sequence[Any] | None = None,
    agents: Sequence[Any] | None = None,
    anchors: Sequence[Any] | None = None,
    consensus_error: float | None = None,
) -> Panel:
    """Return the panel of calibrated scores, with confidences 1 / residual variance of each agent's curve.

    Parameters
    ----------
    curves
        One for each agent.
    scores
        (n_items, n_agents) raw scores of new items; NaN = not scored.
    objects, agents
        Labels; None gives "1", "2", ...
    anchors
        Labels of the anchors given to `fit_anchor_curve`, the same ones in the same order for every curve: they become
        objects, and their consensus the scores of the assessor "Consensus". None leaves them out.
    consensus_error
        Standard deviation of the consensus; None = as sure as the surest agent. Used with `anchors` only.

    Raises
    ------
    MethodNotApplicable
        If a curve is flat or fits its anchors exactly (neither has a confidence), or the numbers of agents or anchors
        do not match.
    InvalidPanel
        If labels repeat or an item has no score at all.
    """
    table = as_floats(scores, 2)
    if table.shape[1] != len(curves):
        raise MethodNotApplicable(f"There are scores of {table.shape[1]} agents but {len(curves)} curves.")
    names = [str(k + 1) for k in range(len(curves))] if agents is None else [str(label) for label in agents]
    items = [str(k + 1) for k in range(len(table))] if objects is None else [str(label) for label in objects]
    for curve, name in zip(curves, names, strict=True):
        if curve.is_flat:
            raise MethodNotApplicable(
                f"The curve of agent {name} is flat, so its scores say nothing: leave the agent out."
            )
        if not curve.residual_sd > 0:
            raise MethodNotApplicable(
                f"Agent {name} fits its anchors exactly, which gives it no confidence: use more anchors."
            )
    errors = np.array([curve.residual_sd for curve in curves])
    calibrated = np.column_stack([np.asarray(curve(column)) for curve, column in zip(curves, table.T, strict=True)])
    if anchors is not None:
        bank = _anchor_rows(curves, len(anchors))
        usable = np.flatnonzero(~np.isnan(bank[:, -1]))
        items += [str(anchors[k]) for k in usable.tolist()]
        names.append(CONSENSUS)
        errors = np.append(errors, errors.min() if consensus_error is None else consensus_error)
        no_consensus = np.full((len(calibrated), 1), np.nan)
        calibrated = np.vstack([np.hstack([calibrated, no_consensus]), bank[usable]])
    return Panel.from_matrix(calibrated, 1 / errors**2, objects=items, assessors=names)


def _anchor_rows(curves: Sequence[AnchorCurve], count: int) -> Array:
    """Calibrated scores and consensus of the anchors, (n_anchors, n_agents + 1)."""
    rows = np.full((count, len(curves) + 1), np.nan)
    for k, curve in enumerate(curves):
        if curve.used.shape != (count,):
            raise MethodNotApplicable(f"There are {count} anchor labels but {curve.used.size} anchors in a curve.")
        rows[curve.used, k] = np.asarray(curve(curve.anchor_scores))
        rows[curve.used, -1] = curve.consensus
    return rows
