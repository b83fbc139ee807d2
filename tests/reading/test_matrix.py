"""Where the block of scores is: anywhere on the sheet, either way round, with all that stands around it."""

import pytest

from panelcal.reading.grid import CellError

SCORES = [["S1", 65, 70, 58], ["S2", 55, None, 60], ["S3", 48, 71, 66], ["S4", None, 69, 59]]
BOARD = [["Student", "MA1", "MA2", "MA3"], *SCORES]
NUMBERS = [65, 70, 58, 55, 60, 48, 71, 66, 69, 59]


def shifted(rows, down, right):
    return [[]] * down + [[None] * right + list(row) for row in rows]


def test_the_summary_names_what_was_read_and_where(read):
    reading = read([["Credits", 15, 15, 30], *BOARD])
    assert reading.summary == "4 students in A3:A6 and 3 modules in B2:D2"
    assert reading.score_block == "B3:D6"
    assert reading.object_cells == ("A3", "A4", "A5", "A6")
    assert reading.assessor_cells == ("B2", "C2", "D2")
    assert reading.score_cells[:3] == ("B3", "C3", "D3")
    assert reading.panel.objects == ("S1", "S2", "S3", "S4")


@pytest.mark.parametrize(("down", "right"), [(0, 0), (3, 0), (0, 5), (200, 40)])
def test_the_block_may_start_anywhere(read, down, right):
    assert read(shifted(BOARD, down, right)).panel.scores.tolist() == NUMBERS


@pytest.mark.parametrize(
    "above",
    [
        [["Marks of year 3"]],
        [["Department of Mathematics"], ["Session", 2026], []],
        [["Year", 2026, None, "draft"], ["Printed 1 May"]],
        [["Board"], [], ["Not for circulation"], []],
    ],
)
def test_title_rows_above_do_not_matter(read, above):
    assert read([*above, *BOARD]).panel.assessors == ("MA1", "MA2", "MA3")
    assert read([*above, *BOARD]).panel.scores.tolist() == NUMBERS


@pytest.mark.parametrize(
    "below",
    [
        [["Mean", 56, 70, 60.75]],
        [["Number of marks", 3, 3, 4], ["Std dev", 8.5, 1, 3.8], ["Max", 65, 71, 66], ["Min", 48, 69, 58]],
        [[], ["ABS: absent"], ["Provisional marks, subject to the board"]],
        [[], ["Average", 56, 70, 60.75], [], ["Signed: the chair"]],
        [[], ["Band", "Count"], ["First", 1], ["Second", 3]],
        [[], ["Notes"], ["1", "see minutes"]],
    ],
)
def test_statistics_and_notes_below_are_not_read(read, below):
    assert read([*BOARD, *below]).panel.scores.tolist() == NUMBERS


def test_a_table_below_with_its_own_headings_is_listed(read, said):
    reading = read([*BOARD, [], ["Band", "Count"], ["First", 1]])
    decision = said(reading, "outside the block")
    assert decision.weight == "warning" and decision.cells == ("A7:B7", "A8:B8")


def test_blank_rows_are_bridged_when_the_ids_go_on(read, said):
    reading = read([*BOARD, [], [], ["S5", 61, 62, 63], ["S6", 50, 51, 52]])
    assert reading.panel.n_objects == 6
    assert said(reading, "blank rows bridged").cells == ("A8:D8",)
    assert reading.score_block == "B2:D9"


def test_a_label_unlike_the_ids_after_a_blank_row_stops(refused):
    message = refused([*BOARD, [], ["Firsts", 1, 0, 2]])
    assert "A7:D7" in message and "blank row" in message


def test_a_blank_column_within_the_block_is_bridged(read, said):
    reading = read([[*row[:2], None, *row[2:]] for row in BOARD])
    assert reading.panel.scores.tolist() == NUMBERS
    assert said(reading, "blank columns bridged").cells == ("D1",)


