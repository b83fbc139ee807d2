"""The lowest point on a line: the right one of several dips, ends included."""

import numpy as np
import pytest

from panelcal.calibration.line_search import lowest_on_line


def test_the_deeper_of_two_dips_is_found_also_where_it_is_the_further_one():
    place, value = lowest_on_line(lambda x: (x**2 - 4) ** 2 - 0.3 * x, -10.0, 10.0)
    exact = max(np.roots([4, 0, -16, -0.3]).real)
    assert place == pytest.approx(exact, abs=1e-8)
    assert value == pytest.approx((exact**2 - 4) ** 2 - 0.3 * exact, abs=1e-12)


@pytest.mark.parametrize(("slope", "end"), [(1.0, -3.0), (-1.0, 7.0)])
def test_an_end_can_be_the_lowest(slope, end):
    assert lowest_on_line(lambda x: slope * x, -3.0, 7.0) == pytest.approx((end, slope * end))


def test_a_minimum_without_curvature_and_a_plateau_are_survived():
    assert lowest_on_line(lambda x: (x - 1) ** 4, -3.0, 7.0)[0] == pytest.approx(1.0, abs=1e-3)
    assert lowest_on_line(lambda x: 0 * x + 2.0, -3.0, 7.0)[1] == 2.0
