"""Judges with their own cut-points: ranks and coverage over simulated conferences, calibration, speed, NumPyro's NUTS.

Run with `python tests/benchmarks/bench_ordinal.py [ranks] [calibration] [seeds] [speed] [nuts]` (nothing = all but the
last, which needs `pip install panelcal[benchmark]` and half an hour). The tables are those of docs/ordinal.md.
"""

from __future__ import annotations

import itertools
import sys
import time

import numpy as np
from ordinal_simulations import Conference, conference, from_prior
from scipy.stats import chi2, spearmanr

from panelcal import OrdinalPosterior, calibrate, fit_ordinal, simulate_ratings
from panelcal.calibration.averages import simple_average
from panelcal.errors import DisconnectedPanel
from panelcal.ordinal.convergence import bulk_effective_size
from panelcal.ordinal.posterior import severities

SIMULATIONS = 20
JUDGES_PER_TALK = (1, 2, 4, 8)
BAND = (0.68, 0.82)  # mean Spearman correlation, own cut-points, 4 judges a talk
GAIN = (0.03, 0.10)  # over shared cut-points
GAIN_SHARE = 0.75
COVERAGE_OWN, COVERAGE_SHARED = 0.82, 0.78
CALIBRATIONS, BINS = 120, 8
SEEDS = 10
NUTS_GOAL = 30  # times the effective draws a processor second
NUTS_CHAINS, NUTS_WARM_UP, NUTS_ITERATIONS = 4, 1000, 1000


def _rank_correlation(values: np.ndarray, truth: np.ndarray) -> float:
    return float(spearmanr(values, truth)[0])


def _coverage(fit: OrdinalPosterior, truth: np.ndarray) -> float:
    return float(((fit.total_interval[:, 0] <= truth) & (truth <= fit.total_interval[:, 1])).mean())


def _additive(made: Conference) -> float:
    try:
        return _rank_correlation(calibrate(made.ratings.panel()).values, made.totals)
    except DisconnectedPanel:
        return float("nan")  # no common scale: at one judge a talk, always


def ranks() -> None:
    """How well each method ranks, and whether 89% intervals hold the truth."""
    print("| Judges a talk | average | additive calibration | shared cut-points | own cut-points |", end="")
    print(" 89% coverage shared / own |")
    print("|---|---|---|---|---|---|")
    means, seconds, unconverged = [], [], 0
    for K in JUDGES_PER_TALK:
        rows = []
        for seed in range(SIMULATIONS):
            made = conference(1000 * K + seed, K=K)
            truth = made.totals
            own, shared = fit_ordinal(made.ratings), fit_ordinal(made.ratings, shared_cutpoints=True)
            unconverged += (not own.converged) + (not shared.converged)
            seconds.append(own.seconds)
            plain = simple_average(made.ratings.panel())
            rows.append(
                [
                    _rank_correlation(plain, truth),
                    _additive(made),
                    _rank_correlation(-shared.rank_mean, truth),
                    _rank_correlation(-own.rank_mean, truth),
                    _coverage(shared, truth),
                    _coverage(own, truth),
                ]
            )
        table = np.array(rows)
        known = np.isfinite(table).any(axis=0)
        mean = np.where(known, np.nanmean(np.where(known, table, 0.0), axis=0), np.nan)
        means.append(mean)
        shown = " | ".join(f"{value:.3f}" if np.isfinite(value) else "none" for value in mean[:4])
        print(f"| {K} | {shown} | {mean[4]:.2f} / {mean[5]:.2f} |", flush=True)
        if K == 4:
            gain = table[:, 3] - table[:, 2]
            checks = {
                f"own cut-points at 4 judges in {BAND}": BAND[0] <= mean[3] <= BAND[1],
                f"gain over shared cut-points {gain.mean():.3f} in {GAIN}": GAIN[0] <= gain.mean() <= GAIN[1],
                f"gain positive in {(gain > 0).mean():.0%} (at least {GAIN_SHARE:.0%})": (gain > 0).mean()
                >= GAIN_SHARE,
                f"coverage own {mean[5]:.2f} >= {COVERAGE_OWN}": mean[5] >= COVERAGE_OWN,
                f"coverage shared {mean[4]:.2f} <= {COVERAGE_SHARED}": mean[4] <= COVERAGE_SHARED,
            }
    checks["increasing with the number of judges"] = bool(np.all(np.diff([mean[3] for mean in means]) > 0))
    for claim, held in checks.items():
        print(f"{'holds' if held else 'FAILS'}: {claim}")
    print(f"{unconverged} of {2 * len(seconds)} fits not converged; {np.median(seconds):.1f} s a fit (median)")


