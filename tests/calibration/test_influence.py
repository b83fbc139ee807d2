"""Leaving assessments out and changing confidences, against doing it and calibrating again."""

import numpy as np
import pytest
from hypothesis import given, settings

from panelcal import Panel, calibrate, influence
from panels import connected_simulated_panel, panels
from reference_cases import CONNECTED, load_case

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


@pytest.mark.parametrize("shape", [(60, 7, 3), (7, 40, 20)])
def test_leaving_out_agrees_with_refitting_on_larger_panels_of_either_shape(shape):
    _check_left_out(connected_simulated_panel(*shape, seed=4))


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
