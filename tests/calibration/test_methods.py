"""Table 1 and the registry of methods."""

import numpy as np
import pytest
from hypothesis import given

from panelcal import MethodNotApplicable, Panel, calibrate, compare, fit, methods
from panels import panels
from reference_cases import load_case


@given(panels())
def test_the_four_approaches_are_what_table_1_says(panel):
    result = compare(panel)
    for k in range(panel.n_objects):
        mine = panel.object_index == k
        assert result.simple_average[k] == pytest.approx(panel.scores[mine].mean(), abs=1e-9)
        weighted = np.average(panel.scores[mine], weights=panel.confidences[mine])
        assert result.weighted_average[k] == pytest.approx(weighted, abs=1e-9)
    assert result.confidence == pytest.approx(calibrate(panel).values)
    equal = panel.with_confidences(np.ones(panel.n_assessments))
    assert result.fisher == pytest.approx(calibrate(equal).values)


def test_a_complete_table_needs_no_calibration():
    random = np.random.default_rng(0)
    result = compare(Panel.from_matrix(random.normal(60, 10, (8, 5))))
    assert result.fisher == pytest.approx(result.simple_average)


@pytest.mark.parametrize("name", [entry.name for entry in methods()])
def test_every_method_of_the_registry_runs_and_says_when_to_use_it(name):
    panel = load_case("hml_15x8").panel
    result = fit(panel, name)
    assert result.method == name
    assert result.values.shape == (15,)
    assert result.value_errors is None or result.value_errors.shape == (15,)
    assert result.note.endswith(".")


def test_an_unknown_method_is_refused_with_the_list():
    with pytest.raises(MethodNotApplicable, match="simple_average"):
        fit(load_case("one_object").panel, "magic")
