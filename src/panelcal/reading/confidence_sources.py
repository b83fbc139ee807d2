"""Where the confidences of a panel are written: a row of credits, columns beside the scores, a block by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from panelcal.arrays import Array, Indices
from panelcal.errors import Answer
from panelcal.frozen import dataclass
from panelcal.reading.cell_values import label_text, leading_number
from panelcal.reading.coded_columns import coded
from panelcal.reading.confidence_block import ConfidenceBlock
from panelcal.reading.confidences import DeclaredCells, confidences_from, confidences_from_spreads, declared_texts
from panelcal.reading.decisions import About, Decision
from panelcal.reading.fingerprint import CellBlock
from panelcal.reading.grid import CellColumn
from panelcal.reading.heading_rows import role_in
from panelcal.reading.headings import Role, words_of
from panelcal.reading.problems import Problems, listed
from panelcal.reading.settings import NO_CONFIDENCES, Settings
from panelcal.reading.table import Table
from panelcal.reading.terms import Terms


@dataclass(frozen=True, slots=True, eq=False)
class ConfidenceSource:
    """Confidences found in one place.

    Attributes
    ----------
    declared
        The cells they are written in.
    index
        (N,) which of these cells belongs to each assessment.
    place
        Where it is, in words, for messages ("C3:F3 (Credits)").
    span
        The range it takes on its sheet.
    decisions
        What was decided about them.
    insisted
        True when the user named the sheet, which then goes before every other place.
    """

    declared: DeclaredCells
    index: Indices
    place: str
    span: str
    decisions: tuple[Decision, ...] = ()
    insisted: bool = False


BlockFinder = Callable[[Callable[[], Sequence[tuple[str, str]]], Mapping[str, str], Problems], list[ConfidenceSource]]
"""(what lists the pairs, spellings of assessors, problems) -> confidences found elsewhere by name."""


def no_blocks(*_: Any) -> list[ConfidenceSource]:
    """Look for no confidences elsewhere: scores of this kind have none."""
    return []


def source_from_row(
    table: Table, row: int, columns: Sequence[int], announced: tuple[Role, str], index: Indices
) -> ConfidenceSource:
    """Read a row (or column, where the sheet is turned) with one confidence per assessor.

    Parameters
    ----------
    columns
        Those of the assessors.
    announced
        What the row says that it holds, and in which words.
    index
        (N,) which of them gave each score.
    """
    role, heading = announced
    declared = DeclaredCells(
        tuple(table.cells[row][j] for j in columns),
        tuple(table.at(row, j) for j in columns),
        table.grid.sheet,
        role,
        heading,
    )
    span = table.span((row, columns[0]), (row, columns[-1]))
    return ConfidenceSource(declared, index, f"{span} ({heading})", span)


def announced_by(texts: Sequence[Any], settings: Settings) -> tuple[Role, str]:
    """Tell what the texts beside a row of confidences say that it holds, and in which words."""
    heading = next((text for text in texts if role_in(settings, text) in (Role.WEIGHT, Role.DEVIATION)), "Confidence")
    role = Role.DEVIATION if role_in(settings, heading) is Role.DEVIATION else Role.WEIGHT
    return role, label_text(heading).strip(" :")


def source_from_cells(table: Table, cells: Sequence[tuple[int, int]], role: Role, heading: str) -> ConfidenceSource:
    """Read confidences that stand beside the scores, one cell each."""
    declared = DeclaredCells(
        tuple(table.cells[i][j] for i, j in cells),
        tuple(table.at(i, j) for i, j in cells),
        table.grid.sheet,
        role,
        heading,
    )
    place = f"column {heading}" if heading else "the columns beside the scores"
    rows, columns = [i for i, _ in cells], [j for _, j in cells]
    span = table.span((min(rows), min(columns)), (max(rows), max(columns)))
    return ConfidenceSource(declared, np.arange(len(cells)), place, span)


def source_from_column(table: Table, rows: Sequence[int], j: int, role: Role, heading: str) -> ConfidenceSource:
    """Read confidences that stand beside the scores of a list, in some rows of one column."""
    cells = table.cells_of(rows, j)
    values = tuple([table.cells[i][j] for i in rows])
    declared = DeclaredCells(values, cells, table.grid.sheet, role, heading)
    place = f"column {heading}" if heading else "the columns beside the scores"
    return ConfidenceSource(declared, np.arange(len(rows)), place, table.span((min(rows), j), (max(rows), j)))


def source_from_block(
    block: ConfidenceBlock,
    pairs: Sequence[tuple[str, str]],
    score_sheet: str,
    problems: Problems,
) -> ConfidenceSource | None:
    """Look up each assessment's confidence by the names of its object and assessor.

    Parameters
    ----------
    pairs
        (N,) object and assessor of each assessment.
    score_sheet
        Name of the sheet of the scores, for messages.
    """
    table, sheet = block.table, block.table.grid.sheet
    places: dict[tuple[int, int], int] = {}
    index = np.zeros(len(pairs), dtype=np.intp)
    missing: dict[str, None] = {}
    for k, (thing, assessor) in enumerate(pairs):
        place = block.cell(thing, assessor)
        if place is None:
            missing.setdefault(assessor if assessor not in block.columns else thing)
            continue
        index[k] = places.setdefault(place, len(places))
    if missing:
        names = listed(list(missing))
        problems.say(
            sheet,
            f"The confidences on sheet {sheet} have no row or column for {names}, which the scores on sheet "
            f"{score_sheet} "
            "have: add it there, spelt in the same way.",
        )
        return None
    declared = DeclaredCells(
        tuple(table.cells[i][j] for i, j in places),
        tuple(table.at(i, j) for i, j in places),
        sheet,
        block.role or Role.WEIGHT,
        block.heading or "Confidence",
    )
    sentence = f"The confidences on sheet {sheet} were matched to the scores by the names of rows and columns."
    if block.extra:
        sentence += f" Not needed: {listed(block.extra)}."
    rows, columns = [i for i, _ in places], [j for _, j in places]
    span = table.span((min(rows), min(columns)), (max(rows), max(columns)))
    decision = Decision(About.CONFIDENCES_MATCHED_BY_NAME, (span,), sentence, "note", sheet)
    return ConfidenceSource(declared, index, f"sheet {sheet}, {span}", span, (decision,))


@dataclass(frozen=True, slots=True, eq=False)
class Confidences:
    """The confidences of a panel: numbers (N,), as written (N,), the word for them, decisions, and the cells read.

    Cells in one column are among the `blocks_read` instead of the `cells_read`. `block` is the range they are written
    in where that is on the sheet of the scores, else "".
    """

    numbers: Array | None
    declared: tuple[str, ...] = ()
    heading: str = ""
    decisions: tuple[Decision, ...] = ()
    cells_read: tuple[tuple[str, str, Any], ...] = ()
    blocks_read: tuple[CellBlock, ...] = ()
    block: str = ""


def chosen_confidences(
    sources: Sequence[ConfidenceSource],
    written: DeclaredCells | None,
    half_widths: Array,
    terms: Terms,
) -> Confidences:
    """Turn the one source into confidences; several stop the run, none means 1 everywhere.

    Parameters
    ----------
    written, half_widths
        The scores as they are written, where with their uncertainties ("65 +/- 5"), and (N,) these.
    """
    if written is not None:
        if not sources:
            usable = np.where(half_widths > 0, half_widths, 1.0)
            texts = tuple(label_text(value) for value in written.values)
            return Confidences(confidences_from_spreads(usable, terms.settings), texts, "Confidence")
        places = np.arange(len(written.cells))
        sources = [*sources, ConfidenceSource(written, places, "the score cells", written.cells[0])]
    named = [source for source in sources if source.insisted]
    unused = [source for source in sources if named and not source.insisted]
    sources = named or sources
    if not sources:
        return Confidences(None)
    if len(sources) > 1:
        places_said = " and ".join(source.place for source in sources)
        sentence = f"Confidences are given in more than one place ({places_said}): remove all but one, or choose."
        others = dict.fromkeys(one.declared.sheet for one in sources if one.declared.sheet != terms.sheet)
        answers = [Answer({"confidence_sheet": sheet}, f"use those on the sheet {sheet}") for sheet in others]
        columns = dict.fromkeys(one.declared.heading for one in sources if one.declared.sheet == terms.sheet)
        answers += [Answer({"confidence_column": head}, f"use {head}") for head in columns if head]
        answers.append(Answer({"confidence_column": NO_CONFIDENCES}, "use none of them"))
        terms.problems.ask(terms.sheet, sentence, answers, [source.span for source in sources])
        return Confidences(None)
    said = "Not used, because a sheet was named: "
    passed_over = tuple(
        Decision(About.CONFIDENCES_NOT_USED, (other.span,), f"{said}{other.place}.", sheet=terms.sheet)
        for other in unused
    )
    return _confidences_of(sources[0], passed_over, terms)


def _confidences_of(source: ConfidenceSource, passed_over: tuple[Decision, ...], terms: Terms) -> Confidences:
    """Turn a source into confidences; what was passed over for it is said too."""
    declared = source.declared
    before = len(terms.problems.kinds)
    numbers, form = confidences_from(declared, terms.settings, terms.problems)
    if len(terms.problems.kinds) > before:
        sentence = f"So the confidences in {source.place} cannot be used as they stand."
        answer = Answer({"confidence_column": NO_CONFIDENCES}, "calibrate without confidences")
        terms.problems.ask(declared.sheet, sentence, [answer], [source.span])
    texts = declared_texts(declared)
    what = {"weight": "weights", "sd": "standard deviations", "word": "words", "range": "ranges"}.get(form, form)
    if any(leading_number(text) is not None for text in {v for v in declared.values if type(v) is str}):
        what += ", the numbers in front of the words"
    sentence = f"Confidences come from {source.place} as {what}."
    decision = Decision(About.CONFIDENCES, (source.span,), sentence, "note", declared.sheet)
    read: tuple[tuple[str, str, Any], ...] = ()
    blocks: tuple[CellBlock, ...] = ()
    cells = declared.cells
    if isinstance(cells, CellColumn):
        held = coded(declared.values)
        blocks = (CellBlock(declared.sheet, cells.rows, ((cells.column, held.values, held.index),)),)
    else:
        read = tuple((declared.sheet, cell, value) for cell, value in zip(cells, declared.values, strict=True))
    return Confidences(
        numbers[source.index],
        tuple([texts[k] for k in source.index.tolist()]),
        _heading(declared, form),
        (decision, *source.decisions, *passed_over),
        read,
        blocks,
        source.span if declared.sheet == terms.sheet else "",
    )


def _heading(declared: DeclaredCells, form: str) -> str:
    if form == "sd":
        return "Standard deviation"
    words = words_of(declared.heading)
    if form == "weight" and any(word in ("cats", "ects") for word in words):
        return "CATS" if "cats" in words else "ECTS"
    if form == "weight" and "credit" in words:
        return "Credits"
    if form == "weight" and ("weight" in words or "weighting" in words):
        return "Weight"
    return "Confidence"
