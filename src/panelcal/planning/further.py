"""Which further assessments would strengthen a panel most.

Adding an assessment of confidence c between object o and assessor a, x = e_o + e_a, lowers the summed variance of the
differences between values by c ||Pi G x||^2 / (1 + c x' G x) (Sherman and Morrison), Pi taking out the mean over
objects; a common shift of all values matters to nobody.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from panelcal.arrays import Array, Indices
from panelcal.calibration.least_squares import Calibration
from panelcal.frozen import dataclass
from panelcal.panel import Panel
from panelcal.planning.unit_covariance import unit_covariance

_TIMES_NAMED = 2


@dataclass(frozen=True, slots=True)
class FurtherAssessment:
    """One assessment that was not made.

    Attributes
    ----------
    object, assessor
        Labels.
    gain
        Share, 0 to 1, by which it would lower the mean variance of the differences between values.
    own_gain
        Share by which it would lower the standard error of the object's own value against the mean of all.
    """

    object: str
    assessor: str
    gain: float
    own_gain: float


def further_assessments(
    calibration: Calibration, *, most: int = 10, barred: Collection[tuple[str, str]] = ()
) -> tuple[FurtherAssessment, ...]:
    """Return the assessments not yet made that would lower the uncertainty of differences most, best first.

    Each is judged by itself, at the typical (median) confidence. Each object is named once and each assessor at most
    twice, so that the list is not all about one of them. Pairs (object, assessor) that are barred, by name, are not
    proposed: conflicts of interest. Empty where there are too many pairs to try.
    """
    panel = calibration.panel
    m = panel.n_assessors
    blocks = unit_covariance(calibration.equations)
    if blocks is None or panel.n_objects < 2:
        return ()
    values, cross, apart = blocks.values, blocks.cross, blocks.along
    centred_values, centred_cross = values - values.mean(axis=0), cross - cross.mean(axis=0)
    moved = (
        (centred_values**2).sum(axis=0)[:, None]
        + (centred_cross**2).sum(axis=0)[None, :]
        + 2 * centred_values.T @ centred_cross
    )
    confidence = float(np.median(panel.confidences))
    gains: Array = confidence * moved / (1 + confidence * apart) / np.trace(centred_values)
    gains[panel.object_index, panel.assessor_index] = -1.0
    gains[places_of_pairs(panel, barred)] = -1.0
    found: list[FurtherAssessment] = []
    objects_named: set[int] = set()
    times_named = np.zeros(m, dtype=np.intp)
    for pair in np.argsort(-gains, axis=None, kind="stable"):
        o, a = divmod(int(pair), m)
        if len(found) == most or gains[o, a] <= 0:
            break
        if o in objects_named or times_named[a] == _TIMES_NAMED:
            continue
        objects_named.add(o)
        times_named[a] += 1
        own = centred_values[o, o] - centred_values[o].mean()
        change = centred_values[o, o] + centred_cross[o, a]
        lowered = confidence * change**2 / (1 + confidence * apart[o, a])
        own_gain = float(1 - np.sqrt(max(1 - lowered / own, 0.0)))
        found.append(FurtherAssessment(panel.objects[o], panel.assessors[a], float(gains[o, a]), own_gain))
    return tuple(found)


def places_of_pairs(panel: Panel, pairs: Collection[tuple[str, str]]) -> tuple[Indices, Indices]:
    """Return the places (K,) of the objects and of the assessors of pairs by name; those not in the panel are left out.

    They index a matrix of objects by assessors.
    """
    objects = {label: k for k, label in enumerate(panel.objects)}
    assessors = {label: k for k, label in enumerate(panel.assessors)}
    places = [(objects[o], assessors[a]) for o, a in sorted(pairs) if o in objects and a in assessors]
    by_side = np.array(places, dtype=np.intp).reshape(-1, 2)
    return by_side[:, 0], by_side[:, 1]