@pytest.mark.parametrize("corner", ["Module", "Module / Student", "Judge", "Reviewer"])
def test_a_turned_sheet_is_known_by_its_corner(read, corner):
    turned = [list(column) for column in zip(*[[corner, *BOARD[0][1:]], *SCORES], strict=True)]
    turned[0][0] = corner
    reading = read(turned)
    assert reading.panel.objects == ("S1", "S2", "S3", "S4")
    assert reading.panel.assessors == ("MA1", "MA2", "MA3")
    assert reading.object_cells[0] == "B1" and reading.assessor_cells[0] == "A2"
    assert reading.score_block == "B2:E4"


def test_a_turned_sheet_is_known_by_a_column_of_credits(read):
    turned = [[None, "Credits", "S1", "S2"], ["MA1", 15, 65, 55], ["MA2", 30, 70, 60]]
    reading = read(turned)
    assert reading.panel.assessors == ("MA1", "MA2")
    assert reading.panel.confidences.tolist() == [15, 30, 15, 30]


def test_the_layout_setting_turns_a_sheet(read):
    rows = [["", "A", "B"], ["X", 1, 2], ["Y", 3, 4]]
    assert read(rows, settings={"Layout": "objects down"}).panel.objects == ("X", "Y")
    assert read(rows, settings={"Layout": "objects across"}).panel.objects == ("A", "B")


def test_names_beside_the_ids_are_kept_and_other_columns_listed(read, said):
    rows = [["Student ID", "Name", "Programme", "Year", "MA1", "MA2"]]
    rows += [[f"{100 + i}", f"Person {i}", "BSc", 3, 60 + i, 50 + i] for i in range(4)]
    reading = read(rows)
    assert reading.panel.objects == ("100", "101", "102", "103")
    assert reading.object_names == ("Person 0", "Person 1", "Person 2", "Person 3")
    assert said(reading, "column about objects").cells == ("C2:C5", "D2:D5")


def test_the_id_column_need_not_be_the_first(read):
    rows = [["Name", "Candidate number", "MA1", "MA2"], ["Ann", 11, 60, 61], ["Bob", 12, 50, 51]]
    reading = read(rows)
    assert reading.panel.objects == ("11", "12")
    assert reading.object_names == ("Ann", "Bob")


def test_row_numbers_are_not_ids(read):
    rows = [["#", "Talk", "A", "B"], [1, "Bees", 4, 5], [2, "Ants", 3, 4]]
    assert read(rows).panel.objects == ("Bees", "Ants")


def test_merged_headings_are_filled_and_joined(read):
    rows = [
        ["Student", "Algebra", None, "Analysis", None],
        [None, "Exam", "Project", "Exam", "Project"],
        ["S1", 60, 61, 62, 63],
        ["S2", 50, 51, 52, 53],
    ]
    merged = ((1, 1, 2, 1), (1, 2, 1, 3), (1, 4, 1, 5))
    expected = ("Algebra - Exam", "Algebra - Project", "Analysis - Exam", "Analysis - Project")
    assert read(rows, merged=merged).panel.assessors == expected
    assert read(rows).panel.assessors == expected


def test_two_rows_of_different_headings_are_joined(read):
    rows = [[None, "Algebra", "Analysis"], ["Student", "MA1", "MA2"], ["S1", 60, 61], ["S2", 50, 51]]
    assert read(rows).panel.assessors == ("Algebra - MA1", "Analysis - MA2")


def test_a_title_merged_across_the_block_is_no_heading(read):
    rows = [["Modules of year 3", None, None], ["Student", "MA1", "MA2"], ["S1", 60, 61], ["S2", 50, 51]]
    reading = read(rows, merged=((1, 1, 1, 3),))
    assert reading.panel.assessors == ("MA1", "MA2")
    assert reading.nouns.assessor == "Module"


def test_merged_cells_in_the_body_stop(refused):
    assert "B2:C2" in refused(BOARD, merged=((2, 2, 2, 3),))
    assert "A2:A3" in refused(BOARD, merged=((2, 1, 3, 1),))


def test_merged_cells_elsewhere_do_not_matter(read):
    assert read([*BOARD, [], ["Note"]], merged=((7, 1, 8, 4),)).panel.n_assessments == 10


def test_headings_that_are_numbers_are_accepted(read):
    assert read([["Talk", 1, 2, 3], ["T1", 60, 61, 62], ["T2", 50, 51, 52]]).panel.assessors == ("1", "2", "3")
    assert read([[None, 1, 2, 3], ["T1", 60, 61, 62], ["T2", 50, 51, 52]]).panel.assessors == ("1", "2", "3")


