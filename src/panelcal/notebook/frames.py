"""Tables as data frames, by whichever library is installed."""

from __future__ import annotations

import importlib
from typing import Any

from panelcal.errors import MethodNotApplicable
from panelcal.notebook.tables import table_of

_MAKERS = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "table"}


def to_frame(result: object, table: str, library: str | None, level: float | None = None) -> Any:
    """Return a table of a result as a data frame of that library, or of the first that is installed.

    Raises
    ------
    MethodNotApplicable
        If there is no such table or library, or none is installed.
    """
    columns = table_of(result, table, level)
    if library not in (None, "narwhals", *_MAKERS):
        raise MethodNotApplicable(f"There is no library {library!r} here: choose pandas, polars, pyarrow or narwhals.")
    for name in _MAKERS if library in (None, "narwhals") else (library,):
        try:
            module = importlib.import_module(str(name))
        except ImportError:
            continue
        frame = getattr(module, _MAKERS[str(name)])(columns)
        return _by_narwhals(frame) if library == "narwhals" else frame
    if library in (None, "narwhals"):
        raise MethodNotApplicable("A data frame needs pandas, polars or pyarrow: pip install pandas, for example.")
    raise MethodNotApplicable(f"{library} is not installed: pip install {library}.")


def _by_narwhals(frame: Any) -> Any:
    try:
        import narwhals
    except ImportError:
        raise MethodNotApplicable("narwhals is not installed: pip install narwhals.") from None
    return narwhals.from_native(frame)
