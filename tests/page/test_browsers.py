"""The page in Debian's own browsers: opened from disk, driven as a reader would, compared with the command line.

They need a built page and node modules, which `.ci/page` prepares: it sets PANELCAL_PAGE and PANELCAL_PAGE_MODULES.
"""

import itertools
import json
import math
import os
import random
import re
import shutil
import subprocess
import unicodedata
from datetime import UTC, datetime
from pathlib import Path

import openpyxl
import pytest
from python_calamine import CalamineWorkbook

from large_panel import PROPOSALS, write_large_panel
from panelcal.page.build import build_page
from run_panelcal import run

pytestmark = [pytest.mark.slow, pytest.mark.browser]

HERE = Path(__file__).parent
TEMPLATES = HERE.parents[1] / "workbook_templates"
EXAMPLES = [
    TEMPLATES / f"{name}_example.xlsx" for name in ("exam_board", "grant_panel", "conference_prize", "ai_reviewers")
]
BROWSERS = {"chromium": "chromium", "firefox": "firefox-esr"}
PATIENCE = 900.0
NOT_THE_SAME = re.compile("^(Python|numpy|scipy|openpyxl|xlwings|panelcal)$")
FIGURE = re.compile(r"\d+\.\d+(?:e-?\d+)?")
HOSTILE = "<img src=x onerror=globalThis.alarmed=true>"


def needed(name):
    place = os.environ.get(name)
    if not place and not os.environ.get("PANELCAL_REQUIRE_BROWSERS"):
        pytest.skip("needs a built page and browsers, which .ci/page prepares")
    assert place, f"{name} is not set"
    return Path(place)


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


def result_of(file, *options):
    """Write a result as a file for browsers, and the workbook beside it."""
    made = file.with_suffix(".html")
    done = run("calibrate", str(file), *options, "-o", str(made.with_suffix(".out.xlsx")), "--html", str(made))
    assert done.returncode == 0, done.stderr
    return str(made)


def driven(driver, plan):
    """Let a script drive a browser by a plan, and return what it wrote down."""
    folder = Path(plan["folder"])
    listed = folder / "plan.json"
    listed.write_text(json.dumps(plan), encoding="utf-8")
    subprocess.run(["node", str(HERE / "browser" / driver), str(listed)], timeout=PATIENCE, check=True)
    found = json.loads((folder / "seen.json").read_text(encoding="utf-8"))
    assert "failed" not in found, found["failed"]
    return found | {"folder": folder}


def made_up(folder):
    """Write the small files that the browser is given."""
    marks = [(50 + 7 * k % 23, 48 + 5 * k % 29, 55 + 11 * k % 19) for k in range(12)]
    rows = [f"S{k},{','.join(map(str, mark))}" for k, mark in enumerate(marks)]
    contents = {
        "question.csv": "Student,Maths,Physics,Art,Seminar\n"
        + "".join(f"{row},{3 + k % 4}\n" for k, row in enumerate(rows)),
        "hostile.csv": f"Student,Maths,{HOSTILE},Art\n" + "".join(f"{row}\n" for row in rows),
        "lists.csv": "Talk,Judge\n" + "".join(f"T{k},{f'J{k}' if k < 5 else ''}\n" for k in range(10)),
    }
    # Confidences by chance, and no two projects with the same judges: of ties a browser may take the other.
    chance, judges = random.Random(5), ("Ann", "Bob", "Cy", "Di")
    contents["rubric.csv"] = "Project,Reviewer,Confidence,Originality,Value for money\n" + "".join(
        f"P{k},{judge},{chance.uniform(1, 3):.2f},{chance.uniform(2, 9):.1f},{chance.uniform(1, 9):.1f}\n"
        for k, group in enumerate([*itertools.combinations(judges, 2), *itertools.combinations(judges, 3)])
        for judge in group
    )
    for judge, add in (("Ann", 0), ("Ben", 1), ("Cleo", 2)):
        contents[f"{judge}.csv"] = "Talk,Score\n" + "".join(f"T{k},{3 + (k * 2 + add) % 5}\n" for k in range(6))
    for name, content in contents.items():
        (folder / name).write_text(content, encoding="utf-8")
    (folder / "old.xls").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    return {
        "question": str(folder / "question.csv"),
        "hostile": str(folder / "hostile.csv"),
        "lists": str(folder / "lists.csv"),
        "rubric": str(folder / "rubric.csv"),
        "criteria": ["Originality", "Value for money"],
        "notRead": str(folder / "old.xls"),
        "judges": [str(folder / f"{judge}.csv") for judge in ("Ann", "Ben", "Cleo")],
    }


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


