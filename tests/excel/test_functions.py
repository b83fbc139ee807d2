"""The cell functions through xlwings' own conversion of arguments: what they take, what they spill, how they refuse."""

import math

import numpy as np
import pytest

import panelcal
import panelcal.errors
from excel import engine
from excel.engine import MISSING
from panelcal import Panel
from panelcal.excel import function_panel, functions
from panelcal.excel.cells_argument import Cells
from panelcal.excel.function_columns import COLUMNS
from panelcal.reading.read import read_panel

HEADED = [
    ["Student", "MA101", "MA102", "MA103"],
    ["0001", 60.0, 55.0, None],
    ["0002", 70.0, None, 66.0],
    ["0003", None, 61.0, 58.0],
    ["0004", 52.0, 48.0, 50.0],
]
BARE = [row[1:] for row in HEADED[1:]]
PANEL = Panel.from_matrix([[math.nan if cell is None else cell for cell in row] for row in BARE])
EVERY = ("calibrate", "calibrate_bias", "calibrate_fit", "calibrate_bound", "calibrate_compare", "calibrate_why")


def numbers(spill, first=0):
    return np.array([row[1:] for row in spill[first:]], dtype=float)


def test_values_errors_and_averages_are_those_of_the_library(call, put):
    spill = call("calibrate", put("B3", HEADED), MISSING, MISSING, MISSING)
    calibration = panelcal.calibrate(PANEL)
    errors = panelcal.uncertainty(calibration)
    assert spill[0] == ["Student", "Calibrated value", "Standard error", "Lower", "Upper", "Raw average", "Change"]
    assert [row[0] for row in spill[1:]] == ["0001", "0002", "0003", "0004"]
    raw = panelcal.compare(PANEL).weighted_average
    expected = np.column_stack(
        [calibration.values, errors.value_errors, errors.value_interval(0.95), raw, calibration.values - raw]
    )
    assert numbers(spill, 1) == pytest.approx(expected, abs=1e-12)


def test_without_names_there_is_no_heading_and_every_row_keeps_its_place(call, put):
    spill = call("calibrate", put("B3", BARE), MISSING, MISSING, MISSING)
    assert len(spill) == 4 and [row[0] for row in spill] == ["Object 1", "Object 2", "Object 3", "Object 4"]
    assert numbers(spill)[:, 0] == pytest.approx(panelcal.calibrate(PANEL).values, abs=1e-12)


def test_biases_bounds_methods_and_fit_are_those_of_the_library(call, put):
    cells = put("A1", HEADED)
    calibration = panelcal.calibrate(PANEL)
    bias = call("calibrate_bias", cells, MISSING, MISSING, MISSING)
    assert [row[0] for row in bias[1:]] == ["MA101", "MA102", "MA103"]
    assert numbers(bias, 1)[:, 0] == pytest.approx(calibration.biases, abs=1e-12)
    assert numbers(bias, 1)[:, 5] == pytest.approx([3, 3, 3])
    bounds = panelcal.robustness(calibration)
    bound = numbers(call("calibrate_bound", cells, MISSING, MISSING, MISSING), 1)
    expected = np.column_stack([bounds.value_bounds, bounds.worst_cases, bounds.value_sensitivities])
    assert bound == pytest.approx(expected, abs=1e-12)
    methods = numbers(call("calibrate_compare", cells, MISSING, MISSING, MISSING), 1)
    four = panelcal.compare(PANEL)
    expected = np.column_stack([four.simple_average, four.weighted_average, four.fisher, four.confidence])
    assert methods == pytest.approx(expected, abs=1e-12)
    fit = dict(call("calibrate_fit", cells, MISSING, MISSING, MISSING)[1:])
    assert fit["N"] == 9.0 and fit["mu_2"] == pytest.approx(bounds.mu2)
    assert fit["w = R/(N - p)"] == pytest.approx(calibration.w_unbiased)


