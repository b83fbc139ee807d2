"""Whole workbooks: everything that surrounds a board in practice, in combination, ends in the same numbers."""

import itertools
import statistics

import openpyxl
import pytest

from panelcal.files.load import load_source
from panelcal.reading.read import read_panel

HEAD = ["MA1", "MA2", "MA3", "MA4"]
CREDITS = [15, 15, 30, 10]
SCORES = {"S01": [65, 70, None, 58], "S02": [55, None, 61, 60], "S03": [48, 71, 66, 44], "S04": [None, 69, 59, 51]}
CLEAN = {(s, a): value for s, row in SCORES.items() for a, value in zip(HEAD, row, strict=True) if value is not None}
WEIGHTS = dict(zip(HEAD, CREDITS, strict=True))

ABOVE = {"nothing": [], "titles": [["Board of examiners"], ["Session", 2026], []]}
CREDIT_PLACES = ("none", "above", "below", "sheet")
BELOW = {
    "nothing": [],
    "statistics": [["Mean", 56, 70, 62, 53.25], ["Number of marks", 3, 3, 3, 4]],
    "notes": [[], ["ABS: absent"], ["Provisional, subject to the board"]],
}
TRAPS = ("none", "codes and text", "names and totals", "shifted and bridged")


def workbook(above, credits_place, below, trap):
    """Rows of the sheet Marks, further sheets, and what kinds of decisions must be on record."""
    names = trap == "names and totals"
    label = [None] if names else []
    rows = [list(row) for row in ABOVE[above]]
    if credits_place == "above":
        rows.append(["Credits", *label, *CREDITS])
    rows.append(["Student", *(["Name"] if names else []), *HEAD, *(["Average", "Class"] if names else [])])
    if credits_place == "below":
        rows.append(["CATS", *label, *CREDITS])
    expected = set()
    for k, (student, marks) in enumerate(SCORES.items()):
        cells = list(marks)
        if trap == "codes and text":
            cells = [("ABS" if k % 2 else "n/a") if mark is None else mark for mark in cells]
            if k == 2:
                cells[0], cells[1] = "48 ", "71,0"
            expected = {"code excluded", "text read as number"}
        if trap == "shifted and bridged" and k == 2:
            rows.append([])
            expected = {"blank rows bridged"}
        mean = round(statistics.mean(mark for mark in marks if mark is not None), 1)
        rows.append([student, *([f"Person {k}"] if names else []), *cells, *([mean, "2:1"] if names else [])])
    expected |= {"total or statistic"} if names else set()
    rows += [[row[0], *label, *row[1:]] for row in BELOW[below] if row] if below == "statistics" else BELOW[below]
    expected |= {"nothing": set(), "statistics": {"statistics row"}, "notes": {"note"}}[below]
    if trap == "shifted and bridged":
        rows = [[], []] + [[None, None, *row] for row in rows]
    sheets = {"Marks": rows}
    if credits_place == "sheet":
        sheets["Credits"] = [["Module", "Credits"], *([m, WEIGHTS[m]] for m in reversed(HEAD))]
    return sheets, expected


COMBINATIONS = list(itertools.product(ABOVE, CREDIT_PLACES, BELOW, TRAPS))


@pytest.mark.parametrize(("above", "credits_place", "below", "trap"), COMBINATIONS)
def test_every_combination_gives_the_same_panel(tmp_path, above, credits_place, below, trap):
    sheets, expected = workbook(above, credits_place, below, trap)
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(tmp_path / "board.xlsx")
    book.close()
    reading = read_panel(load_source(tmp_path / "board.xlsx"))
    panel = reading.panel
    pairs = [
        (panel.objects[o], panel.assessors[a]) for o, a in zip(panel.object_index, panel.assessor_index, strict=True)
    ]
    assert dict(zip(pairs, panel.scores.tolist(), strict=True)) == CLEAN
    wanted = [1.0 if credits_place == "none" else WEIGHTS[assessor] for _, assessor in pairs]
    assert panel.confidences.tolist() == wanted
    assert expected <= {decision.kind for decision in reading.decisions}
    assert reading.cells_found == panel.n_assessments + sum(d.excluded_scores for d in reading.decisions)


def test_there_are_at_least_sixty_combinations():
    assert len(COMBINATIONS) >= 60


SEVERAL_WRONG = [
    ["Student", "MA1", "MA2"],
    ["S1", "sick", 70],
    ["S2", "1,234", None],
    [None, 50, 51],
    ["S3", 60, 61],
    ["S3", 60, 62],
]


def test_a_sheet_with_many_faults_names_all_of_them_at_once(refused):
    message = refused(SEVERAL_WRONG)
    for found in ('"sick"', '"1,234"', "A4:C4|B4:C4", '"S3, as in A5:C5|"S3, as in B5:C5'):
        assert any(part in message for part in found.split("|"))
    assert len([line for line in message.splitlines() if not line.startswith("- ")]) == 4
