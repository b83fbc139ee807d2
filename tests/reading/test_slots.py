"""Slots for reviewers in a row are read by the names in them; without names the run asks, and honest judges pass."""

import pytest

from panelcal.errors import InputRefused

HEAD = ["Paper", "Reviewer 1 name", "Reviewer 1 score", "Reviewer 2 name", "Reviewer 2 score", "Average score"]
ROWS = [
    HEAD,
    ["P1", "Iris", 7, "Ben", 5, 6],
    ["P2", "Ben", 4, "Iris", 8, 6],
    ["P3", "Chloe", 6, "Ben", 3, 4.5],
    ["P4", "Iris", 9, None, None, 9],
]


def test_scores_belong_to_the_name_beside_them(read):
    reading = read(ROWS)
    panel = reading.panel
    pairs = zip(panel.object_index, panel.assessor_index, strict=True)
    found = {(panel.objects[i], panel.assessors[j]): s for (i, j), s in zip(pairs, panel.scores, strict=True)}
    assert found == {
        ("P1", "Iris"): 7, ("P1", "Ben"): 5, ("P2", "Ben"): 4, ("P2", "Iris"): 8, ("P3", "Chloe"): 6,
        ("P3", "Ben"): 3, ("P4", "Iris"): 9,
    }  # fmt: skip
    assert tuple(reading.score_cells) == ("C2", "E2", "C3", "E3", "C4", "E4", "C5")
    assert reading.assessor_cells == ("B2", "D2", "B4")
    assert reading.object_cells == ("A2", "A3", "A4", "A5")


def test_what_is_not_read_is_said(read, said):
    decision = said(read(ROWS), "slots with names")
    assert "Average score" in decision.sentence
    assert decision.cells == ("F1",)


def test_the_fingerprint_is_that_of_the_cells(read):
    same = read(ROWS).fingerprint
    for row, column in ((1, 1), (1, 2), (2, 4), (4, 0)):
        changed = [list(cells) for cells in ROWS]
        changed[row][column] = "Ann" if isinstance(changed[row][column], str) else 1
        assert read(changed).fingerprint != same
    assert read([HEAD, *[[*row[:5], 0] for row in ROWS[1:]]]).fingerprint == same


@pytest.mark.parametrize(
    ("who", "score"),
    [
        (["Reviewer 1", "Reviewer 2"], ["Score 1", "Score 2"]),
        (["Judge #1 Name", "Judge #2 Name"], ["Judge #1 Score", "Judge #2 Score"]),
        (["First marker", "Second marker"], ["First mark", "Second mark"]),
        (["Erster Gutachter", "Zweiter Gutachter"], ["Erste Note", "Zweite Note"]),
        (["Reviewer1_email", "Reviewer2_email"], ["Reviewer1_score", "Reviewer2_score"]),
        (["Evaluator A", "Evaluator B"], ["Score A", "Score B"]),
        (["Judge", "Judge"], ["Score", "Score"]),
    ],
)
def test_slots_are_headed_in_many_ways(read, who, score):
    rows = [["Paper", who[0], score[0], who[1], score[1]], *[row[:5] for row in ROWS[1:]]]
    assert sorted(read(rows).panel.assessors) == ["Ben", "Chloe", "Iris"]


def test_slots_may_have_confidences(read):
    head = ["Paper", "Reviewer 1", "Score 1", "Confidence 1", "Reviewer 2", "Score 2", "Confidence 2"]
    rows = [
        head,
        ["P1", "Iris", 7, 2, "Ben", 5, 3],
        ["P2", "Ben", 4, 1, "Iris", 8, 4],
        ["P3", "Iris", 6, 5, "Ben", 3, 2],
    ]
    assert read(rows).panel.confidences.tolist() == [2, 3, 1, 4, 5, 2]


def test_a_score_without_a_name_stops(refused):
    rows = [list(row) for row in ROWS]
    rows[2][3] = None
    assert "D3" in refused(rows)


def _places(count, missing=(), word="Judge"):
    rows = [["Paper", *[f"{word} {k}" for k in range(1, count + 1)]]]
    for i in range(12):
        rows.append([f"P{i}", *[None if (i, k) in missing else 40 + (7 * i + 11 * k * k) % 50 for k in range(count)]])
    return rows


