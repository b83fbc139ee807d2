"""Known exports are recognised, said, listed in the guide, and overruled by the user."""

from pathlib import Path

import pytest

from panelcal.reading.exports import KNOWN, recognised
from panelcal.reading.table import table_of

ROOT = Path(__file__).resolve().parents[2]
TABBYCAT = [
    ["Round", "Adjudicator", "Second chair", "Speaker", "Score", "Margin"],
    *[[1, f"Adj {k % 3}", f"Chair {k % 2}", f"S{k // 2}", 70 + k, k] for k in range(8)],
]


def test_the_guide_lists_every_export():
    page = (ROOT / "docs/guide/exports.md").read_text("utf-8")
    for known in KNOWN:
        assert f"| {known.name} |" in page


def test_what_was_recognised_is_said_first(read):
    first = read(TABBYCAT).decisions[0]
    assert first.kind == "known export"
    assert first.sentence == (
        "This is a Tabbycat list of ballots, going by its headings; read from it: what is assessed from Speaker, who "
        "assessed it from Adjudicator, the scores from Score."
    )


def test_what_the_user_says_goes_first(read):
    reading = read(TABBYCAT, settings={"Column of assessors": "Second chair"})
    assert sorted(reading.panel.assessors) == ["Chair 0", "Chair 1"]


@pytest.mark.parametrize(
    "head",
    [
        ["Paper", "Reviewer", "Score", "Comments"],
        ["Student", "ID", "Maths", "Physics"],
        ["Student", "Module", "Mark"],
        ["ID", "Name", "Judge A", "Judge B"],
        ["Speaker", "Judge", "Score"],
        ["Timestamp theory", "Email", "Score"],
    ],
)
def test_ordinary_sheets_are_no_export(grid, head):
    rows = [head, *[[f"x{k}", *[10 + k + j for j in range(len(head) - 1)]] for k in range(5)]]
    assert recognised(table_of(grid(rows))) is None


def test_a_sheet_of_many_columns_is_looked_at_in_no_time(grid):
    rows = [["Student", *[f"M{k}" for k in range(16_000)]], ["S1", *range(16_000)]]
    assert recognised(table_of(grid(rows))) is None


def test_a_grade_exported_in_three_forms_is_read_once(read):
    kinds = ("Real", "Percentage", "Letter")
    head = ["ID number", "Email address", *[f"Quiz: {name} ({kind})" for name in "AB" for kind in kinds]]
    rows = [[*head, "Course total (Real)"]]
    for k in range(6):
        rows.append([f"S{k}", f"s{k}@example.org", 50 + 7 * k % 31, "50 %", "C", 60 + 5 * k % 17, "60 %", "B", 1])
    assert read(rows).panel.assessors == ("Quiz: A (Real)", "Quiz: B (Real)")


def test_an_expertise_that_is_no_number_is_no_confidence(read):
    rows = [["paper", "title", "reviewername", "email", "Overall merit", "Reviewer expertise"]]
    rows += [[k // 2, "T", f"N{k % 3}", f"n{k % 3}@example.org", k % 5 + 1, "XYZ"[k % 3]] for k in range(12)]
    reading = read(rows)
    assert set(reading.panel.confidences) == {1.0}
    assert "confidences" not in reading.decisions[0].sentence


def test_numbered_judges_are_the_only_assessors_of_a_score_sheet(read):
    rows = [["Rank", "Bib", "Name", "Nation", "D", "E1", "E2", "E3", "E4", "E", "Pen.", "Total"]]
    for k in range(9):
        given = [round(7 + (3 * k * k + 5 * e * e + k * e) % 17 / 10, 1) for e in range(4)]
        rows.append([k + 1, 101 + k, f"N{k} N", "XXX", 4 + k % 3 * 0.3, *given, round(sum(given) / 4, 3), None, 12])
    panel = read(rows).panel
    assert panel.assessors == ("E1", "E2", "E3", "E4")
    assert panel.objects[:2] == ("N0 N", "N1 N")


def test_a_letter_behind_a_result_is_no_part_of_the_number(read):
    rows = [["Student ID", "MA1", "MA2", "MA3"], ["Credits", 15, 30, 15]]
    rows += [[f"S{k}", 40 + (7 * k * k) % 47, 45 + (11 * k**3) % 41, 50 + (13 * k * k) % 43] for k in range(10)]
    rows[3][1], rows[4][2], rows[5][3], rows[6][1] = "45R", "40 C", "38*", "NS"
    reading = read(rows)
    assert {45.0, 40.0, 38.0} <= set(reading.panel.scores)
    assert reading.panel.n_assessments == 29
    assert any(decision.kind == "grade read as number" for decision in reading.decisions)
