"""The lists of a plan, as people type them: two lists of their own lengths, and who must not meet whom."""

import pytest

from panelcal.errors import InputRefused, SheetUnclear
from panelcal.reading.grid import CellError, Grid, Source
from panelcal.reading.planning.read_plan import read_plan
from panelcal.reading.read import read_panel

LISTS = [["Talk", "Judge"], ["T1", "Ada"], ["T2", "Ben"], ["T3", "Cleo"], ["T4", None]]


@pytest.fixture
def plan_of(grid):
    """Read rows as the sheet Plan, beside other sheets given by name."""

    def build(rows, choose=None, active="Plan", **more):
        grids = (grid(rows, "Plan"), *(grid(other, name.replace("_", " ")) for name, other in more.items()))
        return read_plan(Source("jury.xlsx", grids, active), sheet=choose)

    return build


@pytest.fixture
def refusal_of(plan_of):
    """Read lists that must be refused; return the error."""

    def build(rows, **more):
        with pytest.raises(InputRefused) as refusal:
            plan_of(rows, **more)
        return refusal.value

    return build


def named(lists):
    return {(lists.objects[o], lists.assessors[a]) for o, a in lists.conflicts}


def warnings(lists):
    return [decision.sentence for decision in lists.decisions if decision.weight == "warning"]


def test_two_lists_of_different_lengths_are_read_and_blank_cells_skipped(plan_of):
    lists = plan_of([["Who hears what"], [], ["Talk", None, "Judge"], ["T1", None, "Ada"], [" ", None, None], ["T2"]])
    assert lists.objects == ("T1", "T2") and lists.assessors == ("Ada",)
    assert lists.summary == "2 talks in A4:A6 and 1 judge in C4"
    assert (lists.nouns.object, lists.nouns.assessor) == ("Talk", "Judge")
    assert lists.conflicts == () and lists.decisions == ()


@pytest.mark.parametrize(
    ("headings", "nouns"),
    [
        (("Reviewers", "Papers"), ("Paper", "Reviewer")),
        (("Candidate number", "Examiner name"), ("Candidate", "Examiner")),
        (("Talk title", "JUDGES:"), ("Talk", "Judge")),
    ],
)
def test_headings_are_those_of_the_trade_in_either_order(plan_of, headings, nouns):
    lists = plan_of([list(headings), ["a", "b"], ["c", "d"]])
    assert (lists.nouns.object, lists.nouns.assessor) == nouns
    assert lists.objects == (("b", "d") if headings[0] == "Reviewers" else ("a", "c"))


def test_numbers_are_names_as_they_are_shown(grid):
    formats = {(2, 1): "000", (3, 1): "000"}
    one = grid([["Talk", "Judge"], [1, 7.0], [2, 8]], "Plan", number_formats=formats)
    lists = read_plan(Source("jury.xlsx", (one,), "Plan"))
    assert lists.objects == ("001", "002") and lists.assessors == ("7", "8")


def test_the_settings_sheet_may_name_things_in_other_words(grid, settings_grid):
    lists = [["Hive", "Taster"], ["h1", "Ada"]]
    with pytest.raises(InputRefused, match="write a heading such as Talk"):
        read_plan(Source("jury.xlsx", (grid(lists, "Plan"),), "Plan"))
    settings = settings_grid({"Word for an object": "Hive", "Word for an assessor": "Taster"})
    found = read_plan(Source("jury.xlsx", (grid(lists, "Plan"), settings), "Plan"))
    assert (found.nouns.object, found.nouns.assessor, found.objects) == ("Hive", "Taster", ("h1",))


def test_names_that_are_there_twice_stop_with_all_their_cells(refusal_of):
    problem = refusal_of([["Talk", "Judge"], ["T1", "Ada"], ["T2", "Ben"], ["T1", "Ada "], ["T1"]])
    assert problem.cells == ("Plan!A2", "Plan!A4", "Plan!A5", "Plan!B2", "Plan!B4")
    lines = str(problem).splitlines()
    assert len(lines) == 2 and '"T1"' in lines[0] and '"Ada"' in lines[1] and "A2, A4, A5" in lines[0]


def test_names_spelt_almost_alike_are_kept_apart_with_a_warning(plan_of):
    lists = plan_of([["Talk", "Judge"], ["T1", "Ann Lee"], ["t 1", "ann lee"]])
    assert len(lists.objects) == len(lists.assessors) == 2
    assert len(warnings(lists)) == 2 and "almost alike" in warnings(lists)[0]


def test_an_empty_list_an_error_and_a_missing_heading_are_said_with_what_to_do(refusal_of):
    assert "no judge below the heading Judge in cell B1" in str(refusal_of([["Talk", "Judge"], ["T1", None]]))
    broken = refusal_of([["Talk", "Judge"], ["T1", "Ada"], [CellError("#REF!"), "Ben"]])
    assert broken.cells == ("Plan!A3",) and "#REF!" in str(broken)
    for rows in ([["Talk"], ["T1"]], [["Thing", "Person"], ["T1", "Ada"]], []):
        assert "write a heading such as Talk" in str(refusal_of(rows))


