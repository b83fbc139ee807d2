"""Criteria on a sheet each are put together as one list, for scores and for ratings; anything else is left alone."""

import numpy as np
import pytest

from panelcal.errors import InputRefused
from panelcal.reading.criteria_sheets import criteria_sheets_as_one
from panelcal.reading.grid import Grid, Source
from panelcal.run import understand
from panelcal.systems.choices import Choices

TOGETHER = {"criteria": {"together": 1.0}}
HEAD = ("Talk", "Reed", "Shaw", "Tan")
CONTENT = (HEAD, ("T1", 1, 2, 3), ("T2", 4, 5, None), ("T3", 2, None, 4), ("T4", 5, 3, 1))
STYLE = (HEAD, ("T1", 2, 2, 4), ("T2", 3, 5, None), ("T3", 1, None, "n/a"), ("T4", 4, 4, 2))


def _source(**sheets):
    return Source("rubric.xlsx", tuple(Grid(name, rows) for name, rows in sheets.items()), next(iter(sheets)))


def _choices(**settings):
    return Choices(settings={**TOGETHER, **settings})


def test_scores_on_a_sheet_for_each_criterion_are_calibrated_together():
    reading = understand(_source(Content=CONTENT, Style=STYLE, Notes=(("Read", "me"), ("x", 3))), _choices())
    panel = reading.criteria.panel
    assert panel.criteria == ("Content", "Style") and panel.assessors == ("Reed", "Shaw", "Tan")
    here = panel.assessors.index("Tan"), panel.objects.index("T1")
    row = np.flatnonzero((panel.assessor_index == here[0]) & (panel.object_index == here[1]))[0]
    assert panel.scores[row].tolist() == [3, 4]
    assert reading.sheet == "Scores"
    assert any("2 sheets were read as criteria: Content, Style." in one.sentence for one in reading.decisions)


def test_ratings_are_read_likewise_with_codes_and_weights():
    choices = Choices(method="ordinal", settings={"criteria": {"together": 1.0, "Style": 3.0, "Content": 1.0}})
    reading = understand(_source(Content=CONTENT, Style=STYLE), choices)
    assert reading.ratings.features == ("Style", "Content") and reading.feature_weights.tolist() == [3, 1]
    assert reading.n_ratings == 10 + 9 and reading.nouns.object == "Talk"


def test_two_scores_of_an_assessor_for_one_object_are_refused_by_their_cell():
    twice = (*CONTENT, ("T4", 5, 3, 1))
    with pytest.raises(InputRefused, match="On sheet Content Reed has two scores for T4"):
        understand(_source(Content=twice, Style=STYLE), _choices())


@pytest.mark.parametrize(
    "source",
    [
        _source(Content=CONTENT),
        _source(Content=CONTENT, Others=(("Talk", "Ann", "Bob"), ("A1", 1, 2), ("A2", 2, 3), ("A3", 3, 1))),
        _source(Content=CONTENT, Marks=(("Talk", "Judge", "Wit", "Form"), ("T1", "Reed", 2, 3), ("T1", "Tan", 2, 4))),
    ],
)
def test_anything_else_is_left_as_it_is(source):
    assert (
        criteria_sheets_as_one(source, _choices().over(understand(_source(Content=CONTENT), Choices()).settings))
        is None
    )


def test_without_together_nothing_is_put_together():
    plain = understand(_source(Content=CONTENT), Choices()).settings
    assert criteria_sheets_as_one(_source(Content=CONTENT, Style=STYLE), plain) is None


def test_what_an_earlier_run_put_together_is_not_a_criterion():
    first = understand(_source(Content=CONTENT, Style=STYLE), _choices())
    made = criteria_sheets_as_one(_source(Content=CONTENT, Style=STYLE), first.settings)
    again = criteria_sheets_as_one(made, first.settings)
    assert again.collected == "Scores 2"
    assert again.grid("Scores 2").rows == made.grid("Scores").rows
