"""What Cal values says of ranks and neighbours, held against simulated panels.

`python tests/benchmarks/bench_cases.py [PANELS]` draws panels (500 by default) with normal values, biases and noise
(standard deviations drawn anew for each: values 6-14, biases 2-8, noise 4-10) and counts how often rank intervals of
95% hold the true rank, and how often an object is truly better than the next in rank where P(above next) says so.
"""

from __future__ import annotations

import sys

import numpy as np

from panelcal import Panel, calibrate, uncertainty
from panelcal.calibration.ranking import ranking
from panelcal.network import is_connected

DESIGNS = {"40 x 20, 2 each": (40, 20, 2), "82 x 60, 9 each": (82, 60, 9), "20 x 8, 3 each": (20, 8, 3)}
EDGES = np.array([0.5, 0.6, 0.7, 0.8, 0.9, 1.0])


def simulated(chance: np.random.Generator, n: int, m: int, each: int) -> tuple[Panel, np.ndarray]:
    """A connected panel and the true values of its objects."""
    while True:
        values = chance.normal(60, chance.uniform(6, 14), n)
        biases, noise = chance.normal(0, chance.uniform(2, 8), m), chance.uniform(4, 10)
        rows = [(o, a) for o in range(n) for a in chance.choice(m, each, replace=False)]
        objects, assessors = np.array(rows).T
        scores = values[objects] + biases[assessors] + chance.normal(0, noise, len(rows))
        panel = Panel.from_records(objects.tolist(), assessors.tolist(), scores)
        if is_connected(panel) and panel.n_objects == n:
            return panel, values


def main(panels: int = 500) -> None:
    chance = np.random.default_rng(1)
    print("| design | panels | rank intervals of 95% hold | P(above next) stated: true |\n| --- | --- | --- | --- |")
    for name, design in DESIGNS.items():
        held: list[float] = []
        stated, true = [], []
        for _ in range(panels):
            panel, values = simulated(chance, *design)
            found = ranking(uncertainty(calibrate(panel)))
            values = values[[int(label) for label in panel.objects]]
            ranks = (values[:, None] < values[None, :]).sum(axis=1) + 1
            held.append(float(((found.first <= ranks) & (ranks <= found.last)).mean()))
            order = np.argsort(-calibrate(panel).centred_values, kind="stable")
            stated.append(found.above_next[order[:-1]])
            true.append(values[order[:-1]] > values[order[1:]])
        error = np.std(held) / np.sqrt(panels)
        said, held_true = np.concatenate(stated), np.concatenate(true)
        bins = np.clip(np.digitize(said, EDGES) - 1, 0, len(EDGES) - 2)
        shares = ", ".join(
            f"{said[bins == k].mean():.2f}: {held_true[bins == k].mean():.2f} ({(bins == k).sum():,})"
            for k in range(len(EDGES) - 1)
            if (bins == k).any()
        )
        print(f"| {name} | {panels} | {100 * np.mean(held):.1f}% +/- {100 * error:.1f} | {shares} |")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
