"""Anchors and agents' scores as people keep them: every layout, decision and refusal, with its cells."""

from datetime import datetime

import numpy as np
import pytest

from panelcal.errors import InputRefused, SheetUnclear
from panelcal.reading.anchors.anchor_headings import AnchorRole, anchor_role
from panelcal.reading.anchors.check_dates import moment_of
from panelcal.reading.anchors.read_anchors import read_anchor_study
from panelcal.reading.grid import CellError, Source, Uncalculated
from panelcal.reading.settings import Settings

CONSENSUS = [0, 10, 20, 30, 40, 50]
G1 = [5, 15, 22, 31, 44, 52]
G2 = [20, 24, 33, 41, 47, 58]
SCORES = [["Manuscript", "G1", "G2"], ["M1", 12, 30], ["M2", 40, None], ["M3", 0, 55]]


def anchors(head=("Anchor", "Consensus", "G1", "G2")):
    return [list(head), *([f"A{k}", CONSENSUS[k], G1[k], G2[k]] for k in range(6))]


@pytest.fixture(scope="session")
def study(grid, settings_grid):
    """Read rows as the sheets Anchors and Scores."""

    def build(
        anchor_rows, score_rows=None, *, settings=None, more=(), active="Scores", names=("Anchors", "Scores"), **facts
    ):
        sheets = [grid(anchor_rows, names[0], **facts), grid(score_rows or SCORES, names[1]), *more]
        if settings is not None:
            sheets.append(settings_grid(settings))
        return read_anchor_study(Source("agents.xlsx", tuple(sheets), active))

    return build


@pytest.fixture(scope="session")
def no(study):
    """Read what must be refused, and return the message and the cells."""

    def build(*rows, **options):
        with pytest.raises(InputRefused) as refusal:
            study(*rows, **options)
        return str(refusal.value), refusal.value.cells

    return build


def test_a_row_for_each_anchor_and_a_column_for_each_agent(study):
    reading = study(anchors())
    bank = reading.bank
    assert bank.ids == tuple(f"A{k}" for k in range(6))
    assert bank.consensus.tolist() == CONSENSUS
    assert (bank.agents, bank.dates) == (("G1", "G2"), ("",))
    assert bank.scores.tolist() == [[G1, G2]]
    assert (bank.cells[0], bank.consensus_cells[5], bank.agent_cells) == ("A2", "B7", ("C1", "D1"))
    assert reading.items == ("M1", "M2", "M3")
    np.testing.assert_array_equal(reading.scores, [[12, 40, 0], [30, np.nan, 55]])
    assert (reading.item_cells, reading.agent_cells) == (("A2", "A3", "A4"), ("B1", "C1"))
    assert (reading.nouns.object, reading.nouns.assessor, reading.nouns.score) == ("Manuscript", "Agent", "Score")
    assert reading.summary == "3 manuscripts in A2:A4 and 2 agents in B1:C1, with 6 anchors on sheet Anchors"
    assert reading.bounds == (0, 100)


def test_a_title_labels_codes_and_text_numbers_are_taken_in(study, said):
    rows = [["Anchor bank 2026"], [], ["Anchor id", "Severity tier", "Topical cluster", "Human consensus", "G1", "G2"]]
    rows += [[f"A{k}", "low" if k < 3 else "high", "X", CONSENSUS[k], G1[k], G2[k]] for k in range(6)]
    rows[4][4], rows[5][5] = "n/a", "33,5 "
    rows += [["Mean", None, None, 25, 28, 37], [], ["Scored by the vendor."]]
    reading = study(rows)
    assert reading.bank.tiers == ("low",) * 3 + ("high",) * 3
    assert reading.bank.clusters == ("X",) * 6
    assert np.isnan(reading.bank.scores[0, 0, 1])
    assert reading.bank.scores[0, 1, 2] == 33.5
    excluded = said(reading, "code excluded")
    assert (excluded.cells, excluded.sheet, excluded.excluded_scores) == (("E5",), "Anchors", 1)
    assert said(reading, "text read as number").cells == ("F6",)
    assert said(reading, "statistics row").cells == ("A10:F10",)
    assert said(reading, "note").cells == ("A12",)


def by_week(weeks):
    rows = [["Anchor", "Consensus", "Week", "G1", "G2"]]
    return rows + [[f"A{k}", CONSENSUS[k], w, G1[k] + i, G2[k] - i] for i, w in enumerate(weeks) for k in range(6)]


