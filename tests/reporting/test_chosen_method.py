"""A report of values by a method that is no calibration; calibration with confidence is what is proven."""

import functools
import re

import numpy as np
import pytest

from panelcal import MethodNotApplicable, Panel, calibrate, fit
from panelcal.ordinal.review_thresholds import review_thresholds
from panelcal.reading.grid import column_letters
from panelcal.reporting.run_facts import RunFacts
from panelcal.systems.calibration.classes import classify
from panelcal.systems.calibration.extracts import object_extract
from panelcal.systems.calibration.outcome import outcome_sentences
from panelcal.systems.calibration.report import build_report
from panelcal.systems.calibration.results import compute_results
from panelcal.systems.calibration.why import explain_values
from panels import connected_simulated_panel
from questions import questions_of
from readings import BANDS, reading_of

OTHERS = [
    "assessor_centred", "z_scores", "spread", "bounded", "log", "shrunken_biases", "random_effects", "median_polish",
    "bisquare", "review_thresholds", "hodge", "hodge_signs",
]  # fmt: skip
ADDING_UP = {"assessor_centred", "shrunken_biases"}
UP_TO_ROUNDING, TIED = 0.0501, 1e-8


@pytest.fixture(autouse=True)
def fewer_sweeps(monkeypatch):
    """Nothing here is about how exactly the sampled method samples."""
    monkeypatch.setitem(review_thresholds.__kwdefaults__, "sweeps", 240)
    monkeypatch.setitem(review_thresholds.__kwdefaults__, "burn_in", 60)


@functools.cache
def made_panel():
    """Whole scores from 1 to 12, six objects or more for every assessor: every method can be used."""
    made = connected_simulated_panel(30, 6, 4, seed=9)
    scores = np.clip(np.rint(made.scores / 7), 1, 12)
    return Panel.from_records(made.object_index, made.assessor_index, scores, made.confidences)


@pytest.fixture
def panel():
    return made_panel()


@functools.cache
def usual_report_of(method):
    """The report of the panel that most tests here share."""
    return report_of(made_panel(), method=method)


def report_of(panel, **settings):
    results = compute_results(reading_of(panel, bands=(), **settings))
    return results, build_report(results, RunFacts(created="2026-01-02T03:04:05"))


def table_of(report, name):
    return next(sheet for sheet in report.sheets if sheet.name == name).tables[0]


def column_of(report, name, heading):
    return list(next(c for c in table_of(report, name).columns if c.heading == heading).cells)


def rows_of(report, name, labels):
    return [labels.index(label) for label in table_of(report, name).columns[0].cells]


BLANK_BY_METHOD = ("Rank from", "Rank to", "Lower", "Upper")


@pytest.mark.parametrize("method", ["confidence", *OTHERS])
def test_the_line_on_top_names_each_of_these_columns_that_is_blank_and_no_other(panel, method):
    _, report = usual_report_of(method)
    line = next(sheet for sheet in report.sheets if sheet.name == "Cal values").explanation
    said = line.partition("stay blank")[0].rpartition(". ")[2] if "stay blank" in line else ""
    for heading in BLANK_BY_METHOD:
        blank = all(cell is None for cell in column_of(report, "Cal values", heading))
        assert blank == (heading in said), heading


def test_ranks_that_are_too_many_to_simulate_are_said_to_be_blank(panel, monkeypatch):
    monkeypatch.setattr("panelcal.calibration.ranking._MOST_OBJECTS_DRAWN", 5)
    _, report = report_of(panel)
    line = next(sheet for sheet in report.sheets if sheet.name == "Cal values").explanation
    assert "confidence. Rank from and Rank to stay blank: too many students to simulate them." in line


