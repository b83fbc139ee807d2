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
