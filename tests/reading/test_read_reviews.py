"""The sheet Reviews: the consensus of anchors from reviews and an adjudicator, its rules, and what stops it."""

import numpy as np
import pytest

from panelcal.errors import InputRefused
from panelcal.reading.anchors.read_anchors import read_anchor_study
from panelcal.reading.grid import CellError, Source
from panelcal.reporting.run_facts import RunFacts
from panelcal.systems.anchors.report import build_anchor_report
from panelcal.systems.anchors.results import compute_anchor_results

HEAD = ["Anchor", "Ann", "Ben", "Cleo", "Adjudicated", "Remark"]
REVIEWS = [
    ["A0", 0, 2, 4, None, "clear"],
    ["A1", 10, 12, "14 ", None, None],
    ["A2", 10, 40, 25, 21, "apart"],
    ["A3", 30, 32, "n/a", None, None],
    ["A4", 41, 40, 42, None, None],
    ["A5", 52, 50, 51, 53, None],
]
CONSENSUS = [2, 12, 21, 31, 41, 53]
G1, G2 = [5, 15, 22, 31, 44, 52], [20, 24, 33, 41, 47, 58]
ANCHORS = [["Anchor", "G1", "G2"], *([f"A{k}", G1[k], G2[k]] for k in range(6))]
SCORES = [["Manuscript", "G1", "G2"], ["M1", 12, 30], ["M2", 40, None], ["M3", 0, 55]]


@pytest.fixture
def study(grid):
    def build(rows=REVIEWS, *, above=(), anchors=ANCHORS):
        sheets = [grid(anchors, "Anchors"), grid([*above, HEAD, *rows], "Reviews"), grid(SCORES, "Scores")]
        return read_anchor_study(Source("agents.xlsx", tuple(sheets), "Scores"))

    return build


def changed(row, *values):
    return [list(values) if old[0] == row else old for old in REVIEWS]


def test_the_consensus_comes_from_the_reviews_and_the_adjudicator(study, said):
    bank = study().bank
    assert bank.consensus.tolist() == CONSENSUS
    assert bank.reviews.reviewers == ("Ann", "Ben", "Cleo")
    assert (bank.consensus_sheet(3), bank.consensus_cells[3]) == ("Reviews", "A5")
    sentence = said(study(), "consensus of reviews").sentence
    assert "of 6 anchors 2 by the adjudicator, the others the mean" in sentence


def test_disagreement_stops_with_the_cells_until_it_is_adjudicated(study):
    open_rows = [["A1", 10, 40, 25, None, None], ["A3", 30, None, None, None, None]]
    rows = [next((one for one in open_rows if one[0] == row[0]), row) for row in REVIEWS]
    with pytest.raises(InputRefused, match=r"20 or more points apart, or fewer than two.*under Adjudicated") as refusal:
        study(rows)
    assert refusal.value.cells == ("Reviews!A3", "Reviews!A5")


@pytest.mark.parametrize(
    ("above", "expected"),
    [
        ([["Adjudicate from points apart", 31]], [2, 25, 21, 31, 41, 53]),
        ([["Adjudicate from points apart", 31, "Consensus is", "median"]], [2, 25, 21, 31, 41, 53]),
        ([["Title"], ["Not adjudicated", "keep"], ["Consensus is", "median"]], [2, 25, 21, 31, 41, 53]),
        ([["Not adjudicated", "leave out"]], [2, 21, 31, 41, 53]),
    ],
)
def test_the_rules_above_the_headings(study, said, above, expected):
    reading = study(changed("A1", "A1", 10, 40, 25, None, None), above=above)
    assert reading.bank.consensus.tolist() == expected
    if len(expected) < len(REVIEWS):
        assert said(reading, "not adjudicated").cells == ("A4",)
        assert reading.bank.n_anchors == reading.bank.scores.shape[2] == len(expected)


@pytest.mark.parametrize(
    ("rows", "above", "words"),
    [
        (changed("A1", "A1", 10, 120, 12, None, None), [], "Cell C3 on sheet Reviews holds no number from 0 to 100"),
        (changed("A1", "A1", 10, CellError("#REF!"), 12, None, None), [], "Cell C3 on sheet Reviews holds no number"),
        (changed("A1", "A0", 10, 12, 12, None, None), [], "Cell A3 on sheet Reviews names an anchor a second time"),
        (REVIEWS, [["Consensus is", "best"]], "Cell B1 on sheet Reviews needs mean or median"),
        (REVIEWS, [["Adjudicate from points apart", -3]], "Cell B1 on sheet Reviews needs a number above 0"),
        (REVIEWS[1:], [], "Cell A2 on sheet Anchors names an anchor without a consensus"),
    ],
)
def test_what_cannot_be_read_is_named_by_its_cell(study, rows, above, words):
    with pytest.raises(InputRefused, match=words):
        study(rows, above=above)


def test_a_typed_consensus_beside_reviews_is_refused_and_without_reviews_counts(study):
    both = [["Anchor", "Consensus", "G1", "G2"], *([f"A{k}", 5 if k == 2 else None, G1[k], G2[k]] for k in range(6))]
    with pytest.raises(InputRefused, match="with reviews on sheet Reviews"):
        study(anchors=both)
    assert study([row for row in REVIEWS if row[0] != "A2"], anchors=both).bank.consensus[2] == 5


