"""Columns of a data frame, whichever library made it, as plain lists of labels and arrays of numbers.

No library of frames is imported: pandas, polars, modin, pyarrow and dicts of columns are asked for their columns by the
methods they share. What speaks nothing but the Arrow interface is turned by pyarrow, where that is installed.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Mapping, Sequence
from numbers import Number, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from panelcal.arrays import Array
from panelcal.errors import InvalidPanel, first_few

_NAMED = 10
_NEAR = 0.55  # of 1: how alike a name must be to be suggested
_WAY_OUT = "give a data frame, or a dict of columns such as {'student': [...], 'marker': [...], 'mark': [...]}"


def chosen_columns(data: Any, names: Sequence[str]) -> list[Any]:
    """Return the columns of these names, each as an array of numbers or a list with None where something is missing.

    Raises
    ------
    InvalidPanel
        If there is no such column or more than one, if there are no rows, if columns differ in length, or if the rows
        have an index that repeats.
    """
    held = _names_in(data)
    _refuse_what_names_no_column(names)
    for name in names:
        if (times := sum(one == name for one in held)) > 1:
            raise InvalidPanel(f"{times} columns are called {name!r}: rename or drop all but one of them.")
        if not times:
            raise InvalidPanel(_no_such_column(name, held, data))
    _refuse_repeated_index(data)
    columns = [_values(data, name) for name in names]
    lengths = {name: len(column) for name, column in zip(names, columns, strict=True)}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} has {length:,}" for name, length in lengths.items())
        raise InvalidPanel(f"The columns differ in length: {told} entries.")
    if not len(columns[0]):
        raise InvalidPanel("The frame has no rows, so there are no scores.")
    return columns


def _refuse_what_names_no_column(names: Sequence[Any]) -> None:
    for k, name in enumerate(names):
        if not isinstance(name, str | Number | tuple):
            raise InvalidPanel(f"A column is asked for by its name, not by {name!r}.")
        if name in names[:k]:
            raise InvalidPanel(f"Column {name!r} is asked for twice: each of object, assessor and score has its own.")


def labels_of(values: Any, name: str) -> Any:
    """Turn a column into labels; whole numbers that are kept as fractions (7.0) lose the fraction.

    Raises
    ------
    InvalidPanel
        If something is missing, or text and numbers are mixed, where 7 and "7" might be the same or not.
    """
    if isinstance(values, np.ndarray):
        if values.dtype.kind in "iu":
            return values
        values = values.tolist()
    _refuse_missing(values, name)
    if all(isinstance(value, str) for value in values):
        return [str(value) for value in values]
    odd = next((k for k, value in enumerate(values) if isinstance(value, list | tuple | dict | set | np.ndarray)), None)
    if odd is not None:
        raise InvalidPanel(f"Column {name!r} holds several things in one cell, in row {odd}: give each row one label.")
    texts = [k for k, value in enumerate(values) if isinstance(value, str)]
    if texts:
        other = next(k for k, value in enumerate(values) if not isinstance(value, str))
        raise InvalidPanel(
            f"Column {name!r} mixes text ({values[texts[0]]!r} in row {texts[0]}) and numbers ({values[other]!r} in "
            f"row {other}), counting rows from 0: make it all text, so that it is clear which labels are the same."
        )
    if all(_is_whole(value) for value in values):
        return [str(int(value)) for value in values]
    return [str(value) for value in values]


def numbers_of(values: Any, name: str) -> Array:
    """Turn a column into numbers (N,).

    Raises
    ------
    InvalidPanel
        If something is missing or no number; the message names column and rows.
    """
    if isinstance(values, np.ndarray):
        return values.astype(np.float64)
    _refuse_missing(values, name)
    wrong = [k for k, value in enumerate(values) if isinstance(value, bool | np.bool_) or not _is_number(value)]
    if wrong:
        raise InvalidPanel(
            f"Column {name!r} holds what is no number, in {_rows(wrong)}; the first is {values[wrong[0]]!r}. Leave "
            "such rows out, or turn the column into numbers."
        )
    return np.array([float(value) for value in values])


def _names_in(data: Any) -> list[Any]:
    if isinstance(data, Mapping):
        return list(data)
    if hasattr(data, "collect_schema") and hasattr(data, "collect"):  # of polars or narwhals, and not computed yet
        raise InvalidPanel(f"A {type(data).__name__} holds no values yet: collect() it first.")
    for attribute in ("column_names", "columns"):
        names = getattr(data, attribute, None)
        if isinstance(names, Iterable) and not isinstance(names, str):
            names = list(names)
            if all(isinstance(name, str | Number | tuple | type(None)) for name in names):
                return names
    if hasattr(data, "__arrow_c_stream__"):
        return list(_as_arrow(data).column_names)
    raise InvalidPanel(f"A {type(data).__name__} has no columns by name: {_WAY_OUT}.")


def _values(data: Any, name: str) -> Any:
    try:
        column = data[name]
    except (KeyError, TypeError, IndexError, AttributeError):
        column = None
    if (numbers := _whole_numbers(column)) is not None:
        return numbers
    listed: Iterable[Any] | None = None
    for method in ("to_pylist", "to_list", "tolist"):
        if listed is None and hasattr(column, method):
            listed = getattr(column, method)()
    if listed is None and isinstance(column, Sequence) and not isinstance(column, str):
        listed = column
    if listed is None and hasattr(data, "__arrow_c_stream__"):
        listed = _as_arrow(data)[name].to_pylist()
    if not isinstance(listed, Iterable):
        raise InvalidPanel(f"Column {name!r} is no list of values: {_WAY_OUT}.")
    return [None if _is_missing(value) else value for value in listed]


def _whole_numbers(column: Any) -> NDArray[Any] | None:
    """Return a column of numbers without gaps as the array that its library holds, which is quick; None for others."""
    array = column.to_numpy() if hasattr(column, "to_numpy") else column
    if not isinstance(array, np.ndarray) or array.ndim != 1 or array.dtype.kind not in "iuf":
        return None
    return None if array.dtype.kind == "f" and np.isnan(array).any() else array


def _as_arrow(data: Any) -> Any:
    try:
        import pyarrow as pa
    except ImportError:
        raise InvalidPanel(
            f"A {type(data).__name__} is read by pyarrow, which is not installed: pip install pyarrow."
        ) from None
    try:
        return pa.table(data)
    except (TypeError, ValueError):  # pyarrow's own errors are among these
        raise InvalidPanel(f"A {type(data).__name__} has no columns by name: {_WAY_OUT}.") from None


def _no_such_column(name: str, held: Sequence[Any], data: Any) -> str:
    texts = [str(one) for one in held]
    close = difflib.get_close_matches(str(name).casefold(), [text.casefold() for text in texts], 1, _NEAR)
    meant = next((text for text in texts if close and text.casefold() == close[0]), None)
    levels = [str(level) for level in getattr(getattr(data, "index", None), "names", ()) if level is not None]
    if name in levels:
        return f"{name!r} is the index of the frame, no column: reset_index() makes a column of it."
    hint = f": did you mean {meant!r}?" if meant else "."
    return f"There is no column {name!r}{hint} The columns are {first_few(texts, _NAMED) or 'none at all'}."


def _refuse_repeated_index(data: Any) -> None:
    index: Any = getattr(data, "index", None)
    if getattr(index, "is_unique", True):
        return
    repeated = index[index.duplicated()].tolist()
    raise InvalidPanel(
        f"The index of the frame has {repeated[0]!r} more than once, so rows may have come in twice: look at them, "
        "then reset_index(drop=True) where all of them count."
    )


def _refuse_missing(values: Sequence[Any], name: str) -> None:
    missing = [k for k, value in enumerate(values) if value is None]
    if missing:
        raise InvalidPanel(f"Column {name!r} is empty in {_rows(missing)}: leave such rows out.")


def _rows(places: Sequence[int]) -> str:
    shown = first_few([str(place) for place in places], _NAMED)
    return f"row{'s' if len(places) > 1 else ''} {shown} (counted from 0)"


def _is_whole(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    return math.isfinite(value) and value % 1 == 0


def _is_number(value: Any) -> bool:
    if isinstance(value, str | complex):
        return False
    try:
        float(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return isinstance(value, Number | np.number)


def _is_missing(value: Any) -> bool:
    """Whether it is None, not a number, or what pandas has for nothing (`NA`, `NaT`)."""
    if value is None or isinstance(value, str):
        return value is None
    if isinstance(value, float):
        return math.isnan(value)
    return type(value).__name__ in ("NAType", "NaTType")