SPILLING = EVERY[:-1]
SPOKEN = {
    "calibrate": ["Students", "Calibrated values", "standard errors", "LOWER", "upper", "raw averages", "changes"],
    "calibrate_bias": ["assessors", "biases", "error", "low", "high", "average", "number"],
    "calibrate_bound": ["names", "bounds", "Worst case", "sensitivities"],
    "calibrate_compare": ["object", "simple", "weighted averages", "fisher", "calibration with confidence"],
}


@pytest.mark.parametrize("name", [name for name in SPILLING if name != "calibrate_fit"])
def test_what_gives_one_column_with_its_heading_by_the_same_rule(name, call, put):
    rows = {"named": HEADED, "bare": BARE}
    cells = {key: put(cell, rows[key]) for key, cell in (("named", "A1"), ("bare", "H1"))}
    for key, one in cells.items():
        everything = call(name, one, MISSING, MISSING, MISSING)
        assert call(name, one, MISSING, MISSING, MISSING, MISSING) == everything
        for words in ([column.word for column in COLUMNS[name]], SPOKEN[name] if key == "named" else []):
            for number, word in enumerate(words):
                column = [[row[number]] for row in everything]
                assert call(name, one, MISSING, MISSING, MISSING, word) == column, word
    for number, heading in enumerate(call(name, cells["named"], MISSING, MISSING, MISSING)[0]):
        assert call(name, cells["named"], MISSING, MISSING, MISSING, heading)[0] == [heading], number


def test_what_gives_one_figure_of_the_fit_by_its_word_or_as_it_is_headed(call, put):
    cells = put("A1", HEADED)
    rows = call("calibrate_fit", cells, MISSING, MISSING, MISSING)[1:]
    for column, (label, figure) in zip(COLUMNS["calibrate_fit"], rows, strict=True):
        assert call("calibrate_fit", cells, MISSING, MISSING, MISSING, column.word) == [[figure]]
        assert call("calibrate_fit", cells, MISSING, MISSING, MISSING, label) == [[figure]]
    for word, number in (("mu2", 6), ("\u03bc\u2082", 6), ("df", 5), ("n", 3), ("r", 2)):
        assert call("calibrate_fit", cells, MISSING, MISSING, MISSING, word) == [[rows[number][1]]]


def test_no_word_of_a_function_means_two_of_its_columns():
    for columns in COLUMNS.values():
        for column in columns:
            for word in (column.word, *column.others):
                assert [one for one in columns if one.is_called(word)] == [column], word


@pytest.mark.parametrize("word", ["median", 2.0, True, "valu", "-"])
def test_a_word_that_no_column_has_is_refused_with_the_words_and_why_has_them(word, call, put):
    cells = put("A1", HEADED)
    for name in SPILLING:
        with pytest.raises(functions_now().FunctionRefused) as refusal:
            call(name, cells, MISSING, MISSING, MISSING, word)
        assert f"The argument what of {name.upper()} is {COLUMNS[name][0].word}, " in str(refusal.value)
    ((sentence,),) = call("calibrate_why", cells, MISSING, MISSING, MISSING, word)
    assert "CALIBRATE is name, value, standard error, lower, upper, raw average or change" in sentence
    assert sentence.startswith("No function has a column") and "CALIBRATE_FIT is w, w ml, R" in sentence


def test_why_tells_which_function_knows_a_word_and_the_scores_come_first(call, put):
    cells = put("A1", HEADED)
    ((sentence,),) = call("calibrate_why", cells, MISSING, MISSING, MISSING, "bias")
    assert sentence == "All is well: 4 x 3, 9 scores were read; CALIBRATE_BIAS can give it."
    ((sentence,),) = call("calibrate_why", cells, MISSING, MISSING, MISSING, "assessors")
    assert "CALIBRATE_BIAS can" in sentence
    ((sentence,),) = call("calibrate_why", put("H1", [[5.0]]), MISSING, MISSING, MISSING, "median")
    assert "One cell is no panel" in sentence
    several = (("value", "change"),)
    ((sentence,),) = call("calibrate_why", cells, MISSING, MISSING, MISSING, several)
    assert sentence == "The argument what must be a single cell or value."


