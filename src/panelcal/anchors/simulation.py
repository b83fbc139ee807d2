"""Made-up agents and anchors with the truth behind them: each agent bends the common scale in its own way."""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.shown import Shown

_LOW, _HIGH = 0.0, 100.0
_MIDDLING = 1.6  # both parameters of the beta distribution of true values: few at the ends


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SimulatedAnchors(Shown):
    """What agents say of anchors and of new items, and the truth; all from 0 to 100.

    Source: a generator of our own, after what ASC (2026) reports of agents.

    Attributes
    ----------
    consensus
        (n_anchors,) what people agreed on for each anchor: the truth and the error of a consensus.
    anchor_scores
        (n_agents, n_anchors) what each agent says of them.
    scores
        (n_agents, n_items) what each agent says of new items.
    anchor_truth, truth
        (n_anchors,) and (n_items,) true values.
    powers, lows, highs
        (n_agents,) each agent shows a truth t as low + (high - low) (t / 100)^power, before its errors.

    Examples
    --------
    >>> simulate_anchors(3, 20, 10, seed=1).scores.shape
    (3, 10)
    """

    consensus: Array
    anchor_scores: Array
    scores: Array
    anchor_truth: Array
    truth: Array
    powers: Array
    lows: Array
    highs: Array

    def shown_as(self, agent: int, truth: Array) -> Array:
        """Return how an agent would show true values (k,) if it made no errors."""
        reach = self.highs[agent] - self.lows[agent]
        shown: Array = self.lows[agent] + reach * (np.asarray(truth) / _HIGH) ** self.powers[agent]
        return shown


def simulate_anchors(
    n_agents: int,
    n_anchors: int,
    n_items: int,
    *,
    bend: float = 0.5,
    shared_sd: float = 6.0,
    own_sd: float = 6.0,
    consensus_sd: float = 4.0,
    seed: int = 0,
) -> SimulatedAnchors:
    """Simulate agents with scales of their own, anchors that people agreed on, and new items.

    Source: a generator of our own, after what ASC (2026) reports of agents.

    Parameters
    ----------
    n_agents, n_anchors, n_items
        At least 1 each.
    bend
        0 = all agents use the common scale; 0.5 = powers spread by exp(+/- 0.5), ends drawn in by up to 25 points.
    shared_sd, own_sd, consensus_sd
        Standard deviations of what all agents get wrong alike about an item, of what each gets wrong by itself, and of
        the consensus; points of 100.
    seed
        The same seed gives the same numbers.

    Returns
    -------
    SimulatedAnchors
        Scores, and the truth that they were drawn from.

    Raises
    ------
    MethodNotApplicable
        If there is nothing to simulate, or a spread is negative.

    Examples
    --------
    >>> simulate_anchors(3, 20, 10, seed=1).anchor_scores.shape
    (3, 20)
    """
    if min(n_agents, n_anchors, n_items) < 1 or min(bend, shared_sd, own_sd, consensus_sd) < 0:
        raise MethodNotApplicable("There must be an agent, an anchor and an item at least, and spreads of 0 or more.")
    random = np.random.default_rng(seed)
    powers = np.exp(bend * random.standard_normal(n_agents))
    lows = _LOW + 50.0 * bend * random.random(n_agents)
    highs = _HIGH - 50.0 * bend * random.random(n_agents)
    truth = _HIGH * random.beta(_MIDDLING, _MIDDLING, n_anchors + n_items)
    seen = truth + shared_sd * random.standard_normal(len(truth))
    own = own_sd * random.standard_normal((n_agents, len(truth)))
    seen_by_each = np.clip(seen + own, _LOW, _HIGH) / _HIGH
    scores = lows[:, None] + (highs - lows)[:, None] * seen_by_each ** powers[:, None]
    consensus = np.clip(truth[:n_anchors] + consensus_sd * random.standard_normal(n_anchors), _LOW, _HIGH)
    return SimulatedAnchors(
        consensus,
        scores[:, :n_anchors],
        scores[:, n_anchors:],
        truth[:n_anchors],
        truth[n_anchors:],
        powers,
        lows,
        highs,
    )
