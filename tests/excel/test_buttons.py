"""The buttons through the real xlwings API: what they write equals the file writer's, and a failure changes nothing."""

import inspect
import re
from dataclasses import replace

import openpyxl
import pytest

from excel import engine
from excel.conftest import TEMPLATES
from panelcal import each_criterion
from panelcal.excel import buttons, calibrate_sheet, native_windows, write_sheets
from panelcal.excel.read_sheet import read_sheet
from panelcal.files.load import load_source
from panelcal.files.write import write_report
from panelcal.reporting.names import MARK, RESULT_SHEETS
from panelcal.reporting.run_facts import run_moment, run_versions
from panelcal.run import run
from panelcal.systems.choices import Choices
from panelcal.templates.judging_panels import JUDGING_PANELS

EXAMPLES = sorted(path.stem for path in TEMPLATES.glob("*_example.xlsx"))
SAMPLED = ("conference_prize_example",)
LONG = (
    *SAMPLED,
    "ai_reviewers_example",
    "exam_board_example",
    "live_board_example",
    *(f"{panel.name}_example" for panel in JUDGING_PANELS),
)
NATIVE = sorted(
    name for name, member in vars(native_windows).items() if inspect.isfunction(member) and not name.startswith("_")
)


def input_sheet(names):
    """The first sheet after the instructions, which the user would have in front."""
    return next(name for name in names if name != "Start here")


def written_by_files(path, target):
    """The workbook that the file door makes of an example with the same sheet in front."""
    source = load_source(path)
    source = replace(source, active=input_sheet(grid.sheet for grid in source.grids))
    report = run(source, Choices(), created=run_moment(), versions=run_versions(), carried=True).report
    write_report(report, target, workbook=path)
    return openpyxl.load_workbook(target)


def cells_of(sheet):
    return {place: cell.value for place, cell in sheet._cells.items() if cell.value is not None}


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=[pytest.mark.slow] if name in LONG else []) for name in EXAMPLES],
)
def both_doors(request, tmp_path_factory):
    """An example calibrated by the button and by the file door, and the names of the result sheets."""
    reports = []

    def remembered(*arguments, **options):
        reports.append(run(*arguments, **options))
        return reports[-1]

    path = TEMPLATES / f"{request.param}.xlsx"
    target = tmp_path_factory.mktemp("filed") / path.name
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1795255200")
        patch.setattr(each_criterion, "run", remembered)
        patch.setattr(calibrate_sheet, "perf_counter", lambda: 0.0)
        book = engine.start().books.open(str(path))
        book.sheets[input_sheet(sheet.name for sheet in book.sheets)].activate()
        buttons.calibrate()
        assert engine.alerts == []
        (done,) = reports
        if request.param in SAMPLED:  # too slow to be computed twice
            write_report(done.report, target, workbook=path)
            filed = openpyxl.load_workbook(target)
        else:
            filed = written_by_files(path, target)
    return book, filed, [sheet.name for sheet in done.report.sheets]


def test_every_cell_equals_that_of_the_file_writer(both_doors):
    book, filed, results = both_doors
    assert [sheet.name for sheet in book.sheets] == filed.sheetnames
    for title in results:
        ours, theirs = cells_of(book.sheets[title].impl.ws), cells_of(filed[title])
        assert ours.keys() == theirs.keys(), title
        assert {place: (ours[place], theirs[place]) for place in ours if ours[place] != theirs[place]} == {}, title
        # Numbers are numbers and texts texts in both; Excel has no whole numbers.
        assert all(isinstance(ours[place], str) == isinstance(theirs[place], str) for place in ours), title


def test_numbers_look_the_same_as_in_a_file(both_doors):
    book, filed, results = both_doors
    for title in results:
        ours, theirs = book.sheets[title].impl.ws, filed[title]
        numbers = [place for place, cell in theirs._cells.items() if isinstance(cell.value, int | float)]
        wrong = {
            place: (ours.cell(*place).number_format, theirs.cell(*place).number_format)
            for place in numbers
            if ours.cell(*place).number_format != theirs.cell(*place).number_format
        }
        assert wrong == {}, title
        for letters, dimension in theirs.column_dimensions.items():
            if dimension.width and letters in ours.column_dimensions:
                # A file's width counts the margins of the cell too.
                assert dimension.width - ours.column_dimensions[letters].width == pytest.approx(5 / 7)


