"""Which methods count as predicting about as well, and which classes all of them agree on."""

import numpy as np

from panelcal.calibration.cross_validation import PredictiveError, predict_about_as_well, surviving


def test_methods_within_two_percent_or_a_standard_error_count():
    nan = float("nan")
    errors = (
        PredictiveError("best", 10.0, 0.0, 0.0, ""),
        PredictiveError("within 2%", 10.19, 1.019**2 - 1, 0.001, ""),
        PredictiveError("beyond", 10.21, 1.021**2 - 1, 0.001, ""),
        PredictiveError("not to be told", 11.0, 0.21, 0.22, ""),
        PredictiveError("refused", nan, nan, nan, "too small"),
    )
    assert predict_about_as_well(errors) == ("best", "within 2%", "not to be told")


def test_a_class_survives_where_all_agree():
    places = np.array([[0, 1, 2, 1], [0, 1, 1, 1], [0, 2, 2, 1]])
    assert surviving(places).tolist() == [True, False, False, True]