def test_an_empty_sheet_of_reviews_is_not_looked_at(study):
    typed = [["Anchor", "Consensus", "G1", "G2"], *([f"A{k}", CONSENSUS[k], G1[k], G2[k]] for k in range(6))]
    assert study([], above=[["Adjudicate from points apart", 20]], anchors=typed).bank.reviews is None


def listed(rows=REVIEWS, *, own_column=False):
    """The same reviews with a row for each."""
    lines = [[row[0], who, value] for row in rows for who, value in zip(HEAD[1:4], row[1:4], strict=True)]
    if own_column:
        words = {row[0]: row[4] for row in rows}
        return [[*line, words[line[0]]] for line in lines]
    return lines + [[row[0], "Adjudicator", row[4]] for row in rows if row[4] is not None]


@pytest.fixture
def study_of_list(grid):
    def build(rows, head=("Anchor", "Reviewer", "Rating"), above=(), anchors=ANCHORS):
        sheets = [grid(anchors, "Anchors"), grid([*above, list(head), *rows], "Reviews"), grid(SCORES, "Scores")]
        return read_anchor_study(Source("agents.xlsx", tuple(sheets), "Scores"))

    return build


@pytest.mark.parametrize("head", [("Anchor", "Reviewer", "Rating"), ("Proposal", "Judge", "Score")])
@pytest.mark.parametrize("own_column", [False, True])
def test_a_list_with_a_row_for_each_review_gives_the_same_consensus(study, study_of_list, head, own_column):
    heads = (*head, "Adjudicated") if own_column else head
    one, other = study_of_list(listed(own_column=own_column), heads).bank, study().bank
    assert one.consensus.tolist() == other.consensus.tolist() == CONSENSUS
    assert one.reviews.reviewers == other.reviews.reviewers
    assert np.array_equal(one.reviews.reviews, other.reviews.reviews, equal_nan=True)
    above = [["Not adjudicated", "leave out"]]
    rows = listed(changed("A1", "A1", 10, 40, 25, None, None))
    assert study_of_list(rows, head, above).bank.consensus.tolist() == [2, 21, 31, 41, 53]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (["A1", "Ann", 11], "Cell C22 on sheet Reviews is a second review"),
        (["A2", "Adjudicator", 33], "Cell C22 on sheet Reviews is a second review"),
        (["A1", None, 11], "Cell B22 on sheet Reviews needs a name"),
        ([None, "Ann", 11], "Cell A22 on sheet Reviews needs a name"),
        (["A1", "Dora", 111], "Cell C22 on sheet Reviews holds no number from 0 to 100"),
    ],
)
def test_what_cannot_be_read_in_such_a_list_is_named_by_its_cell(study_of_list, row, words):
    with pytest.raises(InputRefused, match=words):
        study_of_list([*listed(), row])


def test_a_list_of_other_things_is_not_taken_for_reviews_of_the_anchors(study_of_list):
    typed = [["Anchor", "Consensus", "G1", "G2"], *([f"A{k}", CONSENSUS[k], G1[k], G2[k]] for k in range(6))]
    others = [["P1", "Ann", 5], ["P1", "Ben", 7], ["P2", "Ann", 3]]
    assert study_of_list(others, ("Proposal", "Reviewer", "Rating"), anchors=typed).bank.reviews is None


@pytest.mark.slow
def test_the_agreement_stands_on_cal_anchors_and_cal_audit(study):
    rows = [["A9", 50, 60, 55, None, None], *REVIEWS]
    results = compute_anchor_results(study(rows))
    report = build_anchor_report(results, RunFacts(created="2026-01-01T00:00:00"))
    sheet = next(sheet for sheet in report.sheets if sheet.name == "Cal anchors")
    bank, agreement = sheet.tables
    by = {column.heading: list(column.cells) for column in bank.columns}
    basis = dict(zip(by["Anchor"], by["Consensus by"], strict=True))
    assert basis["A2"] == basis["A5"] == "adjudicator" and basis["A1"] == "mean"
    found = dict(zip(agreement.columns[0].cells, agreement.columns[1].cells, strict=True))
    reviews = np.array([[np.nan if cell == "n/a" else float(cell) for cell in row[1:4]] for row in rows])
    pairs = np.concatenate([np.abs(reviews[:, i] - reviews[:, j]) for i, j in ((0, 1), (0, 2), (1, 2))])
    assert found["Points between two reviews"] == pytest.approx(np.nanmean(pairs))
    assert 0 < found["Krippendorff's alpha"] <= agreement.columns[2].cells[1] + 1e-12
    audit = next(sheet for sheet in report.sheets if sheet.name == "Cal audit")
    shown = [cell for column in audit.tables[0].columns for cell in column.cells]
    assert "Krippendorff's alpha of the reviews" in shown
    assert any("Reviewed, but not on sheet Anchors: A9" in str(cell) for cell in shown)
