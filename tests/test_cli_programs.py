"""What pipelines call: results as JSON and CSV, standard input, silence, and an exit status that stops them."""

import csv
import io
import json
import re
import sys
from pathlib import Path

import numpy as np
import openpyxl
import pytest

import panelcal
from panelcal import (
    Panel,
    assessor_differences,
    calibrate,
    compare,
    robustness,
    uncertainty,
    unexpected_scores,
    verdict,
)
from run_panelcal import digest, run, run_in_process_of_its_own, sheet_rows

MARKS = [
    ("Ann", "Reed", 61, 1),
    ("Ann", "Shah", 55, 2),
    ("Bo", "Reed", 70, 1),
    ("Bo", "Shah", 66, 2),
    ("Bo", "Toft", 60, 1),
    ("Cy", "Shah", 48, 2),
    ("Cy", "Toft", 41, 1),
    ("Di", "Reed", 58, 1),
    ("Di", "Toft", 52, 1),
]
HEADINGS = ("student", "marker", "mark", "confidence")
COLUMNS = ["--object", "student", "--assessor", "marker", "--score", "mark", "--confidence", "confidence"]
APART = [("Ann", "Reed", 61), ("Ann", "Shah", 55), ("Bo", "Toft", 48), ("Bo", "Udo", 41)]
OLD_JSON = "there before"


def table(rows=MARKS, headings=HEADINGS):
    stream = io.StringIO()
    csv.writer(stream).writerows([headings, *rows])
    return stream.getvalue()


def lines(rows=MARKS, headings=HEADINGS):
    return "".join(json.dumps(dict(zip(headings, row, strict=False))) + "\n" for row in rows)


@pytest.fixture
def piped(monkeypatch):
    def run_with(text, *arguments):
        given = io.TextIOWrapper(io.BytesIO(text if isinstance(text, bytes) else text.encode()))
        monkeypatch.setattr(sys, "stdin", given)
        return run(*arguments)

    return run_with


@pytest.fixture
def marks(tmp_path):
    path = tmp_path / "marks.csv"
    path.write_text(table(), encoding="utf-8")
    return path


def same_panel():
    objects, assessors, scores, confidences = zip(*MARKS, strict=True)
    return Panel.from_records(objects, assessors, scores, confidences)


def column(rows, name):
    return [row[name] for row in rows]


def test_json_has_the_figures_of_the_python_api_unrounded(marks, tmp_path):
    done = run(
        "calibrate", str(marks), *COLUMNS, "--json", str(tmp_path / "out.json"), "--set", "Level of intervals=0.9"
    )
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert (found["schema"], found["kind"], found["source"]) == ("panelcal/1", "calibration", "marks.csv")
    fit = calibrate(same_panel())
    errors, tested, wild = uncertainty(fit), assessor_differences(fit), unexpected_scores(fit)
    values, biases, left = found["values"], found["biases"], found["residuals"]
    assert column(values, "object") == list(fit.panel.objects)
    assert column(values, "value") == fit.values.tolist()
    assert column(values, "standard_error") == errors.value_errors.tolist()
    assert np.array_equal([[row["lower"], row["upper"]] for row in values], errors.value_interval(0.9))
    assert column(values, "average") == compare(fit.panel).weighted_average.tolist()
    assert column(biases, "bias") == fit.biases.tolist()
    assert column(biases, "adjusted_p_value") == tested.adjusted_p_values.tolist()
    assert column(left, "residual") == fit.residuals.tolist()
    assert column(left, "p_value") == [None if np.isnan(p) else p for p in wild.p_values.tolist()]
    assert column(left, "cell") == [f"C{k}" for k in range(2, 11)]
    assert found["weighted_residual_sum"] == fit.weighted_residual_sum and found["w_unbiased"] == fit.w_unbiased
    assert found["mu2"] == robustness(fit).mu2 and found["p_value"] == verdict(fit.panel).p_value
    assert (found["n_objects"], found["n_assessors"], found["n_assessments"]) == (4, 3, 9)
    assert found["level"] == 0.9 and found["alarms"] == {"disconnected": []}


