"""One run from a file to a workbook: the bytes of a file in; its reading, its Report and the workbook's bytes out.

What calibrates is `panelcal.run.run`, as for every door; here its Report is written as the command line writes it.
"""

from __future__ import annotations

from collections.abc import Sequence

from panelcal.files.given_file import GivenFile, given_bytes, not_copied
from panelcal.files.in_memory import FileBytes
from panelcal.files.write import report_bytes
from panelcal.frozen import dataclass
from panelcal.run import Run, run
from panelcal.shown import Shown
from panelcal.systems.choices import Choices
from panelcal.systems.system import Progress


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
    contents = [FileBytes(name, content) for name, content in files]
    progress("loading")
    given = given_bytes(contents, chosen, results_only=results_only)
    done = run(given, chosen, created=created, progress=progress)
    progress("writing")
    alone = isinstance(given, GivenFile)
    workbook, notes = report_bytes(
        done.report,
        workbook=given.workbook if isinstance(given, GivenFile) else None,
        labelled=contents[0] if alone else None,
        outdated=done.outdated,
    )
    name = f"{contents[0].stem if alone else 'panel'}-calibrated.xlsx"
    return BytesRun(done, workbook, name, (*notes, *not_copied(given, name)))