def test_what_may_stand_in_a_cell_and_a_blank_one_means_everything(call, put):
    cells = put("A1", HEADED)
    everything = call("calibrate", cells, MISSING, MISSING, MISSING)
    assert call("calibrate", cells, MISSING, MISSING, MISSING, put("H1", [["change"]])) == [
        [row[6]] for row in everything
    ]
    assert call("calibrate", cells, MISSING, MISSING, MISSING, put("H2", [[None]])) == everything


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize(
    "rows", [HEADED, BARE, [[5.0, 6.0, 7.0]], [[5.0], [6.0], [7.0]]], ids=["names", "bare", "1xn", "nx1"]
)
def test_what_comes_back_can_spill(name, rows, call, put):
    spill = call(name, put("A1", rows), MISSING, MISSING, MISSING)
    assert isinstance(spill, list) and len({len(row) for row in spill}) == 1
    cells = [cell for row in spill for cell in row]
    assert all(isinstance(cell, str) or (isinstance(cell, float) and math.isfinite(cell)) for cell in cells)


@pytest.mark.parametrize(
    ("confidence", "expected"),
    [
        ([[10.0, 20.0, 15.0]], [[10, 20, 15]] * 4),
        ([[1.0], [2.0], [3.0], [4.0]], [[k] * 3 for k in (1, 2, 3, 4)]),
        ([["high", "low", "medium"]], [[4, 0.25, 1]] * 4),
        ([["H", "L", "M"]] * 4, [[4, 0.25, 1]] * 4),
        ([["Credits", 10.0, 20.0, 15.0]], [[10, 20, 15]] * 4),
        ([["x", 1.0, 1.0, 1.0], *([["x", 1.0, 2.0, 3.0]] * 4)], [[1, 2, 3]] * 4),
        ([[3.0]], [[3] * 3] * 4),
    ],
    ids=["row", "column", "words", "matrix", "row with name", "matrix with names", "single"],
)
def test_confidences_of_every_shape(confidence, expected, call, put):
    spill = call("calibrate", put("A1", HEADED), put("H1", confidence), MISSING, MISSING)
    panel = Panel.from_matrix([[math.nan if c is None else c for c in row] for row in BARE], np.array(expected, float))
    assert numbers(spill, 1)[:, 0] == pytest.approx(panelcal.calibrate(panel).values, abs=1e-12)
    assert numbers(spill, 1)[:, 1] == pytest.approx(
        panelcal.uncertainty(panelcal.calibrate(panel)).value_errors, abs=1e-12
    )


def test_a_confidence_typed_in_the_formula(call, put):
    cells = put("A1", HEADED)
    typed = call("calibrate", cells, ((10.0, 20.0, 15.0),), MISSING, MISSING)
    assert typed == call("calibrate", cells, put("H1", [[10.0, 20.0, 15.0]]), MISSING, MISSING)
    assert call("calibrate", cells, "high", MISSING, MISSING)[1][1] == pytest.approx(
        call("calibrate", cells, MISSING, MISSING, MISSING)[1][1]
    )


def test_blank_confidence_cells_mean_none_given(call, put):
    cells = put("A1", HEADED)
    assert call("calibrate", cells, put("H1", [[None, None, None]]), MISSING, MISSING) == call(
        "calibrate", cells, MISSING, MISSING, MISSING
    )


def test_codes_blanks_and_numbers_as_text_are_read_as_on_a_sheet(call, put):
    rows = [list(row) for row in HEADED]
    rows[1][3], rows[2][2], rows[4][1] = "ABS", "-", "52"
    assert call("calibrate", put("A1", rows), MISSING, MISSING, MISSING) == call(
        "calibrate", put("H1", HEADED), MISSING, MISSING, MISSING
    )


