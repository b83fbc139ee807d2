"""What every sheet on ratings needs beside the facts about the run."""

from __future__ import annotations

from dataclasses import dataclass

from panelcal.reporting.ratings.results import OrdinalResults
from panelcal.reporting.run_facts import RunContext


@dataclass(frozen=True, slots=True, eq=False)
class OrdinalContext(RunContext):
    """One run of the method ordinal: `results` are its numbers."""

    results: OrdinalResults