def test_the_same_figures_stand_on_the_sheets(marks, tmp_path):
    assert run("calibrate", str(marks), *COLUMNS, "--json", str(tmp_path / "out.json"), "-q").returncode == 2
    assert run("calibrate", str(marks), *COLUMNS, "--json", str(tmp_path / "out.json"), "--quiet").stdout == ""
    found = json.loads((tmp_path / "out.json").read_text("utf-8"))
    shown = {row["Student"]: row for row in sheet_rows(tmp_path / "marks-calibrated.xlsx", "Cal values")}
    for row in found["values"]:
        on_sheet = shown[row["object"]]
        assert on_sheet["Calibrated value"] == row["value"] and on_sheet["Standard error"] == row["standard_error"]


def test_what_has_no_answer_is_null_and_an_empty_cell(piped, tmp_path):
    tree = table([("Ann", "Reed", 5), ("Ann", "Shah", 7), ("Bo", "Shah", 6)], HEADINGS[:3])
    done = piped(tree, "calibrate", "-", *COLUMNS[:6], "--json", "-", "--csv", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout, parse_constant=pytest.fail)
    assert found["w_unbiased"] is None and {row["standard_error"] for row in found["values"]} == {None}
    with (tmp_path / "out" / "values.csv").open(newline="", encoding="utf-8") as stream:
        assert {row["standard_error"] for row in csv.DictReader(stream)} == {""}


def test_csv_files_hold_the_tables_of_the_json(marks, tmp_path):
    folder = tmp_path / "out"
    asked = ("calibrate", str(marks), *COLUMNS, "--json", str(tmp_path / "out.json"), "--csv", str(folder))
    assert run(*asked).returncode == 0
    found = json.loads((tmp_path / "out.json").read_text("utf-8"))
    names = {"values", "biases", "residuals", "policy", "decisions", "figures"}
    assert {path.name for path in folder.iterdir()} == {f"{name}.csv" for name in names}
    for name in names - {"figures"}:
        with (folder / f"{name}.csv").open(newline="", encoding="utf-8") as stream:
            rows = list(csv.DictReader(stream))
        assert len(rows) == len(found[name])
        for row, same in zip(rows, found[name], strict=True):
            assert list(row) == list(same)
            numbers = [key for key, value in same.items() if isinstance(value, float)]
            assert all(float(row[key]) == same[key] for key in numbers)
    figures = dict(csv.reader((folder / "figures.csv").read_text("utf-8").splitlines()))
    assert float(figures["mu2"]) == found["mu2"]
    assert float(figures["expected_error.raw"]) == found["expected_error"]["raw"]
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".panelcal")] == []


def test_a_label_is_no_formula_in_a_csv_file(piped, tmp_path):
    odd = table([("=1+1", *row[1:]) if row[0] == "Ann" else row for row in MARKS])
    assert piped(odd, "calibrate", "-", *COLUMNS, "--csv", str(tmp_path / "out")).returncode == 0
    assert "\n'=1+1," in (tmp_path / "out" / "values.csv").read_text("utf-8")


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


def test_a_pipeline_may_want_the_status_alone(piped):
    done = piped(table(), "calibrate", "-", *COLUMNS, "--fail-on", "disconnected", "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


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


def test_what_is_there_is_kept_and_nothing_is_written_then(marks, tmp_path):
    there = tmp_path / "out.json"
    there.write_text(OLD_JSON)
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "values.csv").write_text(OLD_JSON)
    (folder / "mine.txt").write_text(OLD_JSON)
    for asked in (["--json", str(there)], ["--csv", str(folder)], ["--json", str(tmp_path / "no" / "x.json")]):
        done = run("calibrate", str(marks), *COLUMNS, *asked)
        assert done.returncode == 1 and not (tmp_path / "marks-calibrated.xlsx").exists()
    assert "is the input itself" in run("calibrate", str(marks), *COLUMNS, "--json", str(marks), "--force").stderr
    same = run("calibrate", str(marks), *COLUMNS, "--json", str(tmp_path / "marks-calibrated.xlsx"), "--force")
    assert same.returncode == 1 and "is to be the workbook" in same.stderr and list(tmp_path.glob("*.xlsx")) == []
    before = digest(marks)
    assert run("calibrate", str(marks), *COLUMNS, "--json", str(there), "--csv", str(folder), "--force").returncode == 0
    assert json.loads(there.read_text("utf-8"))["schema"] == "panelcal/1"
    assert (folder / "mine.txt").read_text() == OLD_JSON and (folder / "values.csv").read_text() != OLD_JSON
    assert digest(marks) == before


