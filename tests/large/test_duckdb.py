"""Long tables on DuckDB give what the same panel gives in memory, and bad input is named."""

from __future__ import annotations

import json

import numpy as np
import pytest

duckdb = pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")

from large.as_in_memory import by_label, compare  # noqa: E402
from large.long_tables import NAMES, filed, made_up, read  # noqa: E402
from panelcal import Panel, calibrate, calibrate_components, certify, robustness, uncertainty  # noqa: E402
from panelcal.calibration.averages import weighted_average  # noqa: E402
from panelcal.calibration.expected_errors import expected_errors  # noqa: E402
from panelcal.calibration.influence import leverages  # noqa: E402
from panelcal.calibration.variance_components import assessor_system, object_shares  # noqa: E402
from panelcal.calibration.verdict import verdict  # noqa: E402
from panelcal.errors import DisconnectedPanel, InputRefused, MethodNotApplicable  # noqa: E402
from panelcal.files.load import load_source  # noqa: E402
from panelcal.large import network, row_pieces  # noqa: E402
from panelcal.large.calibrate_relation import calibrate_relation  # noqa: E402
from panelcal.large.duckdb_engine import DuckDBEngine  # noqa: E402

pytestmark = pytest.mark.slow


@pytest.fixture(params=["pieces", "statements"])
def way(request, monkeypatch):
    """Go through the pairs here, piece by piece, as on DuckDB, or by statements, as on Spark."""
    monkeypatch.setattr(DuckDBEngine, "streams", request.param == "pieces")
    return request.param


def test_the_verdict_with_more_than_600_assessors_is_that_in_memory(tmp_path):
    data = made_up(20_000, 700, 3)
    done = calibrate_relation(filed(data.table(), tmp_path), **NAMES, output=tmp_path / "out")
    judged = verdict(data.panel())
    assert judged.method == "moments"
    assert done.verdict is not None and done.verdict.advice == judged.advice
    assert done.verdict.assessor_variance == pytest.approx(judged.assessor_variance, rel=1e-8)
    assert done.verdict.object_variance == pytest.approx(judged.object_variance, rel=1e-8)
    assert done.verdict.expected.correlation == pytest.approx(judged.correlation, abs=1e-7)
    for name, error in judged.expected_error.items():  # that of shrunken values is estimated in memory
        assert done.verdict.expected.roots[name] == pytest.approx(error, rel=0.03 if name == "shrunken" else 1e-7)
    assert done.verdict.expected.difference_error == pytest.approx(
        _difference_error(data.panel()), rel=0.02
    )  # in memory a part that is smaller by the number of assessors is left out


def _difference_error(panel: Panel) -> float:
    fit = calibrate(panel)
    shares = object_shares(fit)
    noise, ratio = verdict(panel).noise_variance, verdict(panel).assessor_variance / verdict(panel).noise_variance
    return expected_errors(fit, shares, *assessor_system(fit, shares), noise, ratio).difference_error


@pytest.mark.parametrize(
    ("sizes", "gauge", "reference"),
    [
        ((2000, 40, 4), "weighted", None),  # the assessors are kept
        ((2000, 40, 4), "equal", None),
        ((2000, 40, 4), "reference", 55.0),
        ((25, 300, 18), "weighted", None),  # the objects are kept
        ((25, 300, 18), "equal", None),
        ((25, 300, 18), "reference", 55.0),
        ((400, 60, 30), "weighted", None),  # so many each that pairs are streamed
    ],
)
def test_every_figure_is_that_of_the_panel_in_memory(tmp_path, way, sizes, gauge, reference):
    data = made_up(*sizes)
    path = filed(data.table(), tmp_path)
    done = calibrate_relation(path, **NAMES, output=tmp_path / "out", gauge=gauge, reference=reference)
    assert ("stream" in done.method) == (way == "pieces" or sizes[2] == 30)
    assert not done.errors_estimated
    compare(tmp_path / "out", data.panel(), gauge=gauge, reference=reference)


def test_a_million_rows(tmp_path, way):
    data = made_up(200_000, 300, 5)
    calibrate_relation(filed(data.table(), tmp_path), **NAMES, output=tmp_path / "out")
    compare(tmp_path / "out", data.panel())


