"""Scores that every assessor returned on a file or sheet of their own, put together as one list on one sheet.

The same is done where each file or sheet is about one object, and names those who assessed it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from panelcal.errors import Answer, InputRefused, Question
from panelcal.reading.answers import Way, question_in_words
from panelcal.reading.cell_values import label_text
from panelcal.reading.grid import Grid, Source, address, sheet_reference
from panelcal.reading.headings import is_statistic
from panelcal.reading.long_list import find_list
from panelcal.reading.pieces import Piece, piece_on
from panelcal.reading.problems import listed
from panelcal.reading.settings import Settings
from panelcal.reading.sheet_choice import is_ours
from panelcal.reading.table import table_of

COLLECTED = "Scores"
TITLE = "Scores collected"
EXPLANATION = "What each returned, one row per score; the last column says where it stood."
HEADING_ROW = 4
_OBJECT, _ASSESSOR = "Object", "Assessor"
_MOST_OFFERED = 4
_NUMBERED = re.compile(r"[^\W\d]{1,12}[\s_.#-]*\d{1,2}")
_IN_COMMON = 0.5  # share of the rows of each sheet that stand on another too
_FROM = "From"


def _by_what_is_written(pieces: Sequence[Piece]) -> tuple[Sequence[Piece], Sequence[str]]:
    """Name the pieces by what is written on them, where it is on all, and say so."""
    bare = [piece.origin for piece in pieces if not piece.written]
    if len(bare) == len(pieces):
        return pieces, ()
    if bare:
        does = "does" if len(bare) == 1 else "do"
        raise InputRefused(
            f"The other files say above the headings {_whose(pieces)} scores they are, but {listed(bare)} {does} not: "
            "write the name there too, or add --names file to the command."
        )
    said = "Each is named by what is written above its headings; for the names of the files, add --names file."
    return [replace(piece, name=piece.written) for piece in pieces], (said,)


def _whose(pieces: Sequence[Piece]) -> str:
    return "for what" if pieces[0].about_one else "whose"


def collected(name: str, pieces: Sequence[Piece], *, notes: Sequence[str] = (), taken: Sequence[str] = ()) -> Source:
    """Put the pieces together on one sheet, laid out as the result will have it.

    Raises
    ------
    InputRefused
        If the same assessor (or object) comes twice, only some say on the file who they are, or they are laid out in
        different ways.
    """
    _require_one_layout(pieces)
    pieces, more = _by_what_is_written(pieces)
    seen: dict[str, str] = {}
    for piece in pieces:
        before = seen.setdefault(piece.name.casefold(), piece.origin)
        if before != piece.origin:
            by_file = " If it is no name of theirs, add --names file to the command." if more else ""
            raise InputRefused(
                f"{piece.name} comes twice, from {before} and from {piece.origin}: keep one of them, or correct "
                f"the name.{by_file}"
            )
    known = {other.casefold() for other in taken}
    names = (COLLECTED if k == 1 else f"{COLLECTED} {k}" for k in itertools.count(1))
    sheet = next(name for name in names if name.casefold() not in known)
    rows = _rows_of(pieces)
    width = max(map(len, rows))
    grid = Grid(sheet, tuple(row + (None,) * (width - len(row)) for row in rows))
    return Source(name, (grid,), sheet, (*_said_of(pieces), *more, *notes), "text", sheet)


def _require_one_layout(pieces: Sequence[Piece]) -> None:
    first = pieces[0]
    for piece in pieces[1:]:
        if piece.about_one != first.about_one:
            raise InputRefused(
                f"{first.origin} has a row for each {first.labels}, but {piece.origin} one for each {piece.labels}: "
                "lay them out alike."
            )
        several = len(piece.scores) > 1 or len(first.scores) > 1
        if several and _folded(piece.scores) != _folded(first.scores):
            raise InputRefused(
                f"{first.origin} has the scores {listed(first.scores)}, but {piece.origin} has {listed(piece.scores)}: "
                "give them the same headings, or name one that all have with --score."
            )


def _folded(names: Sequence[str]) -> list[str]:
    return [name.casefold() for name in names]


def _rows_of(pieces: Sequence[Piece]) -> list[tuple[Any, ...]]:
    """Write one row per score below a title and headings."""
    first = pieces[0]
    sure = next((piece.confidences for piece in pieces if piece.confidences), "")
    pair = (first.noun or _OBJECT, first.labels) if first.about_one else (first.labels, _ASSESSOR)
    rows: list[tuple[Any, ...]] = [(TITLE,), (EXPLANATION,), ()]
    rows.append((*pair, *first.scores, *([sure] if sure else []), _FROM))
    for piece in pieces:
        for label, scores, confidence, cell in piece.rows:
            names = (piece.name, label) if piece.about_one else (label, piece.name)
            rows.append((*names, *scores, *([confidence] if sure else []), f"{piece.origin}, {cell}"))
    return rows


def _said_of(pieces: Sequence[Piece]) -> list[str]:
    names, silent = [piece.name for piece in pieces], [piece.name for piece in pieces if not piece.n_scores]
    about_one = pieces[0].about_one
    what = "each being about one object" if about_one else "each being of one assessor"
    said = [f"{len(pieces)} returns were read as one panel, {what}: {listed(names)}."]
    return said + ([f"No score yet {'for' if about_one else 'from'} {listed(silent)}."] if silent else [])


def sheets_as_one(source: Source, settings: Settings) -> Source | None:
    """Read a workbook with one sheet per assessor (or object) as one panel, where the settings say so; else None."""
    if not settings.names or settings.names.casefold() == "file":
        return None
    pieces = [piece for piece in sheet_pieces(source, settings) if piece.is_known]
    if len(pieces) < 2:
        return None
    made = collected(
        source.name, pieces, notes=(*source.notes, *source.cautions), taken=[grid.sheet for grid in source.grids]
    )
    return Source(source.name, (*source.grids, *made.grids), made.active, made.notes, source.kind, made.collected)


def sheet_pieces(source: Source, settings: Settings) -> list[Piece]:
    """Read the sheets that hold what one assessor returned each, or what was said of one object."""
    found = []
    for grid in source.grids:
        if grid.visible and not is_ours(grid.sheet) and find_list(table_of(grid), settings) is None:
            piece = piece_on(grid, settings, grid.sheet, f"sheet {grid.sheet}")
            found += [] if piece is None else [piece]
    return found


def ask_whether_one_each(source: Source, settings: Settings, way: Way) -> InputRefused | None:
    """Make the question whether each sheet is one assessor's, where they look so; None where they do not."""
    pieces = [piece for piece in sheet_pieces(source, settings) if len(piece.scores) == 1]
    if len(pieces) < 2 or settings.names or len({piece.headings for piece in pieces}) > 1:
        return None
    others = sum(grid.visible and grid.n_columns > 1 and not is_ours(grid.sheet) for grid in source.grids) - len(pieces)
    if others and not pieces[0].is_known:
        return None
    sheets = [piece.name for piece in pieces]
    sentence = f"Several sheets hold scores of one column each ({listed(sheets)})."
    answers = _ways_to_read(pieces[0])
    answers += [Answer({"sheet": sheet}, f"read the sheet {sheet} alone") for sheet in sheets[:3]]
    question = Question(sentence, tuple(answers), tuple(sheet_reference(sheet, address(1, 1)) for sheet in sheets))
    return InputRefused(question_in_words(question, way), question.cells, (question,))


