"""HodgeRank: the identity with calibration, pairs written out, and where the shares come from."""

import itertools

import numpy as np
import pytest
from hypothesis import given

from panelcal import DisconnectedPanel, MethodNotApplicable, Panel, calibrate
from panelcal.calibration.hodge import hodge_rank
from panels import connected_simulated_panel, panels, simulated_panel
from reference_cases import CONNECTED, load_case

# Confidences many decades apart: a divergence summed in doubles has lost digits that calibration's sums keep.
DELICATE = {"chain_near_disconnected", "montgomery_catalyst_wscale"}


@pytest.mark.parametrize("name", CONNECTED)
def test_on_differences_it_is_calibration_with_confidence(name):
    case = load_case(name)
    try:
        found = hodge_rank(case.panel)
    except MethodNotApplicable:
        assert max(np.bincount(case.panel.assessor_index)) == 1 or np.ptp(case.panel.scores) == 0
        return
    digits = 1e-8 if name in DELICATE else 1e-10
    assert found.values == pytest.approx(calibrate(case.panel).values, abs=digits * case.size)


@given(panels())
def test_the_identity_holds_on_any_panel(panel):
    try:
        found = hodge_rank(panel)
    except MethodNotApplicable:
        return
    assert found.values == pytest.approx(calibrate(panel).values, abs=1e-9)
    assert found.gradient + found.disagreement + found.curl + found.harmonic == pytest.approx(1, abs=1e-7)
    assert min(found.gradient, found.disagreement, found.curl, found.harmonic) > -1e-9


def _pairs(panel: Panel):
    """All comparisons one by one: (p, q, weight, score difference)."""
    totals = panel.assessor_totals(panel.confidences)
    for a in range(panel.n_assessors):
        for one, two in itertools.combinations(np.flatnonzero(panel.assessor_index == a), 2):
            weight = panel.confidences[one] * panel.confidences[two] / totals[a]
            yield panel.object_index[one], panel.object_index[two], weight, panel.scores[two] - panel.scores[one]


@pytest.mark.parametrize("flow", ["differences", "signs"])
@pytest.mark.parametrize("shape", [(12, 5, 3), (6, 12, 5)])
def test_the_potential_is_least_squares_over_all_pairs_written_out(flow, shape):
    panel = connected_simulated_panel(*shape, seed=3)
    scores = np.round(panel.scores / 10) * 10  # ties as well
    panel = Panel.from_records(panel.object_index, panel.assessor_index, scores, panel.confidences)
    rows, targets, roots = [], [], []
    for p, q, weight, difference in _pairs(panel):
        row = np.zeros(panel.n_objects)
        row[q] += 1
        row[p] -= 1
        rows.append(row * np.sqrt(weight))
        targets.append((np.sign(difference) if flow == "signs" else difference) * np.sqrt(weight))
        roots.append(difference * np.sqrt(weight))
    rows, targets = np.array(rows), np.array(targets)
    best = np.linalg.lstsq(rows, targets, rcond=None)[0]
    found = hodge_rank(panel, flow=flow)
    assert found.potential - found.potential[0] == pytest.approx(best - best[0], abs=1e-9)
    assert found.gradient == pytest.approx(((rows @ best) ** 2).sum() / (targets**2).sum(), rel=1e-9)
    if flow == "signs":
        stretch = (rows @ best) @ np.array(roots) / ((rows @ best) ** 2).sum()
        assert np.ptp(found.values) == pytest.approx(stretch * np.ptp(best), rel=1e-9)


def test_only_the_order_of_each_assessors_scores_counts_for_signs():
    panel = simulated_panel(20, 6, 4, seed=4)
    bent = Panel.from_records(panel.object_index, panel.assessor_index, np.exp(panel.scores / 20), panel.confidences)
    one, two = hodge_rank(panel, flow="signs"), hodge_rank(bent, flow="signs")
    assert two.potential == pytest.approx(one.potential, abs=1e-12)
    assert two.gradient == pytest.approx(one.gradient)


def _ring(scores: list[float]) -> Panel:
    """Assessor k compares objects k and k + 1 only."""
    n = len(scores)
    objects = [o for k in range(n) for o in (k, (k + 1) % n)]
    return Panel.from_records(objects, np.repeat(np.arange(n), 2), [x for score in scores for x in (0.0, score)])


def test_a_cycle_of_preferences_is_curl_in_a_triangle_and_harmonic_in_a_ring():
    triangle, ring = hodge_rank(_ring([1.0, 1.0, 1.0])), hodge_rank(_ring([1.0] * 5))
    assert (triangle.triangles, ring.triangles) == (1, 0)
    assert triangle.curl == pytest.approx(1)
    assert ring.harmonic == pytest.approx(1)
    assert ring.values == pytest.approx(np.full(5, ring.values[0]))


def test_consistent_scores_are_all_gradient():
    panel = Panel.from_matrix(np.add.outer([1.0, 4.0, 9.0], [0.0, 3.0, -2.0]))
    found = hodge_rank(panel)
    assert found.gradient == pytest.approx(1)
    assert (found.disagreement, found.curl, found.harmonic) == pytest.approx((0, 0, 0), abs=1e-12)


def test_shares_beyond_the_caps_are_not_worked_out():
    panel = simulated_panel(20, 6, 4, seed=5)
    few_pairs, few_triangles = hodge_rank(panel, most_pairs=10), hodge_rank(panel, most_triangles=10)
    full = hodge_rank(panel)
    assert few_pairs.pairs == -1
    assert np.isnan(few_pairs.disagreement)
    assert few_triangles.triangles == -1
    assert np.isnan(few_triangles.curl)
    assert few_triangles.disagreement == pytest.approx(full.disagreement)
    assert few_pairs.gradient == few_triangles.gradient == full.gradient


def test_nothing_to_compare_is_said():
    with pytest.raises(MethodNotApplicable, match="different scores"):
        hodge_rank(Panel.from_matrix([[3.0, 5.0], [3.0, 5.0]]))
    with pytest.raises(MethodNotApplicable, match="no flow"):
        hodge_rank(load_case("dup_pairs").panel, flow="ranks")
    with pytest.raises(DisconnectedPanel):
        hodge_rank(load_case("disconnected_two").panel)
