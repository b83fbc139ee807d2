"""What the xlwings writer and reader hand to Excel: blocks only, text kept as text, conditions in every language."""

import dataclasses
from importlib import import_module
from pathlib import Path

import pytest
import xlwings

from excel import engine
from excel.conftest import TEMPLATES
from files.sample_report import sample_report
from panelcal.excel import buttons, native_mac, native_windows
from panelcal.excel.cell_block import typed
from panelcal.excel.dress_sheet import LINKS_PER_COLUMN
from panelcal.excel.highlights import condition
from panelcal.excel.read_sheet import cells_from, read_sheet
from panelcal.excel.write_sheets import write_report
from panelcal.files.load import load_source
from panelcal.reading.fingerprint import fingerprint
from panelcal.reading.grid import CellError
from panelcal.reading.read import read_panel
from panelcal.reporting.model import Highlight
from panelcal.shipped import TEMPLATE_NAMES


@pytest.mark.parametrize(
    "text",
    [
        "012",
        "1/2",
        "11-12",
        "MAR1",
        "Sept 2",
        "=A1",
        "+x",
        "-",
        "@x",
        "'x",
        "TRUE",
        "1E5",
        "65%",
        "#N/A",
        "3 Sept 2025",
    ],
)
def test_text_that_excel_would_misread_stays_text(text, app):
    cell = app.books.add().sheets[0].range("A1")
    cell.value = typed(text)
    assert cell.raw_value == text


def test_the_engine_misreads_what_excel_misreads(app):
    """Otherwise the tests above would prove nothing."""
    cell = app.books.add().sheets[0].range("A1")
    for text, kind in (("012", float), ("MAR1", object), ("TRUE", bool), ("65%", float)):
        cell.value = text
        assert isinstance(cell.raw_value, kind) and cell.raw_value != text


def test_sentences_are_handed_over_as_they_are():
    sentence = "Raw average 68.4. The modules taken were marked 1.9 below the panel on balance."
    assert typed(sentence) == sentence


@pytest.mark.parametrize(("value", "expected"), [(float("nan"), None), (float("inf"), "'infinite"), (2**40, 2.0**40)])
def test_numbers_that_a_cell_cannot_hold(value, expected):
    assert typed(value) == expected


@pytest.mark.parametrize(
    ("highlight", "expected"),
    [
        (Highlight("beyond", limit=5.5), "(C5*2>=11)+(C5*2<=-11)>0"),
        (Highlight("below", limit=0.1), '(C5*10<1)*(C5<>"")'),
        (Highlight("text", starts="NOT ZERO"), '(C5>="NOT ZERO")*(C5<"NOT ZERP")'),
    ],
)
def test_conditions_read_the_same_in_every_language(highlight, expected):
    spelled = condition(highlight, "C5")
    assert spelled == expected
    assert not set(spelled.replace(f'"{highlight.starts}"', "")) & set(",;.")


def test_a_whole_report_of_every_kind_is_written(app):
    book = app.books.add()
    report = sample_report()
    assert write_report(report, book) == ()
    assert [sheet.name for sheet in book.sheets][1:] == [sheet.name for sheet in report.sheets]


def test_all_sheets_are_there_before_the_first_cell_is_written(small, monkeypatch):
    """Excel asks for a file when a formula names a sheet that is not there."""
    seen = []
    real = engine.Range.raw_value.fset

    def watch(self, data):
        if self.sheet.name.startswith("Cal "):
            seen.append(len(self.sheet.book.sheets))
        real(self, data)

    monkeypatch.setattr(engine.Range, "raw_value", property(engine.Range.raw_value.fget, watch))
    buttons.calibrate()
    assert set(seen) == {9}


def calls_for(app, rows, columns):
    book = app.books.add()
    sheet = book.sheets[0]
    sheet.range("A1").value = [
        ["Student", *(f"Module {k}" for k in range(columns))],
        *([f"Student {i}", *(40.0 + (7 * i + 5 * k) % 41 for k in range(columns))] for i in range(rows)),
    ]
    engine.calls.clear()
    buttons.calibrate()
    assert engine.alerts == []
    return sum(engine.calls.values())


@pytest.mark.slow
def test_the_number_of_calls_does_not_grow_with_the_cells(app):
    """Four times the cells, and as many calls: of links, which cost one each, there is a fixed number at most."""
    small, large = calls_for(app, 60, 60), calls_for(app, 120, 120)
    assert large <= 1.05 * small + 20


@pytest.mark.slow
def test_writing_is_one_call_for_each_table_and_note(open_example):
    open_example("exam_board_example")
    engine.calls.clear()
    buttons.calibrate()
    assert engine.calls["Range.raw_value="] < 110  # 21 tables, 62 notes and tiles, and what surrounds them
    assert engine.calls["Range.raw_value"] < 12
    assert engine.calls["Range.formula"] < 6


