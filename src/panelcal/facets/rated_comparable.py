"""What ratings in several criteria leave open, by name: sentences that must be read beside the result.

Nothing is refused: where ratings do not tell, the priors do, and the errors are wide; but somebody has to know it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from panelcal.errors import first_few
from panelcal.network import components
from panelcal.ordinal.ratings import Ratings
from panelcal.panel import Panel

_NAMED, _NAMED_GROUPS = 4, 3


def criteria_cautions(ratings: Ratings) -> tuple[str, ...]:
    """Say which objects lack a criterion, which criteria hang apart, and which criteria nobody uses side by side."""
    if ratings.n_features == 1:
        return ()
    said: list[str] = []
    whole = len(ratings.components())
    for k, criterion in enumerate(ratings.features):
        rows = np.flatnonzero(ratings.ratings[:, k] >= 0)
        there = np.bincount(ratings.object_index[rows], minlength=ratings.n_objects) > 0
        if not there.all():
            without = [ratings.objects[i] for i in np.flatnonzero(~there).tolist()]
            said.append(
                f"Nobody rated {first_few(without, _NAMED)} in {criterion}: what "
                f"{'it is' if len(without) == 1 else 'they are'} worth there is only what the other criteria let "
                "expect."
            )
        groups = components(_panel(ratings.objects, ratings.object_index[rows], ratings, rows))
        if len(groups) > whole:
            described = "; ".join(
                f"{first_few(objects, _NAMED)} by {first_few(assessors, _NAMED)}"
                for objects, assessors in groups[:_NAMED_GROUPS]
            )
            more = f"; and {len(groups) - _NAMED_GROUPS} more" if len(groups) > _NAMED_GROUPS else ""
            said.append(
                f"In {criterion} the ratings fall into {len(groups)} groups with nothing in common "
                f"({described}{more}): how they compare there rests on the other criteria."
            )
    return (*said, *_criteria_apart(ratings))


def _criteria_apart(ratings: Ratings) -> tuple[str, ...]:
    """Say where no assessor uses criteria of two groups, so that hard criteria look like severe assessors."""
    row, criterion = np.nonzero(ratings.ratings >= 0)
    groups = components(_panel(ratings.features, criterion, ratings, row))
    if len(groups) == 1:
        return ()
    described = "; ".join(
        f"{first_few(criteria, _NAMED)} by {first_few(assessors, _NAMED)}"
        for criteria, assessors in groups[:_NAMED_GROUPS]
    )
    return (
        f"The criteria fall into {len(groups)} groups that nobody uses side by side ({described}): whether one is "
        "harder or its judges more severe cannot be told from these ratings.",
    )


def _panel(labels: Sequence[str], places: np.ndarray, ratings: Ratings, rows: np.ndarray) -> Panel:
    return Panel.from_records(
        [labels[k] for k in places.tolist()],
        [ratings.assessors[k] for k in ratings.assessor_index[rows].tolist()],
        np.ones(len(rows)),
    )
