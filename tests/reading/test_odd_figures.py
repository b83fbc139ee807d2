"""What looks like an assessor, an object or a score and is none: how it is called, what its numbers follow."""

import numpy as np
import pytest

from panelcal.reading.absence_codes import absence_code
from panelcal.reading.plausibility.derived import COUNTED, GROUPED, ORDERED, derived_lines
from panelcal.reading.plausibility.odd_names import odd_columns, odd_rows

PEOPLE = ["Iris Jones", "Amir van den Berg", "Okafor, Ben", "Ana M. Petrov"]


@pytest.mark.parametrize("odd", ["Self", "Round 1", "# revs", "2025", "Lead score", "Iris Jones (old)"])
def test_a_heading_unlike_names_of_people_stands_out(odd):
    assert odd_columns([*PEOPLE, odd])[0] == (4,)


@pytest.mark.parametrize(
    "labels",
    [
        [*PEOPLE, "Chloé D'Arcy"],
        [*PEOPLE, "GPT-4"],
        ["MA1", "MA2", "MA3", "Total Quality"],
        ["Botany", "Cells", "Drugs", "Mean field theory"],
        ["Meier", "Schulz", "Weber", "Koch"],
        ["Iris Jones", "Amir Walsh", "Ben", "Chloe"],
    ],
)
def test_honest_headings_do_not(labels):
    assert odd_columns(labels)[0] == ()


def test_first_and_last_rows_stand_out_and_others_do_not():
    rows = [f"Nr {k}" for k in range(1, 12)]
    assert odd_rows(["Gew.", *rows, "Q1", "2025"])[0] == (0, 12, 13)
    assert odd_rows([*rows[:5], "Gew.", *rows[5:]])[0] == ()


def test_codes_are_far_from_all_scores():
    scores = np.tile(np.arange(1.0, 6.0), 4)
    for code in (9.0, 99.0, 999.0, -1.0, -9.0):
        assert absence_code(np.append(scores, [code] * 3)) == code
    assert absence_code(np.append(scores, [99.0])) is None
    assert absence_code(np.append(20 * scores, [99.0] * 5)) is None
    assert absence_code(np.array([-1.0, 0, 1, 2] * 5)) is None


def test_percentiles_counts_and_groups_follow_from_the_others():
    random = np.random.default_rng(7)
    scores = np.rint(60 + 10 * random.normal(size=(24, 1)) + 6 * random.normal(size=(24, 5)))
    order = np.argsort(np.argsort(scores.mean(axis=1)))
    assert derived_lines(np.column_stack([scores, 3.0 * order + order % 2])) == {5: ORDERED}
    assert derived_lines(np.column_stack([scores, np.arange(24) // 4 + 1.0])) == {5: GROUPED}
    scores[random.random((24, 5)) < 0.3] = np.nan
    assert derived_lines(np.column_stack([scores, (~np.isnan(scores)).sum(axis=1)])) == {5: COUNTED}
    assert derived_lines(scores) == {}
