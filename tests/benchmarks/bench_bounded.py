"""The method `bounded` on scores that crowd at an end of their scale, on data of its own model and of others.

Run with `python tests/benchmarks/bench_bounded.py [panels]`. 40 objects, 10 assessors, 5 each; values N(mean, 8^2),
biases N(0, 4^2), noise of 7 (or 4, or 12), scores rounded to whole marks and cut at 0 and 100. The truth is the value
plus the mean bias (gauge 36), cut at 0 and 100 as well. "Convex" scores go through 100 (x/100)^0.7 first; "skewed"
noise is an exponential with its mean taken off, of the same deviation.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from panelcal import Panel, fit

Numbers = np.ndarray


def draw(random: np.random.Generator, mean: float, noise: float, kind: str) -> tuple[Panel, Numbers]:
    """Draw a panel and the true values on the score scale."""
    objects = np.repeat(np.arange(40), 5)
    assessors = np.concatenate([random.choice(10, 5, replace=False) for _ in range(40)])
    values, biases = random.normal(mean, 8, 40), random.normal(0, 4, 10)
    errors = random.exponential(1, len(objects)) - 1 if kind == "skewed" else random.standard_normal(len(objects))
    scores = values[objects] + biases[assessors] + noise * errors
    truth = values + np.bincount(assessors, biases[assessors]).sum() / len(objects)
    if kind == "convex":
        scores, truth = (100 * (np.clip(x, 0, 150) / 100) ** 0.7 for x in (scores, truth))
    return Panel.from_records(objects, assessors, np.clip(np.round(scores), 0, 100)), np.clip(truth, 0, 100)


SITUATIONS = [
    (60.0, 7.0, "own model"), (75.0, 7.0, "own model"), (88.0, 7.0, "own model"), (95.0, 7.0, "own model"),
    (88.0, 4.0, "own model"), (88.0, 12.0, "own model"), (12.0, 7.0, "own model"),
    (75.0, 7.0, "skewed"), (88.0, 7.0, "skewed"), (75.0, 7.0, "convex"), (88.0, 7.0, "convex"),
]  # fmt: skip
METHODS = ("confidence", "bounded")


def main(panels: int) -> None:
    """Print error and coverage for each situation."""
    for mean, noise, kind in SITUATIONS:
        random = np.random.default_rng([2, int(mean), int(noise), len(kind)])
        off: dict[str, list[float]] = {name: [] for name in METHODS}
        held: dict[str, list[float]] = {name: [] for name in METHODS}
        cut, seconds = [], 0.0
        for _ in range(panels):
            panel, truth = draw(random, mean, noise, kind)
            order = [int(label) for label in panel.objects]
            cut.append(float(np.mean((panel.scores >= 100) | (panel.scores <= 0))))
            for name in METHODS:
                start = time.process_time()
                found = fit(panel, name, **({"scale": (0.0, 100.0)} if name == "bounded" else {}))
                seconds += (time.process_time() - start) * (name == "bounded")
                assert found.uncertainty is not None
                low, high = found.uncertainty.value_interval().T
                off[name].append(float(np.mean((np.clip(found.values, 0, 100) - truth[order]) ** 2)))
                held[name].append(float(np.mean((low <= truth[order]) & (truth[order] <= high))))
        errors = {name: np.sqrt(np.mean(off[name])) for name in METHODS}
        ratio = np.array(off["bounded"]).mean() / np.array(off["confidence"]).mean()
        spread = np.std(np.array(off["bounded"]) / np.mean(off["bounded"]) - np.array(off["confidence"])
                        / np.mean(off["confidence"])) / np.sqrt(panels)  # fmt: skip
        cells = ", ".join(f"{name} {errors[name]:.2f} ({100 * np.mean(held[name]):.1f}%)" for name in METHODS)
        print(
            f"mean {mean:.0f}, noise {noise:.0f}, {kind:9} {100 * np.mean(cut):4.1f}% cut: {cells}; "
            f"bounded / confidence {np.sqrt(ratio):.3f} +/- {0.5 * np.sqrt(ratio) * spread:.3f}, "
            f"{1e3 * seconds / panels:.0f} ms",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
