"""Bytes in, workbook out, without a disk and without what a browser lacks."""

import subprocess
import sys
from pathlib import Path

import openpyxl
import pytest

import panelcal
from panelcal.errors import FileProblem, InputRefused
from panelcal.systems.choices import Choices
from run_panelcal import run

TEMPLATES = Path(__file__).parents[2] / "workbook_templates"
BOARD = TEMPLATES / "exam_board_example.xlsx"
MOMENT = "2026-01-02T03:04:05"


def cells(path):
    book = openpyxl.load_workbook(path)
    return {
        (sheet.title, cell.coordinate): cell.value
        for sheet in book
        for row in sheet.iter_rows()
        for cell in row
        if cell.value is not None
    }


@pytest.mark.slow
def test_the_same_bytes_as_the_command_line_writes(tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767323045")
    written = tmp_path / "board-calibrated.xlsx"
    run("calibrate", str(BOARD), "-o", str(written))
    done = panelcal.run_bytes([("board.xlsx", BOARD.read_bytes())])
    again = tmp_path / "again.xlsx"
    again.write_bytes(done.workbook)
    by_command, by_bytes = cells(written), cells(again)
    assert done.name == "board-calibrated.xlsx"
    different = {key for key in by_command.keys() | by_bytes.keys() if by_command.get(key) != by_bytes.get(key)}
    assert all("exam_board_example" in str(by_command.get(key)) for key in different)  # only the name of the file


def test_a_table_of_text_and_its_questions():
    rows = "Student,Maths,Physics,Art,Seminar\n" + "".join(
        f"S{k},{50 + 7 * k % 23},{48 + 5 * k % 29},{55 + 11 * k % 19},{3 + k % 4}\n" for k in range(12)
    )
    with pytest.raises(InputRefused) as refused:
        panelcal.run_bytes([("marks.csv", rows.encode())], created=MOMENT)
    leave_out = next(answer for answer in refused.value.answers if "exclude" in answer.gives)
    done = panelcal.run_bytes([("marks.csv", rows.encode())], Choices().answered(leave_out), created=MOMENT)
    assert "Seminar" not in done.run.reading.understood.assessors
    assert done.workbook.startswith(b"PK")
    assert "holds results only" in " ".join(done.notes)


def test_one_file_for_each_judge():
    files = [
        (f"{judge}.csv", f"Talk,Score\nA,{a}\nB,{b}\nC,{c}\n".encode())
        for judge, a, b, c in (("Ann", 5, 6, 8), ("Ben", 4, 6, 7), ("Cleo", 6, 7, 9))
    ]
    done = panelcal.run_bytes(files, created=MOMENT)
    assert list(done.run.reading.understood.assessors) == ["Ann", "Ben", "Cleo"]
    assert done.name == "panel-calibrated.xlsx"


def test_no_file_and_a_reference_without_its_gauge_are_refused_in_words():
    with pytest.raises(FileProblem, match="Choose a file"):
        panelcal.run_bytes([])
    with pytest.raises(InputRefused, match="zero of the biases"):
        panelcal.run_bytes([("board.xlsx", BOARD.read_bytes())], Choices(reference=60.0))


@pytest.mark.slow
def test_it_runs_without_excel_command_line_and_calamine():
    """As in a browser, where none of the three can be had."""
    program = (
        "import sys\n"
        "for name in ('xlwings', 'typer', 'python_calamine', 'psutil'): sys.modules[name] = None\n"
        "import importlib.metadata as known\n"
        "version = known.version\n"
        "def without(name):\n"
        "    if name == 'xlwings': raise known.PackageNotFoundError(name)\n"
        "    return version(name)\n"
        "known.version = without\n"
        "import panelcal\n"
        f"done = panelcal.run_bytes([('b.xlsx', open({str(BOARD)!r}, 'rb').read())])\n"
        "audit = next(s for s in done.run.report.sheets if s.name == 'Cal audit')\n"
        "words = str([[c.cells for c in t.columns] for t in audit.tables])\n"
        "assert 'numpy' in words and 'xlwings' not in words\n"
        "try: panelcal.run_bytes([('b.xls', b'\\xd0\\xcf\\x11\\xe0\\xa1\\xb1\\x1a\\xe1' + bytes(600))])\n"
        "except panelcal.FileProblem as problem: print(problem)\n"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "save it as an Excel workbook (.xlsx)" in said.stdout
