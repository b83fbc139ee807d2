"""Read a panel from a workbook: choose the sheet, find the layout, convert, and put every decision on record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from panelcal.errors import Answer, InputRefused, SheetUnclear
from panelcal.reading.answers import Way
from panelcal.reading.cell_values import label_text
from panelcal.reading.confidence_block import ConfidenceBlock, find_confidences
from panelcal.reading.confidence_sources import ConfidenceSource, source_from_block
from panelcal.reading.decisions import About, Decision, about_the_file
from panelcal.reading.further_questions import with_what_follows
from panelcal.reading.grid import Grid, Source, address
from panelcal.reading.headings import Role, role_of
from panelcal.reading.known_values import (
    KNOWN_SHEET,
    common_of,
    decision_on_common,
    known_values_cells,
    with_zero,
)
from panelcal.reading.layout import LaidOut, lay_out
from panelcal.reading.long_list import LongList
from panelcal.reading.matrix import Matrix
from panelcal.reading.nearness import EXPERTISE_SHEET, nearness_of
from panelcal.reading.nouns import plural
from panelcal.reading.one_spelling import with_one_spelling
from panelcal.reading.other_sheets import decision_about_other_sheets
from panelcal.reading.prior import PRIOR_SHEET, Earlier, decision_on_prior, earlier_biases
from panelcal.reading.problems import Problems, listed
from panelcal.reading.read_matrix import read_matrix
from panelcal.reading.reading import Reading
from panelcal.reading.score_checks import check_links, check_numbers
from panelcal.reading.settings import Settings
from panelcal.reading.sheet_choice import (
    Over,
    as_they_are,
    is_about_confidence,
    is_ours,
    nearest_sheet,
    scores_sheet,
    settings_cells,
    settings_of,
)
from panelcal.reading.table import Table, table_of
from panelcal.reading.terms import Terms

_MOST_CELLS = 200_000
_OF_CONFLICTS = ("conflict", "coi")  # in the name of a sheet of its own


def read_panel(
    source: Source, *, sheet: str | None = None, confidence_sheet: str | None = None, over: Over = as_they_are
) -> Reading:
    """Read the panel in a workbook.

    Parameters
    ----------
    source
        The workbook as loaded.
    sheet
        The sheet with the scores; None = the active one if it holds a panel, else the only one that does.
    confidence_sheet
        The sheet with the confidences; None = one whose name says so, or whatever stands beside the scores.
    over
        Puts what was chosen for this run over the settings of the workbook.

    Raises
    ------
    InputRefused
        If the scores cannot be read without guessing. The message has one line for each kind of problem.
    """
    try:
        found = _read(source, sheet, confidence_sheet, over)
        return replace(found, barred=found.barred | _conflicting(source, found))
    except InputRefused as refusal:
        if not refusal.questions or isinstance(refusal, SheetUnclear) or _is_large(source):
            raise
        on_sheet, _, settings_grid = settings_of(source)
        way = Way(source.kind, on_sheet, settings_grid)
        raise with_what_follows(refusal, way, over, partial(_read, source, sheet, confidence_sheet)) from refusal


def _is_large(source: Source) -> bool:
    """Tell whether reading a file several times would take long."""
    return max((len(grid.rows) * len(grid.rows[0]) for grid in source.grids if grid.rows), default=0) > _MOST_CELLS


def _is_more_than_a_number(laid: LaidOut) -> bool:
    """Tell a panel from a page of notes in which one number stands right of a word."""
    layout = laid.layout
    return isinstance(layout, LongList) or len(layout.rows.objects) > 1 or len(layout.assessors) > 1


def _read(source: Source, sheet: str | None, confidence_sheet: str | None, over: Over) -> Reading:
    """Read the panel, or refuse with the questions that are open at the first look."""
    on_sheet, settings_decisions, settings_grid = settings_of(source)
    known = source.grid(KNOWN_SHEET)
    settings, on_sheet = _one_criterion(with_zero(over(on_sheet), known)), with_zero(on_sheet, known)
    source = with_one_spelling(source, settings)
    sheet, confidence_sheet = sheet or settings.sheet or None, confidence_sheet or settings.confidence_sheet or None
    layout_of = partial(lay_out, settings=settings)
    grid, laid = scores_sheet(source, sheet, confidence_sheet, layout_of, _is_more_than_a_number)
    layout, applied = laid.layout, laid.settings
    problems = Problems(way=Way(source.kind, on_sheet, settings_grid), questions=list(laid.questions))
    if laid.misread:
        problems.stop_if_any()
    finder = _BlockFinder(source, grid, layout, confidence_sheet, applied)
    terms = Terms(grid.sheet, applied, problems)
    if isinstance(layout, LongList):
        from panelcal.reading.read_list import read_list  # noqa: PLC0415 - for lists alone, with its many modules

        read = read_list(layout, terms, finder, titles_of(grid, layout))
    else:
        read = read_matrix(layout, terms, finder, titles_of(grid, layout))
    problems.stop_if_any()
    if read is None:
        raise InputRefused(f"Sheet {grid.sheet} could not be read.")
    found, cells = read
    decisions = [*laid.decisions, *settings_decisions, *found.decisions]
    decisions += check_numbers(found.panel, found.nouns, found.assessor_cells, grid.sheet, settings)
    decisions += check_links(found.panel, found.nouns, found.object_cells, found.assessor_cells, grid.sheet)
    decisions += formula_decisions(grid, cells.all())
    decisions += _below(layout, finder)
    if sheet is None:
        decisions += decision_about_other_sheets(source, grid, layout, confidence_sheet, settings, problems)
    earlier = _earlier(source, problems)
    if earlier is not None:
        prior, names = earlier
        decisions.append(decision_on_prior(prior, names, found.panel.assessors, plural(found.nouns.assessor)))
    near = nearness_of(found, grid, source.grid(EXPERTISE_SHEET), problems)
    common = common_of(found, settings, known, problems)
    problems.stop_if_any()
    if common is not None:
        decisions.append(decision_on_common(found, common))
    decisions += [] if near is None else [near.decision]
    decisions += about_the_file(source)
    decisions += [Decision(About.CALCULATION, (), warning, "warning") for warning in source.warnings]
    return replace(
        found,
        settings=settings,
        source_name=source.name,
        decisions=tuple(decisions),
        fingerprint=cells.fingerprint(
            [
                *settings_cells(settings_grid),
                *_cells_of_prior(earlier),
                *known_values_cells(known),
                *([] if near is None else near.cells),
            ]
        ),
        nearness=None if near is None else near.read,
        common=common,
        earlier=None if earlier is None else earlier[1],
        settings_on_sheet=None if settings == on_sheet else on_sheet,
    )


def _conflicting(source: Source, found: Reading) -> frozenset[tuple[str, str]]:
    """Name the pairs that sheets about conflicts of interest keep apart."""
    grids = [grid for grid in source.grids if any(word in grid.sheet.lower() for word in _OF_CONFLICTS)]
    if not grids:
        return frozenset()
    from panelcal.reading.planning.plan_conflicts import conflicts_among  # noqa: PLC0415 - few workbooks have one

    return conflicts_among(grids, found)


def _one_criterion(settings: Settings) -> Settings:
    """Read one criterion at a time where each is asked for by itself: which of them is asked where nothing says so."""
    return replace(settings, criteria={}) if settings.criteria_each else settings


def _earlier(source: Source, problems: Problems) -> tuple[Grid, Earlier] | None:
    """Read the sheet Prior, where there is one with such headings."""
    grid = source.grid(PRIOR_SHEET)
    found = None if grid is None else earlier_biases(grid, problems)
    problems.stop_if_any()
    return None if grid is None or found is None else (grid, found)


def _cells_of_prior(earlier: tuple[Grid, Earlier] | None) -> list[tuple[str, str, Any]]:
    if earlier is None:
        return []
    grid, found = earlier
    return [(grid.sheet, name, number) for name, pair in found.items() for number in pair]


def titles_of(grid: Grid, layout: LongList | Matrix) -> list[Any]:
    """Texts that may name what is assessed: title rows above the headings and the sheet's name."""
    if isinstance(layout, LongList):
        return [grid.sheet]
    table, head = layout.table, layout.headings.row
    read = {layout.headings.weights, *layout.headings.upper}
    above = [value for i in range(head) if i not in read for value in table.cells[i] if isinstance(value, str)]
    upper = [
        table.cells[i][j] for i in layout.headings.upper for j in layout.labels.all if table.cells[i][j] is not None
    ]
    return [*upper, *above, grid.sheet]


