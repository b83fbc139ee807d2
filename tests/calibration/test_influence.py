"""Leaving assessments out and changing confidences, against doing it and calibrating again."""

import numpy as np
import pytest
from hypothesis import given, settings

from panelcal import Panel, calibrate, influence
from panelcal.calibration import influence as module
from panelcal.calibration import kept_system
from panels import connected_simulated_panel, panels
from reference_cases import CONNECTED, load_case
from scale_panels import well_linked

REFITTED = 1e-8


def _without(panel: Panel, k: int, gauge: str, reference: float | None) -> np.ndarray:
    rest = panel.subset(np.arange(panel.n_assessments) != k)
    again = dict(zip(rest.objects, calibrate(rest, gauge=gauge, reference=reference).values, strict=True))
    return np.array([again[label] for label in panel.objects])


def _check_left_out(panel: Panel, gauge: str = "weighted", reference: float | None = None) -> None:
    base = calibrate(panel, gauge=gauge, reference=reference)
    measured = influence(base)
    size = np.ptp(panel.scores) + 1 + 1e-6 * np.abs(panel.scores).max()
    for k in range(panel.n_assessments):
        if np.isinf(measured.largest_shift[k]):
            assert measured.leverage[k] == 1.0
            continue
        shift = _without(panel, k, gauge, reference) - base.values
        assert measured.own_shift[k] == pytest.approx(shift[panel.object_index[k]], abs=REFITTED * size)
        assert measured.largest_shift[k] == pytest.approx(np.abs(shift).max(), abs=REFITTED * size)
        assert measured.value_shifts(k) == pytest.approx(shift, abs=REFITTED * size)


@pytest.mark.parametrize("gauge", ["weighted", "equal", "reference"])
@pytest.mark.parametrize("name", CONNECTED)
def test_leaving_out_agrees_with_refitting(name, gauge):
    _check_left_out(load_case(name).panel, gauge)


def test_leaving_out_agrees_with_refitting_at_a_fixed_reference_value():
    _check_left_out(load_case("hml_15x8").panel, "reference", 55.0)


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(60, 7, 3), (7, 40, 20)])
def test_leaving_out_agrees_with_refitting_on_larger_panels_of_either_shape(shape):
    _check_left_out(connected_simulated_panel(*shape, seed=4))


@pytest.mark.slow
@settings(max_examples=40)
@given(panels())
def test_leaving_out_agrees_with_refitting_on_any_panel(panel):
    _check_left_out(panel)


@given(panels())
def test_infinite_influence_means_that_leaving_it_out_disconnects(panel):
    measured = influence(calibrate(panel))
    for k in np.flatnonzero(np.isinf(measured.largest_shift)):
        if panel.n_assessments == 1:
            continue
        rest = panel.subset(np.arange(panel.n_assessments) != k)
        lost = rest.n_objects < panel.n_objects or rest.n_assessors < panel.n_assessors
        if not lost:
            with pytest.raises(ValueError, match="groups"):
                calibrate(rest)


def test_a_link_that_is_almost_the_only_one_is_refitted_rather_than_guessed():
    """Its leverage is 1 to 12 digits, so the formula's 1 - h has no digits left."""
    objects = ["a", "a", "b", "b", "c", "c"]
    assessors = ["1", "2", "2", "1", "2", "3"]
    panel = Panel.from_records(
        [*objects, "a"], [*assessors, "3"], [50.0, 55, 60, 52, 70, 61, 58], [1, 1, 1, 1, 1e6, 1e6, 1e-7]
    )
    _check_left_out(panel)


def _slope(panel: Panel, k: int, gauge: str, reference: float | None) -> np.ndarray:
    """Central difference, refined once (Richardson)."""

    def moved(share: float) -> np.ndarray:
        confidences = panel.confidences.copy()
        confidences[k] *= 1 + share
        fit = calibrate(panel.with_confidences(confidences), gauge=gauge, reference=reference)
        return fit.values

    def difference(share: float) -> np.ndarray:
        return (moved(share) - moved(-share)) / (2 * share * panel.confidences[k])

    return (4 * difference(5e-4) - difference(1e-3)) / 3


@pytest.mark.parametrize(("gauge", "reference"), [("weighted", None), ("equal", None), ("reference", 50.0)])
@pytest.mark.parametrize("name", ["hml_15x8", "petersen_augmented", "dup_pairs_differing", "one_object"])
def test_confidence_slopes_agree_with_refitting(name, gauge, reference):
    panel = load_case(name).panel
    measured = influence(calibrate(panel, gauge=gauge, reference=reference))
    for k in range(panel.n_assessments):
        slope = _slope(panel, k, gauge, reference)
        slack = 1e-7 * (np.abs(slope).max() + 1)
        assert measured.confidence_slope[k] == pytest.approx(slope[panel.object_index[k]], abs=slack)
        assert measured.value_slopes(k) == pytest.approx(slope, abs=slack)


def test_leverages_add_up_to_the_number_of_unknowns():
    for shape in ((60, 7, 3), (7, 40, 20)):
        panel = connected_simulated_panel(*shape, seed=6)
        unknowns = panel.n_objects + panel.n_assessors - 1
        assert influence(calibrate(panel)).leverage.sum() == pytest.approx(unknowns, rel=1e-10)


@pytest.mark.parametrize("shape", [(400, 30, 4), (30, 400, 9)])
def test_bounds_settle_the_same_figures_as_working_all_out(monkeypatch, shape):
    fit = calibrate(well_linked(*shape))
    found = influence(fit)
    everything = (np.full(fit.panel.n_assessments, -1e12), np.full(fit.panel.n_assessments, 1e12))
    monkeypatch.setattr(module, "_averaged_bounds", lambda equations: everything)
    monkeypatch.setattr(module, "_direct_bounds", lambda equations: everything)
    assert found.largest_proven.all()
    assert found.largest_shift == pytest.approx(influence(fit).largest_shift, rel=1e-9)


def test_what_is_not_worked_out_is_said_not_to_be(monkeypatch):
    fit = calibrate(well_linked(400, 30, 4))
    exact = influence(fit)
    monkeypatch.setattr(kept_system, "DENSE_AT_ONCE", 0)
    monkeypatch.setattr(kept_system, "DENSE_AT_MOST", 0)
    monkeypatch.setattr(kept_system, "_MOST_PAIRS", 0)
    own = influence(calibrate(fit.panel))
    assert own.stated_error > 0
    assert not own.largest_proven[~np.isinf(own.largest_shift)].any()
    assert np.median(np.abs(own.own_shift / exact.own_shift - 1)) < own.stated_error


def test_beyond_what_can_be_refitted_nothing_is_guessed(monkeypatch):
    """All assessments taken for nearly only links, five fresh fits allowed: the others' figures are not known."""
    panel = connected_simulated_panel(20, 6, 4, seed=1)
    exact = influence(calibrate(panel))
    monkeypatch.setattr(module, "_TOO_FEW_DIGITS", -1.0)
    monkeypatch.setattr(module, "_FEWEST_REFITS", 5)
    monkeypatch.setattr(module, "_REFITTED_ASSESSMENTS", 0)
    result = influence(calibrate(panel))
    assert np.flatnonzero(result.delicate).tolist() == [0, 1, 2, 3, 4]
    assert result.largest_shift[:5] == pytest.approx(exact.largest_shift[:5], rel=1e-9)
    assert np.isnan(result.largest_shift[5:]).all()
    assert np.isnan(result.own_shift[5:]).all()
