"""A plan as sheets to hand out: both lists say the same, and nobody is put where a conflict is."""

from dataclasses import replace

import pytest

from panelcal.errors import ImpossiblePlan
from panelcal.planning.assignment import plan_assignment
from panelcal.planning.worth import ExpectedRanking, expected_rankings
from panelcal.reading.nouns import Nouns
from panelcal.reporting.wording import mu2_in_words, percent
from panelcal.systems.planning.report import Bought, build_plan_report
from panelcal.systems.planning.sentences import plan_sentences

TALKS = [f"T{k}" for k in range(1, 11)]
JUDGES = ["Ada", "Ben", "Cleo", "Dan"]
CREATED = "2026-01-01T00:00:00"


@pytest.fixture(scope="module")
def plan():
    return plan_assignment(10, 4, 3, conflicts=[(0, 0), (3, 2)])


@pytest.fixture(scope="module")
def report(plan):
    worth = expected_rankings(10, 4, simulations=2)
    return build_plan_report(
        plan,
        created=CREATED,
        objects=TALKS,
        assessors=JUDGES,
        nouns=Nouns("Talk", "Judge", "Rating"),
        bought=Bought(worth),
    )


def pairs_in(table, first):
    rows = zip(*(column.cells for column in table.columns), strict=True)
    return {(row[0], cell) for row in rows for cell in row[first:] if cell is not None}


def test_both_lists_hold_the_pairs_of_the_plan(plan, report):
    expected = {(TALKS[o], JUDGES[a]) for o, a in zip(plan.object_index, plan.assessor_index, strict=True)}
    assert [sheet.name for sheet in report.sheets] == ["By talk", "By judge", "Ratings", "What it buys", "Kept apart"]
    assert pairs_in(report.sheets[0].tables[0], 1) == expected
    assert {(talk, judge) for judge, talk in pairs_in(report.sheets[1].tables[0], 2)} == expected
    assert {("T1", "Ada"), ("T4", "Cleo")}.isdisjoint(expected)


def test_the_loads_stand_beside_the_names_and_the_figures_are_those_of_the_plan(plan, report):
    assert list(report.sheets[1].tables[0].columns[1].cells) == plan.loads.tolist()
    figures = dict(zip(*(column.cells for column in report.sheets[3].tables[0].columns[:2]), strict=True))
    assert figures["mu_2 = 1 - sqrt(lambda_2)"] == plan.mu2
    assert figures["Conflicts of interest kept apart"] == 2
    assert list(report.sheets[3].tables[1].columns[0].cells) == ["1", "2", "3", "4"]


def test_the_list_to_fill_in_has_a_row_for_each_pair_and_blank_ratings(plan, report):
    judges, talks, ratings = (list(column.cells) for column in report.sheets[2].tables[0].columns)
    expected = {(TALKS[o], JUDGES[a]) for o, a in zip(plan.object_index, plan.assessor_index, strict=True)}
    assert len(talks) == 30 and set(zip(talks, judges, strict=True)) == expected
    assert judges == sorted(judges) and ratings == [None] * 30


def test_the_chart_says_what_the_plan_buys_and_what_the_most_would(plan):
    worth = expected_rankings(10, 4, per_object=(2, 3, 4), simulations=2)
    report = build_plan_report(plan, created=CREATED, nouns=Nouns("Talk", "Judge", "Rating"), bought=Bought(worth))
    bought = next(sheet for sheet in report.sheets if sheet.name == "What it buys")
    each, *_ = bought.tables[1].columns
    share = next(column for column in bought.tables[1].columns if column.heading == "True best comes first")
    by_number = dict(zip(map(int, each.cells), share.cells, strict=True))
    most = max(by_number)
    assert bought.charts[0].title == (
        f"With 3 judges for each talk the best comes first in {percent(by_number[3])}; "
        f"with {most} in {percent(by_number[most])}"
    )


def test_shares_are_spelt_as_spreadsheets_round_them(plan):
    (worth,) = expected_rankings(10, 4, per_object=(3,), simulations=2)
    worth = replace(worth, best_first=0.425, best_among_three=0.525)  # which a spreadsheet shows as 43% and 53%
    report = build_plan_report(plan, created=CREATED, nouns=Nouns("Talk", "Judge", "Rating"), bought=Bought((worth,)))
    bought = next(sheet for sheet in report.sheets if sheet.name == "What it buys")
    assert "comes first in 43%" in bought.charts[0].title
    assert any("first 3: 53%" in str(cell) for column in bought.tables[1].columns for cell in column.cells)
    assert "first in 43% of them" in plan_sentences(plan, Nouns("Talk", "Judge"), (worth,))[-1]


def test_who_was_kept_apart_is_listed_and_a_plan_without_conflicts_has_no_such_sheet(report):
    talks, judges = (list(column.cells) for column in report.sheets[4].tables[0].columns)
    assert list(zip(talks, judges, strict=True)) == [("T1", "Ada"), ("T4", "Cleo")]
    free = build_plan_report(plan_assignment(10, 4, 3), created=CREATED)
    assert "Kept apart" not in [sheet.name for sheet in free.sheets]


def test_the_sentences_say_loads_links_conflicts_and_what_is_bought(plan):
    worth = expected_rankings(10, 4, per_object=(2, 3), simulations=2)
    sentences = plan_sentences(plan, Nouns("Talk", "Judge"), worth)
    assert sentences[0] == "Each talk gets 3 judges; each judge has 7 or 8 talks."  # 30 assessments by 4 judges
    assert "are linked" in sentences[1] and f"mu_2 = {plan.mu2:.2f}" in sentences[1]
    assert sentences[2] == "Conflicts of interest are respected: 2 pairs kept apart."
    assert len(sentences) == 4 and f"{worth[1].correlation:.2f} (" in sentences[3]
    alone = plan_sentences(plan_assignment(6, 3, 3), Nouns("Talk", "Judge"), ())
    assert alone[0] == "Each talk gets 3 judges; each judge has 6 talks."
    assert alone[2:] == ("No conflicts of interest were given.",)


@pytest.mark.parametrize("mu2", [0.5, 0.2, 0.05, 0.001])
def test_firmness_is_one_whole_sentence_without_pointing_to_links_below(mu2):
    words = mu2_in_words(mu2, links_listed=False)
    assert words.endswith(".") and words.count(".") == 1 and "weakest" not in words and ";" not in words


def test_without_names_objects_and_assessors_are_numbered(plan):
    report = build_plan_report(plan, created=CREATED)
    assert report.sheets[0].tables[0].columns[0].cells[0] == "Object 1"
    assert report.sheets[1].tables[0].columns[0].cells[3] == "Assessor 4"
    assert len(report.sheets[3].tables) == 1
    assert report.sheets[2].name == "Scores"


def test_another_plan_has_another_run_id(plan):
    other = plan_assignment(10, 4, 3, seed=1)
    ids = {build_plan_report(one, created=CREATED).run_id for one in (plan, other, plan)}
    assert len(ids) == 2


def test_names_that_do_not_fit_are_refused(plan):
    with pytest.raises(ImpossiblePlan, match="for 10 objects, but 3 names"):
        build_plan_report(plan, created=CREATED, objects=TALKS[:3])


def test_a_half_of_a_percent_is_rounded_in_words_as_in_the_cell():
    one = ExpectedRanking(3, 7, 0.72, (0.53, 0.88), 0.425, 0.625, 0.66, 0.89, 40)
    said = plan_sentences(plan_assignment(6, 3, 3), Nouns("Talk", "Judge"), (one,))
    assert "comes first in 43% of them" in said[-1]
