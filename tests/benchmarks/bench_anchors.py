"""Anchored calibration of made-up agents: how close, how watchful, how fast (docs/anchors.md).

Run with `python tests/benchmarks/bench_anchors.py [simulations]`. Six agents with scales bent in six ways score 240
anchors and 1,050 new manuscripts; `tests/anchors/simulated_agents.py` says how they err. Stops with an error where an
ordering or a limit that panelcal promises does not hold.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from anchors.simulated_agents import SCALES, Change, World, simulate, simulate_weeks
from panelcal import Panel, calibrate, disagreement, fit_anchor_curve
from panelcal.anchors.anchor_review import review_anchors
from panelcal.anchors.bands import calibrate_scores
from panelcal.anchors.choice import choose_anchor_curve, predict_left_out
from panelcal.anchors.combination import calibrated_panel
from panelcal.anchors.curves import KINDS
from panelcal.anchors.disagreement import agreement
from panelcal.anchors.drift import check_drift
from panelcal.anchors.drift_history import follow_drift
from panelcal.anchors.monotonicity import check_monotonicity

Numbers = np.ndarray

ORDER = ("raw", "min_max", "mean_sd", "linear", "isotonic", "spline")
COUNTS = (20, 40, 80, 240)
PROMISED = {
    "linear": (15.8, 15.6, 15.5, 15.3),
    "isotonic": (16.6, 15.9, 15.4, 14.8),
    "spline": (15.7, 15.1, 14.8, 14.5),
}
TOLERANCE = 0.3
WORSE_THAN_A_LINE = 0.2
FALSE_ALARMS = 0.01
EVERY = tuple(range(len(SCALES)))
SLOW = {"wander": 0.3 * np.sqrt(7), "stretch": 0.003 * np.sqrt(7)}


def _curves(trial, kind):
    return [fit_anchor_curve(scores, trial.consensus, kind=kind) for scores in trial.anchor_scores]


def _errors(trial, kind) -> Numbers:
    """Root mean square error of each agent on new manuscripts."""
    return np.array(
        [
            np.sqrt(np.mean((curve(scores) - trial.new_consensus) ** 2))
            for curve, scores in zip(_curves(trial, kind), trial.new_scores, strict=True)
        ]
    )


def agreement_table(simulations: int) -> None:
    """D, spread, error and correlation by kind of curve, on new manuscripts."""
    rows: dict[str, list[list[float]]] = {kind: [] for kind in ORDER}
    for seed in range(simulations):
        trial = simulate(World(), seed)
        for kind in ORDER:
            scores = trial.new_scores
            if kind != "raw":
                scores = np.array([c(s) for c, s in zip(_curves(trial, kind), scores, strict=True)])
            found = agreement(scores, trial.new_consensus, draws=1)
            rows[kind].append(
                [
                    part.value
                    for part in (
                        found.disagreement,
                        found.spread,
                        found.error,
                        found.mean_error,
                        found.best_correlation,
                        found.mean_correlation,
                    )
                ]
            )
    print(
        "\n| curve | D | SD of scores | error, one agent | error, mean of agents | r, best agent | r, mean of agents |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for kind in ORDER:
        d, sd, error, mean_error, best, mean = np.mean(rows[kind], axis=0)
        print(f"| {kind} | {d:.1f} | {sd:.1f} | {error:.1f} | {mean_error:.1f} | {best:.3f} | {mean:.3f} |")
    means = [np.mean(rows[kind], axis=0)[0] for kind in ORDER]
    assert means == sorted(means, reverse=True), "the order of D is not the promised one"


def error_table(simulations: int) -> None:
    """Held-out error by number of anchors, against METHODS."""
    print("\n| curve | " + " | ".join(f"{n} anchors" for n in COUNTS) + " |")
    print("| --- |" + " --- |" * len(COUNTS))
    for kind, promised in PROMISED.items():
        means = [np.mean([_errors(simulate(World(), s, n), kind) for s in range(simulations)]) for n in COUNTS]
        print(f"| {kind} | " + " | ".join(f"{m:.1f} ({p})" for m, p in zip(means, promised, strict=True)) + " |")
        if simulations >= 40:
            assert np.abs(np.array(means) - promised).max() < TOLERANCE, f"{kind} is off the table"


def against_a_line(simulations: int) -> None:
    """Error of the spline minus that of the line, by number of anchors and by how bent the agents' scales are."""
    counts = (20, 25, 30, 40, 60, 80, 120, 180, 240)
    worlds = {
        "bent, in tiers (METHODS)": World(),
        "bent, spread out": World(tiers=False),
        "very bent": World(bend=1.0),
        "straight": World(bend=0.0),
    }
    print("\n| agents' scales | " + " | ".join(str(n) for n in counts) + " |")
    print("| --- |" + " --- |" * len(counts))
    for name, world in worlds.items():
        means = []
        for n in counts:
            trials = [simulate(world, seed, n) for seed in range(simulations)]
            means.append(np.mean([_errors(t, "spline") - _errors(t, "linear") for t in trials]))
        print(f"| {name} | " + " | ".join(f"{m:+.2f}" for m in means) + " |")
        assert max(means) < WORSE_THAN_A_LINE, f"spline worse than a line: {name}"


