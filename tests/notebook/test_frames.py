"""From data frames to panels and back, whichever library there is."""

import builtins
import math
import sys

import numpy as np
import pytest

from panelcal import InvalidPanel, MethodNotApplicable, Panel, calibrate, compare, uncertainty

COLUMNS = {
    "student": ["Ann", "Ann", "Bo", "Bo", "Cy", "Cy"],
    "marker": [1, 2, 1, 2, 1, 2],
    "mark": [50, 60, 55, 61, 70, 77.5],
    "sure": [1.0, 2.0, 1.0, 2.0, 1.0, 2.0],
}
NAMES = {"object": "student", "assessor": "marker", "score": "mark", "confidence": "sure"}
LIBRARIES = ("dict", "pandas", "polars", "pyarrow", "arrow only")


def frame_of(library, columns):
    if library == "dict":
        return columns
    if library == "arrow only":
        return ArrowOnly(pytest.importorskip("pyarrow").table(columns))
    module = pytest.importorskip(library)
    return module.table(columns) if library == "pyarrow" else module.DataFrame(columns, **_LOOSE.get(library, {}))


_LOOSE = {"polars": {"strict": False}}


class ArrowOnly:
    """Speaks Arrow and nothing else."""

    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


def refused(columns, library="dict", **names):
    with pytest.raises(InvalidPanel) as caught:
        Panel.from_frame(frame_of(library, columns), **(NAMES | names))
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_frame_of_any_library_is_the_panel_of_its_records(library):
    panel = Panel.from_frame(frame_of(library, COLUMNS), **NAMES)
    same = Panel.from_records(COLUMNS["student"], COLUMNS["marker"], COLUMNS["mark"], COLUMNS["sure"])
    assert (panel.objects, panel.assessors) == (same.objects, same.assessors) == (("Ann", "Bo", "Cy"), ("1", "2"))
    for name in ("object_index", "assessor_index", "scores", "confidences"):
        assert np.array_equal(getattr(panel, name), getattr(same, name))


