"""The buttons beside Calibrate: remove results, explain, settings, templates, help."""

import pytest

from excel import engine
from panelcal.excel import buttons
from panelcal.reporting.names import MARK


def test_remove_results_removes_only_ours(small):
    buttons.calibrate()
    small.sheets.add("Cal my own notes", after=small.sheets[0])
    small.sheets["Cal values"].name = "Renamed"
    engine.answers.append("yes")
    buttons.remove_results()
    assert [sheet.name for sheet in small.sheets] == ["Marks", "Cal my own notes"]
    assert "Cal summary" in engine.alerts[0] and "cannot be undone" in engine.alerts[0]


def test_a_copy_that_the_user_made_of_a_result_is_not_removed(small):
    """Excel gives the copy a name of its own, behind the name of the sheet."""
    buttons.calibrate()
    small.sheets.add("Cal values (2)", after=small.sheets[0])
    small.impl.names.add(f"'Cal values (2)'!{MARK}2", "='Cal values (2)'!$A$1")
    engine.answers.append("yes")
    buttons.remove_results()
    assert [sheet.name for sheet in small.sheets] == ["Marks", "Cal values (2)"]


def test_results_that_excel_will_not_remove_are_one_sentence(small, monkeypatch):
    buttons.calibrate()

    def refuse(self):
        self.book.app.display_alerts = False
        raise RuntimeError("Delete method of Worksheet class failed")

    monkeypatch.setattr(engine.Sheet, "delete", refuse)
    engine.answers.append("yes")
    buttons.remove_results()
    assert engine.alerts[-1].startswith("Excel would not remove Cal summary") and small.app.display_alerts is True


def test_remove_results_asks_first(small):
    buttons.calibrate()
    small.app.status_bar = False
    before = engine.dump(small)
    engine.answers.append("no")
    buttons.remove_results()
    assert engine.dump(small) == before


def test_remove_results_without_results_says_so(small):
    buttons.remove_results()
    assert engine.alerts == ["There are no result sheets in this workbook that panelcal made."]


def test_after_removing_a_run_can_be_written_again(small):
    buttons.calibrate()
    engine.answers.append("yes")
    buttons.remove_results()
    assert engine.dump(small)["names"] == {}
    buttons.calibrate()
    assert "Cal summary" in [sheet.name for sheet in small.sheets]


def test_explain_from_the_input_and_from_the_results(small):
    buttons.calibrate()
    small.sheets["Marks"].activate()
    small.sheets["Marks"].range("C3").select()
    buttons.explain()
    small.sheets["Cal residuals"].activate()
    label = small.sheets["Cal residuals"].range("A6").value
    small.sheets["Cal residuals"].range("F6").select()
    buttons.explain()
    assert engine.alerts[0].startswith("Student 0002. Raw average 68.0.")
    assert engine.alerts[1].startswith(f"Student {label}. Raw average")


@pytest.mark.parametrize("across", [False, True], ids=["objects down", "objects across"])
def test_explain_does_not_take_a_mark_for_a_candidate_number(across, app):
    rows = [
        ["Candidate", "MA101", "MA102", "MA103"],
        [61, 62, 64, 61],
        [62, 63, 61, 64],
        [63, 64, 62, 64],
        [64, 61, 63, 62],
    ]
    sheet = app.books.add().sheets[0]
    sheet.range("B3").value = [list(row) for row in zip(*rows, strict=True)] if across else rows
    settings = sheet.book.sheets.add("Settings", after=sheet)
    settings.range("A4").value = [["Setting", "Value"], ["Layout", "objects across" if across else "objects down"]]
    sheet.activate()
    buttons.calibrate()
    assert engine.alerts == []
    sheet.activate()
    sheet.range("D4" if across else "C5").select()  # a mark that is another one's number
    assert sheet.range("D4" if across else "C5").value == 63
    buttons.explain()
    assert engine.alerts[0].startswith("Candidate 62. Raw average")


def test_explain_finds_numbers_shown_with_leading_zeros(app):
    sheet = app.books.add().sheets[0]
    sheet.range("A1").value = [["Student", "Ann", "Ben"], [12, 60, 55], [13, 62, 51], [14, 58, 50]]
    sheet.range("A2:A4").number_format = "0000"
    buttons.calibrate()
    sheet.activate()
    sheet.range("B3").select()
    buttons.explain()
    assert engine.alerts[0].startswith("Student 0013. Raw average")


def test_explain_far_from_any_object_says_what_to_select(small):
    buttons.calibrate()
    small.sheets["Marks"].activate()
    small.sheets["Marks"].range("Z90").select()
    buttons.explain()
    assert engine.alerts[0].startswith("Select a cell in the row of one student")


def test_explain_before_calibrating(small):
    buttons.explain()
    assert engine.alerts == ["There are no results to explain yet: click Calibrate first."]


def test_settings_adds_the_sheet_with_every_default(small):
    buttons.settings()
    assert small.sheets.active.name == "Settings"
    small.sheets["Marks"].activate()
    buttons.calibrate()
    assert engine.alerts == []
    audit = str(small.sheets["Cal audit"].range("A5:D80").value)
    assert "There is no sheet Settings" not in audit
    looks = [key for _, key, _ in small.sheets["Settings"].impl.looks]
    assert "data_validation.set_list" in looks


