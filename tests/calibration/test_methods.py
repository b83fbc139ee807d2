"""The four approaches of the paper's Table 1."""

import numpy as np
import pytest
from hypothesis import given

from panelcal import Panel, calibrate, compare
from panels import panels


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
