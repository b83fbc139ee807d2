"""The four charts by matplotlib: what is drawn where."""

import sys

import numpy as np
import pytest

from panelcal import MethodNotApplicable, Panel, calibrate, compare, uncertainty
from panels import connected_simulated_panel

CALIBRATION = calibrate(connected_simulated_panel(12, 5, 3, 5))


@pytest.fixture
def axes():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    yield pyplot.figure().add_subplot()
    pyplot.close("all")


def points_of(axes, marker):
    return next(line.get_xydata() for line in axes.lines if line.get_marker() == marker)


@pytest.mark.parametrize("kind", ["values", "biases"])
def test_sorted_points_with_intervals_and_names(axes, kind):
    assert CALIBRATION.plot(kind, axes=axes, level=0.8) is axes
    centres = getattr(CALIBRATION, kind)
    order = np.argsort(centres)
    assert np.array_equal(points_of(axes, "o")[:, 0], centres[order])
    errors = uncertainty(CALIBRATION)
    ends = (errors.value_interval if kind == "values" else errors.bias_interval)(0.8)[order]
    drawn = np.array([segment[:, 0] for segment in axes.collections[0].get_segments()])
    assert np.array_equal(drawn, ends)
    labels = CALIBRATION.panel.objects if kind == "values" else CALIBRATION.panel.assessors
    assert [text.get_text() for text in axes.get_yticklabels()] == [labels[k] for k in order]
    assert "80%" in axes.get_title()


def test_changes_and_residuals(axes):
    CALIBRATION.plot("changes", axes=axes)
    average = compare(CALIBRATION.panel).weighted_average
    assert np.array_equal(points_of(axes, "o"), np.column_stack([average, CALIBRATION.values]))
    axes.clear()
    CALIBRATION.plot("residuals", axes=axes)
    assert np.array_equal(points_of(axes, "o"), np.column_stack([CALIBRATION.fitted, CALIBRATION.residuals]))


def test_a_figure_is_made_where_none_is_given_and_can_be_saved(axes, tmp_path):
    figure = CALIBRATION.plot().figure
    assert figure is not axes.figure
    figure.savefig(tmp_path / "values.png")
    assert (tmp_path / "values.png").read_bytes().startswith(b"\x89PNG")


def test_a_panel_without_errors_and_one_with_many_names_are_drawn(axes):
    calibrate(Panel.from_records(["a", "a"], ["x", "y"], [1.0, 2.0])).plot(axes=axes)
    axes.clear()
    calibrate(connected_simulated_panel(60, 5, 3, 5)).plot(axes=axes)
    assert not axes.get_yticklabels()


def test_what_is_not_there_is_said_in_one_sentence(monkeypatch):
    with pytest.raises(MethodNotApplicable, match="no chart 'value': choose one of values, biases, changes, residuals"):
        CALIBRATION.plot("value")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MethodNotApplicable, match=r'need matplotlib: pip install "panelcal\[plot\]"'):
        CALIBRATION.plot()