def same(one, other):
    if isinstance(one, int | float) and isinstance(other, int | float) and not isinstance(one, bool):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
    if str(one).startswith("=") and str(other).startswith("="):  # a formula may hold a sum that it compares with
        figures = [[float(figure) for figure in FIGURE.findall(text)] for text in (one, other)]
        return FIGURE.sub("#", one) == FIGURE.sub("#", other) and all(map(same, *figures))
    return one == other


SAMPLED = TEMPLATES / "conference_prize_example.xlsx"
WITHIN = {"Naive average": 1e-9, "Expected rank": 0.6, "Total": 0.2, "Lower": 0.5, "Upper": 0.5}
WITHIN |= {"P(best)": 0.05, "P(best of category)": 0.05, "P(top 3)": 0.05}
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


@pytest.fixture(scope="module", params=BROWSERS)
def shown(request, tmp_path_factory):
    """Open the file of one result."""
    modules = needed("PANELCAL_PAGE_MODULES")
    folder = tmp_path_factory.mktemp(f"result-{request.param}")
    board, agents = folder / "board.xlsx", folder / "agents.xlsx"
    shutil.copy(EXAMPLES[0], board)
    shutil.copy(TEMPLATES / "ai_reviewers_example.xlsx", agents)
    plan = {
        "browser": request.param,
        "executable": shutil.which(BROWSERS[request.param]),
        "page": result_of(board),
        "agents": result_of(agents),
        "hostile": result_of(Path(made_up(folder)["hostile"])),
        "modules": str(modules),
        "folder": str(folder),
        "pictures": os.environ.get("PANELCAL_PAGE_PICTURES") if request.param == "chromium" else None,
    }
    return driven("drive_result.mjs", plan)


def test_the_file_of_one_result_shows_every_sheet_without_python(shown):
    assert shown["ownErrors"] == [] and shown["ownRequests"] == [] and shown["outside"] == "stopped"
    assert shown["heading"] == "board.xlsx: calibrated"
    assert shown["buttons"] == ["Print the board paper"]  # nothing is saved, or asked of anybody
    workbook = openpyxl.load_workbook(shown["folder"] / "board.out.xlsx")
    names = [name.removeprefix("Cal ").capitalize() for name in workbook.sheetnames if name.startswith("Cal ")]
    assert list(shown["sheets"]) == names
    headings = [cell.value for cell in workbook["Cal values"][4]]
    assert shown["sheets"]["Values"][0] == {"headings": headings, "rows": 82}
    assert shown["sorted"] == sorted(shown["sorted"]) and len(shown["sorted"]) == 82
    assert shown["charts"] == len(workbook["Cal summary"]._charts)
    assert shown["hostile"] == {"images": 0, "alarmed": False, "text": True}


def test_axe_finds_nothing_in_the_file_of_one_result_and_it_fits_a_tablet(shown):
    assert {name: found for name, found in shown["axe"].items() if found} == {}
    assert len(shown["axe"]) > len(shown["sheets"]) > 5
    width, room = shown["tablet"]
    assert width <= room
    assert all(work in shown["licences"] for work in ("panelcal", "d3", "Observable Plot"))