@pytest.mark.parametrize("method", OTHERS)
def test_values_errors_and_ranks_are_those_of_the_method(panel, method):
    expected = fit(panel, method)
    results, report = usual_report_of(method)
    values = np.array(column_of(report, "Cal values", "Calibrated value"))
    rows = rows_of(report, "Cal values", panel.objects)
    assert values.tolist() == expected.values[rows].tolist()
    assert column_of(report, "Cal values", "Rank") == [1 + int((values > v + TIED).sum()) for v in values]
    raw = np.array(column_of(report, "Cal values", "Raw average"))
    assert column_of(report, "Cal values", "Change") == pytest.approx(values - raw)
    errors = column_of(report, "Cal values", "Standard error")
    assert errors == ([None] * 30 if expected.value_errors is None else expected.value_errors[rows].tolist())
    lower, upper = column_of(report, "Cal values", "Lower"), column_of(report, "Cal values", "Upper")
    if expected.value_errors is None:
        assert set(lower) == set(upper) == {None}
    else:
        assert (np.array(lower) < values).all() and (values < np.array(upper)).all()
    for heading in ("Bound", "Worst case", "Sensitivity"):
        assert set(column_of(report, "Cal values", heading)) == {None}
    assert results.change.tolist() == (expected.values - results.raw).tolist()


@pytest.mark.parametrize("method", [pytest.param("random_effects", marks=pytest.mark.slow), "median_polish"])
def test_the_proof_checks_calibration_with_confidence_which_has_a_column_of_its_own(panel, method):
    _, report = usual_report_of(method)
    values = table_of(report, "Cal values")
    certified = column_of(report, "Cal values", "Calibration with confidence")
    assert certified == calibrate(panel).values[rows_of(report, "Cal values", panel.objects)].tolist()
    letter = column_letters(values.column_number("Calibration with confidence"))
    proof = table_of(report, "Cal proof")
    fitted = next(column for column in proof.columns if column.heading == "Fitted")
    assert all(re.match(rf"='Cal values'!\$?{letter}\$?\d+\+", formula) for formula in fitted.formulas)
    assert (
        column_of(report, "Cal assessors", "Bias")
        == calibrate(panel).biases[rows_of(report, "Cal assessors", panel.assessors)].tolist()
    )
    for name in ("Cal assessors", "Cal residuals", "Cal proof"):
        sheet = next(sheet for sheet in report.sheets if sheet.name == name)
        assert "calibration with confidence, not of the method" in sheet.explanation
        assert sheet.across >= 7, "a line as long as that wraps, or paper cuts it off"
    biases = next(sheet for sheet in report.sheets if sheet.name == "Cal assessors")
    assert "taken off" not in biases.explanation  # not from the values of this method


@pytest.mark.parametrize("method", OTHERS)
def test_the_summary_names_the_method_and_says_when_not_to_use_it(panel, method):
    results, report = usual_report_of(method)
    questions = questions_of(report)
    assert next(iter(questions)) == f"Values by: {results.method.title}"
    assert questions[f"Values by: {results.method.title}"][1].startswith(results.method.note)
    assert f"Calibrating by {results.method.title} moves " in report.sheets[0].front.sentence
    assert not any("do not count" in question or question.startswith("Order within") for question in questions)
    assert outcome_sentences(results)[0].startswith(f"Values by the method {results.method.title}. ")


@pytest.mark.parametrize("method", OTHERS)
def test_why_gives_parts_where_they_add_up_and_otherwise_says_what_was_done(panel, method):
    results, _ = usual_report_of(method)
    whys = explain_values(results, None)
    assert (results.biases_taken_off is not None) == (method in ADDING_UP)
    for k, why in enumerate(whys):
        printed = f"{results.values[k]:.1f}"
        if method in ADDING_UP:
            parts = [
                (1 if verb == "added" else -1) * float(size)
                for verb, size in re.findall(r"(added|took) (\d+\.\d)", why)
            ]
            assert round(results.raw[k], 1) + sum(parts) == pytest.approx(float(printed), abs=UP_TO_ROUNDING)
            assert f"Calibrated {printed}" in why
        else:
            assert f"{results.method.title}: {printed}" in why
            assert "No amounts add up to the change: " in why
            assert f"Calibration with confidence: {results.calibration.values[k]:.1f}." in why


