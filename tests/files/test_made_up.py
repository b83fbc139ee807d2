"""The invented panels have the shapes that their descriptions promise."""

from __future__ import annotations

import numpy as np
import pytest

from panelcal.templates.grant_panel import CONFIDENCE_WORDS
from panelcal.templates.made_up import exam_board_marks, grant_panel_reviews

CATS = {6.0, 7.5, 12.0, 15.0, 18.0}


def n_connected(marks: np.ndarray) -> tuple[int, int]:
    """Students and modules that the first student is linked to."""
    taken = ~np.isnan(marks)
    students = np.zeros(taken.shape[0], dtype=bool)
    students[0] = True
    while True:
        modules = taken[students].any(axis=0)
        reached = taken[:, modules].any(axis=1)
        if (reached == students).all():
            return int(students.sum()), int(modules.sum())
        students = reached


@pytest.mark.parametrize("seed", [2026, 1, 2, 3])
def test_the_made_up_board_has_the_shape_of_case_study_2(seed: int):
    board = exam_board_marks(seed)
    taken = ~np.isnan(board.marks)
    assert board.marks.shape == (82, 81)
    assert n_connected(board.marks) == (82, 81)
    assert set(board.credits) == CATS
    per_module = taken.sum(axis=0)
    assert 0.15 <= (per_module == 1).mean() <= 0.28
    assert per_module.max() >= 50
    usual = np.isin(board.credits, (15.0, 18.0))
    assert taken[:, usual].sum() > 0.8 * taken.sum()
    enrolled = taken.copy()
    for cell in board.cell_texts:
        enrolled[cell] = True
    assert (enrolled.sum(axis=1) >= 8).all()
    load = enrolled @ board.credits
    assert load.min() >= 120
    assert load.max() <= 150


def test_the_made_up_truth_explains_the_marks():
    board = exam_board_marks()
    expected = board.true_values[:, None] + board.true_biases + board.noise
    expected[board.real_zero] = 0.0
    taken = ~np.isnan(board.marks)
    assert np.abs(np.clip(expected, 0, 100) - board.marks)[taken].max() <= 0.5
    assert 4.0 < board.true_biases.std() < 6.0
    assert 8.0 < board.true_values.std() < 10.5
    scaled = board.noise[taken] * np.sqrt(np.broadcast_to(board.credits, taken.shape)[taken] / 15.0)
    assert 6.3 < scaled.std() < 7.7


def test_the_made_up_grant_panel_is_as_described():
    panel = grant_panel_reviews()
    assert len(panel.proposals) == 40
    assert len(panel.reviewers) == 15
    pairs = [(review.proposal, review.reviewer) for review in panel.reviews]
    assert len(set(pairs)) == len(pairs)
    assert {sum(p == name for p, _ in pairs) for name in panel.proposals} == {3, 4}
    assert {review.confidence for review in panel.reviews} == set(CONFIDENCE_WORDS)
    scores = [review.score for review in panel.reviews if isinstance(review.score, float)]
    assert min(scores) >= 1
    assert max(scores) <= 10
    assert all((2 * score).is_integer() for score in scores)
