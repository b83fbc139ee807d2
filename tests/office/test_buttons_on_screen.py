"""The buttons in a real LibreOffice, installed by the command and clicked by a mouse."""

import math
import shutil

import pytest

from office import screen as screens
from office.clicking import ODS, SMALL, XLSX, pressed
from panelcal import Panel, calibrate, uncertainty
from panelcal.reporting.names import MARK
from panelcal.reporting.out_of_date import summary_beside

pytestmark = pytest.mark.office


def differences(ours, theirs):
    """Cells in which two sheets differ; formulas are calculated anew here, so numbers may differ by rounding."""
    assert len(ours) == len(theirs)
    for i, (left, right) in enumerate(zip(ours, theirs, strict=True)):
        assert len(left) == len(right)
        for j, (mine, yours) in enumerate(zip(left, right, strict=True)):
            if isinstance(mine, float) and isinstance(yours, float):
                if not math.isclose(mine, yours, rel_tol=1e-11, abs_tol=1e-9):
                    yield i, j, mine, yours
            elif mine != yours:
                yield i, j, mine, yours


def same_cells(screen, ours, theirs, besides=()):
    """Compare every cell of the sheets of two documents, but for the time of the run and what `besides` names."""
    assert list(ours) == list(theirs)
    for name, sheet in ours.items():
        other = theirs[name]
        assert {key: value for key, value in sheet.items() if key != "values"} == {
            key: value for key, value in other.items() if key != "values"
        }, name
        found = [one for one in differences(sheet["values"], other["values"]) if one[2] not in besides]
        assert not found, (name, found[:3])


def test_calibrate_puts_what_the_command_line_writes_into_the_document_as_it_is_on_the_screen(
    screen, home, small_board
):
    board = shutil.copy(small_board, home / "board.xlsx")
    screen.open(board)
    before = screen.sheets()
    assert screen.button_names() == [
        "Calibrate", "Check data", "New from template", "Explain this value", "Settings", "Earlier biases",
        "Remove results", "Help",
    ]  # fmt: skip
    screen.set("Marks", "B5", 64)  # not saved
    (home / "saved").mkdir()
    screen.store(home / "saved" / "board.xlsx", XLSX)
    words = pressed(screen, "Calibrate")
    assert "students" in words
    assert screen.active() == "Cal summary"
    assert screen.links() == []
    assert screen.steps() == [["Calibrate", "Input"], []]
    ours = {name: screen.used(name) for name in screen.sheets()}
    charts, looks, names = screen.charts(), screen.looks(), screen.names()
    assert len([name for name in names if name.startswith(MARK)]) == len(ours) - len(before)
    assert all(sheet["elsewhere"] == sheet["errors"] == 0 for sheet in ours.values())
    assert "Up to date" in ours["Cal summary"]["values"][2][0]

    screen.undo()
    assert screen.sheets() == before
    assert screen.steps() == [["Input"], ["Calibrate"]]
    assert not [name for name in screen.names() if name.startswith(MARK)]
    screen.redo()
    assert screen.steps() == [["Calibrate", "Input"], []]
    again = {name: screen.used(name) for name in screen.sheets()}
    same_cells(screen, ours, again)
    assert screen.charts() == charts
    assert screen.looks() == looks
    assert screen.links() == []

    for kind, name in ((ODS, "kept.ods"), (XLSX, "kept.xlsx")):
        screen.store(home / name, kind)
    screen.close()
    for name in ("kept.ods", "kept.xlsx"):
        screen.open(home / name)
        same_cells(screen, ours, {sheet: screen.used(sheet) for sheet in screen.sheets()})
        assert screen.charts() == charts
        assert screen.links() == []
        screen.close()

    done = screens.panelcal(home, "calibrate", str(home / "saved" / "board.xlsx"))
    assert done.returncode == 0, done.stderr
    assert all(sentence in done.stdout for sentence in words.split("\n\n")[1].split("\n"))
    screen.open(home / "saved" / "board-calibrated.xlsx")
    theirs = {name: screen.used(name) for name in screen.sheets()}
    times = [row[2] for row in ours["Cal audit"]["values"] if str(row[2]).startswith("2") and ":" in str(row[2])]
    same_cells(screen, ours, theirs, besides=times)
    assert screen.charts() == charts
    file_looks = screen.looks()
    for name in set(ours) - set(before):
        kept = [key for key in looks[name] if key not in ("footer", "conditions", "heights")]
        assert [looks[name][key] for key in kept] == [file_looks[name][key] for key in kept], name
        assert looks[name]["heights"] == pytest.approx(file_looks[name]["heights"], abs=20)  # hundredths of a mm
        assert looks[name]["conditions"] > 0 or file_looks[name]["conditions"] == 0


