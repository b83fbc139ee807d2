"""Numbers in words are rounded as a spreadsheet's cells are."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from panelcal.reporting.wording import (
    all_in_last_digits,
    all_numbers,
    at_most,
    in_last_digits,
    number,
    percent,
    short_of,
    signed,
)

THOUSANDTHS = st.integers(-10_000_000, 10_000_000)


@given(THOUSANDTHS)
def test_halves_are_rounded_away_from_zero_whatever_is_stored(thousandths):
    """A number of three decimals, rounded to one, in whole numbers."""
    tenths = (2 * abs(thousandths) + 100) // 200
    sign = "-" if thousandths < 0 and tenths else ""
    assert number(thousandths / 1000) == f"{sign}{tenths // 10}.{tenths % 10}"
    assert in_last_digits(thousandths / 1000) == (-tenths if sign else tenths)


@settings(max_examples=20)
@given(st.lists(st.one_of(THOUSANDTHS.map(lambda k: k / 1000), st.floats(-1e6, 1e6)), min_size=1, max_size=9))
def test_many_numbers_are_spelt_as_each_by_itself(values):
    assert all_numbers(np.array(values)) == [number(value) for value in values]
    assert all_in_last_digits(np.array(values)).tolist() == [in_last_digits(value) for value in values]


@pytest.mark.parametrize(("value", "printed"), [(69.25, "69.3"), (-69.25, "-69.3"), (0.15, "0.2"), (99.95, "100.0")])
def test_the_last_digit_is_that_of_the_cell(value, printed):
    assert number(value) == printed
    assert signed(value) == ("" if value < 0 else "+") + printed


def test_what_is_no_number_and_what_is_huge_can_be_printed():
    assert number(float("nan")) == "nan"
    assert number(2.5e21) == "2500000000000000000000.0"


@pytest.mark.parametrize(
    ("share", "said"),
    [(0, "0%"), (0.001, "under 1%"), (0.125, "13%"), (0.48, "48%"), (0.9951, "over 99%"), (1, "100%")],
)
def test_a_chance_is_never_called_none_or_all_when_it_is_not(share, said):
    assert percent(share) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [(68.8, "1.2 short of"), (69.959, "69.96, 0.04 short of"), (69.9997, "69.9997, 0.0003 short of")],
)
def test_a_value_next_to_a_boundary_is_told_apart_from_it(value, said):
    assert short_of(value, 70) == said


@given(st.floats(1e-300, 1e300))
def test_a_bound_is_never_printed_smaller_than_it_is(bound):
    assert bound <= float(at_most(bound)) <= 2.01 * bound


@pytest.mark.parametrize(
    ("bound", "said"), [(1.4e-13, "2e-13"), (2e-13, "2e-13"), (9.6e-14, "1e-13"), (9e-14, "9e-14"), (0.0, "0")]
)
def test_a_bound_has_one_digit(bound, said):
    assert at_most(bound) == said


@pytest.mark.parametrize("step", [0.05, 0.125, 0.0625, 1e-3, 1e11 + 0.05, 3e12])
def test_long_columns_are_spelt_as_each_number_by_itself(step):
    values = np.concatenate([step * np.arange(-500, 500), [0.0, -0.0, -0.04, 0.05, -0.05, 69.25]])
    assert all_numbers(values) == [number(value) for value in values.tolist()]
