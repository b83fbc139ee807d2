"""The registry: every method by its name, on one footing, refusing in one sentence where it does not apply."""

import numpy as np
import pytest

import panelcal
from panelcal import MethodNotApplicable, Panel, PanelcalError, calibrate, fit, methods
from panels import simulated_panel
from reference_cases import CONNECTED, load_case

NAMES = [
    "simple_average", "weighted_average", "assessor_centred", "z_scores", "fisher", "confidence", "spread", "bounded",
    "log", "shrunken_biases", "random_effects", "median_polish", "bisquare", "review_thresholds", "hodge",
    "hodge_signs",
]  # fmt: skip
WITHOUT_ERRORS = {
    "simple_average", "weighted_average", "assessor_centred", "z_scores", "median_polish", "hodge_signs",
}  # fmt: skip


def _ratings() -> Panel:
    """A panel that every method can be used on: whole scores from 1 to 10."""
    panel = simulated_panel(30, 6, 4, seed=1)
    scores = np.clip(np.rint(panel.scores / 10), 1, 10)
    return Panel.from_records(panel.object_index, panel.assessor_index, scores, panel.confidences)


def test_the_names_are_those_that_were_promised():
    assert [entry.name for entry in methods()] == NAMES
    assert len({entry.title for entry in methods()}) == len(NAMES)
    assert all(entry.note.endswith(".") for entry in methods())
    assert panelcal.fit is fit


@pytest.mark.parametrize("name", NAMES)
def test_every_method_gives_values_errors_and_a_note(name):
    panel = _ratings()
    result = fit(panel, name)
    assert result.method == name
    assert result.values.shape == (30,)
    assert (result.value_errors is None) == (name in WITHOUT_ERRORS)
    if result.value_errors is not None:
        assert (result.value_errors > 0).all()
    assert result.note.endswith(".")
    assert np.corrcoef(result.values, calibrate(panel).values)[0, 1] > 0.6
    assert 3 < result.values.mean() < 8
    if result.biases is not None:
        assert result.biases.shape == (6,)
    if result.predict is not None:
        predicted = result.predict(panel.object_index, panel.assessor_index)
        assert np.corrcoef(predicted, panel.scores)[0, 1] > 0.5


@pytest.mark.parametrize("case", [*CONNECTED, "disconnected_two"])
def test_on_any_panel_a_method_gives_numbers_or_one_sentence(case):
    panel = load_case(case).panel
    for entry in methods():
        try:
            result = entry.run(panel)
        except PanelcalError as problem:
            assert str(problem).endswith(".")
            assert "\n" not in str(problem)
            continue
        assert np.isfinite(result.values).all(), entry.name


def test_only_calibrations_carry_a_calibration():
    panel = _ratings()
    carrying = {name for name in NAMES if fit(panel, name).calibration is not None}
    assert carrying == {"fisher", "confidence"}


def test_options_are_passed_on_and_unknown_ones_named():
    panel = _ratings()
    assert fit(panel, "confidence", gauge="equal").calibration.gauge == "equal"
    assert fit(panel, "bounded", scale=(0, 12)).detail.scale == (0, 12)
    with pytest.raises(MethodNotApplicable, match='spread has no option "gauge": its options are prior_deviation'):
        fit(panel, "spread", gauge="equal")
    with pytest.raises(MethodNotApplicable, match="it has none"):
        fit(panel, "z_scores", gauge="equal")


def test_an_unknown_method_is_refused_with_the_list():
    with pytest.raises(MethodNotApplicable, match="simple_average"):
        fit(load_case("one_object").panel, "magic")
