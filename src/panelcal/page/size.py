"""How large a panel the page takes on, since a browser gives a page much less memory than a program has."""

from __future__ import annotations

from panelcal.errors import PanelTooLarge
from panelcal.reading.understood import Understood

MOST_SCORES = 120_000


def require_size(reading: Understood) -> None:
    """Do nothing if a browser can calibrate what was read.

    Raises
    ------
    PanelTooLarge
        Otherwise, with the way that can.
    """
    count = scores_in(reading)
    if count > MOST_SCORES:
        raise PanelTooLarge(
            f"There are {count:,} {reading.settings.score_noun or 'score'}s here, and a page in a browser has room for "
            f"{MOST_SCORES:,}: install panelcal and calibrate this file on the command line."
        )


def scores_in(reading: Understood) -> int:
    """Count the scores that were read."""
    panel = getattr(reading, "panel", None)
    return 0 if panel is None else int(panel.n_assessments)
