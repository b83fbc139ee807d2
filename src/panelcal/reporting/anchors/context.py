"""What every sheet about anchors needs beside the facts about the run."""

from __future__ import annotations

from dataclasses import dataclass

from panelcal.reporting.anchors.results import AnchorResults
from panelcal.reporting.run_facts import RunContext


@dataclass(frozen=True, slots=True, eq=False)
class AnchorContext(RunContext):
    """One run of the method anchors: `results` are its numbers."""

    results: AnchorResults
