"""Several files, a folder or a pattern such as judges/*.xlsx, read as one panel: each file is one assessor's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from panelcal.errors import FileProblem
from panelcal.files import gather
from panelcal.files.load import check_source
from panelcal.reading.grid import Source
from panelcal.systems.choices import Choices

_ENDINGS = frozenset({".xlsx", ".xlsm", ".xls", ".xlsb", ".ods", ".csv", ".tsv", ".txt"})


def is_several(given: Sequence[Path]) -> bool:
    """Tell whether what was given is more than one file."""
    return len(given) > 1 or given[0].is_dir() or (_is_pattern(given[0]) and not given[0].exists())


def files_in(given: Sequence[Path]) -> tuple[list[Path], list[str]]:
    """Return the files meant, each once, and the names of those passed over: results, locks, other kinds of file.

    Raises
    ------
    FileProblem
        If there is no such file, or none that could hold scores.
    """
    files: list[Path] = []
    passed: list[str] = []
    for path in given:
        if path.is_dir():
            candidates = sorted(one for one in path.iterdir() if one.is_file())
        elif _is_pattern(path) and not path.exists():
            candidates = sorted(path.parent.glob(path.name))
            if not candidates:
                raise FileProblem(f"No file is called {path}: check the folder and the pattern.")
        else:
            check_source(path)
            candidates = [path]
        for one in candidates:
            result = one.stem.endswith("-calibrated") and one.suffix.lower() == ".xlsx"
            usable = one.suffix.lower() in _ENDINGS and not one.name.startswith(("~$", ".")) and not result
            if not usable:
                passed.append(one.name)
            elif one not in files:
                files.append(one)
    if not files:
        raise FileProblem("None of these files could hold scores: give workbooks or CSV files.")
    return files, passed


def gathered(given: Sequence[Path], choices: Choices) -> Source:
    """Load the files meant and put their scores together.

    Raises
    ------
    PanelcalError
        If one of them cannot be read as the scores of one assessor, or the same assessor comes twice.
    """
    files, passed = files_in(given)
    return gather.gathered(files, choices, passed)


def check_output(output: Path | None) -> Path:
    """Return the result file, which has no name of its own where several files are read.

    Raises
    ------
    typer.BadParameter
        If none was named.
    """
    if output is None:
        raise typer.BadParameter("several files need the name of the result file.", param_hint="-o")
    return output


def _is_pattern(path: Path) -> bool:
    return any(sign in path.name for sign in "*?[")
