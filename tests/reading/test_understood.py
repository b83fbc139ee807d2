"""What was understood is said first, by name: assessors, objects, range, and what is not read with the reason."""

from panelcal.reading.understood import first_and_last

ROWS = [
    ["Talk", "Ann", "Ben", "Cem", "Dee", "Eva", "Mean"],
    *[[f"T{k}", 50 + k, 61 - 2 * k, 57 + k % 3, 49 + 3 * k, 66 - k, round((283 + k + k % 3) / 5, 2)] for k in range(6)],
]


def test_assessors_objects_and_range_are_named(read):
    understood = read(ROWS).understood
    assert understood.sentences() == (
        "5 assessors: Ann, Ben, Cem, ... and Eva.",
        "6 talks: T0, T1, T2, ... and T5.",
        "Marks from 49 to 66.",
    )
    assert (understood.lowest, understood.highest) == (49, 66)
    assert understood.assessors == ("Ann", "Ben", "Cem", "Dee", "Eva")


def test_every_column_that_is_not_read_is_named_with_the_reason(read):
    (mean,) = read(ROWS).understood.not_read
    assert mean.cells == ("G2:G7",)
    assert mean.sentence == "Not read, going by the heading: Mean (the numbers say the same)."


def test_four_names_are_named_in_full():
    assert first_and_last(["A", "B", "C", "D"]) == "A, B, C, D"


def test_a_second_column_of_names_is_said_to_be_shown_only(read, said):
    grid = [["ID", "Title", "Ann", "Ben", "Cem"], *[[k, f"On {k}", 50 + k, 61 - k, 57 + k % 3] for k in range(1, 7)]]
    rows = [
        ["ID", "Proposal title", "Reviewer", "Track", "Score"],
        *[[k, f"On {k}", who, "A", 3 + k % 2] for k in range(1, 7) for who in ("Ann", "Ben")],
    ]
    assert said(read(grid), "names beside the ids").sentence == "Only shown in the results, beside ID: Title."
    of_list = read(rows)
    assert "beside ID: Proposal title" in said(of_list, "names beside the ids").sentence
    assert said(of_list, "column not read").sentence == "Columns not read: Track (text)."
    assert {"names beside the ids", "column not read"} == {one.kind for one in of_list.understood.not_read}


def test_ranges_beside_the_scores_of_a_list_are_warned_about(read, said):
    rows = [
        ["Talk", "Judge", "Score", "Range"],
        *[[f"T{k}", who, 50 + k + (who == "Ben"), f"{46 + k}-{55 + k}"] for k in range(6) for who in ("Ann", "Ben")],
    ]
    left = said(read(rows), "column not read")
    assert left.weight == "warning"
    assert left.cells == ("D2:D13",)
    assert "holds ranges around the scores: Range. Confidences? Then" in left.sentence
