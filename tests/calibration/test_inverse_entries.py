"""Entries of the inverse that were not read off an ordinary matrix: gathered, halved or sampled."""

import numpy as np
import pytest

from panelcal import Panel, calibrate, robustness, uncertainty
from panelcal.calibration import inverse_entries, kept_system
from panelcal.calibration.inverse_entries import sampled_entries
from panelcal.calibration.normal_equations import normal_equations
from scale_panels import well_linked

STANDARD_ERRORS = 5  # how many of their stated errors estimates may be off


def test_gathered_entries_are_those_of_the_whole_product(monkeypatch):
    panel = well_linked(60, 25, 4)
    whole = normal_equations(panel).entries
    monkeypatch.setattr(inverse_entries, "_WHOLE_UP_TO", 0)
    monkeypatch.setattr(inverse_entries, "_CELLS_AT_ONCE", 8)
    gathered = normal_equations(panel).entries
    for name in ("eliminated", "kept", "eliminated_end", "kept_end", "along"):
        assert getattr(gathered, name) == pytest.approx(getattr(whole, name), rel=1e-12)


def test_entries_gathered_from_score_to_score_are_those_of_the_whole_product(monkeypatch):
    panel = well_linked(60, 20, 4)
    whole = normal_equations(panel).entries
    monkeypatch.setattr(inverse_entries, "_WHOLE_UP_TO", 0)
    monkeypatch.setattr(inverse_entries, "_MANY_ALIKE", 1)
    gathered = normal_equations(panel).entries
    for name in ("eliminated", "kept", "eliminated_end", "kept_end", "along"):
        assert getattr(gathered, name) == pytest.approx(getattr(whole, name), rel=1e-12, abs=1e-15), name


@pytest.mark.parametrize("mirrored", [False, True])
def test_sampled_entries_are_right_to_their_stated_error(monkeypatch, mirrored):
    panel = well_linked(300, 900, 12) if mirrored else well_linked(900, 300, 4)
    fit = calibrate(panel)
    exact = uncertainty(fit)
    entries = sampled_entries(fit.equations.system)
    monkeypatch.setattr(kept_system, "DENSE_AT_ONCE", 0)
    monkeypatch.setattr(kept_system, "DENSE_AT_MOST", 0)
    monkeypatch.setattr(kept_system, "_MOST_PAIRS", 0)
    estimated = uncertainty(calibrate(panel))
    assert estimated.method.startswith("estimated")
    assert 0 < estimated.stated_error < 0.09
    for one, two in (
        (estimated.unit_value_errors, exact.unit_value_errors),
        (estimated.unit_bias_errors, exact.unit_bias_errors),
    ):
        relative = one / two - 1
        assert np.abs(relative).max() < STANDARD_ERRORS * estimated.stated_error
        assert abs(relative.mean()) < estimated.stated_error / 4
    along = fit.equations.entries.along
    assert entries.along == pytest.approx(along, rel=STANDARD_ERRORS * 0.18)
    assert (panel.confidences * entries.along).sum() == pytest.approx((panel.confidences * along).sum(), rel=0.01)


@pytest.mark.parametrize("link", [1e-8, 1e-12, 1e-14])
def test_differences_and_sensitivities_keep_their_digits_across_a_very_weak_link(link):
    """Two pairs of complete panels held together by one faint assessment: within each, nothing depends on the link."""
    random = np.random.default_rng(0)
    table = random.normal(50, 10, (4, 3))
    alone = calibrate(Panel.from_matrix(table))
    objects = [*np.repeat(np.arange(4), 3), *np.repeat(np.arange(4, 8), 3), 0]
    assessors = [*np.tile(np.arange(3), 4), *np.tile(np.arange(3, 6), 4), 4]
    scores = [*table.ravel(), *table.ravel(), 55.0]
    both = calibrate(Panel.from_records(objects, assessors, scores, [1.0] * 24 + [link]))
    first, second = np.array([0, 1, 4, 5]), np.array([1, 2, 5, 7])
    within = alone.equations.value_differences(first % 4, second % 4)
    assert both.equations.value_differences(first, second) == pytest.approx(within, rel=1e-7)
    leverage = both.panel.confidences * both.equations.entries.along
    assert leverage.sum() == pytest.approx(13, rel=1e-7)
    assert leverage[:12] == pytest.approx(np.full(12, 0.5), rel=1e-6)
    moved = robustness(both)
    assert moved.sensitivities_proven.all()
    assert moved.value_sensitivities.max() == pytest.approx(_brute_force_sensitivity(both), rel=1e-6)


def _brute_force_sensitivity(fit) -> float:
    """Largest change of any value per point of any score, by calibrating again with each score changed."""
    largest = 0.0
    for k in range(fit.panel.n_assessments):
        scores = fit.panel.scores.copy()
        scores[k] += 1.0
        panel = fit.panel
        changed = Panel(
            panel.objects, panel.assessors, panel.object_index, panel.assessor_index, scores, panel.confidences
        )
        largest = max(
            largest,
            float(
                np.abs(
                    calibrate(changed).centred_values - fit.centred_values + calibrate(changed).centre - fit.centre
                ).max()
            ),
        )
    return largest
