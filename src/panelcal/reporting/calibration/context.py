"""What every sheet builder needs to know beside the results: names of the sheets, the run, and where the input is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from panelcal.reporting.calibration.classes import Classes
from panelcal.reporting.calibration.results import Results
from panelcal.reporting.calibration.watched import WatchedBlock


@dataclass(frozen=True, slots=True, eq=False)
class Context:
    """One run of the program.

    Attributes
    ----------
    results
        The numbers.
    classes
        Classes of the objects, None when no bands are set.
    suffix
        "" or " 2", " 3", ...: what this run's sheet names end in.
    linked
        Whether the result sheets stand in the same workbook as the input, so that formulas and links can point at it.
    numbers_in_block
        How many numbers the score block held when it was read, None where that cannot be watched.
    confidences
        The confidences of the input as a formula can watch them, None where it cannot.
    created
        Date and time of the run, ISO format.
    run_id
        Short identifier of input and options.
    versions
        Program and library versions.
    options
        Options of the run as they are to be documented.
    outdated
        Names of the summaries of earlier runs in the same workbook that are out of date now.
    """

    results: Results
    classes: Classes | None
    suffix: str
    linked: bool
    numbers_in_block: int | None
    confidences: WatchedBlock | None
    created: str
    run_id: str
    versions: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    outdated: tuple[str, ...] = ()

    def sheet(self, base: str) -> str:
        """Name of a result sheet in this run: "Cal values" or "Cal values 2"."""
        return base + self.suffix