def blocks_beside(dates):
    top, head = [None, None], ["Anchor", "Consensus"]
    for date in dates:
        top += [date, None]
        head += ["G1", "G2"]
    body = [[f"A{k}", CONSENSUS[k], *(v for i in range(2) for v in (G1[k] + i, G2[k] - i))] for k in range(6)]
    return [top, head, *body]


def blocks_below(dates):
    rows = []
    for i, date in enumerate(dates):
        rows += [[date], ["Anchor", "Consensus", "G1", "G2"]]
        rows += [[f"A{k}", CONSENSUS[k] if i == 0 else None, G1[k] + i, G2[k] - i] for k in range(6)]
        rows += [[]]
    return rows


def long_list(dates):
    rows = [["Agent", "Anchor", "Date", "Score", "Consensus"]]
    for i, date in enumerate(dates):
        for k in range(6):
            rows += [["G2", f"A{k}", date, G2[k] - i, CONSENSUS[k]], ["G1", f"A{k}", date, G1[k] + i, None]]
    return rows


@pytest.mark.parametrize("layout", [by_week, blocks_beside, blocks_below, long_list])
@pytest.mark.parametrize(
    ("dates", "labels"),
    [
        ((datetime(2026, 3, 2), datetime(2026, 3, 9)), ("2026-03-02", "2026-03-09")),
        (("2026-03-02", "9 Mar 2026"), ("2026-03-02", "2026-03-09")),
        (("Week 9", "W10"), ("week 9", "week 10")),
    ],
)
def test_several_dates_are_read_alike_from_every_layout(study, layout, dates, labels):
    bank = study(layout(dates)).bank
    assert bank.dates == labels
    assert bank.agents == ("G1", "G2")
    g1, g2 = np.array(G1), np.array(G2)
    assert bank.scores.tolist() == [[g1.tolist(), g2.tolist()], [(g1 + 1).tolist(), (g2 - 1).tolist()]]


def test_later_dates_come_later_whatever_the_order_of_the_rows(study):
    rows = by_week((2, 1))
    assert study(rows).bank.dates == ("week 1", "week 2")
    assert study(rows).bank.scores[1, 0].tolist() == G1


def test_a_blank_column_of_weeks_means_one_date(study):
    assert study(by_week((None,))).bank.dates == ("",)
    blank = [[row[0], None if k else "Week", *row[1:]] for k, row in enumerate(SCORES)]
    assert study(by_week((1, 2)), blank).score_dates.tolist() == [[1, 1, 1]] * 2


def test_scores_are_given_the_anchors_of_their_time(study, said):
    scores = [["Manuscript", "Week", "G1", "G2"], ["M1", 0, 1, 2], ["M2", 1, 1, 2], ["M3", 1, 3, 4], ["M4", 7, 5, 6]]
    reading = study(by_week((1, 3)), scores)
    assert reading.score_dates.tolist() == [[0, 0, 0, 1]] * 2
    assert said(reading, "before the first anchors").weight == "warning"
    undated = study(by_week((1, 3)))
    assert set(undated.score_dates.ravel().tolist()) == {1}
    assert "week 3, the last date" in said(undated, "latest anchors").sentence


def test_a_long_list_of_scores_with_dates_and_known_values(study, said):
    scores = [["Item", "Agent", "Score", "Scored on", "Consensus"]]
    scores += [["P1", "G2", 30, "2026-03-03", 25], ["P1", "G1", 12, "2026-03-10", None], ["P2", "G1", 44, "2026-03-03"]]
    reading = study(by_week(("2026-03-02", "2026-03-09")), scores)
    assert reading.agents == ("G2", "G1")
    assert reading.bank.agents == ("G2", "G1")
    np.testing.assert_array_equal(reading.scores, [[30, np.nan], [12, 44]])
    assert (reading.score_dates[0, 0], reading.score_dates[1, 0]) == (0, 1)
    np.testing.assert_array_equal(reading.consensus, [25, np.nan])
    assert "1 of 2 items" in said(reading, "consensus of items").sentence


