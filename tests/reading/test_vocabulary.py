"""Headings in eight languages mean what they mean in English, and names of modules and people stay names."""

import pytest

from panelcal.reading.headings import OBJECT_WORDS, Role, noun_of, role_of, statistic_kind
from panelcal.reading.vocabulary import unaccented


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("Course total (Real)", "sum"),
        ("Total [Total Pts: up to 900 Score] |2", "sum"),
        ("Unposted Final Score", "sum"),
        ("Current Score", "sum"),
        ("Sum w/o high & low", "sum"),
        ("Summe", "sum"),
        ("Gesamtpunkte", "sum"),
        ("Somma", "sum"),
        ("Totaal", "sum"),
        ("Razem", "sum"),
        ("Moyenne", "mean"),
        ("Moyenne générale", "mean"),
        ("Durchschnitt", "mean"),
        ("Notendurchschnitt", None),
        ("Promedio", "mean"),
        ("Gemiddelde", "mean"),
        ("Média", "mean"),
        ("Średnia", "mean"),
        ("Weighted average", "weighted mean"),
        ("Moyenne pondérée", "weighted mean"),
        ("Gewichteter Durchschnitt", "weighted mean"),
        ("Trimmed mean", "trimmed mean"),
        ("Rang", "rank"),
        ("Miejsce", "rank"),
        ("Points Possible", "maximum possible"),
        ("Agreed mark", "agreed"),
        ("Year of birth", "other"),
        ("Attendance %", "other"),
        ("Last downloaded from this course", "other"),
        ("Student, Test", "other"),
        ("Écart-type", "deviation"),
        ("Ecart-type", "deviation"),
    ],
)
def test_statistics_have_a_kind_in_every_language(heading, kind):
    assert statistic_kind(heading) == kind


@pytest.mark.parametrize(
    "heading",
    [
        "Rank theory",
        "Mean field theory",
        "Total quality management",
        "Media",
        "Anna Total",
        "x",
        "A",
        "Theorie der Summen",
    ],
)
def test_honest_names_are_no_statistics(heading):
    assert statistic_kind(heading) is None


@pytest.mark.parametrize(
    ("heading", "role"),
    [
        ("Matrikelnummer", Role.OBJECT),
        ("N° étudiant", Role.OBJECT),
        ("Numero studente", Role.OBJECT),
        ("Gutachterin", Role.ASSESSOR),
        ("Relecteur", Role.ASSESSOR),
        ("Juez", Role.ASSESSOR),
        ("Beoordelaar", Role.ASSESSOR),
        ("Avaliador", Role.ASSESSOR),
        ("Recenzent", Role.ASSESSOR),
        ("reviewername", Role.ASSESSOR),
        ("Adjudicator", Role.ASSESSOR),
        ("Reader", Role.ASSESSOR),
        ("Punktzahl", Role.SCORE),
        ("Puntuación", Role.SCORE),
        ("Coefficient", Role.WEIGHT),
        ("Gewichtung", Role.WEIGHT),
        ("Nachname", Role.NAME),
        ("Prénom", Role.NAME),
    ],
)
def test_headings_have_their_role_in_every_language(heading, role):
    assert role_of(heading) is role
    assert role_of(unaccented(heading)) is role


def test_sentences_use_the_english_noun():
    assert noun_of("Étudiant", OBJECT_WORDS) == "Student"
    assert noun_of("Bewerberin", OBJECT_WORDS) == "Applicant"
