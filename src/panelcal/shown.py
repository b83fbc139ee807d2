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
        return str(notebook("as_html").as_html(self))


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