def choices(simulations: int) -> None:
    """What cross-validation chooses, and what that costs or gains against always taking the default."""
    print("\n| anchors | spline | isotonic | linear | error chosen - error of the default |")
    print("| --- | --- | --- | --- | --- |")
    for n in (12, 40, 240):
        kinds, gains = [], []
        for seed in range(simulations):
            trial = simulate(World(), seed, n)
            for scores, new in zip(trial.anchor_scores, trial.new_scores, strict=True):
                choice = choose_anchor_curve(scores, trial.consensus)
                default = fit_anchor_curve(scores, trial.consensus, kind=choice.default)
                kinds.append(choice.curve.kind)
                gains.append(
                    np.sqrt(np.mean((choice.curve(new) - trial.new_consensus) ** 2))
                    - np.sqrt(np.mean((default(new) - trial.new_consensus) ** 2))
                )
        shares = " | ".join(f"{kinds.count(kind) / len(kinds):.0%}" for kind in ("spline", "isotonic", "linear"))
        print(f"| {n} | {shares} | {np.mean(gains):+.3f} |")


def drift_alarms(simulations: int) -> None:
    """Alarms of agents that do not change, of slow change, and after a jump."""
    print("\n| anchors | agents | checks | amber | red |")
    print("| --- | --- | --- | --- | --- |")
    for n in (20, 60, 240):
        for name, change in (
            ("no change", Change()),
            ("slow drift", Change(**SLOW)),
        ):
            alarms = [
                alarm
                for seed in range(simulations)
                for alarm in _alarms(*simulate_weeks(World(), change, seed, n, manuscripts=1)[:2])
            ]
            amber, red = (np.mean(np.array(alarms) == colour) for colour in ("amber", "red"))
            print(f"| {n} | {name} | {len(alarms)} | {amber:.2%} | {red:.2%} |")
            if name == "no change":
                assert amber + red < FALSE_ALARMS, "false alarms"
    print("\n| anchors | jump | flagged at the first check | red |")
    print("| --- | --- | --- | --- |")
    for n in (20, 60, 240):
        for shift, spread in ((12.0, 0.7), (12.0, 1.0), (6.0, 1.0), (0.0, 0.7)):
            change = Change(jump_week=6, jump_agents=EVERY, jump_shift=shift, jump_spread=spread, **SLOW)
            found = []
            for seed in range(simulations):
                table, consensus, _ = simulate_weeks(World(), change, seed, n, weeks=7, manuscripts=1)
                found += _alarms(table[:, 5:], consensus)
            flagged, red = np.mean(np.array(found) != "none"), np.mean(np.array(found) == "red")
            print(f"| {n} | shift {shift:g}, spread x {spread:g} | {flagged:.1%} | {red:.1%} |")
            if n == 240 and shift == 12.0:
                assert flagged == 1.0, "a jump was missed"


def _alarms(table: Numbers, consensus: Numbers) -> list[str]:
    return [alarm for scores in table for alarm in follow_drift(scores, consensus).alarms]