def test_joins_in_parts_are_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr(DuckDBEngine, "streams", False)
    monkeypatch.setattr(DuckDBEngine, "parts_of", 1_000)
    data = made_up(2000, 40, 4)
    calibrate_relation(filed(data.table(), tmp_path), **NAMES, output=tmp_path / "out")
    compare(tmp_path / "out", data.panel())


@pytest.mark.parametrize(
    "labels",
    [
        pa.int32(),
        pa.uint64(),  # spread over all of their range
        pa.string(),
        pa.decimal128(38, 0),
    ],
    ids=str,
)
@pytest.mark.parametrize("repeated", ["average", "keep both"])
def test_rows_taken_in_many_parts_are_the_same(tmp_path, monkeypatch, labels, repeated):
    monkeypatch.setattr(row_pieces, "ROWS_IN_A_PART", 100)
    data = made_up(2000, 40, 4)
    again = np.r_[np.arange(8000), np.arange(0, 8000, 3)]  # every third row twice, the second time 3 more
    marks = data.mark[again] + np.r_[np.zeros(8000), np.full(len(again) - 8000, 3.0)]
    ids = [int(k) * 9_000_000_000_000_000 if labels == pa.uint64() else int(k) for k in data.student[again]]
    table = data.table().take(pa.array(again))
    table = table.set_column(0, "student", pa.array([str(k) for k in ids]).cast(labels))
    table = table.set_column(2, "mark", pa.array(marks))
    calibrate_relation(filed(table, tmp_path), **NAMES, output=tmp_path / "out", repeated=repeated)
    found = read(tmp_path / "out", "values")
    assert len(set(found["object"])) == 2000
    markers = [f"m{k:05d}" for k in data.marker[again]]
    if repeated == "average":
        sums = {}
        for label, marker, mark, sure in zip(ids, markers, marks, data.sure[again], strict=True):
            sums.setdefault((label, marker), []).append((mark, sure))
        ids, markers = [label for label, _ in sums], [marker for _, marker in sums]
        marks, sure = np.array([np.mean(both, axis=0) for both in sums.values()]).T
    else:
        sure = data.sure[again]
    compare(tmp_path / "out", Panel.from_records([str(k) for k in ids], markers, marks, sure))


def test_beyond_a_square_table_values_are_exact_and_errors_estimated(tmp_path, monkeypatch, way):
    monkeypatch.setattr(network, "SQUARE_AT_MOST", 10)
    for sizes in ((2000, 40, 4), (25, 300, 18)):
        data = made_up(*sizes)
        out = tmp_path / f"out{sizes[0]}"
        done = calibrate_relation(filed(data.table(), tmp_path), **NAMES, output=out)
        assert done.method.startswith("conjugate gradients")
        assert done.errors_estimated
        assert json.loads((out / "summary.json").read_text())["errors_estimated"]
        for sheet in ("Cal summary", "Cal assessors", "Cal residuals"):
            grid = load_source(out / "summary.xlsx").grid(sheet)
            assert any("Standard errors are estimated" in str(cell) for row in grid.rows for cell in row), sheet
        assert "errors_estimated True" in repr(done)
        panel = data.panel()
        fit = calibrate(panel)
        sure = uncertainty(fit)
        values, assessors = read(out, "values"), read(out, "assessors")
        value, error = (
            by_label(values["object"], values["value"]),
            by_label(values["object"], values["standard_error"]),
        )
        np.testing.assert_allclose([value[label] for label in panel.objects], fit.values, atol=1e-8)
        # 64 samples: each error within about five of its standard errors of 9%, all together unbiased.
        ratio = np.array([error[label] for label in panel.objects]) / sure.value_errors
        assert 0.5 < ratio.min() and ratio.max() < 1.5
        assert np.mean(ratio) == pytest.approx(1.0, abs=0.05)
        bias_error = by_label(assessors["assessor"], assessors["standard_error"])
        ratio = np.array([bias_error[label] for label in panel.assessors]) / sure.bias_errors
        assert np.mean(ratio) == pytest.approx(1.0, abs=0.08)
        assert done.mu2[0] == pytest.approx(robustness(fit).mu2, abs=0.02)
    with pytest.raises(MethodNotApplicable, match="weighted"):
        calibrate_relation(tmp_path / "marks.parquet", **NAMES, output=tmp_path / "no", gauge="equal")