def calibration() -> None:
    """Simulation-based calibration: truths drawn from the prior fall uniformly among the posterior's draws."""
    places: dict[str, list[float]] = {
        "a total": [],
        "the highest total": [],
        "spread of a feature's scores": [],
        "correlation between features": [],
    }
    held, severity_held = [], []
    for seed in range(CALIBRATIONS):
        made = from_prior(seed, n=15, M=6, K=3, Q=2, L=2)
        fit = fit_ordinal(made.ratings, seed=seed)
        draws, truth = fit.feature_draws, made.scores
        places["a total"].append((fit.totals[:, seed % 15] < made.totals[seed % 15]).mean())
        places["the highest total"].append((fit.totals.max(axis=1) < made.totals.max()).mean())
        places["spread of a feature's scores"].append((draws[:, :, 0].std(axis=1) < truth[:, 0].std()).mean())
        places["correlation between features"].append((_correlations(draws) < _correlations(truth[None])).mean())
        inside = (fit.cutpoint_interval[..., 0] <= made.cutpoints) & (made.cutpoints <= fit.cutpoint_interval[..., 1])
        held.append(inside.mean())
        severe = severities(made.cutpoints[None], fit.feature_weights)[0]
        ends = fit.severity_interval
        severity_held.append(((ends[:, 0] <= severe) & (severe <= ends[:, 1])).mean())
    print(f"| {CALIBRATIONS} draws from the prior | " + " | ".join(f"{k + 1}/{BINS}" for k in range(BINS)) + " | p |")
    print("|---" * (BINS + 2) + "|")
    for name, found in places.items():
        counts = np.bincount(np.minimum((np.array(found) * BINS).astype(int), BINS - 1), minlength=BINS)
        expected = CALIBRATIONS / BINS
        p = chi2.sf(((counts - expected) ** 2 / expected).sum(), BINS - 1)
        print(f"| {name} | " + " | ".join(map(str, counts)) + f" | {p:.2f} |")
    for name, shares in (("cut-points", held), ("severities", severity_held)):
        error = np.std(shares) / np.sqrt(len(shares))
        print(f"89% intervals of {name} hold the truth in {np.mean(shares):.1%} (standard error {error:.1%})")


def _correlations(scores: np.ndarray) -> np.ndarray:
    """Correlation (draws,) between the first two features over objects, scores (draws, n, Q)."""
    centred = scores - scores.mean(axis=1, keepdims=True)
    squares = (centred**2).sum(axis=1)
    return (centred[..., 0] * centred[..., 1]).sum(axis=1) / np.sqrt(squares[:, 0] * squares[:, 1])


def speed() -> None:
    """Seconds until converged."""
    print("| Talks x judges | cut-points | converged | R-hat of totals / of scales | effective draws | seconds |")
    print("|---|---|---|---|---|---|")
    for n, M in ((54, 18), (300, 60)):
        made = conference(1, n=n, M=M)
        for name, options in (
            ("own, correlated (default)", {}),
            ("own, independent", {"correlated_cutpoints": False}),
            ("shared", {"shared_cutpoints": True}),
        ):
            fit = fit_ordinal(made.ratings, **options)
            print(
                f"| {n} x {M} | {name} | {'yes' if fit.converged else 'no'} | {fit.rhat:.3f} / {fit.scale_rhat:.3f} | "
                f"{fit.effective_sample_size:.0f} | {fit.seconds:.1f} |",
                flush=True,
            )


