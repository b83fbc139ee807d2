"""Scores and confidences side by side under flat headings are pairs, and nothing else is taken for one."""

import pytest


def _rows(head, sure_first=False):
    rows = [["Talk", *head]]
    for k in range(5):
        scores, sures = [60 + 3 * k, 50 + 4 * k], [1 + k % 3, 3 - k % 3]
        pairs = zip(sures, scores, strict=True) if sure_first else zip(scores, sures, strict=True)
        rows.append([f"T{k}", *[cell for pair in pairs for cell in pair]])
    return rows


@pytest.mark.parametrize(
    "head",
    [
        ["Iris score", "Iris confidence", "Ben score", "Ben confidence"],
        ["Iris", "Iris (confidence)", "Ben", "Ben (confidence)"],
        ["Iris (score)", "Iris (certainty)", "Ben (score)", "Ben (certainty)"],
        ["Iris - mark", "Iris - weight", "Ben - mark", "Ben - weight"],
        ["Iris: score", "Iris: confidence", "Ben: score", "Ben: confidence"],
        ["Iris's score", "Iris's confidence", "Ben's score", "Ben's confidence"],
        ["Score Iris", "Confidence Iris", "Score Ben", "Confidence Ben"],
        ["Iris score (0-100)", "Iris confidence (1-3)", "Ben score (0-100)", "Ben confidence (1-3)"],
        ["Iris", "conf. Iris", "Ben", "conf. Ben"],
        ["Iris - S", "Iris - C", "Ben - S", "Ben - C"],
        ["Iris Note", "Iris Gewichtung", "Ben Note", "Ben Gewichtung"],
    ],
)
def test_a_confidence_belongs_to_the_score_of_the_same_name(read, head):
    panel = read(_rows(head)).panel
    assert panel.assessors == ("Iris", "Ben")
    assert panel.confidences.tolist() == [1, 3, 2, 2, 3, 1, 1, 3, 2, 2]
    assert panel.scores.tolist() == [60, 50, 63, 54, 66, 58, 69, 62, 72, 66]


def test_the_order_of_the_columns_does_not_matter(read):
    head = ["Iris confidence", "Iris score", "Ben confidence", "Ben score"]
    panel = read(_rows(head, sure_first=True)).panel
    assert panel.assessors == ("Iris", "Ben")
    assert panel.confidences[:2].tolist() == [1, 3]


def test_all_scores_may_stand_before_all_confidences(read):
    rows = [["Talk", "Iris score", "Ben score", "Ben confidence", "Iris confidence"]]
    rows += [[f"T{k}", 60 + k, 50 + 2 * k, 5, 1 + k] for k in range(4)]
    panel = read(rows).panel
    assert panel.confidences.tolist() == [1, 5, 2, 5, 3, 5, 4, 5]


def test_standard_deviations_pair_as_well(read):
    rows = [["Talk", "Iris", "Iris SD", "Ben", "Ben SD"], *[[f"T{k}", 60 + k, 2, 50 + 2 * k, 4] for k in range(4)]]
    assert read(rows).panel.confidences[:2] == pytest.approx([1 / 4, 1 / 16])


def test_people_with_such_names_are_no_pairs(read):
    rows = [["Talk", "Anna Weight", "Ben Weight"], *[[f"T{k}", 60 + k, 50 + 2 * k] for k in range(4)]]
    assert read(rows).panel.assessors == ("Anna Weight", "Ben Weight")
