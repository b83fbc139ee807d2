"""The explanation of each value: its printed numbers add up exactly, and it says what it must."""

import re
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from panelcal import Panel
from panelcal.reading.nouns import plural_of
from panelcal.reading.settings import Band
from panelcal.reporting.wording import all_rounded_parts, number, rounded_parts
from panelcal.systems.calibration.classes import classify
from panelcal.systems.calibration.results import compute_results
from panelcal.systems.calibration.why import explain_values
from panels import connected_simulated_panel, panels
from readings import reading_of

AMOUNT = re.compile(r"(added|took) (\d+\.\d)")
ROUNDING = re.compile(r", rounding (added|took) (\d+\.\d)")


def _explanations(panel: Panel, **settings: object):
    results = compute_results(reading_of(panel, **settings))
    return results, explain_values(results, classify(results))


def _check_sums(panel: Panel) -> None:
    results, texts = _explanations(panel)
    for k, text in enumerate(texts):
        raw = Decimal(re.search(r"Raw average (-?\d+\.\d)", text)[1])
        calibrated = Decimal(re.search(r"Calibrated (-?\d+\.\d)", text)[1])
        parts = sum(Decimal(size) * (1 if verb == "added" else -1) for verb, size in AMOUNT.findall(text))
        assert raw + parts == calibrated, text
        assert raw == Decimal(number(results.raw[k]))
        assert calibrated == Decimal(number(results.calibration.values[k]))
        change = Decimal(number(results.change[k]))
        balance = re.search(r"(\d+\.\d) (below|above) the panel", text)
        assert (Decimal(balance[1]) * (1 if balance[2] == "below" else -1) if balance else 0) == change
        by_rounding = [Decimal(size) * (1 if verb == "added" else -1) for verb, size in ROUNDING.findall(text)]
        assert raw + change + sum(by_rounding) == calibrated
        assert not by_rounding or abs(by_rounding[0]) == Decimal("0.1")


@given(panels())
def test_the_printed_numbers_add_up_exactly(panel):
    _check_sums(panel)


def test_the_printed_numbers_add_up_exactly_on_a_board():
    _check_sums(connected_simulated_panel(80, 40, 9, seed=1))


def test_an_assessors_printed_part_is_its_share_of_the_bias_to_within_rounding():
    panel = connected_simulated_panel(30, 8, 3, seed=2)
    results, texts = _explanations(panel)
    for o, text in enumerate(texts):
        for k in np.flatnonzero(panel.object_index == o):
            assessor = panel.assessors[panel.assessor_index[k]]
            found = re.search(rf"\b{assessor} \([^)]*\) (?:(added|took) (\d+\.\d)|changed nothing)", text)
            share = panel.confidences[k] / panel.confidences[panel.object_index == o].sum()
            exact = -share * results.calibration.biases[panel.assessor_index[k]]
            printed = 0.0 if found[1] is None else float(found[2]) * (1 if found[1] == "added" else -1)
            assert printed == pytest.approx(exact, abs=0.2)


def test_with_others_to_take_the_rest_an_assessors_printed_part_is_its_share_rounded():
    panel = connected_simulated_panel(30, 12, 7, seed=2)
    results, texts = _explanations(panel)
    seen = 0
    for o, text in enumerate(texts):
        own = np.flatnonzero(panel.object_index == o)
        shares = panel.confidences[own] / panel.confidences[own].sum()
        parts = -shares * results.calibration.biases[panel.assessor_index[own]]
        for k, part in zip(own, parts, strict=True):
            found = re.search(rf"\b{panel.assessors[panel.assessor_index[k]]} \([^)]*\) (\w+) (\d+\.\d|nothing)", text)
            if found:
                seen += 1
                assert found[2] == ("nothing" if number(part) == "0.0" else number(abs(part)))
    assert seen == 4 * panel.n_objects


def test_a_mark_that_does_not_count_is_said_not_to():
    panel = Panel.from_records(
        ["p", "p", "q", "q", "q"], ["x", "y", "x", "y", "z"], [60, 64, 50, 58, 90], [15, 15, 15, 15, 30]
    )
    _, texts = _explanations(panel)
    assert "The mark of z cannot be compared with anyone else's and does not count." in texts[1]
    assert "does not count" not in texts[0]


def test_a_crossed_boundary_and_its_uncertainty_are_named():
    panel = Panel.from_matrix([[69, 71, np.nan], [70, np.nan, 60], [np.nan, 74, 62], [66, 68, 58]])
    results, texts = _explanations(panel)
    classes = classify(results)
    for k, text in enumerate(texts):
        assert ("Crosses" in text) == (classes.before[k] != classes.after[k])