def drifting_disagreement(simulations: int) -> None:
    """D over 13 weeks with and without refitting, one agent jumping in week 6."""
    weeks = (0, 3, 6, 9, 12)
    rows: dict[str, list[list[float]]] = {"raw": [], "never refitted": [], "refitted weekly": []}
    for seed in range(simulations):
        table, consensus, new = simulate_weeks(World(), Change(jump_week=6, **SLOW), seed)
        histories = [follow_drift(scores, consensus) for scores in table]
        rows["raw"].append([disagreement(new[:, w]) for w in weeks])
        for name, use in (("never refitted", lambda w: 0), ("refitted weekly", lambda w: w)):
            rows[name].append(
                [
                    disagreement(np.array([h.curves[use(w)](s[w]) for h, s in zip(histories, new, strict=True)]))
                    for w in weeks
                ]
            )
    print("\n| D in week | " + " | ".join(str(w + 1) for w in weeks) + " |")
    print("| --- |" + " --- |" * len(weeks))
    for name, row in rows.items():
        print(f"| {name} | " + " | ".join(f"{d:.1f}" for d in np.mean(row, axis=0)) + " |")


def monotonicity_flags(simulations: int) -> None:
    """Healthy agents flagged, and agents found that are reversed in a cluster, a tier or a part of their scale."""
    healthy, cluster, tier, part = [], [], [], []
    for seed in range(simulations):
        trial = simulate(World(), seed)
        random = np.random.default_rng(seed)
        clusters = random.integers(0, 7, len(trial.consensus))
        tiers = np.digitize(trial.consensus, (20, 50, 75))
        for scores in trial.anchor_scores:
            flipped = np.where(clusters == 3, scores.max() + scores.min() - scores, scores)
            middle = tiers == 2
            turned = np.where(middle, scores[middle].max() + scores[middle].min() - scores, scores)
            low, high = np.quantile(scores, (0.35, 0.75))
            bent = np.where((scores > low) & (scores < high), low + high - scores, scores)
            for found, given in ((healthy, scores), (cluster, flipped), (tier, turned), (part, bent)):
                curve = fit_anchor_curve(given, trial.consensus)
                found.append(check_monotonicity(curve, tiers=tiers, clusters=clusters).failed)
    print("\n| agents | flagged |")
    print("| --- | --- |")
    for name, found in (
        ("healthy", healthy),
        ("reversed in one of seven clusters", cluster),
        ("reversed in one of four tiers", tier),
        ("reversed in the middle 40% of their scale", part),
    ):
        print(f"| {name} | {np.mean(found):.1%} |")
    assert np.mean(healthy) < FALSE_ALARMS


def anchor_flags(simulations: int) -> None:
    """Sound banks with an anchor flagged; leaked anchors and wrong consensus found."""
    false_unlike, false_leaked, leaked, unlike = [], [], [], []
    for seed in range(simulations):
        trial = simulate(World(), seed)
        residuals = np.array([predict_left_out(c, "spline") for c in _curves(trial, "spline")])
        residuals = trial.consensus - residuals
        sound = review_anchors(residuals)
        false_unlike.append(sound.unlike.any())
        false_leaked.append(sound.leaked.any())
        worst = np.argsort(-np.abs(residuals.mean(axis=0)))[:10]
        known = residuals.copy()
        known[0, worst] = 0.0
        leaked.append(review_anchors(known).leaked[0, worst].mean())
        wrong = residuals.copy()
        wrong[:, 0] += np.where(wrong[:, 0].mean() > 0, 70, -70)
        unlike.append(review_anchors(wrong).unlike[0])
    print("\n| bank | finding |")
    print("| --- | --- |")
    print(f"| sound: any anchor called unlike the others | {np.mean(false_unlike):.1%} |")
    print(f"| sound: any anchor called leaked | {np.mean(false_leaked):.1%} |")
    print(f"| one agent knows the ten hardest anchors: share found | {np.mean(leaked):.1%} |")
    print(f"| a consensus wrong by 70 points: found | {np.mean(unlike):.1%} |")


