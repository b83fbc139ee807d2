"""The page in browsers: opened from disk, driven as a reader would, compared with the command line."""

import os
import re
import shutil
import subprocess
import unicodedata
from datetime import UTC, datetime
from pathlib import Path

import openpyxl
import pytest

from page.browsers import BROWSERS, EXAMPLES, TEMPLATES, driven, made_up, needed, result_of, same
from panelcal.page.build import build_page
from run_panelcal import run

pytestmark = [pytest.mark.slow, pytest.mark.browser]

NOT_THE_SAME = re.compile("^(Python|numpy|scipy|openpyxl|xlwings|panelcal)$")


@pytest.fixture(scope="module", params=BROWSERS)
def seen(request, tmp_path_factory):
    """Drive one browser through everything, and return what was written down."""
    page, modules = needed("PANELCAL_PAGE"), needed("PANELCAL_PAGE_MODULES")
    folder = tmp_path_factory.mktemp(request.param)
    plan = {
        "browser": request.param,
        "executable": shutil.which(BROWSERS[request.param]),
        "page": str(page),
        "modules": str(modules),
        "folder": str(folder),
        "pictures": os.environ.get("PANELCAL_PAGE_PICTURES") if request.param == "chromium" else None,
        "examples": [str(path) for path in EXAMPLES],
        **made_up(folder),
    }
    plan["result"] = result_of(Path(plan["question"]), "--exclude", "Seminar")
    return driven("drive.mjs", plan)


def cells_of(path):
    """Cells by sheet, row and column; on the audit without the rows of libraries, of which a browser has others."""
    found = {}
    for sheet in openpyxl.load_workbook(path):
        number = 0
        for row in sheet.iter_rows():
            if sheet.title.startswith("Cal audit") and any(NOT_THE_SAME.match(str(cell.value)) for cell in row):
                continue
            number += 1
            found |= {(sheet.title, number, cell.column): cell.value for cell in row if cell.value is not None}
    return found


SAMPLED = TEMPLATES / "conference_prize_example.xlsx"
WITHIN = {"Naive average": 1e-9, "Expected rank": 0.6, "Total": 0.2, "Lower": 0.5, "Upper": 0.5}
"""Columns of sampled values and how far two runs of some thousand draws may be apart: several Monte Carlo errors."""


def values_by_object(path):
    headings, *rows = openpyxl.load_workbook(path)["Cal values"].iter_rows(min_row=4, values_only=True)
    return {row[0]: dict(zip(headings, row, strict=True)) for row in rows if isinstance(row[1], str) and row[0]}


@pytest.fixture(scope="module")
def sampled_by_command(tmp_path_factory):
    """Values of the prize by the command line, once for both browsers."""
    written = tmp_path_factory.mktemp("sampled") / "prize-calibrated.xlsx"
    run("calibrate", str(SAMPLED), "-o", str(written))
    return values_by_object(written)


def test_sampled_values_are_those_of_the_command_line_within_monte_carlo_error(seen, sampled_by_command):
    assert seen["saved"][SAMPLED.name]["there"]
    by_page = values_by_object(seen["folder"] / f"{SAMPLED.stem}-calibrated.xlsx")
    by_command = sampled_by_command
    assert by_page.keys() == by_command.keys()
    assert len(by_page) == 42
    for label, row in by_command.items():
        for heading, apart in WITHIN.items():
            assert abs(row[heading] - by_page[label][heading]) <= apart, (label, heading)


@pytest.mark.parametrize("example", [one for one in EXAMPLES if "prize" not in one.stem], ids=lambda path: path.stem)
def test_every_cell_is_that_of_the_command_line(seen, example, tmp_path):
    done = seen["saved"][example.name]
    assert done["there"], "the browser saved nothing"
    written = tmp_path / f"{example.stem}-calibrated.xlsx"
    run("calibrate", str(example), "-o", str(written), SOURCE_DATE_EPOCH=moment_of(done["run"]))
    require_same_cells(cells_of(seen["folder"] / f"{example.stem}-calibrated.xlsx"), cells_of(written))


