"""A hundred thousand marks on the page: the command line's values, long tables in pieces, and memory."""

import shutil

import pytest
from python_calamine import CalamineWorkbook

from large_panel import PROPOSALS, write_large_panel
from page.browsers import BROWSERS, driven, needed, same
from run_panelcal import run

pytestmark = [pytest.mark.slow, pytest.mark.browser]

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