def test_totals_below_a_list_are_left_out_but_judge_n_is_somebody(plan_of):
    lists = plan_of([["Talk", "Judge"], ["T1", "Judge N"], ["T2", "Max"], ["Total", "Number of judges"]])
    assert lists.objects == ("T1", "T2") and lists.assessors == ("Judge N", "Max")
    assert [sentence[-4:-1] for sentence in warnings(lists)] == [" A4", " B4"]


def test_headings_repeated_on_the_next_page_are_no_names(plan_of):
    assert plan_of([*LISTS, ["Talk", "Judge"], ["T5", "Dan"]]).assessors == ("Ada", "Ben", "Cleo", "Dan")


def test_of_several_columns_the_first_is_read_and_the_others_named(plan_of):
    lists = plan_of([["Talk", "Speaker", "Judge", "Email"], ["T1", "Sam", "Ada", "a@b"], ["T2", "Kim", "Ben", "b@b"]])
    assert lists.objects == ("T1", "T2")
    assert "Speaker in B1" in warnings(lists)[0] and "Email" not in warnings(lists)[0]


def test_hidden_rows_are_read_with_a_warning(grid):
    lists = read_plan(Source("jury.xlsx", (grid(LISTS, "Plan", hidden_rows=frozenset({3})),), "Plan"))
    assert "T2" in lists.objects and "Ben" in lists.assessors
    assert len(warnings(lists)) == 2 and "A3" in warnings(lists)[0]


def test_the_sheet_in_front_is_read_a_filled_one_before_an_empty_one_and_else_one_must_be_named(plan_of):
    other = [["Talk", "Judge"], ["X1", "Zoe"]]
    assert plan_of(LISTS, Other=other, active="Other").objects == ("X1",)
    assert plan_of([["Talk", "Category", "Judge"]], Other=other).objects == ("X1",)
    with pytest.raises(SheetUnclear, match="Plan, Other"):
        plan_of(LISTS, Other=other, Notes=[["see above"]], active="Notes")
    assert plan_of(LISTS, Other=other, choose="other").objects == ("X1",)
    with pytest.raises(InputRefused, match="no sheet called Jury"):
        plan_of(LISTS, choose="Jury")
    with pytest.raises(InputRefused, match="Notes does not hold two lists"):
        plan_of(LISTS, Notes=[["see above"]], choose="Notes")


# Conflicts on a sheet of their own.


@pytest.mark.parametrize(
    "pairs",
    [
        [["Talk", "Judge"], ["T1", "Ada"], ["T3", "Ben"], ["T3", "Ben"]],
        [["Keep apart"], [], ["Judge", "Talk"], ["Ada", "T1"], [], ["Ben", "T3"]],
        [["Talk", "Judges in conflict", "Why"], ["T1", "Ada", "same group"], ["T2", "none"], ["T3", "Ben"]],
        [["Talk", "Judge 1", "Judge 2"], ["T1", "Ada"], ["T3", None, "Ben"]],
    ],
)
def test_pairs_are_read_in_any_order_of_columns(plan_of, pairs):
    for sheet in ("Conflicts", "conflict", "Conflicts_of_interest"):
        assert named(plan_of(LISTS, **{sheet: pairs})) == {("T1", "Ada"), ("T3", "Ben")}


def test_several_names_may_share_a_cell_unless_the_comma_belongs_to_one_name(plan_of):
    rows = [["Talk", "Judge"], ["T1", "Lee, Ann"], ["T2", "Ben"], ["T3", "Cleo"]]
    lists = plan_of(rows, Conflicts=[["Talk", "Judge"], ["T1", "Lee, Ann; Ben"], ["T2, T3", "Cleo"]])
    assert named(lists) == {("T1", "Lee, Ann"), ("T1", "Ben"), ("T2", "Cleo"), ("T3", "Cleo")}


def test_a_merged_cell_counts_for_all_its_rows(grid):
    pairs = grid([["Talk", "Judge"], ["T1", "Ada"], [None, "Ben"]], "Conflicts", merged=((2, 1, 3, 1),))
    lists = read_plan(Source("jury.xlsx", (grid(LISTS, "Plan"), pairs), "Plan"))
    assert named(lists) == {("T1", "Ada"), ("T1", "Ben")}


def test_unknown_names_stop_with_their_cells_and_a_likely_one_is_offered(refusal_of):
    problem = refusal_of(LISTS, Conflicts=[["Talk", "Judge"], ["T1", "ada"], ["T9", "Ben"], ["T2", "Zoe"]])
    assert set(problem.cells) == {"Conflicts!B2", "Conflicts!A3", "Conflicts!B4"}
    assert 'Cell B2 on sheet Conflicts names "ada"' in str(problem) and '"Ada" is meant' in str(problem)
    assert '"Zoe"' in str(problem) and "the judges in B2:B4 of sheet Plan" in str(problem)


