"""Building panels, and refusing what cannot be one."""

import numpy as np
import pytest

from panelcal import InvalidPanel, Panel
from panelcal.panel import by_number


def test_labels_keep_their_order_of_first_appearance():
    panel = Panel.from_records(["b", "a", "b"], [2, 2, 10], [1, 2, 3])
    assert panel.objects == ("b", "a")
    assert panel.assessors == ("2", "10")
    assert panel.object_index.tolist() == [0, 1, 0]
    assert panel.confidences.tolist() == [1, 1, 1]


def test_a_matrix_takes_nan_and_none_as_not_assessed():
    panel = Panel.from_matrix([[50, None], [float("nan"), 70], [60, 65]], objects=["x", "y", "z"])
    assert panel.n_assessments == 4
    assert panel.scores.tolist() == [50, 70, 60, 65]
    assert panel.assessors == ("1", "2")


def test_one_confidence_per_assessor_is_spread_over_its_scores():
    panel = Panel.from_matrix([[50, 60], [70, np.nan]], [15, 7.5])
    assert panel.confidences.tolist() == [15, 7.5, 15]


def test_confidences_where_nothing_was_assessed_are_not_looked_at():
    panel = Panel.from_matrix([[50, np.nan], [70, 60]], [[1, np.nan], [2, 3]])
    assert panel.confidences.tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["a"], ["x"], []), "each assessment needs one of each"),
        (([], [], []), "no scores"),
        ((["a", "b"], ["x", "x"], [1, float("nan")]), "Not a finite score: x for b"),
        ((["a", "b"], ["x", "x"], [1, float("inf")]), "Not a finite score"),
        ((["a"], ["x"], [1], [0]), "positive number, but it is not: x for a"),
        ((["a"], ["x"], [1], [-2]), "positive number"),
        ((["a"], ["x"], [-1.1e50]), "too large or too close to zero to compute with: x for a"),
        ((["a", "b"], ["x", "x"], [1, 2], [1.1e50, 1]), "too large or too close to zero to compute with: x for a"),
        ((["a", "b"], ["x", "x"], [1, 2], [1, 0.9e-50]), "too large or too close to zero to compute with: x for b"),
        ((["a"], ["x"], [1], [1, 2]), "1 scores but 2 confidences"),
    ],
)
def test_what_cannot_be_a_panel_is_refused_by_name(arguments, message):
    with pytest.raises(InvalidPanel, match=message):
        Panel.from_records(*arguments)


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        ([[1, np.nan], [2, np.nan]], {}, "No score at all for assessor 2"),
        ([[np.nan, np.nan], [2, 3]], {"objects": ["p", "q"]}, "No score at all for object p"),
        ([[1, 2]], {"assessors": ["x", "x"]}, "more than once"),
        ([[1, 2]], {"assessors": ["x"]}, "1 assessor labels for 2"),
        ([[1, 2]], {"confidences": [1, 2, 3]}, "shape"),
    ],
)
def test_a_matrix_that_cannot_be_a_panel_is_refused(scores, options, message):
    with pytest.raises(InvalidPanel, match=message):
        Panel.from_matrix(scores, **options)


def test_what_is_masked_was_not_assessed():
    table = np.ma.array([[1.0, 999.0], [3.0, 4.0]], mask=[[False, True], [False, False]])
    assert Panel.from_matrix(table).scores.tolist() == [1, 3, 4]


@pytest.mark.parametrize("scores", [["good", "bad"], [[1, 2], [3]], [1j, 2.0], [10**400, 1]])
def test_what_is_no_number_is_refused(scores):
    with pytest.raises(InvalidPanel, match="numbers"):
        Panel.from_matrix(scores)


def test_the_arrays_of_a_panel_cannot_be_changed():
    panel = Panel.from_matrix([[1, 2], [3, 4]])
    with pytest.raises(ValueError, match="read-only"):
        panel.scores[0] = 9


def test_changing_the_input_afterwards_does_not_change_the_panel():
    scores = np.array([1.0, 2.0])
    panel = Panel.from_records(["a", "b"], ["x", "x"], scores)
    scores[0] = 99
    assert panel.scores[0] == 1


def test_more_than_ten_problems_are_counted():
    with pytest.raises(InvalidPanel, match="and 5 more"):
        Panel.from_records(range(15), ["x"] * 15, [float("nan")] * 15)


def test_labels_given_as_integers_are_those_given_as_text():
    random = np.random.default_rng(0)
    objects, assessors = random.integers(0, 30, 100), random.integers(5, 12, 100).astype(np.uint8)
    quick = Panel.from_records(objects, assessors, np.arange(100))
    plain = Panel.from_records([str(k) for k in objects], [str(k) for k in assessors], np.arange(100))
    assert (quick.objects, quick.assessors) == (plain.objects, plain.assessors)
    assert quick.object_index.tolist() == plain.object_index.tolist()
    assert quick.assessor_index.tolist() == plain.assessor_index.tolist()


def test_a_subset_keeps_labels_in_order_of_first_appearance_among_what_is_left():
    panel = Panel.from_records(["a", "b", "c", "b"], ["x", "y", "z", "x"], [1, 2, 3, 4], [1, 2, 3, 4])
    rest = panel.subset(np.array([False, True, False, True]))
    assert rest.objects == ("b",)
    assert rest.assessors == ("y", "x")
    assert rest.scores.tolist() == [2, 4]
    assert rest.confidences.tolist() == [2, 4]
    assert panel.subset(panel.scores > 2).objects == ("c", "b")


@pytest.mark.parametrize("count", [1, 7, 65_536, 65_537, 200_000, 2**40])
def test_equal_numbers_are_brought_together_in_the_order_given(count):
    index = np.random.default_rng(count).integers(0, count, 5_000)
    index = np.concatenate([index, index[:500], [count - 1, 0]])
    assert np.array_equal(by_number(index, count), np.argsort(index, kind="stable"))
