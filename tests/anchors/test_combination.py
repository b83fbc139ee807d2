"""Calibrated agents on a panel, anchors and overlaps together."""

import numpy as np
import pytest

from anchors.simulated_agents import World, simulate
from panelcal import InvalidPanel, MethodNotApplicable, calibrate, fit_anchor_curve
from panelcal.anchors.combination import CONSENSUS, calibrated_panel


def venue(n=60, manuscripts=40, seed=0):
    trial = simulate(World(), seed, n, manuscripts)
    curves = [fit_anchor_curve(scores, trial.consensus) for scores in trial.anchor_scores[:3]]
    scores = trial.new_scores[:3].T.copy()
    scores[np.arange(manuscripts), np.arange(manuscripts) % 3] = np.nan
    return curves, scores, trial


def test_scores_are_calibrated_and_confidences_are_one_over_the_residual_variance():
    curves, scores, _ = venue()
    panel = calibrated_panel(curves, scores, agents=["G1", "G2", "G3"])
    assert panel.assessors == ("G1", "G2", "G3")
    for item, agent, score, confidence in zip(
        panel.object_index, panel.assessor_index, panel.scores, panel.confidences, strict=True
    ):
        assert score == curves[agent](scores[item, agent])
        assert confidence == pytest.approx(1 / curves[agent].residual_sd ** 2)


def test_with_anchors_the_values_are_least_squares_on_both_written_out():
    curves, scores, trial = venue(20, 12)
    names = [f"anchor {k}" for k in range(20)]
    panel = calibrated_panel(curves, scores, anchors=names, consensus_error=5.0)
    rows, target, roots = [], [], []
    for agent, curve in enumerate(curves):
        for k in range(20):
            rows.append((12 + k, agent, curve(trial.anchor_scores[agent, k]), 1 / curve.residual_sd))
        for item in np.flatnonzero(~np.isnan(scores[:, agent])):
            rows.append((item, agent, curve(scores[item, agent]), 1 / curve.residual_sd))
    rows += [(12 + k, 3, trial.consensus[k], 1 / 5.0) for k in range(20)]
    design = np.zeros((len(rows), 32 + 4))
    for row, (item, assessor, _, _) in enumerate(rows):
        design[row, [item, 32 + assessor]] = 1
    target, roots = np.array([row[2] for row in rows]), np.array([row[3] for row in rows])
    solution = np.linalg.lstsq(roots[:, None] * design, roots * target, rcond=None)[0]
    found = calibrate(panel)
    place = {label: k for k, label in enumerate(found.panel.assessors)}
    biases = np.array([found.biases[place[label]] for label in ("1", "2", "3", CONSENSUS)])
    assert biases - biases[3] == pytest.approx(solution[32:] - solution[35], abs=1e-8)


def test_overlaps_move_an_agent_whose_anchors_misled_and_anchors_hold_the_scale():
    """Two agents see the same; one agent's anchor curve is 10 points high."""
    random = np.random.default_rng(0)
    consensus = random.uniform(10, 70, 30)
    noisy = consensus + random.normal(0, 3, 30)
    curves = [
        fit_anchor_curve(noisy, consensus, kind="linear"),
        fit_anchor_curve(noisy, consensus + 10, kind="linear"),
    ]
    items = np.repeat(random.uniform(10, 60, 500)[:, None], 2, axis=1)
    found = calibrate(calibrated_panel(curves, items))
    assert found.biases[1] - found.biases[0] == pytest.approx(10, abs=1e-9)


def test_anchors_without_consensus_stay_out_and_the_surest_agent_sets_the_consensus():
    trial = simulate(World(), 0, 30, 5)
    consensus = trial.consensus.copy()
    consensus[4] = np.nan
    curves = [fit_anchor_curve(scores, consensus) for scores in trial.anchor_scores]
    names = [f"a{k}" for k in range(30)]
    panel = calibrated_panel(curves, trial.new_scores.T, anchors=names)
    assert "a4" not in panel.objects
    assert len(panel.objects) == 5 + 29
    consensus_confidence = panel.confidences[panel.assessor_index == panel.assessors.index(CONSENSUS)]
    assert consensus_confidence == pytest.approx(1 / min(curve.residual_sd for curve in curves) ** 2)


def test_what_has_no_weight_or_no_place_is_refused():
    curves, scores, _ = venue()
    flat = fit_anchor_curve(np.arange(9.0), 50 - np.arange(9.0))
    exact = fit_anchor_curve([1, 2, 3], [1, 2, 3], kind="linear")
    for words, given, table, options in (
        ("flat", [flat], [[1.0]], {}),
        ("exactly", [exact], [[1.0]], {}),
        ("2 agents but 3 curves", curves, scores[:, :2], {}),
        ("2 anchor labels but 60 anchors", curves, scores, {"anchors": ["a", "b"]}),
    ):
        with pytest.raises(MethodNotApplicable, match=words):
            calibrated_panel(given, table, **options)
    with pytest.raises(InvalidPanel, match="appears more than once"):
        calibrated_panel(curves, scores, objects=["same"] * 40)