def test_whole_columns_end_where_the_values_end(call, put):
    put("A1", HEADED)
    from xlwings import books

    cells = books.active.sheets[0].range("A1:D2000")
    assert len(call("calibrate", cells, MISSING, MISSING, MISSING)) == 5


def test_a_long_list_is_read_by_its_headings(call, put):
    records = [
        [HEADED[i][0], HEADED[0][j], HEADED[i][j]] for i in range(1, 5) for j in range(1, 4) if HEADED[i][j] is not None
    ]
    spill = call("calibrate", put("A1", [["Student", "Module", "Mark"], *records]), MISSING, MISSING, MISSING)
    assert numbers(spill, 1)[:, 0] == pytest.approx(panelcal.calibrate(PANEL).values, abs=1e-12)


@pytest.mark.parametrize(("gauge", "options"), [
    ("equal", {"gauge": "equal"}),
    ("Weighted", {}),
    (65.0, {"gauge": "reference", "reference": 65.0}),
    ("reference", {"gauge": "reference"}),
])  # fmt: skip
def test_gauges(gauge, options, call, put):
    spill = call("calibrate", put("A1", HEADED), MISSING, MISSING, gauge)
    assert numbers(spill, 1)[:, 0] == pytest.approx(panelcal.calibrate(PANEL, **options).values, abs=1e-12)


@pytest.mark.parametrize(
    ("rows", "headers", "columns", "first"),
    [
        (HEADED, True, 3, "0001"),
        ([["ignored", 1.0, 2.0, 3.0], *HEADED[1:]], True, 3, "0001"),
        ([row[1:] for row in HEADED], MISSING, 3, "Object 1"),
        ([["Oral", "Essay", "Poster"], [5.0, 6.0, 7.0], [6.0, 6.0, 8.0], [4.0, 5.0, 5.0]], "top", 3, "Object 1"),
        (HEADED[1:], "left", 3, "0001"),
        ([["Ann", *BARE[0]], ["Ben", *BARE[3]]], MISSING, 3, "Ann"),
        ([[1001.0, *BARE[0]], [1002.0, 5.0, 6.0, 7.0]], "left", 3, "1001"),
        (BARE, False, 3, "Object 1"),
    ],
)
def test_with_and_without_names(rows, headers, columns, first, call, put):
    cells = put("B2", rows)
    if headers is MISSING and rows[0][0] == "MA101":
        # A first column of scores under a name could be one of ids.
        with pytest.raises(functions_now().FunctionRefused, match="headers"):
            call("calibrate", cells, MISSING, headers, MISSING)
        headers = "top"
    spill = call("calibrate", cells, MISSING, headers, MISSING)
    named = headers in (True, "top") or (headers is MISSING and rows[0][0] == "Student")
    assert spill[1 if named else 0][0] == first
    assert len(call("calibrate_bias", cells, MISSING, headers, MISSING)) == columns + named


def test_names_stay_names_where_blank_rows_part_groups(call, put):
    choirs = [[f"Choir {row[0]}", *row[1:]] for row in HEADED[1:]]
    blank = [None] * 4
    rows = [["Ensemble", "Ann Ames", "Bo Berg", "Cy Cole"], ["Junior", *blank[1:]], *choirs[:2], blank, *choirs[2:]]
    spill = call("calibrate", put("A1", rows), MISSING, MISSING, MISSING)
    assert [row[0] for row in spill[1:]] == [choir[0] for choir in choirs]
    assert numbers(spill, 1)[:, 0] == pytest.approx(panelcal.calibrate(PANEL).values, abs=1e-12)


