"""One run from a file to a workbook: the bytes of a file in; its reading, its Report and the workbook's bytes out.

The command line and the page go through here, so that the same file gives the same cells by either. Excel has no bytes
to hand over: its input is an open workbook with whatever is not saved yet, and its results go into that one. It enters
one step later, at `panelcal.run.run`, to which all of this leads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from panelcal.errors import FileProblem, InputRefused
from panelcal.files.gather import gathered
from panelcal.files.graft import carries_whole
from panelcal.files.in_memory import File, FileBytes
from panelcal.files.load import load_source
from panelcal.files.out_of_date import earlier_sheets
from panelcal.files.ownership import own_sheets
from panelcal.files.write import report_bytes
from panelcal.reading.grid import Source
from panelcal.reporting.run_facts import run_moment, run_versions
from panelcal.run import Run, run
from panelcal.shown import Shown
from panelcal.systems.choices import Choices
from panelcal.systems.system import Progress, chosen_settings


@dataclass(frozen=True, slots=True, eq=False)
class FileRun:
    """A run on a file, before anything is written.

    Attributes
    ----------
    run
        What came out.
    workbook
        The file that the result is a copy of, None for a workbook of result sheets only.
    lost
        What a copy of the file would lose, which is why there is none; empty where there is one or none was wanted.
    """

    run: Run
    workbook: File | None
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BytesRun(Shown):
    """A run with the workbook it makes.

    Source: what `panelcal calibrate` does, described in docs/programs.md.

    Attributes
    ----------
    run
        Report, reading and sentences.
    workbook
        The bytes of the .xlsx file with the result sheets.
    name
        What the command line would call that file.
    notes
        Sentences about that file: what is different in the copy, or why there is no copy of the user's sheets in it.

    Examples
    --------
    >>> marks = chr(10).join(['Student,Maths,Physics', 'Ann,50,60', 'Bo,55,65', 'Cy,70,82']).encode()
    >>> run_bytes([('marks.csv', marks)]).name
    'marks-calibrated.xlsx'
    """

    run: Run
    workbook: bytes
    name: str
    notes: tuple[str, ...]


def run_bytes(
    files: Sequence[tuple[str, bytes]],
    choices: Choices | None = None,
    *,
    results_only: bool = False,
    created: str | None = None,
    progress: Progress = lambda doing: None,
) -> BytesRun:
    """Calibrate the scores in a file, or in several that hold one assessor's scores each, without touching a disk.

    Source: what `panelcal calibrate` does, described in docs/programs.md.

    Parameters
    ----------
    files
        (name, content) of each.
    choices
        What wins over the sheet Settings of the file; None = nothing.
    results_only
        Whether the result sheets stand alone, without a copy of the sheets of the file.
    created
        Date and time of the run, "2026-11-21T10:15:00"; None = now.
    progress
        Told what is being done.

    Returns
    -------
    BytesRun
        The run, and the workbook it makes.

    Raises
    ------
    PanelcalError
        If it cannot be done as it stands: one sentence for the user. `InputRefused` also holds the open questions, and
        `Choices.answered` takes their answers.

    Examples
    --------
    >>> marks = chr(10).join(['Student,Maths,Physics', 'Ann,50,60', 'Bo,55,65', 'Cy,70,82']).encode()
    >>> run_bytes([('marks.csv', marks)]).run.reading.summary
    '3 students in A2:A4 and 2 assessors in B1:C1'
    """
    chosen = choices or Choices()
    given = [FileBytes(name, content) for name, content in files]
    moment = created or run_moment()
    progress("loading")
    source = load_bytes(given, chosen)
    alone = results_only or len(given) > 1
    done = run_loaded(given[0], source, chosen, results_only=alone, created=moment, progress=progress)
    progress("writing")
    workbook, notes = report_bytes(
        done.run.report,
        workbook=done.workbook,
        labelled=given[0] if len(given) == 1 else None,
        outdated=done.run.outdated,
    )
    name = f"{given[0].stem if len(given) == 1 else 'panel'}-calibrated.xlsx"
    return BytesRun(done.run, workbook, name, (*notes, *not_copied(given[0].name, name, done.lost)))


def load_bytes(given: Sequence[FileBytes], choices: Choices) -> Source:
    """Load one file, or put several together that hold one assessor's scores each."""
    if not given:
        raise FileProblem("Choose a file with scores first.")
    if len(given) == 1:
        return load_source(given[0])
    return gathered(given, choices)


def run_loaded(
    file: File,
    source: Source,
    choices: Choices,
    *,
    results_only: bool,
    created: str,
    progress: Progress = lambda doing: None,
) -> FileRun:
    """Calibrate what was loaded from a file, and find out whether the result can be a copy of that file."""
    lost = () if results_only else _not_carried(file)
    carried = not results_only and not lost
    if choices.reference is not None and chosen_settings(source, choices).gauge != "reference":
        raise InputRefused("A reference value goes with the zero of the biases called reference: choose that as well.")
    done = run(
        source,
        choices,
        created=created,
        versions=run_versions(),
        carried=carried,
        earlier=earlier_sheets(source, own_sheets(file)) if carried else (),
        progress=progress,
    )
    return FileRun(done, file if carried else None, lost)


def not_copied(file: str, target: str, lost: Sequence[str]) -> tuple[str, ...]:
    """Say why a result holds result sheets only, where the file could not be copied whole."""
    if not lost:
        return ()
    return (f"{file} could not be copied whole ({', '.join(lost)}), so {target} holds results only.",)


def _not_carried(file: File) -> tuple[str, ...]:
    """What a copy of the input would lose; anything but an .xlsx workbook has no copy at all."""
    if file.suffix.lower() != ".xlsx":
        return (f"a copy is only made of .xlsx workbooks, not of {file.suffix or 'other files'}",)
    return carries_whole(file)
