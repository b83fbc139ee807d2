"""How often the tests of declared confidences cry out where the confidences are as declared, also under skewed noise.

Run with `python tests/benchmarks/bench_declared.py [panels]`. Values N(60, 9^2), biases N(0, 5^2); noise of deviation
7 sqrt(15/c), normal, exponential or log-normal with its mean taken off, confidences by score or by assessor.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

from panelcal import Panel, calibrate, declared_confidences
from panelcal.network import component_labels

Numbers = np.ndarray

CREDITS = (6.0, 7.5, 12.0, 15.0, 18.0)
DESIGNS: list[tuple[tuple[int, int, int], tuple[float, ...], bool]] = [
    ((12, 6, 4), (4.0, 1.0, 0.25), False),
    ((40, 20, 3), (4.0, 1.0, 0.25), False),
    ((54, 18, 4), (5.0, 15.0, 45.0), True),
    ((80, 12, 6), (5.0, 15.0, 45.0), False),
    ((82, 81, 9), CREDITS, True),
]
NOISES: dict[str, Callable[[np.random.Generator, int], Numbers]] = {
    "normal": lambda random, k: random.standard_normal(k),
    "exponential": lambda random, k: random.exponential(1, k) - 1,
    "log-normal": lambda random, k: (np.exp(random.standard_normal(k)) - np.exp(0.5)) / np.sqrt(np.e**2 - np.e),
}


def draw(
    random: np.random.Generator, shape: tuple[int, int, int], levels: tuple[float, ...], by_assessor: bool, noise: str
) -> Panel:
    """Draw a connected panel whose confidences are as declared."""
    n, m, each = shape
    while True:
        objects = np.repeat(np.arange(n), each)
        assessors = np.concatenate([random.choice(m, each, replace=False) for _ in range(n)])
        confidences = random.choice(levels, m)[assessors] if by_assessor else random.choice(levels, n * each)
        errors = 7 * np.sqrt(15 / confidences) * NOISES[noise](random, n * each)
        scores = random.normal(60, 9, n)[objects] + random.normal(0, 5, m)[assessors] + errors
        panel = Panel.from_records(objects, assessors, scores, confidences)
        if component_labels(panel)[0] == 1:
            return panel


def main(panels: int) -> None:
    """Print the share of p-values below 0.05."""
    for shape, levels, by_assessor in DESIGNS:
        for noise in NOISES:
            random = np.random.default_rng([7, *shape])
            whole, by_level = [], []
            for _ in range(panels):
                found = declared_confidences(calibrate(draw(random, shape, levels, by_assessor, noise)))
                whole.append(found.p_as_declared < 0.05)
                by_level.append(float(np.nanmean(found.level_p_values < 0.05)))
            error = np.sqrt(0.05 * 0.95 / panels)
            print(
                f"{shape[0]} x {shape[1]}, {shape[2]} each, by {'assessor' if by_assessor else 'score'}, {noise:11}: "
                f"as declared rejected {np.mean(whole):.3f}, a level {np.mean(by_level):.3f} (+/- {error:.3f})",
                flush=True,
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
