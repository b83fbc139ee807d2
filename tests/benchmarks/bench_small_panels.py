"""Whether 95% intervals of shrunken and robust methods hold the truth on small panels.

Run with `python tests/benchmarks/bench_small_panels.py [panels]`. Values, biases and noise are drawn from the model
anew for each panel: values N(60, 8^2), biases N(0, 5^2), noise N(0, 6^2/c), c 1 or 2. The truth is, for random
effects, the value itself, biases having mean 0 among all assessors that might have been; for shrunken biases and the
bisquare the value plus the confidence-weighted mean bias, as in gauge (36).
"""

from __future__ import annotations

import sys

import numpy as np

from panelcal import Panel, fit
from panelcal.errors import MethodNotApplicable
from panelcal.network import component_labels

DESIGNS = [(8, 5, 3), (12, 6, 4), (20, 8, 3), (40, 20, 2)]
METHODS = ("random_effects", "shrunken_biases", "bisquare", "confidence")


def draw(random: np.random.Generator, n: int, m: int, each: int) -> tuple[Panel, np.ndarray, float]:
    """Draw a connected panel, its true values and the confidence-weighted mean of its true biases."""
    while True:
        objects = np.repeat(np.arange(n), each)
        assessors = np.concatenate([random.choice(m, each, replace=False) for _ in range(n)])
        confidences = random.choice([1.0, 2.0], len(objects))
        values, biases = random.normal(60, 8, n), random.normal(0, 5, m)
        noise = 6 / np.sqrt(confidences) * random.standard_normal(len(objects))
        panel = Panel.from_records(objects, assessors, values[objects] + biases[assessors] + noise, confidences)
        if component_labels(panel)[0] == 1 and len(panel.assessors) == m:
            return panel, values, float(confidences @ biases[assessors] / confidences.sum())


def main(panels: int) -> None:
    """Print how often intervals hold the truth, with its standard error over panels, and their mean width."""
    for shape in DESIGNS:
        random = np.random.default_rng([10, *shape])
        held: dict[str, list[float]] = {name: [] for name in METHODS}
        widths: dict[str, list[float]] = {name: [] for name in METHODS}
        for _ in range(panels):
            panel, values, shift = draw(random, *shape)
            for name in METHODS:
                try:
                    uncertainty = fit(panel, name).uncertainty
                except MethodNotApplicable:
                    continue
                assert uncertainty is not None
                low, high = uncertainty.value_interval().T
                truth = values if name == "random_effects" else values + shift
                held[name].append(float(((low <= truth) & (truth <= high)).mean()))
                widths[name].append(float(np.mean(high - low)))
        for name in METHODS:
            share = np.array(held[name])
            if len(share):
                error = share.std() / np.sqrt(len(share))
                print(
                    f"{shape[0]:3} x {shape[1]:2}, {shape[2]} each, {len(share)} panels, {name:16} "
                    f"{100 * share.mean():.1f}% +/- {100 * error:.1f}, mean width {np.mean(widths[name]):.1f}",
                    flush=True,
                )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
