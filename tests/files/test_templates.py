"""The templates: up to date with the code that builds them, recognisable, checked, and handed out whole."""

from __future__ import annotations

import io
import re
import zipfile
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest
from openpyxl import load_workbook
from openpyxl.workbook import Workbook

from panelcal.errors import FileProblem
from panelcal.files.build_templates import BUILDERS, template_bytes
from panelcal.files.graft import carries_whole
from panelcal.files.saving import write_template
from panelcal.files.write import report_bytes
from panelcal.reading.setting_rows import SETTING_ROWS
from panelcal.reading.settings import DEFAULT_CODES
from panelcal.reporting.model import Report
from panelcal.shipped import TEMPLATE_NAMES, templates_folder
from panelcal.templates.judging import JudgingPanel
from panelcal.templates.judging_panels import JUDGING_PANELS
from panelcal.templates.live_results import LIVE_SHEET

NAMES = (
    "exam_board",
    "exam_board_example",
    "grant_panel",
    "grant_panel_example",
    "conference_prize",
    "conference_prize_example",
    "ai_reviewers",
    "ai_reviewers_example",
    "live_board",
    "live_board_example",
    *(f"{panel.name}{ending}" for panel in JUDGING_PANELS for ending in ("", "_example")),
)
JUDGING = {panel.name: panel for panel in JUDGING_PANELS}
# The judging panels are all built in one way, by the builder of the others.
EACH = [pytest.param(name, marks=[pytest.mark.slow] if name in NAMES[10:] else []) for name in NAMES]
EXAMPLES = [param for param in EACH if param.values[0].endswith("_example")]
FIRST_SCORE = {"Marks": "B5", "Reviews": "C5", "Ratings": "D5", "Scores": "C5"}
SCALES = {"Marks": (0, 100), "Reviews": (1, 10), "Ratings": (1, 5), "Scores": (0, 100)}
INPUT_SHEETS = {
    **{name: JUDGING[name.removesuffix("_example")].sheet for name in NAMES[10:]},
    "exam_board": "Marks",
    "exam_board_example": "Marks",
    "grant_panel": "Reviews",
    "grant_panel_example": "Reviews",
    "conference_prize": "Ratings",
    "conference_prize_example": "Ratings",
    "ai_reviewers": "Scores",
    "ai_reviewers_example": "Scores",
    "live_board": "Marks",
    "live_board_example": "Marks",
}


def committed(name: str) -> bytes:
    return (templates_folder() / f"{name}.xlsx").read_bytes()


@cache
def opened(name: str, *, data_only: bool = False) -> Workbook:
    return load_workbook(io.BytesIO(committed(name)), data_only=data_only)


@cache
def built(name: str) -> bytes:
    return template_bytes(name)


# A number that was computed, to full precision.
COMPUTED = re.compile(r"(-?[0-9]+\.[0-9]{9,}(?:[eE][-+]?[0-9]+)?)")


def parts_of(package: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(package)) as archive:
        return {part: archive.read(part) for part in archive.namelist()}


def canonical(part: bytes) -> list[str | float]:
    """Canonical XML with the computed numbers apart: the spelling of tags differs by machine, and so do last digits."""
    pieces = COMPUTED.split(ElementTree.canonicalize(part))
    return [float(piece) if COMPUTED.fullmatch(piece) else piece for piece in pieces]


def all_text(book: Workbook, sheet: str) -> str:
    return " ".join(str(cell) for row in book[sheet].iter_rows(values_only=True) for cell in row if cell is not None)


def judging(name: str) -> JudgingPanel | None:
    return JUDGING.get(name.removesuffix("_example"))


def first_score(name: str) -> str:
    panel = judging(name)
    return FIRST_SCORE[INPUT_SHEETS[name]] if panel is None else "B5" if panel.across else "C5"


def test_the_names_are_those_promised():
    assert TEMPLATE_NAMES == tuple(BUILDERS) == NAMES
    assert [panel.name for panel in JUDGING_PANELS] == [
        "job_panel",
        "promotion_panel",
        "star_panel",
        "music_competition",
        "wine_competition",
        "rubric",
    ]


@pytest.mark.parametrize("name", EACH)
def test_the_committed_template_is_what_the_code_builds(name: str):
    there, here = parts_of(committed(name)), parts_of(built(name))
    rebuild = "rebuild with: python -m panelcal.files.build_templates workbook_templates"
    assert list(there) == list(here), rebuild
    for part in there:
        if there[part] == here[part]:
            continue
        old, new = canonical(there[part]), canonical(here[part])
        # Last digits of what was computed depend on the processor's kernels.
        assert old[::2] == new[::2], f"{part}: {rebuild}"
        assert old[1::2] == pytest.approx(new[1::2], rel=1e-9, abs=1e-12), f"{part}: {rebuild}"