@dataclass(slots=True, eq=False)
class _BlockFinder:
    """Looks for confidences by name: on the sheet that was named, else on one called so, and in further blocks."""

    source: Source
    grid: Grid
    layout: LongList | Matrix
    confidence_sheet: str | None
    settings: Settings
    used: list[Table] | None = None
    decisions: list[Decision] | None = None

    def __call__(
        self,
        list_pairs: Callable[[], Sequence[tuple[str, str]]],
        spellings: Mapping[str, str],
        problems: Problems,
    ) -> list[ConfidenceSource]:
        self.used, self.decisions = [], []
        sources: list[ConfidenceSource] = []
        candidates = self._candidates(problems)
        pairs = list_pairs() if candidates else []  # a million of them, and most workbooks have nothing to look at
        objects = list(dict.fromkeys(thing for thing, _ in pairs))
        for table, title, insisted in candidates:
            block = find_confidences(table, objects, spellings, self.settings, title)
            if block is None and insisted:
                problems.say(
                    title,
                    f"Sheet {title} has none of the names on sheet {self.grid.sheet} in its rows and columns, so the "
                    "confidences cannot be matched: spell them in the same way.",
                )
            if block is None or not self._means_confidences(block, table, insisted, len(spellings), problems):
                continue
            self.used.append(table)
            found = source_from_block(block, pairs, self.grid.sheet, problems)
            sources += [replace(found, insisted=insisted)] if found else []
        return sources

    def _candidates(self, problems: Problems) -> list[tuple[Table, str, bool]]:
        if self.confidence_sheet is not None:
            named = self.source.grid(self.confidence_sheet)
            if named is None:
                names = listed([grid.sheet for grid in self.source.grids])
                problems.say(
                    self.grid.sheet,
                    f"There is no sheet called {self.confidence_sheet} in {self.source.name}; its sheets are {names}."
                    f"{nearest_sheet(self.confidence_sheet, self.source)}",
                )
                return []
            return [(table_of(named), named.sheet, True)]
        candidates = [
            (table_of(grid), grid.sheet, False)
            for grid in self.source.grids
            if grid is not self.grid and not is_ours(grid.sheet) and is_about_confidence(grid.sheet)
        ]
        rest = self.layout.rest if isinstance(self.layout, Matrix) else ()
        return candidates + [(table, "", False) for table in rest]

    def _means_confidences(
        self, block: ConfidenceBlock, table: Table, insisted: bool, n_assessors: int, problems: Problems
    ) -> bool:
        """Tell whether a block may be used; one that has the names of the scores but no title stops the run."""
        if insisted or block.role is not None:
            return True
        alone = self.settings.further_tables == "first"
        if table.grid is self.grid and not alone and (name := _named_after_somebody(table)):
            sentence = (
                f'Sheet {self.grid.sheet} has a block for each who assessed ("{name}" in {table.row_span(0)}): put '
                "them below one another as one list with a column that says who assessed, or each on its own sheet."
            )
            problems.say(self.grid.sheet, sentence, [table.row_span(0)])
        elif table.grid is self.grid and len(block.columns) == n_assessors and block.rows and not alone:
            sentence = (
                f"Sheet {self.grid.sheet} has a second block with the same names at {table.row_span(0)} but nothing "
                "says what it holds: write Confidence (or Standard deviation) above it, or say that it does not count."
            )
            answer = Answer({"further_tables": "first"}, "read the first block alone")
            problems.ask(self.grid.sheet, sentence, [answer], [table.row_span(0)])
        return False