def test_pandas_needs_no_pyarrow(monkeypatch):
    frame = frame_of("pandas", COLUMNS)
    real = builtins.__import__

    def without_arrow(name, *arguments, **options):
        if name.split(".")[0] == "pyarrow":
            raise ImportError(name)
        return real(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", without_arrow)
    assert Panel.from_frame(frame, **NAMES).n_assessments == 6
    with pytest.raises(InvalidPanel, match="pyarrow, which is not installed: pip install pyarrow"):
        Panel.from_frame(type("Odd", (), {"__arrow_c_stream__": None})(), **NAMES)


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_column_that_is_not_there_is_answered_with_the_nearest(library):
    said = refused(COLUMNS, library, score="Marks")
    assert "no column 'Marks': did you mean 'mark'?" in said and "student, marker, mark, sure" in said


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(("column", "role"), [("student", "Ann"), ("mark", 50.0), ("sure", 1.0)])
def test_what_is_missing_is_named_by_its_rows(library, column, role):
    holed = COLUMNS | {column: [role, None, role, role, None, role]}
    assert f"Column {column!r} is empty in rows 1, 4 (counted from 0)" in refused(holed, library)


def test_what_pandas_has_for_nothing_is_missing():
    pd = pytest.importorskip("pandas")
    for nothing in (pd.NA, pd.NaT, math.nan, None):
        frame = pd.DataFrame(COLUMNS | {"student": ["a", nothing, "b", "b", "c", "c"]}, dtype=object)
        assert "is empty in row 1" in refused(frame)
    frame = pd.DataFrame(COLUMNS | {"mark": pd.array([1, 2, None, 4, 5, 6], dtype="Int64")})
    assert "'mark' is empty in row 2" in refused(frame)


def test_text_and_numbers_are_not_mixed():
    assert "mixes text ('7' in row 1) and numbers (7 in row 0)" in refused(COLUMNS | {"student": [7, "7", 8, 8, 9, 9]})
    assert "no number, in row 2 (counted from 0); the first is 'absent'" in refused(
        COLUMNS | {"mark": [1, 2, "absent", 3, 4, 5]}
    )
    assert "the first is '67'" in refused(COLUMNS | {"mark": ["67"] * 6})
    assert "the first is True" in refused(COLUMNS | {"mark": [1, 2, True, 3, 4, 5]})
    assert "several things in one cell, in row 3" in refused(COLUMNS | {"student": ["a", "b", "c", ["d"], "e", "f"]})


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_frame_without_rows_is_refused(library):
    if library == "arrow only":
        pytest.skip("as pyarrow")
    assert "no rows" in refused({name: [] for name in COLUMNS}, library)


def test_columns_that_differ_in_length_or_come_twice_are_refused():
    assert "student has 2, marker has 6" in refused(COLUMNS | {"student": ["a", "b"]})
    pd = pytest.importorskip("pandas")
    twice = pd.DataFrame([[1, 2, 3, 4, 5]], columns=["student", "marker", "mark", "mark", "sure"])
    assert "2 columns are called 'mark'" in refused(twice)


def test_an_index_that_repeats_or_holds_what_is_looked_for_is_named():
    pd = pytest.importorskip("pandas")
    half = pd.DataFrame({name: values[:3] for name, values in COLUMNS.items()})
    assert "index of the frame has 0 more than once" in refused(pd.concat([half, half]))
    assert "reset_index() makes a column of it" in refused(pd.DataFrame(COLUMNS).set_index("student"))


@pytest.mark.parametrize("odd", [[1, 2, 3], "text", 7, None, np.ones((3, 3))])
def test_what_has_no_columns_is_refused(odd):
    with pytest.raises(InvalidPanel, match="has no columns by name: give a data frame, or a dict of columns"):
        Panel.from_frame(odd, **NAMES)


def test_columns_of_numbers_are_taken_as_the_arrays_they_are():
    arrays = {name: np.array(values) for name, values in COLUMNS.items()}
    panel, same = (Panel.from_frame(columns, **NAMES) for columns in (arrays, COLUMNS))
    assert panel.objects == same.objects and panel.assessors == same.assessors
    assert np.array_equal(panel.scores, same.scores) and panel.scores is not arrays["mark"]
    assert "empty in row 1" in refused(arrays | {"mark": np.array([1.0, np.nan, 3.0, 4.0, 5.0, 6.0])})
    assert "no number" in refused(arrays | {"mark": np.array([True] * 6)})
    with pytest.raises(InvalidPanel, match="Not a finite score"):
        Panel.from_frame(arrays | {"mark": np.array([1.0, np.inf, 3.0, 4.0, 5.0, 6.0])}, **NAMES)


def test_identifiers_that_a_library_made_fractions_of_are_whole_again():
    panel = Panel.from_frame(COLUMNS | {"student": [7.0, 7.0, 8.0, 8.0, 9.0, 9.0]}, **NAMES)
    assert panel.objects == ("7", "8", "9")
    assert Panel.from_frame(COLUMNS | {"student": [7.5, 7.5, 8.0, 8.0, 9.0, 9.0]}, **NAMES).objects[0] == "7.5"


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", "narwhals"])
def test_tables_come_back_as_frames(library):
    pytest.importorskip(library)
    panel = Panel.from_frame(COLUMNS, **NAMES)
    fitted = calibrate(panel)
    errors = uncertainty(fitted)
    values = fitted.to_frame(library=library, level=0.8)
    assert list(getattr(values, "column_names", values.columns)) == [
        *("object", "value", "standard_error", "lower", "upper", "assessments", "average")
    ]
    assert list(np.asarray(values["lower"])) == list(errors.value_interval(0.8)[:, 0])
    assert list(np.asarray(fitted.to_frame("biases", library=library)["standard_error"])) == list(errors.bias_errors)
    left = fitted.to_frame("residuals", library=library)
    again = Panel.from_frame(left, object="object", assessor="assessor", score="score", confidence="confidence")
    assert np.array_equal(again.scores, panel.scores)
    assert len(panel.to_frame(library=library)["score"]) == 6
    assert list(np.asarray(compare(panel).to_frame(library=library)["fisher"])) == list(compare(panel).fisher)


def test_what_is_not_there_is_said_in_one_sentence(monkeypatch):
    fitted = calibrate(Panel.from_frame(COLUMNS, **NAMES))
    with pytest.raises(MethodNotApplicable, match="no table 'value': choose one of values, biases, residuals"):
        fitted.to_frame("value")
    with pytest.raises(MethodNotApplicable, match="no library 'dask' here: choose pandas, polars, pyarrow or narwhals"):
        fitted.to_frame(library="dask")
    for name in ("pandas", "polars", "pyarrow", "narwhals"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MethodNotApplicable, match="pandas is not installed: pip install pandas"):
        fitted.to_frame(library="pandas")
    with pytest.raises(MethodNotApplicable, match="needs pandas, polars or pyarrow: pip install pandas"):
        fitted.to_frame()


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"object": None}, "A column is asked for by its name, not by None"),
        ({"object": ["student"]}, "A column is asked for by its name, not by ['student']"),
        ({"object": 3}, "There is no column 3. The columns are"),
        ({"assessor": "student"}, "Column 'student' is asked for twice"),
    ],
)
def test_what_names_no_column_of_its_own_is_refused(asked, told):
    with pytest.raises(InvalidPanel) as refusal:
        Panel.from_frame(COLUMNS, **NAMES | asked)
    assert told in str(refusal.value)


def test_frames_without_values_or_columns_are_refused():
    polars = pytest.importorskip("polars")
    with pytest.raises(InvalidPanel, match=r"A LazyFrame holds no values yet: collect\(\) it first"):
        Panel.from_frame(polars.LazyFrame({"student": ["Ann"], "marker": ["Reed"], "mark": [50.0]}), **NAMES)
    pytest.importorskip("pyarrow")
    with pytest.raises(InvalidPanel, match="A Series has no columns by name"):
        Panel.from_frame(polars.Series([1.0, 2.0]), **NAMES)
