"""In the workbook with all data of a conference by EasyChair the reviews are read, whichever sheet is in front."""

import pytest

from panelcal.errors import InputRefused
from panelcal.reading.grid import Grid, Source
from panelcal.reading.read import read_panel

SCORES = {
    (1, "Ann Lee"): 2,
    (1, "Bo Ray"): -1,
    (2, "Ann Lee"): 3,
    (2, "Cy Fox"): 0,
    (3, "Bo Ray"): 1,
    (3, "Cy Fox"): -2,
}
MEMBERS = {"Ann Lee": 1, "Bo Ray": 2, "Cy Fox": 3}


def _conference(active, **more):
    submissions = [("#", "title", "authors", "submitted", "decision")]
    submissions += [(k, f"Paper {k}", f"A{k}", f"2026-03-0{k}", "accept") for k in (1, 2, 3)]
    committee = [("#", "person #", "first name", "last name", "role")]
    committee += [(k, 500 + k, *name.split(), "PC member") for name, k in MEMBERS.items()]
    bids = [("member #", "member name", "submission #", "bid")]
    bids += [(MEMBERS[name], name, paper, 1 + (paper + len(name)) % 3) for paper, name in SCORES]
    reviews = [("#", "submission #", "member #", "member name", "number", "version", "text", "total score", "date")]
    parts = [("review #", "field #", "field", "score")]
    for k, ((paper, name), score) in enumerate(SCORES.items(), 1):
        reviews.append((k, paper, MEMBERS[name], name, 1, 1, "Well written.", score, f"2026-05-0{k}"))
        parts.append((k, 1, "Overall evaluation", score))
    sheets = {"Submissions": submissions, "Program committee": committee, "Bids": bids, "Reviews": reviews}
    sheets |= {"Review scores": parts, **more}
    grids = tuple(Grid(name, tuple(map(tuple, rows))) for name, rows in sheets.items())
    return Source("conference.xlsx", grids, active)


@pytest.mark.parametrize("active", ["Submissions", "Program committee", "Bids", "Reviews", "Review scores"])
def test_the_reviews_are_read(active):
    reading = read_panel(_conference(active))
    panel = reading.panel
    read = zip(panel.object_index, panel.assessor_index, panel.scores, strict=True)
    found = {(int(panel.objects[i]), panel.assessors[j]): score for i, j, score in read}
    assert found == SCORES
    assert reading.sheet == "Reviews"
    assert reading.decisions[0].sentence.startswith("This is an EasyChair review table")


def test_a_sheet_of_ones_own_in_front_and_a_named_one_go_first():
    own = [("Talk", "Ann", "Bo"), ("T1", 7, 5), ("T2", 6, 8), ("T3", 4, 9)]
    assert read_panel(_conference("Final", Final=own)).sheet == "Final"
    with pytest.raises(InputRefused, match="bid in cell"):
        read_panel(_conference("Submissions"), sheet="Bids")
