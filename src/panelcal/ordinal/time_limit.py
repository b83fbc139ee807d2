"""A limit of time that can only end a run: what was found until then is thrown away, so no figure depends on it."""

from __future__ import annotations

import math
import time

from panelcal.errors import MethodNotApplicable, TimeLimitReached


class TimeLimit:
    """Seconds from now; None = no limit.

    Raises
    ------
    MethodNotApplicable
        If the limit is not a positive number.
    """

    def __init__(self, seconds: float | None) -> None:
        if seconds is not None and not seconds > 0:
            raise MethodNotApplicable("The time limit must be a positive number of seconds.")
        self._seconds = math.inf if seconds is None else float(seconds)
        self._started = time.perf_counter()

    @property
    def spent(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self._started

    def check(self) -> None:
        """Do nothing while there is time.

        Raises
        ------
        TimeLimitReached
            Once there is none.
        """
        if self.spent > self._seconds:
            raise TimeLimitReached(
                f"The time limit of {self._seconds:g} seconds stopped the run before its draws were complete, so "
                "nothing is reported: allow more time, or try again when the computer has less to do."
            )


def no_limit() -> None:
    """Check nothing: for callers without a time limit."""
