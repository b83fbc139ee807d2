"""Which earlier results are marked as out of date, and that the form of settings reads back as the defaults."""

import pytest

from panelcal.reading.grid import Grid
from panelcal.reading.setting_rows import SETTING_ROWS
from panelcal.reading.settings import Band, Settings
from panelcal.reading.settings_sheet import read_settings
from panelcal.reporting.names import FURTHER_SHEETS, MARK, RESULT_SHEETS, free_marks, mark_reference, marked_sheet
from panelcal.reporting.out_of_date import outdated_notes, outdated_summaries, summary_beside
from panelcal.reporting.settings_form import settings_form


def audit(name, fingerprint):
    return Grid(name, (("Run", "Run identifier", "0a"), ("Run", "SHA-256 of the cells read", fingerprint)))


def test_only_runs_that_read_other_cells_are_out_of_date():
    audits = [audit("Cal audit", "aa"), audit("Cal audit 2", "bb"), audit("cal AUDIT 3", "cc")]
    notes = outdated_notes(audits, "bb", "2026-11-21T10:15:00")
    assert outdated_summaries(notes) == ("Cal summary", "Cal summary 3")
    assert {name.removesuffix(" 3") for name in notes} == {*RESULT_SHEETS, *FURTHER_SHEETS}
    assert not any(name.endswith(" 2") for name in notes)
    assert notes["Cal summary"].row == 3 and notes["Cal values 3"].row == 2
    assert notes["Cal summary"].text.startswith("OUT OF DATE") and "2026-11-21" in notes["Cal summary"].text


def test_a_sheet_without_a_fingerprint_or_of_another_name_is_left_alone():
    assert outdated_notes([Grid("Cal audit", (("a", "b", "c"),)), audit("Renamed", "aa")], "bb", "2026-11-21") == {}
    assert summary_beside("Renamed") == ""


CHOSEN = Settings(
    gauge="reference",
    reference=61.5,
    method="fisher",
    bands=(Band("First", 70.0), Band("Second", 50.0)),
    codes={"ABS": "zero", "DNA": "stop"},
    confidence_form="sd",
    scale_high=100.0,
)


@pytest.mark.parametrize("settings", [Settings(), CHOSEN], ids=["defaults", "chosen"])
def test_the_form_of_settings_reads_back_as_what_was_put_on_it(settings):
    form = settings_form(settings)
    cells = {(1, 1): form.title, (2, 1): form.explanation}
    for table in form.tables:
        for number, column in enumerate(table.columns, table.column):
            for row, value in enumerate((column.heading, *column.cells), table.row):
                cells[row, number] = value
    last = max(row for row, _ in cells)
    grid = Grid(form.name, tuple(tuple(cells.get((i, j)) for j in (1, 2, 3)) for i in range(1, last + 1)))
    read, decisions = read_settings(grid)
    assert read == settings
    assert len(form.tables[0].columns[0].cells) == len(SETTING_ROWS)
    assert all(decision.weight == "note" for decision in decisions)


def test_a_hidden_name_finds_its_sheet_again():
    for sheet in ("Cal values", "It's ours", "Plain"):
        assert marked_sheet("=" + mark_reference(sheet)) == sheet
    assert marked_sheet("=#REF!$A$1") == ""


def test_hidden_names_skip_those_that_are_taken():
    free = free_marks([f"{MARK}1", f"{MARK}3", "Marks"])
    assert [next(free) for _ in range(3)] == [f"{MARK}2", f"{MARK}4", f"{MARK}5"]
