"""How sure the order of the values is: the rank that each can have, and whether each is truly better than the next.

Both come from the posterior of the paper's "Posterior probability distribution", in which values are not drawn
together: they say what the scores say, as the intervals of the values do.
"""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array, Indices, Mask
from panelcal.calibration.uncertainty import RANK_DRAWS, Uncertainty
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.tails import stdtr

_MOST_OBJECTS_DRAWN = 1_000
_FEWEST_DRAWS, _DRAWN_CELLS = 1_000, 400_000
_MOST_CELLS = 20_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """The order of the values, best first.

    Attributes
    ----------
    first, last
        (n_objects,) best and worst plausible rank, 1 = best; NaN where there are no scores beyond the unknowns, too
        many objects to draw the values of all, or an object takes no part.
    above_next
        (n_objects,) probability that the object's true value is truly better than that of the next in rank, 0.5 to 1;
        NaN for the last in rank and as above.
    """

    first: Array
    last: Array
    above_next: Array


def ranking(
    uncertainty: Uncertainty,
    level: float = 0.95,
    *,
    higher_is_better: bool = True,
    among: Mask | None = None,
) -> Ranking:
    """Compute rank intervals of that level and the probability that each value is better than the next in rank.

    `among` says which objects (n_objects,) take part; None = all.

    Ranks are drawn 4,000 times for up to 100 objects, less often for more, and not beyond 1,000; neighbours are
    compared by the standard error of their own difference, with Student's t with N - p degrees of freedom.
    """
    n = len(uncertainty.value_errors)
    part = np.arange(n) if among is None else np.flatnonzero(among)
    first, last = np.full(n, np.nan), np.full(n, np.nan)
    if n <= _MOST_OBJECTS_DRAWN:
        try:
            draws = min(RANK_DRAWS, max(_FEWEST_DRAWS, _DRAWN_CELLS // n))
            drawn = uncertainty.rank_interval(level, draws=draws, among=part).astype(np.float64)
        except MethodNotApplicable:
            pass
        else:
            first[part], last[part] = drawn.T if higher_is_better else len(part) + 1 - drawn.T[::-1]
    return Ranking(first, last, _above_next(uncertainty, higher_is_better, part))


def _above_next(uncertainty: Uncertainty, higher_is_better: bool, part: Indices) -> Array:
    calibration = uncertainty.calibration
    equations, freedom = calibration.equations, calibration.degrees_of_freedom
    values, n = calibration.centred_values, calibration.panel.n_objects
    found = np.full(n, np.nan)
    if freedom == 0 or not equations.system.is_small or n * len(equations.kept_confidence) > _MOST_CELLS:
        return found
    order = part[np.argsort(-values[part] if higher_is_better else values[part], kind="stable")]
    better, worse = order[:-1], order[1:]
    apart = np.abs(values[better] - values[worse])
    with np.errstate(divide="ignore", invalid="ignore"):
        steps = apart / uncertainty.difference_errors(better, worse)
    found[better] = stdtr(freedom, np.where(apart > 0, steps, 0.0))
    return found