def seeds() -> None:
    """Whether seeds agree on the possible winners, but for those at the edge."""
    print(
        "| Talks x judges | winner set | of these at its edge | just outside | pairs of seeds that differ beyond the ",
        end="",
    )
    print("edges | without regard to edges |")
    print("|---|---|---|---|---|---|")
    for n, M in ((20, 8), (54, 18)):
        made = simulate_ratings(n, M, 4, n_features=2, seed=1)
        fits = [fit_ordinal(made.ratings, seed=seed) for seed in range(SEEDS)]
        sets, edges = ([set(getattr(fit, name)) for fit in fits] for name in ("winner_set", "winner_set_edge"))
        pairs = list(itertools.combinations(range(SEEDS), 2))
        beyond = sum(bool((sets[a] ^ sets[b]) - edges[a] - edges[b]) for a, b in pairs)
        differ = sum(sets[a] != sets[b] for a, b in pairs)
        sizes, inside, outside = (
            f"{min(counts)} to {max(counts)}"
            for counts in zip(
                *((len(own), len(own & edge), len(edge - own)) for own, edge in zip(sets, edges, strict=True)),
                strict=True,
            )
        )
        print(f"| {n} x {M} | {sizes} | {inside} | {outside} | {beyond} of {len(pairs)} | {differ} |", flush=True)


def nuts(rows: int = 3) -> None:
    """Against long chains of NumPyro's NUTS: whether the answers agree, and at what price; the first rows only."""
    from ordinal_nuts import sample

    print("| Talks x judges | means differ by (posterior SD, rms) | 89% widths | P(best) | effective draws ", end="")
    print("ours / NUTS | processor seconds ours / NUTS | faster per effective draw |")
    print("|---|---|---|---|---|---|---|")
    cases = ((1, 54, 18, NUTS_CHAINS), (2, 54, 18, NUTS_CHAINS), (1, 300, 60, NUTS_CHAINS // 2))
    for seed, n, M, chains in cases[:rows]:
        made = conference(seed, n=n, M=M)
        clock = [time.process_time()]
        ours = fit_ordinal(made.ratings)
        clock.append(time.process_time())
        reference = sample(made.ratings, chains=chains, warm_up=NUTS_WARM_UP, iterations=NUTS_ITERATIONS, seed=seed)
        clock.append(time.process_time())
        own_seconds, their_seconds = np.diff(clock)
        totals = reference.scores.sum(axis=3)
        effective = float(bulk_effective_size(totals.transpose(1, 0, 2)).min())
        flat = totals.reshape(-1, n)
        off = (ours.total_mean - flat.mean(axis=0)) / flat.std(axis=0)
        widths = (
            np.diff(ours.total_interval, axis=1)[:, 0] / np.diff(np.quantile(flat, [0.055, 0.945], axis=0), axis=0)[0]
        )
        best = np.bincount(flat.argmax(axis=1), minlength=n) / len(flat)
        faster = (ours.effective_sample_size / own_seconds) / (effective / their_seconds)
        print(
            f"| {n} x {M} | {np.sqrt((off**2).mean()):.3f} | {widths.mean() - 1:+.1%} | "
            f"{np.abs(ours.best_probability - best).max():.3f} | {ours.effective_sample_size:.0f} / {effective:.0f} | "
            f"{own_seconds:.1f} / {their_seconds:.0f} | {faster:.0f}{'' if faster >= NUTS_GOAL else ', missed'} |",
            flush=True,
        )


SECTIONS = {
    "ranks": ranks, "calibration": calibration, "seeds": seeds, "speed": speed, "nuts": nuts,
    "nuts-once": lambda: nuts(1),
}  # fmt: skip

if __name__ == "__main__":
    for section in sys.argv[1:] or ["ranks", "calibration", "seeds", "speed"]:
        started = time.perf_counter()
        SECTIONS[section]()
        print(f"({section}: {time.perf_counter() - started:.0f} s)\n", flush=True)
