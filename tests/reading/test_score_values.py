"""What stands in a score cell: the rows of the table in SHEETS.md, in both directions."""

from datetime import date, datetime

import numpy as np
import pytest

from panelcal.reading.grid import CellError, Uncalculated

BOARD = [
    ["Student", "MA1", "MA2", "MA3"],
    ["S1", 65, 70, 58],
    ["S2", 55, 62, 60],
    ["S3", 48, 71, 66],
    ["S4", 72, 69, 59],
]


def board(**cells):
    """The board with some cells replaced: board(B2="ABS")."""
    rows = [list(row) for row in BOARD]
    for cell, value in cells.items():
        rows[int(cell[1:]) - 1][ord(cell[0]) - 65] = value
    return rows


def test_a_clean_board_is_read_without_a_warning(read):
    reading = read(BOARD)
    assert reading.panel.scores.tolist() == [65, 70, 58, 55, 62, 60, 48, 71, 66, 72, 69, 59]
    assert reading.plain_scores.all()
    assert [d.kind for d in reading.decisions if d.weight == "warning"] == []


def test_a_blank_is_not_assessed_and_zero_is_a_score(read):
    reading = read(board(B2=None, C2=0))
    assert reading.panel.n_assessments == 11
    assert reading.panel.scores[0] == 0


def test_a_cell_with_only_spaces_is_blank_and_listed(read, said):
    reading = read(board(B2="  ", C3="\u00a0"))
    assert reading.panel.n_assessments == 10
    assert said(reading, "only spaces").cells == ("B2", "C3")


@pytest.mark.parametrize(
    "code", ["ABS", "abs", " AB ", "NS", "DNA", "EXT", "MC", "DEF", "WD", "-", "–", "n/a", "N/A", "Abs."]
)
def test_default_codes_are_left_out_and_listed(read, said, code):
    reading = read(board(C3=code))
    decision = said(reading, "code excluded")
    assert decision.cells == ("C3",)
    assert decision.excluded_scores == 1
    assert "zero" in decision.sentence
    assert reading.panel.n_assessments == 11


def test_a_code_can_count_as_zero(read, said):
    reading = read(board(C3="ABS"), codes={"ABS": "zero"})
    at = reading.score_cells.index("C3")
    assert reading.panel.scores[at] == 0
    assert not reading.plain_scores[at]
    assert said(reading, "code counted as zero").cells == ("C3",)


def test_a_code_can_stop_the_run(refused):
    message = refused(board(C3="ABS"), codes={"ABS": "stop"})
    assert "C3" in message and '"ABS"' in message and "table of codes" in message


def test_a_code_that_was_deleted_from_the_table_is_unknown_text(refused):
    assert 'holds the text "EXT"' in refused(board(C3="EXT"), codes={"ABS": "exclude"})


def test_a_number_can_be_a_code(read):
    reading = read(board(C3=999), codes={"999": "exclude"})
    assert reading.panel.n_assessments == 11
    assert 999 not in reading.panel.scores


def test_unknown_text_stops_and_says_what_to_do(refused):
    message = refused(board(B2="sick"))
    assert 'Cell B2 on sheet Marks holds the text "sick" where a mark is expected' in message
    assert '- To take it as not assessed, add --codes "sick=exclude" to the command, or write Codes' in message
    assert "from row 8, sick and exclude" in refused(board(B2="sick"), codes={"ABS": "exclude"})


def test_many_cells_of_one_kind_make_one_sentence_with_ten_addresses_and_a_count(refused):
    rows = [["Student", *[f"M{k}" for k in range(4)]]] + [
        [f"S{i}", *(["sick"] * 3 if i else [1, 2, 3]), 50] for i in range(6)
    ]
    message = refused(rows)
    assert message.startswith("15 cells on sheet Marks (B3, C3, D3, B4,")
    assert "and 5 more" in message
    assert len([line for line in message.splitlines() if not line.startswith("- ")]) == 1


def test_several_kinds_of_problems_are_all_reported(refused):
    message = refused(board(B2="sick", C3=CellError("#REF!"), D4=datetime(2026, 11, 12)))
    assert len([line for line in message.splitlines() if not line.startswith("- ")]) == 3


def test_refused_cells_are_on_the_exception(read):
    from panelcal.errors import InputRefused

    with pytest.raises(InputRefused) as refusal:
        read(board(B2="sick", C3="ill"), sheet="Year 3")
    assert refusal.value.cells == ("'Year 3'!B2", "'Year 3'!C3")


@pytest.mark.parametrize("code", ["#N/A", "#REF!", "#DIV/0!", "#VALUE!"])
def test_error_cells_stop(refused, code):
    message = refused(board(B2=CellError(code)))
    assert "B2" in message and code in message