@pytest.mark.slow
def test_a_page_for_browsers_is_written_beside_the_workbook(marks, tmp_path):
    page = tmp_path / "out.html"
    assert run("calibrate", str(marks), *COLUMNS, "--html", str(page)).stdout.count(f"Wrote {page}.") == 1
    text = page.read_text("utf-8")
    assert "<title>marks.csv: calibrated</title>" in text and "Toft" in text
    page.write_text(OLD_JSON)
    refused = run("calibrate", str(marks), *COLUMNS, "--html", str(page), "-o", str(tmp_path / "o.xlsx"))
    assert refused.returncode == 1 and page.read_text() == OLD_JSON and not (tmp_path / "o.xlsx").exists()
    same = run("calibrate", str(marks), *COLUMNS, "--html", str(page), "--json", str(page), "--force")
    assert same.returncode == 1 and "another name with --html" in same.stderr and page.read_text() == OLD_JSON


def test_standard_input_may_become_a_page_alone(piped, tmp_path):
    page = tmp_path / "out.html"
    assert piped(table(), "calibrate", "-", *COLUMNS, "--html", str(page), "--quiet").stdout == ""
    assert [one.name for one in tmp_path.iterdir()] == [page.name]
    assert "such as --html result.html" in piped(table(), "calibrate", "-", *COLUMNS, "--html", "-").stderr


def test_a_check_tells_programs_what_was_understood(marks, tmp_path):
    done = run("check", str(marks), *COLUMNS, "--json", "-")
    found = json.loads(done.stdout)
    assert (found["schema"], found["kind"]) == ("panelcal/1", "check")
    assert column(found["objects"], "object") == ["Ann", "Bo", "Cy", "Di"]
    assert (found["lowest"], found["highest"], found["n_assessors"]) == (41.0, 70.0, 3)
    assert run("check", str(marks), *COLUMNS, "--csv", str(tmp_path / "seen")).returncode == 0
    assert (tmp_path / "seen" / "assessors.csv").read_text().splitlines() == ["assessor", "Reed", "Shah", "Toft"]


@pytest.mark.parametrize("command", ["calibrate", "check"])
def test_groups_that_share_nothing_stop_a_pipeline_that_asks_for_it(piped, command):
    text = table(APART, HEADINGS[:3])
    where = ["--json", "-"] if command == "calibrate" else []
    done = piped(text, command, "-", *COLUMNS[:6], *where, "--fail-on", "disconnected")
    assert done.returncode == 3 and "falls into 2 groups" in done.stderr and done.stdout == ""
    assert piped(text, command, "-", *COLUMNS[:6], *where).returncode == 1
    assert piped(table(), command, "-", *COLUMNS, *where, "--fail-on", "disconnected").returncode == 0


def board(path, **policy):
    book = openpyxl.Workbook()
    book.active.title = "Marks"
    for row in [HEADINGS, *MARKS]:
        book.active.append(row)
    sheet = book.create_sheet("Settings")
    sheet.append(["Setting", "Value"])
    for _ in range(2):
        sheet.append([])
    sheet.append(["Policy", "Limit"])
    for rule, limit in policy.items():
        sheet.append([rule.replace("_", " "), limit])
    book.save(path)
    return path


