"""Does the verdict expect the errors that come, and is its advice good? `python tests/benchmarks/bench_verdict.py`.

Panels whose truth is known (`selected_panels`), assigned at random and by ability. Expected errors are roots of mean
untruncated squares. The advice is followed: "cannot tell" and "no difference" count as half averages, half calibrated.
Its loss is the root mean square error it leads to over that of the best single choice for the design. Prints the
table of docs/benchmarks.md.
"""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray
from selected_panels import Design, MadeUp, draw

from panelcal import calibrate, verdict
from panelcal.calibration.averages import weighted_average
from panelcal.calibration.shrinkage import shrunken_biases

Array = NDArray[np.float64]

CHOICES = ("raw", "calibrated", "shrunken")
FOLLOWED = {"average": (1, 0, 0), "calibrate": (0, 1, 0), "shrink": (0, 0, 1)}
DESIGNS = (
    (Design("80 x 80, 9 each", 80, 80, 9), (8.0, 2.0, 7.0)),
    (Design("80 x 80, 9 each", 80, 80, 9), (8.0, 4.0, 7.0)),
    (Design("54 x 18, 4 each", 54, 18, 4), (8.0, 3.0, 10.0)),
    (Design("54 x 18, 4 each", 54, 18, 4), (8.0, 5.0, 6.0)),
    (Design("40 x 20, 2 each", 40, 20, 2), (8.0, 4.0, 6.0)),
    (Design("8 x 5, 3 each", 8, 5, 3), (8.0, 4.0, 6.0)),
    (Design("80 x 80, 9 each, by ability", 80, 80, 9, selection=0.4), (8.0, 2.0, 7.0)),
    (Design("80 x 80, 9 each, by ability", 80, 80, 9, selection=0.4), (8.0, 4.0, 7.0)),
    (Design("54 x 18, 4 each, by ability", 54, 18, 4, selection=0.6), (8.0, 3.0, 10.0)),
    (Design("54 x 18, 4 each, by ability", 54, 18, 4, selection=0.6), (8.0, 5.0, 6.0)),
    (Design("80 x 80, 9 each, strongly", 80, 80, 9, selection=1.5), (8.0, 4.0, 7.0)),
)


def judge(made: MadeUp) -> tuple[Array, Array, str, float]:
    """Return expected and true mean squares (3,), the advice and the estimated correlation of one panel."""
    panel = made.panel
    fit = calibrate(panel)
    found = verdict(panel, calibration=fit)
    shrunken = shrunken_biases(panel, noise_variance=found.noise_variance, bias_variance=found.assessor_variance).values
    weights = panel.object_totals(panel.confidences) / panel.confidences.sum()
    off = np.array([weighted_average(panel), fit.values, shrunken]) - made.values
    true = ((off - (off @ weights)[:, None]) ** 2).mean(axis=1)
    return np.array([found.expected_square[name] for name in CHOICES]), true, found.advice, found.correlation


def main() -> None:
    """Print one row for each design."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    print("| design; SD of biases, noise | expected / true: averages | calibrated | shrunken | advice | loss |")
    for number, (design, spreads) in enumerate(DESIGNS):
        random = np.random.default_rng(number)
        made = [draw(design, random, spreads=spreads) for _ in range(count)]
        judged = [judge(one) for one in made]
        expected, true = (np.array([one[k] for one in judged]) for k in (0, 1))
        advice = [one[2] for one in judged]
        shares = np.array([FOLLOWED.get(one, (0.5, 0.5, 0)) for one in advice])
        loss = np.sqrt((shares * true).sum(axis=1).mean() / true.mean(axis=0).min()) - 1
        errors = expected.std(axis=0) / np.sqrt(count) / (2 * np.sqrt(expected.mean(axis=0)))
        cells = [
            f"{e:.2f} +/- {s:.2f} / {t:.2f}"
            for e, s, t in zip(np.sqrt(expected.mean(0)), errors, np.sqrt(true.mean(0)), strict=True)
        ]
        names, counts = np.unique(advice, return_counts=True)
        told = ", ".join(f"{name} {c / count:.0%}" for name, c in zip(names, counts, strict=True))
        correlation = np.mean([one.correlation for one in made])
        print(
            f"| {design.name}; {spreads[1]:g}, {spreads[2]:g}; correlation {correlation:.2f} | "
            f"{' | '.join(cells)} | {told} | {loss:.1%} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
