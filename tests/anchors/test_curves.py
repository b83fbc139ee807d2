"""Every kind of curve on every kind of agent: monotone, within the scale, finite, or refused in one clear sentence."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.stats import spearmanr

import panelcal
from anchors.simulated_agents import World, simulate
from made_up_input import more_when_thorough, thorough
from panelcal import MethodNotApplicable, fit_anchor_curve
from panelcal.anchors.curves import KINDS

SLACK = 1e-9  # share of the scale's length by which rounding may bend a curve down
NAN = float("nan")
numbers = st.floats(-1e6, 1e6, allow_subnormal=False)
scores_or_gaps = st.one_of(numbers, st.integers(0, 10).map(float), st.just(NAN))


@more_when_thorough
@settings(max_examples=thorough(200), deadline=None)
@given(
    st.sampled_from(KINDS),
    st.integers(3, 40).flatmap(
        lambda n: st.tuples(
            hnp.arrays(float, n, elements=scores_or_gaps),
            hnp.arrays(float, n, elements=st.one_of(st.floats(-3, 7), st.just(NAN))),
        )
    ),
)
def test_curves_rise_stay_within_the_scale_and_are_finite_everywhere(kind, anchors):
    scores, consensus = anchors
    try:
        curve = fit_anchor_curve(scores, consensus, kind=kind, bounds=(-3, 7))
    except MethodNotApplicable:
        x = scores[~np.isnan(scores + consensus)]
        y = consensus[~np.isnan(scores + consensus)]
        assert len(x) < 3 or np.ptp(x) <= max(1e-9 * np.abs(x).max(), 1e-90) or np.ptp(y) == 0
        return
    low, high = np.nanmin(scores), np.nanmax(scores)
    length = high - low
    at = np.concatenate(
        [
            [-np.inf, -1e300, low - 3 * length],
            np.sort(np.concatenate([np.linspace(low, high, 200), scores[~np.isnan(scores)]])),
            [high + 3 * length, 1e300, np.inf],
        ]
    )
    values = curve(at)
    assert np.isfinite(values).all()
    assert values.min() >= -3
    assert values.max() <= 7
    assert np.diff(values).min() >= -SLACK * 10
    assert np.isfinite(curve.residual_sd)
    assert 1 <= curve.degrees_of_freedom <= len(curve.consensus)


@pytest.mark.parametrize("kind", KINDS)
def test_order_of_scores_is_kept_as_spearman_sees_it(kind):
    trial = simulate(World(), 0, 120)
    curve = fit_anchor_curve(trial.anchor_scores[0], trial.consensus, kind=kind)
    values = curve(trial.new_scores[0])
    unclipped = (values > 0) & (values < 100)
    assert spearmanr(values[unclipped], trial.new_scores[0][unclipped]).statistic > 0.99


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("unit", [1e-85, 1e85])
def test_the_unit_of_the_scores_may_be_absurd(kind, unit):
    trial = simulate(World(), 0, 40, 50)
    scores, new = trial.anchor_scores[0], trial.new_scores[0]
    curve = fit_anchor_curve(scores, trial.consensus, kind=kind)
    scaled = fit_anchor_curve(unit * scores, trial.consensus, kind=kind)
    assert scaled(unit * new) == pytest.approx(curve(new), abs=1e-6)


def test_a_score_gives_a_number_and_a_table_gives_a_table():
    curve = fit_anchor_curve([0, 1, 2, 3], [10, 30, 50, 70], kind="linear")
    assert curve(1.5) == pytest.approx(40)
    assert isinstance(curve(1.5), float)
    table = curve([[0, None], [4, 9]])
    assert table.shape == (2, 2)
    assert table[0, 0] == pytest.approx(10)
    assert np.isnan(table[0, 1])
    assert table[1].tolist() == [90, 100]


def test_missing_anchors_are_left_out_and_said_so():
    scores, consensus = [10, None, 30, 40, 50, 60], [12, 20, NAN, 45, 50, 66]
    curve = fit_anchor_curve(scores, consensus, kind="linear")
    same = fit_anchor_curve([10, 40, 50, 60], [12, 45, 50, 66], kind="linear")
    assert curve(33.0) == same(33.0)
    assert curve.used.tolist() == [True, False, False, True, True, True]
    assert any("2 of 6 anchors" in note for note in curve.notes)


@pytest.mark.parametrize("kind", KINDS)
def test_five_anchors_are_enough_for_every_kind(kind):
    curve = fit_anchor_curve([20, 35, 50, 65, 80], [10, 25, 55, 70, 95], kind=kind)
    assert np.sqrt(np.mean(curve.residuals**2)) < 5
    assert 0 <= curve(20) < curve(50) < curve(80) <= 100


def test_five_anchors_advise_a_line():
    curve = fit_anchor_curve([20, 35, 50, 65, 80], [10, 25, 55, 70, 95])
    assert any("straight line" in note for note in curve.notes)


@pytest.mark.parametrize("kind", ["spline", "isotonic", "linear"])
def test_a_decreasing_agent_gets_the_mean_and_a_warning(kind):
    scores = np.arange(30.0)
    curve = fit_anchor_curve(scores, 90 - 2 * scores, kind=kind)
    assert curve.is_flat
    assert curve(5.0) == pytest.approx(61, abs=1e-6)
    assert any("do not rise with the consensus" in note for note in curve.notes)


@pytest.mark.parametrize("kind", ["min_max", "mean_sd"])
def test_rescalings_do_not_see_that_an_agent_decreases_but_the_note_does(kind):
    scores = np.arange(30.0)
    curve = fit_anchor_curve(scores, 90 - 2 * scores, kind=kind)
    assert not curve.is_flat
    assert any("should not be used" in note for note in curve.notes)


def test_residuals_are_consensus_minus_calibrated_and_their_sd_counts_the_parameters():
    random = np.random.default_rng(2)
    scores = random.uniform(20, 80, 40)
    consensus = scores + random.normal(0, 5, 40)
    curve = fit_anchor_curve(scores, consensus, kind="linear")
    slope, start = np.polyfit(scores, consensus, 1)
    left = consensus - (start + slope * scores)
    assert curve.residuals == pytest.approx(left, abs=1e-9)
    assert curve.residual_sd == pytest.approx(np.sqrt(left @ left / 38))


REFUSED = {
    "the same score": ([50] * 10, list(range(10)), {}),
    "the same consensus": (list(range(10)), [50] * 10, {}),
    "at least 3": ([1, 2, None], [3, 4, 5], {}),
    "3 anchor scores and 2 consensus": ([1, 2, 3], [3, 4], {}),
    "infinite": ([1, 2, float("inf")], [3, 4, 5], {}),
    "absurdly large": ([1, 2, -1e99], [3, 4, 5], {}),
    "outside the scale": ([1, 2, 3], [3, 4, 105], {}),
    "no anchor curve": ([1, 2, 3], [3, 4, 5], {"kind": "cubic"}),
    "the lower first": ([1, 2, 3], [3, 4, 5], {"bounds": (100, 0)}),
    "must be numbers": ([1, 2, "high"], [3, 4, 5], {}),
    "one row of numbers": ([[1, 2, 3]], [[3, 4, 5]], {}),
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_cannot_be_fitted_is_refused_in_one_sentence(words):
    scores, consensus, options = REFUSED[words]
    with pytest.raises(MethodNotApplicable, match=words) as refusal:
        fit_anchor_curve(scores, consensus, **options)
    assert str(refusal.value).endswith(".")


@given(st.integers(0, 1000))
@settings(max_examples=25, deadline=None)
def test_the_order_of_the_anchors_does_not_matter(seed):
    random = np.random.default_rng(seed)
    scores, consensus = random.integers(0, 20, 25).astype(float), random.uniform(0, 100, 25)
    assume(np.ptp(scores) > 0)
    order = random.permutation(25)
    at = np.linspace(-5, 25, 40)
    for kind in KINDS:
        one = fit_anchor_curve(scores, consensus, kind=kind)
        two = fit_anchor_curve(scores[order], consensus[order], kind=kind)
        assert one(at) == pytest.approx(two(at), abs=1e-6)


def test_the_public_names_are_there():
    names = {"fit_anchor_curve", "AnchorCurve", "disagreement", "check_drift", "Drift"}
    assert names <= set(panelcal.__all__)
