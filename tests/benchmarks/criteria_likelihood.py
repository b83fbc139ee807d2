"""A many-facet rating scale model by joint maximum likelihood, as FACETS and mfrmr fit it: another model, other code.

Log odds of level h against h - 1: object - assessor - criterion - step h, each facet but the objects adding up to 0.
Used by `bench_criteria.py table` to compare severities and difficulties on a table of one's own.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp
from scipy.stats import spearmanr

from panelcal import Ratings, fit_ordinal_facets


def joint_likelihood(ratings: Ratings) -> dict[str, np.ndarray]:
    """Return measures of objects, assessors and criteria, logits; a weak prior keeps those of extremes finite."""
    row, k = np.nonzero(ratings.ratings >= 0)
    i, j, level = ratings.object_index[row], ratings.assessor_index[row], ratings.ratings[row, k].astype(int)
    n, M, K, L = ratings.n_objects, ratings.n_assessors, ratings.n_features, ratings.n_cutpoints
    ends = np.cumsum([n, M, K, L])
    reached = np.arange(L + 1)

    def split(x: np.ndarray) -> list[np.ndarray]:
        objects, assessors, criteria, steps = np.split(x, ends[:-1])
        return [objects, assessors - assessors.mean(), criteria - criteria.mean(), steps - steps.mean()]

    def loss(x: np.ndarray) -> tuple[float, np.ndarray]:
        objects, assessors, criteria, steps = split(x)
        place = objects[i] - assessors[j] - criteria[k]
        kernel = reached * place[:, None] - np.concatenate([[0.0], np.cumsum(steps)])
        log_p = kernel - logsumexp(kernel, axis=1, keepdims=True)
        p = np.exp(log_p)
        off = level - p @ reached
        above = (level[:, None] > np.arange(L)).astype(float) - np.cumsum(p[:, ::-1], axis=1)[:, ::-1][:, 1:]
        slopes = [
            np.bincount(i, off, n), -np.bincount(j, off, M), -np.bincount(k, off, K), -above.sum(axis=0),
        ]  # fmt: skip
        slopes = [slopes[0], *(one - one.mean() for one in slopes[1:])]
        gradient = -np.concatenate(slopes) + 1e-3 * x
        return float(-log_p[np.arange(len(level)), level].sum() + 5e-4 * x @ x), gradient

    found = minimize(loss, np.zeros(ends[-1]), jac=True, method="L-BFGS-B", options={"maxiter": 5000, "maxfun": 20000})
    return dict(zip(("objects", "assessors", "criteria", "steps"), split(found.x), strict=True))


def read_table(file: str, thing: str, assessor: str, criterion: str, score: str) -> Ratings:
    """Read a list with one rating a row as ratings with a column for each criterion."""
    with Path(file).open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    criteria = list(dict.fromkeys(row[criterion] for row in rows))
    table: dict[tuple[str, str], dict[str, float]] = {}
    for row in rows:
        table.setdefault((row[thing], row[assessor]), {})[row[criterion]] = float(row[score])
    return Ratings.from_records(
        [pair[0] for pair in table],
        [pair[1] for pair in table],
        [[given.get(name) for name in criteria] for given in table.values()],
        features=criteria,
    )


def compare_table(file: str, thing: str, assessor: str, criterion: str, score: str) -> None:
    """Print how far measures by joint likelihood and by this package go together."""
    ratings = read_table(file, thing, assessor, criterion, score)
    measures, found = joint_likelihood(ratings), fit_ordinal_facets(ratings)
    print(f"{ratings.n_objects} objects, {ratings.n_assessors} assessors, criteria {', '.join(ratings.features)}")
    pairs = {
        "objects": (measures["objects"], found.posterior.total_mean),
        "assessors": (measures["assessors"], -found.severities),
        "criteria": (measures["criteria"], found.difficulties),
    }
    for name, (one, other) in pairs.items():
        print(
            f"{name}: correlation {np.corrcoef(one, other)[0, 1]:.3f}, of ranks {spearmanr(one, other).statistic:.3f}"
        )
    print(f"criteria by likelihood {np.round(measures['criteria'], 2)}, here {np.round(found.difficulties, 2)}")
    print(f"converged {found.posterior.converged}, {found.posterior.seconds:.0f} s")
