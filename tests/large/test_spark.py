"""The same statements on Spark, in local mode, give what DuckDB gives."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

pytest.importorskip("duckdb")
pytest.importorskip("pyspark")

from large.long_tables import NAMES, filed, made_up, read
from panelcal.errors import DisconnectedPanel, FileProblem, InputRefused
from panelcal.large.calibrate_relation import calibrate_relation

pytestmark = [
    pytest.mark.slow,
    pytest.mark.spark,
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java"),
    pytest.mark.filterwarnings("ignore"),
]


@pytest.fixture(scope="module")
def session():
    """Keep one session for all of these tests: starting it takes a while."""
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "4",
        "spark.driver.memory": "3g",
    }
    builder = SparkSession.builder.master("local[2]").appName("tests")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


def test_a_million_rows_on_either_engine(tmp_path, session):
    data = made_up(200_000, 300, 5)
    path = filed(data.table(), tmp_path)
    done = {
        engine: calibrate_relation(path, **NAMES, output=tmp_path / engine, engine=engine, classes={"First": 70})
        for engine in ("duckdb", "spark")
    }
    for table in ("values", "assessors", "unexpected"):
        one, two = (read(tmp_path / engine, table) for engine in ("duckdb", "spark"))
        assert one.keys() == two.keys()
        for name in one:
            if isinstance(one[name][0], float):
                np.testing.assert_allclose(two[name], one[name], rtol=1e-9, atol=1e-9, err_msg=f"{table} {name}")
            else:
                assert one[name] == two[name], f"{table} {name}"
    assert done["spark"].w[0] == pytest.approx(done["duckdb"].w[0], rel=1e-9)
    assert done["spark"].mu2[0] == pytest.approx(done["duckdb"].mu2[0], rel=1e-6)
    np.testing.assert_array_equal(done["spark"].classes.counts, done["duckdb"].classes.counts)


def test_bad_input_is_named_alike(tmp_path, session):
    path = tmp_path / "marks.csv"
    good = [f"s{k},m{j},{50 + 3 * k + 2 * j},1" for k in range(6) for j in range(3)]
    path.write_text("\n".join(["student,marker,mark,sure", *good[:4], "s1,m1,late,1", ",m2,50,1", *good[4:]]) + "\n")
    said = {}
    for engine in ("duckdb", "spark"):
        with pytest.raises(FileProblem, match=r"row 6: with a mark that is no number; marks\.csv, row 7") as refused:
            calibrate_relation(path, **NAMES, output=tmp_path / "out", engine=engine)
        said[engine] = sorted(str(refused.value).split())
        calibrate_relation(path, **NAMES, output=tmp_path / engine, engine=engine, faulty="leave out")
    assert said["duckdb"] == said["spark"]
    one, two = (np.array(read(tmp_path / engine, "values")["value"]) for engine in ("duckdb", "spark"))
    np.testing.assert_allclose(one, two, atol=1e-9)


def test_refusals_are_the_same(tmp_path, session):
    (tmp_path / "repeated.csv").write_text("student,marker,mark,sure\na,x,50,1\na,x,51,1\nb,x,52,1\n")
    (tmp_path / "apart.csv").write_text("student,marker,mark,sure\na,x,50,1\nb,x,51,1\nc,y,52,1\nd,y,53,1\n")
    for engine in ("duckdb", "spark"):
        with pytest.raises(InputRefused, match="a by x, 2 times"):
            calibrate_relation(tmp_path / "repeated.csv", **NAMES, output=tmp_path / "out", engine=engine)
        with pytest.raises(DisconnectedPanel, match="2 groups"):
            calibrate_relation(tmp_path / "apart.csv", **NAMES, output=tmp_path / "out", engine=engine)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["apart.csv", "repeated.csv"]
