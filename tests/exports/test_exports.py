"""No export file gives a wrong number: each is read right at once, or right after doing what its refusal says.

The truth is the panel that a file was made from, and its calibrated values by plain least squares.
"""

import pytest

from exports.catalogue import LAYOUTS, VARIANTS, all_files, make
from exports.reading_as_typed import outcome

MUST_ASK = frozenset(
    "absent_as_zero abstracts-3 across-2 answered_forms-2 between_groups boards-2 boards-3 both_units cmt_slots "
    "credits_below-3 criteria criteria_across criteria_with_total debates-1 debates-3 double_marking-1 dropped "
    "earlier_results-1 earlier_results-3 filtered-1 german grades grants groups hiring-1 hiring-2 joined_scores "
    "merged_down mixed_scales more_canvas-3 panels_of_seven-2 rankings recitals registers respondents-2 "
    "rounded_mean rows_of_statistics sheet_per_judge signs standardised-1 standardised-2 subtotals tastings-1 "
    "tastings-2 self_assessed far_codes derived_figures form_parts figures_below turned "
    "several_sheets-2 turned_square weighted_whole workers "
    "facts_among_surnames thousands_with_points maxima_by_row fractions other_end rounds_by_name second_tables "
    "rows_without_names attempts signs_for_scores days_above "
    "criteria_in_headings never_handed_in nobodys_headings two_figures_each-3 scores_with_names "
    "one_heading_twice one_surname_twice decimals_as_dates remarks_among_scores criteria_in_rows "
    "sheets_alike averages_of_heats credits_of_all_but_one-2 credits_of_all_but_one-3 beyond_all_others "
    "called_as_weights criteria_and_overall mock_beside_doctors reviews_of_an_api-3 "
    "zeros_for_nothing somebody_called_total one_column_left-3 names_of_a_kind-1 "
    "absent_from_an_exam levels_with_dots jurors_below_a_name a_noun_among_surnames "
    "shares_in_percent-3 answers_in_own_words total_typed_by_hand "
    "who_before_what a_row_on_top rows_by_day".split()
)
"""Layouts, and single files, that are refused at first; every other file is read right at once."""

SLOW = frozenset(
    f"exports.{name}"
    for name in (
        *"second_looks third_looks fourth_looks fifth_looks sixth_looks seventh_looks eighth_looks".split(),
        "sections_and_slips",
        "course_systems",
    )
)
"""Files whose variants are all left to the slow tests."""


@pytest.mark.parametrize(
    ("name", "variant"),
    [
        pytest.param(*file, marks=[pytest.mark.slow] if file[1] or LAYOUTS[file[0]].__module__ in SLOW else [])
        for file in all_files()
    ],
)
def test_a_file_is_right_at_once_or_after_one_answer(name, variant, tmp_path):
    found = outcome(make(name, variant, tmp_path), tmp_path)
    may_be_refused = name in MUST_ASK or f"{name}-{variant + 1}" in MUST_ASK
    assert found.kind in {"right", "refused" if may_be_refused else "right"}, found.said


def test_there_are_enough_files():
    assert len(LAYOUTS) >= 22
    assert len(all_files()) == len(LAYOUTS) * VARIANTS >= 66
    at_once = [name for name, variant in all_files() if not {name, f"{name}-{variant + 1}"} & MUST_ASK]
    assert len(at_once) >= 50


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_truth_is_one_panel(name, tmp_path):
    """Everybody in it can be compared with everybody: otherwise a file would be refused for that."""
    for truth in make(name, 1, tmp_path).truths:
        reached, waiting = {truth.objects[0]}, [truth.objects[0]]
        while waiting:
            one = waiting.pop()
            near = {pair[1 - side] for side in (0, 1) for pair in truth.scores if pair[side] == one}
            waiting += near - reached
            reached |= near
        assert reached == {*truth.objects, *truth.assessors}
