"""Facts about a run: when it was, by which program and libraries, and the identifier that ties it to its input."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
from collections.abc import Mapping
from dataclasses import field
from datetime import UTC, datetime
from importlib import import_module
from typing import Generic, TypeVar

from panelcal.frozen import dataclass
from panelcal.reading.grid import Grid
from panelcal.reporting.wording import InWords
from panelcal.version import __version__

Results = TypeVar("Results", bound=InWords)

_LIBRARIES = ("numpy", "scipy", "openpyxl")


@dataclass(frozen=True, slots=True, eq=False)
class RunFacts:
    """What is told on the sheets about the run itself, whatever it computed.

    Attributes
    ----------
    created
        Date and time of the run, ISO format. The same input, versions and date give the same report.
    versions
        Versions of the program and of the libraries, for the audit.
    suffix
        "" or " 2", " 3", ...: what the names of the result sheets end in, see `names.result_suffix`.
    input_grid
        The input sheet, when the result sheets will stand in the same workbook: formulas and links then point at it.
    other_grids
        The other sheets of that workbook.
    outdated
        Names of the summaries of earlier runs in this workbook that are out of date now.
    earlier
        Sheets of earlier runs in this workbook: each `Cal audit`, and the values and the proof of the newest.
    """

    created: str
    versions: Mapping[str, str] = field(default_factory=dict)
    suffix: str = ""
    input_grid: Grid | None = None
    other_grids: tuple[Grid, ...] = ()
    outdated: tuple[str, ...] = ()
    earlier: tuple[Grid, ...] = ()

    def grid(self, sheet: str) -> Grid | None:
        """Return the sheet of that name as it stands in the same workbook, None where the results stand elsewhere."""
        grids = () if self.input_grid is None else (self.input_grid, *self.other_grids)
        return next((grid for grid in grids if grid.sheet == sheet), None)


@dataclass(frozen=True, slots=True, eq=False)
class RunContext(Generic[Results]):
    """What every sheet needs: the results of its system, and what is told about the run.

    Attributes
    ----------
    results
        The numbers of the system.
    run
        Facts about the run.
    options
        Options of the run as they are to be documented.
    """

    results: Results
    run: RunFacts
    options: Mapping[str, str]

    @property
    def run_id(self) -> str:
        """Short identifier of input, options and program."""
        return run_identifier_of(self.results.reading.fingerprint, self.options, self.run.versions)

    @property
    def linked(self) -> bool:
        """Whether the result sheets stand in the same workbook as the input, so that formulas can point at it."""
        return self.run.input_grid is not None

    def sheet(self, base: str) -> str:
        """Name of a result sheet in this run: "Cal values" or "Cal values 2"."""
        return base + self.run.suffix


def run_moment() -> str:
    """Date and time of the run, ISO format; SOURCE_DATE_EPOCH fixes it, so that a filed workbook can be reproduced."""
    fixed = os.environ.get("SOURCE_DATE_EPOCH")
    moment = datetime.fromtimestamp(int(fixed), UTC) if fixed else datetime.now().astimezone()
    return moment.replace(tzinfo=None).isoformat(timespec="seconds")


def run_versions() -> dict[str, str]:
    """Versions of the program, of Python and of the libraries that the results depend on."""
    python = platform.python_version() + (" in a browser" if sys.platform == "emscripten" else "")
    return {"panelcal": __version__, "Python": python} | {name: _version(name) for name in _LIBRARIES}


def _version(library: str) -> str:
    """Version as the library itself tells it: every run has loaded it, and looking its package up takes time."""
    return str(import_module(library).__version__)


def run_identifier_of(fingerprint: str, options: Mapping[str, str], versions: Mapping[str, str]) -> str:
    """Eight hexadecimal digits of the cells read, the options and the program version."""
    text = json.dumps([fingerprint, dict(options), versions.get("panelcal", "")], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:8]
