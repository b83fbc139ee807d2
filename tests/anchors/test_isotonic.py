"""The isotonic curve against pool-adjacent-violators written out, and against every partition of small cases."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from panelcal.anchors.lines_and_steps import fit_isotonic

SAME = 1e-9


def best_partition(scores, consensus):
    """The best non-decreasing steps, found by trying every way to cut the distinct scores into blocks."""
    distinct = np.unique(scores)
    best, chosen = np.inf, None
    for cuts in itertools.product([False, True], repeat=len(distinct) - 1):
        block = np.concatenate([[0], np.cumsum(cuts, dtype=int)])
        of_anchor = block[np.searchsorted(distinct, scores)]
        means = np.array([consensus[of_anchor == b].mean() for b in range(block[-1] + 1)])
        loss = float(np.sum((consensus - means[of_anchor]) ** 2))
        if (np.diff(means) >= 0).all() and loss < best - 1e-12:
            best, chosen = loss, means[block]
    return distinct, chosen


def pool_adjacent_violators(scores, consensus):
    """The textbook loop: merge neighbouring blocks while the left one is higher."""
    blocks = [[consensus[scores == score].mean(), (scores == score).sum(), 1] for score in np.unique(scores)]
    at = 0
    while at < len(blocks) - 1:
        if blocks[at][0] > blocks[at + 1][0]:
            (m1, w1, k1), (m2, w2, k2) = blocks[at : at + 2]
            blocks[at : at + 2] = [[(m1 * w1 + m2 * w2) / (w1 + w2), w1 + w2, k1 + k2]]
            at = max(at - 1, 0)
        else:
            at += 1
    return np.concatenate([[mean] * distinct for mean, _, distinct in blocks])


anchors = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 100)), min_size=2, max_size=10)


@settings(max_examples=60, deadline=None)
@given(anchors)
def test_no_other_steps_that_rise_fit_better(pairs):
    scores, consensus = np.array(pairs, dtype=float).T
    distinct, levels = best_partition(scores, consensus)
    pieces, _ = fit_isotonic(scores, consensus, np.ones(len(scores)))
    assert pieces(distinct) == pytest.approx(levels, abs=SAME)


@pytest.mark.parametrize("seed", range(5))
def test_many_anchors_with_ties_agree_with_the_textbook_loop(seed):
    random = np.random.default_rng(seed)
    scores = random.integers(0, 60, 200).astype(float)
    consensus = np.clip(scores + random.normal(0, 25, 200), 0, 100)
    pieces, levels = fit_isotonic(scores, consensus, np.ones(200))
    expected = pool_adjacent_violators(scores, consensus)
    assert pieces(np.unique(scores)) == pytest.approx(expected, abs=SAME)
    assert levels == len(np.unique(expected.round(9)))


def test_it_is_flat_outside_the_anchors_and_straight_between_them():
    pieces, _ = fit_isotonic(np.array([10.0, 30.0, 30.0]), np.array([20.0, 50.0, 70.0]), np.ones(3))
    assert pieces(np.array([-1e9, 0.0, 10.0, 20.0, 30.0, 99.0])).tolist() == [20, 20, 20, 40, 60, 60]


def test_anchors_of_weight_nothing_do_not_count():
    random = np.random.default_rng(9)
    scores, consensus, times = random.uniform(0, 9, 40), random.uniform(0, 99, 40), random.integers(0, 3, 40)
    weighted, _ = fit_isotonic(scores, consensus, times.astype(float))
    repeated, _ = fit_isotonic(np.repeat(scores, times), np.repeat(consensus, times), np.ones(times.sum()))
    at = np.linspace(-1, 10, 45)
    assert weighted(at) == pytest.approx(repeated(at), abs=SAME)