def test_a_broken_rule_stops_a_pipeline_that_asks_for_it(tmp_path):
    strict = board(tmp_path / "strict.xlsx", No_change_above=0.01)
    done = run("calibrate", str(strict), "--fail-on", "policy", "--json", str(tmp_path / "o.json"))
    assert done.returncode == 3
    assert "Policy: No change above 0.01, not kept" in done.stderr
    alarms = json.loads((tmp_path / "o.json").read_text("utf-8"))["alarms"]["policy"]
    assert [f"Policy: {case}" for case in alarms] == done.stderr.splitlines()
    assert (tmp_path / "strict-calibrated.xlsx").exists()
    kept = board(tmp_path / "kept.xlsx", No_change_above=50)
    assert run("calibrate", str(kept), "--fail-on", "policy").returncode == 0


def test_silence_is_no_good_news_where_nothing_can_be_told(marks, tmp_path):
    done = run("calibrate", str(marks), *COLUMNS, "--fail-on", "drift")
    assert done.returncode == 1 and "nothing here can show drift" in done.stderr
    done = run("calibrate", str(marks), *COLUMNS, "--fail-on", "policy")
    assert done.returncode == 1 and "no rules to hold the result against" in done.stderr
    assert not (tmp_path / "marks-calibrated.xlsx").exists()


def bank(path, moved):
    """Thirty anchors scored by three agents in two weeks; in the second, agent G2 scores higher by `moved`."""
    random = np.random.default_rng(4)
    consensus = np.linspace(5, 95, 30).round()
    book = openpyxl.Workbook()
    anchors = book.active
    anchors.title = "Anchors"
    anchors.append(["Anchor", "Consensus", "Week", "G1", "G2", "G3"])
    for week in (1, 2):
        for k, level in enumerate(consensus.tolist()):
            own = [level + random.normal(0, 2) + shift for shift in (0, moved if week == 2 else 0, 3)]
            anchors.append([f"A{k}", level, week, *(round(min(max(score, 0), 100), 1) for score in own)])
    scores = book.create_sheet("Scores")
    scores.append(["Manuscript", "Week", "G1", "G2", "G3"])
    for k in range(12):
        scores.append([f"M{k}", 2, *(round(float(x), 1) for x in random.uniform(20, 80) + random.normal(0, 3, 3))])
    book.save(path)
    return path


@pytest.mark.slow
def test_the_documented_pipeline_is_stopped_by_an_agent_that_drifts_and_only_then(tmp_path):
    page = (Path(__file__).parents[1] / "docs" / "programs.md").read_text("utf-8")
    command = re.search(r"^      - run: panelcal (.*--fail-on drift)$", page, re.MULTILINE)
    for moved, status, start in ((0.0, 0, run), (9.0, 3, run_in_process_of_its_own)):
        bank(tmp_path / "bank.xlsx", moved)
        done = start(*command[1].split(), folder=tmp_path)
        assert done.returncode == status, done.stderr
        found = json.loads((tmp_path / "result.json").read_text("utf-8"))
        alarms = {row["assessor"]: row["alarm"] for row in found["agents"]}
        assert alarms == {"G1": "none", "G2": "red" if status else "none", "G3": "none"}
        assert len(done.stderr.splitlines()) == (1 if status else 0) and done.stdout == ""
        assert (tmp_path / "bank-calibrated.xlsx").exists()
    assert done.stderr.startswith("Drift: G2: The agent has changed")
    shift = next(row["shift"] for row in found["checks"] if row["assessor"] == "G2")
    assert 7.0 < shift < 11.0


def test_a_plan_is_told_to_programs_too(tmp_path):
    (tmp_path / "jury.csv").write_text("Talk,Judge\nT1,Ada\nT2,Ben\nT3,Cleo\n", encoding="utf-8")
    asked = ("plan", str(tmp_path / "jury.csv"), "--per-object", "2", "--csv", str(tmp_path / "out"), "--json", "-")
    done = run(*asked)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["kind"], found["per_object"]) == ("plan", 2)
    planned = {(row["object"], row["assessor"]) for row in found["assignment"]}
    shown = sheet_rows(tmp_path / "jury-plan.xlsx", "By talk")
    assert planned == {(row["Talk"], row[f"Judge {k}"]) for row in shown for k in (1, 2)}
    assert column(found["loads"], "objects") == [2, 2, 2]
    lines = (tmp_path / "out" / "assignment.csv").read_text("utf-8").splitlines()
    assert {tuple(line.split(",")) for line in lines[1:]} == planned
    assert run(*asked, "--force", "--fail-on", "policy").returncode == 2


