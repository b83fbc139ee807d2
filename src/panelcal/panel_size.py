"""What a panel needs of a spreadsheet's rows and of the machine's memory, known before anything is computed.

The figures of memory are fits to what runs were measured to take (docs/benchmarks.md), rounded up; they tell a panel
that fits from one that does not, not one megabyte from the next.
"""

from __future__ import annotations

import numpy as np

from panelcal.errors import PanelTooLarge
from panelcal.frozen import dataclass
from panelcal.panel import Panel

MOST_ROWS = 1_048_572
"""Rows of a sheet below the headings, which stand in row 4."""

CLEARLY_TOO_MANY_ROWS = MOST_ROWS + 10_000
"""So many that leaving out sums, codes and repetitions will not help."""

_PER_ASSESSMENT = 1_400.0  # bytes: cells as read, the panel and its fits, the rows of sheets on their way out
_PER_LINK = 50.0  # bytes of a pair of assessors with an object in common
_DENSE_SIDE = 5_000  # the smaller side is kept as a square table up to here
_SQUARES = 6.5  # of those tables at a time
_WORTH_ASKING = 300e6  # bytes that every machine has
_GIGA = 1e9


@dataclass(frozen=True, slots=True)
class MemoryNeeded:
    """Estimated bytes at the peak of each stage.

    Attributes
    ----------
    scores
        What grows with the number of assessments.
    links
        The table of which assessors share objects.
    solution
        Square tables over the smaller side.
    """

    scores: float
    links: float
    solution: float

    @property
    def total(self) -> float:
        """All stages together, since what one makes the next still holds."""
        return self.scores + self.links + self.solution


def memory_needed(panel: Panel) -> MemoryNeeded:
    """Estimate the memory that calibrating a panel and writing its sheets takes, in bytes."""
    each = panel.object_totals(np.ones(panel.n_assessments))
    pairs = min(float(np.square(each).sum()), float(panel.n_assessors) ** 2)
    side = min(panel.n_objects, panel.n_assessors, _DENSE_SIDE)
    return MemoryNeeded(
        scores=_PER_ASSESSMENT * panel.n_assessments, links=_PER_LINK * pairs, solution=_SQUARES * 8.0 * side * side
    )


def require_rows(count: int, noun: str) -> None:
    """Do nothing if a sheet has a row for each of so many.

    Parameters
    ----------
    count
        How many there are.
    noun
        What they are, in the plural.

    Raises
    ------
    PanelTooLarge
        Otherwise.
    """
    if count > MOST_ROWS:
        raise PanelTooLarge(
            f"There are {count:,} {noun}, and a sheet of results has room for {MOST_ROWS:,}: calibrate a part of them."
        )


def require_memory(panel: Panel, share: float) -> None:
    """Do nothing if a panel fits into this share of the memory that is free, or if nobody can tell.

    Raises
    ------
    PanelTooLarge
        Otherwise, with both figures and the stage that needs most.
    """
    needed = memory_needed(panel)
    if needed.total <= _WORTH_ASKING:
        return
    free = _free_memory()
    if free is None or needed.total <= share * free:
        return
    stages = {
        f"{panel.n_assessments:,} scores": needed.scores,
        f"the links between {panel.n_assessors:,} assessors": needed.links,
        "solving": needed.solution,
    }
    largest = max(stages, key=lambda stage: stages[stage])
    raise PanelTooLarge(
        f"This panel needs about {needed.total / _GIGA:.1f} GB of memory, most of it for {largest}, and "
        f"{share:.0%} of what is free here is {share * free / _GIGA:.1f} GB: close other programs, calibrate a part, "
        'or allow more by the setting "Memory to use".'
    )


def _free_memory() -> float | None:
    """Bytes that a program may still take, None where that is not known (in a browser)."""
    try:
        import psutil  # noqa: PLC0415 - only large panels need it, and browsers have none
    except ImportError:
        return None
    return float(psutil.virtual_memory().available)