def test_an_agent_without_scores_is_kept_and_said(study, said):
    reading = study(anchors(), [["Manuscript", "G2"], ["M1", 30], ["M2", 50]])
    assert (reading.agents, reading.bank.agents) == (("G2",), ("G2", "G1"))
    assert reading.bank.scores[0, 0].tolist() == G2
    assert said(reading, "agent without scores").cells == ("C1",)


def test_columns_about_anchors_are_listed_and_text_is_not_an_agent(study, said):
    rows = anchors(("Anchor", "Consensus", "G1", "G2"))
    rows = [[*row, note, mean] for row, note, mean in zip(rows, ["Remarks", *"abcdef"], ["Mean", *G1], strict=True)]
    rows = [[*row, text] for row, text in zip(rows, ["Vendor", *"uvwxyz"], strict=True)]
    reading = study(rows)
    assert reading.bank.agents == ("G1", "G2")
    assert said(reading, "column not read").cells == ("E1", "F1")
    assert said(reading, "text column").cells == ("G1",)


def test_the_fingerprint_changes_with_any_cell_that_counts(study):
    base = study(anchors()).fingerprint
    other = anchors()
    other[3][2] += 1
    assert study(other).fingerprint != base
    labelled = [[*row, "tier" if k == 0 else "x"] for k, row in enumerate(anchors())]
    assert study(labelled).fingerprint != base
    assert study(anchors(), [*SCORES[:3], ["M3", 0, 56]]).fingerprint != base
    assert study(anchors()).fingerprint == base


def test_errors_text_dates_and_uncalculated_cells_are_all_named_in_one_message(no):
    rows = anchors()
    rows[1][2], rows[2][3], rows[3][1], rows[4][3] = (
        CellError("#N/A"),
        "good",
        Uncalculated("=A1"),
        datetime(2026, 1, 2),
    )
    scores = [*SCORES[:2], ["M2", "fine", None], ["M3", CellError("#REF!"), 55]]
    message, cells = no(rows, scores)
    assert set(cells) == {"Anchors!C2", "Anchors!D3", "Anchors!B4", "Anchors!D5", "Scores!B3", "Scores!B4"}
    assert '"good"' in message and "#N/A" in message and '"fine"' in message
    assert len([line for line in message.splitlines() if not line.startswith("- ")]) == len(cells)


@pytest.mark.parametrize("sheet", ["Anchors", "Scores"])
def test_scores_outside_a_declared_scale_stop(no, sheet):
    rows, scores = anchors(), [list(row) for row in SCORES]
    (rows if sheet == "Anchors" else scores)[2][2] = 650
    message, cells = no(rows, scores, settings={"Lowest score": 0, "Highest score": 100})
    assert "outside the scale from 0 to 100" in message
    assert cells == (f"{sheet}!C3",)


def test_agents_may_have_scales_of_their_own_where_none_is_declared(study):
    rows, scores = anchors(), [list(row) for row in SCORES]
    rows[1][2], scores[2][1] = -3, 650
    reading = study(rows, scores)
    assert (reading.bank.scores[0, 0, 0], reading.scores[0, 1]) == (-3, 650)


def test_a_consensus_outside_the_scale_stops_even_without_a_declaration(no, study):
    rows = anchors()
    rows[6][1] = 150
    message, cells = no(rows)
    assert "consensus outside the scale from 0 to 100" in message
    assert cells == ("Anchors!B7",)
    assert study(rows, settings={"Lowest score": 0, "Highest score": 200}).bounds == (0, 200)


def test_an_anchor_twice_stops(no):
    message, cells = no([*anchors(), ["A2", 20, 21, 22]])
    assert 'second time ("A2")' in message and "add a column Date" in message
    assert cells == ("Anchors!C8",)
    message, cells = no([*by_week((1, 2)), ["A2", 20, 2, 21, 22]])
    assert "same agent and date" in message
    assert cells == ("Anchors!D14",)


def test_an_anchor_needs_one_consensus(no):
    rows = anchors()
    rows[2][1] = None
    rows[4][1] = "n/a"
    message, cells = no(rows)
    assert set(cells) == {"Anchors!A3", "Anchors!A5"}
    assert 'without a consensus ("A1")' in message and 'is a code ("A3")' in message
    twice = by_week((1, 2))
    twice[8][1] = 99
    message, cells = no(twice)
    assert "another consensus" in message and cells == ("Anchors!B9",)


