"""Everything a report on ratings is made from: the ordinal posterior, and what simpler methods would have said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from panelcal.arrays import Array, Indices
from panelcal.calibration.averages import simple_average
from panelcal.calibration.least_squares import Calibration, calibrate
from panelcal.calibration.preferences import reversed_share
from panelcal.facets.rated_fitting import fit_ordinal_facets
from panelcal.facets.rated_posterior import OrdinalFacets
from panelcal.frozen import dataclass
from panelcal.network import Network, network
from panelcal.one_thread import one_blas_thread
from panelcal.ordinal.fitting import fit_ordinal, preview_ordinal
from panelcal.ordinal.posterior import OrdinalPosterior
from panelcal.ordinal.winners import WinnerSet
from panelcal.panel import Panel
from panelcal.planning.worth import ExpectedRanking, expected_rankings
from panelcal.ranks_of_numbers import better_ranks
from panelcal.reading.ratings.ratings_reading import RatingsReading
from panelcal.reporting.wording import InWords

SEED = 0
_SIMULATIONS, _FEW_SIMULATIONS, _LARGE = 32, 8, 2_000
_FEWEST_TO_RANK = 3


@dataclass(frozen=True, slots=True, eq=False)
class OrdinalResults(InWords):
    """A reading of ratings and everything computed from it; n objects, M assessors.

    Attributes
    ----------
    reading
        What was read.
    posterior
        The ordinal model with every assessor's own cut-points.
    shared
        The quick approximation of the same model with cut-points shared by all assessors, for comparison.
    panel
        The ratings as scores on the scale of the sheet: of each assessment the mean over its features, weighted.
    naive
        (n,) plain average of these scores.
    additive
        Additive calibration of the panel; None where it is not connected.
    network
        The graph of who rated what.
    ends
        (M,) chance that an average object gets the lowest or the highest level from an assessor.
    top
        (n,) P(among the places to award).
    best_in_category
        (n,) P(best of its category), NaN where there are no categories.
    worth
        What other numbers of assessors for each object would buy on a panel of this size.
    facets
        The criteria calibrated together, which `posterior` then comes from; None where they are not.
    """

    reading: RatingsReading
    posterior: OrdinalPosterior
    shared: OrdinalPosterior
    panel: Panel
    naive: Array
    additive: Calibration | None
    network: Network
    ends: Array
    top: Array
    best_in_category: Array
    worth: tuple[ExpectedRanking, ...]
    facets: OrdinalFacets | None = None

    @property
    def additive_values(self) -> Array:
        """(n,) values by additive calibration on the scale of the sheet, NaN where there are none."""
        if self.additive is None:
            return np.full(len(self.posterior.objects), np.nan)
        return _in_order(self.posterior.objects, self.additive.panel.objects, self.additive.values)

    @property
    def order(self) -> Indices:
        """(n,) objects by expected rank, the best first."""
        return np.lexsort((-self.posterior.total_mean, self.posterior.rank_mean))

    @property
    def places(self) -> int:
        """How many places are to be awarded."""
        return min(int(self.reading.settings.prizes), len(self.posterior.objects))

    @property
    def naive_rank(self) -> Array:
        """(n,) rank of the plain averages; equal ones share the better rank."""
        return self.rank_of(self.naive, on_sheet_scale=True)

    def rank_of(self, values: Array, *, on_sheet_scale: bool) -> Array:
        """Rank values, best = 1; on the scale of the sheet lower may be better, elsewhere higher always is."""
        better_low = on_sheet_scale and not self.reading.settings.higher_is_better
        return np.asarray(better_ranks(np.round(values if better_low else -values, 9)))

    def reversed_preferences(self, better: Array) -> float | None:
        """Return the share of the assessors' preferences that a ranking turns round; None where there are none.

        `better` (n,) is larger for what the ranking has further up; a tie counts half.
        """
        towards = 1.0 if self.reading.settings.higher_is_better else -1.0
        place = {label: k for k, label in enumerate(self.posterior.objects)}
        share = reversed_share(self.panel, towards * better[[place[label] for label in self.panel.objects]])
        return None if np.isnan(share) else share

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories of prizes, in order of appearance; those without one are left out."""
        return tuple(dict.fromkeys(kind for kind in self.reading.categories if kind))

    def members(self, category: str) -> Indices:
        """Places of the objects in a category."""
        return np.array([k for k, kind in enumerate(self.reading.categories) if kind == category], dtype=np.intp)

    def winners_of(self, category: str) -> WinnerSet:
        """Return the smallest set that holds the best of a category with probability `level`, and its edge."""
        return self.posterior.winners_among(self.members(category))

    @property
    def linked(self) -> bool:
        """Whether every object can be compared with every other through assessors they share."""
        return len(self.posterior.components) == 1


