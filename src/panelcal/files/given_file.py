"""The content of a file, on disk or in memory, as `panelcal.run.run` takes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from panelcal.errors import FileProblem
from panelcal.files.gather import gathered
from panelcal.files.graft import carries_whole
from panelcal.files.in_memory import File, FileBytes
from panelcal.files.load import load_source
from panelcal.files.out_of_date import earlier_sheets
from panelcal.files.ownership import own_sheets
from panelcal.reading.grid import Grid, Source
from panelcal.run import Given, GivenSheets
from panelcal.systems.choices import Choices


class GivenFile:
    """A file given to a run; it is looked into when something about it is first asked.

    Parameters
    ----------
    file
        A path, or content in memory with the name it goes by.
    results_only
        Whether the result sheets stand alone, without a copy of the sheets of the file.
    progress
        Told which share of the file has been loaded.
    """

    def __init__(
        self, file: File, *, results_only: bool = False, progress: Callable[[float], None] = lambda share: None
    ) -> None:
        self.file = file
        self._results_only = results_only
        self._progress = progress

    @cached_property
    def source(self) -> Source:
        """The sheets, with the name of the file."""
        return load_source(self.file, progress=self._progress)

    @cached_property
    def lost(self) -> tuple[str, ...]:
        """What a copy of the file would lose, which is why there is none; empty where nothing, or none is wanted."""
        if self._results_only:
            return ()
        if self.file.suffix.lower() != ".xlsx":
            return (f"a copy is only made of .xlsx workbooks, not of {self.file.suffix or 'other files'}",)
        return carries_whole(self.file)

    @property
    def carried(self) -> bool:
        """Whether the result is a copy of this file, with the result sheets behind its own."""
        return not self._results_only and not self.lost

    @property
    def workbook(self) -> File | None:
        """The file that the result is a copy of, None for a workbook of result sheets only."""
        return self.file if self.carried else None

    @property
    def earlier(self) -> tuple[Grid, ...]:
        """Sheets of earlier runs that the copy will hold."""
        return earlier_sheets(self.source, own_sheets(self.file)) if self.carried else ()


def given_bytes(files: Sequence[FileBytes], choices: Choices, *, results_only: bool = False) -> GivenFile | GivenSheets:
    """Return what a run takes for one file in memory, or for several that hold one assessor's scores each.

    Raises
    ------
    PanelcalError
        If there is none, or several cannot be put together.
    """
    if not files:
        raise FileProblem("Choose a file with scores first.")
    if len(files) == 1:
        return GivenFile(files[0], results_only=results_only)
    return GivenSheets(gathered(files, choices))


def not_copied(given: Given, target: str) -> tuple[str, ...]:
    """Say why a result holds result sheets only, where the file could not be copied whole."""
    if not isinstance(given, GivenFile) or not given.lost:
        return ()
    return (f"{given.file.name} could not be copied whole ({', '.join(given.lost)}), so {target} holds results only.",)
