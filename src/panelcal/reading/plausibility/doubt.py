"""What speaks against some lines of a block, as data."""

from __future__ import annotations

from panelcal.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Doubt:
    """Lines that may be no assessors (or no objects), for one reason.

    Attributes
    ----------
    lines
        Their numbers.
    reason
        What they are, to be read after "is" or "are" ("the sum of all others"), or after their range where `range` is
        given.
    usual
        (lowest, highest) of the other lines where these are on another scale.
    instead
        Lines that say the same as these, which could be left out instead.
    rescale
        Whether percentages of what the sheet says was possible would bring them to one scale.
    """

    lines: tuple[int, ...]
    reason: str
    usual: tuple[float, float] | None = None
    instead: tuple[int, ...] = ()
    rescale: bool = False
