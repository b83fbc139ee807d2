"""The ranking with fewest reversals, against every ranking there is."""

import itertools

import numpy as np
import pytest

from panelcal import MethodNotApplicable, Panel, calibrate, fit
from panelcal.calibration.kemeny import kemeny
from panelcal.calibration.preferences import preference_counts, reversed_share
from panels import connected_simulated_panel


def _preferred(panel):
    """Return the two objects of every preference, one preference at a time."""
    rows = list(zip(panel.object_index.tolist(), panel.assessor_index.tolist(), panel.scores.tolist(), strict=True))
    return [(one[0], other[0]) for one in rows for other in rows if one[1] == other[1] and one[2] > other[2]]


def _reversals(preferred, order):
    """Count them one at a time."""
    place = {int(o): k for k, o in enumerate(order)}
    return sum([place[better] > place[worse] for better, worse in preferred])


def _small(seed):
    random = np.random.default_rng(seed)
    scores = random.integers(0, 6, (int(random.integers(3, 8)), int(random.integers(2, 6)))).astype(float)
    scores[random.random(scores.shape) < 0.25] = np.nan
    keep = ~np.isnan(scores).all(axis=1)
    return Panel.from_matrix(scores[keep][:, ~np.isnan(scores[keep]).all(axis=0)])


@pytest.mark.parametrize("seed", range(25))
def test_no_ranking_of_up_to_seven_reverses_fewer(seed):
    panel = _small(seed)
    if len(set(panel.scores.tolist())) == 1 or not preference_counts(panel).any():
        pytest.skip("nobody prefers anything")
    near = np.bincount(panel.object_index, panel.scores) / np.bincount(panel.object_index)
    found = kemeny(panel, near)
    preferred = _preferred(panel)
    least = min(_reversals(preferred, order) for order in itertools.permutations(range(panel.n_objects)))
    assert found.reversals == found.least == least == _reversals(preferred, found.order)
    assert found.is_proven


def test_a_circle_of_forty_is_settled_with_proof_and_better_than_any_other_method():
    panel = connected_simulated_panel(40, 8, 4, seed=5)
    found = fit(panel, "kemeny").detail
    assert found.is_proven
    for name in ("confidence", "hodge_signs", "simple_average"):
        share = reversed_share(panel, fit(panel, name).values)
        assert found.reversals <= round(share * found.preferences)


@pytest.mark.parametrize("most_solved", [2, 90])
def test_bounds_hold_where_nothing_is_proven(most_solved):
    for seed in range(12):
        panel = _small(seed + 50)
        near = np.arange(panel.n_objects, dtype=float)
        if not preference_counts(panel).any():
            continue
        exact, found = kemeny(panel, near), kemeny(panel, near, most_solved=most_solved, nodes=1)
        assert found.least <= exact.reversals <= found.reversals


def test_where_all_agree_nothing_is_reversed_and_the_values_are_dealt_out_in_that_order():
    panel = Panel.from_matrix([[5.0, 6, np.nan], [4, np.nan, 8], [np.nan, 4, 7], [1, 2, 3]])
    found = fit(panel, "kemeny")
    assert found.detail.reversals == 0
    assert found.detail.order.tolist() == [0, 1, 2, 3]
    assert sorted(found.values) == sorted(calibrate(panel).values)
    assert (np.diff(found.values) <= 0).all()
    assert found.note.endswith("It reverses 0 of 9 preferences; no ranking reverses fewer.")


def test_reversed_share_counts_ties_half_and_turns_with_the_order():
    panel = connected_simulated_panel(12, 5, 3, seed=4)
    values = np.random.default_rng(1).normal(size=12)
    share = reversed_share(panel, values)
    counts = preference_counts(panel)
    assert share * counts.sum() == pytest.approx(_reversals(_preferred(panel), np.argsort(-values)))
    assert reversed_share(panel, -values) == pytest.approx(1 - share)
    assert reversed_share(panel, np.zeros(12)) == pytest.approx(0.5)


def test_the_answer_does_not_hang_on_the_order_of_rows():
    panel = connected_simulated_panel(15, 6, 3, seed=2)
    other = np.random.default_rng(0).permutation(panel.n_assessments)
    names = np.array([f"T{k}" for k in range(15)])
    turned = Panel.from_records(names[panel.object_index][other], panel.assessor_index[other], panel.scores[other])
    assert kemeny(turned, calibrate(turned).values).reversals == kemeny(panel, calibrate(panel).values).reversals


def test_without_a_preference_there_is_nothing_to_rank_by():
    with pytest.raises(MethodNotApplicable, match="nothing to rank by"):
        fit(Panel.from_matrix(np.full((3, 3), 5.0)), "kemeny")
