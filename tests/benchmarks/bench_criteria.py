"""Ordered ratings in several criteria: recovery, coverage and the level of leanings on made-up panels; against NUTS.

    python tests/benchmarks/bench_criteria.py simulations [PANELS]     recovery, coverage, leanings
    python tests/benchmarks/bench_criteria.py leanings [PANELS]        who is named, with 4 assessors an object
    python tests/benchmarks/bench_criteria.py time                     seconds of processor for a rubric
    python tests/benchmarks/bench_criteria.py nuts                     against NumPyro (needs numpyro)
    python tests/benchmarks/bench_criteria.py table FILE OBJECT ASSESSOR CRITERION SCORE
                                              against joint maximum likelihood on a table of your own

Every line of a panel is printed when it is done, so that a run may be stopped.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
from scipy.special import expit
from scipy.stats import norm, spearmanr

sys.path.insert(0, str(Path(__file__).parent))

from criteria_panels import CriteriaPanel, made_up_panel

from panelcal import OrdinalFacets, Ratings, fit_ordinal_facets

LEANING = 2.5
HALO = 0.7
SHAPE = {"objects": 24, "assessors": 6, "criteria": 3, "per_object": 3, "lean_spread": 0.0, "halo": HALO}
WIDTH = norm.ppf(0.945)  # of 89% between equal tails, in standard deviations


def true_fair_averages(panel: CriteriaPanel) -> np.ndarray:
    """(n, K) mean over all assessors of the rating to expect, over 4,000 slips."""
    slips = HALO * norm.ppf((np.arange(4000) + 0.5) / 4000)
    fair = np.zeros(panel.values.shape)
    for j, own in enumerate(panel.cuts):
        for k in range(panel.values.shape[1]):
            for cut in own + panel.difficulties[k] + panel.leanings[j, k]:
                fair[:, k] += expit(panel.values[:, k, None] + slips - cut).mean(axis=1) / len(panel.cuts)
    return 1 + fair


def raw_averages(ratings: Ratings) -> np.ndarray:
    """(n, K) plain means."""
    given = np.where(ratings.ratings >= 0, ratings.ratings + 1.0, np.nan)
    return np.array([np.nanmean(given[ratings.object_index == i], axis=0) for i in range(ratings.n_objects)])


def covered(mean: np.ndarray, error: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Whether mean and standard deviation's 89% hold the truth."""
    return np.abs(truth - mean) <= WIDTH * error


def one_panel(seed: int, leaning: float) -> dict[str, np.ndarray | float]:
    """Fit one panel and compare with its truth."""
    panel = made_up_panel(seed, leaning=leaning, **SHAPE)
    found = fit_ordinal_facets(panel.ratings)
    posterior, fair, raw = found.posterior, true_fair_averages(panel), raw_averages(panel.ratings)
    total = panel.values.sum(axis=1)
    low, high = posterior.total_interval.T
    cuts = panel.cuts[:, None] + (panel.difficulties + panel.leanings)[..., None]
    inside = (posterior.cutpoint_interval[..., 0] <= cuts) & (cuts <= posterior.cutpoint_interval[..., 1])
    leaning_judge = panel.ratings.assessors.index("0")
    named = found.adjusted_leaning_p <= 0.05
    return {
        "converged": posterior.converged,
        "totals": ((low <= total) & (total <= high)).mean(),
        "fair": covered(found.values, found.value_errors, fair).mean(),
        "fair_totals": covered(found.totals, found.total_errors, fair.sum(axis=1)).mean(),
        "cuts": inside.mean(),
        "levels": covered(found.levels, found.level_errors, fair.mean(axis=0) - fair.mean()).mean(),
        "error": np.sqrt(np.mean((found.values - fair) ** 2)),
        "raw_error": np.sqrt(np.mean((raw - fair) ** 2)),
        "rank": spearmanr(found.totals, fair.sum(axis=1)).statistic,
        "raw_rank": spearmanr(raw.sum(axis=1), fair.sum(axis=1)).statistic,
        "found": bool(named[leaning_judge, -1]),
        "others": bool(np.delete(named, leaning_judge, axis=0).any()),
        "anybody": bool(named.any()),
    }


