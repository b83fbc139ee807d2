"""The buttons and functions in a real LibreOffice, installed by the command and clicked by a mouse."""

import math
import re
import shutil
from pathlib import Path

import pytest

from office import screen as screens
from office.clicking import ODS, SMALL, XLSX, pressed
from panelcal import Panel, calibrate, uncertainty
from panelcal.reporting.names import MARK
from panelcal.reporting.out_of_date import summary_beside

pytestmark = pytest.mark.office

CREDITS = [["Credits", 20, 40, 10], ["Student", "Maths", "Physics", "Law"], ["Eve", 60, 65, 80], ["Flo", 55, 61, 70]]


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


def test_removed_results_come_back_whole_by_undo_and_go_again_by_redo(small):
    pressed(small, "Calibrate")
    decision = small.used("Cal values")["values"][3].index("Board decision")
    small.set("Cal values", f"{chr(ord('A') + decision)}5", "agreed")
    small.set("Sheet1", "G2", "=$'Cal values'.C5+1")
    everything = whole(small)
    before = small.steps()[0]
    small.active("Sheet1")
    small.click("Remove results")
    small.leave("Yes")
    small.wait_until_gone("Cal audit")
    assert small.sheets() == ["Sheet1"]
    assert not [name for name in small.names() if name.startswith(MARK)]
    assert small.used("Sheet1")["errors"] == 1  # it refers to what is gone
    assert small.steps() == [["Remove results", *before], []]
    small.undo()
    assert whole(small) == everything
    small.redo()
    assert small.sheets() == ["Sheet1"]
    small.undo()
    assert whole(small) == everything
    while "Cal audit" in small.sheets():
        small.undo()
    assert small.sheets() == ["Sheet1"]
    small.redo()
    assert "Cal audit" in small.sheets()


def test_steps_on_result_sheets_may_be_undone_and_done_again_with_the_sheets(small):
    pressed(small, "Calibrate")
    everything = whole(small)
    place = small.select_chart("Cal summary", 0)
    small.keys("Left", "Escape")
    moved = small.select_chart("Cal summary", 0)
    assert moved != place
    small.keys("Escape")
    small.undo()
    assert small.select_chart("Cal summary", 0) == place
    small.undo()
    assert small.sheets() == ["Sheet1"]
    assert small.steps()[1] == ["Calibrate"]  # moving the chart is forgotten: LibreOffice 7.4 would end at it
    small.redo()
    assert small.steps()[1] == []
    assert whole(small) == everything


def whole(screen):
    """All that can be compared of a document; rules for formats of two blocks may come back as one."""
    looks = {name: {key: one[key] for key in one if key != "conditions"} for name, one in screen.looks().items()}
    return {name: screen.used(name) for name in screen.sheets()}, screen.charts(), looks, screen.names()


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


def test_the_helper_may_die_or_be_stopped_and_the_document_stays_as_it_was(small):
    pressed(small, "Check data")
    (helper,) = small.helpers()
    small.kill(helper)
    assert "This can be calibrated" in pressed(small, "Check data")
    (other,) = small.helpers()
    assert other != helper
    small.halt(other)  # it neither answers nor ends: the office must go on, and Cancel must work
    small.click("Calibrate")
    assert small.dialog("Cancel")["buttons"] == ["Cancel"]
    small.leave("Cancel")
    assert small.sheets() == ["Sheet1"]
    assert small.helpers() == []
    pressed(small, "Calibrate")
    assert "Cal summary" in small.sheets()
    (third,) = small.helpers()
    small.halt(third)
    small.click("Calibrate")
    small.dialog("Cancel")
    small.kill(third)
    small.wait_for_words("nothing was changed: click again")
    small.leave("OK")
    assert not [name for name in small.sheets() if name.endswith(" 2")]


@pytest.fixture
def other_home(home):
    """Another user, as LibreOffice starts once for each."""
    with screens.folder_of_a_user() as folder:
        other, left = screens.new_home(folder), shutil.ignore_patterns(".cache", "*.lock")
        shutil.copytree(home, other, dirs_exist_ok=True, symlinks=True, ignore=left)
        yield other


