"""Sort the rows of a long list: scores, statistics, notes, repeated headings, and what is left out by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from panelcal.arrays import Indices
from panelcal.errors import Answer
from panelcal.panel_size import CLEARLY_TOO_MANY_ROWS, require_rows
from panelcal.reading.answers import deed
from panelcal.reading.cell_values import Kind, is_number, kind_of, label_text, spread_in
from panelcal.reading.cells_as_said import ask_about_blank_names, ask_about_merged
from panelcal.reading.coded_columns import in_one_run
from panelcal.reading.decisions import About, Decision
from panelcal.reading.exclusions import Exclusions
from panelcal.reading.headings import is_statistic
from panelcal.reading.hidden_lines import read_although_hidden
from panelcal.reading.label_checks import refuse_label, refuse_names_nothing_has
from panelcal.reading.list_states import rows_by_value
from panelcal.reading.long_list import LongList
from panelcal.reading.nouns import plural
from panelcal.reading.patterns import any_matches
from panelcal.reading.problems import listed
from panelcal.reading.settings import Settings
from panelcal.reading.terms import Terms

_LOOKED_AT = 50
_LABELS = frozenset({str, int, float})
_NUMBERS = frozenset({int, float})


@dataclass(slots=True, eq=False)
class ListRows:
    """Rows of a list by what they are."""

    scores: Sequence[int] = ()
    unscored: list[int] = field(default_factory=list)
    statistics: list[int] = field(default_factory=list)
    repeated: list[int] = field(default_factory=list)
    notes: list[int] = field(default_factory=list)
    excluded: list[int] = field(default_factory=list)
    hidden: list[int] = field(default_factory=list)
    bridged: list[int] = field(default_factory=list)

    @property
    def ends(self) -> tuple[int, int]:
        """The first and the last row with both labels."""
        ends = [group[end] for group in (self.scores, self.unscored) if group for end in (0, -1)]
        return min(ends), max(ends)


def require_room(found: LongList, terms: Terms) -> None:
    """Refuse a list that names far more than a sheet of results has rows for, before anything is made of its labels.

    Raises
    ------
    PanelTooLarge
        With how many there are.
    """
    table = found.table
    if table.n_rows <= CLEARLY_TOO_MANY_ROWS or terms.settings.exclude:
        return
    scored = [i for i, row in enumerate(table.cells) if i > found.row and row[found.score_column] is not None]
    for column, noun in ((found.object_column, terms.nouns.object), (found.assessor_column, terms.nouns.assessor)):
        if len({table.cells[i][column] for i in scored}) > CLEARLY_TOO_MANY_ROWS:
            require_rows(len(table.labels(scored, column)[0]), plural(noun, 2))


def sort_rows(found: LongList, terms: Terms) -> ListRows:
    """Sort the rows below the headings by what they are."""
    settings, nouns, problems = terms.settings, terms.nouns, terms.problems
    table = found.table
    rows = ListRows()
    scored: list[int] = []
    nameless: dict[int, list[int]] = {}
    score_columns = found.score_columns
    body = sorted({found.object_column, found.assessor_column, *score_columns})
    named_out = _rows_by_name(found, settings)
    merged = list(table.merges_within(range(found.row + 1, table.n_rows), body))
    ask_about_merged(merged, plural(nouns.score), table, problems)
    head = tuple(table.cells[found.row][j] for j in body)
    exclude_hidden = settings.hidden == "exclude" and bool(table.grid.hidden_rows)
    after_gap = False
    following = found.row + 1
    unusual = set(_unusual_rows(found, exclude_hidden).tolist()) | named_out
    for i in [*sorted(unusual), table.n_rows]:
        if after_gap and following < i:
            rows.bridged.append(following)
            after_gap = False
        scored.extend(range(following, i))
        following = i + 1
        if i == table.n_rows:
            break
        row = table.cells[i]
        thing, assessor = row[found.object_column], row[found.assessor_column]
        score = next((row[j] for j in score_columns if row[j] is not None), None)
        after_gap = after_gap or (table.gap_before(i) and bool(scored))
        if exclude_hidden and table.is_hidden_row(i):
            rows.hidden.append(i)
        elif i in named_out:
            rows.excluded.append(i)
        elif isinstance(score, str) and tuple(row[j] for j in body) == head:
            rows.repeated.append(i)
        elif thing is not None and assessor is not None:
            _refuse_error_labels(found, i, terms)
            (rows.unscored if score is None else scored).append(i)
            if after_gap and score is not None:
                rows.bridged.append(i)
                after_gap = False
        elif any(isinstance(value, str) and is_statistic(value) for value in row) or _is_subtotal(found, i):
            rows.statistics.append(i)
        elif score is None or (isinstance(score, str) and thing is None and assessor is None):
            rows.notes.append(i)
        else:
            nameless.setdefault(found.object_column if thing is None else found.assessor_column, []).append(i)
    rows.scores = in_one_run(scored)
    _settle_nameless(found, rows, {} if merged else nameless, terms)  # else the blanks may be cells of these
    return rows


def _is_subtotal(found: LongList, i: int) -> bool:
    """Tell whether a row of no assessor is called as the object right above it and a statistic: Talk 3 Average."""
    label, above = (label_text(found.table.cells[k][found.object_column]) for k in (i, i - 1))
    rest = label.removeprefix(above) if above else label
    return rest != label and is_statistic(rest.strip(" -:"))


def _statistic_in(found: LongList, i: int) -> str:
    row = found.table.cells[i]
    named = (label_text(value) for value in row if isinstance(value, str) and is_statistic(value))
    return next(named, label_text(row[found.object_column]))


def _settle_nameless(found: LongList, rows: ListRows, nameless: dict[int, list[int]], terms: Terms) -> None:
    """Leave out the scores without a name, or ask; `nameless` has their rows by the column that is blank."""
    if terms.settings.blank_names == "leave out":
        rows.excluded += sorted(i for without in nameless.values() for i in without)
        return
    for j, without in nameless.items():
        noun = terms.nouns.object if j == found.object_column else terms.nouns.assessor
        ask_about_blank_names([found.table.at(i, j) for i in without], noun, terms)


def refuse_unknown_names(found: LongList, terms: Terms) -> None:
    """Refuse names to leave out or count in that nothing on the sheet has."""
    settings = terms.settings
    if not (settings.exclude or settings.include):
        return
    table = found.table
    heads = [(value, table.at(found.row, j)) for j, value in enumerate(table.cells[found.row]) if value is not None]
    body = [
        (table.cells[i][j], table.at(i, j))
        for j in (found.object_column, found.assessor_column)
        for i in range(found.row + 1, table.n_rows)
        if table.cells[i][j] is not None
    ]
    seen: dict[Any, str] = {}
    for value, cell in (*heads, *body):
        seen.setdefault(value, cell)
    said = rows_by_value(found, (*settings.exclude, *settings.include), range(found.row + 1, table.n_rows))
    for pattern, chosen in said.items():
        if chosen:
            seen.setdefault(pattern, table.row_span(min(chosen)))
    refuse_names_nothing_has(list(seen), list(seen.values()), terms.sheet, settings, terms.problems)


def _rows_by_name(found: LongList, settings: Settings) -> set[int]:
    """Find the rows whose object or assessor is to be left out."""
    if not settings.exclude:
        return set()
    table, out = found.table, set()
    for j in (found.object_column, found.assessor_column):
        for i in range(found.row + 1, table.n_rows):
            value = table.cells[i][j]
            if value is not None and any_matches(settings.exclude, value) and not any_matches(settings.include, value):
                out.add(i)
    for chosen in rows_by_value(found, settings.exclude, range(found.row + 1, table.n_rows)).values():
        out |= chosen
    return out


def _unusual_rows(found: LongList, exclude_hidden: bool) -> Indices:
    """Find the rows that need a look of their own: all but those with two labels and a number, right below another."""
    table, first = found.table, found.row + 1
    unusual = np.zeros(table.n_rows - first, dtype=np.bool_)
    labels = (found.object_column, _LABELS), (found.assessor_column, _LABELS)
    for j, expected in (*labels, *((j, _NUMBERS) for j in found.score_columns)):
        column = table.coded(j)
        unexpected = np.array([type(value) not in expected for value in column.values])
        if unexpected.any():
            unusual |= unexpected[column.index[first:]]
    places = table.places_of(range(found.row, table.n_rows))
    unusual |= np.diff(places) > 1
    if exclude_hidden:
        unusual |= np.isin(places[1:], list(table.grid.hidden_rows))
    return first + np.flatnonzero(unusual)


def _refuse_error_labels(found: LongList, i: int, terms: Terms) -> None:
    nouns = terms.nouns
    for j, noun in ((found.object_column, nouns.object), (found.assessor_column, nouns.assessor)):
        refuse_label(found.table, i, j, noun, terms.problems)


def left_out(found: LongList, rows: ListRows, terms: Terms) -> Exclusions:
    """Leave out columns and rows that hold no scores, each with its reason."""
    table, settings, nouns = found.table, terms.settings, terms.nouns
    exclusions = Exclusions(table)
    unread = [j for j in found.unread if any(table.cells[i][j] is not None for i in rows.scores[:_LOOKED_AT])]
    if (name := found.name_column) is not None:
        ids = label_text(found.heading(found.object_column))
        sentence = f"Only shown in the results, beside {ids}: {label_text(found.heading(name))}."
        exclusions.leave_out_columns([name], rows.scores, About.NAMES_BESIDE_THE_IDS, sentence)
    _warn_of_ranges(found, unread, rows.scores, exclusions, terms)
    sentence = f"Columns not read: {_unread_by_reason(found, unread, rows.scores)}."
    exclusions.leave_out_columns(unread, rows.scores, About.COLUMN_NOT_READ, sentence)
    sentence = f"Left out by name: {listed([_label_of(found, i, settings) for i in rows.excluded])}."
    exclusions.leave_out_rows(rows.excluded, About.LEFT_OUT_BY_NAME, sentence)
    called = [_statistic_in(found, i) for i in rows.statistics]
    sentence = f"Not read, going by the label: {listed(called)}."
    exclusions.leave_out_rows(rows.statistics, About.STATISTICS_ROW, sentence, "warning")
    exclusions.leave_out_rows(
        rows.repeated, About.REPEATED_HEADINGS, "The headings appear again here; not read as scores."
    )
    exclusions.leave_out_rows(rows.notes, About.NOTE, f"No {plural(nouns.score, 1)} of anybody; not read.")
    sentence = f"No {plural(nouns.score, 1)} in these rows: not assessed."
    exclusions.leave_out_rows(rows.unscored, About.NOT_ASSESSED, sentence)
    sentence = f"Left out, as the settings say: {len(rows.hidden)} hidden rows."
    exclusions.leave_out_rows(rows.hidden, About.HIDDEN_EXCLUDED, sentence, "warning")
    if rows.bridged:
        cells = tuple(table.row_span(i) for i in rows.bridged)
        sentence = f"Blank rows end before {listed(cells)}, where the list goes on; read as one list."
        exclusions.say(About.BLANK_ROWS_BRIDGED, sentence, cells, "warning")
    return exclusions


def _warn_of_ranges(
    found: LongList, unread: list[int], rows: Sequence[int], exclusions: Exclusions, terms: Terms
) -> None:
    """Warn of a column of ranges around the scores, and take it from those that nothing more is said about."""
    cells, score = found.table.cells, found.score_column
    for j in list(unread):
        pairs = [(spread_in(cells[i][j]), cells[i][score]) for i in rows[:_LOOKED_AT]]
        if not all(
            one is not None and one.middle is not None and is_number(z) and abs(one.middle - z) <= one.half_width
            for one, z in pairs
        ):
            continue
        head = label_text(found.heading(j))
        use = deed(Answer({"confidence_column": head}, "use them as confidences"), terms.problems.way)
        sentence = (
            f"Not read, though it holds ranges around the {plural(terms.score)}: {head}. Confidences? Then {use}."
        )
        exclusions.leave_out_columns([j], rows, About.COLUMN_NOT_READ, sentence, "warning")
        unread.remove(j)


def _unread_by_reason(found: LongList, unread: Sequence[int], rows: Sequence[int]) -> str:
    """Name the columns that are not read, those with the same reason together."""
    reasons: dict[str, list[str]] = {}
    for j in unread:
        heading = found.heading(j)
        values = [value for i in rows[:_LOOKED_AT] if (value := found.table.cells[i][j]) is not None]
        if is_statistic(heading):
            reason = "no score, going by the heading"
        elif any(map(is_number, values)):
            reason = "numbers, but not those of the score"
        else:
            reason = "dates" if any(kind_of(value)[0] is Kind.DATE for value in values) else "text"
        reasons.setdefault(reason, []).append(label_text(heading) or "no heading")
    return "; ".join(f"{listed(names)} ({reason})" for reason, names in reasons.items())


def _label_of(found: LongList, i: int, settings: Settings) -> str:
    labels = [label_text(found.table.cells[i][j]) for j in (found.object_column, found.assessor_column)]
    said = rows_by_value(found, settings.exclude, [i])
    by_value = [pattern for pattern, chosen in said.items() if chosen]
    return next((label for label in labels if any_matches(settings.exclude, label)), (by_value or labels)[0])


def hidden_note(found: LongList, rows: ListRows, terms: Terms) -> list[Decision]:
    """Say which scores in hidden rows were read like any other."""
    table = found.table
    if terms.settings.hidden == "exclude" or not table.grid.hidden_rows:
        return []
    hidden = [i for i in rows.scores if table.is_hidden_row(i)]
    if not hidden:
        return []
    cells = tuple(table.at(i, j) for j in found.score_columns for i in hidden if table.cells[i][j] is not None)
    labels = {i: label_text(table.cells[i][found.object_column]) for i in hidden}
    return [read_although_hidden(table, labels, {}, cells, terms.problems.way)]
