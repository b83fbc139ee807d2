"""Case study 2's behaviour on a made-up board of its shape, and on many."""

from dataclasses import astuple
from pathlib import Path

import numpy as np
import pytest

FOLDER = Path(__file__).parent.parent / "benchmarks"


@pytest.fixture
def case_study(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import case_study_2

    return case_study_2


def test_a_board_of_that_shape_moves_students_as_the_paper_s_did(case_study):
    found = case_study.figures(1)
    assert found.with_confidence == pytest.approx(7, abs=0.5) and found.fisher == pytest.approx(7, abs=0.5)
    assert found.mean_change == pytest.approx(2, abs=0.5) and found.shift == pytest.approx(2, abs=0.5)
    assert found.confidences < 2.5 and found.biases < 2


@pytest.mark.slow
def test_over_many_boards_the_paper_s_figures_are_not_unusual(case_study):
    table = np.array([astuple(case_study.figures(seed)) for seed in range(1, 31)])
    low, high = np.quantile(table, [0.02, 0.98], axis=0)
    paper = np.array(case_study.PAPER)
    assert (low <= paper).all() and (paper <= high).all()