def busy(screen, file):
    """Save and open a document, and calibrate it with a helper that does not get on; return its number."""
    screen.open()
    screen.fill("Sheet1", "A1:D5", SMALL)
    screen.store(file, ODS)
    screen.close()
    screen.open(file)
    pressed(screen, "Check data")
    (helper,) = screen.helpers()
    screen.halt(helper)
    screen.click("Calibrate")
    assert screen.dialog("Cancel")["buttons"] == ["Cancel"]
    return helper


def test_the_window_stays_until_calibrating_is_done_or_cancelled_and_the_file_as_it_was(other_home):
    file = other_home / "mine.ods"
    with screens.on_screen(other_home) as screen:
        helper = busy(screen, file)
        before = file.read_bytes()
        screen.keys("ctrl+q", "alt+F4", "ctrl+w")
        assert screen.close_window() is False
        assert screen.dialog("Cancel")["buttons"] == ["Cancel"]
        assert screen.sheets() == ["Sheet1"]
        screen.go_on(helper)
        screen.wait_for_sheet("Cal audit")
        assert "4 students" in "\n".join(screen.dialog()["words"])
        screen.leave("OK")
        assert screen.used("Cal summary")["errors"] == 0
        screen.halt(helper)
        screen.click("Calibrate")
        screen.leave("Cancel")
        assert not [name for name in screen.sheets() if name.endswith(" 2")]
        pressed(screen, "Check data")
        (helper,) = screen.helpers()
        assert screen.leave_office(helper) == 0
        assert file.read_bytes() == before


def test_the_office_may_be_ended_while_it_calibrates_and_the_helper_ends_with_it(other_home):
    file = other_home / "mine.ods"
    with screens.on_screen(other_home) as screen:
        helper = busy(screen, file)
        before = file.read_bytes()
        screen.go_on(helper)
    # `end` of the driver, which kills the office, waits until every helper is gone.
    assert file.read_bytes() == before


def test_functions_give_the_numbers_of_python_and_refusals_in_words_and_survive_both_formats(small, home):
    panel = Panel.from_matrix(
        [[60, 65, None], [55, None, 70], [70, 72, 75], [None, 50, 58]], objects=["Ann", "Bo", "Cy", "Di"]
    )
    calibration = calibrate(panel)
    rows = small.array("Sheet1", "F1:L5", "=CALIBRATE(A1:D5)")
    assert rows[0] == ["Student", "Calibrated value", "Standard error", "Lower", "Upper", "Raw average", "Change"]
    assert [row[0] for row in rows[1:]] == ["Ann", "Bo", "Cy", "Di"]
    assert [row[1] for row in rows[1:]] == pytest.approx(list(calibration.values))
    biases = small.array("Sheet1", "F8:H11", "=CALIBRATE_BIAS(A1:D5)")
    assert [row[1] for row in biases[1:]] == pytest.approx(list(calibration.biases))
    small.set("Sheet1", "B2", 40)
    panel = Panel.from_matrix([[40, 65, None], [55, None, 70], [70, 72, 75], [None, 50, 58]])
    values = list(calibrate(panel).values)
    assert [row[1] for row in small.values("Sheet1", "F2:L5")[0:]] == pytest.approx(values)

    small.set("Sheet1", "F14", "=CALIBRATE_WHY(A1:D5)")
    small.fill("Sheet1", "N1:O3", [[50, 60], [55, "x"], [70, 72]])
    small.set("Sheet1", "F15", "=CALIBRATE(N1:O3;;FALSE())")
    small.set("Sheet1", "F16", '=CALIBRATE_CONFIDENCE("high")')
    small.set("Sheet1", "F17", '=CALIBRATE(A1:D5;1;TRUE();"sideways")')
    small.set("Sheet1", "F18", "=INDEX(CALIBRATE_FIT(B2:D5;;FALSE());5;2)")
    small.set("Sheet1", "F19", "=CALIBRATE(A40:D45)")
    said = [row[0] for row in small.values("Sheet1", "F14:F19")]
    assert said[0] == "All is well: 4 x 3, 9 scores were read."
    assert all(isinstance(said[k], str) and " " in said[k] for k in (1, 3, 5)), said
    assert "B2" in said[1] and 'the text "x"' in said[1]
    assert isinstance(said[2], float)
    assert said[4] == 9.0

    for kind, name in ((ODS, "functions.ods"), (XLSX, "functions.xlsx")):
        small.store(home / name, kind)
    for name in ("functions.ods", "functions.xlsx"):
        small.close()
        small.open(home / name)
        assert "CALIBRATE" in small.formula("Sheet1", "F1")
        small.set("Sheet1", "B2", 60)
        found = [row[1] for row in small.values("Sheet1", "F2:L5")]
        assert found == pytest.approx(list(calibration.values)), name


