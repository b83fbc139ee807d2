"""Results at the prompt and in a notebook: one line, a table, a little HTML."""

import pickle
import re
from html.parser import HTMLParser

import numpy as np
import pytest

import panelcal
from panelcal import Panel, Ratings, calibrate, uncertainty
from panels import connected_simulated_panel

PANEL = connected_simulated_panel(40, 7, 3, 5)
CALIBRATION = calibrate(PANEL)


def results():
    yield PANEL
    yield CALIBRATION
    for name in (
        "assessor_differences certify declared_confidences influence nonadditivity robustness uncertainty "
        "unexpected_scores value_posterior"
    ).split():
        yield getattr(panelcal, name)(CALIBRATION)
    for name in ("compare", "fit", "network", "verdict"):
        yield getattr(panelcal, name)(PANEL)
    yield panelcal.methods()[0]
    yield panelcal.network(PANEL).weakest_links[0]
    yield panelcal.plan_assignment(6, 4, 2)
    yield Ratings.from_records(["a", "a", "b", "b"], ["x", "y", "x", "y"], [1, 2, 2, 3])
    yield panelcal.fit_anchor_curve([20.0, 40.0, 55.0, 70.0, 90.0], [25.0, 42.0, 50.0, 72.0, 85.0])


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.cells = [], []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.cells.append(data)


@pytest.mark.parametrize("result", list(results()), ids=lambda result: type(result).__name__)
def test_a_result_is_one_short_line_and_well_formed_html(result):
    line = repr(result)
    assert line.startswith(f"<{type(result).__name__}: ") and line.endswith(">")
    assert len(line) < 250 and "\n" not in line and "array(" not in line
    page = Tags()
    page.feed(result._repr_html_())
    assert not page.open and type(result).__name__ in page.cells


def test_the_line_has_shapes_and_main_figures():
    assert f"values (40,), biases (8,), residuals ({PANEL.n_assessments},), gauge weighted" in repr(CALIBRATION)
    assert f"R {CALIBRATION.weighted_residual_sum:.5g}" in repr(CALIBRATION)
    assert f"objects 40, assessors 8, assessments {PANEL.n_assessments}" in repr(PANEL)
    assert "advice " in repr(panelcal.verdict(PANEL)) and "mu2 " in repr(panelcal.robustness(CALIBRATION))


def test_a_result_is_the_same_after_a_trip_to_another_process():
    again = pickle.loads(pickle.dumps(CALIBRATION))
    assert repr(again) == repr(CALIBRATION) and np.array_equal(again.values, CALIBRATION.values)
    errors = panelcal.uncertainty(CALIBRATION)
    entries = pickle.loads(pickle.dumps(errors)).calibration.equations.entries
    assert np.array_equal(entries.along, CALIBRATION.equations.entries.along)


def test_labels_are_text_in_html_never_tags():
    panel = Panel.from_matrix([[1.0, 2.0], [3.0, 5.0]], objects=["<b>bold", "&"], assessors=["x", "y"])
    assert "&lt;b&gt;bold" in panel._repr_html_() and "<b>bold" not in panel._repr_html_()


def test_the_summary_prints_figures_values_and_biases_with_errors():
    text = str(CALIBRATION.summary(rows=3))
    assert repr(CALIBRATION.summary(rows=3)) == text
    assert all(len(line) <= 78 for line in text.splitlines())
    for name, figure in (
        ("Assessments, N", f"{PANEL.n_assessments}"),
        ("Unknowns, p", "47"),
        ("Degrees of freedom, N - p", f"{PANEL.n_assessments - 47}"),
        ("Gauge", "weighted"),
        ("Weighted squares, R", f"{CALIBRATION.weighted_residual_sum:.6g}"),
        ("w, by R/(N - p)", f"{CALIBRATION.w_unbiased:.6g}"),
    ):
        assert re.search(rf"{re.escape(name)}: +{re.escape(figure)}(\s|$)", text), name
    errors = uncertainty(CALIBRATION)
    for k, label in enumerate(PANEL.objects[:3]):
        low, high = errors.value_interval()[k]
        cells = [f"{x:.3f}" for x in (CALIBRATION.values[k], errors.value_errors[k], low, high)]
        assert re.search(rf"^{re.escape(label)} +{' +'.join(map(re.escape, cells))} +\d+$", text, re.MULTILINE)
    assert "... and 37 more objects" in text and "... and 5 more assessors" in text
    assert f"{errors.bias_errors[2]:.3f}" in text and f"{errors.bias_errors[3]:.3f}" not in text


def test_the_summary_of_a_panel_that_says_nothing_of_errors_says_so():
    text = str(calibrate(Panel.from_records(["a", "a"], ["x", "y"], [1.0, 2.0])).summary())
    assert "unknown" in text and "nothing says how large the errors are" in text and "nan" not in text


def test_long_labels_and_large_numbers_stay_within_their_columns():
    panel = Panel.from_matrix(np.array([[1e12, 2.0], [3.0, 5e13]]), objects=["x" * 60, "b"])
    assert all(len(line) <= 78 for line in str(calibrate(panel).summary()).splitlines())
