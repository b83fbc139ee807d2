"""What comes out of a long table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from panelcal.arrays import Array
from panelcal.frozen import dataclass
from panelcal.large.engine import Arrays, Engine
from panelcal.large.rows import Assessments
from panelcal.large.verdict import LargeVerdict
from panelcal.shown import Tabled


@dataclass(frozen=True, slots=True)
class Boundary:
    """A class: everything from `lowest` up to the next."""

    name: str
    lowest: float


@dataclass(frozen=True, slots=True, eq=False)
class ClassCounts:
    """Objects by class before (average) and after (value), best class first, those below all classes last.

    Attributes
    ----------
    names
        Classes and "below".
    counts
        (n, n) rows before, columns after; empty without boundaries.
    """

    names: tuple[str, ...]
    counts: NDArray[np.int64]


def class_counts(engine: Engine, results: str, boundaries: Sequence[Boundary]) -> ClassCounts:
    """Count objects by their class before and after in a table with columns average and estimate."""
    if not boundaries:
        return ClassCounts((), np.zeros((0, 0), dtype=np.int64))
    n = len(boundaries) + 1

    def place(column: str) -> str:
        cases = " ".join(f"WHEN {column} >= {b.lowest!r} THEN {k}" for k, b in enumerate(boundaries))
        return f"CASE {cases} ELSE {n - 1} END"

    found = engine.fetch(
        f"SELECT before, after, count(*) AS n FROM (SELECT {place('average')} AS before, {place('estimate')} AS after "
        f"FROM {results}) AS placed GROUP BY before, after"
    )
    counts = np.zeros((n, n), dtype=np.int64)
    counts[found["before"].astype(np.intp), found["after"].astype(np.intp)] = found["n"]
    return ClassCounts((*(b.name for b in boundaries), "below"), counts)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LargeCalibration(Tabled):
    """What came out of a long table; its values stand in `folder`, in the files named there.

    Source: MacKay, Kenna, Low and Parker (2015), eqs. (1)-(15) and (38); docs/large.md.

    Attributes
    ----------
    folder
        Holds values.parquet, assessors.parquet, unexpected.parquet, summary.xlsx and summary.json.
    n_assessments, n_objects, n_assessors, n_groups
        How many there are; groups share nothing and are calibrated apart.
    w
        (n_groups,) variance of a score of confidence 1 beyond value and bias, R/(N - p); the largest group first.
    degrees_of_freedom
        (n_groups,) N - p.
    mu2
        (n_groups,) 1 - sqrt(lambda_2), eq. (32).
    f_statistic, p_value
        F test that all biases are equal.
    verdict
        Errors to expect of averages, calibrated and shrunken values, and what to do; None where only the F test says
        something: more assessors than objects, several groups, or more than 5,000 assessors.
    largest_change
        Largest difference of a value and the confidence-weighted average, the common shift taken out, in score units.
    solution_error
        Bound on how far values may be off by rounding and by an unfinished solution, in score units: what the normal
        equations leave over, with what computing it may have lost, over mu_2 (the argument of theorem 30).
    solution_proven
        Whether mu_2, and so the bound, is exact to what is allowed for; beyond 5,000 members it is an estimate.
    assessors
        The table of assessors.parquet, a column each.
    unexpected
        The table of unexpected.parquet.
    classes
        How many objects are in which class before and after; empty without boundaries.
    assessments
        What was read and what was left out.
    method
        How the equations were solved.
    errors_estimated
        Whether standard errors are estimated from random scores (good to about a tenth) instead of exact.

    Examples
    --------
    >>> from pathlib import Path
    >>> rows = ['student,marker,mark', 'A,x,50', 'A,y,60', 'B,x,55', 'B,y,65', 'C,x,70', 'C,y,82']
    >>> _ = Path('marks.csv').write_text(chr(10).join(rows))
    >>> names = {'object': 'student', 'assessor': 'marker', 'score': 'mark'}
    >>> done = calibrate_relation('marks.csv', output='results', **names)
    >>> (done.n_objects, done.n_assessors)
    (3, 2)
    """

    folder: Path
    n_assessments: int
    n_objects: int
    n_assessors: int
    n_groups: int
    w: Array
    degrees_of_freedom: Array
    mu2: Array
    f_statistic: float
    p_value: float
    verdict: LargeVerdict | None
    solution_error: float
    solution_proven: bool
    largest_change: float
    assessors: Arrays
    unexpected: Arrays
    classes: ClassCounts
    assessments: Assessments
    method: str
    errors_estimated: bool

    def shown_figures(self) -> Iterator[tuple[str, Any]]:
        """Yield sizes, main figures and place; the tables are long."""
        for name in ("n_assessments", "n_objects", "n_assessors", "n_groups", "w", "p_value", "largest_change"):
            yield name, getattr(self, name)
        yield "errors_estimated", self.errors_estimated
        yield "folder", str(self.folder)