def _ways_to_read(piece: Piece) -> list[Answer]:
    """Offer what each sheet may be: one way where a heading says it, else both."""
    meaning = "read them as one panel, each sheet being"
    of_one, about_one = f"{meaning} one assessor", f"{meaning} the object that its name says"
    if piece.is_known:
        return [Answer({"names": "sheet"}, about_one if piece.about_one else of_one)]
    return [
        Answer({"names": "sheet", "object_column": piece.labels}, of_one),
        Answer({"names": "sheet", "assessor_column": piece.labels}, about_one),
    ]


def answers_by_criteria(source: Source, settings: Settings, sheets: Sequence[str]) -> tuple[list[Answer], bool]:
    """Offer to read sheets as one panel where each may be what one assessor returned; tell whether that is likely.

    It is where a total or numbers (Q1, Q2) say that the columns are criteria; else they may be people who saw all.

    Parameters
    ----------
    sheets
        Names of those that have the same headings.
    """
    pieces = [piece for piece in sheet_pieces(source, settings) if piece.name in sheets and len(piece.scores) > 1]
    if len(pieces) < len(sheets) or len({piece.headings for piece in pieces}) > 1 or not _share_labels(pieces):
        return [], False
    one = "about one object" if pieces[0].about_one else "what one assessor returned"
    heads = pieces[0].scores
    totals = [head for head in heads if is_statistic(head)]
    criteria = [head for head in heads if head not in totals]
    offered = [*totals, *criteria][:_MOST_OFFERED]
    meaning = f"read them as one panel, each sheet being {one}, and"
    answers = [
        Answer({"names": "sheet", "score_column": head}, f"{meaning} take {head} as the score") for head in offered
    ]
    added = {"names": "sheet", "criteria": dict.fromkeys(criteria, 1.0)}
    answers.append(Answer(added, f"{meaning} add the criteria up, each with the weight given here"))
    return answers, bool(totals) or all(_NUMBERED.fullmatch(head) for head in criteria)


def _share_labels(pieces: Sequence[Piece]) -> bool:
    """Tell whether every piece has enough rows in common with the others, as those of one panel have."""
    labels = [{label_text(row[0]) for row in piece.rows} for piece in pieces]
    others = (set[str]().union(*labels[:k], *labels[k + 1 :]) for k in range(len(labels)))
    return all(len(own & rest) >= _IN_COMMON * len(own) for own, rest in zip(labels, others, strict=True))
