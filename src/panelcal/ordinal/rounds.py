"""Draws in rounds until the chains agree or the budget is spent, and which of the two it was.

Nothing here looks at the clock, but for a limit that ends a run without a result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

import numpy as np

from panelcal.arrays import Array
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.ordinal.posterior import Diagnosis
from panelcal.ordinal.sampler import HamiltonianSampler
from panelcal.ordinal.time_limit import TimeLimit

Progress = Callable[[float, str], None]

CHAINS = 16
TOTAL_RHAT, SCALE_RHAT = 1.01, 1.05
MOST_DRAWS = 64_000
_FIRST_ROUND, _ROUND = 200, 100
_LONGEST, _SHORTEST = 800, 400  # iterations looked back on
_USUAL = 500  # iterations within which chains agree, for the progress shown
_MOST_NUMBERS = 25_000_000  # scores kept
_FEWEST_DRAWS = 8  # per chain, for R-hat to mean anything


@dataclass(frozen=True, slots=True)
class Agreement:
    """Largest R-hat of totals and of scales, and the smallest effective number of draws of a total."""

    totals: float
    scales: float
    effective: float

    @property
    def reached(self) -> bool:
        """Whether the chains agree."""
        return self.totals < TOTAL_RHAT and self.scales < SCALE_RHAT


class Record(Protocol):
    """What is kept of the draws: how many iterations were `taken`, of which the `longest` latest are looked back on."""

    taken: int
    longest: int

    def add(self, points: Array) -> None:
        """Add one iteration of all chains (dimension, C)."""

    def agreement(self) -> Agreement:
        """How far the chains agree."""


def iterations(draws: int | None) -> int:
    """Iterations of all chains within a budget of draws.

    Raises
    ------
    MethodNotApplicable
        If the budget is no whole number, or too small for R-hat.
    """
    if draws is None:
        return MOST_DRAWS // CHAINS
    if isinstance(draws, bool) or draws != int(draws) or draws < _FEWEST_DRAWS * CHAINS:
        raise MethodNotApplicable(f"The number of draws must be a whole number, at least {_FEWEST_DRAWS * CHAINS}.")
    return int(draws) // CHAINS


def window(numbers: int) -> int:
    """How many iterations to look back on where each has so many scores in each chain."""
    return int(np.clip(_MOST_NUMBERS // (numbers * CHAINS), _SHORTEST, _LONGEST))


def draw_until_agreed(
    sampler: HamiltonianSampler,
    record: Record,
    *,
    most: int,
    limit: TimeLimit,
    report: Progress,
) -> Agreement:
    """Draw in rounds until the chains agree, or `most` iterations are done."""
    goal = min(_FIRST_ROUND, record.longest, most)
    while True:
        report(min(record.taken / _USUAL, 0.95), f"{record.taken * CHAINS} draws so far.")
        while record.taken < goal:
            sampler.move()
            limit.check()
            record.add(sampler.points)
        agreement = record.agreement()
        if agreement.reached or record.taken == most:
            return agreement
        goal = min(goal + _ROUND, most)


def diagnosis_of(agreement: Agreement, taken: int, limit: TimeLimit, cautions: Iterable[str]) -> Diagnosis:
    """Say how so many iterations came about, before what must be known of the ratings themselves."""
    return Diagnosis(
        converged=agreement.reached,
        rhat=agreement.totals,
        scale_rhat=agreement.scales,
        effective_sample_size=agreement.effective,
        seconds=limit.spent,
        approximate=False,
        warnings=(*_disagreement(agreement, taken * CHAINS), *cautions),
    )


def _disagreement(agreement: Agreement, draws: int) -> tuple[str, ...]:
    """Say that the chains do not agree; nothing where they do."""
    if agreement.reached:
        return ()
    return (
        f"Not converged after {draws:,} draws (the chains differ by a factor of {agreement.totals:.3f} in the totals "
        f"and {agreement.scales:.3f} in the scales, where 1 would be perfect): read the probabilities as rough, or "
        "allow more draws.",
    )