@pytest.mark.parametrize(
    "rows",
    [
        HEADED[1:],
        [[1001.0, 60.0, 55.0], [1002.0, 70.0, 66.0], [1003.0, 61.0, 58.0]],
        [[1.0, 60.0, 55.0], [2.0, 70.0, 66.0], [3.0, 61.0, 58.0]],
        [[None, 60.0, 55.0], [64.0, 70.0, 66.0], [63.0, 61.0, 58.0]],
        [["Talk 1", 60.0, 55.0], [64.0, 70.0, 66.0], [63.0, 61.0, 58.0]],
    ],
    ids=["text numbers", "high numbers", "counted", "blank corner", "one word"],
)
def test_what_could_be_names_or_scores_is_asked_about(rows, call, put):
    with pytest.raises(functions_now().FunctionRefused, match="set the argument headers"):
        call("calibrate", put("A1", rows), MISSING, MISSING, MISSING)


def functions_now():
    """The module as it is while xlwings' decorators are the real ones."""
    import panelcal.excel.functions as module

    return module


@pytest.mark.parametrize(
    ("rows", "confidence", "headers", "gauge", "words"),
    [
        ([[None]], MISSING, MISSING, MISSING, "empty"),
        ([[5.0]], MISSING, MISSING, MISSING, "One cell is no panel"),
        ([["A", "x"], ["B", "#N/A"]], MISSING, MISSING, MISSING, ""),
        ([*HEADED, ["0005", "#N/A", 5.0, 6.0]], MISSING, MISSING, MISSING, "C8"),
        ([*HEADED, ["0005", "sick", 5.0, 6.0]], MISSING, MISSING, MISSING, "C8"),
        (HEADED, ((1.0, 2.0),), MISSING, MISSING, "1 x 2 cells and the scores 5 x 4"),
        (HEADED, ((1.0, 0.0, 2.0),), MISSING, MISSING, "more than zero"),
        (HEADED, (("high", "lots", "low"),), MISSING, MISSING, "lots"),
        (HEADED, MISSING, "maybe", MISSING, "headers"),
        (HEADED, MISSING, MISSING, "heavy", "gauge"),
        ([["s", "A", "B"], ["x", 1.0, None], ["y", None, 2.0]], MISSING, MISSING, MISSING, ""),
    ],
)
def test_refusals_are_one_sentence_and_why_has_it(rows, confidence, headers, gauge, words, call, put):
    cells = put("B3", rows)
    for name in EVERY[:-1]:
        with pytest.raises(functions_now().FunctionRefused) as refusal:
            call(name, cells, confidence, headers, gauge)
    sentence = str(refusal.value)
    assert words in sentence and "\n" not in sentence and sentence.endswith((".", ")"))
    assert call("calibrate_why", cells, confidence, headers, gauge) == [[sentence]]


def test_which_way_a_range_lies_is_asked_and_the_answer_is_a_word_in_its_corner(call, put):
    rows = [[None, "a", "b"], ["x", 1, 2], ["y", 3, 5], ["z", 2, 4]]
    with pytest.raises(
        functions_now().FunctionRefused, match=r"write Judge in the upper left cell.*such as Talk, in the upper left"
    ):
        call("calibrate", put("B3", rows), MISSING, MISSING, MISSING)
    rows[0][0] = "Talk"
    assert [row[0] for row in call("calibrate", put("B3", rows), MISSING, MISSING, MISSING)] == ["Talk", "x", "y", "z"]
    rows[0][0] = "Judge"
    assert [row[0] for row in call("calibrate", put("B3", rows), MISSING, MISSING, MISSING)][1:] == ["a", "b"]


def test_addresses_are_those_of_the_sheet_also_without_names(call, put):
    rows = [list(row) for row in BARE]
    rows[2][1] = "sick"
    with pytest.raises(functions_now().FunctionRefused, match=r"Cell G12 on sheet Sheet1"):
        call("calibrate", put("F10", rows), MISSING, MISSING, MISSING)
    with pytest.raises(functions_now().FunctionRefused, match=r"Cell B3 on sheet Sheet1"):
        call("calibrate", put("A1", rows), MISSING, MISSING, MISSING)


