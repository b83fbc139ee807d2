"""How far a command is."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import typer

from panelcal.interruption import undone_by

_STEPS = 200
# Where each stage begins and ends on the bar, by the time they take on a full sheet.
_STAGES = {
    "loading": (0.0, 0.3),
    "reading": (0.3, 0.4),
    "calibrating": (0.4, 0.6),
    "explaining": (0.6, 0.7),
    "writing": (0.7, 1.0),
}


class ProgressBar(ExitStack):
    """How far a command is: a bar on a terminal, nothing where the output goes elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self._bar: Any = None
        if sys.stderr.isatty():
            self.enter_context(undone_by(_show_cursor))
            self._bar = self.enter_context(typer.progressbar(length=_STEPS, file=sys.stderr, show_eta=False))

    def stage(self, doing: str) -> None:
        """Say what is being done now."""
        self.within(doing)(0.0)

    def within(self, doing: str) -> Callable[[float], None]:
        """Return what is to be told which share of a stage is done."""
        first, last = _STAGES.get(doing, _STAGES["calibrating"])

        def tell(share: float) -> None:
            if self._bar is not None:
                self._bar.label = doing
                self._bar.update(max(0, round(_STEPS * (first + (last - first) * share)) - self._bar.pos))

        return tell


def _show_cursor() -> None:
    """End the line of a bar and show the cursor, which a bar hides, where the bar itself cannot do so any more."""
    os.write(2, b"\n" if os.name == "nt" else b"\033[?25h\n")
