"""The SIGKDD'09 review model: against drawing from its prior, and what it makes of judges with their own thresholds."""

import numpy as np
import pytest
from scipy import stats

from panelcal import DisconnectedPanel, MethodNotApplicable, Panel, calibrate
from panelcal.ordinal.review_thresholds import _truncated_normal, review_thresholds
from reference_cases import load_case


@pytest.mark.slow
def test_it_samples_the_posterior_that_keeping_matching_prior_draws_gives():
    """Two objects, two judges, three levels, two confidences: drawn from the prior, kept where all ratings match."""
    ratings, confidences = np.array([[1, 2], [3, 2]]), np.array([[1.0, 4.0], [4.0, 1.0]])
    random = np.random.default_rng(0)
    draws = 2_000_000
    quality = 2 + random.standard_normal((draws, 2))
    expertise = random.gamma(10, 1 / 10, (draws, 2))
    thresholds = (
        np.array([1.5, 2.5])
        + random.standard_normal((draws, 2, 2)) / np.sqrt(random.gamma(10, 1 / 10, (draws, 2)))[:, :, None]
    )
    match = np.ones(draws, dtype=bool)
    for o in range(2):
        for j in range(2):
            noise = random.standard_normal(draws) / np.sqrt(expertise[:, int(confidences[o, j] > 1)])
            impression = quality[:, o] + noise
            for t in range(2):
                match &= (impression > thresholds[:, j, t]) == (ratings[o, j] > t + 1)
    panel = Panel.from_matrix(ratings, confidences)
    found = review_thresholds(panel, chains=16, sweeps=3000)
    error = quality[match].std(axis=0) / np.sqrt(match.sum() / 2)
    assert np.abs(found.values - quality[match].mean(axis=0)).max() < 5 * error.max()
    assert found.value_errors == pytest.approx(quality[match].std(axis=0), rel=0.02)
    assert found.thresholds == pytest.approx(thresholds[match].mean(axis=0), abs=0.02)
    assert found.expertises == pytest.approx(expertise[match].mean(axis=0), abs=0.02)
    assert found.converged


def _judged(seed: int, low: float = 1.0, step: float = 1.0):
    random = np.random.default_rng(seed)
    n, m, k, t = 60, 12, 5, 4
    objects = np.repeat(np.arange(n), k)
    assessors = np.concatenate([random.choice(m, k, replace=False) for _ in range(n)])
    quality = random.normal(t / 2 + 1, 1, n)
    thresholds = np.sort(np.arange(t) + 1.5 + random.normal(0, 1, (m, 1)) + random.normal(0, 0.3, (m, t)), axis=1)
    impressions = quality[objects] + 0.6 * random.standard_normal(len(objects))
    ratings = (impressions[:, None] > thresholds[assessors]).sum(axis=1)
    return Panel.from_records(objects, assessors, low + step * ratings), low + step * (quality - 1)


@pytest.mark.slow
def test_judges_thresholds_are_allowed_for():
    panel, truth = _judged(1)
    found = review_thresholds(panel)
    assert found.rhat < 1.05
    assert found.effective_sample_size > 1000
    assert np.corrcoef(found.values, truth)[0, 1] > 0.9
    means = np.bincount(panel.object_index, panel.scores) / np.bincount(panel.object_index)
    assert np.corrcoef(found.values, truth)[0, 1] > np.corrcoef(means, truth)[0, 1]
    assert np.sqrt(np.mean(((found.values - truth) / found.value_errors) ** 2)) == pytest.approx(1, abs=0.3)
    # Generous judges are those whom calibration calls generous.
    assert np.corrcoef(found.biases, calibrate(panel).biases)[0, 1] > 0.9


@pytest.mark.slow
def test_another_scale_only_rescales():
    one, two = (review_thresholds(_judged(2, low, step)[0], sweeps=300) for low, step in ((1.0, 1.0), (20.0, 10.0)))
    assert two.values == pytest.approx(20 + 10 * (one.values - 1))
    assert two.thresholds == pytest.approx(20 + 10 * (one.thresholds - 1))


@pytest.mark.slow
def test_the_same_seed_gives_the_same_answer():
    panel, _ = _judged(3)
    one, two, three = (review_thresholds(panel, sweeps=260, seed=seed) for seed in (5, 5, 6))
    assert (one.draws == two.draws).all()
    assert (one.draws != three.draws).any()


@pytest.mark.slow
def test_marks_can_be_cut_into_levels_on_demand_only():
    panel, truth = _judged(4)
    marks = Panel.from_records(
        panel.object_index, panel.assessor_index, 13.7 * panel.scores + truth[panel.object_index]
    )
    with pytest.raises(MethodNotApplicable, match="evenly spaced levels"):
        review_thresholds(marks)
    found = review_thresholds(marks, levels=6, sweeps=400)
    assert len(found.scores_of_levels) == 6
    assert np.corrcoef(found.values, truth)[0, 1] > 0.85


@pytest.mark.parametrize("bounds", [(-1.0, 0.5), (5.0, 6.0), (-9.0, -7.0), (38.0, np.inf), (-np.inf, 1.0)])
def test_truncated_normals_keep_their_digits_in_the_tails(bounds):
    random = np.random.default_rng(1)
    low, high = (np.full(20_000, bound) for bound in bounds)
    drawn = _truncated_normal(random, np.zeros(20_000), np.ones(20_000), low, high)
    assert ((drawn >= low) & (drawn <= high)).all()
    if bounds[0] < 30:
        assert stats.kstest(drawn, stats.truncnorm(*bounds).cdf).pvalue > 1e-4
    else:
        assert drawn.max() < 38.5


def test_what_are_no_ratings_is_refused():
    with pytest.raises(MethodNotApplicable, match="alike"):
        review_thresholds(Panel.from_matrix([[3.0, 3.0], [3.0, 3.0]]))
    with pytest.raises(MethodNotApplicable, match="between 2 and"):
        review_thresholds(_judged(5)[0], levels=50)
    with pytest.raises(MethodNotApplicable, match="at least two chains"):
        review_thresholds(_judged(5)[0], chains=1)
    with pytest.raises(DisconnectedPanel):
        review_thresholds(load_case("disconnected_two").panel)
