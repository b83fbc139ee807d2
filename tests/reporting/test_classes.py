"""Which boundary an object crosses, and how likely it is to be on its better side."""

from types import SimpleNamespace

import numpy as np
import pytest

from panelcal import Panel, probability_at_or_above
from panelcal.reading.settings import Band
from panelcal.reporting.run_facts import RunFacts
from panelcal.systems.calibration.cases import _case
from panelcal.systems.calibration.classes import classify
from panelcal.systems.calibration.links import _in_tenths
from panelcal.systems.calibration.report import build_report
from panelcal.systems.calibration.results import compute_results
from panels import connected_simulated_panel
from readings import reading_of

EXACT = 1e-9


@pytest.fixture(scope="module")
def panel():
    """Assessors so different that some objects cross two boundaries or more, both ways."""
    made = connected_simulated_panel(60, 8, 3, seed=4)
    leaning = np.linspace(-20, 20, made.n_assessors)[made.assessor_index]
    return Panel.from_records(made.object_index, made.assessor_index, made.scores + leaning, made.confidences)


@pytest.mark.slow
@pytest.mark.parametrize("higher", [True, False], ids=["higher is better", "lower is better"])
def test_the_chance_is_that_of_the_boundary_next_to_the_value(panel, higher):
    lowest = (70, 60, 50, 40, 0) if higher else (30, 40, 50, 60, 100)
    bands = tuple(Band(f"Class {k}", boundary) for k, boundary in enumerate(lowest))
    results = compute_results(reading_of(panel, bands=bands, higher_is_better=higher))
    classes = classify(results)
    several = 0
    for k, (raw, value) in enumerate(zip(results.raw, results.values, strict=True)):
        between = [b for b in lowest[:-1] if min(raw, value) < b < max(raw, value)]
        assert list(classes.crossed_at(k)) == sorted(between, reverse=bool(value < raw))
        if not between:
            assert np.isnan(classes.crossed[k]) and np.isnan(classes.reaches_crossed[k])
            continue
        several += len(between) > 1
        nearest = max(between) if value > raw else min(between)
        above = probability_at_or_above(results.calibration, float(nearest))[k]
        assert classes.crossed[k] == nearest
        assert classes.reaches_crossed[k] == pytest.approx(above if higher else 1 - above, abs=EXACT)
    assert several > 2


def test_a_method_without_errors_crosses_without_a_chance(panel):
    classes = classify(compute_results(reading_of(panel, method="median_polish")))
    moved = classes.before != classes.after
    assert moved.any()
    assert np.isfinite(classes.crossed[moved]).all()
    assert np.isnan(classes.reaches_crossed).all()


def test_open_cases_are_settled_on_cal_links(example_results):
    report = build_report(example_results, RunFacts(created="2026-01-01T00:00:00"))
    links = next(sheet for sheet in report.sheets if sheet.name == "Cal links")
    table = next(table for table in links.tables if table.name == "to settle open cases")
    classes = classify(example_results)
    low, high = example_results.value_interval(0.95).T
    open_now = {
        example_results.panel.objects[o] for o, boundary in classes.open_cases() if low[o] <= boundary <= high[o]
    }
    assert open_now == set(table.columns[0].cells)
    shown = [chance for chance in table.columns[1].cells if chance is not None]
    chances = [0.0 if chance == "below 1%" else chance for chance in shown]
    assert chances == sorted(chances, reverse=True)
    assert all(chance == 0 or 0.01 <= chance <= 1 for chance in chances)
    made = {
        (example_results.panel.objects[o], example_results.panel.assessors[a])
        for o, a in zip(example_results.panel.object_index, example_results.panel.assessor_index, strict=True)
    }
    for label, words in zip(table.columns[0].cells, table.columns[2].cells, strict=True):
        assert (label, words.split(" (")[0]) not in made


MEDALS = (Band("Gold", 70), Band("Silver", 60), Band("Bronze", 50))