def test_a_gross_error_that_bisquare_sets_aside_is_named():
    made = connected_simulated_panel(30, 6, 4, seed=9)
    scores = made.scores.copy()
    scores[7] += 80
    results, _ = report_of(
        Panel.from_records(made.object_index, made.assessor_index, scores, made.confidences), method="bisquare"
    )
    panel = results.panel
    why = explain_values(results, None)[panel.object_index[7]]
    assert f"Set aside as a gross error: the mark of {panel.assessors[panel.assessor_index[7]]}" in why


def test_intervals_and_chances_follow_the_method(panel):
    results, _ = report_of(panel, method="bounded")
    interval = results.value_interval(0.95)
    assert (interval > 0).all() and (interval < 20.5).all()
    for k in (0, 7):
        assert results.exceeds(interval[k, 0])[k] == pytest.approx(0.975)
    without, _ = report_of(panel, method="median_polish")
    assert np.isnan(without.exceeds(5.0)).all()


def test_classes_follow_the_method(panel):
    made = connected_simulated_panel(30, 6, 4, seed=9)
    results = compute_results(reading_of(made, method="random_effects", bands=BANDS))
    classes = classify(results)
    expected = np.select([results.values >= 70, results.values >= 60, results.values >= 50, results.values >= 40],
                         [0, 1, 2, 3], 4)  # fmt: skip
    assert classes.after.tolist() == expected.tolist()
    assert np.isfinite(classes.at_least).all()


def test_the_scale_of_the_settings_goes_to_the_bounded_method(panel):
    results, _ = report_of(panel, method="bounded", scale_low=0.0, scale_high=13.0)
    assert results.chosen.detail.scale == (0.0, 13.0)
    only_one_end, _ = report_of(panel, method="bounded", scale_high=13.0)
    assert only_one_end.chosen.detail.scale == (0.0, 20.0)


def test_a_reference_goes_to_both_calibrations(panel):
    for method in ("confidence", "fisher"):
        results, _ = report_of(panel, method=method, gauge="reference", reference=5.0)
        assert results.calibration.reference == 5.0


def test_averages_and_methods_that_cannot_be_used_are_refused_in_one_sentence(panel):
    for method in ("simple_average", "weighted_average"):
        with pytest.raises(MethodNotApplicable, match="does not calibrate"):
            report_of(panel, method=method)
    scores = panel.scores.copy()
    scores[3] = 0
    zero = Panel.from_records(panel.object_index, panel.assessor_index, scores, panel.confidences)
    with pytest.raises(MethodNotApplicable, match="Logarithms need scores above 0"):
        report_of(zero, method="log")


@pytest.mark.slow
def test_an_extract_shows_adjusted_marks_only_where_they_add_up(panel):
    for method, adjusted in (("confidence", True), ("shrunken_biases", True), ("random_effects", False)):
        results, _ = report_of(panel, method=method)
        extract = object_extract(results, panel.objects[3], created="2026-01-02T03:04:05")
        headings = [column.heading for column in extract.sheets[0].tables[0].columns]
        assert ("Effect on the value" in headings) == adjusted
        assert f"calibrated value {results.values[3]:.1f}" in extract.sheets[0].notes[0].text
        if adjusted:
            effects = [effect for effect in extract.sheets[0].tables[0].columns[-1].cells if effect != ""]
            assert sum(effects) == pytest.approx(results.change[3], abs=0.05 * len(effects) + 1e-9)


def test_for_the_usual_method_nothing_of_this_shows(panel):
    results, report = report_of(panel)
    assert results.is_calibration
    assert "Calibration with confidence" not in [c.heading for c in table_of(report, "Cal values").columns]
    assert not next(iter(questions_of(report))).startswith("Values by")