def test_numeric_ids_are_labels(read):
    assert read([["Student", "A", "B"], [1001, 60, 61], [1002, 50, 51]]).panel.objects == ("1001", "1002")


@pytest.mark.parametrize(
    "heading",
    ["Grand total", "Mean mark", "Average mark", "Ranking", "Class", "Comments", "Credits passed", "Final average"],
)
def test_totals_are_left_out_by_their_heading(read, said, heading):
    reading = read([[*BOARD[0], heading], *([*row, _worked_out(heading, row, k)] for k, row in enumerate(SCORES))])
    assert reading.panel.scores.tolist() == NUMBERS
    assert heading in said(reading, "total or statistic").sentence


def _worked_out(heading, row, k):
    given = [score for score in row[1:] if isinstance(score, int | float)]
    if heading == "Grand total":
        return sum(given)
    return sum(given) / len(given) if heading in ("Mean mark", "Average mark", "Final average") else 40 + k


@pytest.mark.parametrize("heading", ["Grand total", "Mean mark"])
def test_a_total_that_is_none_is_asked_about_also_in_few_rows(refused, heading):
    rows = [[*BOARD[0], heading], *([*row, 40 + k] for k, row in enumerate(SCORES))]
    assert f"headed {heading}, but its numbers are not what that says" in refused(rows)


@pytest.mark.parametrize("heading", ["Mean Field Theory", "Total Quality", "Ranking Systems", "MA4"])
def test_modules_with_such_words_in_their_names_are_read(read, heading):
    assert heading in read([[*BOARD[0], heading], *([*row, 40 + k] for k, row in enumerate(SCORES))]).panel.assessors


def test_a_total_in_the_middle_of_the_block_is_counted_as_left_out(read, said):
    rows = [["Student", "A", "Mean", "B"], ["S1", 60, 61, 62], ["S2", 50, 51, 52], ["S3", 30, 46, 62]]
    reading = read(rows)
    assert said(reading, "total or statistic").excluded_scores == 3
    assert reading.cells_found == 9


@pytest.mark.parametrize(
    ("heading", "values"),
    [("Total", [193, 115, 185, 128]), ("Mean", [64.3, 57.5, 61.7, 64]), ("Sum", [193, 115, 185, 128])],
)
def test_a_total_that_could_be_a_name_is_one_where_the_numbers_say_so(read, heading, values):
    rows = [[*BOARD[0], heading], *([*row, value] for row, value in zip(SCORES, values, strict=True))]
    assert read(rows).panel.assessors == ("MA1", "MA2", "MA3")


@pytest.mark.parametrize("heading", ["Total", "Sum", "Mean", "Average", "Rank", "Som"])
def test_an_assessor_who_may_be_called_so_is_asked_about_where_few_numbers_speak(refused, heading):
    message = refused([[*BOARD[0], heading], *([*row, 61 - k] for k, row in enumerate(SCORES))])
    assert f"--exclude {heading}" in message and f"--include {heading}" in message


@pytest.mark.parametrize("heading", ["SD", "SE"])
def test_an_assessor_whose_marks_are_wider_than_any_spread_is_nobodys_deviation(read, heading):
    rows = [[*BOARD[0], heading], *([*row, 61 - k] for k, row in enumerate(SCORES))]
    assert read(rows).panel.assessors == ("MA1", "MA2", "MA3", heading)


def test_judges_called_max_or_sd_are_not_statistics_below_the_block(read):
    rows = [["Speaker", "A", "B"], ["Ann", 60, 61], ["Max", 50, 51], ["Eve", 70, 71]]
    assert read(rows).panel.objects == ("Ann", "Max", "Eve")


@pytest.mark.parametrize("name", ["Max", "Min", "SD", "N"])
def test_judges_with_such_names_are_read(read, name):
    rows = [["Talk", "Ann", name, "Eve"], ["T1", 60, 65, 70], ["T2", 50, 52, 48], ["T3", 55, 51, 49]]
    assert read(rows).panel.assessors == ("Ann", name, "Eve")