def test_unexpected_scores_are_found_with_file_and_row(tmp_path, way):
    data = made_up(500, 30, 4)
    wild = 1234
    data.mark[wild] += 60
    table = data.table()
    filed(table.slice(0, 1000), tmp_path, "a.parquet")
    filed(table.slice(1000), tmp_path, "b.parquet")
    calibrate_relation(tmp_path / "*.parquet", **NAMES, output=tmp_path / "out")
    found = read(tmp_path / "out", "unexpected")
    assert (found["file"][0], found["row"][0]) == ("b.parquet", wild - 1000 + 1)
    assert found["object"][0] == str(data.student[wild])
    assert found["adjusted_p_value"][0] < 0.001
    assert found["adjusted_p_value"][50] > 0.05
    panel = data.panel()
    fit = calibrate(panel)
    room = 1 - leverages(fit)
    scaled = np.sqrt(panel.confidences) * fit.residuals / np.sqrt(room)
    without = (fit.weighted_residual_sum - scaled**2) / (fit.degrees_of_freedom - 1)
    expected = np.sort(np.abs(scaled / np.sqrt(without)))[::-1]
    np.testing.assert_allclose(np.abs(found["studentised"]), expected[: len(found["object"])], rtol=1e-8)


def test_classes_are_counted_before_and_after(tmp_path, way):
    data = made_up(800, 25, 3)
    done = calibrate_relation(
        filed(data.table(), tmp_path), **NAMES, output=tmp_path / "out", classes={"First": 70, "Second": 55}
    )
    panel = data.panel()
    before = np.digitize(-weighted_average(panel), [-70, -55], right=True)
    after = np.digitize(-calibrate(panel).values, [-70, -55], right=True)
    expected = np.zeros((3, 3), dtype=int)
    np.add.at(expected, (before, after), 1)
    assert done.classes.names == ("First", "Second", "below")
    np.testing.assert_array_equal(done.classes.counts, expected)


@pytest.mark.parametrize("repeated", ["average", "keep both"])
def test_repeated_pairs_as_settings_say(tmp_path, way, repeated):
    data = made_up(300, 20, 4)
    table = data.table()
    again = table.slice(0, 50).set_column(2, "mark", pa.array(data.mark[:50] + 3.0))
    path = filed(pa.concat_tables([table, again]), tmp_path)
    with pytest.raises(InputRefused, match=r"50 rows repeat an earlier pair .* 2 times"):
        calibrate_relation(path, **NAMES, output=tmp_path / "out")
    calibrate_relation(path, **NAMES, output=tmp_path / "out", repeated=repeated)
    whole = data.panel()
    if repeated == "average":
        marks = data.mark.copy()
        marks[:50] += 1.5
        expected = Panel.from_records(
            [whole.objects[k] for k in whole.object_index], [whole.assessors[k] for k in whole.assessor_index],
            marks, data.sure,
        )  # fmt: skip
    else:
        rows = [*range(len(data.mark)), *range(50)]
        expected = Panel.from_records(
            [whole.objects[whole.object_index[k]] for k in rows],
            [whole.assessors[whole.assessor_index[k]] for k in rows],
            np.concatenate([data.mark, data.mark[:50] + 3.0]),
            data.sure[rows],
        )
    compare(tmp_path / "out", expected)


