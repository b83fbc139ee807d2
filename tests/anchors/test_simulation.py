"""Made-up agents: drawn as they say, and brought back to the common scale by their anchors."""

import numpy as np
import pytest

from panelcal import MethodNotApplicable, fit_anchor_curve, simulate_anchors


def test_without_errors_agents_show_the_truth_on_scales_of_their_own():
    made = simulate_anchors(3, 40, 50, shared_sd=0, own_sd=0, consensus_sd=0, seed=2)
    assert np.allclose(made.consensus, made.anchor_truth)
    for agent in range(3):
        assert np.allclose(made.anchor_scores[agent], made.shown_as(agent, made.anchor_truth))
        assert np.allclose(made.scores[agent], made.shown_as(agent, made.truth))
    plain = simulate_anchors(3, 40, 50, bend=0, shared_sd=0, own_sd=0, consensus_sd=0, seed=2)
    assert np.allclose(plain.scores, plain.truth)


def test_anchors_bring_agents_closer_to_the_truth():
    made = simulate_anchors(4, 80, 400, seed=5)
    for scores, anchors in zip(made.scores, made.anchor_scores, strict=True):
        curve = fit_anchor_curve(anchors, made.consensus)
        before, after = (np.sqrt(np.mean((one - made.truth) ** 2)) for one in (scores, curve(scores)))
        assert after < before


def test_errors_are_of_the_stated_size():
    made = simulate_anchors(2, 2000, 1, bend=0, shared_sd=3, own_sd=4, consensus_sd=2, seed=1)
    inside = (made.anchor_truth > 20) & (made.anchor_truth < 80)
    off = (made.anchor_scores - made.anchor_truth)[:, inside]
    assert off.std(axis=1) == pytest.approx([5, 5], rel=0.08)
    assert (off[0] - off[1]).std() == pytest.approx(4 * np.sqrt(2), rel=0.08)
    assert (made.consensus - made.anchor_truth)[inside].std() == pytest.approx(2, rel=0.08)


def test_the_same_seed_gives_the_same_and_nothing_to_simulate_is_refused():
    one, other = simulate_anchors(2, 5, 5, seed=4), simulate_anchors(2, 5, 5, seed=4)
    assert np.array_equal(one.scores, other.scores)
    with pytest.raises(MethodNotApplicable):
        simulate_anchors(0, 5, 5)
