"""Each criterion by itself where results go into the open workbook: the same cells as from the command line's files."""

import re

import openpyxl
import pytest

from excel import engine
from panelcal.errors import InputRefused
from panelcal.excel import buttons
from panelcal.office import deeds
from run_panelcal import run
from test_cli_each_criterion import HEAD, REVIEWS

pytestmark = pytest.mark.slow

SUFFIXES = {"Originality": "", "Value_for_money": " 2"}


@pytest.fixture
def rubric(tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795255200")
    book = openpyxl.Workbook()
    for row in (HEAD, *REVIEWS):
        book.active.append(row)
    settings = book.create_sheet("Settings")
    for row in (("Setting", "Value"), ("Alert threshold", 1), (), ("Criterion", "Weight of criterion"), ("each",)):
        settings.append(row)
    book.save(tmp_path / "rubric.xlsx")
    return tmp_path / "rubric.xlsx"


def by_command(path):
    """Cells of the file of each criterion, by the names that its sheets have beside those of the other."""
    assert run("calibrate", str(path), "--force", SOURCE_DATE_EPOCH="1795255200").returncode == 0
    found = {}
    for name, suffix in SUFFIXES.items():
        book = openpyxl.load_workbook(path.with_name(f"rubric-{name}-calibrated.xlsx"))
        for sheet in book:
            if sheet.title.startswith("Cal "):
                found[sheet.title + suffix] = cells(sheet)
    return found


def cells(sheet):
    """Cells below the title, which names the criterion, whatever the sheets of the same run are called."""
    return {
        cell.coordinate: plain(cell.value)
        for row in sheet.iter_rows(min_row=2)
        for cell in row
        if cell.value is not None
    }


def plain(value):
    return re.sub(r"(Cal \w+) 2\b", r"\1", value) if isinstance(value, str) else value


def require_same(ours, theirs):
    """All cells are the same but on the audit, which tells what the sheet Settings of its own workbook says."""
    assert ours.keys() == theirs.keys()
    different = {
        (sheet, at): (ours[sheet].get(at), theirs[sheet].get(at))
        for sheet in theirs
        if not sheet.startswith("Cal audit")
        for at in ours[sheet].keys() | theirs[sheet].keys()
        if ours[sheet].get(at) != theirs[sheet].get(at)
    }
    assert not different


def marked(book):
    """Names of the sheets that are marked as out of date; others hold a formula that would say so."""
    held = {sheet.name: cells(sheet.impl.ws) for sheet in book.sheets}
    return {
        name for name, found in held.items() if any(str(text).startswith("OUT OF DATE: ") for text in found.values())
    }


def test_the_button_in_excel(rubric):
    theirs = by_command(rubric)
    book = engine.start().books.open(str(rubric))
    book.sheets[0].activate()
    buttons.check()
    assert "Originality, by itself:" in engine.alerts[-1] and "Value for money, by itself:" in engine.alerts[-1]
    buttons.calibrate()
    assert "Originality: Calibrate" in engine.alerts[-1] and "Value for money: " in engine.alerts[-1]
    ours = {sheet.name: cells(sheet.impl.ws) for sheet in book.sheets if sheet.name.startswith("Cal ")}
    require_same(ours, theirs)
    titles = {name: book.sheets[name].range("A1").value for name in ("Cal values", "Cal values 2")}
    assert titles["Cal values"].endswith(": Originality") and titles["Cal values 2"].endswith(": Value for money")
    # Nothing has changed, so that neither criterion puts the results of the other out of date; a change does for both.
    book.sheets[0].activate()
    buttons.calibrate()
    assert not marked(book)
    book.sheets[0].range("C2").value = 6
    book.sheets[0].activate()
    buttons.calibrate()

    assert {"Cal summary", "Cal summary 3"} <= marked(book) and "Cal summary 5" not in marked(book)


def test_the_button_in_libreoffice(rubric, tmp_path):
    theirs = by_command(rubric)
    target = tmp_path / "target.xlsx"
    asked = {"file": str(rubric), "title": rubric.name, "target": str(target)}
    said = deeds.calibrate(asked, lambda doing: None)
    assert [words.split(":")[0] for words in said["said"]] == ["Originality", "Value for money"]
    book = openpyxl.load_workbook(target)
    assert said["sheets"] == [name for name in book.sheetnames if name.startswith("Cal ")]
    require_same({name: cells(book[name]) for name in said["sheets"]}, theirs)


def test_the_answer_to_the_question_leads_on(rubric, tmp_path):
    """A workbook that says nothing asks; the answer, given as the office gives it, is all there is to say."""
    book = openpyxl.load_workbook(rubric)
    del book["Settings"]
    book.save(rubric)
    asked = {"file": str(rubric), "title": rubric.name, "target": str(tmp_path / "target.xlsx")}
    with pytest.raises(InputRefused) as refused:
        deeds.calibrate(asked, lambda doing: None)
    (each,) = [one.gives for one in refused.value.answers if "each by itself" in one.meaning]
    said = deeds.calibrate(asked | {"choices": {"answers": [each]}}, lambda doing: None)
    assert {"Cal summary", "Cal summary 2"} <= set(said["sheets"])
