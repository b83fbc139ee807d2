"""What every sheet on a calibrated panel needs beside the facts about the run: results, classes, what is watched."""

from __future__ import annotations

from dataclasses import dataclass

from panelcal.reporting.calibration.classes import Classes
from panelcal.reporting.calibration.method_results import ComparedMethods
from panelcal.reporting.calibration.results import Results
from panelcal.reporting.calibration.watched import WatchedBlock
from panelcal.reporting.run_facts import RunContext


@dataclass(frozen=True, slots=True, eq=False)
class Context(RunContext):
    """One calibration of a panel.

    Attributes
    ----------
    results
        The numbers.
    classes
        Classes of the objects, None when no bands are set.
    compared
        What other methods say.
    numbers_in_block
        How many numbers the score block held when it was read, None where that cannot be watched.
    confidences
        The confidences of the input as a formula can watch them, None where it cannot.
    """

    results: Results
    classes: Classes | None
    compared: ComparedMethods
    numbers_in_block: int | None
    confidences: WatchedBlock | None
