"""Several files read as one panel: each holds one assessor's scores."""

from __future__ import annotations

from collections.abc import Sequence

from panelcal.errors import FileProblem, InputRefused
from panelcal.files.in_memory import File
from panelcal.files.load import load_source
from panelcal.reading.cell_values import is_number
from panelcal.reading.collecting import collected
from panelcal.reading.grid import Grid, Source
from panelcal.reading.pieces import Piece, blank_piece, piece_on
from panelcal.reading.sheet_choice import is_ours
from panelcal.systems.choices import Choices
from panelcal.systems.system import chosen_settings


def gathered(files: Sequence[File], choices: Choices, passed: Sequence[str] = ()) -> Source:
    """Load several files and put their scores together.

    Parameters
    ----------
    files
        The files, each with the scores of one assessor.
    choices
        What wins over their settings.
    passed
        Names of files that were passed over before, to be told.

    Raises
    ------
    PanelcalError
        If one of them cannot be read as the scores of one assessor, or the same assessor comes twice.
    """
    passed = list(passed)
    loaded = [(file, load_source(file)) for file in files]
    understood = [_piece_of(file, source, choices) for file, source in loaded]
    like = next((piece for piece in understood if piece is not None), None)
    pieces: list[Piece] = []
    for (file, source), found in zip(loaded, understood, strict=True):
        piece = found if found is not None or like is None else _blank_piece_of(file, source, choices, like)
        if piece is None and (any(is_ours(grid.sheet) for grid in source.grids) or _is_a_note(file, source)):
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


def _is_a_note(file: File, source: Source) -> bool:
    """Tell a text for people, such as readme.txt, from a table: nothing in columns, or no number."""
    return file.suffix.lower() == ".txt" and all(
        grid.n_columns <= 1 or not any(is_number(value) for row in grid.rows for value in row) for grid in source.grids
    )


def _piece_of(file: File, source: Source, choices: Choices) -> Piece | None:
    settings = chosen_settings(source, choices)
    pieces = (piece_on(grid, settings, file.stem, file.name) for grid in _sheets_of(source, choices))
    return next((piece for piece in pieces if piece is not None and piece.is_known), None)


def _blank_piece_of(file: File, source: Source, choices: Choices, like: Piece) -> Piece | None:
    settings = chosen_settings(source, choices)
    pieces = (blank_piece(grid, settings, like, file.stem, file.name) for grid in _sheets_of(source, choices))
    return next((piece for piece in pieces if piece is not None), None)


def _sheets_of(source: Source, choices: Choices) -> list[Grid]:
    """Return the sheets that could hold scores: the one that was named, else all, the one in front first."""
    sheets = [grid for grid in source.grids if not is_ours(grid.sheet)]
    chosen = [grid for grid in sheets if choices.sheet and grid.sheet.casefold() == choices.sheet.casefold()]
    return chosen or sorted(sheets, key=lambda grid: grid.sheet != source.active)
