"""Agents that contradict the consensus on part of the anchors."""

import numpy as np
import pytest

from anchors.simulated_agents import World, simulate
from panelcal import MethodNotApplicable, fit_anchor_curve
from panelcal.anchors.monotonicity import check_monotonicity
from panelcal.tails import holm


def healthy(n=240, seed=0, noise=12.0):
    random = np.random.default_rng(seed)
    consensus = random.uniform(0, 100, n)
    return np.clip(consensus + random.normal(0, noise, n), 0, 100), consensus


def where(found):
    return [part.where for part in found.parts if part.failed]


def test_an_agent_reversed_in_one_cluster_is_named_with_the_cluster():
    scores, consensus = healthy()
    clusters = np.array(["physics", "law", "music"])[np.arange(240) % 3]
    law = clusters == "law"
    found = check_monotonicity(fit_anchor_curve(np.where(law, 100 - scores, scores), consensus), clusters=clusters)
    assert where(found) == ["cluster law"]
    assert "cluster law" in found.sentence


def test_an_agent_reversed_in_one_tier_is_named_with_the_tier():
    scores, consensus = healthy(noise=6.0)
    tiers = np.digitize(consensus, (25, 50, 75)).astype(object)
    scores = np.where(tiers == 2, 125 - scores, scores)
    found = check_monotonicity(fit_anchor_curve(scores, consensus), tiers=tiers)
    assert "tier 2" in where(found)


def test_an_agent_reversed_on_part_of_its_scale_is_named_with_the_part():
    scores, consensus = healthy(noise=6.0)
    middle = (scores > 30) & (scores < 80)
    found = check_monotonicity(fit_anchor_curve(np.where(middle, 110 - scores, scores), consensus))
    assert where(found)
    assert all(name.startswith("scores ") for name in where(found))


def test_an_agent_reversed_throughout_fails_on_all_anchors():
    scores, consensus = healthy()
    found = check_monotonicity(fit_anchor_curve(100 - scores, consensus))
    assert found.parts[0].where == "all anchors"
    assert found.parts[0].failed
    assert found.parts[0].reversed_share > 0.5


def test_healthy_agents_are_not_flagged():
    for seed in range(8):
        trial = simulate(World(), seed, 240, 1)
        clusters, tiers = np.arange(240) % 7, np.digitize(trial.consensus, (20, 50, 75))
        for scores in trial.anchor_scores:
            curve = fit_anchor_curve(scores, trial.consensus)
            assert not check_monotonicity(curve, tiers=tiers, clusters=clusters).failed


@pytest.mark.slow
def test_agents_that_say_nothing_are_flagged_no_more_often_than_the_level():
    flagged = []
    random = np.random.default_rng(0)
    for _ in range(300):
        curve = fit_anchor_curve(random.uniform(0, 100, 60), random.uniform(0, 100, 60), kind="linear")
        flagged.append(check_monotonicity(curve, clusters=np.arange(60) % 4).failed)
    assert np.mean(flagged) < 0.05 + 2 * np.sqrt(0.05 * 0.95 / 300)


def test_labels_belong_to_the_anchors_given_and_small_or_unlabelled_groups_are_left_out():
    scores, consensus = healthy(40)
    scores[3] = np.nan
    labels = ["a"] * 20 + ["b"] * 12 + ["c"] * 4 + [None, "", " ", None]
    found = check_monotonicity(fit_anchor_curve(scores, consensus), tiers=labels)
    assert {part.where: part.n_anchors for part in found.parts if "tier" in part.where} == {"tier a": 19, "tier b": 12}


def test_labels_must_be_as_many_as_anchors():
    scores, consensus = healthy(40)
    with pytest.raises(MethodNotApplicable, match="3 tier labels for 40 anchors"):
        check_monotonicity(fit_anchor_curve(scores, consensus), tiers=["a", "b", "c"])


def test_a_few_anchors_and_an_agent_of_two_scores_can_be_checked():
    found = check_monotonicity(fit_anchor_curve([1, 1, 2, 2, 2], [10, 30, 20, 60, 70]))
    assert [part.where for part in found.parts] == ["all anchors"]
    assert not found.failed


def test_holm_is_the_worked_example_of_the_definition():
    adjusted = holm(np.array([0.01, 0.04, 0.03, np.nan, 0.005]))
    assert adjusted[[0, 1, 2, 4]] == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert np.isnan(adjusted[3])


def test_holm_agrees_with_stepping_down_by_hand():
    random = np.random.default_rng(1)
    for _ in range(50):
        p = random.uniform(0, 0.1, 8)
        rejected, order = set(), np.argsort(p)
        for step, k in enumerate(order):
            if p[k] * (8 - step) >= 0.05:
                break
            rejected.add(int(k))
        assert set(np.flatnonzero(holm(p) < 0.05).tolist()) == rejected
