"""What comes next in a plan that goes on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from panelcal.frozen import dataclass
from panelcal.reading.planning.scored_so_far import ScoredSoFar

if TYPE_CHECKING:
    from panelcal.planning.continuing import NextAssessment


@dataclass(frozen=True, slots=True, eq=False)
class Continuation:
    """What comes next, and the expected error of a value, in score units, so far and after each step.

    Attributes
    ----------
    so_far
        What was read.
    steps
        In order.
    error
        So far; infinite while not all objects are linked, NaN where the scores leave no way to judge the noise.
    errors
        (n_steps) after each step.
    """

    so_far: ScoredSoFar
    steps: Sequence[NextAssessment]
    error: float
    errors: Sequence[float]
