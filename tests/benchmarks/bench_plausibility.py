"""How often the gate of plausibility stops an honest panel, and how much of what is no assessor it finds.

python tests/benchmarks/bench_plausibility.py [PANELS]
"""

from __future__ import annotations

import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from panelcal.errors import InputRefused
from panelcal.reading.grid import Grid, Source
from panelcal.reading.plausibility.doubts import doubts_about_columns, doubts_about_rows
from panelcal.reading.read import read_panel

_SCALES = ((0, 100, 1), (1, 5, 1), (1, 10, 1), (0, 10, 0.5), (0, 20, 0.5), (0, 100, 0.1), (1, 6, 1), (0, 100, 5))


def honest_panel(random: np.random.Generator) -> np.ndarray:
    """Draw scores (n, m): tiny and large, severe and able assessors, short scales, floors and ceilings, blanks."""
    n, m = int(random.choice([3, 3, 4, 5, 6, 8, 12, 20, 40, 80])), int(random.choice([3, 3, 4, 5, 6, 8, 12, 20]))
    low, high, step = _SCALES[random.integers(len(_SCALES))]
    width = high - low
    values = width * (random.choice([0.4, 0.6, 0.75, 0.9]) + random.choice([0.05, 0.1, 0.2]) * random.normal(size=n))
    biases = width * random.choice([0.02, 0.08, 0.2]) * random.normal(size=m)
    if random.random() < 0.3:
        biases[random.integers(m)] -= width * random.choice([0.2, 0.35, 0.5])
    noise = width * random.choice([0.01, 0.05, 0.1]) * np.exp(0.5 * random.normal(size=m)) * random.normal(size=(n, m))
    scores = np.clip(low + values[:, None] + biases + noise, low, high)
    scores = np.round(low + np.round((scores - low) / step) * step, 4)
    blank = random.random((n, m)) < random.choice([0, 0, 0.2, 0.5])
    if (~blank).any(axis=1).all() and (~blank).any(axis=0).all():
        scores[blank] = np.nan
    return scores[np.argsort(-np.nan_to_num(scores).sum(axis=1))] if random.random() < 0.2 else scores


def planted(random: np.random.Generator) -> dict[str, Callable[[np.ndarray], np.ndarray]]:
    """What is added to a panel of marks (n, m) as one column more, and must be doubted."""
    weights = random.dirichlet(np.ones(6) * 3)
    return {
        "sum": lambda x: x.sum(axis=1),
        "mean, one decimal": lambda x: x.mean(axis=1).round(1),
        "mean, whole": lambda x: x.mean(axis=1).round(),
        "mean without extremes": lambda x: np.sort(x, axis=1)[:, 1:-1].mean(axis=1).round(2),
        "weighted mean": lambda x: (x @ weights).round(1),
        "weighted mean, whole": lambda x: (x @ weights).round(),
        "median": lambda x: np.median(x, axis=1),
        "mean of the best 4": lambda x: np.sort(x, axis=1)[:, 2:].mean(axis=1).round(1),
        "sum without the lowest": lambda x: np.sort(x, axis=1)[:, 1:].sum(axis=1),
        "the first of 40": lambda x: x[:, 0] * 0.4,
        "rank": lambda x: np.argsort(np.argsort(-x.sum(axis=1))) + 1.0,
        "sequence": lambda x: np.arange(1.0, len(x) + 1),
        "constant": lambda x: np.full(len(x), 100.0 if x.max() < 100 else 33.5),
        "year of birth": lambda x: 1995.0 + random.integers(0, 9, len(x)),
        "Unix time": lambda x: 1.7e9 + random.integers(0, 10**7, len(x)),
        "telephone": lambda x: 7.7e9 + random.integers(0, 10**8, len(x)),
        "out of 10": lambda x: np.round(random.normal(6, 1.5, len(x)).clip(0, 10), 1),
        "out of 25": lambda x: np.round(random.normal(15, 3, len(x)).clip(0, 25)),
    }


def stops(heading: str, random: np.random.Generator, rows_below: int = 20) -> bool:
    """Tell whether an honest column under a heading stops the run, or is left out."""
    scores = np.rint(
        random.normal(60, 10, (rows_below, 1)) + random.normal(0, 4, 5) + random.normal(0, 5, (rows_below, 5))
    )
    rows = [("Student", "Botany", "Cells", "Drugs", heading, "Ethics")]
    rows += [(f"S{k}", *row) for k, row in enumerate(scores.tolist())]
    try:
        reading = read_panel(Source("marks.csv", (Grid("marks", tuple(rows)),), "marks"))
    except InputRefused:
        return True
    return heading not in reading.panel.assessors


def stops_as_object(label: str, random: np.random.Generator) -> bool:
    """Tell whether an honest row with a label, in the middle of twenty, stops the run or is left out."""
    scores = np.rint(random.normal(60, 10, (20, 1)) + random.normal(0, 4, 5) + random.normal(0, 5, (20, 5)))
    rows = [("Entry", "Ann Abel", "Ben Beck", "Cleo Cole", "Dirk Dorn", "Eva Epp")]
    rows += [(label if k == 9 else f"The {k}. thing", *row) for k, row in enumerate(scores.tolist())]
    try:
        reading = read_panel(Source("marks.csv", (Grid("marks", tuple(rows)),), "marks"))
    except InputRefused:
        return True
    return label not in reading.panel.objects


def main(count: int) -> None:
    """Print the shares."""
    random = np.random.default_rng(20261122)
    warnings.simplefilter("ignore")
    begun = time.perf_counter()
    unknown = np.full(99, np.nan)
    panels = [honest_panel(random) for _ in range(count)]
    doubts = [(*doubts_about_columns(panel, unknown[: panel.shape[1]]), *doubts_about_rows(panel)) for panel in panels]
    print(f"honest panels that stop      {sum(map(bool, doubts)):5} of {count}")
    for reason, times in Counter(doubt.reason for found in doubts for doubt in found).most_common():
        print(f"    {reason}: {times}")
    honest = (Path(__file__).parent / "honest_headings.txt").read_text("utf-8").splitlines()
    print(f"honest headings that stop    {sum(stops(heading, random) for heading in honest):5} of {len(honest)}")
    print(f"the same as objects          {sum(stops_as_object(one, random) for one in honest):5} of {len(honest)}")
    for name in ("Total", "Average", "Som", "Rank"):
        shares = ", ".join(f"{rows} rows {sum(stops(name, random, rows) for _ in range(40))}" for rows in (5, 8, 20))
        print(f"somebody called {name:13} asked about in 40 draws: {shares}")
    for rows in (8, 20, 60):
        found = dict.fromkeys(planted(random), 0)
        tries = max(20, count // 10)
        for _ in range(tries):
            marks = random.normal(60, 10, (rows, 1)) + random.normal(0, 5, 6) + random.normal(0, 6, (rows, 6))
            marks = np.rint(marks.clip(0, 100))
            for name, column in planted(random).items():
                scores = np.column_stack([marks, column(marks)])
                doubts = doubts_about_columns(scores, unknown[:7])
                found[name] += any(6 in doubt.lines for doubt in doubts)
        for name, times in found.items():
            print(f"found in {rows:2} rows: {name:24} {100 * times / tries:4.0f}%")
    print(f"{time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