def test_a_long_table_has_files_of_its_own(tmp_path):
    done = run("calibrate", "scores.parquet", *COLUMNS, "-o", "out", "--json", "x.json", folder=tmp_path)
    assert done.returncode == 1 and "summary.json" in done.stderr


SCHEMA = Path(panelcal.__file__).parent / "files" / "panelcal-1.schema.json"


def described(schema, document):
    """Every name of a document, those in its rows as table.name, that the schema says nothing of."""
    own = schema["properties"] | schema["$defs"][document["kind"]]["properties"]
    yield from (name for name in document if name not in own)
    for name, value in document.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            yield from (f"{name}.{key}" for key in value[0] if key not in own[name]["items"]["properties"])


def all_kinds(folder):
    """A command for each kind of result, each with what it reads."""
    csv_file = folder / "marks.csv"
    csv_file.write_text(table(), encoding="utf-8")
    tree = folder / "tree.csv"
    tree.write_text(table([("Ann", "Reed", 5), ("Ann", "Shah", 7), ("Bo", "Shah", 6)], HEADINGS[:3]), encoding="utf-8")
    strict = board(folder / "strict.xlsx", No_change_above=0.01)
    bank(folder / "bank.xlsx", 9.0)
    ratings = folder / "ratings.csv"
    rated = [(f"T{k}", f"J{j}", (k + j) % 5 + 1) for k in range(6) for j in range(3)]
    ratings.write_text(table(rated, ("Talk", "Judge", "Rating")), encoding="utf-8")
    lists = folder / "lists.csv"
    lists.write_text("Talk,Judge\nA,x\nB,y\nC,z\nD,\n", encoding="utf-8")
    yield "calibration", ("calibrate", csv_file, *COLUMNS)
    yield "calibration", ("calibrate", tree, *COLUMNS[:6])
    yield "calibration", ("calibrate", strict, "--gauge", "reference", "--reference", "60")
    yield "anchors", ("calibrate", folder / "bank.xlsx", "--method", "anchors")
    yield "ratings", ("calibrate", ratings, "--method", "ordinal", "--layout", "list")
    yield "plan", ("plan", lists, "--per-object", "2")
    yield "next", ("plan", ratings, "--next", "2")
    yield "check", ("check", csv_file, *COLUMNS)


@pytest.mark.slow
def test_every_kind_of_json_keeps_to_the_schema_that_comes_with_the_package(tmp_path):
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(SCHEMA.read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    seen = set()
    for kind, arguments in all_kinds(tmp_path):
        done = run(*map(str, arguments), "--json", "-", "--quiet")
        assert done.returncode == 0, done.stderr
        document = json.loads(done.stdout)
        assert document["kind"] == kind
        assert [error.message for error in validator.iter_errors(document)] == []
        assert list(described(schema, document)) == [], "add it to panelcal-1.schema.json and docs/programs.md"
        seen.add(kind)
        for wrong in ({"schema": "panelcal/2"}, {"kind": "other"}, {"n_objects": "many"}, {"alarms": {"rain": []}}):
            assert not validator.is_valid(document | wrong)
    assert seen == set(schema["$defs"])


def test_every_name_of_the_schema_is_in_the_documentation():
    schema = json.loads(SCHEMA.read_text("utf-8"))
    page = (
        (Path(__file__).parents[1] / "docs" / "programs.md").read_text("utf-8").partition("### Schema `panelcal/1`")[2]
    )
    for part in (schema, *schema["$defs"].values()):
        for name, told in part["properties"].items():
            names = told.get("items", {}).get("properties", {})
            for one in (name, *names):
                assert re.search(rf"\b{one}\b", page), one
