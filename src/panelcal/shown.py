"""How results look to a person who programs: one short line, and the tables, frames and pictures made from them.

Only the line is made here. The rest stands in the room `notebook`, above everything that computes, and is loaded when
it is asked for.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_LONGEST_LINE, _LONGEST_TEXT, _MOST_ITEMS = 180, 40, 3


class Shown:
    """Base of results: a `repr` of one line with shapes and main figures, and a small table in a notebook."""

    __slots__ = ()

    def shown_figures(self) -> Iterator[tuple[str, Any]]:
        """Yield (name, what) for the line; every field unless a result knows better."""
        for name in self.__dataclass_fields__:  # type: ignore[attr-defined]
            yield name, getattr(self, name)

    def __repr__(self) -> str:
        """Tell it in one line."""
        told = ""
        for name, what in self.shown_figures():
            figure = f"{name} {in_short(what)}"
            if len(told) + len(figure) > _LONGEST_LINE:
                told += ", ..."
                break
            told += f", {figure}" if told else figure
        return f"<{type(self).__name__}: {told}>"

    def _repr_html_(self) -> str:
        return str(notebook("text_summary").as_html(self))


class Tabled(Shown):
    """Base of results that hold tables: as data frames, and as text to print."""

    __slots__ = ()

    def to_frame(self, table: str = "", *, library: str | None = None, level: float | None = None) -> Any:
        """Return one of the result's tables as a data frame.

        Parameters
        ----------
        table
            Its name, as listed in docs/programs.md; "" = the first of them. A name that is not there is answered with
            those that are.
        library
            "pandas", "polars", "pyarrow", "narwhals", or None for the first of the first three that is installed.
        level
            Of the intervals; None = the level that the result was made with, else 0.95.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame, pyarrow.Table or narwhals.DataFrame
            A row for each thing the table is of; NaN where there is no answer.

        Raises
        ------
        MethodNotApplicable
            If there is no such table, the library (or any) is not installed, or the result has intervals of one level
            only and another was asked for.
        """
        return notebook("frames").to_frame(self, table, library, level)

    def summary(self, rows: int = 10, *, level: float | None = None) -> Any:
        """Return a text to print: the main figures, then the first rows of each table.

        Parameters
        ----------
        rows
            How many of each table are listed; the rest is counted.
        level
            As for `to_frame`.

        Returns
        -------
        TextSummary
            Prints as plain text, also at the end of a cell of a notebook; `str` gives the text.

        Raises
        ------
        MethodNotApplicable
            If the result has intervals of one level only and another was asked for.
        """
        return notebook("text_summary").text_summary(self, rows, level)


class Drawn(Tabled):
    """Base of results that charts are drawn of."""

    __slots__ = ()

    def plot(self, kind: str = "", *, axes: Any = None, level: float | None = None) -> Any:
        """Draw a chart with matplotlib, which ``pip install "panelcal[plot]"`` brings.

        Parameters
        ----------
        kind
            Its name, as listed in docs/programs.md; "" = the first of them. A name that is not there is answered with
            those that are.
        axes
            Axes of matplotlib to draw on; None makes a figure.
        level
            As for `to_frame`.

        Returns
        -------
        matplotlib.axes.Axes
            Where it was drawn: ``result.plot().figure.savefig("chart.png")``.

        Raises
        ------
        MethodNotApplicable
            If there is no such chart, matplotlib is not installed, or the result has intervals of one level only and
            another was asked for.
        """
        return notebook("charts").plot(self, kind, axes, level)


def notebook(module: str) -> Any:
    """Load a module of the room `notebook`."""
    return importlib.import_module(f"panelcal.notebook.{module}")


def in_short(what: Any) -> str:
    """Tell a value in a few characters: arrays by their shape, long tuples by their length, numbers by five figures."""
    shape = getattr(what, "shape", None)
    if shape:
        return str(tuple(shape))
    if isinstance(what, float):
        return f"{what:.5g}" if math.isfinite(what) else str(what)
    if isinstance(what, str):
        return what if len(what) <= _LONGEST_TEXT else f"{what[: _LONGEST_TEXT - 3]}..."
    if isinstance(what, Shown):
        return type(what).__name__
    if isinstance(what, Mapping):
        return f"{{{', '.join(f'{key}: {in_short(item)}' for key, item in list(what.items())[:_MOST_ITEMS])}}}"
    if isinstance(what, bytes):
        return f"{len(what):,} bytes"
    if isinstance(what, Sequence) and (len(what) > _MOST_ITEMS or any(not _is_plain(item) for item in what)):
        return f"[{len(what):,}]"
    if isinstance(what, Sequence):
        return f"({', '.join(map(in_short, what))})"
    return str(what) if _is_plain(what) else type(what).__name__


def _is_plain(what: Any) -> bool:
    return what is None or isinstance(what, str | float | int)
