import math
from datetime import date, datetime, time

import pytest

from panelcal.reading.cell_values import Kind, is_percent_format, kind_of, label_text, leading_number, shown, spread_in
from panelcal.reading.grid import CellError, Uncalculated


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("65", 65),
        ("65 ", 65),
        ("'65", 65),
        ("’65", 65),
        ("64,5", 64.5),
        ("64.5", 64.5),
        (" 64.50", 64.5),
        ("-3", -3),
        ("\u22123", -3),
        ("1 234", 1234),
        ("1\u00a0234", 1234),
        ("1\u202f234,5", 1234.5),
        ("1'234.5", 1234.5),
        ("1,234.5", 1234.5),
        ("1.234,5", 1234.5),
        ("1,234,567", 1234567),
        ("0,125", 0.125),
        ("64,1234", 64.1234),
        (".5", 0.5),
        (",5", 0.5),
        ("+7", 7),
    ],
)
def test_unambiguous_text_is_read_as_the_number_it_spells(text, number):
    assert kind_of(text) == (Kind.TEXT_NUMBER, number)


@pytest.mark.parametrize("text", ["1,234", "12,345", "-1,234", "999,000"])
def test_a_comma_before_three_digits_is_ambiguous(text):
    assert kind_of(text)[0] is Kind.AMBIGUOUS


@pytest.mark.parametrize(
    "text",
    ["90% (18/20)", "18/20", "65*", "1e5", "nan", "inf", "6 5", "12-", "1,23,4", "٦٥", "65 marks", "--5", "1 23"],
)
def test_other_text_is_not_a_number(text):
    assert kind_of(text)[0] is Kind.TEXT


@pytest.mark.parametrize("value", [date(2026, 11, 12), datetime(2026, 11, 12, 9), time(9, 30)])
def test_dates_and_times_are_never_numbers(value):
    kind, number = kind_of(value)
    assert kind is Kind.DATE and math.isnan(number)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (True, Kind.TRUTH),
        (float("nan"), Kind.NOT_FINITE),
        (float("inf"), Kind.NOT_FINITE),
        (10**400, Kind.NOT_FINITE),
        (CellError("#N/A"), Kind.OTHER),
        (Uncalculated("=A1"), Kind.OTHER),
        (None, Kind.BLANK),
        ("  \u00a0", Kind.BLANK),
        (65, Kind.NUMBER),
        (0, Kind.NUMBER),
        (-2.5, Kind.NUMBER),
        ("65%", Kind.PERCENT_TEXT),
    ],
)
def test_every_other_cell_has_its_kind(value, kind):
    assert kind_of(value)[0] is kind


@pytest.mark.parametrize(
    ("text", "middle", "half_width", "form"),
    [
        ("65 +/- 5", 65, 5, "plus-minus"),
        ("65±5", 65, 5, "plus-minus"),
        ("65 +- 2,5", 65, 2.5, "plus-minus"),
        ("± 5", None, 5, "plus-minus"),
        ("60-70", 65, 5, "range"),
        ("60 – 70", 65, 5, "range"),
        ("60 to 70", 65, 5, "range"),
        ("70-60", 65, -5, "range"),
    ],
)
def test_ranges_and_plus_minus_are_understood(text, middle, half_width, form):
    spread = spread_in(text)
    assert (spread.middle, spread.half_width, spread.form) == (middle, half_width, form)


@pytest.mark.parametrize("value", ["-5", "65", "high", "a-b", 65, None, "60-70-80"])
def test_other_cells_are_no_ranges(value):
    assert spread_in(value) is None


@pytest.mark.parametrize(
    ("value", "number_format", "label"),
    [
        ("012", "", "012"),
        ("12 ", "", "12"),
        (12, "", "12"),
        (12.0, "", "12"),
        (12, "00000", "00012"),
        (12.5, "", "12.5"),
        (None, "", ""),
        (True, "", "TRUE"),
        (datetime(2026, 5, 1), "", "2026-05-01"),
        ("\u00a0S1", "", "S1"),
    ],
)
def test_labels_are_trimmed_and_keep_leading_zeros(value, number_format, label):
    assert label_text(value, number_format) == label


def test_a_date_is_shown_as_people_write_it():
    assert shown(date(2026, 11, 12)) == "12 Nov 2026"


def test_long_text_is_shortened_in_messages():
    assert shown("x" * 100) == "x" * 37 + "..."


@pytest.mark.parametrize(
    ("code", "percent"), [("0%", True), ("0.0%", True), ("0.0", False), ('0" %"', False), ("General", False)]
)
def test_percent_formats_are_told_from_quoted_signs(code, percent):
    assert is_percent_format(code) is percent


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("8: accept", 8),
        ("-2: reject", -2),
        ("4: (high)", 4),
        ("4 (high)", 4),
        ("3 - fairly confident", 3),
        ("2,5: between", 2.5),
        ("5) strong accept", 5),
        ("60-70", None),
        ("65 +/- 5", None),
        ("4*", None),
        ("45R", None),
        ("2:1", None),
        ("12:30", None),
        ("12.", None),
        ("accept: 8", None),
        (8, None),
        (None, None),
    ],
)
def test_a_number_in_front_of_words_is_found(text, number):
    assert leading_number(text) == number
