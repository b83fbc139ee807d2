"""The panel with criteria: who assessed what, with a score in each criterion of a rubric."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from panelcal.arrays import Array, Indices, Mask
from panelcal.errors import InvalidPanel
from panelcal.frozen import dataclass
from panelcal.panel import Panel
from panelcal.shown import Tabled

_NAMED = 10


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FacetPanel(Tabled):
    """Scores that assessors gave to objects in several criteria; one entry per assessment, one column per criterion.

    Build one with `from_table` or `from_records`; both check what they are given.

    Source: the scores of MacKay, Kenna, Low and Parker (2015), eq. (1), in several criteria.

    Attributes
    ----------
    objects, assessors, criteria
        Labels, in order of first appearance.
    object_index, assessor_index
        (P,) which object and which assessor each assessment belongs to.
    scores
        (P, K) score units of each criterion; NaN where an assessment has no score in a criterion.
    confidences
        (P,) c_ao of each assessment, in all its criteria; positive.

    Examples
    --------
    >>> marks = [5, 7, 6, 9, 3, 4, 4, 5]
    >>> panel = FacetPanel.from_records('AAAABBBB', 'xxyyxxyy', ['style', 'proof'] * 4, marks)
    >>> (panel.criteria, panel.n_assessments)
    (('style', 'proof'), 4)
    """

    objects: tuple[str, ...]
    assessors: tuple[str, ...]
    criteria: tuple[str, ...]
    object_index: Indices
    assessor_index: Indices
    scores: Array
    confidences: Array

    @classmethod
    def from_table(
        cls,
        objects: Sequence[Any],
        assessors: Sequence[Any],
        scores: ArrayLike,
        confidences: ArrayLike | None = None,
        *,
        criteria: Sequence[Any] | None = None,
    ) -> FacetPanel:
        """Make a panel from rows of a rubric, one assessment each.

        Parameters
        ----------
        objects, assessors
            (P,) labels.
        scores
            (P, K), NaN or None = no score in that criterion.
        confidences
            (P,) positive numbers, or None for 1 everywhere.
        criteria
            (K,) names; None gives "1", "2", ...

        Raises
        ------
        InvalidPanel
            If shapes disagree, names of criteria repeat, an assessment or a criterion has no score at all, a score is
            not finite or a confidence not positive.
        """
        try:
            table = np.array(scores, dtype=np.float64, ndmin=2)
        except (TypeError, ValueError):
            raise InvalidPanel("Scores must be numbers, in rows of equal length.") from None
        if table.ndim != 2 or not table.size:
            raise InvalidPanel(
                "The scores must be a table with an assessment in each row and a criterion in each column."
            )
        names = tuple(map(str, criteria)) if criteria is not None else tuple(str(k + 1) for k in range(table.shape[1]))
        if len(names) != table.shape[1] or len(set(names)) < len(names):
            raise InvalidPanel(f"There are {table.shape[1]} columns of scores: each needs a name of its own.")
        there = ~np.isnan(table)
        # The first score of each row stands for it, so that labels and confidences are checked as for any panel.
        panel = Panel.from_records(objects, assessors, _first_of_each(table, there), confidences)
        if np.isinf(table).any():
            raise InvalidPanel("Not every score is finite.")
        empty = [name for name, any_there in zip(names, there.sum(axis=0).tolist(), strict=True) if not any_there]
        if empty:
            raise InvalidPanel(f"No score at all in {', '.join(empty[:_NAMED])}: leave it out.")
        table.setflags(write=False)
        return cls(
            panel.objects,
            panel.assessors,
            names,
            panel.object_index,
            panel.assessor_index,
            table,
            panel.confidences,
        )

    @classmethod
    def from_records(
        cls,
        objects: Sequence[Any],
        assessors: Sequence[Any],
        criteria: Sequence[Any],
        scores: ArrayLike,
    ) -> FacetPanel:
        """Make a panel from a list with one score per entry, all with confidence 1.

        Parameters
        ----------
        objects, assessors, criteria
            (N,) labels.
        scores
            (N,) finite numbers.

        Raises
        ------
        InvalidPanel
            As for `from_table`; also if an assessor has two scores for one object in one criterion.
        """
        given = Panel.from_records(objects, assessors, scores)
        names = tuple(dict.fromkeys(map(str, criteria)))
        if len(criteria) != given.n_assessments:
            raise InvalidPanel(f"There are {given.n_assessments} scores but {len(criteria)} criteria.")
        column = {name: k for k, name in enumerate(names)}
        rows: dict[tuple[int, int], int] = {}
        for pair in zip(given.object_index.tolist(), given.assessor_index.tolist(), strict=True):
            rows.setdefault(pair, len(rows))
        table = np.full((len(rows), len(names)), np.nan)
        for o, a, name, score in zip(given.object_index, given.assessor_index, criteria, given.scores, strict=True):
            place = rows[int(o), int(a)], column[str(name)]
            if not np.isnan(table[place]):
                raise InvalidPanel(
                    f"{given.assessors[a]} has more than one score for {given.objects[o]} in {name}: keep one of them."
                )
            table[place] = score
        pairs = list(rows)
        return cls.from_table(
            [given.objects[o] for o, _ in pairs], [given.assessors[a] for _, a in pairs], table, criteria=names
        )

    @property
    def n_assessments(self) -> int:
        """Number of assessments, P."""
        return len(self.scores)

    @property
    def n_criteria(self) -> int:
        """Number of criteria, K."""
        return len(self.criteria)

    @property
    def is_complete(self) -> bool:
        """Whether every assessment has a score in every criterion."""
        return not bool(np.isnan(self.scores).any())

    def in_criterion(self, k: int) -> Panel:
        """Return the scores of one criterion as a panel; labels without any are left out."""
        return self.with_scores(self.scores[:, k])

    def with_scores(self, scores: Array) -> Panel:
        """Return a panel of these assessments with one score each (P,), such as a weighted total; NaN = left out."""
        there = ~np.isnan(scores)
        return Panel.from_records(
            [self.objects[o] for o in self.object_index[there].tolist()],
            [self.assessors[a] for a in self.assessor_index[there].tolist()],
            scores[there],
            self.confidences[there],
        )


def _first_of_each(table: Array, there: Mask) -> Array:
    if not there.any(axis=1).all():
        row = int(np.argmin(there.any(axis=1)))
        raise InvalidPanel(f"Assessment {row + 1} has no score in any criterion: leave it out.")
    first: Array = table[np.arange(len(table)), there.argmax(axis=1)]
    return first
