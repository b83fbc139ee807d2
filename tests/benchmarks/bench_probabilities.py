"""Are stated probabilities and intervals true? `python tests/benchmarks/bench_probabilities.py [share of the panels]`.

Panels are made with mean and spreads drawn anew for each (`selected_panels`). In every tenth of stated probability the
share of true values at or above the boundary is compared with what was stated; standard errors take a panel's cases
together. Prints the tables of docs/benchmarks.md.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr
from selected_panels import Design, MadeUp, draw

from panelcal import calibrate, uncertainty
from panelcal.calibration.averages import weighted_average
from panelcal.calibration.uncertainty import student_quantile
from panelcal.calibration.value_posterior import value_posterior

Array = NDArray[np.float64]

BOUNDARIES = np.arange(45.0, 76.0, 3.0)[:, None]
DESIGNS = (
    (Design("8 x 5, 3 each", 8, 5, 3), 5200),
    (Design("40 x 20, 2 each", 40, 20, 2), 950),
    (Design("120 x 12, 4 each", 120, 12, 4), 420),
    (Design("82 x 60, 9 each, credits", 82, 60, 9, credits=True), 960),
    (Design("40 x 20, 3 each, by ability", 40, 20, 3, selection=0.4), 1040),
    (Design("82 x 60, 9 each, by ability", 82, 60, 9, credits=True, selection=0.4), 960),
    (Design("40 x 20, 2 each, strongly by ability", 40, 20, 2, selection=2.0), 200),
    (Design("82 x 60, 9 each, strongly by ability", 82, 60, 9, credits=True, selection=2.0), 200),
)


class Tally:
    """Stated probabilities and what was true, by group, with a panel's cases kept together."""

    def __init__(self) -> None:
        self._sums: dict[str, list[tuple[float, float, int]]] = defaultdict(list)

    def add(self, group: str, stated: Array, true: NDArray[np.bool_]) -> None:
        """Count one panel's cases of a group."""
        if len(stated):
            self._sums[group].append((float(stated.sum()), float(true.sum()), len(stated)))

    def row(self, group: str) -> str:
        """Spell what was stated, what was true and how many cases."""
        stated, true, count = np.array(self._sums[group]).T
        off = true - stated
        error = np.sqrt((off**2).sum()) / count.sum()
        return (
            f"{stated.sum() / count.sum():.3f} | {true.sum() / count.sum():.3f} +/- {error:.3f} | {int(count.sum()):,}"
        )

    def off(self, group: str) -> tuple[float, float, int]:
        """Return how far the true share lies above the stated one, its standard error and the number of cases."""
        stated, true, count = np.array(self._sums[group]).T
        off = true - stated
        return float(off.sum() / count.sum()), float(np.sqrt((off**2).sum()) / count.sum()), int(count.sum())


def judge(made: MadeUp, tally: Tally) -> tuple[float, bool, Array]:
    """Add one panel to the tally; returns estimated correlation, whether it was flagged, and coverage (3,)."""
    fit = calibrate(made.panel)
    raw, errors = weighted_average(made.panel)[None, :], uncertainty(fit)
    values = fit.values[None, :]
    up = (raw < BOUNDARIES) & (values >= BOUNDARIES)
    down = (raw >= BOUNDARIES) & (values < BOUNDARIES)
    found = {truth: value_posterior(fit, truth=truth) for truth in ("gauge", "raw")}
    for truth, true_values in (("gauge", made.gauge_values), ("raw", made.values)):
        stated = np.array([found[truth].at_or_above(boundary) for boundary in BOUNDARIES[:, 0]])
        true = true_values[None, :] >= BOUNDARIES
        tenth = np.minimum((stated * 10).astype(int), 9)
        for d in range(10):
            tally.add(f"{truth} {d}", stated[tenth == d], true[tenth == d])
        if truth == "gauge":
            tally.add("up", stated[up], true[up])
            tally.add("down", stated[down], true[down])
            tails = stdtr(fit.degrees_of_freedom, (values - BOUNDARIES) / errors.value_errors)
            tally.add("up, tails", tails[up], true[up])
    reach = student_quantile(fit.degrees_of_freedom, 0.95)
    with_zero = np.hypot(errors.value_errors, found["gauge"].zero_point_error)
    covered = [
        np.abs(fit.values - made.gauge_values) <= reach * errors.value_errors,
        np.abs(fit.values - made.values) <= reach * errors.value_errors,
        np.abs(fit.values - made.values) <= reach * with_zero,
    ]
    return found["gauge"].correlation, found["gauge"].strong_selection, np.mean(covered, axis=1)


def main() -> None:
    """Print one block for each design."""
    part = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    for number, (design, panels) in enumerate(DESIGNS):
        random, tally, began = np.random.default_rng(number), Tally(), time.process_time()
        count = max(20, round(panels * part))
        made = [draw(design, random) for _ in range(count)]
        judged = [judge(one, tally) for one in made]
        correlation = np.mean([one.correlation for one in made])
        coverage = np.array([covered for *_, covered in judged])
        print(
            f"\n{design.name}: {count} panels, {time.process_time() - began:.0f} s; correlation {correlation:.2f}, "
            f"estimated {np.mean([r for r, *_ in judged]):.2f}, flagged {np.mean([f for _, f, _ in judged]):.0%}"
        )
        for truth in ("gauge", "raw"):
            rows = [tally.off(f"{truth} {d}") for d in range(10)]
            told = " ".join(f"{100 * off:+.1f}({100 * error:.1f})" for off, error, _ in rows)
            print(f"  {truth}: true less stated by tenth, points: {told}; fewest cases {min(n for *_, n in rows):,}")
        for group in ("up", "down", "up, tails"):
            print(f"  crossed {group}: stated, true, cases: {tally.row(group)}")
        error = coverage.std(axis=0) / np.sqrt(count)
        words = ("in the gauge", "beyond the gauge", "beyond, zero point included")
        told = "; ".join(
            f"{w} {100 * c:.1f}% +/- {100 * e:.1f}" for w, c, e in zip(words, coverage.mean(0), error, strict=True)
        )
        print(f"  95% intervals hold: {told}", flush=True)


if __name__ == "__main__":
    main()
