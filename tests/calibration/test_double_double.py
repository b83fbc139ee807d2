"""Sums in twice double precision, against exact fractions."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from panelcal.calibration import double_double as dd

numbers = st.floats(-1e12, 1e12, allow_nan=False, allow_subnormal=False).filter(lambda x: x == 0 or abs(x) > 1e-12)


@given(st.lists(st.tuples(numbers, numbers, st.integers(0, 2)), min_size=1, max_size=60))
def test_group_sums_are_right_to_the_last_place_even_when_everything_cancels(terms):
    weights, values = np.array([t[0] for t in terms]), np.array([t[1] for t in terms])
    groups = np.array([t[2] for t in terms])
    # The negatives come last, so that plain summation would lose the small terms.
    weights, values = np.concatenate([weights, weights[1:]]), np.concatenate([values, -values[1:]])
    groups = np.concatenate([groups, groups[1:]])
    sums = dd.group_sums(weights, (values, np.zeros_like(values)), groups, 3)
    largest = max(abs(Fraction(float(w)) * Fraction(float(v))) for w, v in zip(weights, values, strict=True))
    for g in range(3):
        mine = groups == g
        exact = sum(
            (Fraction(float(w)) * Fraction(float(v)) for w, v in zip(weights[mine], values[mine], strict=True)),
            Fraction(0),
        )
        slack = largest * Fraction(dd.SUM_ERROR) * len(values) + abs(exact) * Fraction(2) ** -52
        assert abs(Fraction(float(sums[g])) - exact) <= slack


@given(numbers, numbers, numbers)
def test_residuals_are_exact_as_a_pair(score, value, bias):
    high, low = dd.residuals((np.array([score]), np.zeros(1)), np.array([value]), np.array([bias]))
    exact = Fraction(score) - Fraction(value) - Fraction(bias)
    size = max(abs(Fraction(x)) for x in (score, value, bias))
    assert abs(Fraction(float(high[0])) + Fraction(float(low[0])) - exact) <= size * Fraction(2) ** -100