@pytest.fixture(scope="module")
def calibrated_book():
    """The board calibrated by the button, for tests that only look at it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("panelcal.excel.calibrate_sheet._LOOKED_AWAY", float("inf"))
        book = engine.start().books.open(str(TEMPLATES / "exam_board_example.xlsx"))
        buttons.calibrate()
    return book


@pytest.mark.slow
def test_no_more_links_than_a_click_can_wait_for(calibrated_book):
    book = calibrated_book
    for sheet in book.sheets:
        links = [entry for path, entry in sheet.impl.api._log if path.endswith("Hyperlinks.Add()")]
        assert len(links) <= 2 * LINKS_PER_COLUMN
    entries = book.sheets["Cal values"].impl.api._log
    first = next(what[1] for path, what in entries if path.endswith("Hyperlinks.Add()"))
    assert first["Address"] == "" and first["SubAddress"].startswith("Marks!")


@pytest.mark.slow
def test_charts_draw_on_the_cells_of_the_report(calibrated_book):
    first = calibrated_book.sheets["Cal summary"].charts[0]
    drawn = dict(first.impl.drawn)
    assert first.chart_type == "bar_clustered" and "gains most" in first.title
    assert drawn["chart.SeriesCollection().NewSeries().Values"]._path == "range 'Cal summary'!$U$5:$U$20"
    told = [(options.get("reverse_order"), options.get("crosses")) for _, options in first.impl.told]
    assert (True, "maximum") in told
    assert calibrated_book.sheets["Cal summary"].charts[2].chart_type == "xy_scatter"
    second = calibrated_book.sheets["Cal summary"].charts[1]
    assert [path for path in dict(second.impl.drawn) if path.endswith("ErrorBar()")]
    assert drawn["chart object.ShapeRange.AlternativeText"]
    third = calibrated_book.sheets["Cal summary"].charts[2]
    axes = {part: options for part, options in third.impl.told if "axis" in part and "minimum_scale" in options}
    assert axes["value_axis"]["minimum_scale"] == 30.0


@pytest.mark.slow
def test_the_page_is_set_up_as_in_a_file(calibrated_book):
    values = dict(calibrated_book.sheets["Cal values"].impl.api._log)
    assert values["sheet.PageSetup.PrintTitleRows"] == "$4:$4"
    assert values["sheet.PageSetup.FitToPagesWide"] == 1 and values["sheet.PageSetup.PrintArea"].startswith("A1:")
    assert values["sheet.PageSetup.CenterFooter"] == "&9 &A, page &P of &N"
    summary = dict(calibrated_book.sheets["Cal summary"].impl.api._log)
    assert summary["sheet.PageSetup.FitToPagesTall"] is False and summary["sheet.PageSetup.Orientation"] == 1


@pytest.mark.slow
def test_a_line_that_a_condition_turns_brown_has_no_tick_to_keep(calibrated_book):
    summary, proof = calibrated_book.sheets["Cal summary"], calibrated_book.sheets["Cal proof"]
    assert "Up to date" in summary.range("A3").value and "\u2713" not in summary.range("A3").number_format
    assert "sums are zero" in proof.range("A3").value and "\u2713" not in proof.range("A3").number_format
    checks = [cell for cell in summary.range("A20:A40") if cell.value == "Links"]
    assert checks and all("\u2713" in cell.number_format for cell in checks)


QUICKLY_READ = ("exam_board", "grant_panel_example", "conference_prize", "ai_reviewers", "live_board")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in QUICKLY_READ else [pytest.mark.slow]) for name in TEMPLATE_NAMES]
)
def test_a_sheet_reads_as_it_does_from_a_file(name, open_example):
    book = open_example(name)
    source = load_source(TEMPLATES / f"{name}.xlsx")
    for sheet in book.sheets:
        if sheet.name == "Start here":
            continue
        ours, theirs = read_sheet(sheet), source.grid(sheet.name)
        assert theirs is not None
        size = (theirs.n_rows, theirs.n_columns)
        rows = [[theirs.value(i + 1, j + 1) for j in range(size[1])] for i in range(size[0])]
        mine = [[ours.value(i + 1, j + 1) for j in range(size[1])] for i in range(size[0])]
        assert [[_bare(value) for value in row] for row in mine] == [[_bare(value) for value in row] for row in rows]
        assert dict(ours.number_formats) == {
            place: code for place, code in theirs.number_formats.items() if theirs.value(*place) not in (None, "")
        }
        assert set(ours.merged) == set(theirs.merged)
        assert ours.hidden_rows == theirs.hidden_rows and ours.hidden_columns == theirs.hidden_columns


def _bare(value):
    """A formula without text or value leaves nothing in Excel's cell."""
    return None if value == "" or type(value).__name__ == "Uncalculated" else value


@pytest.mark.parametrize("name", ["board", pytest.param("grant_panel_example", marks=pytest.mark.slow)])
def test_both_doors_see_the_same_fingerprint(name, app, small_board):
    path = small_board if name == "board" else TEMPLATES / f"{name}.xlsx"
    book = app.books.open(str(path))
    filed = read_panel(load_source(path))
    buttons.calibrate()
    audit = {row[1]: row[2] for row in book.sheets["Cal audit"].range("A5:C30").value}
    assert audit["SHA-256 of the cells read"] == filed.fingerprint
    assert fingerprint([("a", "A1", 65)]) == fingerprint([("a", "A1", 65.0)])