def test_the_input_sheets_are_not_touched(app, small_board):
    book = app.books.open(str(small_board))
    before = engine.dump(book)
    buttons.calibrate()
    after = engine.dump(book)
    assert {place: cell for place, cell in after["cells"].items() if place[0] in before["sheets"]} == before["cells"]


def test_the_results_are_in_front_and_everything_else_is_put_back(small):
    state = dict(small.app.impl.state)
    buttons.calibrate()
    assert small.sheets.active.name == "Cal summary"
    told = [value for name, value in small.app.impl.history if name == "status_bar"]
    assert small.app.impl.state == {**state, "status_bar": told[-1]}
    assert told[0] == "Calibrate: reading ..." and "plain averages" in told[-1] and len(told) > 5


@pytest.mark.parametrize(("seconds", "told"), [(2.0, False), (9.0, True)])
def test_after_a_long_wait_the_outcome_is_told_in_a_message_as_well(seconds, told, small, monkeypatch):
    moments = iter([0.0, seconds])
    monkeypatch.setattr(calibrate_sheet, "perf_counter", lambda: next(moments))
    monkeypatch.setattr(calibrate_sheet, "_LOOKED_AWAY", 3.0)
    buttons.calibrate()
    assert bool(engine.alerts) == told
    assert all("plain averages" in sentence for sentence in engine.alerts)
    # It begins with what was understood, the assessors by name.
    assert all(re.match(r"\d+ \w+: ", sentence) for sentence in engine.alerts)


def test_result_sheets_carry_hidden_names(small):
    buttons.calibrate()
    names = small.impl.workbook.defined_names
    assert len(names) == len(RESULT_SHEETS)
    assert all(name.startswith(MARK) and entry.hidden for name, entry in names.items())


def test_leading_zeros_survive(small):
    buttons.calibrate()
    assert sorted(small.sheets["Cal values"].range("A5:A8").value) == ["0001", "0002", "0003", "0004"]


@pytest.mark.parametrize("value", ["#N/A", "ill", "1,234"])
def test_a_refusal_is_one_sentence_and_leaves_the_workbook_as_it_was(value, small):
    small.sheets["Marks"].range("C3").value = value
    small.sheets["Marks"].range("B2:D4").select()
    small.sheets["Marks"].range("A1").select()
    before = engine.dump(small)
    buttons.calibrate()
    assert engine.dump(small) == before
    (sentence,) = engine.alerts
    assert "C3" in sentence and "Traceback" not in sentence and "\n" not in sentence


@pytest.mark.parametrize("step", ["write_cells", "dress", "mark_sheets"])
def test_a_fault_on_the_way_leaves_the_workbook_as_it_was(step, small, monkeypatch, tmp_path):
    def fail(*_, **__):
        raise OSError("the 3rd call failed")

    seen = []
    real = getattr(write_sheets, step)
    monkeypatch.setattr(
        write_sheets, step, lambda *a, **k: fail() if len(seen) == 2 or step == "mark_sheets" else seen.append(real(*a))
    )
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    before = engine.dump(small)
    buttons.calibrate()
    assert engine.dump(small) == before
    (sentence,) = engine.alerts
    assert "your sheets are unchanged" in sentence and "Traceback" not in sentence and "3rd" not in sentence
    assert "the 3rd call failed" in (tmp_path / "panelcal-fault.txt").read_text()


