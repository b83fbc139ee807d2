"""One run from cells to sheets: settings or caller choose the system, which reads its own kind of sheet."""

from pathlib import Path

import pytest

from panelcal.errors import InputRefused
from panelcal.files.load import load_source
from panelcal.reading.anchors.anchor_reading import AnchorReading
from panelcal.reading.planning.read_plan import PlanLists, PlanWanted
from panelcal.reading.ratings.ratings_reading import RatingsReading
from panelcal.reading.reading import Reading
from panelcal.reading.setting_rows import SETTING_ROWS
from panelcal.reading.settings import METHOD_CHOICES
from panelcal.reporting.names import FURTHER_SHEETS, RESULT_SHEETS
from panelcal.run import run, understand
from panelcal.systems.choices import Choices
from panelcal.systems.system import chosen_settings

TEMPLATES = Path(__file__).parents[1] / "workbook_templates"
FACTS = {"created": "2026-01-02T03:04:05", "versions": {"panelcal": "test"}}


@pytest.mark.parametrize(
    ("name", "kind", "method"),
    [
        ("exam_board_example", Reading, "confidence"),
        ("grant_panel_example", Reading, "confidence"),
        ("conference_prize_example", RatingsReading, "ordinal"),
        pytest.param("ai_reviewers_example", AnchorReading, "anchors", marks=pytest.mark.slow),
    ],
)
def test_the_settings_of_each_example_choose_its_system(name, kind, method):
    source = load_source(TEMPLATES / f"{name}.xlsx")
    assert chosen_settings(source, Choices()).method == method
    reading = understand(source, Choices())
    assert isinstance(reading, kind)
    assert "used" in reading.counts and reading.summary


def test_the_caller_may_choose_another_system():
    source = load_source(TEMPLATES / "grant_panel_example.xlsx")
    with pytest.raises(InputRefused):
        understand(source, Choices(method="anchors"))


@pytest.mark.parametrize("name", [pytest.param("ai_reviewers_example", marks=pytest.mark.slow), "grant_panel_example"])
def test_a_run_tells_what_it_does_and_hands_over_sheets_and_sentences(name):
    told = []
    done = run(load_source(TEMPLATES / f"{name}.xlsx"), Choices(), carried=True, progress=told.append, **FACTS)
    assert told[:2] == ["reading", "calibrating"]
    assert done.sentences and not done.outdated
    assert {sheet.name for sheet in done.report.sheets} <= {*RESULT_SHEETS, *FURTHER_SHEETS}
    assert done.report.sheets[0].name == "Cal summary" and done.report.sheets[-1].name == "Cal audit"


def test_a_plan_walks_the_same_way(tmp_path):
    lists = tmp_path / "jury.csv"
    lists.write_text("Talk,Judge\n" + "".join(f"T{k},{f'J{k}' if k < 5 else ''}\n" for k in range(1, 9)))
    told = []
    choices = Choices(plan=PlanWanted(per_object=2, seed=1))
    done = run(load_source(lists), choices, carried=False, progress=told.append, **FACTS)
    assert told == ["reading", "planning", "explaining"]
    assert (
        isinstance(done.reading, PlanLists) and done.sentences[0] == "Each talk gets 2 judges; each judge has 4 talks."
    )
    assert [sheet.name for sheet in done.report.sheets] == ["By talk", "By judge", "Ratings", "What it buys"]


def test_a_plan_goes_on_from_scores_and_names_without_scores(tmp_path):
    scored = tmp_path / "jury.csv"
    rows = ["T1,A,3", "T1,B,4", "T2,A,2", "T2,B,5", "T3,B,3", "T3,C,2", "T4,C,", "T5,D,", "T3,A,n/a"]
    scored.write_text("\n".join(["Talk,Judge,Rating", *rows]))
    wanted = Choices(plan=PlanWanted(per_object=None, per_assessor=2, following=9))
    done = run(load_source(scored), wanted, carried=False, **FACTS)
    so_far = done.reading
    assert (so_far.objects, so_far.assessors) == (("T1", "T2", "T3", "T4", "T5"), ("A", "B", "C", "D"))
    assert so_far.barred == {(2, 0)}
    table = done.report.sheets[0].tables[0]
    order, talks, judges, errors = (list(column.cells) for column in table.columns)
    assert order == list(range(1, len(talks) + 1)) and max(map(judges.count, judges)) == 2
    assert set(talks[:2]) == {"T4", "T5"} and errors[0] is None and errors[1:] == sorted(errors[1:], reverse=True)
    assert done.sentences[0].startswith("The best single assessment next: judge")


def test_every_method_the_command_line_takes_can_stand_on_the_settings_sheet():
    source = load_source(TEMPLATES / "exam_board_example.xlsx")
    assert {chosen_settings(source, Choices(method=name)).method for name in METHOD_CHOICES} == set(METHOD_CHOICES)
    offered = next(row for row in SETTING_ROWS if row.field_name == "method").choices
    assert set(offered) == set(METHOD_CHOICES)
