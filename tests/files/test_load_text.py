"""CSV files: encodings, separators and decimal commas, or a sentence where they cannot be told."""

import contextlib
import re

import pytest

from panelcal.errors import FileProblem
from panelcal.files import load_text
from panelcal.files.load import load_source
from panelcal.reading.grid import CellError
from panelcal.reading.read import read_panel
from panelcal.reading.table import table_of

TABLE = [["Student", "Algèbre", "Analyse"], ["S1", "65", "70"], ["S2", "55", ""], ["S3", "ABS", "58"]]


@pytest.fixture
def loaded(tmp_path):
    def build(text, encoding="utf-8", name="marks.csv"):
        path = tmp_path / name
        path.write_bytes(text.encode(encoding) if isinstance(text, str) else text)
        return load_source(path)

    return build


def spelled(separator, rows=TABLE, end="\r\n"):
    return end.join(separator.join(row) for row in rows) + end


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_encodings_and_separators_are_found(loaded, encoding, separator):
    reading = read_panel(loaded(spelled(separator), encoding))
    assert reading.panel.assessors == ("Algèbre", "Analyse")
    assert reading.panel.scores.tolist() == [65, 70, 55, 58]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_do_not_matter(loaded, end):
    assert loaded(spelled(";", end=end)).grids[0].n_rows == 4


def test_only_windows_text_is_noted(loaded):
    assert "Windows-1252" in loaded(spelled(","), "cp1252").notes[0]
    assert loaded(spelled(",")).notes == ()


def test_decimal_commas_are_read_where_columns_are_not_separated_by_commas(loaded):
    source = loaded("Student;A;B\nS1;64,5;70\nS2;55;60,25\n")
    assert source.grids[0].rows[1:] == (("S1", 64.5, 70), ("S2", 55, 60.25))
    assert "Decimal commas" in source.notes[0]


def test_decimal_commas_beside_decimal_points_stay_text(loaded):
    assert loaded("Student;A;B\nS1;64,5;70\nS2;55.5;60\n").grids[0].value(2, 2) == "64,5"


def test_an_ambiguous_comma_stays_text(loaded):
    assert loaded("Student;A;B\nS1;1,234;70\nS2;55,5;60\n").grids[0].value(2, 2) == "1,234"


def test_quoted_fields_hold_separators_and_line_ends(loaded):
    rows = loaded('Student,A,"Team, red"\nS1,65,"two\nlines"\n').grids[0].rows
    assert rows == (("Student", "A", "Team, red"), ("S1", 65, "two\nlines"))


def test_ids_with_leading_zeros_and_long_numbers_stay_text(loaded):
    assert loaded("id,A\n012,1.50\n12345678901234567890,-3\n").grids[0].rows[1:] == (
        ("012", 1.5),
        ("12345678901234567890", -3),
    )


def test_error_texts_become_error_values(loaded):
    assert loaded("id,A\nS1,#N/A\n").grids[0].value(2, 2) == CellError("#N/A")


def test_short_lines_are_filled_up_and_blank_ends_dropped(loaded):
    assert loaded("id,A,B\nS1,1\n\n,,\n").grids[0].rows == (("id", "A", "B"), ("S1", 1, None))


def test_a_sep_line_decides(loaded):
    assert loaded("sep=;\nid;A\nS1;1,5\n").grids[0].rows == (("id", "A"), ("S1", 1.5))


def test_title_lines_do_not_confuse_the_separator(loaded):
    source = loaded("Marks, year 3\n\nStudent;A;B\nS1;64,5;70,5\nS2;55,5;60,5\n")
    assert read_panel(source).panel.scores.tolist() == [64.5, 70.5, 55.5, 60.5]


@pytest.mark.parametrize("before", ["", "\n" * 1_200, "M" * 1_200 + "\n"])
def test_the_separator_is_found_in_a_long_file_however_it_begins(loaded, monkeypatch, before):
    monkeypatch.setattr("panelcal.files.load_text._BEGINNING", 1_000)
    text = before + "".join(f"S{k};{k % 90};1.5\n" for k in range(300))
    assert loaded(text).grids[0].rows[-1][:3] == ("S299", 29, 1.5)


def test_the_sheet_is_named_after_the_file(loaded):
    source = loaded("id,A\nS1,1\n", name="Year 3.csv")
    assert (source.active, source.grids[0].sheet) == ("Year 3", "Year 3")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("a,b;c,d\n1,2;3,4\n", "not clear"),
        ('id,A\n"S1,65\nS2,70\n', "quotation mark"),
        (b"id,A\nS\x81\xff1,2\n", "decoded"),
        (b"\xff\xfea", "decoded"),
        ("id," * 17000 + "\n", "too many"),
    ],
)
def test_what_cannot_be_decided_stops_in_one_sentence(loaded, content, sentence):
    with pytest.raises(FileProblem) as refusal:
        loaded(content)
    assert sentence in str(refusal.value) and "marks.csv" in str(refusal.value)


ROWS = ["Student;Module;Mark", *(f"S{k % 90:04d};{'Mécanique' if k % 7 else ' M 2 '};{k % 61}" for k in range(6_000))]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "changed",
    [
        [],  # as it stands
        ["S1;M;64,5"],
        ["S1;M;1.234"],
        ["S1;M;065", "S2;M;", ";;"],
        ["S1;M;65.0", "#N/A; M;65", "", ";;"],
        ["S1;M"],  # and what is not cut at once: a short line, a long one, a quotation mark, a blank line
        ["S1;M;60;!"],
        ['"S1; M";M;60'],
        ["", "S2;M;60"],
        [f"S1;{'long' * 40_000};60"],
    ],
)
def test_a_long_table_is_cut_at_once_into_what_it_is_line_by_line(loaded, monkeypatch, changed, end):
    lines = [*ROWS[:4_000], *changed[:1], *ROWS[4_000:], *changed[1:]]
    content = (end.join(lines) + end).encode()
    monkeypatch.setattr(load_text, "_LONG_TEXT", 10**9)
    refused = pytest.raises(FileProblem) if "long" in "".join(changed) else contextlib.nullcontext()
    with refused as line_by_line:
        slowly = loaded(content)
    monkeypatch.setattr(load_text, "_LONG_TEXT", 1_000)
    if line_by_line is not None:
        with pytest.raises(FileProblem, match=re.escape(str(line_by_line.value))):
            loaded(content)
        return
    quickly = loaded(content)
    assert quickly.notes == slowly.notes
    assert quickly.grids[0].rows == slowly.grids[0].rows
    types = [[list(map(type, row)) for row in source.grids[0].rows] for source in (quickly, slowly)]
    assert types[0] == types[1]


def test_a_long_table_is_cut_without_looking_at_each_line(loaded, monkeypatch):
    monkeypatch.setattr(load_text, "_rows", None)
    grid = loaded("\n".join(ROWS).encode()).grids[0]
    assert len(grid.rows) == 6_001
    assert [len(column.values) for column in grid.coded_columns.known(grid.rows)] == [91, 3, 62]


def test_columns_in_which_a_number_is_spelt_in_two_ways_are_told_apart_by_number(loaded):
    lines = [*ROWS, "S0001;M;60.0", "S0002;M;60"]
    grid = loaded("\n".join(lines).encode()).grids[0]
    assert grid.coded_columns.known(grid.rows) is None
    assert len(table_of(grid).coded(2).values) == 62