def compute_ordinal_results(
    reading: RatingsReading, *, progress: Callable[[str], None] | None = None
) -> OrdinalResults:
    """Fit the ordinal model to what was read and compute all that is reported.

    Parameters
    ----------
    progress
        Told in a few words what is being done.

    Raises
    ------
    PanelcalError
        If the model cannot be fitted to these ratings, or the time limit on the sheet Settings comes first.
    """
    with one_blas_thread():
        return _computed(reading, progress)


def _computed(reading: RatingsReading, progress: Callable[[str], None] | None) -> OrdinalResults:
    settings, ratings, weights = reading.settings, reading.ratings, reading.feature_weights

    def sampled(share: float, sentence: str) -> None:
        if progress is not None:
            progress(f"{sentence} ({share:.0%})")

    posterior, facets = _fitted(reading, sampled)
    if progress is not None:
        progress("comparing with simpler methods")
    shared = preview_ordinal(
        ratings, feature_weights=weights, shared_cutpoints=True, level=settings.ordinal_level, seed=SEED
    )
    panel = _panel(reading)
    lower = average_curves(posterior)
    found = network(panel)
    return OrdinalResults(
        reading=reading,
        posterior=posterior,
        shared=shared,
        panel=panel,
        naive=_in_order(ratings.objects, panel.objects, simple_average(panel)),
        additive=calibrate(panel) if len(found.components) == 1 else None,
        network=found,
        ends=lower[:, 0] + 1 - lower[:, -1],
        top=posterior.top_probability(min(int(settings.prizes), ratings.n_objects)),
        best_in_category=_best_in_category(posterior, reading.categories),
        worth=_worth(reading),
        facets=facets,
    )


def _fitted(
    reading: RatingsReading, progress: Callable[[float, str], None]
) -> tuple[OrdinalPosterior, OrdinalFacets | None]:
    settings = reading.settings
    chosen: dict[str, Any] = {
        "feature_weights": reading.feature_weights,
        "level": settings.ordinal_level,
        "seed": SEED,
        "draws": int(settings.draws),
        "time_limit": settings.time_limit,
        "progress": progress,
    }
    if not settings.criteria_together:
        return fit_ordinal(reading.ratings, **chosen), None
    facets = fit_ordinal_facets(reading.ratings, points=reading.level_values, **chosen)
    return facets.posterior, facets


def average_curves(posterior: OrdinalPosterior) -> Array:
    """Return (M, L) chances that an assessor gives an average object level l or a lower one, features weighted."""
    weights = posterior.feature_weights / posterior.feature_weights.sum()
    return np.asarray(np.tensordot(weights, posterior.cumulative_probabilities(np.zeros(1))[..., 0], axes=(0, 1)))


def _panel(reading: RatingsReading) -> Panel:
    """Mean over features of each assessment, on the scale of the sheet; a feature that counts nothing is left out."""
    codes, weights = reading.ratings.ratings, reading.feature_weights
    rated = (codes >= 0) * weights
    counted = rated.sum(axis=1) > 0
    values = np.where(codes >= 0, reading.level_values[codes], 0.0)
    scores = (rated * values).sum(axis=1)[counted] / rated.sum(axis=1)[counted]
    objects, assessors = reading.ratings.objects, reading.ratings.assessors
    return Panel.from_records(
        [objects[k] for k in reading.ratings.object_index[counted]],
        [assessors[k] for k in reading.ratings.assessor_index[counted]],
        scores,
    )


def _in_order(labels: tuple[str, ...], known: tuple[str, ...], values: Array) -> Array:
    """Put values of the known labels in the order of all labels; NaN for objects rated on what counts nothing."""
    place = {label: k for k, label in enumerate(known)}
    return np.array([values[place[label]] if label in place else np.nan for label in labels])


def _best_in_category(posterior: OrdinalPosterior, categories: tuple[str, ...]) -> Array:
    chances = np.full(len(posterior.objects), np.nan)
    for category in dict.fromkeys(kind for kind in categories if kind):
        members = np.array([k for k, kind in enumerate(categories) if kind == category], dtype=np.intp)
        chances[members] = posterior.winners_among(members).chances
    return chances


def _worth(reading: RatingsReading) -> tuple[ExpectedRanking, ...]:
    ratings = reading.ratings
    n, m = ratings.n_objects, ratings.n_assessors
    if n < _FEWEST_TO_RANK:
        return ()
    return expected_rankings(
        n,
        m,
        n_levels=len(ratings.levels),
        n_features=ratings.n_features,
        simulations=_SIMULATIONS if n * m <= _LARGE else _FEW_SIMULATIONS,
        level=reading.settings.ordinal_level,
        seed=SEED,
    )
