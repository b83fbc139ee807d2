"""Whatever words a user sets, plurals, articles and headings fit on every sheet."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from panelcal.files.load import load_source
from panelcal.reading.nouns import Nouns
from panelcal.reporting.model import Report
from panelcal.reporting.run_facts import RunFacts
from panelcal.run import run
from panelcal.systems.calibration.report import build_report
from panelcal.systems.calibration.results import compute_results
from panelcal.systems.choices import Choices
from panels import connected_simulated_panel
from readings import reading_of

TEMPLATES = Path(__file__).parents[2] / "workbook_templates"
_FILLED = sorted(path.stem for path in TEMPLATES.glob("*_example.xlsx"))
_ODD = [
    ("Thesis", "Examiner", "Mark"),
    ("Essay", "MP", "Hour"),
    ("X-ray", "Honorary judge", "Grade"),
    ("Entry", "Unit", "Rating"),
    ("Person", "Jury", "Index"),
    ("Class", "Ewe", "Score"),
    ("AI answer", "Heiress", "Quiz"),
]
_WRONG = (
    "thesiss", "thesises", "essaies", "entrys", "persons", "jurys", "classs", "quizs", "indexs", "unites", "ewies",
    "its modules", "larger examiners", "value)s", "an unit", "an ewe", "a mp ", "a x-ray", "a honorary", "a heiress",
    "a hour",
)  # fmt: skip


def _words(report: Report) -> list[str]:
    said: list[str] = []
    for sheet in report.sheets:
        said += [sheet.title, sheet.explanation, *(note.text for note in sheet.notes)]
        said += [chart.title for chart in sheet.charts] + [chart.alt_text for chart in sheet.charts]
        for table in sheet.tables:
            for column in table.columns:
                said += [column.heading, column.explanation or ""]
                said += [cell for cell in column.cells if isinstance(cell, str)]
    return said


def _faults(texts: list[str]) -> list[str]:
    found = []
    for text in texts:
        low = f" {text.lower()} "
        found += [f"{wrong}: {text}" for wrong in _WRONG if re.search(rf"\b{re.escape(wrong)}", low)]
        found += re.findall(r".{0,20}\ba (?!eu|ewe|one\b|once\b)[aeio][a-z-]+.{0,20}", low)
        found += re.findall(r".{0,20}\ban (?!mp\b|x-ray|honorary|heiress|hour)[^aeiou\W\d].{0,20}", low)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("nouns", "who"),
    [
        (Nouns("Student", "Module", "Mark"), "the Board"),
        (Nouns("Candidate", "Examiner", "Mark"), "the Board"),
        (Nouns("Wine", "Taster", "Score"), "the panel"),
        (Nouns("Competitor", "Juror", "Mark"), "the panel"),
    ],
)
def test_only_an_examination_has_a_board_that_decides(nouns, who):
    reading = replace(reading_of(connected_simulated_panel(8, 4, 3, seed=1)), nouns=nouns)
    report = build_report(compute_results(reading), RunFacts(created="2026-01-02T03:04:05"))
    assert report.footer == f"Confidential: for {who}"
    explained = [
        column.explanation
        for sheet in report.sheets
        for table in sheet.tables
        for column in table.columns
        if column.heading == "Board decision"
    ]
    assert len(explained) == 2 and all(f"Left blank: {who} decides" in said for said in explained)


@pytest.mark.parametrize("nouns", _ODD, ids=lambda nouns: nouns[0])
def test_every_sheet_speaks_well_with_odd_words(nouns):
    reading = replace(reading_of(connected_simulated_panel(14, 5, 3, seed=4)), nouns=Nouns(*nouns))
    report = build_report(compute_results(reading), RunFacts(created="2026-01-01T00:00:00"))
    assert _faults(_words(report)) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", _FILLED)
def test_every_sheet_of_every_template_speaks_well(name):
    report = run(
        load_source(TEMPLATES / f"{name}.xlsx"), Choices(), created="2026-01-01", versions={}, carried=True
    ).report
    texts = _words(report)
    assert _faults(texts) == []
    if not name.startswith(("exam_board", "live_board")):  # "the Board" is the word of exam boards
        assert not [text for text in texts if "For the Board's decision" in text]


@pytest.mark.parametrize(
    "fault",
    ["Every mark of a examiner", "a student with its modules", "Do marks of larger examiners scatter?", "a X-ray"],
)
def test_the_faults_would_be_found(fault):
    assert _faults([fault])
