"""The file of one result in browsers: every sheet without Python, accessible, and printed."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import openpyxl
import pytest

from page.browsers import BROWSERS, EXAMPLES, TEMPLATES, driven, made_up, needed, result_of

pytestmark = [pytest.mark.slow, pytest.mark.browser]


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
