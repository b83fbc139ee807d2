"""A jury with known draws: what a report must say follows from them by counting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from panelcal.network import components
from panelcal.ordinal.posterior import Diagnosis, Draws, OrdinalPosterior, summarise
from panelcal.ordinal.priors import OrdinalPriors
from panelcal.ordinal.ratings import Ratings
from panelcal.reading.grid import Grid, Source
from panelcal.reading.ratings.ratings_reading import RatingsReading
from panelcal.reading.ratings.read_ratings import read_ratings
from panelcal.systems.ratings import results as ordinal_results
from panelcal.systems.ratings.results import OrdinalResults, compute_ordinal_results

FEATURES = ("Content", "Delivery")
N_TALKS, N_JUDGES, N_DRAWS = 9, 5, 400
SETTINGS = (
    ("Setting", "Value"),
    ("Method", "ordinal"),
    ("Lowest score", 1),
    ("Highest score", 5),
    ("Places to award", 2),
)


def jury_rows(seed: int = 3, n_talks: int = N_TALKS, n_judges: int = N_JUDGES) -> list[list[Any]]:
    """Talk, category, judge and two ratings; every talk has three judges, and all are linked."""
    random = np.random.default_rng(seed)
    rows: list[list[Any]] = [["Talk", "Category", "Judge", *FEATURES]]
    for talk in range(n_talks):
        for judge in sorted((talk + step) % n_judges for step in (0, 1, 3)):
            given = random.integers(1, 6, 2).tolist()
            rows.append([f"T{talk + 1}", "Student" if talk % 3 == 0 else "Open", f"J{judge + 1}", *given])
    return rows


def reading_of_rows(rows: Sequence[Sequence[Any]], settings: Sequence[Sequence[Any]] = SETTINGS) -> RatingsReading:
    """Read rows as the sheet Ratings of prize.xlsx."""
    return read_ratings(Source("prize.xlsx", (grid_of_rows(rows), _grid("Settings", settings)), "Ratings"))


def grid_of_rows(rows: Sequence[Sequence[Any]]) -> Grid:
    """The sheet itself."""
    return _grid("Ratings", rows)


def _grid(sheet: str, rows: Sequence[Sequence[Any]]) -> Grid:
    width = max(map(len, rows))
    return Grid(sheet, tuple(tuple(row) + (None,) * (width - len(row)) for row in rows))


def draws_of(ratings: Ratings, seed: int = 1) -> Draws:
    """Draws that no sampler made: scores around a slope, cut-points around each judge's own."""
    random = np.random.default_rng(seed)
    n, m, q, cuts = ratings.n_objects, ratings.n_assessors, ratings.n_features, ratings.n_cutpoints
    middle = np.linspace(1.5, -1.5, n)[:, None] * np.linspace(1.0, 0.5, q)
    own = np.sort(random.normal(0, 1.5, (m, q, cuts)), axis=2) + random.normal(0, 1, (m, 1, 1))
    return Draws(
        scores=middle + random.normal(0, 0.6, (N_DRAWS, n, q)),
        cutpoints=own + random.normal(0, 0.2, (N_DRAWS, m, 1, 1)),
        tau=random.gamma(20, 0.05, (N_DRAWS, q)),
        spread=random.gamma(20, 0.05, (N_DRAWS, q, cuts)),
        correlation=np.tile(np.eye(q) * 0.5 + 0.5, (N_DRAWS, 1, 1)),
    )


def known_posterior(ratings: Ratings, *, converged: bool = True, **options: Any) -> OrdinalPosterior:
    """Stand in for `fit_ordinal`: the summary of `draws_of`."""
    weights = options.get("feature_weights")
    groups = components(ratings.panel())
    warnings = () if converged else ("Not converged after 64,000 draws: read the probabilities as rough.",)
    warnings += () if len(groups) == 1 else (f"The ratings fall into {len(groups)} groups.",)
    return summarise(
        ratings,
        draws_of(ratings),
        Diagnosis(
            converged=converged,
            rhat=1.004 if converged else 1.2,
            scale_rhat=1.02,
            effective_sample_size=4321.0,
            seconds=3.21,
            approximate=False,
            warnings=warnings,
        ),
        feature_weights=np.ones(ratings.n_features) if weights is None else np.asarray(weights),
        correlated_cutpoints=True,
        priors=OrdinalPriors(),
        seed=options.get("seed", 0),
        level=options.get("level", 0.89),
        components=groups,
    )


def results_with_known_draws(monkeypatch: Any, reading: RatingsReading, *, converged: bool = True) -> OrdinalResults:
    """Compute everything reported from the known draws."""

    def fit(ratings: Ratings, **options: Any) -> OrdinalPosterior:
        return known_posterior(ratings, converged=converged, **options)

    monkeypatch.setattr(ordinal_results, "fit_ordinal", fit)
    monkeypatch.setattr(ordinal_results, "_SIMULATIONS", 2)
    return compute_ordinal_results(reading)
