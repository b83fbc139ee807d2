"""Rows and files of long tables: those that cannot be taken are named, other kinds are read, nothing is left behind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

duckdb = pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")

from large.as_in_memory import compare  # noqa: E402
from large.long_tables import NAMES, filed, made_up, read  # noqa: E402
from panelcal.errors import FileProblem  # noqa: E402
from panelcal.files.load import load_source  # noqa: E402
from panelcal.large import calibration as steps  # noqa: E402
from panelcal.large.calibrate_relation import calibrate_relation  # noqa: E402
from run_panelcal import run  # noqa: E402

pytestmark = pytest.mark.slow


CSV = "student,marker,mark,sure\n"


def _csv(folder: Path, name: str, *lines: str) -> Path:
    path = folder / name
    path.write_text(CSV + "\n".join(lines) + "\n", encoding="utf-8")
    return path


GOOD = [f"s{k},m{j},{50 + 3 * k + 2 * j + (k * j) % 3},1" for k in range(6) for j in range(3)]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (",m1,50,1", "row 4: without student"),
        ("s1, ,50,1", "row 4: without marker"),
        ("s9,m1,,1", "row 4: without mark"),
        ("s9,m1,absent,1", "row 4: with a mark that is no number"),
        ('s9,m1,"55,5",1', "row 4: with a mark that is no number"),
        ("s9,m1,inf,1", "row 4: with a mark that is infinite"),
        ("s9,m1,nan,1", "row 4: with a mark that is infinite"),
        ("s9,m1,50,0", "row 4: with a sure that is missing or no positive number"),
        ("s9,m1,50,", "row 4: with a sure that is missing or no positive number"),
    ],
)
def test_a_faulty_row_is_named_and_can_be_left_out(tmp_path, line, said):
    path = _csv(tmp_path, "marks.csv", *GOOD[:2], line, *GOOD[2:])
    with pytest.raises(FileProblem, match=said):
        calibrate_relation(path, **NAMES, output=tmp_path / "out")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["marks.csv"]
    done = calibrate_relation(path, **NAMES, output=tmp_path / "out", faulty="leave out")
    assert done.n_assessments == len(GOOD)
    assert said in str(done.assessments.first_faulty[0])


def test_ten_are_named_and_all_are_counted(tmp_path):
    one = _csv(tmp_path, "a.csv", *GOOD, *["s1,m1,late,1"] * 4)
    two = _csv(tmp_path, "b.csv", *["s2,m2,late,1"] * 30)
    with pytest.raises(FileProblem, match=r"34 rows with a mark that is no number \(a.csv, row 20.*b.csv, row 7: .*so"):
        calibrate_relation([one, two], **NAMES, output=tmp_path / "out")


def test_files_that_cannot_be_read_are_named(tmp_path):
    good = filed(made_up(50, 8, 3).table(), tmp_path, "good.parquet")
    (tmp_path / "cut.parquet").write_bytes(good.read_bytes()[:-200])
    other = made_up(50, 8, 3).table().rename_columns(["student", "marker", "marks", "sure"])
    filed(other, tmp_path, "other.parquet")
    with pytest.raises(
        FileProblem, match=r"cut.parquet cannot be read.*no column mark \(did you mean marks\?\); .*sure\. Mend"
    ):
        calibrate_relation(tmp_path, **NAMES, output=tmp_path / "out")
    done = calibrate_relation(tmp_path, **NAMES, output=tmp_path / "out", faulty="leave out")
    assert set(done.assessments.unreadable) == {"cut.parquet", "other.parquet"}
    assert done.n_assessments == 150


def test_ids_that_are_numbers_here_and_text_there_are_refused(tmp_path):
    table = made_up(50, 8, 3).table()
    filed(table, tmp_path, "a.parquet")
    filed(table.set_column(0, "student", table["student"].cast(pa.string())), tmp_path, "b.parquet")
    with pytest.raises(FileProblem, match=r"student holds text in b.parquet and numbers in a.parquet"):
        calibrate_relation(tmp_path, **NAMES, output=tmp_path / "out")


def test_labels_are_compared_without_margins_and_7_is_7(tmp_path):
    path = _csv(tmp_path, "marks.csv", *[line.replace("m1,", " m1 ,") for line in GOOD])
    assert calibrate_relation(path, **NAMES, output=tmp_path / "out").n_assessors == 3
    table = made_up(50, 8, 3).table()
    table = table.set_column(0, "student", table["student"].cast(pa.float64()))
    calibrate_relation(filed(table, tmp_path), **NAMES, output=tmp_path / "out2")
    assert "7" in read(tmp_path / "out2", "values")["object"]


def test_json_lines_and_a_duckdb_table_give_the_same(tmp_path):
    data = made_up(100, 10, 3)
    rows = data.table().to_pylist()
    (tmp_path / "marks.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    database = duckdb.connect(str(tmp_path / "marks.duckdb"))
    database.register("given", data.table())
    database.execute('CREATE TABLE "all marks" AS SELECT * FROM given')
    database.close()
    calibrate_relation(tmp_path / "marks.jsonl", **NAMES, output=tmp_path / "one")
    calibrate_relation(tmp_path / "marks.duckdb", table="all marks", **NAMES, output=tmp_path / "two")
    compare(tmp_path / "one", data.panel())
    compare(tmp_path / "two", data.panel())
    with pytest.raises(FileProblem, match="--table"):
        calibrate_relation(tmp_path / "marks.duckdb", **NAMES, output=tmp_path / "three")


def test_nothing_is_left_and_nothing_lost_when_a_run_fails(tmp_path, monkeypatch):
    path = filed(made_up(100, 10, 3).table(), tmp_path)
    out = tmp_path / "out"
    calibrate_relation(path, **NAMES, output=out)
    before = {file.name: file.read_bytes() for file in out.iterdir()}
    with pytest.raises(FileProblem, match="--force"):
        calibrate_relation(path, **NAMES, output=out)

    def fail(*_: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patched:
        patched.setattr(steps, "close", fail)
        with pytest.raises(MemoryError):
            calibrate_relation(path, **NAMES, output=out, overwrite=True)
    assert {file.name: file.read_bytes() for file in out.iterdir()} == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["marks.parquet", "out"]
    calibrate_relation(path, **NAMES, output=out, overwrite=True)
    (out / "thesis.docx").write_text("mine")
    with pytest.raises(FileProblem, match=r"thesis\.docx"):
        calibrate_relation(path, **NAMES, output=out, overwrite=True)


def test_from_the_command_line(tmp_path):
    data = made_up(300, 20, 4)
    filed(data.table(), tmp_path)
    columns = ["--object", "student", "--assessor", "marker", "--score", "mark", "--confidence", "sure"]
    classes = ["--classes", "First=70,Pass=40"]
    done = run("calibrate", "marks.parquet", *columns, "-o", "results/", *classes, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "1,200 assessments of 300 by 20 (student by marker)" in done.stdout
    compare(tmp_path / "results", data.panel())
    assert load_source(tmp_path / "results" / "summary.xlsx").grid("Cal summary") is not None
    refused = run("calibrate", "marks.parquet", "-o", "more/", folder=tmp_path)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "--object" in refused.stderr
    refused = run("calibrate", "marks.parquet", *columns, folder=tmp_path)
    assert refused.returncode == 1
    assert "-o" in refused.stderr
