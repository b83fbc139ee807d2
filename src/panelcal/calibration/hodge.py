"""HodgeRank: objects compared two at a time within each assessor, and how consistent the comparisons are.

Assessor a's comparison of objects p and q is a flow y_pq along an edge of weight c_p c_q/C'_a: the difference of the
scores, or only its sign. The values are the potential whose differences come closest to the flow by weighted least
squares (Jiang, Lim, Yao and Ye 2011). On differences this is calibration with confidence itself, because the edges'
Laplacian is the mirror image of (15) and the flow's divergence its right-hand side. On signs it uses ranks only.

What the potential (gradient) leaves over is disagreement between assessors on the same pair, cycles around triangles
(curl) and cycles only around longer loops (harmonic).
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import scipy  # its parts are loaded when they are used: small panels do without sparse matrices

from panelcal.arrays import Array, Indices
from panelcal.calibration.averages import assessor_average
from panelcal.calibration.normal_equations import normal_equations
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.network import require_connected
from panelcal.panel import Panel, totals_by

Flow = Literal["differences", "signs"]

_MOST_PAIRS = 500_000
_MOST_TRIANGLES = 200_000
_NOTHING = 1e-24


@dataclass(frozen=True, slots=True, eq=False)
class HodgeRank:
    """Values from comparisons within assessors.

    Attributes
    ----------
    panel
        What was compared.
    flow
        "differences" or "signs".
    values
        (n_objects,) in score units, with the confidence-weighted mean score as their mean. For signs the potential is
        stretched so that its differences match the score differences best on the whole.
    potential
        (n_objects,) the potential itself, in score units or, for signs, between about -1 and 1; C_o-weighted mean 0.
    gradient, disagreement, curl, harmonic
        Shares of the flow's weighted sum of squares, adding up to 1: explained by the values; assessors who differ on
        the same pair; cycles around triangles; cycles around longer loops only. Where there are too many pairs the
        last three are NaN, where there are too many triangles the last two.
    pairs, triangles
        How many pairs of objects were compared by somebody, and how many triangles they form; -1 = too many to list.
    """

    panel: Panel
    flow: Flow
    values: Array
    potential: Array
    gradient: float
    disagreement: float
    curl: float
    harmonic: float
    pairs: int
    triangles: int


def hodge_rank(
    panel: Panel,
    *,
    flow: Flow = "differences",
    most_pairs: int = _MOST_PAIRS,
    most_triangles: int = _MOST_TRIANGLES,
) -> HodgeRank:
    """Rank by HodgeRank.

    Parameters
    ----------
    panel
        The assessments.
    flow
        "differences" of scores, or their "signs" (a tie counts as 0).
    most_pairs, most_triangles
        Beyond these numbers the shares that need them are not worked out.

    Raises
    ------
    DisconnectedPanel
        If the panel is not connected.
    MethodNotApplicable
        If nobody compares anything: every assessor has one object, or the same score for all.
    """
    if flow not in ("differences", "signs"):
        raise MethodNotApplicable(f'There is no flow "{flow}": choose differences or signs.')
    require_connected(panel)
    equations = normal_equations(panel)
    weight = panel.confidences
    means = assessor_average(panel)
    left = panel.scores - means[panel.assessor_index]
    of_differences = panel.object_totals(weight * left)
    if flow == "differences":
        divergence = of_differences
        total = float(weight @ left**2)
    else:
        balance, compared = _sign_balance(panel)
        divergence = panel.object_totals(weight * balance)
        total = float(weight @ compared) / 2
    if total <= _NOTHING * float(weight @ np.maximum(panel.scores**2, 1e-300)):
        raise MethodNotApplicable("No assessor gives two objects different scores, so there is nothing to rank by.")
    potential, _ = equations.apply_inverse(divergence, np.zeros(panel.n_assessors))
    totals = equations.object_confidence
    potential = potential - float(totals @ potential) / float(totals.sum())
    explained = float(potential @ divergence)
    # Least squares of the score differences on the potential's, over all comparisons at once.
    stretch = 1.0 if flow == "differences" else float(potential @ of_differences) / max(explained, 1e-300)
    centre = float(means[0] + (means - means[0]) @ equations.assessor_confidence / totals.sum())
    gradient = explained / total
    disagreement, curl, harmonic, pairs, triangles = _shares(
        panel, flow, potential, total, gradient, (most_pairs, most_triangles)
    )
    return HodgeRank(
        panel=panel,
        flow=flow,
        values=centre + stretch * potential,
        potential=potential,
        gradient=gradient,
        disagreement=disagreement,
        curl=curl,
        harmonic=harmonic,
        pairs=pairs,
        triangles=triangles,
    )


def _sign_balance(panel: Panel) -> tuple[Array, Array]:
    """For every score the share of its assessor's confidence on lower less that on higher scores, and their sum."""
    order = np.lexsort((panel.scores, panel.assessor_index))
    assessor, score, weight = panel.assessor_index[order], panel.scores[order], panel.confidences[order]
    new_assessor = np.concatenate([[True], assessor[1:] != assessor[:-1]])
    new_score = new_assessor | np.concatenate([[True], score[1:] != score[:-1]])
    tie = np.cumsum(new_score) - 1
    of_tie = np.bincount(tie, weight)
    first = np.flatnonzero(new_score)
    tie_assessor = assessor[first]
    before = np.cumsum(of_tie) - of_tie
    start = before[np.flatnonzero(new_assessor[first])]
    below = before - start[tie_assessor]
    total = np.bincount(assessor, weight, panel.n_assessors)
    above = total[tie_assessor] - below - of_tie
    balance, compared = np.empty(len(order)), np.empty(len(order))
    balance[order] = ((below - above) / total[tie_assessor])[tie]
    compared[order] = ((below + above) / total[tie_assessor])[tie]
    return balance, compared


