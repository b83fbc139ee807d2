"""Ratings: what is accepted, what is refused and in which words."""

import numpy as np
import pytest

from panelcal import InvalidPanel, Ratings


def test_levels_count_from_the_lowest_and_missing_is_minus_one():
    ratings = Ratings.from_records(["A", "A", "B"], ["x", "y", "x"], [[1, 5], [None, 2], [3, float("nan")]])
    assert ratings.levels == ("1", "2", "3", "4", "5")
    assert ratings.ratings.tolist() == [[0, 4], [-1, 1], [2, -1]]
    assert ratings.objects == ("A", "B")
    assert ratings.assessors == ("x", "y")
    assert ratings.features == ("Feature 1", "Feature 2")
    assert (ratings.n_objects, ratings.n_assessors, ratings.n_features, ratings.n_cutpoints) == (2, 2, 2, 4)


def test_words_in_the_order_given_whatever_their_case():
    ratings = Ratings.from_records("AAB", "xyx", ["Good", " poor", "FAIR"], levels=["poor", "fair", "good"])
    assert ratings.ratings.ravel().tolist() == [2, 0, 1]
    assert ratings.levels == ("poor", "fair", "good")


def test_a_scale_may_run_downwards():
    ratings = Ratings.from_records("AB", "xx", [1, 3], levels=[3, 2, 1])
    assert ratings.ratings.ravel().tolist() == [2, 0]


def test_halves_are_levels_as_found():
    ratings = Ratings.from_records("ABC", "xxx", [1.5, 2, 4])
    assert ratings.levels == ("1.5", "2", "4")


def test_numbers_written_as_text_are_numbers():
    assert Ratings.from_records("AB", "xx", ["1", "3"]).levels == ("1", "2", "3")


def test_an_assessment_without_any_rating_is_left_out():
    ratings = Ratings.from_records("AABB", "xyxy", [1, None, 2, 3])
    assert ratings.ratings.ravel().tolist() == [0, 1, 2]
    assert ratings.assessor_index.tolist() == [0, 0, 1]


def test_a_repeated_pair_stays_as_two_assessments():
    assert len(Ratings.from_records("AAB", "xxx", [1, 2, 3]).ratings) == 3


@pytest.mark.parametrize(
    ("objects", "assessors", "ratings", "options", "words"),
    [
        ("AB", "x", [1, 2], {}, "each assessment needs one of each"),
        ("", "", [], {}, "There are no ratings"),
        ("AB", "xx", [None, ""], {}, "There are no ratings"),
        ("AB", "xx", [[1, 2], [1]], {}, "same number of features"),
        ("AB", "xx", [3, 3], {}, "All ratings are alike"),
        ("AB", "xx", ["good", "poor"], {}, "say which levels the scale has, lowest first"),
        ("AB", "xx", [1, 7], {"levels": [1, 2, 3]}, "Not on the scale 1, 2, 3: 7 by x for B"),
        ("AB", "xx", [1, 2], {"levels": [1]}, "at least two levels"),
        ("AB", "xx", [1, 2], {"levels": range(12)}, "at most 11"),
        ("AB", "xx", [1, 2], {"levels": [1, 2, "2"]}, "listed twice"),
        ("AB", "xx", [1, 2], {"levels": [1, 2, ""]}, "level of the scale is empty"),
        ("AB", "xx", [1, 2], {"features": ["one", "two"]}, "2 feature names for 1"),
        ("AB", "xx", [[1, 2], [2, 1]], {"features": ["one", "one"]}, "same name"),
        ("AB", "xx", [[1, None], [2, None]], {}, "No rating at all of Feature 2"),
        ("AB", "xx", [1, None], {"levels": [1, 2]}, "No rating at all for object B"),
        ("AA", "xy", [1, None], {"levels": [1, 2]}, "No rating at all for assessor y"),
    ],
)
def test_what_cannot_be_rated_is_refused_in_a_sentence(objects, assessors, ratings, options, words):
    with pytest.raises(InvalidPanel, match=words):
        Ratings.from_records(list(objects), list(assessors), ratings, **options)


def test_arrays_cannot_be_changed_afterwards():
    ratings = Ratings.from_records("AB", "xx", [1, 2])
    with pytest.raises(ValueError, match="read-only"):
        ratings.ratings[0] = 1


def test_as_a_panel_a_missing_feature_is_filled_by_the_mean_of_the_others():
    ratings = Ratings.from_records("AB", "xx", [[1, 3], [2, None]], levels=[1, 2, 3])
    assert ratings.panel().scores.tolist() == [4.0, 4.0]
    assert ratings.panel([1, 0]).scores.tolist() == [1.0, 2.0]
    assert ratings.panel([2, 1]).scores.tolist() == [5.0, 6.0]


def test_groups_without_a_link_are_found():
    ratings = Ratings.from_records("AABC", "xyxz", [1, 2, 3, 1])
    assert ratings.components() == ((("A", "B"), ("x", "y")), (("C",), ("z",)))
    assert np.all(ratings.ratings >= 0)
