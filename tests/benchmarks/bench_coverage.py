"""Whether the 95% intervals hold the truth 95% of the time, on the example's own graph, and which w is right.

Run with `python tests/benchmarks/bench_coverage.py [simulations]`. True values and biases are those of the made-up
board, new noise is drawn each time; coverage is of values in gauge (36) against the truth in the same gauge.
"""

from __future__ import annotations

import sys

import numpy as np

from panelcal import Panel, calibrate, uncertainty
from panelcal.templates.made_up import exam_board_marks

NOISE_VARIANCE_AT_15 = 49.0


def main(simulations: int) -> None:
    """Print coverage of values, biases and differences, and the mean of both estimates of w."""
    board = exam_board_marks()
    objects, assessors = np.nonzero(~np.isnan(board.marks))
    confidences = np.asarray(board.credits, dtype=float)[assessors]
    w = NOISE_VARIANCE_AT_15 * 15
    weights = np.bincount(assessors, confidences)
    shift = weights @ board.true_biases / weights.sum()
    truth, biases = board.true_values + shift, board.true_biases - shift
    random = np.random.default_rng(0)
    held: dict[str, list[float]] = {"values": [], "biases": [], "differences": []}
    estimates: dict[str, list[float]] = {"R/N": [], "R/(N - p)": []}
    pairs = random.integers(0, len(truth), (2, 500))
    pairs = pairs[:, pairs[0] != pairs[1]]
    for _ in range(simulations):
        noise = np.sqrt(w / confidences) * random.standard_normal(len(objects))
        panel = Panel.from_records(objects, assessors, truth[objects] + biases[assessors] + noise, confidences)
        true_value = truth[[int(label) for label in panel.objects]]
        true_bias = biases[[int(label) for label in panel.assessors]]
        fit = calibrate(panel)
        errors = uncertainty(fit)
        for name, interval, expected in (
            ("values", errors.value_interval(), true_value),
            ("biases", errors.bias_interval(), true_bias),
        ):
            held[name].append(float(((interval[:, 0] <= expected) & (expected <= interval[:, 1])).mean()))
        off = (fit.values[pairs[0]] - fit.values[pairs[1]]) - (true_value[pairs[0]] - true_value[pairs[1]])
        factor = (errors.value_interval()[0, 1] - fit.values[0]) / errors.value_errors[0]
        held["differences"].append(float((np.abs(off) <= factor * errors.difference_errors(*pairs)).mean()))
        estimates["R/N"].append(fit.w_ml / w)
        estimates["R/(N - p)"].append(fit.w_unbiased / w)
    print(f"{simulations} simulations on the graph of the example: {len(objects)} marks")
    for name, shares in held.items():
        print(f"coverage of 95% intervals, {name:12} {100 * np.mean(shares):.1f}%")
    for name, ratios in estimates.items():
        print(f"w estimated by {name:10} {np.mean(ratios):.3f} of the truth")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
