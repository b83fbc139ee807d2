"""Standard input: its forms, what is refused, and a column that is not there."""

import io
import json
import sys

import openpyxl
import pytest

from panelcal import calibrate
from programs.small_inputs import COLUMNS, HEADINGS, MARKS, column, same_panel, table
from run_panelcal import run, run_in_process_of_its_own


def lines(rows=MARKS, headings=HEADINGS):
    return "".join(json.dumps(dict(zip(headings, row, strict=False))) + "\n" for row in rows)


def parquet(rows=MARKS, headings=HEADINGS):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet as pq

    stream = io.BytesIO()
    columns = dict(zip(headings, map(list, zip(*rows, strict=True)), strict=False))
    pq.write_table(pa.table(columns), stream)
    return stream.getvalue()


@pytest.mark.parametrize("form", [table, lines, parquet])
def test_standard_input_is_csv_json_lines_or_parquet(piped, form):
    done = piped(form(), "calibrate", "-", *COLUMNS, "--json", "-")
    assert (done.returncode, done.stderr) == (0, "")
    assert column(json.loads(done.stdout)["values"], "value") == calibrate(same_panel()).values.tolist()
    done = piped(form(), "check", "-", *COLUMNS)
    assert done.returncode == 0 and "4 students" in done.stdout and "Nothing was written" in done.stdout


@pytest.mark.slow
def test_json_is_utf_8_whatever_the_terminal_takes(piped):
    odd = lines([("李 🙂", *row[1:]) if row[0] == "Ann" else row for row in MARKS])
    done = piped(odd, "calibrate", "-", *COLUMNS, "--json", "-")
    assert json.loads(done.stdout)["values"][0]["object"] == "李 🙂" and "李 🙂" in done.stdout


@pytest.mark.slow
def test_the_same_through_a_real_pipe(marks, tmp_path):
    done = run_in_process_of_its_own("calibrate", str(marks), *COLUMNS, "--json", "-", "-o", str(tmp_path / "o.xlsx"))
    assert done.returncode == 0, done.stderr
    assert column(json.loads(done.stdout)["values"], "value") == calibrate(same_panel()).values.tolist()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("", "Nothing came from standard input"),
        ("[1, 2]", "JSON list: give JSON lines"),
        ('{"student": "Ann"}\n{"student": ', "Line 2 of standard input is not JSON"),
        ('{"student": "Ann"}\n[3]', "Line 2 of standard input is no JSON object"),
        ('{"student": ["Ann", "Bo"]}', "several things in 'student'"),
        (b"PK\x03\x04 no workbook", "is damaged or was cut off"),
    ],
)
def test_what_is_no_list_is_refused_in_a_sentence(piped, given, said):
    done = piped(given, "check", "-", *COLUMNS)
    assert done.returncode == 1 and said in done.stderr and "Traceback" not in done.stderr


def test_parquet_that_cannot_be_used_is_refused_in_a_sentence(piped, monkeypatch):
    whole = parquet()
    said = piped(whole[: len(whole) // 2], "check", "-", *COLUMNS)
    assert said.returncode == 1 and "Parquet table from standard input is damaged or was cut off" in said.stderr
    nested = parquet([("Ann", ["Reed"], 61), ("Bo", ["Reed"], 55)], HEADINGS[:3])
    said = piped(nested, "check", "-", *COLUMNS[:6])
    assert said.returncode == 1 and "column 'marker' from standard input holds no plain values" in said.stderr
    holed = parquet([*MARKS, ("Cy", "Reed", float("nan"), 1)])
    done = piped(holed, "calibrate", "-", *COLUMNS, "--json", "-")
    assert column(json.loads(done.stdout)["values"], "value") == calibrate(same_panel()).values.tolist()
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    said = piped(whole, "check", "-", *COLUMNS)
    assert said.returncode == 1 and "pyarrow reads, and that is not installed" in said.stderr


def test_a_column_that_is_not_there_is_answered_with_the_nearest(piped):
    for form in (table, lines):
        done = piped(form(), "check", "-", "--object", "studnt", *COLUMNS[2:])
        assert done.returncode == 1
        assert "no column 'studnt': did you mean 'student'?" in done.stderr


@pytest.mark.parametrize("command", ["check", "calibrate"])
def test_a_column_that_is_not_in_a_file_is_answered_with_the_nearest(marks, tmp_path, command):
    book = openpyxl.Workbook()
    book.active.append(["Marks of 2026"])
    for row in [(), HEADINGS, *MARKS]:
        book.active.append(row)
    book.save(tmp_path / "marks.xlsx")
    for path in (marks, tmp_path / "marks.xlsx"):
        done = run(command, str(path), "--object", "student", "--assessor", "markr", *COLUMNS[4:])
        assert done.returncode == 1 and f"{path.name} has no column 'markr': did you mean 'marker'?" in done.stderr
        assert "The columns are student, marker, mark, confidence." in done.stderr
        assert run("check", str(path), "--object", " STUDENT ", *COLUMNS[2:]).returncode == 0


def test_a_column_far_from_all_and_one_named_twice_are_refused_in_a_sentence(piped):
    far = piped(table(), "check", "-", "--object", "zzz", *COLUMNS[2:]).stderr
    assert far == "standard input.csv has no column 'zzz'. The columns are student, marker, mark, confidence.\n"
    twice = piped(table(), "calibrate", "-", *COLUMNS[:2], "--assessor", "Student", *COLUMNS[4:], "--json", "-")
    assert twice.returncode == 1 and twice.stdout == ""
    assert twice.stderr == "--object and --assessor both name the column 'Student': give each a column of its own.\n"


def test_what_cannot_go_to_standard_output_is_refused_by_its_option(piped, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for option, told in (("-o", "A workbook needs a file"), ("--csv", "CSV files need a folder"), ("--html", "A page")):
        done = piped(table(), "calibrate", "-", *COLUMNS, "--json", "-", option, "-")
        assert done.returncode == 1 and done.stderr.startswith(told) and done.stdout == ""
    assert list(tmp_path.iterdir()) == []
    for option in ("--json", "--html"):
        done = piped(table(), "calibrate", "-", *COLUMNS, option, "no/result")
        assert done.returncode == 1 and done.stderr.endswith(f"choose another name with {option}.\n")


def test_wrong_usage_is_said(piped, marks):
    assert "say where the results of standard input go" in piped(table(), "calibrate", "-", *COLUMNS).stderr
    done = piped(table(), "calibrate", "-", str(marks), *COLUMNS, "--json", "-")
    assert done.returncode == 2 and "stands alone" in done.stderr
    assert run("check", str(marks), *COLUMNS, "--fail-on", "policy").returncode == 2
    assert run("calibrate", str(marks), *COLUMNS, "--fail-on", "rain").returncode == 2


def test_standard_input_may_become_a_page_alone(piped, tmp_path):
    page = tmp_path / "out.html"
    assert piped(table(), "calibrate", "-", *COLUMNS, "--html", str(page), "--quiet").stdout == ""
    assert [one.name for one in tmp_path.iterdir()] == [page.name]
    assert "such as --html result.html" in piped(table(), "calibrate", "-", *COLUMNS, "--html", "-").stderr
