"""Rows that are spelt some thousand at a time are the rows of the report."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from files.package_checks import check_package, read_back
from panelcal.files import rows as module
from panelcal.files.write import write_report
from panelcal.reporting.layout import _roughly_wrapped_lines
from panelcal.reporting.model import Column, Note, Report, Sheet, Table
from panelcal.reporting.text_size import wrapped_lines

SHORT, LONG = 7, 23


def two_tables_and_a_note():
    left = Table(
        (
            Column("Object", [f"S{k}" for k in range(LONG)], "text", links=[f"#Marks!A{k + 2}" for k in range(LONG)]),
            Column("Value", [None if k % 5 == 0 else k / 3 for k in range(LONG)], "score"),
            Column(
                "Next", list(range(LONG)), "integer", formulas=[f"=B{k + 5}" if k % 2 else None for k in range(LONG)]
            ),
        )
    )
    right = Table((Column("No.", list(range(SHORT)), "integer"),), row=9, column=6, name="right")
    notes = (Note(row=12, text="beside", column=8), Note(row=40, text="below"))
    sheet = Sheet("Cal values", "Title", "Explanation", (left, right), notes)
    return Report((sheet,), "run", "footer", "2026-11-21T10:15:00")


def written_cells(path):
    write_report(two_tables_and_a_note(), path)
    check_package(path)
    sheet = read_back(path).worksheets[0]
    return {cell.coordinate: cell.value for row in sheet.iter_rows() for cell in row if cell.value is not None}


def test_wherever_the_rows_are_cut_the_cells_are_the_same(tmp_path, monkeypatch):
    whole = written_cells(tmp_path / "whole.xlsx")
    assert len([cell for cell in whole if cell.startswith("A")]) == LONG + 4
    assert (whole["F10"], whole["F16"], whole["H12"], whole["A40"], whole["C6"]) == (0, 6, "beside", "below", "=B6")
    for at_once in (1, 3, 8):
        monkeypatch.setattr(module, "_AT_ONCE", at_once)
        assert written_cells(tmp_path / f"{at_once}.xlsx") == whole


@pytest.mark.parametrize("among", [(), ("<b>", "A & B"), ("Zoë",), ("a_b",)], ids=["usual", "signs", "letters", "line"])
def test_texts_come_back_as_they_were_whatever_stands_beside_them(tmp_path, among):
    """Spaces at the ends of one, which are checked apart where no text of a column has an unusual sign within it."""
    texts = ["plain", " before", "behind ", None, "", "two  within", "x" * 11_000, *among]
    sheet = Sheet("Cal values", "T", "E", (Table((Column("Text", texts, "text"),)),))
    write_report(Report((sheet,), "run", "footer", "2026-11-21T10:15:00"), tmp_path / "r.xlsx")
    written = read_back(tmp_path / "r.xlsx").worksheets[0]
    assert [written.cell(row, 1).value for row in range(5, 5 + len(texts))] == [text or None for text in texts]


NEAR_ZERO = [-3.0, -0.05, -0.049, -0.0, 0.0, 0, 0.03, 0.05, 2.8]
SHOWN_AS_ZERO = [False, False, True, False, False, False, True, False, False]


def zero_styles(path, **mixed):
    columns = tuple(
        Column(style, [value * (0.1 if style == "precise" else 1) for value in NEAR_ZERO], style, **mixed)
        for style in ("score", "signed", "precise", "percent")
    )
    sheet = Sheet("Cal values", "T", "E", (Table(columns),), frozen=None)
    write_report(Report((sheet,), "run", "footer", "2026-11-21T10:15:00"), path)
    cells = read_back(path).worksheets[0]
    return [[cells.cell(row, column).number_format for row in range(5, 14)] for column in range(1, 5)]


@pytest.mark.parametrize("mixed", [{}, {"links": ["#A!A1"] * 9}], ids=["numbers only", "mixed"])
def test_a_number_shown_as_zero_has_no_sign(tmp_path, mixed):
    score, signed, precise, percent = zero_styles(tmp_path / "out.xlsx", **mixed)
    assert score == ["0.0;0.0;0.0" if zero else "0.0" for zero in SHOWN_AS_ZERO]
    assert signed == ["0.0;0.0;0.0" if zero else "+0.0;-0.0;0.0" for zero in SHOWN_AS_ZERO]
    assert precise == ["0.00;0.00;0.00" if zero else "0.00" for zero in SHOWN_AS_ZERO]
    assert percent == ["0%"] * 9


def test_a_formula_keeps_its_sign_for_when_its_value_changes(tmp_path):
    columns = zero_styles(tmp_path / "out.xlsx", formulas=["=A1"] * 9)
    assert columns == [[code] * 9 for code in ("0.0", "+0.0;-0.0;0.0", "0.00", "0%")]


def test_a_figure_among_answers_stands_at_the_left_also_where_it_is_a_link(tmp_path):
    answers = Column("Cell or figure", [503, 503, "B4:F9"], "general", links=["#A!A1", None, None])
    sheet = Sheet("Cal audit", "T", "E", (Table((answers,)),))
    write_report(Report((sheet,), "run", "footer", "2026-11-21T10:15:00"), tmp_path / "out.xlsx")
    cells = read_back(tmp_path / "out.xlsx").worksheets[0]
    assert [(cells[f"A{row}"].alignment.horizontal, cells[f"A{row}"].alignment.indent) for row in (5, 6, 7)] == [
        ("left", 1)
    ] * 3
    assert cells["A5"].font.u == "single" and cells["A6"].font.u is None


def test_large_sheets_are_packed_quickly_and_hold_the_same(tmp_path, monkeypatch):
    from panelcal.files import package

    whole = written_cells(tmp_path / "whole.xlsx")
    monkeypatch.setattr(package, "_MANY_ROWS", 10)
    monkeypatch.setattr(package, "_LARGE", 100)
    assert written_cells(tmp_path / "quick.xlsx") == whole


def test_the_writer_tells_how_far_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_AT_ONCE", 10)
    told = []
    write_report(two_tables_and_a_note(), tmp_path / "out.xlsx", progress=told.append)
    assert told == sorted(told) and told[0] == 0 and told[-1] == 1 and len(set(told)) > 3
    assert np.all(np.diff(told) >= 0)


WORDS = st.lists(st.sampled_from(["Raw", "average", "68.4.", "M0123", "(3.1", "high)", "took", "0.7,"]), min_size=1)


@given(WORDS)
def test_lines_guessed_from_the_length_are_about_those_that_are_wrapped(words):
    text = " ".join(words)
    exact = wrapped_lines(text, 93.0)
    assert exact - 1 <= _roughly_wrapped_lines(text, 93.0) <= exact + 1 + exact // 4
