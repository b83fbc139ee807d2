"""Anchors with a doubtful consensus and anchors an agent knows."""

import numpy as np
import pytest

from panelcal.anchors.anchor_review import review_anchors


def residuals(seed=0, agents=6, anchors=240):
    """Residuals that agents share (SD 13) and their own (SD 5)."""
    random = np.random.default_rng(seed)
    return random.normal(0, 13, anchors) + random.normal(0, 5, (agents, anchors))


def test_a_wrong_consensus_is_found_and_nothing_else():
    table = residuals()
    table[:, 17] += np.sign(table[:, 17].mean()) * 70
    found = review_anchors(table)
    assert np.flatnonzero(found.unlike).tolist() == [17]
    assert not found.leaked.any()
    assert "Anchor 18" in found.sentences[0]


def test_an_agent_that_alone_is_right_on_a_hard_anchor_is_found():
    table = residuals()
    hard = int(np.argmax(np.abs(table.mean(axis=0))))
    table[4, hard] = 1.0
    found = review_anchors(table)
    assert np.argwhere(found.leaked).tolist() == [[4, hard]]
    assert not found.unlike.any()
    assert any(f"Anchor {hard + 1}: agent 5" in sentence for sentence in found.sentences)


def test_an_agent_that_alone_is_wrong_knows_nothing():
    table = residuals()
    easy = int(np.argmin(np.abs(table.mean(axis=0))))
    table[2, easy] += 60
    assert not review_anchors(table).leaked.any()


def test_sound_banks_are_left_alone():
    flagged = [review_anchors(residuals(seed)).sentences for seed in range(40)]
    assert sum(bool(sentences) for sentences in flagged) <= 1


def test_scores_are_medians_and_deviations_written_out():
    table = residuals(3, 3, 50)
    found = review_anchors(table)
    mean = table.mean(axis=0)
    mad = 1.4826 * np.median(np.abs(mean - np.median(mean)))
    assert found.common_residuals == pytest.approx(mean)
    assert found.unlike_scores == pytest.approx((mean - np.median(mean)) / mad)
    alone = table[1] - (table[0] + table[2]) / 2
    mad = 1.4826 * np.median(np.abs(alone - np.median(alone)))
    assert found.leak_scores[1] == pytest.approx((alone - np.median(alone)) / mad)


def test_gaps_are_left_out_and_what_one_agent_alone_scored_cannot_be_called_leaked():
    table = residuals(4, 3, 60)
    table[1:, 5] = np.nan
    table[:, 6] = np.nan
    found = review_anchors(table)
    assert found.common_residuals[5] == table[0, 5]
    assert np.isnan(found.common_residuals[6])
    assert np.isnan(found.leak_scores[:, 5:7]).all()
    assert not found.leaked[:, 5:7].any()


def test_one_agent_or_a_handful_of_anchors_or_exact_fits_flag_nothing_and_warn_of_nothing():
    for table in (residuals(0, 1, 60), residuals(0, 6, 5), np.zeros((3, 30))):
        assert not review_anchors(table).leaked.any()
    assert not review_anchors(residuals(0, 6, 5)).unlike.any()
