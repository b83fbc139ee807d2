"""Several files, a folder or a pattern such as judges/*.xlsx, read as one panel: each file is one assessor's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from panelcal.errors import FileProblem, InputRefused
from panelcal.files.load import check_source, load_source
from panelcal.reading.collecting import Piece, collected, piece_on
from panelcal.reading.grid import Source
from panelcal.reading.sheet_choice import is_ours
from panelcal.systems.choices import Choices
from panelcal.systems.system import chosen_settings

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
    """Load several files and put their scores together.

    Raises
    ------
    PanelcalError
        If one of them cannot be read as the scores of one assessor, or the same assessor comes twice.
    """
    files, passed = files_in(given)
    pieces: list[Piece] = []
    for file in files:
        source = load_source(file)
        piece = _piece_of(file, source, choices)
        if piece is None and any(is_ours(grid.sheet) for grid in source.grids):
            passed.append(file.name)
        elif piece is None:
            raise InputRefused(
                f"{file.name} is not understood as the scores of one assessor: it needs one column that names what was "
                "assessed and one with the scores, with headings such as Talk and Score. Where they have others, name "
                "them with --object and --score, or leave the file out."
            )
        else:
            pieces.append(piece)
    if not pieces:
        raise FileProblem("None of these files holds scores: give the files that the assessors returned.")
    notes = [f"Passed over, being no scores: {', '.join(passed)}."] if passed else []
    return collected(f"{len(pieces)} files", pieces, notes=notes)


def _piece_of(file: Path, source: Source, choices: Choices) -> Piece | None:
    settings = chosen_settings(source, choices)
    sheets = [grid for grid in source.grids if not is_ours(grid.sheet)]
    chosen = [grid for grid in sheets if choices.sheet and grid.sheet.casefold() == choices.sheet.casefold()]
    for grid in chosen or sorted(sheets, key=lambda grid: grid.sheet != source.active):
        piece = piece_on(grid, settings, file.stem, file.name)
        if piece is not None:
            return piece
    return None


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
