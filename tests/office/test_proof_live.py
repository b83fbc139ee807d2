"""`Cal proof` in a real spreadsheet: all sums zero, and a changed mark shows at once."""

import openpyxl
import pytest

from office.office import need_office, recalculated

pytestmark = pytest.mark.office


@pytest.fixture(scope="module")
def cells(calibrated_example):
    need_office()
    book = openpyxl.load_workbook(calibrated_example)
    proof = book["Cal proof"]
    headings = {}
    for cell in proof[4]:
        headings.setdefault(str(cell.value).split("\n")[0], []).append(cell.column_letter)
    rows = sum(1 for row in range(5, proof.max_row + 1) if proof[f"A{row}"].value is not None)
    counts = [
        sum(1 for row in range(5, proof.max_row + 1) if proof[f"{letter}{row}"].value is not None)
        for letter in headings["Zero?"]
    ]
    return proof, headings, rows, counts


def test_recalculated_every_sum_is_zero_to_rounding(calibrated_example, cells):
    _, headings, rows, counts = cells
    assert rows == 711 and counts == [82, 81]
    asked = []
    for letter, count in zip(headings["Sum of confidence x residual"], counts, strict=True):
        asked += [("Cal proof", f"{letter}{row}") for row in range(5, 5 + count)]
    checks = []
    for letter, count in zip(headings["Zero?"], counts, strict=True):
        checks += [("Cal proof", f"{letter}{row}") for row in range(5, 5 + count)]
    found = recalculated(calibrated_example, asked + checks + [("Cal proof", "A3"), ("Cal summary", "A3")])
    sums, words = found[: len(asked)], found[len(asked) : -2]
    assert max(abs(x) for x in sums) < 1e-9
    assert set(words) == {"zero"}
    assert "All 163 sums are zero" in found[-2]
    assert found[-1].lstrip("✔✓ ").startswith("Up to date")


def test_a_changed_mark_turns_its_rows_and_the_up_to_date_line(calibrated_example, cells):
    proof, headings, rows, counts = cells
    row = next(r for r in range(5, 5 + rows) if str(proof[f"F{r}"].value).startswith("="))
    marks_cell = proof[f"F{row}"].value.split("!")[1]
    object_row = 4 + proof[f"C{row}"].value
    assessor_row = 4 + proof[f"D{row}"].value
    object_sum, assessor_sum = headings["Zero?"]
    untouched_row = next(r for r in range(5, 5 + counts[0]) if r != object_row)
    asked = [
        ("Cal proof", f"{headings['Mark'][0]}{row}"),
        ("Cal proof", f"{object_sum}{object_row}"),
        ("Cal proof", f"{assessor_sum}{assessor_row}"),
        ("Cal proof", f"{object_sum}{untouched_row}"),
        ("Cal proof", "A3"),
        ("Cal summary", "A3"),
    ]
    changed = recalculated(calibrated_example, asked, {("Marks", marks_cell): 3})
    assert changed[0] == "CHANGED"
    assert changed[1] == changed[2] == "NOT ZERO"
    assert changed[3] == "zero"
    assert "NOT ZERO: 2 of 163" in changed[4]
    assert "OUT OF DATE: 1" in changed[5]


@pytest.mark.parametrize("value", [None, "ABS"])
def test_a_removed_mark_shows_too(calibrated_example, cells, value):
    proof, headings, rows, _ = cells
    row = next(r for r in range(5, 5 + rows) if str(proof[f"F{r}"].value).startswith("="))
    marks_cell = proof[f"F{row}"].value.split("!")[1]
    asked = [("Cal proof", f"{headings['Mark'][0]}{row}"), ("Cal summary", "A3")]
    changed = recalculated(calibrated_example, asked, {("Marks", marks_cell): value})
    assert changed[0] == "CHANGED"
    assert "OUT OF DATE" in changed[1]


def test_an_added_mark_shows_too(calibrated_example, cells):
    marks = openpyxl.load_workbook(calibrated_example)["Marks"]
    empty = next(marks.cell(5, column).coordinate for column in range(2, 82) if marks.cell(5, column).value is None)
    changed = recalculated(calibrated_example, [("Cal summary", "A3")], {("Marks", empty): 61})
    assert "OUT OF DATE: cells were filled or emptied" in changed[0]