def test_the_file_of_one_result_prints_the_board_paper(shown):
    printed = subprocess.run(
        ["pdftotext", "-layout", str(shown["folder"] / "result.pdf"), "-"], capture_output=True, text=True, check=True
    ).stdout
    ranked = printed[printed.index("Ranked list") :]
    assert len(set(re.findall(r"^[\f ]*(21\d{5})\b", ranked, re.MULTILINE))) == 82
    assert "Decided on" in printed and "Print the board paper" not in printed


SAMPLED_PROPOSALS = [f"P{k:05d}" for k in (0, 137, 9_999, 19_999)]
IN_FRAME = 5_000
"""Elements that the page may add in one go; whole tables would be some hundred thousand."""


@pytest.fixture(scope="module")
def large_by_command(tmp_path_factory):
    """Values of 100,000 marks by the command line, once for both browsers."""
    folder = tmp_path_factory.mktemp("large")
    write_large_panel(folder / "large.csv")
    run("calibrate", str(folder / "large.csv"), "-o", str(folder / "by_command.xlsx"))
    return values_of(folder / "by_command.xlsx")


@pytest.fixture(scope="module", params=BROWSERS)
def large(request, tmp_path_factory, large_by_command):
    """Take 100,000 marks through a browser, and the same by the command line."""
    page, modules = needed("PANELCAL_PAGE"), needed("PANELCAL_PAGE_MODULES")
    folder = tmp_path_factory.mktemp(f"large-{request.param}")
    write_large_panel(folder / "large.csv")
    plan = {
        "browser": request.param,
        "executable": shutil.which(BROWSERS[request.param]),
        "page": str(page),
        "modules": str(modules),
        "folder": str(folder),
        "file": str(folder / "large.csv"),
        "sampled": SAMPLED_PROPOSALS,
    }
    return driven("drive_large.mjs", plan) | {"by_command": large_by_command}


def values_of(path):
    """Cal values as rows by proposal."""
    rows = CalamineWorkbook.from_path(path).get_sheet_by_name("Cal values").to_python(skip_empty_area=False)
    headings = rows[3]
    return {row[0]: dict(zip(headings, row, strict=True)) for row in rows[4 : 4 + PROPOSALS]}


def test_a_hundred_thousand_marks_have_the_values_of_the_command_line(large):
    assert large["errors"] == []
    assert large["saved"]
    by_page = values_of(large["folder"] / "large-calibrated.xlsx")
    assert by_page.keys() == large["by_command"].keys()
    assert len(by_page) == PROPOSALS
    different = {
        (label, heading)
        for label, row in large["by_command"].items()
        for heading, value in row.items()
        if not same(value, by_page[label][heading])
    }
    assert not different


def test_rows_of_a_long_table_are_sorted_and_found_in_all_of_it(large):
    assert f"100 of {PROPOSALS:,} rows" in large["said"]
    headings = [heading.split("\n")[0].rstrip(" \u2191\u2193\u2195") for heading in large["headings"]]
    rank = headings.index("Rank")
    ranks = [row["Rank"] for row in large["by_command"].values()]
    assert float(large["ascending"][rank]) == min(ranks)
    assert float(large["descending"][rank]) == max(ranks)
    for label, shown in zip(SAMPLED_PROPOSALS, large["found"], strict=True):
        row = large["by_command"][label]
        assert shown[0] == label
        assert shown[headings.index("Calibrated value")] == f"{row['Calibrated value']:.1f}"
        assert float(shown[rank]) == row["Rank"]


def test_a_large_result_is_drawn_piece_by_piece(large):
    """What stops a page is how much is put on it at once; no clock is asked."""
    assert large["mostAdded"] <= IN_FRAME
    for size in large["tabs"].values():
        assert size["rows"] <= 100
        assert size["chart"] <= 600  # not one for each of 20,000 points
        assert size["elements"] <= 12_000
    assert large["mostCells"] <= 4_000  # however many rows are asked for


def test_a_large_panel_takes_less_than_a_gigabyte(large):
    peaks = [stage["peak"] for stage in large["stages"] if stage["peak"]]
    assert peaks == [] or max(peaks) < 900