def moment_of(words):
    """The moment that stands below a result, in seconds: of a run whose audit shall say the same."""
    moment = re.search(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)", words)[1]
    return str(int(datetime.fromisoformat(moment).replace(tzinfo=UTC).timestamp()))


def require_same_cells(by_page, by_command):
    assert by_page.keys() == by_command.keys()
    different = {
        key: (value, by_page.get(key)) for key, value in by_command.items() if not same(value, by_page.get(key))
    }
    assert not different


def test_each_criterion_by_itself_has_the_cells_of_the_command_line(seen):
    each = seen["each"]
    assert [words.split(",")[0] for words in each["understood"]] == ["Originality", "Value for money"]
    moment = moment_of(each["results"][0]["run"])
    rubric = seen["folder"] / "by_command" / "rubric.csv"
    rubric.parent.mkdir(exist_ok=True)
    shutil.copy(seen["folder"] / "rubric.csv", rubric)
    assert run("calibrate", str(rubric), "--criteria", "each", "--force", SOURCE_DATE_EPOCH=moment).returncode == 0
    for name, result in zip(("Originality", "Value_for_money"), each["results"], strict=True):
        assert result["there"], name
        saved = f"rubric-{name}-calibrated.xlsx"
        by_page, by_command = cells_of(seen["folder"] / saved), cells_of(rubric.with_name(saved))
        decided = [key for key, text in by_page.items() if text == f"About {name.replace('_', ' ')}"]
        assert len(decided) == 1  # what was filled in for this criterion, and not for the other
        require_same_cells(by_page | {key: by_command.get(key) for key in decided}, by_command)
    assert each["kept"] == "About Originality"
    assert each["again"].startswith("Calibrated values")


def test_it_opens_from_disk_and_nothing_goes_wrong(seen):
    assert seen["ready"] == "yes"
    assert seen["ownErrors"] == []
    assert seen["ownRequests"] == []


def test_the_file_is_small_and_the_same_when_it_is_built_again(tmp_path):
    page, parts = needed("PANELCAL_PAGE"), needed("PANELCAL_PAGE_PARTS")
    build_page(parts, tmp_path / "again.html")
    assert (tmp_path / "again.html").read_bytes() == page.read_bytes()
    assert page.stat().st_size <= 48_000_000


INSTRUCTIONS, TEXT = 200 / 60, 238 / 60  # words read in a second (Brysbaert, 2019)
KEY, POINT, HAND, THOUGHT = 0.28, 1.1, 0.4, 1.35  # seconds (Card, Moran and Newell, 1980)
CLICK = THOUGHT + POINT + KEY
DECISION = "Confirmed"
WAITING = 20.0  # measured: docs/benchmarks.md


def test_from_marks_to_the_printed_paper_takes_under_five_minutes_by_the_model(seen):
    read = seen["words"]["page"] / INSTRUCTIONS + (seen["words"]["understood"] + seen["words"]["result"]) / TEXT
    decided = seen["cases"] * (CLICK + HAND + len(DECISION) * KEY)
    acted = CLICK + POINT + 4 * CLICK + decided  # a drop; Calibrate, Save, Print, and the browser's own Print
    assert seen["cases"] >= 6
    assert read + acted + WAITING < 300, (read, acted)


def test_a_question_is_answered_by_a_click_and_the_answer_taken_back(seen):
    assert "Seminar" in seen["question"] and "--exclude" not in seen["question"]
    assert "You said: leave it out" in seen["given"]
    assert "Read 12 students" in seen["answered"]
    assert seen["takenBack"] == seen["question"]


def test_what_cannot_be_read_here_is_refused_in_words(seen):
    assert "save it as an Excel workbook (.xlsx)" in seen["notRead"]