def test_an_error_outside_the_block_does_not_matter(read):
    assert read([*BOARD, [], ["Checked", None, None, None, CellError("#N/A")]]).panel.n_assessments == 12


@pytest.mark.parametrize(("text", "number"), [("65 ", 65), ("'65", 65), ("64,5", 64.5), ("1 234", 1234)])
def test_numbers_as_text_are_converted_counted_and_listed(read, said, text, number):
    reading = read(board(B2=text, D5="59"))
    assert reading.panel.scores[0] == number
    assert said(reading, "text read as number").cells == ("B2", "D5")
    assert reading.plain_scores.sum() == 10


def test_an_ambiguous_comma_stops_and_says_what_to_write(refused):
    message = refused(board(B2="1,234"))
    assert "B2" in message and "1234" in message and "1.234" in message


PERCENT = {(row, column): "0%" for row in range(2, 6) for column in range(2, 5)}


def shares(**cells):
    return [BOARD[0], *([row[0], *[value / 100 for value in row[1:]]] for row in BOARD[1:])] if not cells else None


def test_a_block_in_percent_is_multiplied_by_100(read, said):
    reading = read(shares(), number_formats=PERCENT)
    np.testing.assert_array_equal(reading.panel.scores, [65, 70, 58, 55, 62, 60, 48, 71, 66, 72, 69, 59])
    assert not reading.plain_scores.any()
    assert said(reading, "percentages multiplied by 100") is not None


def test_percentages_as_text_are_a_block_in_percent_too(read):
    rows = [BOARD[0], *([row[0], *[f"{value}%" for value in row[1:]]] for row in BOARD[1:])]
    assert read(rows).panel.scores.tolist() == [65, 70, 58, 55, 62, 60, 48, 71, 66, 72, 69, 59]


def test_a_mixture_of_percent_and_other_formats_stops(refused):
    formats = {key: value for key, value in PERCENT.items() if key != (3, 3)}
    assert "C3" in refused(shares(), number_formats=formats)
    assert "B2" in refused(board(B2=0.65), number_formats={(2, 2): "0%"})


def test_other_number_formats_change_nothing(read):
    reading = read(BOARD, number_formats={(2, 2): "0.0", (3, 3): '0" %"'})
    assert reading.panel.scores[0] == 65


@pytest.mark.parametrize("value", [datetime(2026, 11, 12), date(2026, 11, 12)])
def test_a_date_stops_with_the_address(refused, value):
    message = refused(board(C3=value))
    assert 'Cell C3 on sheet Marks holds the date "12 Nov 2026" where a mark is expected' in message
    assert "type the mark again" in message


def test_a_mark_with_its_fraction_stops(refused):
    assert '"90% (18/20)"' in refused(board(C3="90% (18/20)"))


def test_true_and_false_stop(refused):
    assert '"TRUE"' in refused(board(C3=True))


def test_a_number_that_is_not_finite_stops(refused):
    assert "too large" in refused(board(C3=float("inf")))


def test_a_formula_without_a_stored_value_stops(refused):
    message = refused(board(C3=Uncalculated("=A1")))
    assert "C3" in message and "save" in message


def test_a_formula_with_a_stored_value_is_read_and_recorded(read, said):
    reading = read(BOARD, formulas={(2, 2): "=60+5", (20, 20): "=1"})
    assert reading.panel.n_assessments == 12
    assert said(reading, "formula").cells == ("B2",)
    assert reading.plain_scores.all()


def test_scores_outside_a_declared_scale_are_warned_above_and_stopped_below(read, refused, said):
    scale = {"Lowest score": 0, "Highest score": 70}
    assert said(read(BOARD, settings=scale), "above the scale").cells == ("C4", "B5")
    assert "D2" in refused(board(D2=-1), settings=scale)


def test_a_score_far_above_the_scale_is_called_a_slip_of_the_pen_and_one_a_little_above_is_not(read, said):
    scale = {"Lowest score": 0, "Highest score": 100}
    reading = read(board(B2=645, C3=150, D4=151), settings=scale)
    far, little = said(reading, "far above the scale"), said(reading, "above the scale")
    assert (far.cells, far.weight) == (("B2", "D4"), "warning")
    assert far.sentence.startswith("B2 holds 645, D4 holds 151, far above 100, the highest mark by the settings")
    assert "look like slips of the pen" in far.sentence
    assert little.cells == ("C3",) and "slip" not in little.sentence
    assert reading.panel.scores.max() == 645


