"""A new method is one new file and one line: the median of each object's scores, as a newcomer would add it."""

import sys
import types

import pytest

from panelcal import Panel, fit, methods
from panelcal.methods import METHODS
from panelcal.reporting.run_facts import RunFacts
from panelcal.systems.calibration.report import build_report
from panelcal.systems.calibration.results import compute_results
from readings import reading_of

FILE = '''
import numpy as np

from panelcal.methods.method import FittedMethod, Method
from panelcal.panel import Panel


def _median(panel: Panel) -> FittedMethod:
    """Take the median of each object's scores."""
    values = np.array([np.median(panel.scores[panel.object_index == k]) for k in range(panel.n_objects)])
    return FittedMethod("median", values, None, MEDIAN.note)


MEDIAN = Method("median", "Median", "The middle score. For a quick look, not where biases differ.", _median)
'''


@pytest.fixture
def with_median(monkeypatch):
    module = types.ModuleType("panelcal.methods.median")
    exec(FILE, module.__dict__)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(METHODS, "median", "median")


@pytest.fixture
def panel():
    return Panel.from_matrix([[50, 60, 70], [40, 65, None], [55, None, 75], [45, 50, 62.0]])


def test_it_is_offered_fitted_and_a_column_of_cal_methods(with_median, panel):
    assert methods()[-1].title == "Median"
    assert fit(panel, "median").values.tolist() == [60, 52.5, 65, 50]
    reading = reading_of(panel, compare=("median",))
    report = build_report(compute_results(reading), RunFacts(created="2026-01-02T03:04:05"))
    table = next(sheet for sheet in report.sheets if sheet.name == "Cal methods").tables[0]
    shown = next(column for column in table.columns if column.heading == "Median")
    cells = dict(zip(table.columns[0].cells, shown.cells, strict=True))
    assert [cells[name] for name in panel.objects] == [60, 52.5, 65, 50]