def test_names_that_look_like_html_are_text(seen):
    assert seen["hostile"] == {"images": 0, "alarmed": False, "text": True}


def test_nothing_goes_out_and_nothing_is_kept(seen):
    assert seen["violations"] == []  # by the page itself
    assert set(seen["outside"].values()) == {"stopped"}
    assert {"connect-src", "img-src"} <= set(seen["stopped"])
    assert seen["kept"] == [0, 0, 0, 0]


def test_axe_finds_nothing(seen):
    assert {name: found for name, found in seen["axe"].items() if found} == {}
    assert len(seen["axe"]) == 10


def test_the_keyboard_alone_suffices(seen):
    assert seen["keyboard"]
    assert seen["keyboardTab"] == "Values"


def test_nothing_is_wider_than_the_window_at_twice_the_size_and_on_a_tablet(seen):
    for width, room in (seen["zoom"], seen["tablet"]):
        assert width <= room


def test_every_sheet_is_a_tab_and_tables_sort(seen):
    names = [name for name, _ in seen["tabs"]]
    assert names[0] == "Summary"
    assert {"Values", "Assessors", "Audit"} <= set(names)
    assert all(length > 100 for _, length in seen["tabs"])
    assert (seen["sorted"]["up"], seen["sorted"]["down"]) == ("ascending", "descending")
    assert seen["sorted"]["values"] == sorted(seen["sorted"]["values"], reverse=True)


def test_charts_are_drawn_with_words_for_who_does_not_see_them(seen):
    assert seen["charts"]
    assert all(chart["role"] == "img" and chart["words"] and chart["shapes"] > 3 for chart in seen["charts"])


def test_the_board_paper_is_printed_alone_with_what_was_decided(seen):
    printed = subprocess.run(
        ["pdftotext", "-layout", str(seen["folder"] / "board.pdf"), "-"], capture_output=True, text=True, check=True
    ).stdout
    printed = unicodedata.normalize("NFKC", printed)  # some browsers print fi as one letter
    assert "Decided on" in printed and "Confidential" in printed and "Confirmed" in printed
    assert "Not read, going by the heading: Average" in printed  # what to look at, closed on the screen
    ranked = printed[printed.index("Ranked list") :]
    assert len(set(re.findall(r"^[\f ]*(21\d{5})\b", ranked, re.MULTILINE))) == 82  # nobody is missing
    assert "Choose a file" not in printed and "Find in this table" not in printed


def test_extracts_plans_and_several_files(seen):
    assert seen["extract"]
    assert "Read" in seen["plan"] and "10" in seen["plan"]
    assert "Ann, Ben, Cleo" in seen["judges"]


def test_a_run_is_cancelled_and_the_page_goes_on(seen):
    assert seen["afterCancel"] is False
    assert seen["keyboard"]  # calibrated by another run after it


def test_a_browser_that_lacks_something_is_told_so_in_words(seen):
    for name, words in (
        ("WebAssembly", "WebAssembly switched off"),
        ("Worker", "no Workers"),
        ("DecompressionStream", "too old"),
        ("Worker allowed", "where this is a private window, use an ordinary one"),
        ("memory of a computer, iPhone", "Then use a computer"),
        ("memory of a computer, iPad", "Then use a computer"),
    ):
        assert words in seen["without"][name], name
    assert seen["without"]["nothing, Mac"] == ""


def test_without_scripts_both_files_say_what_to_do_and_promise_nothing_else(seen):
    for words, shown in zip(
        ("Switch it on for this file", "use the workbook"), seen["without"]["scripts"], strict=True
    ):
        assert "needs JavaScript" in shown and words in shown
        assert "Starting" not in shown and "Built with" not in shown


def test_all_licences_are_inside(seen):
    for work in ("Pyodide", "Python", "numpy", "scipy", "OpenBLAS", "openpyxl", "d3", "Observable Plot"):
        assert work in seen["licences"]