def test_groups_are_refused_by_name_or_calibrated_apart(tmp_path, way):
    one, two = made_up(300, 20, 4, seed=1), made_up(60, 8, 3, seed=2)
    table = pa.concat_tables(
        [
            one.table(),
            pa.table(
                {
                    "student": two.student + 10_000,
                    "marker": pa.array([f"z{k}" for k in two.marker.tolist()]),
                    "mark": two.mark,
                    "sure": two.sure,
                }
            ),
        ]
    )
    path = filed(table, tmp_path)
    with pytest.raises(DisconnectedPanel, match=r"2 groups.*group 2: z0, z1.*--groups apart"):
        calibrate_relation(path, **NAMES, output=tmp_path / "out")
    done = calibrate_relation(path, **NAMES, output=tmp_path / "out", groups="apart")
    assert done.n_groups == 2
    values = read(tmp_path / "out", "values")
    for number, data, more in ((1, one, 0), (2, two, 10_000)):
        (fit,) = calibrate_components(data.panel())
        errors = uncertainty(fit).value_errors
        own = [k for k, group in enumerate(values["group_number"]) if group == number]
        assert len(own) == fit.panel.n_objects
        found = {str(values["object"][k] - more): (values["value"][k], values["standard_error"][k]) for k in own}
        np.testing.assert_allclose([found[label][0] for label in fit.panel.objects], fit.values, rtol=1e-9)
        np.testing.assert_allclose([found[label][1] for label in fit.panel.objects], errors, rtol=1e-8)


def test_a_repeated_run_agrees(tmp_path, way):
    path = filed(made_up(5000, 60, 4).table(), tmp_path)
    for name in ("one", "two"):
        calibrate_relation(path, **NAMES, output=tmp_path / name)
    for table, column in (("values", "value"), ("values", "standard_error"), ("assessors", "bias")):
        one, two = (np.array(read(tmp_path / name, table)[column]) for name in ("one", "two"))
        np.testing.assert_allclose(one, two, rtol=1e-10, atol=1e-10)


def test_neither_cores_nor_memory_nor_the_order_of_rows_change_anything(tmp_path, monkeypatch):
    monkeypatch.setattr(row_pieces, "ROWS_IN_A_PART", 3_000)
    table = made_up(5000, 60, 4).table()
    other_way = table.take(pa.array(np.random.default_rng(2).permutation(len(table))))
    start = DuckDBEngine.__init__
    for name, rows, threads, memory in (("one", table, 1, 3e8), ("two", other_way, 4, 3e9)):

        def started(self, folder, *, threads=threads, **limits):
            start(self, folder, memory=limits["memory"], threads=threads)

        monkeypatch.setattr(DuckDBEngine, "__init__", started)
        calibrate_relation(filed(rows, tmp_path), **NAMES, output=tmp_path / name, memory=memory)
    for file in ("values", "assessors", "unexpected"):
        one, two = read(tmp_path / "one", file), read(tmp_path / "two", file)
        del one["row" if file == "unexpected" else "lower"]
        for column, values in one.items():
            if isinstance(values[0], float):
                np.testing.assert_allclose(two[column], values, rtol=1e-10, atol=1e-10, err_msg=column)
            else:
                assert two[column] == values, column


@pytest.mark.parametrize("weak", [1e-4, 1e-8])
def test_values_across_a_weak_link_are_those_in_memory(tmp_path, way, weak):
    data = made_up(600, 20, 4)
    half = data.student % 2
    data.marker[:] = data.marker % 10 + 10 * half  # two halves that share nothing
    first = np.unique(np.c_[data.student, data.marker], axis=0, return_index=True)[1]
    student, marker = np.append(data.student[first], 0), np.append(data.marker[first], 15)
    mark, sure = np.append(data.mark[first], 61.0), np.append(data.sure[first], weak)  # but one hardly sure mark
    joined = type(data)(student, marker, mark, sure)
    calibrate_relation(filed(joined.table(), tmp_path), **NAMES, output=tmp_path / "out")
    panel = joined.panel()
    fit, errors = calibrate(panel), uncertainty(calibrate(panel)).value_errors
    found = read(tmp_path / "out", "values")
    wanted = by_label(panel.objects, fit.values)
    error = by_label(panel.objects, errors)
    labels = [str(label) for label in found["object"]]
    off = np.abs(np.array(found["value"]) - [wanted[label] for label in labels]).max()
    bound = json.loads((tmp_path / "out" / "summary.json").read_text())["solution_error"]
    assert off - certify(fit).solution_error <= bound
    assert off < 1e-12 / weak  # as open as such a link leaves them
    np.testing.assert_allclose(found["standard_error"], [error[label] for label in labels], rtol=1e-9)