def test_a_template_is_a_report_that_the_writer_of_results_writes():
    report = BUILDERS["grant_panel"]()
    assert isinstance(report, Report)
    assert parts_of(report_bytes(report)[0]) == parts_of(built("grant_panel"))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name == "grant_panel" else [pytest.mark.slow]) for name in NAMES]
)
def test_building_twice_gives_the_same_bytes(name: str):
    assert template_bytes(name) == built(name)


@pytest.mark.parametrize("name", EACH)
def test_no_machine_and_no_time_of_building_shows(name: str):
    with zipfile.ZipFile(io.BytesIO(committed(name))) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        core = archive.read("docProps/core.xml").decode()
    assert core.count("2026-01-05T09:00:00Z") == 2
    assert ">panelcal<" in core


@pytest.mark.parametrize("name", EACH)
def test_a_template_opens_on_start_here(name: str):
    book = opened(name)
    live = [LIVE_SHEET] if name.startswith("live") else []
    before = ["Anchors", "Reviews"] if name.startswith("ai_reviewers") else []
    assert book.sheetnames == ["Start here", *before, INPUT_SHEETS[name], *live, "Settings"]
    assert book.active.title == "Start here"


@pytest.mark.parametrize("name", EACH)
def test_start_here_has_ten_lines_and_names_the_command(name: str):
    sheet = opened(name)["Start here"]
    numbers = [cell for (cell,) in sheet.iter_rows(max_col=1, min_row=3, values_only=True) if cell is not None]
    assert numbers == list(range(1, 11))
    assert f"panelcal calibrate {name}.xlsx" in all_text(opened(name), "Start here")


@pytest.mark.parametrize("name", EXAMPLES)
def test_made_up_data_is_labelled_as_made_up(name: str):
    book = opened(name)
    assert "All data in this workbook are made up" in all_text(book, "Start here")
    assert "made-up data" in book[INPUT_SHEETS[name]]["A1"].value
    assert "made-up data" in book.properties.title
    assert "made up" in book.properties.description


@pytest.mark.parametrize("name", EACH)
def test_no_cell_is_merged_and_panes_are_frozen(name: str):
    book = opened(name)
    assert all(not sheet.merged_cells.ranges for sheet in book)
    beside_names = first_score(name) == "B5" or name.startswith("ai_reviewers")
    assert book[INPUT_SHEETS[name]].freeze_panes == ("B5" if beside_names else "A5")


@pytest.mark.parametrize("name", EACH)
def test_every_sheet_is_set_up_for_printing_on_a4(name: str):
    for sheet in opened(name):
        assert sheet.page_setup.paperSize == int(sheet.PAPERSIZE_A4)
        assert sheet.sheet_properties.pageSetUpPr.fitToPage
        assert "page &P of &N" in sheet.oddFooter.right.text
    assert opened(name)[INPUT_SHEETS[name]].print_title_rows in ("$3:$4", "$4:$4")


@pytest.mark.parametrize("name", EACH)
def test_start_here_is_printed_on_one_page(name: str):
    setup = opened(name)["Start here"].page_setup
    assert (setup.fitToWidth, setup.fitToHeight) == (1, 1)


@pytest.mark.parametrize("name", EACH)
def test_what_is_to_be_filled_in_is_shaded_names_across_the_top_as_well(name: str):
    sheet = opened(name)[INPUT_SHEETS[name]]
    shade = sheet["A5"].fill.fgColor.rgb
    blank = [cell for cell in sheet[4] if cell.value is None and cell.has_style]
    assert all(cell.fill.fgColor.rgb == shade for cell in blank)
    if blank:
        assert "from A5" in sheet["A2"].value and "from B4" in sheet["A2"].value


def test_rules_above_the_reviews_are_told_from_their_names():
    for name in ("ai_reviewers", "ai_reviewers_example"):
        sheet = opened(name)["Reviews"]
        named, chosen = ([sheet[f"{letter}3"] for letter in letters] for letters in ("ACE", "BDF"))
        assert {cell.style for cell in named} == {"Panel heading"}
        assert {cell.style for cell in chosen} == {"Panel input"}


@pytest.mark.parametrize("name", EACH)
def test_only_named_styles_are_used(name: str):
    for sheet in opened(name):
        for row in sheet.iter_rows():
            assert all(cell.style.startswith("Panel ") for cell in row if cell.value is not None)


@pytest.mark.parametrize("name", EACH)
def test_scores_are_questioned_and_never_blocked(name: str):
    sheet = opened(name)[INPUT_SHEETS[name]]
    block = first_score(name)
    (check,) = (one for one in sheet.data_validations.dataValidation if str(one.sqref).startswith(f"{block}:"))
    assert check.errorStyle == "warning"
    assert "score_codes" in check.formula1
    assert len(check.error) <= 255


@pytest.mark.parametrize("name", EACH)
def test_messages_are_no_longer_than_excel_allows(name: str):
    for sheet in opened(name):
        for check in sheet.data_validations.dataValidation:
            assert len(check.errorTitle) <= 32
            assert len(check.error) <= 255
            assert len(check.formula1) <= 257