def _shares(
    panel: Panel, flow: Flow, potential: Array, total: float, gradient: float, most: tuple[int, int]
) -> tuple[float, float, float, int, int]:
    """Divide the rest of the flow, and count pairs and triangles: `most` is how many of each are gone through."""
    nan = float("nan")
    counts = np.bincount(panel.assessor_index, minlength=panel.n_assessors)
    if int((counts * (counts - 1) // 2).sum()) > most[0]:
        return nan, nan, nan, -1, -1
    tail, head, weight, mean_flow, squares = _edges(panel, flow)
    # An object scored twice by one assessor is compared with itself: all of that is disagreement.
    residual = mean_flow - (potential[head] - potential[tail])
    cyclic = float(weight @ residual**2) / total
    disagreement = float(squares - weight @ mean_flow**2) / total
    triangles = _triangles(tail, head, panel.n_objects, most[1])
    if triangles is None:
        return disagreement, nan, nan, len(tail), -1
    curl = _curl_energy(triangles, weight, residual) / total
    rest = max(1.0 - gradient - disagreement - curl, 0.0)
    return disagreement, min(curl, cyclic), rest, len(tail), len(triangles)


def _edges(panel: Panel, flow: Flow) -> tuple[Indices, Indices, Array, Array, float]:
    """Pairs (tail < head) with weight and mean flow tail -> head, and the weighted sum of squares of all flows."""
    order = np.argsort(panel.assessor_index, kind="stable")
    start = np.concatenate([[0], np.cumsum(np.bincount(panel.assessor_index, minlength=panel.n_assessors))])
    ones, twos = [], []
    for a in range(panel.n_assessors):
        mine = order[start[a] : start[a + 1]]
        first, second = np.triu_indices(len(mine), 1)
        ones.append(mine[first])
        twos.append(mine[second])
    one, two = np.concatenate(ones), np.concatenate(twos)
    totals = panel.assessor_totals(panel.confidences)
    weight = panel.confidences[one] * panel.confidences[two] / totals[panel.assessor_index[one]]
    flows = panel.scores[two] - panel.scores[one]
    if flow == "signs":
        flows = np.sign(flows)
    squares = float(weight @ flows**2)
    backward = panel.object_index[one] > panel.object_index[two]
    flows = np.where(backward, -flows, flows)
    low = np.minimum(panel.object_index[one], panel.object_index[two])
    high = np.maximum(panel.object_index[one], panel.object_index[two])
    apart = low != high
    keys, place = np.unique(low[apart] * panel.n_objects + high[apart], return_inverse=True)
    sums = totals_by(place, weight[apart], len(keys))
    mean_flow = totals_by(place, weight[apart] * flows[apart], len(keys)) / sums
    return keys // panel.n_objects, keys % panel.n_objects, sums, mean_flow, squares


def _triangles(tail: Indices, head: Indices, n: int, most: int) -> Indices | None:
    """(k, 3) edge numbers (i-j, j-l, i-l) of all triangles i < j < l; None where there are more than `most`."""
    start = np.searchsorted(tail, np.arange(n + 1))
    # Every pair of edges i-j, i-l with j < l is a triangle if j-l is an edge too.
    later = start[tail + 1] - np.arange(len(tail)) - 1
    if int(later.sum()) > 4 * most:
        return None
    first = np.repeat(np.arange(len(tail)), later)
    offset = np.arange(len(first)) - np.repeat(np.cumsum(later) - later, later)
    second = first + 1 + offset
    keys = tail * n + head
    wanted = head[first] * n + head[second]
    closing = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
    found = keys[closing] == wanted if len(keys) else np.zeros(0, dtype=np.bool_)
    if int(found.sum()) > most:
        return None
    return np.column_stack([first[found], closing[found], second[found]])


def _curl_energy(triangles: Indices, weight: Array, residual: Array) -> float:
    """Weighted sum of squares of that part of the residual flow which runs around triangles."""
    k = len(triangles)
    if k == 0:
        return 0.0
    rows = triangles.ravel()
    columns = np.repeat(np.arange(k), 3)
    signs = np.tile([1.0, 1.0, -1.0], k)
    around = scipy.sparse.csr_array((signs / np.sqrt(weight)[rows], (rows, columns)), shape=(len(weight), k))
    target = np.sqrt(weight) * residual
    solution = scipy.sparse.linalg.lsmr(around, target, atol=1e-12, btol=1e-12, maxiter=10_000)[0]
    projected = around @ solution
    return float(projected @ projected)
