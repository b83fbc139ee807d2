"""Cost and rotation of anchors."""

import numpy as np
import pytest

from panelcal import MethodNotApplicable
from panelcal.anchors.programme import programme_cost, propose_rotation


def test_the_documents_pilot_costs_1_7_percent():
    cost = programme_cost(240, 6, 84_700)
    assert cost.scorings == 1440
    assert cost.share == pytest.approx(0.017, abs=5e-5)
    assert "1.7%" in cost.sentence
    assert "2.9 for each" in programme_cost(240, 6, 1983.0, checks=4).sentence


def test_each_check_costs_the_same_again():
    assert programme_cost(10, 2, 1000, checks=13).share == pytest.approx(0.26)


@pytest.mark.parametrize("volume", [0, -5, float("nan"), float("inf")])
def test_without_reviews_there_is_no_share(volume):
    with pytest.raises(MethodNotApplicable, match="volume"):
        programme_cost(10, 2, volume)


def test_a_tenth_is_proposed_spread_evenly_over_the_scale():
    consensus = np.random.default_rng(0).uniform(0, 100, 240)
    found = propose_rotation(consensus)
    assert len(found.retire) == len(set(found.retire)) == len(found.reasons) == 24
    quarter = np.searchsorted(np.quantile(consensus, (0.25, 0.5, 0.75)), consensus[list(found.retire)])
    assert np.bincount(quarter).tolist() == [6, 6, 6, 6]
    assert found.share == pytest.approx(0.1)


def test_flagged_anchors_go_first_then_the_oldest_of_their_part_of_the_scale():
    consensus, quarters = np.arange(40.0), np.zeros(40)
    quarters[[5, 25, 33]] = [4, 9, 2]
    flagged = np.arange(40) == 12
    found = propose_rotation(consensus, quarters_used=quarters, flagged=flagged)
    assert found.retire[:4] == (12, 25, 5, 33)
    assert found.reasons[0] == "looks leaked or doubtful"
    assert found.reasons[1] == "in use for 9 quarters"


def test_more_flagged_than_the_share_are_all_proposed_and_a_missing_consensus_counts():
    consensus = np.arange(20.0)
    consensus[3] = np.nan
    found = propose_rotation(consensus, flagged=np.arange(20) >= 16)
    assert found.retire == (3, 16, 17, 18, 19)
    assert found.reasons[0] == "has no consensus"


def test_among_equals_the_one_with_a_close_neighbour_goes():
    found = propose_rotation([0.0, 30.0, 31.0, 60.0], share=0.25)
    assert found.retire[0] in {0, 1, 2, 3}
    consensus = np.array([0, 10, 20, 21.0, 40, 50, 60, 70, 80, 90, 95, 99, 100, 110, 120, 130])
    assert propose_rotation(consensus, share=0.25).retire[0] in {2, 3}


@pytest.mark.parametrize(("share", "count"), [(0, 0), (0.11, 3), (1, 20)])
def test_the_share_is_rounded_up(share, count):
    assert len(propose_rotation(np.arange(20.0), share=share).retire) == count


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ("between 0 and 1", {"share": 1.5}),
        ("as many ages", {"quarters_used": [1, 2]}),
        ("as many ages", {"flagged": [True]}),
    ],
)
def test_wrong_lists_are_refused(words, options):
    with pytest.raises(MethodNotApplicable, match=words):
        propose_rotation([1.0, 2.0, 3.0], **options)