def simulations(count: int) -> None:
    """Print what came out of so many panels, half of them with one assessor who leans."""
    results: dict[float, list[dict[str, np.ndarray | float]]] = {0.0: [], LEANING: []}
    for seed in range(count):
        leaning = (0.0, LEANING)[seed % 2]
        one = one_panel(seed, leaning)
        results[leaning].append(one)
        print(seed, {name: round(float(value), 3) for name, value in one.items()}, flush=True)
    both = results[0.0] + results[LEANING]

    def mean(name: str, of: list[dict[str, np.ndarray | float]] = both) -> float:
        return float(np.mean([one[name] for one in of]))

    print(f"\n{count} panels, converged {mean('converged'):.0%}")
    for name in ("totals", "fair", "fair_totals", "cuts", "levels"):
        spread = np.std([one[name] for one in both]) / np.sqrt(len(both))
        print(f"89% intervals of {name} hold the truth in {mean(name):.1%} ({spread:.1%})")
    better = np.mean([one["error"] < one["raw_error"] for one in both])
    print(f"error of fair averages {mean('error'):.3f}, of plain {mean('raw_error'):.3f}; smaller in {better:.0%}")
    print(f"rank correlation with the truth {mean('rank'):.3f}, of plain averages {mean('raw_rank'):.3f}")
    print(f"nobody leans: anybody named in {mean('anybody', results[0.0]):.1%}")
    print(
        f"one leans: found {mean('found', results[LEANING]):.0%}, others named {mean('others', results[LEANING]):.1%}"
    )


def leanings(count: int) -> None:
    """Print who is named in so many panels, in every third of which one assessor leans."""
    named: dict[bool, list[tuple[bool, bool]]] = {False: [], True: []}
    for seed in range(count):
        leans = seed % 3 == 2
        panel = made_up_panel(1000 + seed, leaning=LEANING * leans, **{**SHAPE, "per_object": 4})
        off = fit_ordinal_facets(panel.ratings, draws=3200).adjusted_leaning_p <= 0.05
        own = panel.ratings.assessors.index("0")
        named[leans].append((bool(off[own, -1]), bool(np.delete(off, own, axis=0).any() or (off.any() and not leans))))
        print(seed, leans, named[leans][-1], flush=True)
    alone, one = np.array(named[False]), np.array(named[True])
    print(f"nobody leans: somebody named in {alone.any(axis=1).sum()} of {len(alone)}")
    print(f"one leans: found in {one[:, 0].sum()}, somebody else named in {one[:, 1].sum()} of {len(one)}")


def timing() -> None:
    """Print the seconds of processor that a rubric of 40 objects, 6 assessors and 4 criteria takes."""
    panel = made_up_panel(1, objects=40, assessors=6, criteria=4, per_object=6)
    begun = time.process_time()
    found = fit_ordinal_facets(panel.ratings).posterior
    spent = time.process_time() - begun
    print(f"40 x 6 x 4: {spent:.1f} s, {len(found.totals)} draws, R-hat {found.rhat:.3f} / {found.scale_rhat:.3f}")


def against_nuts() -> None:
    """Compare with NumPyro on a panel with missing ratings."""
    from criteria_nuts import sample

    panel = made_up_panel(5, objects=20, assessors=5, per_object=3, criteria=3, missing=0.05)
    compare_with(fit_ordinal_facets(panel.ratings), sample(panel.ratings, chains=4, warm_up=700, iterations=1500))


def compare_with(found: OrdinalFacets, nuts: object) -> None:
    """Print differences of means in posterior standard deviations, and ratios of the latter."""
    own = found.posterior

    def flat(name: str) -> np.ndarray:
        draws = getattr(nuts, name)
        return draws.reshape(-1, *draws.shape[2:])

    totals = flat("values").sum(axis=2)
    cuts = flat("cuts")[:, :, None] + (flat("difficulties")[:, None] + flat("leanings"))[..., None]
    pairs = {
        "totals": (own.total_mean, own.totals.std(axis=0), totals),
        "values by criterion": (own.feature_mean, own.feature_draws.std(axis=0), flat("values")),
        "cut-points": (own.cutpoints, None, cuts),
        "difficulties": (found.difficulties, None, flat("difficulties")),
    }
    for name, (mean, spread, draws) in pairs.items():
        off = np.sqrt(np.mean(((mean - draws.mean(axis=0)) / draws.std(axis=0)) ** 2))
        width = "" if spread is None else f", spreads {np.mean(spread / draws.std(axis=0)) - 1:+.1%}"
        print(f"{name}: means differ by {off:.3f} posterior standard deviations (rms){width}")
    best = np.bincount(totals.argmax(axis=1), minlength=totals.shape[1]) / len(totals)
    print(f"P(best): at most {np.abs(best - own.best_probability).max():.3f} apart")


if __name__ == "__main__":
    what = sys.argv[1] if len(sys.argv) > 1 else "simulations"
    if what == "simulations":
        simulations(int(sys.argv[2]) if len(sys.argv) > 2 else 40)
    elif what == "leanings":
        leanings(int(sys.argv[2]) if len(sys.argv) > 2 else 36)
    elif what == "time":
        timing()
    elif what == "nuts":
        against_nuts()
    else:
        from criteria_likelihood import compare_table

        compare_table(*sys.argv[2:])