def test_a_refusal_of_a_range_lists_the_cells_of_the_sheet_and_leaves_names_that_look_like_cells(put):
    rows = [["Student", "B2", "C2"], ["D5", 60, 70], ["E6", 50, "sick"]]
    range_ = put("D4", rows)
    cells = Cells(tuple(map(tuple, rows)), range_)
    with pytest.raises(panelcal.errors.InputRefused, match="F6") as refused:
        function_panel.solve(cells, None, None, None)
    assert refused.value.cells == ("Sheet1!F6",)


def test_an_address_of_a_confidence_is_its_own(call, put):
    with pytest.raises(functions_now().FunctionRefused, match="J7"):
        call("calibrate", put("A1", HEADED), put("I7", [[1.0, "lots", 2.0]]), MISSING, MISSING)


def test_scores_left_out_are_asked_for(call):
    with pytest.raises(functions_now().FunctionRefused, match="first argument"):
        call("calibrate", MISSING, MISSING, MISSING, MISSING)


def test_why_without_a_reason_says_what_was_read(call, put):
    assert call("calibrate_why", put("A1", HEADED), MISSING, MISSING, MISSING) == [
        ["All is well: 4 x 3, 9 scores were read."]
    ]


@pytest.mark.parametrize(
    ("stated", "expected"),
    [("high", 4.0), ("low", 0.25), (2.0, 0.25), ("65 +/- 5", 0.04), ("60-70", 0.04)],
)
def test_confidence_of_one_statement(stated, expected, call):
    ((value,),) = call("calibrate_confidence", stated)
    assert value == pytest.approx(expected)


def test_confidence_of_a_range_keeps_its_shape(call, put):
    spill = call("calibrate_confidence", put("A1", [["high", None], ["low", "M"]]))
    assert spill == [[4.0, ""], [0.25, 1.0]]


@pytest.mark.parametrize("stated", ["lots", -1.0, 0.0, MISSING, "#N/A", None])
def test_confidence_that_is_none(stated, call, put):
    argument = put("A1", [[stated]]) if stated is not MISSING else stated
    with pytest.raises(functions_now().FunctionRefused):
        call("calibrate_confidence", argument)


def test_ten_formulas_on_one_range_solve_once(call, put, monkeypatch):
    cells = put("A1", HEADED)
    solved = []

    def counting(*arguments, **options):
        solved.append(1)
        return read_panel(*arguments, **options)

    monkeypatch.setattr(function_panel, "read_panel", counting)
    for _ in range(2):
        for name in EVERY:
            call(name, cells, MISSING, MISSING, MISSING)
    assert solved == [1]
    put("B2", [[61.0]])
    call("calibrate", cells, MISSING, MISSING, MISSING)
    assert solved == [1, 1]


@pytest.mark.parametrize(("one", "other"), [(1.0, True), (65.0, "65"), (None, "")])
def test_contents_of_different_kinds_are_told_apart(one, other):
    assert Cells(((one, 2.0),)).content != Cells(((other, 2.0),)).content


def test_the_cache_forgets_the_oldest(app):
    functions._solved.clear()
    for k in range(40):
        functions.calibrate([[5.0 + k, 6.0], [7.0, 8.0]])
    assert len(functions._solved) == 16


def test_a_panel_without_degrees_of_freedom_leaves_errors_blank(app):
    spill = functions.calibrate([[5.0, 6.0]])
    assert spill[0][2] == "" and isinstance(spill[0][1], float)


def test_dates_are_refused_by_cell(call, put):
    import datetime as dt

    rows = [list(row) for row in HEADED]
    rows[2][1] = dt.datetime(2026, 11, 12)
    with pytest.raises(functions_now().FunctionRefused, match="B3"):
        call("calibrate", put("A1", rows), MISSING, MISSING, MISSING)


def test_the_functions_are_registered_for_excel(call):
    module = functions_now()
    for name in (*EVERY, "calibrate_confidence"):
        registered = getattr(module, name).__xlfunc__
        assert registered["name"] == name and registered["category"] == "Calibrate"
        assert not registered["ret"]["options"].get("expand")
    assert engine.NAME != "excel"