@pytest.mark.parametrize(("slip", "told"), [(645, True), (-400, True), (0, False), (100, False)])
def test_without_a_scale_a_mark_far_from_all_others_is_called_a_possible_slip(slip, told, read, said):
    """Forty marks from 40 to 79."""
    rows = [["Student", *(f"M{k}" for k in range(4))]]
    rows += [[f"S{i}", *(40 + i + 10 * k for k in range(4))] for i in range(10)]
    rows[6][3] = slip
    decision = said(read(rows), "far from the others")
    assert (decision is not None) == told
    if told:
        assert (decision.cells, decision.weight) == (("D7",), "warning")
        assert f"D7 holds {slip}, far from all other marks" in decision.sentence
    assert said(read(rows, settings={"Lowest score": -1000, "Highest score": 1000}), "far from the others") is None


def test_a_few_marks_or_many_far_ones_are_no_slips(read, said):
    assert said(read(board(B2=645)), "far from the others") is None  # twelve marks tell too little
    rows = [["Student", *(f"M{k}" for k in range(4))]]
    rows += [[f"S{i}", *(40 + i + 10 * k for k in range(4))] for i in range(10)]
    for i in range(1, 5):
        rows[i][1] = 6000 + i
    assert said(read(rows, settings={"Count in": "M0"}), "far from the others") is None


def test_the_code_that_was_left_out_is_named_by_itself(read, said):
    assert said(read(board(C3="abs")), "code excluded").found == "abs"


def test_scores_within_a_declared_scale_are_not_mentioned(read, said):
    reading = read(board(B2=0, C2=100), settings={"Lowest score": 0, "Highest score": 100})
    assert said(reading, "above the scale") is None


def test_without_a_scale_only_negative_marks_among_positive_ones_are_warned(read, said):
    assert said(read(board(B2=-5, C2=1000)), "negative score").cells == ("B2",)
    all_negative = [BOARD[0], *([row[0], *[-value for value in row[1:]]] for row in BOARD[1:])]
    assert said(read(all_negative), "negative score") is None


def test_lower_is_better_is_a_warning_and_changes_no_number(read, said):
    reading = read(BOARD, settings={"Better scores are": "lower"})
    assert said(reading, "lower is better") is not None
    assert reading.panel.scores[0] == 65
    assert said(read(BOARD), "lower is better") is None


def test_which_end_is_better_is_asked_where_1_may_be_best(read, refused, said):
    rows = [["Student", "A", "B"], ["S1", 1.3, 2.0], ["S2", 1.7, 3.3], ["S3", 5.0, 4.0]]
    assert "scales where 1 is best" in refused(rows)
    for answer, lower in (("lower", True), ("higher", False)):
        reading = read(rows, settings={"Better scores are": answer})
        assert reading.settings.higher_is_better is not lower
    german = [["Matrikelnummer", "Analysis", "Algebra"], ["S1", 1.2, 2.5], ["S2", 1.7, 3.4], ["S3", 5.0, 4.0]]
    assert "scales where 1 is best" in refused(german)
    read(BOARD)
    stars = [["Talk", "A", "B"], ["T1", 1, 5], ["T2", 2, 3], ["T3", 4, 4]]
    assert read(stars).settings.higher_is_better


def test_the_uneven_danish_scale_is_pointed_out(read, said):
    rows = [["Student", "A", "B"], ["S1", -3, 12], ["S2", 7, 10], ["S3", 4, 2]]
    assert said(read(rows), "uneven scale") is not None
    assert said(read(BOARD), "uneven scale") is None


def test_a_column_with_many_zeros_is_warned(read, said):
    rows = [["Student", "A", "B"], *([f"S{i}", 0 if i < 3 else 60 + i, 50 + i] for i in range(8))]
    assert said(read(rows), "many zeros").cells == ("B1",)
    assert said(read(board(B2=0)), "many zeros") is None


def test_scores_as_ranges_give_the_middle_and_a_confidence(read):
    rows = [["Talk", "A", "B"], ["T1", "60-70", "50-70"], ["T2", "55 to 65", "70-80"]]
    reading = read(rows)
    assert reading.panel.scores.tolist() == [65, 60, 60, 75]
    np.testing.assert_allclose(reading.panel.confidences, [1 / 25, 1 / 100, 1 / 25, 1 / 25])
    assert reading.declared[0] == "60-70"
    assert not reading.plain_scores.any()


def test_scores_with_plus_minus_give_a_confidence(read):
    rows = [["Talk", "A", "B"], ["T1", "65 +/- 5", "60 ± 10"], ["T2", "55+/-2", "70±5"]]
    reading = read(rows, settings={"Half-width of a range in standard deviations": 2})
    assert reading.panel.scores.tolist() == [65, 60, 55, 70]
    np.testing.assert_allclose(reading.panel.confidences, [4 / 25, 4 / 100, 1, 4 / 25])


def test_a_single_range_among_numbers_stops(refused):
    assert "B2" in refused(board(B2="60-70"))


def test_a_range_without_width_stops(refused):
    assert "B2" in refused([["Talk", "A", "B"], ["T1", "70-60", "50-70"], ["T2", "55-65", "70-80"]])
