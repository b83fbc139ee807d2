import pytest

from panelcal.reading.headings import OBJECT_WORDS, Role, is_statistic, names_both, noun_of, role_of, words_of


@pytest.mark.parametrize(
    ("heading", "role"),
    [
        ("Student", Role.OBJECT),
        ("students", Role.OBJECT),
        ("StudentID", Role.OBJECT),
        ("student_no", Role.OBJECT),
        ("Candidate number", Role.OBJECT),
        ("Cand. No", Role.OBJECT),
        ("stud. nr", Role.OBJECT),
        ("Talk:", Role.OBJECT),
        ("Manuscript ID", Role.OBJECT),
        ("Paper", Role.OBJECT),
        ("Module", Role.ASSESSOR),
        ("Module code", Role.ASSESSOR),
        ("Judges", Role.ASSESSOR),
        ("Reviewer", Role.ASSESSOR),
        ("Agent", Role.ASSESSOR),
        ("Examiner", Role.ASSESSOR),
        ("Mark", Role.SCORE),
        ("Final mark", Role.SCORE),
        ("Mark (%)", Role.SCORE),
        ("Rating", Role.SCORE),
        ("Credits", Role.WEIGHT),
        ("CATS", Role.WEIGHT),
        ("ECTS points", Role.WEIGHT),
        ("Weight", Role.WEIGHT),
        ("Confidence", Role.WEIGHT),
        ("SD", Role.DEVIATION),
        ("+/-", Role.DEVIATION),
        ("Standard deviation", Role.DEVIATION),
        ("ID", Role.IDENTIFIER),
        ("Exam number", Role.IDENTIFIER),
        ("Name", Role.NAME),
        ("First name", Role.NAME),
        ("Programme", Role.ABOUT),
        ("Year of study", Role.ABOUT),
        ("Judge A", Role.OTHER),
        ("Mark Rank", Role.OTHER),
        ("MA101", Role.OTHER),
        ("Student 1", Role.OTHER),
        ("", Role.OTHER),
        (None, Role.OTHER),
        (12, Role.OTHER),
        ("Credit risk", Role.OTHER),
        ("Paper machines", Role.OTHER),
    ],
)
def test_a_heading_has_the_role_its_whole_text_says(heading, role):
    assert role_of(heading) is role


@pytest.mark.parametrize(
    "heading",
    [
        "Total",
        "Mean",
        "Average mark",
        "Overall",
        "Rank",
        "Class",
        "Year 2 average",
        "Weighted average",
        "Module mean",
        "Ave",
        "Comments",
        "Std dev",
        "Number of marks",
        "Average 2026",
        "Ø",
        "Decision",
        "Out of",
        "Final average (%)",
        "Best 4",
        "Best 4 of 5",
        "Best three average",
        "Top 3 average",
        "Drop lowest",
        "Sum without highest and lowest",
        "Late penalty",
        "After penalty",
        "Bonus points",
        "Rank sum",
    ],
)
def test_statistics_are_known_by_their_heading(heading):
    assert is_statistic(heading)


@pytest.mark.parametrize(
    "heading",
    [
        "Mean Field Theory",
        "Total Quality Management",
        "Class 1",
        "Rankine",
        "MA101",
        "Judge A",
        "Summer school",
        "Marketing",
        "Meaning",
        "Average Joe",
        "Place 2",
        "Best practice",
        "Top-down design",
        "Best Before",
        "High and Low German",
        "Penalty kicks",
        "Ann Bonus",
        "Four Quartets",
        "Net theory",
    ],
)
def test_names_that_contain_such_a_word_are_no_statistics(heading):
    assert not is_statistic(heading)


def test_a_corner_can_name_both_directions():
    assert names_both("Student / Module") == ("Student", "Module")
    assert names_both("Talk by Judge") == ("Talk", "Judge")
    assert names_both("Student") is None


def test_words_ignore_capitals_plurals_and_brackets():
    assert words_of("Student_ID (2026)") == ("student", "id")
    assert words_of("Modules") == ("module",)


def test_the_noun_of_a_heading_is_capitalised_and_singular():
    assert noun_of("STUDENTS", OBJECT_WORDS) == "Student"
    assert noun_of("Anything", OBJECT_WORDS) == ""