@pytest.mark.slow
def test_who_reaches_no_class_is_below_the_last_one(panel):
    results = compute_results(reading_of(panel, bands=MEDALS, scale_low=0.0, scale_high=100.0))
    classes = classify(results)
    assert [band.name for band in classes.bands] == ["Gold", "Silver", "Bronze", "below Bronze"]
    assert (classes.before == 3).tolist() == (results.raw < 50).tolist()
    assert (classes.after == 3).tolist() == (results.values < 50).tolist()
    report = build_report(results, RunFacts(created="2026-01-01T00:00:00"))
    shown = {column.heading: column.cells for column in report.sheets[1].tables[0].columns}
    at = [results.panel.objects.index(label) for label in shown["Student"]]
    for heading, places in (("Class before", classes.before), ("Class after", classes.after)):
        assert [name == "below Bronze" for name in shown[heading]] == (places[at] == 3).tolist()
    summary = {table.name: table for table in report.sheets[0].tables}
    assert list(summary["classes"].columns[0].cells)[-1] == "below Bronze"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bands", "scale_low", "added"),
    [
        ((Band("Interview", 60),), None, True),
        ((Band("Interview", 60),), 60.0, False),  # begins where the scale does
        ((Band("Pass", 60), Band("Fail", 0)), None, False),
        ((Band("Pass", 60), Band("Fail", 0)), 0.0, False),
    ],
)
def test_a_class_that_begins_with_the_scale_has_nothing_below(panel, bands, scale_low, added):
    classes = classify(compute_results(reading_of(panel, bands=bands, scale_low=scale_low)))
    assert (classes.bands[-1].name == "below Interview") == added
    assert len(classes.bands) == len(bands) + added


@pytest.mark.slow
def test_of_lower_is_better_those_above_the_last_boundary_are_below_the_last_class(panel):
    bands = (Band("Very good", 50), Band("Good", 65))
    results = compute_results(reading_of(panel, bands=bands, higher_is_better=False, scale_high=100.0))
    classes = classify(results)
    assert classes.bands[-1].name == "below Good"
    assert (classes.after == 2).tolist() == (results.values > 65).tolist()


def test_of_many_open_cases_the_likeliest_to_be_settled_are_listed():
    """A board of hundreds had pages of chances below 1%."""
    panel = connected_simulated_panel(150, 12, 3, seed=3)
    bands = tuple(Band(f"from {low}", float(low)) for low in (80, 70, 65, 60, 55, 50, 0))
    results = compute_results(reading_of(panel, bands=bands))
    report = build_report(results, RunFacts(created="2026-01-01T00:00:00"))
    links = next(sheet for sheet in report.sheets if sheet.name == "Cal links")
    table = next(table for table in links.tables if table.name == "to settle open cases")
    low, high = results.value_interval(0.95).T
    found = {o for o, boundary in classify(results).open_cases() if low[o] <= boundary <= high[o]}
    assert table.n_rows == 21 and len(found) > 20
    assert table.columns[0].cells[-1] == f"and {len(found) - 20} more"


def test_a_share_is_never_called_none_when_there_is_some():
    assert [_in_tenths(share) for share in (0.0231, 0.0005, 0.0004)] == ["2.3%", "0.1%", "less than 0.1%"]


def test_a_case_printed_as_the_boundary_that_it_misses_says_so(example_results):
    """On the page the value is 60.0 and the class the one below 60."""
    classes = classify(example_results)
    found = [classes.printed_boundary(value, 2) for value in (59.97, 59.94, 58.0, 60.0)]
    assert found == [60.0, None, None, 60.0]
    assert classes.printed_boundary(75.0, 0) is None
    at = int(np.flatnonzero(classes.before < classes.after)[0])
    below = float(classes.crossed[at])
    values = np.array(example_results.values)
    values[at] = below - 0.03
    moved = SimpleNamespace(
        values=values, reading=example_results.reading, panel=example_results.panel, change=example_results.change
    )
    assert f"{below - 0.03:.2f}, 0.03 short of {below:g}" in _case(moved, classes, at)
