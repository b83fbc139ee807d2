"""The formulas at work: two spreadsheet engines that are not ours compute what `calibrate` computes."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from openpyxl import load_workbook

from files.formula_engines import ENGINES, SOURCES, need_engine
from files.random_panels import SheetPanel, random_panel
from panelcal import Panel, calibrate, robustness, uncertainty
from panelcal.files.load import load_source
from panelcal.files.saving import write_template
from panelcal.reading.read import read_panel
from panelcal.shipped import templates_folder
from panelcal.templates.live_results import LIVE_SHEET

pytestmark = pytest.mark.slow
CLOSE = 1e-9
RANDOM_PANELS = 190
# Size, share of the cells that hold a score, kind of confidence (None: drawn).
SHAPES: list[tuple[tuple[int, int], float, str | None]] = [
    *[((82, 81), 0.12, None)] * 3,
    ((82, 81), 1.0, "four decades"),
    ((8, 150), 0.4, None),
    ((150, 8), 0.4, None),
    ((1, 1), 1.0, None),
    ((1, 12), 1.0, None),
    ((12, 1), 1.0, None),
    ((2, 2), 1.0, None),
    ((30, 20), 1.0, "none"),
    ((40, 40), 0.02, None),
]
WITHOUT_MINVERSE = {name: formula.replace("MINVERSE(matrix)", "NA()") for name, formula in SOURCES.items()}

NO = None
SMALL = ((5, 6, 7), (4, 6, NO), (NO, 3, 5), (8, NO, 9))
ALL = "Scores!A1:C4"


@pytest.fixture(params=list(ENGINES))
def engine(request: pytest.FixtureRequest) -> Any:
    need_engine(request.param)
    return ENGINES[request.param]


def numbers(block: list[list[Any]]) -> np.ndarray:
    """All numbers a formula spilt, in order; idle rows and columns give empty texts."""
    return np.array([value for line in block for value in line if value not in (None, "")], dtype=float)


def worst(found: Any, expected: Any, scale: float) -> float:
    found, expected = np.asarray(found, dtype=float), np.asarray(expected, dtype=float)
    assert found.shape == expected.shape
    return float(np.abs(found - expected).max() / scale)


def differences(sheet: SheetPanel, results: list[Any]) -> dict[str, float]:
    """How far each result is from ours, relative to the largest of its kind."""
    values, biases, errors, bias_errors, table = results
    panel = sheet.panel
    fit, sure = calibrate(panel), uncertainty(calibrate(panel))
    spread = max(float(np.abs(panel.scores - panel.scores.mean()).max()), 1e-6)
    squares = float(panel.confidences @ (panel.scores - fit.centre) ** 2) or 1.0
    rows = {label: value for label, value in table}
    found = {
        "values": worst(numbers(values), fit.values, float(np.abs(fit.values).max())),
        "values about the mean": worst(numbers(values) - fit.centre, fit.values - fit.centre, spread),
        "biases": worst(numbers(biases), fit.biases, max(float(np.abs(fit.biases).max()), 1e-3 * spread)),
        "R": abs(rows["Weighted residual sum (R)"] - fit.weighted_residual_sum)
        / max(fit.weighted_residual_sum, 1e-9 * squares),
        "mean": abs(rows["Weighted mean score"] - fit.centre) / abs(fit.centre),
        "mu_2": abs(rows["mu_2 (1 = linked as well as can be, 0 = not at all)"] - robustness(fit).mu2)
        / robustness(fit).mu2,
    }
    assert rows["Assessments used (N)"] == panel.n_assessments
    assert (rows["Objects"], rows["Assessors"]) == (panel.n_objects, panel.n_assessors)
    assert rows["Degrees of freedom (N - p)"] == fit.degrees_of_freedom
    codes = sum(isinstance(cell, str) and bool(cell.strip()) for line in sheet.cells for cell in line)
    assert rows["Cells with a code (not assessed)"] == codes
    if fit.degrees_of_freedom:
        largest = max(float(sure.value_errors.max()), 1e-6 * spread)
        found["errors"] = worst(numbers(errors), sure.value_errors, largest)
        found["bias errors"] = worst(numbers(bias_errors), sure.bias_errors, largest)
        found["w"] = abs(rows["w = R/(N - p) (unbiased)"] - fit.w_unbiased) / max(fit.w_unbiased, 1e-9 * squares)
    else:
        assert errors[0][0] == "There are no standard errors: there are no more scores than unknowns."
    return found


def calls(sheet: SheetPanel) -> tuple[str, ...]:
    return (
        sheet.call("VALUES"),
        sheet.call("BIASES"),
        sheet.call("ERRORS"),
        sheet.call("ERRORS", "biases"),
        sheet.call("FIT"),
    )


def test_random_panels_agree_with_calibrate(engine: Any):
    random = np.random.default_rng(20150)
    panels = [random_panel(random, size, share, kind) for size, share, kind in SHAPES]
    panels += [
        random_panel(random, (int(random.integers(1, 19)), int(random.integers(1, 15)))) for _ in range(RANDOM_PANELS)
    ]
    assert len(panels) >= 200
    for sheet in panels:
        found = differences(sheet, engine(sheet.cells, sheet.confidence_cells, *calls(sheet)))
        assert max(found.values()) < CLOSE, f"{sheet.description}: {found}"


@pytest.mark.parametrize("kind", ["none", "number", "row", "column", "matrix", "four decades", "words"])
@pytest.mark.parametrize("size", [(14, 9), (9, 14)], ids=["tall", "wide"])
def test_without_minverse_the_answer_is_the_same(engine: Any, kind: str, size: tuple[int, int]):
    sheet = random_panel(np.random.default_rng(7), size, 0.5, kind)
    found = differences(sheet, engine(sheet.cells, sheet.confidence_cells, *calls(sheet), sources=WITHOUT_MINVERSE))
    assert max(found.values()) < CLOSE, f"{sheet.description}: {found}"


def test_without_minverse_a_whole_board_comes_out_too(engine: Any):
    assert "MINVERSE" not in WITHOUT_MINVERSE["CALIBRATE.SOLVE"]
    sheet = random_panel(np.random.default_rng(8), (82, 81), 0.12, "row")
    (values,) = engine(sheet.cells, sheet.confidence_cells, sheet.call("VALUES"), sources=WITHOUT_MINVERSE)
    expected = calibrate(sheet.panel).values
    assert worst(numbers(values), expected, float(np.abs(expected).max())) < CLOSE


SENTENCES = [
    ("nothing", (), (), f"VALUES({ALL})", "there are no scores yet"),
    ("codes only", (("ABS", "n/a"),), (), f"FIT({ALL})", "there are no scores yet"),
    ("error cell", ((5, 6), (4, "=NA()")), (), f"VALUES({ALL})", "B2 holds an error value"),
    ("two error cells", ((5, "=1/0"), (4, "=NA()")), (), f"FIT({ALL})", "B1 holds an error value; correct it or clear "
     "it (cells like it: 2)"),
    ("number as text", ((5, 6), (4, "65 ")), (), f"BIASES({ALL})", "B2 holds a number stored as text"),
    ("comma as text", ((5, 6), ("64,5", 2)), (), f"ERRORS({ALL})", "A2 holds a number stored as text"),
    ("a note", ((5, 6), (4, "90% (18/20)")), (), f"VALUES({ALL})", "B2 holds a number stored as text, or a note"),
    ("TRUE", ((5, 6), (True, 2)), (), f"VALUES({ALL})", "A2 holds TRUE or FALSE"),
    ("in a constant", (), (), 'VALUES({5,6;4,"7"})', "row 2, column 2 of the range holds a number"),
    ("two groups", ((5, NO, NO), (4, 6, NO), (NO, NO, 5)), (), f"VALUES({ALL})", "the scores fall into 2 groups that "
     "share nothing (column 3 of the scores has no link to column 1)"),
    ("three groups", ((5, NO, NO), (NO, 6, NO), (NO, NO, 5)), (), f"FIT({ALL})", "fall into 3 groups"),
    ("groups in a wide panel", ((5, 4, NO), (NO, NO, 3)), (), "BIASES(Scores!A1:C2)", "row 2 of the scores has no link "
     "to row 1"),
    ("confidence of the wrong size", SMALL, ((1, 2),), f"VALUES({ALL},Conf!A1:B1)", "these are 1 down and 2 across"),
    ("one for each object", SMALL, ((1,), (2,), (3,), (4,)), f"VALUES({ALL},Conf!A1:A4)", "these are 4 down and 1"),
    ("confidence missing", SMALL, ((1, NO, 1),), f"VALUES({ALL},Conf!A1:C1)", "the score in B1 has no confidence"),
    ("confidence zero", SMALL, ((1, 2, 0),), f"VALUES({ALL},Conf!A1:C1)", "the confidence of the score in C1 is zero"),
    ("confidence negative", SMALL, (), f"VALUES({ALL},-1)", "the confidence of the score in A1 is zero or negative"),
    ("confidence an error", SMALL, ((1, "=NA()", 1),), f"VALUES({ALL},Conf!A1:C1)", "the confidence in B1 is neither"),
    ("an unknown word", SMALL, (("high", "very", "low"),), f"VALUES({ALL},Conf!A1:C1)", "the confidence in B1 is "
     "neither a positive number nor high, medium or low"),
    ("words and numbers", SMALL, (("high", 2, "low"),), f"VALUES({ALL},Conf!A1:C1)", "mix words and numbers"),
    ("across of what", SMALL, (), f'VALUES({ALL},,"sideways")', 'objects go "down" or "across"'),
    ("errors of what", SMALL, (), f'ERRORS({ALL},,,"modules")', 'errors are of "values" or of "biases"'),
    ("p too small", (), (), 'CONFIDENCE("high",,1)', "the ratio p between confidence words is a number above 1"),
    ("p a word", (), (), 'CONFIDENCE("high",,"two")', "the ratio p between confidence words is a number above 1"),
    ("unknown form", (), (), 'CONFIDENCE(3,"range")', 'confidences are "weights" or "sd"'),
    ("sd zero", (), (), 'CONFIDENCE({1,0},"sd")', "a standard deviation is a number above 0"),
    ("sd a word", (), (), 'CONFIDENCE("high","sd")', "a standard deviation is a number, not a word"),
]  # fmt: skip


@pytest.mark.parametrize(("scores", "confidences", "call", "says"), [one[1:] for one in SENTENCES],
                         ids=[one[0] for one in SENTENCES])  # fmt: skip
def test_what_cannot_be_calibrated_is_said_in_one_sentence(
    engine: Any, scores: Any, confidences: Any, call: str, says: str
):
    ((line,),) = engine(scores, confidences, f"CALIBRATE.{call}")
    (sentence,) = line
    assert sentence.startswith("Cannot calibrate: ")
    assert sentence.endswith(".")
    assert says in sentence


def values_of(engine: Any, scores: Any, confidences: Any, call: str) -> np.ndarray:
    return numbers(engine(scores, confidences, f"CALIBRATE.{call}")[0])


def test_without_more_scores_than_unknowns_there_are_values_and_no_errors(engine: Any):
    values, errors, table = engine(
        ((5,),), (), "CALIBRATE.VALUES(Scores!A1)", "CALIBRATE.ERRORS(Scores!A1)", "CALIBRATE.FIT(Scores!A1)"
    )
    assert values == [[5.0]]
    assert errors[0][0] == "There are no standard errors: there are no more scores than unknowns."
    rows = {label: value for label, value in table}
    assert rows["mu_2 (1 = linked as well as can be, 0 = not at all)"] == 2.0
    assert rows["w = R/(N - p) (unbiased)"] in ("", None)


def test_confidences_may_be_left_out_blank_or_empty_between_commas(engine: Any):
    plain = values_of(engine, SMALL, (), f"VALUES({ALL})")
    for call in (f"VALUES({ALL},)", f"VALUES({ALL},Conf!A1:C1)", f"VALUES({ALL},3)", f'VALUES({ALL},,"down")'):
        assert values_of(engine, SMALL, (), call) == pytest.approx(plain, rel=1e-12)


def test_a_row_and_a_column_of_confidences_mean_the_same(engine: Any):
    row = values_of(engine, SMALL, ((1, 2, 3),), f"VALUES({ALL},Conf!A1:C1)")
    column = values_of(engine, SMALL, ((1,), (2,), (3,)), f"VALUES({ALL},Conf!A1:A3)")
    assert column == pytest.approx(row, rel=1e-12)


def test_confidence_words_in_any_spelling_and_with_another_ratio(engine: Any):
    words = (("High", " h ", "MEDIUM", "med", "m", "low", "L", NO),)
    assert values_of(engine, (), words, "CONFIDENCE(Conf!A1:H1)").tolist() == [4, 4, 1, 1, 1, 0.25, 0.25]
    assert values_of(engine, (), words, "CONFIDENCE(Conf!A1:F1,,3)").tolist() == [9, 9, 1, 1, 1, 1 / 9]
    assert values_of(engine, (), ((2, 4),), 'CONFIDENCE(Conf!A1:B1,"sd")').tolist() == [0.25, 0.0625]
    assert values_of(engine, (), ((2, 4),), "CONFIDENCE(Conf!A1:B1)").tolist() == [2, 4]


def test_words_count_for_as_much_as_their_numbers(engine: Any):
    words = values_of(engine, SMALL, (("high", "medium", "low"),), f"VALUES({ALL},Conf!A1:C1)")
    assert words == pytest.approx(values_of(engine, SMALL, ((4, 1, 0.25),), f"VALUES({ALL},Conf!A1:C1)"), rel=1e-12)
    other = values_of(
        engine, SMALL, (("high", "medium", "low"),), f"VALUES({ALL},CALIBRATE.CONFIDENCE(Conf!A1:C1,,1.75))"
    )
    expected = values_of(engine, SMALL, ((1.75**2, 1, 1.75**-2),), f"VALUES({ALL},Conf!A1:C1)")
    assert other == pytest.approx(expected, rel=1e-12)


def test_results_lie_as_the_sheet_does_and_idle_lines_stay_empty(engine: Any):
    scores = ((5, NO, 7), (4, NO, 3), (NO, NO, NO), (8, NO, 9))
    values, biases = engine(scores, (), f"CALIBRATE.VALUES({ALL})", f"CALIBRATE.BIASES({ALL})")
    assert [len(line) for line in values] == [1, 1, 1, 1]
    assert values[2][0] in ("", None)
    assert len(biases) == 1
    assert biases[0][1] in ("", None)
    (across,) = engine(scores, (), f'CALIBRATE.VALUES({ALL},,"across")')
    assert len(across) == 1


def recalculated(template: str, changes: dict[tuple[int, int], Any]) -> Any:
    """Load a template in formulon, change cells of Marks, and hand back a reader of Live results."""
    from formulon import Workbook

    book = Workbook.load((templates_folder() / f"{template}.xlsx").read_bytes())
    names = [book.sheet_name(at) for at in range(_count(book))]
    for (row, column), value in changes.items():
        if isinstance(value, str):
            book.set_text(names.index("Marks"), row - 1, column - 1, value)
        else:
            book.set_number(names.index("Marks"), row - 1, column - 1, float(value))
    book.recalc()
    live = names.index(LIVE_SHEET)
    return lambda row, column: book.get_value(live, row - 1, column - 1).to_python()


def _count(book: Any) -> int:
    count = book.sheet_count
    return int(count() if callable(count) else count)


@pytest.mark.parametrize("template", ["live_board", "live_board_example"])
def test_a_live_template_recomputes_to_its_stored_values(template: str):
    need_engine("formulon")
    read = recalculated(template, {})
    package = io.BytesIO((templates_folder() / f"{template}.xlsx").read_bytes())
    compared = 0
    for line in load_workbook(package, data_only=True)[LIVE_SHEET].iter_rows():
        for cell in line:
            found = read(cell.row, cell.column)
            if isinstance(cell.value, int | float):
                assert found == pytest.approx(cell.value, rel=CLOSE, abs=CLOSE), cell.coordinate
                compared += 1
            else:
                assert (found or None) == (cell.value or None), cell.coordinate
    assert compared == (0 if template == "live_board" else 82 * 8 + 81 * 3 + 12)


def test_a_filled_template_follows_its_marks():
    need_engine("formulon")
    marks = {(5, 2): 50, (5, 3): 60, (6, 2): 70, (6, 4): 66, (7, 3): 58, (7, 4): "ABS", (8, 2): 40, (8, 3): 55}
    read = recalculated("live_board", marks)
    scores = np.full((4, 3), np.nan)
    for (row, column), mark in marks.items():
        if not isinstance(mark, str):
            scores[row - 5, column - 2] = mark
    fit = calibrate(Panel.from_matrix(scores))
    assert [read(7 + at, 4) for at in range(4)] == pytest.approx(fit.values.tolist(), rel=CLOSE)
    assert [read(7 + at, 12) for at in range(3)] == pytest.approx(fit.biases.tolist(), rel=CLOSE)
    assert [read(7 + at, 6) for at in range(4)] == pytest.approx(uncertainty(fit).value_errors.tolist(), rel=CLOSE)
    assert read(4, 1) == "Calibrated. Marks: 7; candidates: 4; modules: 3."
    assert read(18, 16) == 1


def test_live_results_name_the_cell_that_is_wrong():
    need_engine("formulon")
    read = recalculated("live_board", {(5, 2): 50, (5, 3): "60 ", (6, 2): 70})
    # A name is a reference in Excel, which then says C5; formulon hands its values on.
    assert re.match("Cannot calibrate: (C5|row 1, column 2 of the range) holds a number stored as text", read(4, 1))


def test_the_board_with_its_marks_as_numbers_gives_the_values_of_the_same_board_read_by_panelcal(tmp_path: Path):
    plain = tmp_path / "board.xlsx"
    write_template("exam_board_example", plain)
    fit = calibrate(read_panel(load_source(plain)).panel)
    live = load_workbook(templates_folder() / "live_board_example.xlsx", data_only=True)[LIVE_SHEET]  # type: ignore[arg-type]
    assert [str(live.cell(7 + at, 1).value) for at in range(82)] == list(fit.panel.objects)
    assert [live.cell(7 + at, 4).value for at in range(82)] == pytest.approx(fit.values.tolist(), rel=CLOSE)