def test_settings_brings_an_existing_sheet_to_the_front(app, small_board):
    book = app.books.open(str(small_board))
    buttons.settings()
    assert book.sheets.active.name == "Settings" and len(book.sheets) == 3


@pytest.mark.parametrize("state", ["hidden", "veryHidden"])
def test_settings_that_were_hidden_are_shown(state, app, small_board):
    book = app.books.open(str(small_board))
    book.sheets["Settings"].impl.ws.sheet_state = state
    book.sheets["Marks"].activate()
    buttons.settings()
    assert engine.alerts == [] and book.sheets.active.name == "Settings"


def test_a_new_workbook_from_a_template_is_a_copy(app, small, monkeypatch, tmp_path):
    monkeypatch.setattr("pathlib.Path.home", lambda: tmp_path)
    buttons.new_from_template("exam_board")
    buttons.new_from_template("exam_board")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["exam_board 2.xlsx", "exam_board.xlsx"]
    assert app.books.active.name == "exam_board 2.xlsx"


def test_a_copy_has_another_name_than_any_open_workbook(app, open_example, monkeypatch, tmp_path):
    """Excel opens no two workbooks of one name, wherever they lie."""
    open_example("exam_board_example")
    monkeypatch.setattr("pathlib.Path.home", lambda: tmp_path)
    buttons.new_from_template("exam_board_example")
    assert [path.name for path in tmp_path.iterdir()] == ["exam_board_example 2.xlsx"]
    assert app.books.active.name == "exam_board_example 2.xlsx"


def test_an_unknown_template_is_named(small, monkeypatch, tmp_path):
    monkeypatch.setattr("pathlib.Path.home", lambda: tmp_path)
    buttons.new_from_template("birthday")
    assert engine.alerts[0].startswith('There is no template "birthday"')


def test_a_click_without_any_workbook_leaves_one_plain_line(app):
    """The add-in shows the last line that a stopped Python leaves behind."""
    with pytest.raises(SystemExit) as stop:
        buttons.calibrate()
    assert stop.value.code == "Open a workbook first, then click again."


def test_help_says_where_to_begin(small):
    buttons.help()
    assert "Cal summary" in engine.alerts[0]


def test_after_calibrate_the_summary_is_selected_and_the_status_bar_says_what_came_out(small):
    buttons.calibrate()
    assert small.sheets.active.name == "Cal summary"
    assert small.app.selection.get_address(False, False) == "A1"
    told = small.app.status_bar
    assert "plain averages" in told and len(told) <= 250
    small.sheets["Marks"].activate()
    buttons.check()
    assert small.app.status_bar is False


@pytest.mark.parametrize("column", ["A", "B", "C", "F"])
def test_a_value_is_explained_from_any_cell_of_its_row(small, column):
    buttons.calibrate()
    for name, cell in (("Marks", f"{column}3"), ("Cal values", f"{column}5")):
        engine.alerts.clear()
        small.sheets[name].activate()
        small.sheets[name].range(cell).select()
        buttons.explain()
        assert engine.alerts[0].startswith("Student ") and "Select a cell" not in engine.alerts[0]


def test_the_biases_of_a_result_that_is_open_beside_come_onto_a_sheet_prior(small, app):
    last_year = app.books.add()
    last_year.sheets[0].name = "Cal assessors"
    rows = [["Module", "Severity", "Bias", "Standard error"], ["MA101", "mild", 1.5, 0.5], ["MA102", "mild", -1.5, 0.4]]
    last_year.sheets[0].range("A4").value = rows
    small.activate()
    buttons.earlier_biases()
    assert engine.alerts[-1].startswith(f"The sheet Prior has 2 biases from {last_year.name}.")
    heads, *shown = small.sheets["Prior"].range("A4:C6").value
    assert heads == ["Assessor", "Bias", "Standard error"]
    assert shown == [["MA101", 1.5, 0.5], ["MA102", -1.5, 0.4]]
    small.sheets["Marks"].activate()
    buttons.earlier_biases()
    assert "has a sheet Prior already" in engine.alerts[-1]


@pytest.mark.slow
def test_earlier_biases_are_used_and_stay_when_results_are_removed(small, app):
    buttons.calibrate()
    this_year = app.books.add()
    this_year.sheets[0].range("A1").value = small.sheets["Marks"].range("A1:D5").value
    this_year.activate()
    buttons.earlier_biases()
    this_year.sheets[0].activate()
    buttons.calibrate()
    assert "Cal prior" in [sheet.name for sheet in this_year.sheets]
    engine.answers.append("yes")
    buttons.remove_results()
    assert [sheet.name for sheet in this_year.sheets][1:] == ["Prior"]


def test_without_a_result_beside_it_is_said_what_to_open(small, app):
    buttons.earlier_biases()
    assert engine.alerts[-1].startswith("Open the earlier result beside this workbook")
    assert [sheet.name for sheet in small.sheets] == ["Marks"]
