"""The choice among kinds of curve: the sensible default unless another is clearly better."""

import numpy as np
import pytest

from anchors.simulated_agents import World, simulate
from panelcal import MethodNotApplicable, fit_anchor_curve
from panelcal.anchors.choice import choose_anchor_curve, predict_left_out


def test_bent_scales_with_many_anchors_get_the_spline():
    trial = simulate(World(), 0)
    assert [choose_anchor_curve(s, trial.consensus).curve.kind for s in trial.anchor_scores] == ["spline"] * 6


def test_below_twenty_anchors_a_line_is_the_default():
    trial = simulate(World(), 0, 19)
    choice = choose_anchor_curve(trial.anchor_scores[0], trial.consensus)
    assert choice.default == choice.curve.kind == "linear"
    assert "below 20 anchors" in choice.sentence


def test_a_step_that_a_spline_cannot_follow_gets_isotonic():
    random = np.random.default_rng(0)
    scores = np.arange(200.0) / 2
    consensus = np.where(scores < 52, 10.0, 90.0) + random.uniform(-5, 5, 200)
    choice = choose_anchor_curve(scores, consensus)
    assert choice.curve.kind == "isotonic"
    assert choice.gains[choice.kinds.index("isotonic")] > 0
    assert "clearly better" in choice.sentence


def test_errors_are_of_anchors_predicted_without_them_and_gains_are_against_the_default():
    trial = simulate(World(), 1, 60)
    choice = choose_anchor_curve(trial.anchor_scores[4], trial.consensus)
    for kind, error, row in zip(choice.kinds, choice.errors, choice.predictions, strict=True):
        assert row == pytest.approx(predict_left_out(choice.curve, kind))
        assert error == pytest.approx(np.sqrt(np.mean((row - trial.consensus) ** 2)))
    assert choice.gains == pytest.approx(choice.errors[0] ** 2 - choice.errors**2)
    assert choice.gain_errors[0] == 0


def test_a_prediction_does_not_depend_on_the_anchors_own_consensus():
    trial = simulate(World(), 1, 40)
    scores = trial.anchor_scores[0] + 1e-3 * np.arange(40)  # no ties, so that the folds stay the same
    changed = trial.consensus.copy()
    changed[7] = 100 - changed[7]
    for kind in ("spline", "isotonic", "linear"):
        before = predict_left_out(fit_anchor_curve(scores, trial.consensus, kind=kind), kind)
        after = predict_left_out(fit_anchor_curve(scores, changed, kind=kind), kind)
        assert after[7] == before[7]
        assert not np.allclose(after, before)


def test_it_works_from_three_anchors():
    choice = choose_anchor_curve([10, 20, 30], [5, 40, 60])
    assert choice.curve.kind == "linear"
    assert np.isfinite(choice.errors).all()


def test_anchors_that_cannot_be_fitted_are_refused():
    with pytest.raises(MethodNotApplicable, match="the same score"):
        choose_anchor_curve([50] * 30, np.arange(30))
