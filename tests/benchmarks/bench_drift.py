"""Drift alarms over a year: false ones per fleet, jumps found at the first check, weeks until slow drift is found.

Run with `python tests/benchmarks/bench_drift.py [fleets] [jumps] [whole]`. Agents score their anchors once a week, 52
times after the first; the scatter of a calibrated score is normal with the given spread. Fleets and drifts go through
the functions that decide, with one curve for all dates; `whole` fleets go through `follow_drift`, refitted every week.
Figures are followed by their Monte Carlo standard error.
"""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from panelcal import check_drift, fit_anchor_curve
from panelcal.anchors.drift import AMBER
from panelcal.anchors.drift_alarms import jump_level, recursive_checks, slow_limit, tilt_level
from panelcal.anchors.drift_history import follow_drift

Array = NDArray[np.float64]

WEEKS = 52
FLEETS = ((6, 20, 4.2), (6, 40, 4.2), (6, 60, 8.5), (6, 240, 8.5), (50, 20, 4.2), (50, 60, 8.5))


def alarms(levels: Array, agents: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
    """Which checks (n_checks,) alarm by jump, slow drift and tilt; levels (n_scorings, n_anchors) of one agent."""
    found = recursive_checks(levels)
    jump = (found.p_values <= jump_level(agents)) & (np.abs(found.changes) > AMBER)
    slow = (found.sums > slow_limit(agents)) & (np.abs(found.slow_changes) > AMBER)
    middle, apart = (levels[1:] + levels[:-1]) / 2, np.diff(levels, axis=0)
    middle = middle - middle.mean(axis=1, keepdims=True)
    apart = apart - apart.mean(axis=1, keepdims=True)
    squares = (middle**2).sum(axis=1)
    slope = (middle * apart).sum(axis=1) / squares
    n = levels.shape[1]
    left = ((apart - slope[:, None] * middle) ** 2).sum(axis=1)
    p = 2 * stdtr(n - 2, -np.abs(slope) / np.sqrt(left / (n - 2) / squares))
    tilt = (p <= tilt_level(agents)) & (np.abs(slope) * np.sqrt(squares / (n - 1)) > AMBER)
    return jump, slow, tilt


def year(random: np.random.Generator, anchors: int, spread: float, path: Array) -> Array:
    """Calibrated scores (n_scorings, n_anchors) of an agent that moves along `path`."""
    truth = random.uniform(10, 90, anchors)
    return truth + path[:, None] + random.normal(0, spread, (len(path), anchors))


def share(found: list[bool]) -> str:
    """Spell a share with its standard error."""
    mean = float(np.mean(found))
    return f"{mean:.1%} +/- {np.sqrt(mean * (1 - mean) / len(found)):.1%}"


def false_alarms(fleets: int) -> None:
    """Share of fleets in which any agent alarms within a year although none has changed."""
    print("| agents | anchors | spread | fleets | any alarm in a year | jump | slow drift | spread |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for agents, anchors, spread in FLEETS:
        random = np.random.default_rng([agents, anchors])
        steady = np.zeros(WEEKS + 1)
        kinds: list[list[bool]] = [[], [], [], []]
        count = fleets if agents == 6 else fleets // 4
        for _ in range(count):
            seen = np.zeros(3, dtype=bool)
            for _ in range(agents):
                seen |= [bool(kind.any()) for kind in alarms(year(random, anchors, spread, steady), agents)]
            for place, value in enumerate([seen.any(), *seen]):
                kinds[place].append(bool(value))
        print(f"| {agents} | {anchors} | {spread} | {count:,} | {' | '.join(share(kind) for kind in kinds)} |")


def jumps(simulations: int) -> None:
    """Share of jumps of 10 found by `check_drift` at the first check."""
    print("\n| agents | anchors | spread | jumps of 10 | found at the first check |")
    print("| --- | --- | --- | --- | --- |")
    curve = fit_anchor_curve([0.0, 50.0, 100.0], [0.0, 50.0, 100.0], kind="linear", bounds=(-100.0, 200.0))
    for agents, anchors, spread in (*FLEETS, (6, 40, 8.5)):
        random = np.random.default_rng([agents, anchors, 1])
        found = []
        for _ in range(simulations):
            last, new = year(random, anchors, spread, np.array([0.0, 10.0]))
            found.append(check_drift(curve, last, new, agents=agents).shift_alarm != "none")
        print(f"| {agents} | {anchors} | {spread} | {simulations:,} | {share(found)} |")


def slow_drift(simulations: int) -> None:
    """Weeks until a drift of 0.4 a week is found, from a steady start of 0 or 12 weeks."""
    print("\n| agents | anchors | spread | steady weeks before | median weeks to an alarm | within 12 | within 20 |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for agents, anchors, spread in FLEETS:
        for before in (0, 12):
            random = np.random.default_rng([agents, anchors, before, 2])
            path = np.concatenate([np.zeros(before), 0.4 * np.arange(WEEKS - before + 1)])
            weeks = []
            for _ in range(simulations):
                any_alarm = np.logical_or.reduce(alarms(year(random, anchors, spread, path), agents))[before:]
                weeks.append(int(np.argmax(any_alarm)) + 1 if any_alarm.any() else WEEKS)
            found = np.array(weeks)
            print(
                f"| {agents} | {anchors} | {spread} | {before} | {np.median(found):g} | {(found <= 12).mean():.0%} | "
                f"{(found <= 20).mean():.0%} |"
            )


def whole_path(fleets: int) -> None:
    """Share of fleets of 6 with a false alarm when every week is refitted with the spline in use."""
    random = np.random.default_rng(5)
    seen = []
    for _ in range(fleets):
        found = False
        for _ in range(6):
            consensus = random.uniform(10, 90, 60)
            scores = np.clip(consensus + random.normal(0, 8.5, (WEEKS + 1, 60)), 0, 100)
            found = found or follow_drift(scores, consensus).first_alarm is not None
        seen.append(found)
    print(f"\nfollow_drift, refitted weekly, 6 agents, 60 anchors, spread 8.5: {share(seen)} of {fleets} fleets")


if __name__ == "__main__":
    sizes = [int(text) for text in sys.argv[1:]]
    false_alarms(sizes[0] if sizes else 4000)
    jumps(sizes[1] if len(sizes) > 1 else 4000)
    slow_drift(sizes[1] if len(sizes) > 1 else 2000)
    whole_path(sizes[2] if len(sizes) > 2 else 100)
