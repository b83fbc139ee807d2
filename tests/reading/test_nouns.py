"""Whatever word a user sets for those who assess or what they assess, sentences have its plural and its article."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from panelcal.files.load import load_source
from panelcal.reading.nouns import counted, in_sentence, plural, plural_of, with_article
from panelcal.run import run
from panelcal.systems.choices import Choices

TEMPLATES = Path(__file__).parents[2] / "workbook_templates"
WRONG = re.compile(r"\b(?:an? (?:theses|examiners|entries)|a (?:examiner|entry)|thesiss?es|entrys|examinerss)\b", re.I)


@pytest.mark.parametrize(
    ("noun", "several"),
    [
        ("Student", "Students"), ("Thesis", "Theses"), ("Essay", "Essays"), ("Jury", "Juries"), ("Coach", "Coaches"),
        ("Class", "Classes"), ("Quiz", "Quizzes"), ("Box", "Boxes"), ("Person", "People"), ("Criterion", "Criteria"),
        ("Marks", "Marks"), ("AI", "AIs"), ("Head of house", "Head of houses"), ("Exam person", "Exam people"),
        ("Campus", "Campuses"), ("Wish", "Wishes"), ("Hypothesis", "Hypotheses"),
    ],
)  # fmt: skip
def test_a_plural_is_spelt_as_people_spell_it(noun, several):
    """Regular and irregular plurals; a word that is one already is not made one again."""
    assert plural_of(noun) == several
    assert plural_of(noun.lower()) == several.lower() or noun == "AI"


@pytest.mark.parametrize(
    ("noun", "one"),
    [
        ("Student", "a student"), ("Assessor", "an assessor"), ("Examiner", "an examiner"), ("Unit", "a unit"),
        ("University", "a university"), ("Umpire", "an umpire"), ("Unknown", "an unknown"), ("User", "a user"),
        ("Utterance", "an utterance"), ("European", "a European"), ("Hour", "an hour"), ("Honours thesis",
        "an honours thesis"), ("MP", "an MP"), ("PhD student", "a PhD student"), ("AI", "an AI"), ("One-pager",
        "a one-pager"), ("X-ray", "an X-ray"), ("Entry", "an entry"),
    ],
)  # fmt: skip
def test_an_article_goes_by_how_the_word_is_spoken(noun, one):
    """Vowels, a u as in use, letters that are spelt out, an h that is not heard."""
    assert with_article(noun) == one if noun != "European" else with_article(noun).casefold() == one.casefold()


def test_a_noun_is_small_within_a_sentence_unless_it_is_an_abbreviation():
    """Headings have capitals, sentences have not."""
    assert [in_sentence(noun) for noun in ("Student", "AI", "PhD student", "Exam Paper")] == [
        "student", "AI", "PhD student", "exam paper",
    ]  # fmt: skip
    assert counted(1, "Thesis") == "1 thesis" and counted(1200, "Thesis") == "1,200 theses"
    assert plural("AI", 1) == "AI"


def _texts(what: Any) -> Iterator[str]:
    if isinstance(what, str):
        yield what
    elif is_dataclass(what):
        for one in fields(what):
            yield from _texts(getattr(what, one.name))
    elif isinstance(what, dict):
        yield from _texts([*what.keys(), *what.values()])
    elif isinstance(what, list | tuple):
        for one in what:
            yield from _texts(one)


@pytest.mark.parametrize("name", ["grant_panel_example", pytest.param("ai_reviewers_example", marks=pytest.mark.slow)])
def test_every_sheet_of_a_system_has_the_right_articles_and_plurals_of_unusual_words(name):
    """Words that begin with a vowel or have a plural of their own, in every text of every result sheet."""
    nouns = {"object_noun": "Thesis", "assessor_noun": "Examiner", "score_noun": "Entry"}
    source = load_source(TEMPLATES / f"{name}.xlsx")
    facts = {"created": "2026-01-02T03:04:05", "versions": {"panelcal": "test"}}
    done = run(source, Choices(settings=nouns), carried=True, **facts)
    texts = list(_texts([done.report.sheets, done.sentences]))
    assert any("theses" in text for text in texts) and any("examiner" in text for text in texts)
    assert [text for text in texts if WRONG.search(text)] == []
