"""Every door goes through `panelcal.run.run`: bytes or open sheets in, a `Run` out, the same numbers from each."""

import ast
import importlib
import json
import sys
from pathlib import Path

import openpyxl
import pytest

import panelcal
from excel import engine
from panelcal.excel import buttons
from panelcal.files.given_file import GivenFile
from panelcal.files.in_memory import FileBytes
from panelcal.office import deeds
from panelcal.page import bridge
from panelcal.run import GivenSheets, Run
from panelcal.systems.choices import Choices
from run_panelcal import run as typed

ONE = importlib.import_module("panelcal.run")
MARKS = [["Student", "Maths", "Physics", "Art"]] + [
    [f"S{k}", 50 + 5 * k % 12, 52 + k % 3, 49 + 11 * k % 13] for k in range(12)
]


@pytest.fixture
def workbook(tmp_path):
    book = openpyxl.Workbook()
    book.active.title = "Marks"
    for row in MARKS:
        book.active.append(row)
    book.save(tmp_path / "marks.xlsx")
    return tmp_path / "marks.xlsx"


def by_command(workbook):
    assert typed("calibrate", str(workbook), "--html", str(workbook.with_suffix(".html"))).returncode == 0


def by_standard_input(workbook):
    text = "\n".join(",".join(map(str, row)) for row in MARKS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("panelcal.files.standard_input.read_standard_input", lambda stream: file_of(text))
        assert typed("calibrate", "-", "-o", str(workbook.with_name("piped.xlsx"))).returncode == 0


def file_of(text):
    return FileBytes("marks.csv", text.encode())


def by_page(workbook):
    bridge.request(json.dumps({"do": "open", "names": [workbook.name]}), [workbook.read_bytes()])
    assert "report" in json.loads(bridge.request('{"do": "calibrate"}', [])[0])


def by_bytes(workbook):
    panelcal.run_bytes([(workbook.name, workbook.read_bytes())])


def by_excel(workbook):
    book = engine.start().books.open(str(workbook))
    book.sheets["Marks"].range("B2").value = 50.0  # as it stands already: what is in front counts, saved or not
    buttons.calibrate()
    assert "Cal values" in [sheet.name for sheet in book.sheets]


def by_libreoffice(workbook):
    target = workbook.with_name("result.xlsx")
    asked = {"file": str(workbook), "title": workbook.name, "target": str(target)}
    assert deeds.calibrate(asked, lambda doing: None)["sheets"]


DOORS = {
    by_command: GivenFile,
    by_standard_input: GivenFile,
    by_page: GivenFile,
    by_bytes: GivenFile,
    by_excel: GivenSheets,
    by_libreoffice: GivenSheets,
}


@pytest.mark.slow
def test_every_door_goes_through_one_function_and_has_the_same_numbers_from_it(workbook, monkeypatch):
    original, seen = ONE.run, []

    def watched(given, *arguments, **options):
        seen.append((type(given), original(given, *arguments, **options)))
        return seen[-1][1]

    for name in ("commands.calibrate_file", "excel.calibrate_sheet", "page.outcome"):
        importlib.import_module(f"panelcal.{name}")
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith("panelcal.") and vars(module).get("run") is original:
            monkeypatch.setattr(module, "run", watched)
    for door in DOORS:
        door(workbook)
    assert [kind for kind, _ in seen] == list(DOORS.values())
    assert all(isinstance(done, Run) for _, done in seen)
    columns = [{one.heading: one.cells for one in done.report.sheets[1].tables[0].columns} for _, done in seen]
    values = [list(one["Calibrated value"]) for one in columns]
    assert values[1:] == values[:1] * (len(values) - 1)


def test_nothing_else_computes_a_system():
    """No door could go another way: a system is chosen, and its numbers are asked for, in one module only."""
    rooms = Path(panelcal.__file__).parent
    users = {
        path.relative_to(rooms).as_posix()
        for path in rooms.rglob("*.py")
        if "system_for" in (text := path.read_text(encoding="utf-8"))
        and any(isinstance(node, ast.Name) and node.id == "system_for" for node in ast.walk(ast.parse(text)))
    }
    assert users == {"run.py"}


def test_bytes_in_and_a_run_out():
    text = "\n".join(",".join(map(str, row)) for row in MARKS)
    done = ONE.run(GivenFile(file_of(text)))
    assert done.reading.summary == "12 students in A2:A13 and 3 assessors in B1:D1"
    assert done.sentences and done.report.sheets[0].name == "Cal summary"
    with pytest.raises(panelcal.InputRefused, match="zero of the biases"):
        ONE.run(GivenFile(file_of(text)), Choices(reference=60.0))
