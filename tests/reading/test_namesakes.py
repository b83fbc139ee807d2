"""Two people of one name are told apart by a column of numbers beside their names, or counted as one: it is asked."""

import pytest

from panelcal.errors import InputRefused
from panelcal.reading.grid import Grid, Source
from panelcal.reading.read import read_panel
from panelcal.systems.choices import Choices

NAMES = ["Ann Lee", "Bob Roy", "Cy Fox", "Dee Kay", "Eva Orr", "Finn Poe", "Ann Lee", "Gus Ray"]
JUDGES = ["Xa Li", "Yb Ma", "Zc Ng", "Wd Oh"]


def _score(k, j):
    return 40 + (37 * k + 53 * j * j + 11 * k * j * (k + j)) % 47


LIST = [
    ["Candidate", "Number", "Judge", "Score"],
    *[[name, 1001 + k, judge, _score(k, j)] for k, name in enumerate(NAMES) for j, judge in enumerate(JUDGES)],
]
GRID = [
    ["Candidate", "Exam no.", *JUDGES],
    *[[name, f"E{101 + 17 * k}", *[_score(k, j) for j in range(4)]] for k, name in enumerate(NAMES)],
]


def _source(rows):
    return Source("marks.csv", (Grid("Marks", tuple(map(tuple, rows))),), "Marks", kind="text")


def _asked(rows):
    with pytest.raises(InputRefused) as refused:
        read_panel(_source(rows))
    return refused.value


def _apart(rows):
    """Only the first two judges assess the one Ann Lee, and only the others the other: nothing is there twice."""
    return [rows[0], *(row for row in rows[1:] if row[0] != "Ann Lee" or (row[1] == 1001) == (row[2] in JUDGES[:2]))]


@pytest.mark.parametrize("rows", [LIST, _apart(LIST)])
def test_a_list_asks_although_it_could_be_read_and_each_answer_leads_on(rows):
    refusal = _asked(rows)
    question = refusal.questions[0]
    assert question.sentence == "On sheet Marks Ann Lee (1001, 1007) has more than one Number, in B1."
    apart, one = (
        read_panel(_source(rows), over=Choices(settings={"repeated": "average"}).answered(answer).over).panel
        for answer in question.answers
    )
    assert apart.n_objects == 8 and "1007" in apart.objects and apart.n_assessments == len(rows) - 1
    assert one.n_objects == 7 and "Ann Lee" in one.objects


def test_a_table_offers_the_numbers_first():
    refusal = _asked(GRID)
    (question,) = refusal.questions
    assert '- To tell them apart by Exam no., add --object "Exam no." to the command.' in str(refusal)
    reading = read_panel(_source(GRID), over=Choices().answered(question.answers[0]).over)
    assert reading.panel.n_objects == 8
    assert reading.object_names.count("Ann Lee") == 2


@pytest.mark.parametrize(
    "number",
    [
        lambda k, j: 1001 + k % 6,  # a number of several names is nobody's
        lambda k, j: 1001 + 4 * k + j,  # a number for each row says nothing of names
        lambda k, j: 1001 + (k if k != 6 else 0),  # one number for each name
    ],
)
def test_other_numbers_are_not_asked_about(number):
    rows = [[row[0], number(k // 4, k % 4), *row[2:]] for k, row in enumerate(_apart(LIST)[1:])]
    names = dict.fromkeys(NAMES)
    numbers = {name: 2000 + k for k, name in enumerate(names)}
    if number(6, 0) == 1001:
        rows = [[row[0], numbers[row[0]], *row[2:]] for row in rows]
    assert read_panel(_source([LIST[0], *rows])).panel.n_objects == 7
