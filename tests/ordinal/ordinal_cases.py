"""Made-up ratings from the document's generator, for the tests of this room."""

import numpy as np

from panelcal import Ratings


def made_up_ratings(
    seed: int,
    n_objects: int,
    n_assessors: int,
    per_object: int,
    *,
    n_features: int = 1,
    n_cutpoints: int = 4,
    missing: float = 0.0,
) -> Ratings:
    """Scores N(0, 1.5^2), cut-points sort(N(0, 2)) + N(0, 1) per judge, ratings ordered logistic."""
    random = np.random.default_rng(seed)
    scores = 1.5 * random.standard_normal((n_objects, n_features))
    cuts = np.sort(2 * random.standard_normal((n_assessors, n_features, n_cutpoints)), axis=2)
    cuts += random.standard_normal((n_assessors, 1, 1))
    objects = np.repeat(np.arange(n_objects), per_object)
    assessors = np.concatenate([random.permutation(n_assessors)[:per_object] for _ in range(n_objects)])
    below = 1 / (1 + np.exp(-(cuts[assessors] - scores[objects][:, :, None])))
    ratings = 1.0 + (random.random((len(objects), n_features, 1)) > below).sum(axis=2)
    ratings[random.random(ratings.shape) < missing] = np.nan
    return Ratings.from_records(objects, assessors, ratings, levels=range(1, n_cutpoints + 2))