def test_a_second_run_marks_the_first_as_out_of_date_and_keeps_what_the_board_decided(small):
    pressed(small, "Calibrate")
    first = [name for name in small.sheets() if name.startswith("Cal ")]
    decision = small.used("Cal values")["values"][3].index("Board decision")
    cell = f"{chr(ord('A') + decision)}5"
    small.set("Cal values", cell, "agreed")
    small.set("Sheet1", "B2", 66)
    pressed(small, "Calibrate")
    assert [name for name in small.sheets() if name.endswith(" 2")] == [f"{name} 2" for name in first]
    assert small.values("Cal values", cell) == [["agreed"]]
    charts = [(inside, [one[1:] for one in series]) for _, inside, series in small.charts()]
    assert charts[: len(charts) // 2] == charts[len(charts) // 2 :]
    assert not any(inside for inside, _ in charts)
    marked = [name for name in first if "out of date" in str(small.used(name)["values"][2][0]).casefold()]
    assert "Cal summary" in marked
    assert not summary_beside("Cal summary")
    small.undo()
    small.undo()
    assert small.values("Sheet1", "B2") == [[60.0]]
    assert "Up to date" in small.values("Cal summary", "A3")[0][0]


def test_where_a_block_is_selected_only_that_is_read(small):
    small.select("Sheet1", "A1:C5")
    assert "Law" not in pressed(small, "Check data")
    pressed(small, "Calibrate")
    assert {row[0] for row in small.used("Cal assessors")["values"][4:7]} - {""} == {"Maths", "Physics"}
    audit = small.used("Cal audit")["values"]
    assert any("Only the cells that were selected were read." in str(cell) for row in audit for cell in row)
    small.select("Sheet1", "B2:C5")
    assert "begin without names" in pressed(small, "Calibrate")
    small.select("Sheet1", "A1:B5", "D1:D5")
    assert "Several blocks are selected" in pressed(small, "Calibrate")
    small.select("Sheet1", "B2:B5")  # a place, no table
    assert "Law" in pressed(small, "Check data")
    assert not [name for name in small.sheets() if name.endswith(" 2")]


def test_check_explain_settings_help_and_remove_results_do_what_they_say(small):
    before = small.sheets()
    assert "This can be calibrated" in pressed(small, "Check data")
    assert small.sheets() == before
    assert "panelcal" in pressed(small, "Help")
    assert "no results to explain yet" in pressed(small, "Explain this value")
    assert "no result sheets" in pressed(small, "Remove results")
    small.click("Settings")
    small.wait_for_sheet("Settings")
    small.wait_until_in_front("Settings")
    assert small.steps() == [["Add the sheet Settings", "Insert"], []]
    pressed(small, "Calibrate")
    small.active("Sheet1", "B4")
    assert pressed(small, "Explain this value").startswith("Student Cy. ")
    small.active("Sheet1", "F20")
    assert "nothing near cell F20" in pressed(small, "Explain this value")
    small.set("Sheet1", "A30", "mine")
    small.click("Remove results")
    asked = small.dialog("Yes")["words"][0]
    assert "Remove 8 result sheets (Cal summary" in asked
    assert "Edit, Undo brings them back" in asked
    small.leave("Yes")
    small.wait_until_gone("Cal audit")
    assert small.sheets() == ["Sheet1", "Settings"]
    assert small.values("Sheet1", "A30") == [["mine"]]


def test_earlier_biases_come_from_a_result_that_is_open_beside(small):
    assert pressed(small, "Earlier biases").startswith("Open the earlier result beside this document")
    pressed(small, "Calibrate")
    small.open()
    small.fill("Sheet1", "A1:D5", [*SMALL[:4], ["Di", "", 40, 68]])
    pressed(small, "Calibrate")
    last_year = calibrate(Panel.from_matrix([[60, 65, None], [55, None, 70], [70, 72, 75], [None, 40, 68]]))
    errors = dict(zip(["Maths", "Physics", "Law"], uncertainty(last_year).bias_errors, strict=True))
    known = dict(zip(errors, last_year.biases, strict=True))
    title = small.title()
    small.open()
    small.fill("Sheet1", "A1:D5", SMALL)
    small.click("Earlier biases")
    assert len(small.dialog()["answers"]) == 2
    small.choose(title)
    small.leave("OK")
    small.wait_for_sheet("Prior")
    assert (
        f"The sheet Prior has 3 biases from {title}. Calibrate now adds the sheet Cal prior"
        in small.dialog()["words"][0]
    )
    small.leave("OK")
    assert small.active() == "Prior"
    assert small.steps()[0][0] == "Add the sheet Prior"
    heads, *biases = small.values("Prior", "A4:C7")
    assert heads == ["Assessor", "Bias", "Standard error"]
    assert {name for name, _, _ in biases} == set(known)
    assert [bias for _, bias, _ in biases] == pytest.approx([known[name] for name, _, _ in biases])
    assert [error for _, _, error in biases] == pytest.approx([errors[name] for name, _, _ in biases])
    small.undo()
    assert small.sheets() == ["Sheet1"]
    small.redo()
    assert small.values("Prior", "A5:C7") == biases
    assert "has a sheet Prior already" in pressed(small, "Earlier biases")
    small.active("Sheet1")
    pressed(small, "Calibrate")
    assert small.used("Cal prior")["errors"] == 0
    small.click("Remove results")
    small.leave("Yes")
    small.wait_until_gone("Cal audit")
    assert small.sheets() == ["Sheet1", "Prior"]
    small.close_others()


def test_a_template_is_copied_into_the_documents_and_opened(small, home):
    small.click("New from template")
    shown = small.dialog()
    assert shown["answers"][:2] == ["Exam board", "Exam board example"]
    small.choose("Exam board example")
    small.leave("OK")
    assert "Begin with the sheet Start here" in small.dialog()["words"][0]
    small.leave("OK")
    assert (home / "Documents" / "exam_board_example.xlsx").is_file()
    small.close()
    assert small.last_window().startswith("exam_board_example")
    assert small.sheets()[0] == "Start here"


def test_questions_are_asked_with_the_answers_of_the_page_and_refusals_are_said(small):
    small.set("Sheet1", "C3", "pending")
    small.click("Calibrate")
    shown = small.dialog()
    assert 'holds the text "pending"' in shown["words"][0]
    assert len(shown["answers"]) > 1
    small.leave("Cancel")
    assert small.sheets() == ["Sheet1"]
    small.click("Calibrate")
    small.choose(next(answer for answer in shown["answers"] if "not assessed" in answer))
    small.leave("OK")
    small.wait_for_sheet("Cal audit")
    assert "kept on the sheet Settings" in "\n".join(small.dialog()["words"])
    small.leave("OK")
    assert "Settings" in small.sheets()
    assert small.used("Cal values")["values"][4][0] in {"Ann", "Bo", "Cy", "Di"}
    small.undo()
    assert small.sheets() == ["Sheet1"]
    small.rename("Sheet1", "Scores of the spring term, second round")
    assert "longer than 31 letters" in pressed(small, "Calibrate")
    small.rename("Scores of the spring term, second round", "Sheet1")
    small.fill("Sheet1", "A1:D5", [["", "", "", ""]] * 5)
    assert "Sheet1" in pressed(small, "Calibrate")
    assert small.sheets() == ["Sheet1"]
