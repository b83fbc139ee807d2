"""A list whose headings do not say who assessed is recognised by its values, and no advice loses a review."""

import pytest

from panelcal.errors import InputRefused

REVIEWS = [("P1", "Iris", 7), ("P1", "Ben", 5), ("P2", "Ben", 4), ("P2", "Ann", 8), ("P3", "Iris", 6), ("P3", "Ann", 3)]
REVIEWS += [("P4", "Ben", 9), ("P4", "Iris", 2)]


@pytest.mark.parametrize("who", ["member name", "Judge name", "PC member", "Adjudicator", "Reader", "reviewername"])
def test_words_for_people_who_assess_are_known(read, who):
    reading = read([["Proposal", who, "Score"], *REVIEWS])
    assert sorted(reading.panel.assessors) == ["Ann", "Ben", "Iris"]
    assert reading.panel.n_assessments == len(REVIEWS)


@pytest.mark.parametrize("thing", ["Proposal", "Exhibit no.", "What"])
def test_an_unknown_heading_is_asked_about(read, thing):
    rows = [[thing, "Gave it", "Remarks", "Score"], *[[a, b, f"Text {k}", c] for k, (a, b, c) in enumerate(REVIEWS)]]
    with pytest.raises(InputRefused) as refusal:
        read(rows)
    assert "remove" not in str(refusal.value)
    (question,) = refusal.value.questions
    answer, *turned = question.answers
    assert answer.gives["assessor_column"] == "Gave it"  # fewer names than objects
    assert [one.gives["object_column"] for one in turned] == (["Gave it"] if thing == "What" else [])
    rows_of = {"layout": "Layout", "object_column": "Column of objects", "assessor_column": "Column of assessors"}
    rows_of["score_column"] = "Column of scores"
    reading = read(rows, settings={rows_of[name]: value for name, value in answer.gives.items()})
    assert sorted(reading.panel.assessors) == ["Ann", "Ben", "Iris"]
    assert reading.panel.n_assessments == len(REVIEWS)


def test_reviews_without_reviewers_are_not_to_be_removed(refused):
    message = refused([["What", "Score"], *[[thing, score] for thing, _, score in REVIEWS]])
    assert "remove one" not in message
    assert "add a column" in message


@pytest.mark.parametrize("who", ["Judge", "Scored by", "Respondent"])
def test_a_list_that_only_says_who_assessed_is_read_where_one_column_alone_is_left(read, said, who):
    reading = read([["What", who, "Score"], *REVIEWS])
    assert reading.panel.n_assessments == len(REVIEWS)
    assert said(reading, "objects by their values").weight == "warning"


def test_a_list_that_only_says_who_assessed_asks_what_was_assessed(read):
    rows = [["What", "Judge", "Score", "Also"], *[[*review, review[0] * 2] for review in REVIEWS]]
    with pytest.raises(InputRefused) as refusal:
        read(rows)
    answers = refusal.value.questions[0].answers
    assert [answer.gives for answer in answers] == [{"object_column": "What"}, {"object_column": "Also"}]
    assert read(rows, settings={"Column of objects": "What"}).panel.n_assessments == len(REVIEWS)


@pytest.mark.parametrize("who", ["Gutachter/in", "Gutachter*in", "Évaluatrice", "Prüfer:in"])
def test_both_sexes_assess(read, who):
    assert read([["Dossier", who, "Punkte"], *REVIEWS]).panel.n_assessments == len(REVIEWS)
