"""The explanation of each value: its printed numbers add up exactly, and it says what it must."""

import re
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from panelcal import Panel
from panelcal.reporting.classes import classify
from panelcal.reporting.results import compute_results
from panelcal.reporting.why import explain_values
from panelcal.reporting.wording import number, plural_of, rounded_parts
from panels import connected_simulated_panel, panels
from readings import reading_of

AMOUNT = re.compile(r"(added|took) (\d+\.\d)")


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
        balance = re.search(r"(\d+\.\d) (below|above) the panel", text)
        if balance:
            assert Decimal(balance[1]) * (1 if balance[2] == "below" else -1) == calibrated - raw


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


@given(st.lists(st.floats(-20, 20), min_size=1, max_size=8))
def test_rounded_parts_add_up_and_stay_close(parts):
    total = round(sum(parts) * 10)
    units = rounded_parts(parts, total, 1)
    assert sum(units) == total
    assert max(abs(unit / 10 - part) for unit, part in zip(units, parts, strict=True)) <= 0.1 + 1e-9


@pytest.mark.parametrize(
    ("noun", "plural"), [("student", "students"), ("entry", "entries"), ("essay", "essays"), ("class", "classes")]
)
def test_plurals(noun, plural):
    assert plural_of(noun) == plural


def test_zero_has_no_minus_sign():
    assert number(-0.04) == "0.0"
    assert number(-0.06) == "-0.1"
