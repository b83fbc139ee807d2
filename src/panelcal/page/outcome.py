"""What a question of the page leads to: a report as data, and the same report as a workbook when it is saved."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from panelcal.each_criterion import choices_of_each, named_in_file
from panelcal.errors import FileProblem
from panelcal.files.given_file import GivenFile, given_bytes, not_copied
from panelcal.files.in_memory import FileBytes
from panelcal.files.load import load_source
from panelcal.files.out_of_date import earlier_sheets
from panelcal.files.ownership import own_sheets
from panelcal.files.write import report_bytes
from panelcal.frozen import dataclass
from panelcal.page.as_data import reading_data, require_size
from panelcal.page.sheet_data import outline
from panelcal.reporting.model import Note, Report, Sheet, Table
from panelcal.reporting.run_facts import run_moment, run_versions
from panelcal.run import run, understand
from panelcal.systems.calibration.as_filed import calibrated_as_filed
from panelcal.systems.calibration.extracts import assessor_feedback, object_extract
from panelcal.systems.choices import Choices

_WORKBOOKS = frozenset({".xlsx", ".xlsm"})
Files = Sequence[tuple[str, bytes]]


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """A result that can be shown and saved.

    Attributes
    ----------
    name
        Name of the workbook.
    report
        The result sheets.
    data
        What the page shows.
    copied
        The file that the workbook is a copy of, None for result sheets only.
    labelled
        The file whose sensitivity label the workbook takes on.
    outdated
        Notes on the sheets of earlier runs.
    """

    name: str
    report: Report
    data: Mapping[str, Any]
    copied: FileBytes | None = None
    labelled: FileBytes | None = None
    outdated: Mapping[str, Note] = dataclasses.field(default_factory=dict)

    def workbook(self, decisions: Sequence[Mapping[str, Any]]) -> bytes:
        """Write the workbook with what was filled in: sheet, table, column and row (from 0), and the text."""
        report = filled_in(self.report, decisions)
        return report_bytes(report, workbook=self.copied, labelled=self.labelled, outdated=self.outdated)[0]


def calibrated(
    files: Files, choices: Choices, criterion: str, created: str | None, telling: Callable[[str], None]
) -> Made:
    """Calibrate what the files hold, or one criterion of it by itself."""
    contents = [FileBytes(*file) for file in files]
    telling("loading")
    given = given_bytes(contents, choices)
    choices = choices_of_each(given.source, choices)[criterion] if criterion else choices
    require_size(understand(given.source, choices))
    done = run(given, choices, created=created, progress=telling)
    telling("showing")
    alone = isinstance(given, GivenFile)
    stem = contents[0].stem if alone else "panel"
    name = f"{named_in_file(stem, criterion) if criterion else stem}-calibrated.xlsx"
    data = {
        "name": name,
        "sentences": list(done.sentences),
        "notes": list(not_copied(given, name)),
        "reading": reading_data(done.reading, given.source.notes),
        "report": outline(done.report),
    }
    copied = contents[0] if given.carried else None
    return Made(name, done.report, data, copied, contents[0] if alone else None, done.outdated)


def planned(files: Files, choices: Choices, created: str | None) -> Made:
    """Plan who assesses what, from a list of each, or what to assess next, from the scores so far."""
    if len(files) != 1:
        raise FileProblem("A plan is made from one file, with a list of each or the scores so far: choose it alone.")
    file = FileBytes(*files[0])
    done = run(GivenFile(file, results_only=True), choices, created=created)
    name = f"{file.stem}-plan.xlsx"
    data = {
        "name": name,
        "sentences": [f"Read {done.reading.summary}.", *done.sentences],
        "notes": [decision.sentence for decision in done.reading.decisions],
        "report": outline(done.report),
    }
    return Made(name, done.report, data)


def extracted(files: Files, choices: Choices, criterion: str, whom: tuple[str, str], created: str | None) -> Made:
    """Make the extract of one object, or the feedback for one assessor: what it is for, and whom it is about."""
    if len(files) != 1:
        raise FileProblem("Extracts are made from one file: choose that file alone.")
    file, moment = FileBytes(*files[0]), created or run_moment()
    source, (kind, label) = load_source(file), whom
    choices = choices_of_each(source, choices)[criterion] if criterion else choices
    earlier = earlier_sheets(source, own_sheets(file)) if file.suffix.lower() in _WORKBOOKS else ()
    made = calibrated_as_filed(source, choices, created=moment, versions=run_versions(), earlier=earlier)
    build = object_extract if kind == "object" else assessor_feedback
    report = build(made.results, label, created=moment, run_id=made.run_id, calibrated=made.date)
    stem = named_in_file(file.stem, criterion) if criterion else file.stem
    return Made(f"{named_in_file(stem, label)}.xlsx", report, {}, labelled=file)


def filled_in(report: Report, decisions: Sequence[Mapping[str, Any]]) -> Report:
    """Put what the reader wrote on the page into the cells that are left blank for it."""
    wanted: dict[str, list[Mapping[str, Any]]] = {}
    for decision in decisions:
        wanted.setdefault(decision["sheet"], []).append(decision)
    sheets = tuple(_with(sheet, wanted[sheet.name]) if sheet.name in wanted else sheet for sheet in report.sheets)
    return dataclasses.replace(report, sheets=sheets)


def _with(sheet: Sheet, decisions: Sequence[Mapping[str, Any]]) -> Sheet:
    tables = list(sheet.tables)
    for decision in decisions:
        number = int(decision["table"])
        tables[number] = _with_text(tables[number], int(decision["column"]), int(decision["row"]), decision["text"])
    return dataclasses.replace(sheet, tables=tuple(tables))


def _with_text(table: Table, number: int, row: int, text: str) -> Table:
    column = table.columns[number]
    if column.style != "input":
        raise ValueError("only cells left blank for it are filled in")
    cells = list(column.cells)
    cells[row] = text
    formulas = [None if k == row else formula for k, formula in enumerate(column.formulas)]
    changed = dataclasses.replace(column, cells=cells, formulas=formulas)
    return dataclasses.replace(table, columns=(*table.columns[:number], changed, *table.columns[number + 1 :]))