def _named_after_somebody(table: Table) -> str:
    """Return the title of a block such as "Judge: Agnes Thornbury"; "" where it has no title of the kind."""
    said = [value for value in table.cells[0] if value is not None]
    title = label_text(said[0]) if len(said) == 1 and isinstance(said[0], str) else ""
    word = title.partition(":")[0] if ":" in title else title.partition(" ")[0]
    return title if word != title and role_of(word) is Role.ASSESSOR else ""


def _below(layout: LongList | Matrix, finder: _BlockFinder) -> list[Decision]:
    """List what stands below or beside the block and was not read."""
    if isinstance(layout, LongList):
        return []
    decisions = []
    for table in layout.rest:
        if any(table is used for used in finder.used or ()):
            continue
        filled = [i for i in range(table.n_rows) if any(value is not None for value in table.cells[i])]
        if not filled:
            continue
        spans = tuple(table.row_span(i) for i in filled)
        has_numbers = any(table.numeric(i, j) for i in filled for j in range(table.n_columns))
        sentence = f"Below or beside the block of scores and not read: {listed(spans)}."
        weight = "warning" if has_numbers else "note"
        decisions.append(Decision(About.OUTSIDE_THE_BLOCK, spans, sentence, weight, table.grid.sheet))  # type: ignore[arg-type]
    return decisions


def formula_decisions(grid: Grid, cells_read: Iterable[tuple[str, str, Any]]) -> list[Decision]:
    """Record which cells that were read hold formulas."""
    if not grid.formulas:
        return []
    written = {address(row, column) for row, column in grid.formulas}
    cells = tuple(cell for sheet, cell, _ in cells_read if sheet == grid.sheet and cell in written)
    if not cells:
        return []
    what = "cells that were read hold formulas" if len(cells) > 1 else "cell that was read holds a formula"
    sentence = f"{len(cells)} {what}; the values stored in the file were used: {listed(cells)}."
    return [Decision(About.FORMULA, cells, sentence, "note", grid.sheet)]
