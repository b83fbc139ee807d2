"""Pairs of object and assessor: the only thing about a long table that everything else is computed from.

The side with more members is eliminated, eq. (15) or its mirror image; members of the kept side get numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from panelcal.arrays import Array
from panelcal.errors import InputRefused
from panelcal.frozen import dataclass
from panelcal.large.engine import Engine
from panelcal.large.rows import Assessments

Repeated = Literal["stop", "average", "keep both"]
Side = Literal["object", "assessor"]

REPEATED_NAMED = 10
_MOST_KEPT = 2_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """What there is to know of the pairs that is small enough to be here.

    Attributes
    ----------
    eliminated
        Which side is eliminated.
    kept_labels
        (n_kept,) labels of the kept side, in the order of their numbers.
    confidence, rows
        (n_kept,) total confidence and number of assessments of each.
    right
        (n_kept,) the right-hand side of the system (15).
    share
        (n_kept,) sum of their shares in eliminated members.
    inverse_share
        (n_kept,) 1/d of each eliminated member, handed out evenly to the kept ones it is paired with.
    mean, squares
        (n_kept,) confidence-weighted mean score less `centre`, and the sum of c x square about `centre`.
    within
        (n_kept,) sum of c x square about the mean of the eliminated member.
    n_eliminated, n_pairs, n_assessments
        How many there are.
    centre
        What scores are measured from.
    repeated
        How many assessments repeat an earlier pair.
    """

    eliminated: Side
    kept_labels: NDArray[np.object_]
    confidence: Array
    rows: NDArray[np.int64]
    right: Array
    share: Array
    inverse_share: Array
    mean: Array
    squares: Array
    within: Array
    n_eliminated: int
    n_pairs: int
    n_assessments: int
    centre: float
    repeated: int

    @property
    def kept(self) -> Side:
        """Which side is kept."""
        return "assessor" if self.eliminated == "object" else "object"

    @property
    def n_kept(self) -> int:
        """Number of kept members."""
        return len(self.kept_labels)

    @property
    def n_objects(self) -> int:
        """Number of objects."""
        return self.n_eliminated if self.eliminated == "object" else self.n_kept

    @property
    def n_assessors(self) -> int:
        """Number of assessors."""
        return self.n_kept if self.eliminated == "object" else self.n_eliminated

    @property
    def total_confidence(self) -> float:
        """Sum of all confidences."""
        return float(self.confidence.sum())


def number_kept(engine: Engine, found: Assessments) -> Side:
    """Make the table `kept` (label, k: its number) of the side with fewer members; return the other side.

    Raises
    ------
    InputRefused
        If both sides are too long.
    """
    objects, assessors = found.about_objects, found.about_assessors
    if min(objects, assessors) > _MOST_KEPT:
        raise InputRefused(
            f"There are about {objects:,} different objects and {assessors:,} different assessors; one of the two "
            "must be below two million: look whether a column of ids is meant."
        )
    eliminated: Side = "object" if objects >= assessors else "assessor"
    kept = "assessor" if eliminated == "object" else "object"
    engine.make(
        "kept",
        f"SELECT label, CAST(row_number() OVER (ORDER BY label) - 1 AS INTEGER) AS k "
        f"FROM (SELECT DISTINCT {kept} AS label FROM scores) AS labels",
    )
    return eliminated


def kept_labels(engine: Engine) -> NDArray[np.object_]:
    """Return the labels of the kept side in the order of their numbers."""
    return engine.fetch("SELECT label FROM kept ORDER BY k")["label"].astype(object)


def require_no_repeats(again: int, first: Iterable[tuple[Any, Any, int]], eliminated: Side) -> None:
    """Do nothing if no row repeats an earlier pair.

    Parameters
    ----------
    again
        How many do.
    first
        Eliminated and kept label and number of rows of the first of them.

    Raises
    ------
    InputRefused
        Otherwise.
    """
    if not again:
        return
    listed = "; ".join(
        f"{e if eliminated == 'object' else label} by {label if eliminated == 'object' else e}, {int(n)} times"
        for e, label, n in first
    )
    rows = "1 row repeats" if again == 1 else f"{again:,} rows repeat"
    raise InputRefused(
        f'{rows} an earlier pair of object and assessor ({listed}): add --set "Repeated assessments=average" to use '
        'their mean, or --set "Repeated assessments=keep both" to count each of them.'
    )