def test_agents_are_matched_by_name_and_never_guessed(no):
    message, cells = no(anchors(), [["Manuscript", "g1", "G2", "G7"], ["M1", 1, 2, 3], ["M2", 1, 2, 3]])
    assert 'names "g1" and cell C1 on sheet Anchors names "G1": spell the agent alike' in message
    assert 'without scores of anchors on sheet Anchors ("G7")' in message
    assert set(cells) == {"Scores!B1", "Scores!D1"}


def test_an_agent_whose_anchors_are_all_blank_has_no_anchors(no):
    rows = [[*row[:3], None] for row in anchors()]
    rows[0][3] = "G2"
    message, cells = no(rows)
    assert "without scores of anchors" in message and cells == ("Scores!C1",)


def test_numbers_without_an_anchor_or_an_agent_stop(no):
    rows = anchors()
    rows[3][0] = None
    rows = [[*row, value] for row, value in zip(rows, [None, *G1], strict=True)]
    message, cells = no(rows)
    assert "no anchor" in message and "no heading" in message
    assert set(cells) == {"Anchors!B4:E4", "Anchors!E2:E7"}


def test_merged_cells_among_the_anchors_stop(no):
    message, cells = no(anchors(), merged=((2, 3, 3, 3),))
    assert "merged" in message and cells == ("Anchors!C2:C3",)


@pytest.mark.parametrize(
    ("value", "shown"), [("03/04/2026", "03/04/2026"), ("soon", "soon"), (CellError("#N/A"), "#N/A")]
)
def test_a_date_that_cannot_be_read_stops(no, value, shown):
    rows = by_week((1, 2))
    rows[7][2] = value
    message, cells = no(rows)
    assert f'"{shown}"' in message and "date is expected" in message
    assert cells == ("Anchors!C8",)


def test_dates_and_weeks_do_not_mix(no):
    message, cells = no(by_week((1, datetime(2026, 3, 2))))
    assert "written in another way" in message and len(cells) == 6
    scores = [["Manuscript", "Date", "G1"], ["M1", datetime(2026, 3, 2), 5], ["M2", datetime(2026, 3, 2), 6]]
    message, _ = no(by_week((1, 2)), scores)
    assert "Scores has dates" in message and "Anchors has numbers" in message


def test_some_rows_without_a_date_stop(no):
    rows = by_week((1, 2))
    rows[9][2] = None
    message, cells = no(rows)
    assert "blank where other rows have a date" in message and cells == ("Anchors!C10",)


def test_hidden_rows_and_columns_are_included_and_said_or_excluded(study, said):
    rows = anchors()
    reading = study(rows, hidden_rows=frozenset({3}))
    assert reading.bank.n_anchors == 6
    assert said(reading, "hidden included").cells == ("A3:D3",)
    reading = study(rows, settings={"Hidden rows and columns": "exclude"}, hidden_rows=frozenset({3}))
    assert "A1" not in reading.bank.ids
    hidden = {"hidden_columns": frozenset({4})}
    reading = study(rows, [r[:2] for r in SCORES], settings={"Hidden rows and columns": "exclude"}, **hidden)
    assert reading.bank.agents == ("G1",)
    assert said(reading, "hidden excluded").cells == ("D1",)


def test_the_sheets_are_found_by_their_headings(grid, study, no):
    assert study(anchors(), names=("Bank of 2026", "June")).sheet == "June"
    assert study(anchors(), active="Anchors").sheet == "Scores"
    two = grid(SCORES, "July")
    with pytest.raises(SheetUnclear, match="Several sheets could hold the scores"):
        study(anchors(), names=("Anchors", "June"), more=(two,), active="Anchors")
    assert study(anchors(), names=("Anchors", "June"), more=(two,), active="July").sheet == "July"
    assert "Several sheets could hold the anchors" in no(anchors(), more=(grid(anchors(), "Old anchors"),))[0]


def test_a_named_sheet_is_read(grid):
    source = Source("a.xlsx", (grid(anchors(), "Anchors"), grid(SCORES, "June"), grid(SCORES[:3], "July")), "June")
    assert read_anchor_study(source, sheet="july").items == ("M1", "M2")
    with pytest.raises(InputRefused, match="no sheet called May"):
        read_anchor_study(source, sheet="May")


