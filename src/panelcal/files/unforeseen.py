"""What is said, and kept for those who repair the program, when something happens that nobody has foreseen.

The report holds where in the code it happened and the versions, never what was in the user's cells: messages of
exceptions and values of variables, which may repeat names and marks, are left out.
"""

from __future__ import annotations

import os
import platform
import tempfile
import traceback
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from panelcal.interruption import done

_LIBRARIES = ("panelcal", "numpy", "scipy", "openpyxl", "python-calamine", "xlwings", "typer")
_SHOWN_PARENTS = 3


def unforeseen(error: BaseException, doing: str) -> str:
    """Keep a report of an unforeseen error and return the sentence that tells its reader about it.

    Parameters
    ----------
    error
        What was raised.
    doing
        The command that ran, without the names of files.
    """
    written = f"; {done()} before that" if done() else ", and no result was written"
    sentence = f"Something happened that panelcal does not foresee, so it stopped{written}."
    try:
        number, path = tempfile.mkstemp(prefix="panelcal-report-", suffix=".txt")
        with open(number, "w", encoding="utf-8") as stream:
            stream.write(_report(error, doing))
    except OSError:
        return f"{sentence} It is of the kind {type(error).__name__}; please tell those who look after panelcal."
    return f"{sentence} Please send the report {path}, which holds nothing from your cells, to those who look after it."


def _report(error: BaseException, doing: str) -> str:
    lines = [f"panelcal {doing}", f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"]
    lines += [f"{name} {_version(name)}" for name in _LIBRARIES]
    seen: set[int] = set()
    found: BaseException | None = error
    while found is not None and id(found) not in seen:
        seen.add(id(found))
        lines += ["", f"{type(found).__module__}.{type(found).__qualname__}"]
        lines += [
            f"  {_place(frame.filename)}, line {frame.lineno}, in {frame.name}"
            for frame in traceback.extract_tb(found.__traceback__)
        ]
        found = found.__cause__ or found.__context__
    return "\n".join(lines) + "\n"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "is not installed"


def _place(file: str) -> str:
    """Name a file by its last folders only: the others may tell who the user is."""
    return os.sep.join(Path(file).parts[-_SHOWN_PARENTS:])