def test_slots_without_names_are_asked_about(read):
    rows = _places(3)
    rows[0] = ["Paper", "Reviewer #1", "Reviewer #2", "Reviewer #3"]
    with pytest.raises(InputRefused) as refusal:
        read(rows)
    assert dict(refusal.value.questions[0].answers[0].gives) == {"include": ("Reviewer #*",)}
    reading = read(rows, settings={"Count in": "Reviewer #*"})
    assert reading.panel.assessors == ("Reviewer #1", "Reviewer #2", "Reviewer #3")


def test_slots_filled_from_the_left_are_asked_about(refused):
    assert "like people" in refused(_places(3, {(2, 2), (5, 2), (7, 2), (9, 1), (9, 2)}))


@pytest.mark.parametrize("missing", [set(), {(2, 2), (5, 0), (7, 1), (9, 1)}])
def test_numbered_people_are_not_asked_about(read, missing):
    assert read(_places(3, missing)).panel.n_assessors == 3


@pytest.mark.parametrize("word", ["Marker", "Reviewer", "Examiner", "Gutachter"])
def test_two_markers_are_asked_about(refused, word):
    assert "like people" in refused(_places(2, word=word))


def test_modules_with_numbers_are_not_asked_about(read):
    missing = {(2, 2), (5, 2), (7, 2), (9, 1), (9, 2)}
    assert read(_places(3, missing, "Algebra")).panel.n_assessments == 31


def test_headings_may_be_short(read):
    rows = [["Paper", "R1 name", "R1 score", "R2 name", "R2 score"], *[row[:5] for row in ROWS[1:]]]
    assert sorted(read(rows).panel.assessors) == ["Ben", "Chloe", "Iris"]


def test_criteria_in_slots_are_asked_about(read):
    head = ["Paper"] + [f"Reviewer {k} {what}" for k in (1, 2) for what in ("name", "clarity", "impact")]
    rows = [
        head,
        ["P1", "Iris", 7, 2, "Ben", 5, 3],
        ["P2", "Ben", 4, 1, "Iris", 8, 4],
        ["P3", "Iris", 6, 5, "Ben", 3, 2],
    ]
    with pytest.raises(InputRefused) as refusal:
        read(rows)
    first, second = refusal.value.questions[0].answers
    assert first.gives["exclude"] == ("Reviewer 1 impact", "Reviewer 2 impact")
    reading = read(rows, settings={"Leave out": "; ".join(second.gives["exclude"])})
    assert reading.panel.scores.tolist() == [2, 3, 1, 4, 5, 2]


def test_one_criterion_in_slots_is_the_score(read):
    head = ["Paper", "Reviewer 1 name", "Reviewer 1 clarity", "Reviewer 2 name", "Reviewer 2 clarity"]
    assert sorted(read([head, *[row[:5] for row in ROWS[1:]]]).panel.assessors) == ["Ben", "Chloe", "Iris"]


def test_numbers_that_count_the_reviews_of_a_paper_are_asked_about(read):
    rows = [["Paper", "Reviewer number", "Score"]]
    rows += [[f"P{i}", k + 1, 40 + (7 * i + 11 * k * k) % 50] for i in range(12) for k in range(2 + i % 3)]
    with pytest.raises(InputRefused) as refusal:
        read(rows)
    assert refusal.value.questions[0].answers[0].gives == {"include": ("Reviewer number",)}
    assert read(rows, settings={"Count in": "Reviewer number"}).panel.n_assessors == 4


def test_numbers_of_people_are_not_asked_about(read):
    rows = [["Paper", "Judge", "Score"]]
    rows += [[f"P{i}", (i + k) % 4 + 1, 40 + (7 * i + 11 * k * k) % 50] for i in range(12) for k in range(2)]
    assert read(rows).panel.n_assessors == 4


@pytest.mark.parametrize("head", [["1st mark", "2nd mark"], ["Mark 1", "Mark 2"]])
def test_marks_by_nobody_are_asked_about(refused, head):
    rows = _places(2)
    rows[0] = ["Candidate", *head]
    assert "like people" in refused(rows)


def test_the_mark_agreed_on_is_nobodys(read):
    rows = [["Candidate", "Internal", "External", "Final agreed mark"]]
    rows += [[k, 40 + 7 * k * k % 43, 42 + 7 * k * k % 41, 41 + 7 * k * k % 42] for k in range(12)]
    assert read(rows).panel.assessors == ("Internal", "External")