@pytest.mark.parametrize(("name", "values"), [("Max", [70, 50, 55]), ("Min", [60, 48, 49]), ("N", [2, 2, 2])])
def test_columns_that_are_such_statistics_are_not(read, name, values):
    rows = [["Talk", "Ann", "Eve", name], ["T1", 60, 70], ["T2", 50, 48], ["T3", 55, 49]]
    rows = [rows[0], *([*row, value] for row, value in zip(rows[1:], values, strict=True))]
    assert read(rows).panel.assessors == ("Ann", "Eve")


def test_a_confidence_for_each_object_is_not_used_and_warned(read, said):
    reading = read([["Talk", "A", "B", "Confidence"], ["T1", 60, 61, 3], ["T2", 50, 51, 4]])
    assert reading.panel.assessors == ("A", "B") and reading.declared == ()
    assert said(reading, "confidence column not used").weight == "warning"


def test_a_column_of_text_is_left_out_with_a_warning(read, said):
    reading = read([[*BOARD[0], "Feedback"], *([*row, "well done"] for row in SCORES)])
    assert reading.panel.scores.tolist() == NUMBERS
    assert said(reading, "text column").weight == "warning"


def test_scores_without_a_heading_stop(refused):
    assert "E2:E5" in refused([[*BOARD[0]], *([*row, 50] for row in SCORES)])


def test_scores_without_an_id_stop(refused):
    assert "B6:D6" in refused([*BOARD, [None, 50, 51, 52]])


def test_an_error_instead_of_a_name_stops(refused):
    assert "A3" in refused([*BOARD[:2], [CellError("#N/A"), 1, 2, 3]])
    assert "C1" in refused([["Student", "A", CellError("#REF!")], ["S1", 1, 2], ["S2", 3, 4]])


def test_repeated_headings_down_the_page_are_skipped(read, said):
    reading = read([*BOARD[:3], BOARD[0], *BOARD[3:]])
    assert reading.panel.n_objects == 4
    assert said(reading, "repeated headings").excluded_scores == 3


def test_objects_and_assessors_without_scores_are_left_out_and_listed(read):
    reading = read(
        [["Student", "A", "B", "C"], ["S1", 1, 2, None], ["S2", 3, 4, "ABS"], ["S3", None, "ABS", None], ["S4"]]
    )
    assert reading.panel.objects == ("S1", "S2")
    assert reading.panel.assessors == ("A", "B")
    listed = {cell for d in reading.decisions if "without score" in d.kind for cell in d.cells}
    assert listed == {"A4:C4", "A5", "D2:D4"}


def test_identical_duplicate_rows_count_once(read, said):
    reading = read([*BOARD, BOARD[1]])
    assert reading.panel.n_objects == 4
    assert said(reading, "duplicate row").excluded_scores == 3


def test_duplicate_rows_with_other_scores_stop(refused):
    assert '"S1, as in A2:D2"' in refused([*BOARD, ["S1", 1, 2, 3]])


def test_the_article_goes_with_the_noun(refused):
    assert "repeat an object with" in refused([["No.", "A", "B"], ["01", 1, 2], ["02", 4, 5], ["01", 2, 3]])
    assert "repeat a student with" in refused([*BOARD, ["S1", 1, 2, 3]])


def test_duplicate_columns_stop_unless_identical(read, refused):
    assert '"A, as in B2:B3"' in refused([["Talk", "A", "A"], ["T1", 1, 2], ["T2", 3, 4]])
    assert read([["Talk", "A", "A", "B"], ["T1", 1, 1, 3], ["T2", 3, 3, 5]]).panel.assessors == ("A", "B")


def test_ids_are_trimmed_and_near_matches_warned(read, said):
    reading = read([["Student", "A", "B"], ["012", 1, 2], ["12 ", 3, 4], [" s 1", 5, 6], ["S1", 7, 8]])
    assert reading.panel.objects == ("012", "12", "s 1", "S1")
    assert said(reading, "near match").cells == ("A2", "A3", "A4", "A5")
    assert said(read(BOARD), "near match") is None


