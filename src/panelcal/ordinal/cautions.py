"""What a reader must know before trusting ordinal results: sentences about the ratings themselves."""

from __future__ import annotations

import numpy as np

from panelcal.errors import first_few
from panelcal.ordinal.posterior import Groups
from panelcal.ordinal.ratings import Ratings

_NAMED_GROUPS, _NAMED = 4, 6


def cautions(ratings: Ratings, groups: Groups, *, shared_cutpoints: bool) -> tuple[str, ...]:
    """Return sentences on features rated all alike and on groups of objects that nothing links."""
    return (*_alike(ratings), *_disconnected(groups, shared_cutpoints))


def _alike(ratings: Ratings) -> tuple[str, ...]:
    codes = ratings.ratings
    alike = [
        (feature, ratings.levels[int(codes[:, q].max())])
        for q, feature in enumerate(ratings.features)
        if len(np.unique(codes[codes[:, q] >= 0, q])) == 1
    ]
    if len(alike) == len(ratings.features):
        return ("All ratings are alike, so nothing tells the objects apart; differences shown are chance.",)
    return tuple(f"Every rating of {feature} is {level}, so it tells no objects apart." for feature, level in alike)


def _disconnected(groups: Groups, shared_cutpoints: bool) -> tuple[str, ...]:
    if len(groups) == 1:
        return ()
    described = "; ".join(
        f"{first_few(objects, _NAMED)} rated by {first_few(assessors, _NAMED)}"
        for objects, assessors in groups[:_NAMED_GROUPS]
    )
    more = f"; and {len(groups) - _NAMED_GROUPS} more groups" if len(groups) > _NAMED_GROUPS else ""
    ground = "that all judges use the scale alike" if shared_cutpoints else "that the groups of judges are alike"
    return (
        f"The ratings fall into {len(groups)} groups with no object and no assessor in common ({described}{more}): "
        f"how objects of different groups compare rests only on the assumption {ground}. Compare within groups, or "
        f"link them: for example a rating by {groups[0][1][0]} for {groups[1][0][0]} would join the first two.",
    )