def test_error_cells_currency_and_error_codes():
    from decimal import Decimal

    assert cells_from([["#N/A", -2146826243, Decimal("64.5"), 65.0, True]]) == [
        (CellError("#N/A"), CellError("#ERROR"), 64.5, 65, True)
    ]


def test_hidden_merged_and_formatted_cells_are_seen(app):
    sheet = app.books.add().sheets[0]
    sheet.range("A1").value = [["Talk", "Ann", "Ben", "Cat"], ["T1", 0.5, 0.6, 1.0], ["T2", 0.7, 0.6, 2.0]]
    ws = sheet.impl.ws
    for cell in ("B2", "C2", "B3", "C3"):
        ws[cell].number_format = "0%"
    ws["D3"].number_format = "0.00"
    ws.row_dimensions[3].hidden = True
    ws.column_dimensions["C"].hidden = True
    ws.merge_cells("A5:B6")
    ws["A5"] = "note"
    grid = read_sheet(sheet)
    assert grid.number_formats == {(2, 2): "0%", (2, 3): "0%", (3, 2): "0%", (3, 3): "0%", (3, 4): "0.00"}
    assert (grid.hidden_rows, grid.hidden_columns) == (frozenset({3}), frozenset({3}))
    assert grid.merged == ((5, 1, 6, 2),)


def test_a_protected_sheet_is_asked_line_by_line(app):
    sheet = app.books.add().sheets[0]
    sheet.range("A1").value = [["Talk", "Ann"], ["T1", 1.0], ["T2", 2.0]]
    sheet.impl.ws.protection.sheet = True
    sheet.impl.ws.row_dimensions[2].hidden = True
    assert read_sheet(sheet).hidden_rows == {2}


def test_many_hidden_rows_are_all_seen_on_a_mac(app, monkeypatch):
    """There xlwings reads the visible areas from an address, which Excel ends after 255 characters."""
    sheet = app.books.add().sheets[0]
    sheet.range("A1").value = [["Talk", "Ann"], *([f"T{k}", float(k)] for k in range(1, 80))]
    hidden = set(range(3, 80, 2))
    for row in hidden:
        sheet.impl.ws.row_dimensions[row].hidden = True
    whole = engine.Range.get_special_cells

    def cut_short(self, cell_type, value_type):
        found, length = [], 0
        for area in whole(self, cell_type, value_type):
            length += len(area.get_address(True, True, False)) + 1
            if length > 255:
                break
            found.append(area)
        return found

    monkeypatch.setattr(engine.Range, "get_special_cells", cut_short)
    monkeypatch.setattr("sys.platform", "darwin")
    assert read_sheet(sheet).hidden_rows == hidden


def test_a_sheet_with_everything_hidden(app):
    sheet = app.books.add().sheets[0]
    sheet.range("A1").value = [["Talk", "Ann"], ["T1", 1.0]]
    for row in (1, 2):
        sheet.impl.ws.row_dimensions[row].hidden = True
    grid = read_sheet(sheet)
    assert grid.hidden_rows == {1, 2} and grid.hidden_columns == frozenset()


def test_an_empty_sheet_and_formats_alone_are_blank(app):
    book = app.books.add()
    assert read_sheet(book.sheets[0]).rows == ()
    book.sheets[0].range("C9").number_format = "0%"
    assert read_sheet(book.sheets[0]).rows == ()


def test_the_mac_layer_has_the_same_functions():
    def public(module):
        return {name for name, member in vars(module).items() if callable(member) and not name.startswith("_")}

    assert public(native_mac) == public(native_windows)


def test_the_mac_layer_speaks_words_that_excel_knows():
    """Every word comes from the dictionary of Excel's AppleScript that xlwings carries."""
    import ast
    import re

    dictionary = Path(xlwings.__file__).with_name("mac_dict.py").read_text(encoding="utf-8")
    known = set(re.findall(r'^\s*\(?"(\w+)",', dictionary, re.MULTILINE)) | {"name", "shapes", "series", "parent"}
    tree = ast.parse(Path(native_mac.__file__).read_text(encoding="utf-8"))
    bare = {"book", "app", "api", "set", "make", "delete", "import_module", "k", "row", "column", "join"}
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)} - bare
    fields = {field.name for field in dataclasses.fields(import_module("panelcal.reporting.page").Page)}
    assert used - known - fields == set()


def test_the_buttons_run_on_the_mac_layer(small, monkeypatch):
    monkeypatch.setattr("sys.platform", "darwin")
    words = engine.Native("k")
    monkeypatch.setattr(native_mac, "_word", lambda: words)
    monkeypatch.setattr(native_mac, "hide_name", native_windows.hide_name)
    buttons.calibrate()
    assert small.sheets.active.name == "Cal summary"