def coverage(simulations: int) -> None:
    """Share of new consensus values within 1.96 standard errors, and of true curves within their 95% bands."""
    print("\n| anchors | curve | consensus within 1.96 standard errors | curve within its band |")
    print("| --- | --- | --- | --- |")
    many = simulate(World(), 10_000, 60_000, 1)
    for n in (20, 80, 240):
        for kind in ("spline", "linear", "isotonic"):
            scores_held, curves_held = [], []
            for seed in range(simulations):
                trial = simulate(World(tiers=True), seed, n)
                for k, curve in enumerate(_curves(trial, kind)):
                    near = calibrate_scores(curve, trial.new_scores[k], draws=100)
                    scores_held.append(np.mean(np.abs(trial.new_consensus - near.values) < 1.96 * near.errors))
                    at = np.quantile(trial.anchor_scores[k], (0.1, 0.3, 0.5, 0.7, 0.9)).round()
                    band = calibrate_scores(curve, at, draws=100)
                    truth = [_mean_near(many, k, score) for score in at]
                    curves_held.append(np.mean((band.lower <= truth) & (truth <= band.upper)))
            print(f"| {n} | {kind} | {np.mean(scores_held):.1%} | {np.mean(curves_held):.1%} |")


def _mean_near(many, agent: int, score: float) -> float:
    near = np.abs(many.anchor_scores[agent] - score) <= 0.5
    return float(many.consensus[near].mean())


def combination(simulations: int) -> None:
    """Two of six agents on each manuscript: what anchors alone, overlaps alone and both give."""
    print("\n| anchors | raw mean | overlaps alone | anchors alone | anchors and overlaps |")
    print("| --- | --- | --- | --- | --- |")
    for n in (20, 80, 240):
        rows = []
        for seed in range(simulations):
            trial = simulate(World(), seed, n, 300)
            random = np.random.default_rng(seed)
            scores = trial.new_scores.T.copy()
            scores[random.random(scores.shape).argsort(axis=1) >= 2] = np.nan
            curves = _curves(trial, "spline")
            alone = calibrated_panel(curves, scores)
            both = calibrated_panel(curves, scores, anchors=[f"anchor {k}" for k in range(n)])
            weights = alone.confidences
            anchored = alone.object_totals(weights * alone.scores) / alone.object_totals(weights)
            estimates = (
                np.nanmean(scores, axis=1),
                calibrate(Panel.from_matrix(scores)).values,
                anchored,
                calibrate(both).values[: len(scores)],
            )
            rows.append([np.sqrt(np.mean((e - trial.new_consensus) ** 2)) for e in estimates])
        print(f"| {n} | " + " | ".join(f"{e:.2f}" for e in np.mean(rows, axis=0)) + " |")


def _median_time(work: Callable[[], object], runs: int = 9) -> float:
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return float(np.median(times))


def speed() -> None:
    """Seconds, medians of nine runs."""
    trial = simulate(World(), 0)
    curves = {kind: _curves(trial, kind) for kind in KINDS}
    million = np.random.default_rng(0).uniform(-10, 110, 1_000_000)
    print("\n| what | goal | measured |")
    print("| --- | --- | --- |")
    jobs = (
        ("six agents x 240 anchors, splines fitted", 100, lambda: _curves(trial, "spline")),
        ("the same, isotonic", 100, lambda: _curves(trial, "isotonic")),
        ("1,000,000 new scores, spline", 1000, lambda: curves["spline"][0](million)),
        ("1,000,000 new scores, isotonic", 1000, lambda: curves["isotonic"][0](million)),
        ("the same with standard errors and bands, spline", 0, lambda: calibrate_scores(curves["spline"][0], million)),
        (
            "choice by cross-validation, six agents",
            0,
            lambda: [choose_anchor_curve(s, trial.consensus) for s in trial.anchor_scores],
        ),
        (
            "drift check with refit, one agent",
            0,
            lambda: check_drift(curves["spline"][0], trial.anchor_scores[0], trial.anchor_scores[0] + 1),
        ),
    )
    for name, goal, work in jobs:
        taken = 1000 * _median_time(work)
        print(f"| {name} | {f'{goal:,} ms' if goal else ''} | {taken:,.1f} ms |")
        assert not goal or taken < goal, name


def main() -> None:
    """Run all tables."""
    simulations = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    for table in (
        agreement_table,
        error_table,
        against_a_line,
        choices,
        drift_alarms,
        drifting_disagreement,
        monotonicity_flags,
        anchor_flags,
        coverage,
        combination,
    ):
        start = time.perf_counter()
        table(simulations)
        print(f"({table.__name__}: {time.perf_counter() - start:.0f} s)", file=sys.stderr)
    speed()


if __name__ == "__main__":
    main()