def test_a_name_that_cannot_be_hidden_takes_everything_back(small, monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(native_windows, "hide_name", lambda _: 1 / 0)
    before = engine.dump(small)
    buttons.calibrate()
    assert engine.dump(small) == before


@pytest.mark.parametrize("name", [name for name in NATIVE if name not in ("hide_name", "page_of")])
def test_decoration_that_excel_refuses_costs_no_results(name, small, monkeypatch):
    def refuse(*_, **__):
        raise RuntimeError("not today")

    monkeypatch.setattr(native_windows, name, refuse)
    buttons.calibrate()
    assert [sheet.name for sheet in small.sheets] == ["Marks", *RESULT_SHEETS]
    assert all("the numbers are complete" in sentence for sentence in engine.alerts)


def test_a_protected_workbook_is_one_sentence(small, monkeypatch):
    def refuse(*_, **__):
        raise RuntimeError("Method 'Add' of object 'Sheets' failed")

    monkeypatch.setattr(engine.Sheets, "add", refuse)
    before = engine.dump(small)
    buttons.calibrate()
    assert engine.dump(small) == before
    assert "protection" in engine.alerts[0]


def test_several_kinds_of_problem_are_the_first_and_a_count(small):
    small.sheets["Marks"].range("B2").value = [["#N/A", "1,234"]]
    buttons.calibrate()
    assert engine.alerts[0].endswith("(Click Check data to see 1 more problem.)")
    buttons.check()
    assert "B2" in engine.alerts[1] and "C2" in engine.alerts[1]


def test_check_writes_nothing(app, small_board):
    book = app.books.open(str(small_board))
    before = engine.dump(book)
    buttons.check()
    assert engine.dump(book) == before
    assert "16 students" in engine.alerts[0] and "can be calibrated" in engine.alerts[0]


def test_a_panel_in_two_parts_is_refused_by_both(small):
    small.sheets["Marks"].range("A2").value = [["a", 60, 55, None], ["b", 62, 51, None], ["c", None, None, 60]]
    small.sheets["Marks"].range("A5").value = [["d", None, None, 50]]
    before = engine.dump(small)
    buttons.check()
    buttons.calibrate()
    assert engine.dump(small) == before
    assert len(engine.alerts) == 2


def test_a_selected_block_is_read_alone(small):
    small.sheets["Marks"].range("A1:C5").select()
    buttons.calibrate()
    audit = small.sheets["Cal audit"].range("A5:D60").value
    assert any("MA103" not in str(row) and "Only the cells that were selected" in str(row[3]) for row in audit)
    assert small.sheets["Cal assessors"].range("A5:A7").value == ["MA101", "MA102", None]


def test_a_selected_block_below_the_top_keeps_its_addresses(app):
    book = app.books.add()
    sheet = book.sheets[0]
    sheet.range("C5").value = [["Talk", "Ann", "Ben"], ["T1", 5, 6], ["T2", 7, 6], ["T3", 4, 5]]
    sheet.range("A1").value = "something else altogether"
    sheet.range("C5:E8").select()
    buttons.check()
    assert "C6:C8" in engine.alerts[0] and "D5:E5" in engine.alerts[0]


def test_a_selected_block_that_is_no_panel_is_refused_rather_than_another_sheet_read(small):
    other = small.sheets.add("Notes", after=small.sheets[0])
    other.range("A1").value = [["this", "that"], ["and", "so on"]]
    other.range("A1:B3").select()
    other.range("D9").value = "more"
    buttons.calibrate()
    assert "Sheet Notes" in engine.alerts[0] and len(small.sheets) == 2


@pytest.mark.parametrize("block", ["B2:D5", "B3:D5", "A2:D5", "B4:D9"])
def test_scores_selected_without_their_names_are_refused_rather_than_taken_for_names(block, small):
    small.sheets["Marks"].range("A2").value = [[1], [2], [3], [4]]
    small.sheets["Marks"].range("D2").value = "ABS"
    small.sheets["Marks"].range(block).select()
    buttons.calibrate()
    assert engine.alerts[0].startswith("The selected cells begin without names") and len(small.sheets) == 1


def test_several_sheets_of_scores_are_told_apart_by_what_is_in_front(small):
    """A sentence for somebody in Excel has no options of a command line in it."""
    other = small.sheets.add("Resits", after=small.sheets[0])
    other.range("A1").value = small.sheets["Marks"].range("A1:D5").value
    small.sheets.add("Notes", after=other).activate()
    buttons.calibrate()
    (sentence,) = engine.alerts
    assert "Marks, Resits" in sentence and "to the front" in sentence and "--" not in sentence
    other.activate()
    buttons.calibrate()
    assert "Cal summary" in [sheet.name for sheet in small.sheets]


def test_several_selected_columns_are_refused_rather_than_everything_read(small, monkeypatch):
    monkeypatch.setattr(engine.Range, "address", property(lambda self: "$B$1:$B$5,$D$1:$D$5"))
    small.sheets["Marks"].range("B1:B5").select()
    buttons.calibrate()
    assert engine.alerts[0].startswith("Several blocks are selected") and len(small.sheets) == 1


def test_a_whole_sheet_selected_is_read_whole(small):
    """Excel cannot count its cells, and xlwings asks for their number."""
    small.sheets["Marks"].range((1, 1), (engine.LAST_ROW, engine.LAST_COLUMN)).select()
    buttons.calibrate()
    assert engine.alerts == [] and "Cal summary" in [sheet.name for sheet in small.sheets]


def test_a_chart_in_front_is_no_place_to_read_from(small):
    small.app.impl.chart_in_front = True
    buttons.calibrate()
    buttons.explain()
    assert "Cal summary" in [sheet.name for sheet in small.sheets]
    assert engine.alerts == ["Select a cell in the row you want to have explained, then click again."]


def test_a_sheet_that_no_menu_can_show_stays_where_it_is(small):
    """Excel refuses to move it, and takes it for no visible one."""
    hidden = small.sheets.add("Made by another add-in", after=small.sheets[0])
    hidden.impl.ws.sheet_state = "veryHidden"
    small.sheets["Marks"].activate()
    buttons.calibrate()
    assert [sheet.name for sheet in small.sheets] == ["Marks", *RESULT_SHEETS, "Made by another add-in"]
    assert not read_sheet(hidden).visible
    small.sheets["Marks"].delete()
    buttons.remove_results()
    assert engine.alerts == ["A workbook must keep a visible sheet: add an empty one, then click again."]


def test_several_selected_sheets_do_not_multiply_the_new_ones(small):
    small.sheets.add("Notes", after=small.sheets[0])
    small.sheets["Marks"].activate()
    small.impl.grouped = 2
    buttons.calibrate()
    assert [sheet.name for sheet in small.sheets] == ["Marks", "Notes", *RESULT_SHEETS]


def test_a_chart_sheet_with_the_name_of_a_result_is_named_and_nothing_stays(small):
    small.impl.workbook.create_chartsheet("Cal proof")
    before = engine.dump(small)
    buttons.calibrate()
    assert engine.dump(small) == before
    assert "Cal proof" in engine.alerts[0] and "rename it" in engine.alerts[0]


def test_references_are_taken_as_a1_while_writing_and_shown_as_before_afterwards(small):
    app = small.app.impl.native
    app.__dict__["ReferenceStyle"] = -4150
    buttons.calibrate()
    assert [value for path, value in app._log if path == "app.ReferenceStyle"] == [1, -4150]


def test_results_are_calculated_also_where_the_user_has_that_done_on_demand(small):
    small.app.calculation = "manual"
    buttons.calibrate()
    assert small.app.calculation == "manual"
    for title in RESULT_SHEETS:
        assert [path for path, _ in small.sheets[title].impl.api._log if path.endswith(".Calculate()")], title


def test_a_selected_column_is_taken_for_a_place(small):
    small.sheets["Marks"].range("B2:B5").select()
    buttons.calibrate()
    assert "Cal summary" in [sheet.name for sheet in small.sheets]


def test_a_second_run_stands_beside_the_first_which_stays_up_to_date(small):
    buttons.calibrate()
    first = small.sheets["Cal summary"].range("A3").formula
    small.sheets["Marks"].activate()
    buttons.calibrate()
    assert [sheet.name for sheet in small.sheets][-1] == "Cal audit 2"
    assert small.sheets["Cal summary"].range("A3").formula == first


def test_a_second_run_after_a_change_marks_the_first_as_out_of_date(small):
    buttons.calibrate()
    small.sheets["Marks"].range("B2").value = 61
    small.sheets["Marks"].activate()
    buttons.calibrate()
    assert small.sheets["Cal summary"].range("A3").value.startswith("OUT OF DATE")
    assert not str(small.sheets["Cal summary 2"].range("A3").formula).startswith("OUT OF DATE")
    assert engine.alerts == []


@pytest.mark.slow
def test_results_written_by_the_file_door_are_marked_too(app, tmp_path):
    target = tmp_path / "board-calibrated.xlsx"
    written_by_files(TEMPLATES / "grant_panel_example.xlsx", target)
    book = app.books.open(str(target))
    book.sheets["Reviews"].range("C9").value = 3
    book.sheets["Reviews"].activate()
    buttons.calibrate()
    assert engine.alerts == []
    assert book.sheets["Cal summary"].range("A3").value.startswith("OUT OF DATE")
