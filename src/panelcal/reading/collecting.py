"""Scores that every assessor returned on a file or sheet of their own, put together as one list on one sheet."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from panelcal.errors import Answer, InputRefused, Question
from panelcal.frozen import dataclass
from panelcal.reading.answers import Way, question_in_words
from panelcal.reading.cell_values import label_text
from panelcal.reading.grid import Grid, Source, address, place_of, sheet_reference
from panelcal.reading.heading_rows import role_in
from panelcal.reading.headings import Role, is_statistic
from panelcal.reading.list_columns import headed_columns, holds_numbers, pointed_columns
from panelcal.reading.long_list import find_list
from panelcal.reading.problems import listed
from panelcal.reading.settings import Settings
from panelcal.reading.sheet_choice import is_ours
from panelcal.reading.table import Table, table_of

COLLECTED = "Scores"
TITLE = "Scores collected"
EXPLANATION = "What each returned, one row per score; the last column says where it stood."
HEADING_ROW = 4
_SEARCHED = 30
_ASSESSOR = "Assessor"
_FROM = "From"


@dataclass(frozen=True, slots=True)
class Piece:
    """What one assessor returned.

    Attributes
    ----------
    assessor, origin
        The name, and the file or sheet it came from.
    headings
        Of objects, scores and, where there are any, confidences.
    rows
        (object, score, confidence, address) of each row; blank scores included.
    written
        Name that stands above the headings, beside a word such as Judge; "" where none does or it is not to be used.
    """

    assessor: str
    origin: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Any, Any, Any, str], ...]
    written: str = ""

    @property
    def n_scores(self) -> int:
        """Number of rows with a score."""
        return sum(score is not None for _, score, _, _ in self.rows)


def piece_on(grid: Grid, settings: Settings, assessor: str, origin: str) -> Piece | None:
    """Read the sheet of one assessor, a column of objects and one of scores; None where it is no such sheet."""
    table = table_of(_without_name(grid, settings))
    for i in range(min(table.n_rows - 1, _SEARCHED)):
        columns = _columns_at(table, i, settings)
        if columns is None:
            continue
        thing, score, confidence = columns
        rows = [
            (
                table.cells[k][thing],
                table.cells[k][score],
                None if confidence is None else table.cells[k][confidence],
                sheet_reference(grid.sheet, table.at(k, score)),
            )
            for k in range(i + 1, table.n_rows)
            if table.cells[k][thing] is not None and not is_statistic(table.cells[k][thing])
        ]
        used = (thing, score) if confidence is None else columns
        heads = tuple(label_text(table.cells[i][j]) for j in used if j is not None)
        written = "" if settings.names else _name_above(table, i, settings)
        return Piece(_name_in(grid, settings, assessor), origin, heads, tuple(rows), written) if rows else None
    return None


def _name_above(table: Table, head: int, settings: Settings) -> str:
    """Return the name beside a word for those who assess, or behind its colon, above the row of headings."""
    for row in table.cells[:head]:
        for j, value in enumerate(row):
            word, _, behind = label_text(value).partition(":") if isinstance(value, str) else ("", "", "")
            if word and role_in(settings, word) is Role.ASSESSOR:
                beside = next((other for other in row[j + 1 :] if other is not None), None)
                return behind.strip() or (label_text(beside) if isinstance(beside, str) else "")
    return ""


def _by_what_is_written(pieces: Sequence[Piece]) -> tuple[Sequence[Piece], Sequence[str]]:
    """Name the pieces by what is written on them, where it is on all, and say so."""
    bare = [piece.origin for piece in pieces if not piece.written]
    if len(bare) == len(pieces):
        return pieces, ()
    if bare:
        does = "does" if len(bare) == 1 else "do"
        raise InputRefused(
            f"The other files say above the headings whose scores they are, but {listed(bare)} {does} not: write the "
            "name there too, or add --names file to the command."
        )
    said = "Each is named by what is written above its headings; for the names of the files, add --names file."
    return [replace(piece, assessor=piece.written) for piece in pieces], (said,)


def _columns_at(table: Table, i: int, settings: Settings) -> tuple[int, int, int | None] | None:
    columns = headed_columns(table, i, settings)
    pointed = pointed_columns(table, i, settings)
    if len(columns) < 2 or pointed is None:
        return None
    roles = {j: role_in(settings, table.cells[i][j]) for j in columns}
    things = [j for wanted in (Role.OBJECT, Role.IDENTIFIER, Role.NAME) for j in columns if roles[j] is wanted]
    numeric = [j for j in columns if holds_numbers(table, i, j)]
    scores = [j for j in columns if roles[j] is Role.SCORE]
    others = [j for j in numeric if roles[j] is Role.OTHER and not is_statistic(table.cells[i][j])]
    sure = [j for j in columns if roles[j] in (Role.WEIGHT, Role.DEVIATION)]
    thing = pointed.get("objects", things[:1])
    score = pointed.get("scores", scores or others)
    if not thing or len(score) != 1 or any(roles[j] is Role.ASSESSOR for j in columns):
        return None
    return thing[0], score[0], sure[0] if len(sure) == 1 else None


def _without_name(grid: Grid, settings: Settings) -> Grid:
    """Take the cell with the name out, which may stand among the headings."""
    place = place_of(settings.names)
    if place is None or grid.value(*place) is None:
        return grid
    rows = [list(row) for row in grid.rows]
    rows[place[0] - 1][place[1] - 1] = None
    return replace(grid, rows=tuple(map(tuple, rows)))


def _name_in(grid: Grid, settings: Settings, name: str) -> str:
    place = place_of(settings.names)
    if place is None:
        return name
    said = label_text(grid.value(*place))
    if not said:
        raise InputRefused(f"Cell {settings.names} on sheet {grid.sheet} of {name} is blank: write the name there.")
    return said


def collected(name: str, pieces: Sequence[Piece], *, notes: Sequence[str] = (), taken: Sequence[str] = ()) -> Source:
    """Put the pieces together on one sheet, laid out as the result will have it.

    Raises
    ------
    InputRefused
        If the same assessor comes twice, or only some say on the file who they are.
    """
    seen: dict[str, str] = {}
    pieces, more = _by_what_is_written(pieces)
    for piece in pieces:
        before = seen.setdefault(piece.assessor.casefold(), piece.origin)
        if before != piece.origin:
            by_file = " If it is no name of theirs, add --names file to the command." if more else ""
            raise InputRefused(
                f"{piece.assessor} comes twice, from {before} and from {piece.origin}: keep one of them, or correct "
                f"the name.{by_file}"
            )
    sure = any(len(piece.headings) > 2 for piece in pieces)
    thing, score = pieces[0].headings[:2]
    third = next((piece.headings[2] for piece in pieces if len(piece.headings) > 2), "")
    rows: list[tuple[Any, ...]] = [(TITLE,), (EXPLANATION,), ()]
    rows.append((thing, _ASSESSOR, score, *([third] if sure else []), _FROM))
    for piece in pieces:
        for one, given, confidence, cell in piece.rows:
            extra = [confidence] if sure else []
            rows.append((one, piece.assessor, given, *extra, f"{piece.origin}, {cell}"))
    width = len(rows[HEADING_ROW - 1])
    silent = [piece.assessor for piece in pieces if not piece.n_scores]
    said = [f"{len(pieces)} returns were read as one panel: {listed([piece.assessor for piece in pieces])}."]
    said += [f"No score yet from {listed(silent)}."] if silent else []
    known = {other.casefold() for other in taken}
    names = (COLLECTED if k == 1 else f"{COLLECTED} {k}" for k in itertools.count(1))
    sheet = next(name for name in names if name.casefold() not in known)
    grid = Grid(sheet, tuple(row + (None,) * (width - len(row)) for row in rows))
    return Source(name, (grid,), sheet, (*said, *more, *notes), "text", sheet)


def sheets_as_one(source: Source, settings: Settings) -> Source | None:
    """Read a workbook with one sheet per assessor as one panel, where the settings say that it is one; else None."""
    pieces = sheet_pieces(source, settings)
    if not settings.names or settings.names.casefold() == "file" or len(pieces) < 2:
        return None
    made = collected(
        source.name, pieces, notes=(*source.notes, *source.cautions), taken=[grid.sheet for grid in source.grids]
    )
    return Source(source.name, (*source.grids, *made.grids), made.active, made.notes, source.kind, made.collected)


def sheet_pieces(source: Source, settings: Settings) -> list[Piece]:
    """Read the sheets that hold what one assessor returned each."""
    found = []
    for grid in source.grids:
        if grid.visible and not is_ours(grid.sheet) and find_list(table_of(grid), settings) is None:
            piece = piece_on(grid, settings, grid.sheet, f"sheet {grid.sheet}")
            found += [] if piece is None else [piece]
    return found


def ask_whether_one_each(source: Source, settings: Settings, way: Way) -> InputRefused | None:
    """Make the question whether each sheet is one assessor's, where they look so; None where they do not."""
    pieces = sheet_pieces(source, settings)
    if len(pieces) < 2 or settings.names or len({piece.headings for piece in pieces}) > 1:
        return None
    sheets = [piece.assessor for piece in pieces]
    sentence = f"Several sheets hold scores of one column each ({listed(sheets)})."
    answers = [Answer({"names": "sheet"}, "read them as one panel, each sheet being one assessor")]
    answers += [Answer({"sheet": sheet}, f"read the sheet {sheet} alone") for sheet in sheets[:3]]
    question = Question(sentence, tuple(answers), tuple(sheet_reference(sheet, address(1, 1)) for sheet in sheets))
    return InputRefused(question_in_words(question, way), question.cells, (question,))
