"""Decisions about many cells on `Cal audit`: a row each for few, ranges for many."""

from panelcal.reading.decisions import About, Decision
from panelcal.reporting.audit_rows import as_ranges, decision_rows


def _decision(cells: tuple[str, ...]) -> Decision:
    return Decision(About.CODE_EXCLUDED, cells, "Not assessed.", "note", "Marks")


def test_cells_are_spelt_as_few_ranges():
    assert as_ranges(["B5", "B6", "B7", "D9"]) == ["B5:B7", "D9"]
    assert as_ranges(["D9", "E9", "C9", "A1"]) == ["A1", "C9:E9"]
    assert as_ranges(["AA10", "A2:B9"]) == ["AA10", "A2:B9"]
    assert as_ranges([]) == []


def test_every_cell_of_a_decision_about_few_has_its_link():
    rows = decision_rows(_decision(("B5", "C7", "D9")), "Marks", linked=True)
    assert [row[2] for row in rows] == ["B5", "C7", "D9"]
    assert [row[4] for row in rows] == ["#Marks!B5", "#Marks!C7", "#Marks!D9"]


def test_a_decision_about_many_cells_takes_two_rows_that_name_them_all():
    cells = tuple(f"{letter}{row}" for letter in "BCD" for row in range(5, 65))
    first, others = decision_rows(_decision(cells), "Marks", linked=True)
    assert first[2:4] == ("B5", "Not assessed.")
    assert others[3] == "As above: B6:B64, C5:C64, D5:D64" and others[4] == "#Marks!B6:B64"


def test_no_row_of_ranges_is_higher_than_a_spreadsheet_allows():
    cells = tuple(f"B{row}" for row in range(5, 805, 2))
    rows = decision_rows(_decision(cells), "Marks", linked=False)
    assert max(len(row[3]) for row in rows) < 600 and len(rows) == 6
    named = {cell for row in rows[1:] for cell in row[3].split(": ")[1].split(", ")}
    assert named == set(cells[1:])
