"""What every sheet about anchors needs beside the results: names of the sheets and facts about the run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from panelcal.reporting.anchors.results import AnchorResults


@dataclass(frozen=True, slots=True, eq=False)
class AnchorContext:
    """One run of the program.

    Attributes
    ----------
    results
        The numbers.
    suffix
        "" or " 2", " 3", ...: what this run's sheet names end in.
    linked
        Whether the result sheets stand in the same workbook as the input.
    created
        Date and time of the run, ISO format.
    run_id
        Short identifier of input and options.
    versions, options
        Versions of program and libraries, and options of the run, for the audit.
    outdated
        Names of the summaries of earlier runs in the same workbook that are out of date now.
    """

    results: AnchorResults
    suffix: str
    linked: bool
    created: str
    run_id: str
    versions: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    outdated: tuple[str, ...] = ()

    def sheet(self, base: str) -> str:
        """Name of a result sheet in this run."""
        return base + self.suffix