def test_every_formula_of_the_page_gives_what_the_page_says_and_what_survives_both_formats(small, home):
    page = (Path(__file__).parents[2] / "docs" / "install-libreoffice.md").read_text("utf-8")
    formulas = [one for one in re.findall(r"`(=[A-Z][^`]*)`", page) if "..." not in one]
    everything = small.array("Sheet1", "F1:L5", "=CALIBRATE(A1:D20)")
    biases = small.array("Sheet1", "F7:L10", "=CALIBRATE_BIAS(A1:D20)")
    fit = small.array("Sheet1", "F12:G20", "=CALIBRATE_FIT(A1:D20)")
    expected = {
        "=CALIBRATE(A1:D20)": everything,
        "=CALIBRATE(A4:D20;A3:D3)": None,
        '=CALIBRATE(A1:D20;;;;"value")': [[row[1]] for row in everything],
        '=CALIBRATE(A1:D20;;;;"standard error")': [[row[2]] for row in everything],
        '=CALIBRATE_BIAS(A1:D20;;;;"bias")': [[row[1]] for row in biases],
        '=CALIBRATE_FIT(A1:D20;;;;"mu_2")': [[fit[7][1]]],
        "=INDEX(CALIBRATE(A1:D20);2;2)": [[everything[1][1]]],
        "=INDEX(CALIBRATE(A1:D20);0;2)": [[row[1]] for row in everything],
        "=INDEX(CALIBRATE_FIT(A1:D20);8;2)": [[fit[7][1]]],
    }
    assert set(formulas) == set(expected)
    assert [row[0] for row in everything[1:]] == ["Ann", "Bo", "Cy", "Di"]
    assert fit[7][0] == "mu_2"
    placed = {}
    for number, (formula, rows) in enumerate(expected.items()):
        if rows is not None:
            start = chr(ord("N") + number)
            block = f"{start}1:{chr(ord(start) + len(rows[0]) - 1)}{len(rows)}" if number else "AA1:AG5"
            assert small.array("Sheet1", block, formula) == rows, formula
            placed[block] = (formula, rows)
    small.fill("Sheet1", "A31:D34", CREDITS)
    values = small.array("Sheet1", "AJ1:AJ3", '=CALIBRATE(A32:D40;A31:D31;;;"value")')
    panel = Panel.from_matrix([[60, 65, 80], [55, 61, 70]], confidences=[[20, 40, 10]] * 2)
    assert [row[0] for row in values[1:]] == pytest.approx(list(calibrate(panel).values))
    placed["AJ1:AJ3"] = ("", values)

    small.set("Sheet1", "F25", '=CALIBRATE(A1:D20;;;;"median")')
    small.set("Sheet1", "F26", '=CALIBRATE_WHY(A1:D20;;;;"median")')
    refused, why = (row[0] for row in small.values("Sheet1", "F25:F26"))
    assert "CALIBRATE is name, value, standard error, lower, upper, raw average or change" in refused
    assert "CALIBRATE_BIAS is name, bias" in why
    for kind, name in ((ODS, "what.ods"), (XLSX, "what.xlsx")):
        small.store(home / name, kind)
    for name in ("what.ods", "what.xlsx"):
        small.close()
        small.open(home / name)
        small.set("Sheet1", "B2", 66)
        small.set("Sheet1", "B2", 60)  # so that nothing that was kept in the file is looked at
        for block, (formula, rows) in placed.items():
            assert small.values("Sheet1", block) == rows, (name, formula)
        assert small.formula("Sheet1", "P1").count(";") >= 4
