"""`Cal proof` in a real spreadsheet: all sums zero, and a changed mark shows at once."""

import openpyxl
import pytest

import run_panelcal
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


def test_a_changed_credit_shows_although_no_mark_changed(calibrated_example):
    marks = openpyxl.load_workbook(calibrated_example)["Marks"]
    row = next(r for r in range(1, 5) if marks.cell(r, 1).value == "Credits")
    first, second = marks.cell(row, 2), marks.cell(row, 3)
    asked = [("Cal summary", "A3"), ("Cal proof", "A3")]
    said, proof = recalculated(calibrated_example, asked, {("Marks", first.coordinate): first.value + 15})
    assert said == "OUT OF DATE: the credits changed since; calibrate again."
    assert "sums are zero" in proof
    other = next(c for c in marks[row][2:] if isinstance(c.value, int | float) and c.value != first.value)
    exchanged = {("Marks", first.coordinate): other.value, ("Marks", other.coordinate): first.value}
    assert recalculated(calibrated_example, asked, exchanged)[0].startswith("OUT OF DATE: the credits changed")
    assert recalculated(calibrated_example, asked, {("Marks", second.coordinate): None})[0].startswith("OUT OF DATE")


def test_what_is_said_not_to_be_watched_is_not(calibrated_example):
    book = openpyxl.load_workbook(calibrated_example)
    code = next(cell.coordinate for row in book["Marks"].iter_rows() for cell in row if cell.value == "ABS")
    changed = recalculated(calibrated_example, [("Cal summary", "A3")], {("Marks", code): "WD"})[0]
    assert changed.lstrip("✔✓ ").startswith("Up to date")
    assert changed.endswith("Not watched: 2 marks not stored as plain numbers, names, codes, Settings.")


LIST = [("Proposal", "Reviewer", "Score", "Weight")] + [
    (f"P{k}", f"R{a}", 5 + (k * a) % 4, 1 + (k + a) % 3) for k in range(6) for a in range(4)
]
BLOCKS = [
    ("Student", "A", "B", "C"), ("S1", 60, 55, 70), ("S2", 50, 52, 66), ("S3", 71, 64, 80), ("S4", 58, 61, 77),
    (), ("Weight", "A", "B", "C"), ("S1", 1, 2, 1), ("S2", 2, 1, 3), ("S3", 1, 1, 2), ("S4", 2, 2, 1),
]  # fmt: skip


@pytest.mark.parametrize(("rows", "cell"), [(LIST, "D9"), (BLOCKS, "C9")], ids=["a column", "a block"])
def test_weights_in_a_column_or_a_block_are_watched_too(tmp_path, rows, cell):
    need_office()
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    name = book.active.title
    book.save(tmp_path / "in.xlsx")
    done = run_panelcal.run("calibrate", str(tmp_path / "in.xlsx"), "-o", str(tmp_path / "out.xlsx"))
    assert done.returncode == 0, done.stderr
    asked = [("Cal summary", "A3")]
    assert "stored as numbers and the weights are those calibrated" in recalculated(tmp_path / "out.xlsx", asked)[0]
    changed = recalculated(tmp_path / "out.xlsx", asked, {(name, cell): 7})[0]
    assert changed == "OUT OF DATE: the weights changed since; calibrate again."
