"""Many tests at once: how often luck names anybody, and how much of what is really off is found.

Run with `python tests/benchmarks/bench_many_at_once.py [part] [simulations]`; parts: assessors, scores, masking, round,
slopes. Every panel is made anew: which assessor sees which object, values (SD 9) and noise (SD 7). Figures are followed
by their Monte Carlo standard error.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from panelcal import (
    DisconnectedPanel,
    Panel,
    assessor_differences,
    calibrate,
    nonadditivity,
    uncertainty,
    unexpected_scores,
)
from panelcal.calibration.diagnostics import round_numbers
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


def share(found: Sequence[float]) -> str:
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
    return -float(stdtrit(freedom, level / 2))


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


def round_scores(simulations: int) -> None:
    """Panels called fond of round numbers at the 1% level; 60 x 40 with 8 whole marks each."""
    print("whole marks, 60 x 40 with 8 each: called a liking at 1%, boundaries not told | told")
    boundaries = (40.0, 50.0, 60.0, 70.0)
    for name, change in (
        ("nothing done to them", lambda random, s: s),
        ("around 88, cut at 100", lambda random, s: np.minimum(s + 28, 100)),
        ("6% set to 0", lambda random, s: np.where(random.random(480) < 0.06, 0, s)),
        ("36-39 lifted to 40", lambda random, s: np.where((s - 8 >= 36) & (s - 8 < 40), 40, s - 8)),
        ("last two below 40, 50, 60, 70 lifted", _lifted),
        ("a fifth rounded to 5", lambda random, s: np.where(random.random(480) < 0.2, 5 * np.rint(s / 5), s)),
        ("a fifth rounded to 10", lambda random, s: np.where(random.random(480) < 0.2, 10 * np.rint(s / 10), s)),
    ):
        found: list[list[float]] = [[], []]
        for random, panel in panels((60, 40, 8), simulations, _usual):
            scores = np.asarray(change(random, np.rint(panel.scores)), dtype=np.float64)
            marked = Panel(
                panel.objects, panel.assessors, panel.object_index, panel.assessor_index, scores, np.ones(480)
            )
            for place, told in enumerate(((), boundaries)):
                found[place].append(float(round_numbers(marked, boundaries=told).p_value < 0.01))
        print(f"{name}:", share(found[0]), "|", share(found[1]))


def _lifted(random: np.random.Generator, scores: Array) -> Array:
    for boundary in (40, 50, 60, 70):
        scores = np.where((scores >= boundary - 2) & (scores < boundary), boundary, scores)
    return scores


def slopes(simulations: int) -> None:
    """Nonadditivity: level, and power where an assessor with bias b stretches values by 1 + theta b."""
    print("nonadditivity: p < 0.05 and p < 0.01 without a slope")
    for design in DESIGNS:
        p = np.array([nonadditivity(calibrate(panel)).p_value for _, panel in panels(design, simulations, _usual)])
        print(design, share((p < 0.05).tolist()), "|", share((p < 0.01).tolist()))
    print("theta per mark of bias (biases of SD 5): p < 0.01; mean slope found")
    for design in ((80, 40, 8), (82, 80, 10), (30, 5, 3)):
        for theta in (-0.01, -0.02, -0.04):
            found = [
                nonadditivity(calibrate(_stretched(random, panel, theta)))
                for random, panel in panels(design, simulations // 2, _usual)
            ]
            print(design, theta, share([one.p_value < 0.01 for one in found]), "|", share([one.slope for one in found]))


def _stretched(random: np.random.Generator, panel: Panel, theta: float) -> Panel:
    values, biases = random.normal(0, 9, panel.n_objects), random.normal(0, 5, panel.n_assessors)
    own, bias = values[panel.object_index], biases[panel.assessor_index]
    scores = 60 + bias + (1 + theta * bias) * own + NOISE * random.standard_normal(panel.n_assessments)
    return Panel(panel.objects, panel.assessors, panel.object_index, panel.assessor_index, scores, panel.confidences)


def _usual(random: np.random.Generator, m: int) -> Array:
    return random.normal(0, 5, m)


PARTS = {"assessors": assessors, "scores": scores, "masking": masking, "round": round_scores, "slopes": slopes}

if __name__ == "__main__":
    chosen = [sys.argv[1]] if len(sys.argv) > 1 else list(PARTS)
    for name in chosen:
        PARTS[name](int(sys.argv[2]) if len(sys.argv) > 2 else 2000)