@pytest.mark.parametrize("name", EACH)
def test_every_setting_has_its_row_its_check_and_its_explanation(name: str):
    sheet = opened(name)["Settings"]
    checked = {str(check.sqref) for check in sheet.data_validations.dataValidation}
    for row, setting in enumerate(SETTING_ROWS, start=5):
        assert sheet[f"A{row}"].value == setting.label
        assert sheet[f"C{row}"].value == setting.explanation
        assert f"B{row}" in checked


@pytest.mark.parametrize("name", EACH)
def test_the_names_in_the_checks_point_at_scale_and_codes(name: str):
    book = opened(name)
    sheet = book["Settings"]

    def target(defined: str) -> str:
        return book.defined_names[defined].attr_text.removeprefix("Settings!").replace("$", "")

    panel = judging(name)
    settings = panel and panel.settings
    scale = (settings.scale_low, settings.scale_high) if settings else SCALES[INPUT_SHEETS[name]]
    assert (sheet[target("lowest_score")].value, sheet[target("highest_score")].value) == scale
    codes = [cell.value for (cell,) in sheet[target("score_codes")] if cell.value]
    assert codes == list(settings.codes if settings else DEFAULT_CODES)


def test_confidence_words_come_from_a_list():
    sheet = opened("grant_panel")["Reviews"]
    (check,) = (one for one in sheet.data_validations.dataValidation if one.type == "list")
    assert check.formula1 == '"High,Medium,Low"'


@pytest.mark.parametrize("name", ["exam_board", "live_board"])
def test_the_empty_boards_hold_no_data(name: str):
    marks = opened(name)["Marks"]
    assert [cell.value for row in marks["A3:CM124"] for cell in row if cell.value is not None] == [
        "Credits",
        "Candidate",
    ]


def test_the_empty_grant_panel_holds_no_data():
    reviews = opened("grant_panel")["Reviews"]
    assert all(cell.value is None for row in reviews["A5:D404"] for cell in row)


@pytest.mark.parametrize("name", EACH)
def test_every_formula_has_its_value_stored(name: str):
    formulas, values = opened(name), opened(name, data_only=True)
    # Live results, whose formulas spill texts as well, has its own test in test_native_formulas.py.
    for sheet in (one for one in formulas if one.title != LIVE_SHEET):
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type == "f":
                    assert isinstance(values[sheet.title][cell.coordinate].value, float)


@pytest.mark.parametrize("name", ["exam_board_example", "live_board_example"])
def test_the_stored_averages_are_those_of_the_numbers_on_the_sheet(name: str):
    sheet = opened(name, data_only=True)["Marks"]
    credits_ = [cell.value for cell in sheet["B3:CD3"][0]]
    for row in (5, 40, 86):
        marks = [cell.value for cell in sheet[f"B{row}:CD{row}"][0]]
        pairs = [(c, m) for c, m in zip(credits_, marks, strict=True) if isinstance(m, int)]
        expected = sum(c * m for c, m in pairs) / sum(c for c, _ in pairs)
        assert sheet[f"CE{row}"].value == pytest.approx(expected, rel=1e-14)
    column = [cell.value for (cell,) in sheet["T5:T86"] if isinstance(cell.value, int)]
    assert sheet["T87"].value == pytest.approx(sum(column) / len(column), rel=1e-14)


@pytest.mark.parametrize("name", EACH)
def test_write_template_copies_the_committed_file(name: str, tmp_path: Path):
    target = tmp_path / "mine.xlsx"
    write_template(name, target)
    assert target.read_bytes() == committed(name)
    assert list(tmp_path.iterdir()) == [target]


def test_an_unknown_template_is_refused_with_the_names(tmp_path: Path):
    with pytest.raises(FileProblem, match="exam_board, exam_board_example, grant_panel, grant_panel_example"):
        write_template("examboard", tmp_path / "mine.xlsx")
    assert not list(tmp_path.iterdir())


def test_an_existing_file_is_replaced_only_when_that_is_said(tmp_path: Path):
    target = tmp_path / "mine.xlsx"
    target.write_text("precious")
    with pytest.raises(FileProblem, match=r"mine\.xlsx"):
        write_template("exam_board", target)
    assert target.read_text() == "precious"
    write_template("exam_board", target, overwrite=True)
    assert target.read_bytes() == committed("exam_board")


def test_a_missing_folder_is_said(tmp_path: Path):
    with pytest.raises(FileProblem, match="does not exist"):
        write_template("exam_board", tmp_path / "nowhere" / "mine.xlsx")


@pytest.mark.parametrize("name", EACH)
def test_a_template_is_carried_over_whole(name: str, tmp_path: Path):
    write_template(name, tmp_path / "mine.xlsx")
    assert carries_whole(tmp_path / "mine.xlsx") == ()
