"""Whether random effects find the highest likelihood: eight shapes of panel, against a dense grid refined.

Run with `python tests/benchmarks/bench_random_effects.py [panels per shape]`. The reference shares nothing with the
product: the likelihood by a Cholesky factor of the smaller side's equations, on 29 x 29 root ratios (0 included), the
best three places refined by Nelder and Mead's simplex. Standard deviations are drawn anew for every panel.
"""

from __future__ import annotations

import sys
import time

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, optimize

from panelcal import Panel
from panelcal.calibration.random_effects import random_effects
from panelcal.network import component_labels

Array = NDArray[np.float64]

# Objects, assessors, assessors for each object.
SHAPES = [(8, 5, 3), (12, 12, 12), (40, 20, 2), (54, 18, 8), (25, 200, 20), (60, 6, 2), (82, 81, 9), (300, 10, 2)]
DEVIATIONS = [0.0, 0.5, 1.0, 3.0, 5.0, 10.0, 20.0]
NOISES = [3.0, 7.0, 10.0]
ROOTS = np.append(0.0, np.exp(np.linspace(np.log(0.01), np.log(200), 28)))
ALLOWED = 1e-6


def draw(random: np.random.Generator, shape: tuple[int, int, int]) -> Panel:
    """Draw a connected panel; confidences 1, 2 or 4."""
    n, m, each = shape
    while True:
        objects = np.repeat(np.arange(n), each)
        assessors = np.concatenate([random.choice(m, each, replace=False) for _ in range(n)])
        confidences = random.choice([1.0, 2.0, 4.0], len(objects))
        value_sd, bias_sd, noise = random.choice(DEVIATIONS), random.choice(DEVIATIONS), random.choice(NOISES)
        scores = value_sd * random.standard_normal(n)[objects] + bias_sd * random.standard_normal(m)[assessors]
        scores = 60 + scores + noise / np.sqrt(confidences) * random.standard_normal(len(objects))
        panel = Panel.from_records(objects, assessors, scores, confidences)
        if component_labels(panel)[0] == 1:
            return panel


class Reference:
    """The restricted likelihood of a panel, by Henderson's equations with the larger side eliminated."""

    def __init__(self, panel: Panel) -> None:
        self.n, self.c = panel.n_assessments, panel.confidences
        weights = np.zeros((panel.n_objects, panel.n_assessors))
        sums = np.zeros_like(weights)
        np.add.at(weights, (panel.object_index, panel.assessor_index), self.c)
        np.add.at(sums, (panel.object_index, panel.assessor_index), self.c * (panel.scores - 60))
        self.turned = panel.n_assessors > panel.n_objects
        self.weights, self.sums = (weights.T, sums.T) if self.turned else (weights, sums)
        self.squares = float(self.c @ (panel.scores - 60) ** 2)

    def log_likelihood(self, of_object: float, of_assessor: float) -> float:
        """At these root ratios."""
        gone, kept = (of_assessor, of_object) if self.turned else (of_object, of_assessor)
        weights, sums = self.weights, self.sums
        diagonal = 1 + gone**2 * weights.sum(axis=1)
        across = gone * kept * weights / diagonal[:, None]
        system = np.eye(weights.shape[1]) * (1 + kept**2 * weights.sum(axis=0)) - gone * kept * weights.T @ across
        lower = np.linalg.cholesky(system)

        def apart(one: Array, two: Array) -> float:  # U'C one against U'C two through the inverse
            rows = [(gone * table.sum(axis=1), kept * table.sum(axis=0)) for table in (one, two)]
            left, right = (linalg.solve_triangular(lower, k - across.T @ g, lower=True) for g, k in rows)
            return float((rows[0][0] / diagonal) @ rows[1][0] + left @ right)

        information = weights.sum() - apart(weights, weights)
        cross = sums.sum() - apart(weights, sums)
        noise = (self.squares - apart(sums, sums) - cross**2 / information) / (self.n - 1)
        determinant = 2 * np.log(lower.diagonal()).sum() + np.log(diagonal).sum() - np.log(self.c).sum()
        return -0.5 * float(determinant + np.log(information) + (self.n - 1) * (np.log(noise) + 1 + np.log(2 * np.pi)))

    def best(self) -> float:
        """The highest that a dense grid, refined, finds."""
        table = np.array([[self.log_likelihood(a, b) for b in ROOTS] for a in ROOTS])
        best = float(table.max())
        for k in np.argsort(table, axis=None)[-3:]:
            start = np.array([ROOTS[k // len(ROOTS)], ROOTS[k % len(ROOTS)]])
            simplex = start + np.array([[0, 0], [0.1, 0], [0, 0.1]]) * (start + 0.1)
            found = optimize.minimize(
                lambda roots: -self.log_likelihood(*np.abs(roots)), start, method="Nelder-Mead",
                options={"xatol": 1e-7, "fatol": 1e-10, "initial_simplex": simplex},
            )  # fmt: skip
            best = max(best, -float(found.fun))
        return best


def main(panels: int) -> int:
    """Print the table; 1 if a likelihood is lower than it may be."""
    print(f"{panels} panels of each shape")
    failed = 0
    for shape in SHAPES:
        random = np.random.default_rng([17, *shape])
        short, none, seconds = [], 0, 0.0
        for _ in range(panels):
            panel = draw(random, shape)
            start = time.process_time()
            found = random_effects(panel)
            seconds += time.process_time() - start
            none += found.bias_variance == 0 or found.value_variance == 0
            short.append(Reference(panel).best() - found.log_likelihood)
        failed += int((np.array(short) > ALLOWED).sum())
        print(
            f"{shape[0]:4} x {shape[1]:3}, {shape[2]:2} each: furthest below {max(short):8.1e}, furthest above "
            f"{-min(short):7.1e}, a variance of 0 in {none}, {1e3 * seconds / panels:.0f} ms",
            flush=True,
        )
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100))
