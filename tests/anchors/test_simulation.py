"""The made-up venue: the order of disagreement and the held-out errors, in few simulations (many in the benchmark)."""

import numpy as np
import pytest

from anchors.simulated_agents import World, simulate
from panelcal import disagreement, fit_anchor_curve

MADE_UP = World()
SIMULATIONS = 10
ORDER = ("raw", "min_max", "mean_sd", "linear", "isotonic", "spline")
EXPECTED = {  # at 20 and at 240 anchors, from the specification
    "linear": (15.8, 15.3),
    "isotonic": (16.6, 14.8),
    "spline": (15.7, 14.5),
}
TOLERANCE = 0.3 + 0.3  # and about three standard errors of ten simulations


def calibrated(trial, kind):
    if kind == "raw":
        return trial.new_scores
    return np.array(
        [
            fit_anchor_curve(scores, trial.consensus, kind=kind)(new)
            for scores, new in zip(trial.anchor_scores, trial.new_scores, strict=True)
        ]
    )


def mean_error(kind, anchors, world=MADE_UP, simulations=SIMULATIONS):
    errors = []
    for seed in range(simulations):
        trial = simulate(world, seed, anchors)
        errors.append(np.sqrt(np.mean((calibrated(trial, kind) - trial.new_consensus) ** 2, axis=1)).mean())
    return np.mean(errors)


def test_disagreement_falls_from_raw_scores_to_the_spline_in_the_order_of_the_specification():
    trials = [simulate(MADE_UP, seed) for seed in range(SIMULATIONS)]
    means = [np.mean([disagreement(calibrated(trial, kind)) for trial in trials]) for kind in ORDER]
    assert means == sorted(means, reverse=True)


@pytest.mark.parametrize("kind", EXPECTED)
def test_errors_on_new_manuscripts_are_those_of_the_specification(kind):
    assert [mean_error(kind, n) for n in (20, 240)] == pytest.approx(EXPECTED[kind], abs=TOLERANCE)


@pytest.mark.parametrize("anchors", [20, 30, 60])
def test_the_spline_is_never_much_worse_than_a_line(anchors):
    assert mean_error("spline", anchors) - mean_error("linear", anchors) < 0.2


@pytest.mark.slow
def test_where_a_line_is_right_the_spline_costs_little_even_with_twenty_anchors():
    straight = World(bend=0.0)
    assert mean_error("spline", 20, straight, 40) - mean_error("linear", 20, straight, 40) < 0.2
