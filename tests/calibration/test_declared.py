"""Whether declared confidences mean anything: found where they do, found out where they do not."""

import numpy as np
import pytest

from panelcal import Panel, calibrate, declared_confidences
from panels import connected_simulated_panel
from reference_cases import load_case


def _panel(seed: int, strength: float) -> Panel:
    """Noise variance 49 x (c/15)^-strength: 1 = as declared, 0 = the confidences mean nothing."""
    random = np.random.default_rng(seed)
    objects, assessors = np.repeat(np.arange(80), 6), np.concatenate([random.permutation(12)[:6] for _ in range(80)])
    confidences = random.choice([5.0, 15.0, 45.0], 480)
    noise = 7 * (confidences / 15) ** (-strength / 2) * random.standard_normal(480)
    scores = random.normal(60, 9, 80)[objects] + random.normal(0, 5, 12)[assessors] + noise
    return Panel.from_records(objects, assessors, scores, confidences)


@pytest.mark.parametrize(("strength", "finding"), [(1.0, "as declared"), (0.0, "say nothing"), (0.5, "exaggerate")])
def test_the_strength_of_confidences_is_recovered(strength, finding):
    results = [declared_confidences(calibrate(_panel(seed, strength))) for seed in range(8)]
    assert np.mean([result.exponent for result in results]) == pytest.approx(strength, abs=0.1)
    assert sum(result.finding == finding for result in results) >= 6


@pytest.mark.slow
def test_the_test_keeps_its_level_when_confidences_are_as_declared():
    p_values = np.array([declared_confidences(calibrate(_panel(seed, 1.0))).p_as_declared for seed in range(200)])
    assert 0.01 <= (p_values < 0.05).mean() <= 0.11
    assert 0.3 <= (p_values < 0.5).mean() <= 0.7


def test_skewed_noise_does_not_make_a_level_stand_out():
    """Variance ratios that take exponential noise for normal call one level in four wrong at the 5% level."""
    random = np.random.default_rng(6)
    wrong = []
    for seed in range(80):
        panel = _panel(seed, 1.0)
        noise = 7 * np.sqrt(15 / panel.confidences) * (random.exponential(1, 480) - 1)
        scores = random.normal(60, 9, 80)[panel.object_index] + noise
        skewed = Panel.from_records(panel.object_index, panel.assessor_index, scores, panel.confidences)
        wrong.append(np.mean(declared_confidences(calibrate(skewed)).level_p_values < 0.05))
    assert np.mean(wrong) < 0.09


@pytest.mark.slow
def test_the_standard_error_of_the_strength_is_honest():
    results = [declared_confidences(calibrate(_panel(seed, 1.0))) for seed in range(100)]
    spread = np.std([result.exponent for result in results])
    assert spread == pytest.approx(np.mean([result.exponent_error for result in results]), rel=0.25)


def test_level_factors_average_one_when_confidences_are_as_declared():
    factors = np.mean([declared_confidences(calibrate(_panel(seed, 1.0))).level_factors for seed in range(40)], axis=0)
    assert factors == pytest.approx(np.ones(3), abs=0.1)


def test_scaling_all_confidences_changes_nothing():
    panel = _panel(1, 0.5)
    one = declared_confidences(calibrate(panel))
    two = declared_confidences(calibrate(panel.with_confidences(panel.confidences * 1e3)))
    assert two.exponent == pytest.approx(one.exponent, abs=1e-5)
    assert two.level_factors == pytest.approx(one.level_factors)


def test_equal_confidences_leave_nothing_to_test():
    result = declared_confidences(calibrate(load_case("montgomery_catalyst").panel))
    assert result.finding == "too weak to tell"
    assert np.isnan(result.exponent)
    assert "equal" in result.sentence


def test_a_panel_without_spare_scores_is_said_to_be_too_weak():
    panel = load_case("one_object").panel
    assert declared_confidences(calibrate(panel)).finding == "too weak to tell"


def test_many_different_confidences_are_grouped():
    panel = connected_simulated_panel(40, 9, 4, seed=1)
    result = declared_confidences(calibrate(panel))
    assert len(result.levels) <= 6
    assert result.level_counts.sum() == panel.n_assessments


def test_one_gross_mark_does_not_decide_what_confidences_are_worth():
    """A mark of 0 at the highest confidence, on an otherwise ordinary panel where the confidences are as declared."""
    findings = []
    for seed in range(10):
        panel = _panel(seed, 1.0)
        scores = panel.scores.copy()
        scores[np.argmax(panel.confidences)] = 0.0
        spoiled = Panel.from_records(panel.object_index, panel.assessor_index, scores, panel.confidences)
        findings.append(declared_confidences(calibrate(spoiled)).p_as_declared > 0.05)
    assert sum(findings) >= 9


def test_confidences_that_differ_only_where_nothing_can_be_seen_are_too_weak():
    panel = Panel.from_records(["a", "b", "c", "c"], ["x"] * 4, [0, 0, 0, 0.5], [0.25, 0.25, 0.5, 0.5])
    assert declared_confidences(calibrate(panel)).finding == "too weak to tell"