def test_half_a_pair_and_pairs_without_headings_stop(refusal_of):
    half = refusal_of(LISTS, Conflicts=[["Talk", "Judge"], ["T1", "Ada"], ["T2", None], [None, "Ben"]])
    assert half.cells == ("Conflicts!A3", "Conflicts!B4") and "only half of a conflict" in str(half)
    assert "write Talk above the talks" in str(refusal_of(LISTS, Conflicts=[["T1", "Ada"]]))


def test_an_empty_sheet_of_conflicts_says_nothing(plan_of):
    for pairs in ([], [["Talk", "Judge"]]):
        assert plan_of(LISTS, Conflicts=pairs).conflicts == ()


# Conflicts in columns beside the lists.


@pytest.mark.parametrize(
    "rows",
    [
        [["Talk", "Conflict", "Judge"], ["T1", "Ben", "Ada"], ["T2", "none", "Ben"], ["T3", "Ada; Ben", None]],
        [["Talk", "Judge", "Conflicts with"], ["T1", "Ada", "T3"], ["T2", "Ben", "T1, T3"], ["T3", None, None]],
        [["Talk", "Judge", "Conflict", "Conflict"], ["T1", "Ada", "T1", "Ben"], ["T2", "Ben", "T3", "Ada"],
         ["T3", None, "Ben", "T3"]],
        [["Talk", "Judge", "Conflict: talk", "Conflict: judge"], ["T1", "Ada", "T1", "Ben"], ["T2", "Ben", "T3", "Ada"],
         ["T3", None, "T3", "Ben"]],
        [["Talk", "Judge in conflict", "Judge"], ["T1", "Ben", "Ada"], ["T2", None, "Ben"], ["T3", "Ada, Ben", None]],
    ],
)  # fmt: skip
def test_columns_headed_conflict_hold_whole_pairs_or_the_other_half_of_the_row(plan_of, rows):
    lists = plan_of(rows)
    assert named(lists) == {("T1", "Ben"), ("T3", "Ada"), ("T3", "Ben")}
    assert lists.objects == ("T1", "T2", "T3") and lists.assessors == ("Ada", "Ben")


@pytest.mark.parametrize(
    ("rows", "cells", "words"),
    [
        ([["Talk", "Judge", "Conflict"], ["T1", "Ada", "Adda"]], ("Plan!C2",), "names"),
        ([["Talk", "Judge", "Conflict"], ["T1", "Ada", None], [None, "Ben", "Ada"]], ("Plan!C3",), "only half"),
        (
            [["Talk", "Judge", "Conflict", "Conflict"], ["T1", "Ada", "T1", "Ada"], ["T2", "Ben", "T2", None]],
            ("Plan!C3",),
            "only half",
        ),
        ([["Talk", "Judge", "Conflict"], [1, 1, 1], [2, 2, None]], ("Plan!C2",), "in both lists"),
    ],
)
def test_conflicts_beside_the_lists_that_could_be_misread_stop(refusal_of, rows, cells, words):
    problem = refusal_of(rows)
    assert problem.cells == cells and words in str(problem)


def test_conflicts_beside_the_lists_and_on_a_sheet_are_put_together(plan_of):
    rows = [["Talk", "Conflict", "Judge"], ["T1", "Ben", "Ada"], ["T2", None, "Ben"]]
    lists = plan_of(rows, Conflicts=[["Talk", "Judge"], ["T2", "Ada"], ["T1", "Ben"]])
    assert named(lists) == {("T1", "Ben"), ("T2", "Ada")}
    assert [decision.sentence.split()[0] for decision in lists.decisions] == ["1", "2"]


@pytest.mark.parametrize(
    ("rows", "barred"),
    [
        ([["Applicant", "Member"], ["A2", "Ann"], ["A1", "Bo"]], {("A2", "Ann"), ("A1", "Bo")}),
        ([["Applicant", "Member"], ["A2", "Ann"], ["A9", "Bo"], ["A1", None]], {("A2", "Ann")}),
        ([["Nothing", "of the kind"], ["A2", "Ann"]], set()),
    ],
)
def test_a_calibration_knows_who_must_not_meet_and_is_not_stopped_by_what_it_cannot_read(rows, barred):
    scores = [["Applicant", "Ann", "Bo", "Cy"], ["A1", 7, "COI", 6], ["A2", 8, 5, 7], ["A3", 6, 4, 5]]
    settings = [["Code", "Treatment"], ["COI", "exclude"]]
    grids = [
        ("Scores", scores),
        ("Conflicts of interest", rows),
        ("Settings", [["Setting", "Value"], [None, None], *settings]),
    ]
    grids = tuple(Grid(name, tuple(map(tuple, cells))) for name, cells in grids)
    reading = read_panel(Source("panel.xlsx", grids, "Scores"))
    assert reading.barred == {("A1", "Bo")} | barred
