"""Many tests at once: how often luck names anybody, and how much of what is really off is found.

Run with `python tests/benchmarks/bench_many_at_once.py [part] [simulations]`; parts: assessors, scores, masking, round,
slopes. Every panel is made anew: which assessor sees which object, values (SD 9) and noise (SD 7). Figures are followed
by their Monte Carlo standard error.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from panelcal import DisconnectedPanel, Panel, assessor_differences, calibrate, uncertainty, unexpected_scores
from panelcal.calibration.influence import leverages

Array = NDArray[np.float64]

DESIGNS = ((80, 40, 8), (82, 80, 10), (40, 20, 2), (30, 5, 3), (8, 5, 3))
NOISE = 7.0


def panels(
    design: tuple[int, int, int], simulations: int, biases: Callable[[np.random.Generator, int], Array]
) -> Iterator[tuple[np.random.Generator, Panel]]:
    """Make connected panels of objects x assessors with so many scores for each object."""
    n, m, each = design
    made = seed = 0
    while made < simulations:
        random = np.random.default_rng([seed, n, m])
        seed += 1
        objects = np.repeat(np.arange(n), each)
        assessors = np.concatenate([random.choice(m, each, replace=False) for _ in range(n)])
        present, assessors = np.unique(assessors, return_inverse=True)
        scores = random.normal(60, 9, n)[objects] + biases(random, m)[present][assessors]
        scores = scores + NOISE * random.standard_normal(len(objects))
        panel = Panel(
            tuple(map(str, range(n))), tuple(map(str, present)), objects, assessors, scores, np.ones(len(objects))
        )
        try:
            calibrate(panel)
        except DisconnectedPanel:
            continue
        made += 1
        yield random, panel


def nobody_off(random: np.random.Generator, m: int) -> Array:
    """No biases."""
    return np.zeros(m)


def share(found: list[float]) -> str:
    """Spell a mean with its standard error."""
    return f"{np.mean(found):.3f} +/- {np.std(found) / np.sqrt(len(found)):.3f}"


def assessors(simulations: int) -> None:
    """Level without anybody off; then with one (and with three) off by 10 or 20 marks."""
    print("objects x assessors x each: named anybody when none is off; named per panel by plain 95% intervals")
    for design in DESIGNS:
        any_named, plain = [], []
        for _, panel in panels(design, simulations, nobody_off):
            fit = calibrate(panel)
            any_named.append(float(assessor_differences(fit).clearly_off.any()))
            ends = uncertainty(fit).bias_interval()
            plain.append(float(((ends[:, 0] > 0) | (ends[:, 1] < 0)).sum()))
        print(design, share(any_named), "| intervals:", share(plain))
    print("off: found (share of those off); any innocent named; any innocent named by Holm without steps")
    for design, count, size in (
        ((30, 5, 3), 1, 10.0),
        ((30, 5, 3), 1, 20.0),
        ((40, 18, 4), 1, 10.0),
        ((40, 18, 4), 1, 20.0),
        ((80, 40, 8), 1, 10.0),
        ((80, 40, 8), 6, 10.0),
    ):
        found, innocent, without = [], [], []

        def some_off(random: np.random.Generator, m: int, count: int = count, size: float = size) -> Array:
            return np.where(np.arange(m) < count, size, 0.0)

        for _, panel in panels(design, simulations // 2, some_off):
            fit = calibrate(panel)
            differences = assessor_differences(fit)
            off = np.array([int(label) < count for label in panel.assessors])
            found.append(float(differences.clearly_off[off].mean()))
            innocent.append(float(differences.clearly_off[~off].any()))
            z = np.abs(fit.biases / uncertainty(fit).bias_errors)
            limit = _student(fit.degrees_of_freedom, 0.05 / len(z))
            without.append(float((z[~off] > limit).any()))
        print(design, f"{count} off by {size:g}:", share(found), "|", share(innocent), "|", share(without))


def _student(freedom: int, level: float) -> float:
    from scipy.stats import t

    return float(t.isf(level / 2, freedom))


def scores(simulations: int) -> None:
    """Level without wild scores, and what is beyond 3.0 against what luck gives."""
    print("objects x assessors x each: named any; beyond 3.0 and the figure given for luck, per panel")
    for design in DESIGNS:
        found = [unexpected_scores(calibrate(panel)) for _, panel in panels(design, simulations, _usual)]
        named = [float(one.unexpected.any()) for one in found]
        far, luck = [float(one.n_far) for one in found], [one.n_far_by_luck for one in found]
        print(design, share(named), "|", share(far), "|", f"{np.mean(luck):.3f}")


def masking(simulations: int) -> None:
    """How many of 25 wild scores among 480 are found: here, and beyond 3.0 of the residuals of one fit for all."""
    print("25 of 480 (60 x 40, 8 each) off by: found; good scores named; found at 3.0 by one fit; good ones so named")
    for size in (30.0, 36.0, 40.0, 50.0):
        found, false, plain, plain_false = [], [], [], []
        for random, panel in panels((60, 40, 8), simulations, _usual):
            wild = np.isin(np.arange(480), random.choice(480, 25, replace=False))
            spoilt = panel.scores + wild * size * random.choice([-1.0, 1.0], 480)
            fit = calibrate(
                Panel(panel.objects, panel.assessors, panel.object_index, panel.assessor_index, spoilt, np.ones(480))
            )
            named = unexpected_scores(fit).unexpected
            z = np.abs(fit.residuals) / np.sqrt(fit.w_unbiased * (1 - leverages(fit)))
            found.append(float(named[wild].mean()))
            false.append(float(named[~wild].sum()))
            plain.append(float((z[wild] >= 2.95).mean()))
            plain_false.append(float((z[~wild] >= 2.95).sum()))
        print(f"{size:g}:", share(found), "|", share(false), "|", share(plain), "|", share(plain_false))


def _usual(random: np.random.Generator, m: int) -> Array:
    return random.normal(0, 5, m)


PARTS = {"assessors": assessors, "scores": scores, "masking": masking}

if __name__ == "__main__":
    chosen = [sys.argv[1]] if len(sys.argv) > 1 else list(PARTS)
    for name in chosen:
        PARTS[name](int(sys.argv[2]) if len(sys.argv) > 2 else 2000)