def test_hidden_rows_and_columns_are_included_and_named(read, said):
    reading = read(BOARD, hidden_rows=frozenset({3, 4}), hidden_columns=frozenset({3}))
    decision = said(reading, "hidden included")
    assert decision.weight == "warning" and "row 3 (S2), row 4 (S3), column C (" in decision.sentence
    assert reading.panel.n_assessments == 10


def test_hidden_rows_and_columns_can_be_excluded(read):
    facts = {"hidden_rows": frozenset({3}), "hidden_columns": frozenset({3})}
    reading = read(BOARD, settings={"Hidden rows and columns": "exclude"}, **facts)
    assert reading.panel.objects == ("S1", "S3", "S4")
    assert reading.panel.assessors == ("MA1", "MA3")
    assert sum(d.excluded_scores for d in reading.decisions if d.kind == "hidden excluded") == 5


def test_hidden_rows_outside_the_block_are_not_mentioned(read, said):
    assert said(read(BOARD, hidden_rows=frozenset({40})), "hidden included") is None


def test_people_in_the_id_column_are_noted_for_boards(read, said):
    rows = [["Student", "MA1", "MA2"], ["Ann Lee", 60, 61], ["Bob Ray", 50, 51], ["Eve Fox", 55, 56]]
    assert said(read(rows), "names of people") is not None
    assert said(read([["Talk", *rows[0][1:]], *rows[1:]]), "names of people") is None
    assert said(read(BOARD), "names of people") is None


def test_thin_links_are_marked_and_kept(read, said):
    reading = read([["Talk", "A", "B", "C"], ["T1", 1, None, None], ["T2", 2, 3, 4], ["T3", 3, 4, None]])
    assert said(reading, "no cross-check").cells == ("A2",)
    assert said(reading, "no effect on others").cells == ("D1",)


def test_score_and_confidence_columns_side_by_side_are_paired(read):
    rows = [
        ["Talk", "Judge A", None, "Judge B", None],
        [None, "Score", "Confidence", "Score", "Confidence"],
        ["T1", 60, "high", 61, "low"],
        ["T2", 50, "medium", 51, "high"],
    ]
    reading = read(rows, merged=((1, 2, 1, 3), (1, 4, 1, 5)))
    assert reading.panel.assessors == ("Judge A", "Judge B")
    assert reading.panel.scores.tolist() == [60, 61, 50, 51]
    assert reading.panel.confidences.tolist() == [4, 0.25, 1, 4]


@pytest.mark.parametrize(
    ("corner", "nouns"),
    [
        ("Student", ("Student", "Assessor", "Mark")),
        ("Candidates", ("Candidate", "Assessor", "Mark")),
        ("Talk / Judge", ("Talk", "Judge", "Mark")),
        ("ID", ("Object", "Assessor", "Mark")),
    ],
)
def test_the_nouns_come_from_the_headings(read, corner, nouns):
    reading = read([[corner, "A", "B"], ["T1", 60, 61], ["T2", 50, 51]])
    assert (reading.nouns.object, reading.nouns.assessor, reading.nouns.score) == nouns


def test_the_nouns_on_settings_come_first(read):
    words = {"Word for an object": "Wine", "Word for an assessor": "Taster", "Word for a score": "Note"}
    reading = read(BOARD, settings=words)
    assert reading.summary == "4 wines in A2:A5 and 3 tasters in B1:D1"


@pytest.mark.parametrize("name", ["Essay", "Project", "Presentation", "Dissertation"])
def test_a_module_called_like_what_is_assessed_elsewhere_is_a_module(read, name):
    rows = [["Student", name, "Lab"], *[[f"S{k}", 40 + (7 * k * k) % 47, 45 + (11 * k**3) % 41] for k in range(8)]]
    assert read(rows).panel.assessors == (name, "Lab")


@pytest.mark.parametrize("numbers", [range(1, 9), range(2_100_000, 2_100_800, 100)])
def test_numbers_of_candidates_are_no_scores(read, numbers):
    rows = [["ID", "Candidate", "A", "B"]]
    rows += [[f"S{k}", number, 40 + (7 * k * k) % 47, 45 + (11 * k**3) % 41] for k, number in enumerate(numbers)]
    assert read(rows).panel.assessors == ("A", "B")