def test_who_crosses_a_boundary_learns_how_likely_it_is_and_whether_it_is_settled(example_results):
    classes, settings = classify(example_results), example_results.reading.settings
    crossing = np.flatnonzero(classes.before != classes.after)
    lower, upper = example_results.value_interval(settings.level).T
    found = 0
    for k, text in enumerate(explain_values(example_results, classes)):
        said = re.search(
            r"Crosses (\d+); (\d+)% likely to be at or above it(: not settled)?\.( More likely (above|below): )?", text
        )
        assert bool(said) == (k in crossing)
        if said:
            found += 1
            assert float(said[2]) == pytest.approx(100 * example_results.exceeds(float(said[1]))[k], abs=0.5 + 1e-9)
            assert bool(said[3]) == (lower[k] <= float(said[1]) <= upper[k])
            above = example_results.values[k] >= float(said[1])
            assert said[5] == (None if (float(said[2]) >= 50) == above else "below" if above else "above")
    assert found > 3


def _explained(bands, **settings):
    panel = Panel.from_matrix([[69, 71, np.nan], [70, np.nan, 60], [np.nan, 74, 62], [66, 68, 58]])
    return _explanations(panel, bands=bands, **settings)


def test_a_value_printed_as_the_boundary_that_it_misses_is_given_with_more_decimals():
    results, _ = _explained(())
    value, raw = float(results.values[0]), float(results.raw[2])
    for just_above, text in ((value + 0.004, 0), (raw + 0.00003, 2)):
        boundary = round(just_above, 5)
        _, texts = _explained((Band("Pass", boundary), Band("Fail", 0)), borderline_zone=0)
        what, exact = (("calibrated value", value), ("raw average", raw))[text // 2]
        said = re.search(rf"The {what} is (\d+\.\d+), (\d+\.\d+) short of ", texts[text])
        assert float(said[1]) == pytest.approx(exact, abs=0.5 * 10 ** -len(said[1].partition(".")[2]) + 1e-12)
        assert float(said[1]) < boundary and float(said[2]) > 0
        assert len(said[1].partition(".")[2]) >= 2


def test_a_borderline_value_close_to_its_boundary_is_given_with_two_decimals():
    results, _ = _explained(())
    near, far = round(float(results.values[0]) + 0.04, 4), round(float(results.values[0]) + 0.4, 4)
    for boundary, wanted in ((near, rf"Borderline: {results.values[0]:.2f}, 0\.04 short of {near:g};"),
                             (far, rf"Borderline: 0\.4 short of {far:g};")):  # fmt: skip
        _, texts = _explained((Band("Pass", boundary), Band("Fail", 0)), borderline_credit_share=0.0)
        assert re.search(wanted, texts[0]), texts[0]
        assert "The calibrated value is" not in texts[0]


@given(st.lists(st.floats(-20, 20), min_size=1, max_size=8))
def test_rounded_parts_add_up_and_stay_close(parts):
    total = round(sum(parts) * 10)
    units = rounded_parts(parts, total, 1)
    assert sum(units) == total
    assert max(abs(unit / 10 - part) for unit, part in zip(units, parts, strict=True)) <= 0.1 + 1e-9


@settings(max_examples=25)
@given(st.lists(st.tuples(st.lists(st.floats(-20, 20), max_size=5), st.integers(-3, 9)), min_size=1, max_size=6))
def test_parts_of_many_totals_are_rounded_as_those_of_each_by_itself(owned):
    """Totals further off than one unit a part included, and totals without parts."""
    parts = [part for own, _ in owned for part in own]
    owners = np.repeat(np.arange(len(owned)), [len(own) for own, _ in owned])
    totals = [round(sum(own) * 10) + off for own, off in owned]
    expected = [unit for (own, _), total in zip(owned, totals, strict=True) for unit in rounded_parts(own, total, 1)]
    assert all_rounded_parts(np.array(parts), owners, np.array(totals)).tolist() == expected


@pytest.mark.parametrize(
    ("noun", "plural"), [("student", "students"), ("entry", "entries"), ("essay", "essays"), ("class", "classes")]
)
def test_plurals(noun, plural):
    assert plural_of(noun) == plural


def test_zero_has_no_minus_sign():
    assert number(-0.04) == "0.0"
    assert number(-0.06) == "-0.1"
