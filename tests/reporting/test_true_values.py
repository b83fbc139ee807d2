"""What intervals take as given and what probabilities count, said where they stand."""

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from panelcal import Panel
from panelcal.reading.settings import Band
from panelcal.reporting.run_facts import RunFacts
from panelcal.systems.calibration.classes import classify
from panelcal.systems.calibration.report import build_report
from panelcal.systems.calibration.results import compute_results
from panelcal.systems.calibration.true_values import (
    partly_luck,
    probability_lines,
    selection_warning,
    zero_point_line,
)
from panels import connected_simulated_panel
from readings import reading_of

BANDS = (Band("Pass", 60.0), Band("Fail", 0.0))


def test_the_zero_point_is_said_with_the_width_that_includes_it():
    results = compute_results(reading_of(connected_simulated_panel(40, 6, 3, seed=7)))
    said = re.search(
        r"uncertain, by ([\d.]+) for all .* half-width is ([\d.]+) instead of ([\d.]+)\.", zero_point_line(results)
    )
    zero, both, alone = map(float, said.groups())
    assert zero == pytest.approx(results.posterior.zero_point_error, abs=0.05)
    reach = (np.diff(results.uncertainty.value_interval(0.95), axis=1) / 2 / results.value_errors[:, None]).mean()
    assert both**2 - alone**2 == pytest.approx((reach * zero) ** 2, rel=0.3)
    fixed = compute_results(reading_of(results.panel, gauge="reference", reference=60.0))
    assert zero_point_line(fixed) == ""


def test_the_lines_stand_below_cal_values_where_there_are_classes():
    for bands in ((), BANDS):
        results = compute_results(reading_of(connected_simulated_panel(40, 6, 3, seed=7), bands=bands))
        report = build_report(results, RunFacts(created="2026-01-02T03:04:05", versions={"panelcal": "test"}))
        notes = [note.text for note in next(s for s in report.sheets if s.name == "Cal values").notes]
        assert any(zero_point_line(results) in note for note in notes)
        assert bool(probability_lines(results)) == bool(bands)
        assert all(any(line in note for note in notes) for line in probability_lines(results))


def test_strong_selection_is_warned_of():
    random = np.random.default_rng(1)
    ability, generosity = random.standard_normal(60), random.standard_normal(20)
    odds = 3 * np.outer(ability, generosity) + random.gumbel(size=(60, 20))
    objects, assessors = np.repeat(np.arange(60), 4), np.argsort(-odds, axis=1)[:, :4].ravel()
    scores = 60 + 8 * ability[objects] + 5 * generosity[assessors] + 4 * random.standard_normal(240)
    results = compute_results(reading_of(Panel.from_records(objects, assessors, scores), bands=BANDS))
    assert results.posterior.strong_selection
    assert "stronger" in selection_warning(results) and "generous" in selection_warning(results)
    by_chance = compute_results(reading_of(connected_simulated_panel(60, 20, 4, seed=1), bands=BANDS))
    assert selection_warning(by_chance) == ""


def test_the_summary_counts_those_who_are_likelier_in_the_class_they_come_from(example_results):
    """Of the made-up board one crosses 60 with 60.4 and is more likely below it, another likewise."""
    classes = classify(example_results)
    likelier = np.flatnonzero(classes.likelier_before)
    assert likelier.tolist() == [at for at in range(len(classes.before)) if classes.is_likelier_before(at)]
    assert len(likelier) == 2
    assert 60 < example_results.values[likelier[0]] < 61
    improved = (classes.after < classes.before)[likelier]
    assert ((classes.reaches_crossed[likelier] < 0.5) == improved).all()
    summary = build_report(example_results, RunFacts(created="2026-01-02T03:04:05")).sheets[0]
    assert "For 2 of them the class before is likelier." in summary.front.tiles[1].caption
    cases = next(note.text for note in summary.notes if note.text.startswith("To decide"))
    assert cases.endswith("values and biases far from the rest are partly luck")


def test_biases_are_named_among_what_makes_a_chance_differ_from_the_value(example_results):
    """Most of the made-up board lie above 60, so what makes 60.4 likelier below 60 cannot be the values alone."""
    at = int(np.flatnonzero(classify(example_results).likelier_before)[0])
    assert np.median(example_results.values) > example_results.values[at] > 60
    assert example_results.posterior.mean[at] < 60
    assert any("biases far from the rest are partly luck" in line for line in probability_lines(example_results))


def test_biases_are_not_named_where_they_are_taken_as_found(example_results):
    found = SimpleNamespace(posterior=replace(example_results.posterior, method="values only"))
    assert partly_luck(found) == "values far from the rest are partly luck"
