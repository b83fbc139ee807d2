"""Which sheet of a workbook is read."""

from panelcal.reading.grid import Grid, Source
from panelcal.reading.read import read_panel

MINUTES = (("Minutes of the board", None), ("Chair", "A. Okafor"), ("Present", 7))
SCORES = (("Candidate", "Okafor", "Lund", "Price"), ("X1", 72, 70, 69), ("X2", 85, 92, None), ("X3", None, 65, 71))


def test_a_number_in_the_minutes_in_front_is_no_panel_beside_a_hidden_sheet_with_one():
    source = Source("board.xlsx", (Grid("Notes", MINUTES), Grid("Data", SCORES, visible=False)), "Notes", ())
    reading = read_panel(source)
    assert reading.sheet == "Data" and reading.panel.assessors == ("Okafor", "Lund", "Price")
    assert reading.panel.n_assessments == 7


def test_a_sheet_of_the_same_objects_with_others_beside_is_warned_about(read, said):
    rows = [["Applicant", "Ann Lee", "Bob Roy", "Cy Fox"], *[[f"a{k}", 50 + k, 61 - k, 57 + k % 3] for k in range(6)]]
    other = [["Applicant", "Di Moe", "Ed Poe", "Flo Wu"], *[[f"b{k}", 52 + k, 60 - k, 55 + k % 3] for k in range(6)]]
    notes = [["Applicant", "School", "Phone"], *[[f"a{k}", "North", 5550 + k] for k in range(6)]]
    warned = said(read(rows, more=[Grid("Panel B", tuple(map(tuple, other)))]), "other sheets alike")
    assert warned.weight == "warning"
    assert "Panel B begins with Applicant as well" in warned.sentence
    assert said(read(rows, more=[Grid("Schools", tuple(map(tuple, notes)))]), "other sheets alike") is None