def test_what_is_missing_is_said_with_what_to_do(no, grid):
    message, _ = no([row[:1] + row[2:] for row in anchors()])
    assert "Sheet Anchors has no heading Consensus" in message
    message, _ = no([["x", "y"], ["a", 1]], names=("Sheet1", "Scores"))
    assert "No sheet of agents.xlsx holds anchors" in message
    message, _ = no(anchors(), [["nothing here"]])
    assert "no sheet with scores to calibrate" in message
    message, _ = no([["Anchor", "Consensus", "G1"], [None, None, None]])
    assert "no anchor below them" in message
    message, _ = no([["Anchor", "Consensus", "G1"]], [["nothing here"]])
    assert "no anchor below them" in message


def test_the_scale_needs_both_ends_in_order(no):
    message, _ = no(anchors(), settings={"Lowest score": 100})
    assert "from 100 to 100" in message


def test_repeated_scores_follow_the_setting(study, no):
    scores = [["Item", "Agent", "Score"], ["P1", "G1", 10], ["P1", "G1", 20], ["P2", "G2", 5]]
    assert "repeats an earlier" in no(anchors(), scores)[0]
    kept = study(anchors(), scores, settings={"Repeated assessments": "keep both"})
    assert kept.scores[0, 0] == 15
    assert study(anchors(), scores, settings={"Repeated assessments": "last"}).scores[0, 0] == 20


@pytest.mark.parametrize(
    ("heading", "role"),
    [
        ("Anchor", AnchorRole.ANCHOR),
        ("Anchor manuscript", AnchorRole.ANCHOR),
        ("Human consensus (0-100)", AnchorRole.CONSENSUS),
        ("Consensus severity", AnchorRole.CONSENSUS),
        ("Date scored", AnchorRole.DATE),
        ("Week", AnchorRole.DATE),
        ("Severity tier", AnchorRole.TIER),
        ("Topical cluster", AnchorRole.CLUSTER),
        ("Manuscript", AnchorRole.ITEM),
        ("Agent", AnchorRole.AGENT),
        ("Score", AnchorRole.SCORE),
        ("Mean", AnchorRole.NOT_READ),
        ("G1", AnchorRole.OTHER),
        ("Reviewer 2", AnchorRole.OTHER),
        ("GPT-4 level", AnchorRole.OTHER),
    ],
)
def test_headings_are_taken_as_a_whole(heading, role):
    assert anchor_role(heading, Settings()) is role


@pytest.mark.parametrize(
    ("value", "heading", "label"),
    [
        (3, "Week", "week 3"),
        ("3", "Week", "week 3"),
        ("wk 12", None, "week 12"),
        ("2026-W10", None, "2026-03-02"),
        (datetime(2026, 3, 2, 12), None, "2026-03-02 12:00:00"),
        ("March 2, 2026", None, "2026-03-02"),
        (7, "Round", "round 7"),
        (7, "Scored", "7"),
    ],
)
def test_moments_are_read_and_named(value, heading, label):
    assert moment_of(value, heading).label == label


@pytest.mark.parametrize("value", ["02/03/2026", "soon", "2026-W60", True, None, "2026-13-01"])
def test_what_could_be_read_in_two_ways_is_no_moment(value):
    assert moment_of(value, "Week") is None


@pytest.mark.parametrize("place", [(0, 0), (0, 2), (0, 4), (2, 0), (2, 1), (2, 2), (2, 3), (2, 4), (6, 5)])
def test_an_error_anywhere_on_the_anchors_is_refused_by_its_cell(no, place):
    rows = [["Anchor", "Tier", "Cluster", "Consensus", "G1", "G2"]]
    rows += [[f"A{k}", "low", "X", CONSENSUS[k], G1[k], G2[k]] for k in range(6)]
    i, j = place
    rows[i][j] = CellError("#N/A")
    message, _ = no(rows)
    assert f"Cell {'ABCDEF'[j]}{i + 1} on sheet Anchors" in message


@pytest.mark.parametrize("place", [(0, 1), (1, 0), (1, 1), (3, 2)])
def test_an_error_anywhere_among_the_scores_is_refused_by_its_cell(no, place):
    i, j = place
    rows = [list(row) for row in SCORES]
    rows[i][j] = CellError("#DIV/0!")
    message, _ = no(anchors(), rows)
    assert f"Cell {'ABC'[j]}{i + 1} on sheet Scores" in message
