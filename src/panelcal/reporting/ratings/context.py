"""What every sheet on ratings needs beside the results: names of sheets, the run, and where the input is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from panelcal.reading.grid import Grid
from panelcal.reporting.ratings.results import OrdinalResults


@dataclass(frozen=True, slots=True, eq=False)
class OrdinalContext:
    """One run of the method ordinal.

    Attributes
    ----------
    results
        The numbers.
    suffix
        "" or " 2", " 3", ...: what this run's sheet names end in.
    input_grid
        The input sheet where the results stand in the same workbook, so that formulas and links can point at it.
    created, run_id, versions, options, outdated
        As in `Context`.
    """

    results: OrdinalResults
    suffix: str
    input_grid: Grid | None
    created: str
    run_id: str
    versions: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    outdated: tuple[str, ...] = ()

    @property
    def linked(self) -> bool:
        """Whether the result sheets stand in the same workbook as the input."""
        return self.input_grid is not None

    def sheet(self, base: str) -> str:
        """Name of a result sheet in this run: "Cal values" or "Cal values 2"."""
        return base + self.suffix
