"""How the answer to a question is given for this file: an option to type, a cell of its sheet Settings, or both."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from panelcal.errors import Answer, Question
from panelcal.frozen import dataclass
from panelcal.reading.cell_values import code_key, is_blank, label_text
from panelcal.reading.grid import Grid, SourceKind, address
from panelcal.reading.setting_rows import SETTING_ROWS
from panelcal.reading.setting_texts import LINES, ROWS, as_typed, label_of, number_text, text_of
from panelcal.reading.settings import (
    CODE_HEADINGS,
    CRITERION_HEADINGS,
    DEFAULT_CODES,
    FEATURE_HEADINGS,
    GRADE_HEADINGS,
    SETTING_HEADING_ROW,
    SETTINGS_SHEET,
    TOGETHER,
    WORD_HEADINGS,
    Settings,
)

OPTIONS: Mapping[str, str] = {
    "sheet": "--sheet",
    "confidence_sheet": "--confidence-sheet",
    "method": "--method",
    "gauge": "--gauge",
    "reference": "--reference",
    "common": "--common",
    "layout": "--layout",
    "object_column": "--object",
    "assessor_column": "--assessor",
    "score_column": "--score",
    "confidence_column": "--confidence",
    "scores": "--scores",
    "include": "--include",
    "exclude": "--exclude",
    "criteria": "--criteria",
    "grades": "--grades",
    "codes": "--codes",
    "same": "--same",
    "names": "--names",
}
"""Settings that have an option of their own; every other row of the sheet Settings is `--set "Label=value"`."""

TABLES: Mapping[str, tuple[str, str]] = {
    "codes": CODE_HEADINGS,
    "grades": GRADE_HEADINGS,
    "criteria": CRITERION_HEADINGS,
    "feature_weights": FEATURE_HEADINGS,
    "rating_words": WORD_HEADINGS,
}
"""Settings that are tables of their own on the sheet Settings, with their headings."""

_FRESH_ROWS = [row.field_name for row in SETTING_ROWS]
_END_OF_FRESH_ROWS = SETTING_HEADING_ROW + len(_FRESH_ROWS)
_PATTERNS = frozenset({"include", "exclude", "scores"})
_UNSAFE = re.compile(r'["$`\\!]')
_ESCAPED = re.compile(r'["$`\\]')


@dataclass(frozen=True, slots=True)
class Way:
    """How settings can be given for a file.

    Attributes
    ----------
    kind
        What the file is.
    settings
        What its sheet Settings says already.
    grid
        That sheet, None without one.
    said
        Lists of names that another question of the same refusal fills already.
    rows
        Rows below the sheet (or of a new one) that other questions of the same refusal use.
    """

    kind: SourceKind = "text"
    settings: Settings = field(default_factory=Settings)
    grid: Grid | None = None
    said: frozenset[str] = frozenset()
    rows: int = 0


def questions_in_words(questions: Sequence[Question], way: Way) -> list[str]:
    """Spell several questions so that their answers can all be given at once."""
    lines = []
    for question in questions:
        lines.append(question_in_words(question, way))
        needed = [_rows_needed(one, way) for one in question.answers]
        lists = {name for one in question.answers for name in one.gives if name in _PATTERNS}
        way = replace(way, said=way.said | lists, rows=way.rows + max(needed, default=0))
    return lines


def question_in_words(question: Question, way: Way) -> str:
    """Spell a question and, line by line, what to do for each answer to it."""
    return "\n".join([question.sentence, *(f"- {answer_in_words(answer, way)}" for answer in question.answers)])


def _rows_needed(answer: Answer, way: Way) -> int:
    """Count the rows below the others that an answer takes at most."""
    fresh = way.kind == "open workbook" and way.grid is None
    names = [name for name in answer.gives if not fresh or name not in _FRESH_ROWS]
    return sum(len(_line_texts(name, answer.gives[name])) for name in names)


def answer_in_words(answer: Answer, way: Way) -> str:
    """Spell what to do for an answer, such as: To leave it out, add --exclude "Attendance %" to the command."""
    return f"To {answer.meaning}, {deed(answer, way)}."


def deed(answer: Answer, way: Way) -> str:
    """Spell the deed alone: `add --exclude "Attendance %" to the command`."""
    by_option = f"add {options_for(answer)} to the command"
    if way.kind == "text":
        return by_option
    if "sheet" in answer.gives and way.kind != "workbook":
        return f"bring the sheet {answer.gives['sheet']} to the front"
    on_sheet = _on_sheet(answer, way)
    if way.kind == "range" and set(answer.gives) == {"layout"}:
        word = "Judge" if answer.gives["layout"] == "objects across" else "what they are, such as Talk,"
        return f"write {word} in the upper left cell, above the labels of the rows"
    if way.kind == "range":
        return "use the button Calibrate, for which the sheet Settings can say it"
    if way.kind == "open workbook":
        return on_sheet if way.grid is not None else f"press Settings on the tab Calibrate and there {on_sheet}"
    if way.grid is not None:
        return f"{on_sheet} (or {by_option})"
    return f"{by_option}, or {on_sheet} of a new sheet called {SETTINGS_SHEET}"


def options_for(answer: Answer) -> str:
    """Spell an answer as options of the command line."""
    gives = dict(answer.gives)
    parts = []
    if "scale_low" in gives and "scale_high" in gives:
        low, high = gives.pop("scale_low"), gives.pop("scale_high")
        parts.append(f"--scale {number_text(low)}:{number_text(high)}")
    if gives.get("higher_is_better") is False:
        gives.pop("higher_is_better")
        parts.append("--lower-is-better")
    for name, value in gives.items():
        if isinstance(value, tuple):
            parts += [f"{OPTIONS[name]} {_quoted(pattern)}" for pattern in value]
        elif name == "same" or (name in TABLES and any(sign in key for key in value for sign in ",;=")):
            parts += [f"{OPTIONS[name]} {_quoted(text_of(name, {key: one}), wild=False)}" for key, one in value.items()]
        elif name in OPTIONS:
            parts.append(f"{OPTIONS[name]} {_quoted(text_of(name, value), wild=name.endswith('_column'))}")
        else:
            parts.append(f"--set {_quoted(f'{label_of(name)}={text_of(name, value)}', wild=False)}")
    return " ".join(parts)


def how_to_set(gives: Mapping[str, Any], kind: SourceKind) -> str:
    """Spell how settings are given, where what is there already does not matter: "add --scale 1:5 to the command"."""
    if kind == "text":
        return f"add {options_for(Answer(gives, ''))} to the command"
    parts = [f"{text_of(name, value)} beside {label_of(name)}" for name, value in gives.items()]
    return f"write {' and '.join(parts)} on the sheet {SETTINGS_SHEET}"


def merged(name: str, held: Any, given: Any) -> Any:
    """Put a value given for a setting over the one it has: patterns to leave out or count in and words are added.

    Criteria that have their weights keep them where these are only to be calibrated together.
    """
    if name in ("include", "exclude"):
        return tuple(dict.fromkeys((*held, *given)))
    if name == "criteria" and [word.casefold() for word in given] == [TOGETHER]:
        weights = {criterion: weight for criterion, weight in held.items() if criterion.casefold() != TOGETHER}
        return {**given, **weights} if len(weights) > 1 else given
    return {**held, **given} if name in ("codes", "grades", "same") else given


def _on_sheet(answer: Answer, way: Way) -> str:
    """Spell the cells to fill in: "write A; B in cell B14 (Leave out) on the sheet Settings"."""
    parts = []
    free = FreeRows(way)
    for name, value in answer.gives.items():
        if name in LINES:
            parts += _in_table(name, value, free)
            continue
        label, cell = ROWS[name].label, free.cell_of(name)
        if cell and name in way.said:
            parts.append(f"add {text_of(name, value)} to cell {cell} ({label}), after a semicolon")
            continue
        text = as_typed(text_of(name, merged(name, getattr(way.settings, name), value)))
        parts.append(f"write {text} in cell {cell} ({label})" if cell else free.new_row(label, text))
    said = " and ".join(parts)
    return said if way.grid is None else f"on the sheet {way.grid.sheet}, {said}"


def _in_table(name: str, value: Mapping[str, Any], free: FreeRows) -> list[str]:
    """Spell the rows to fill in of a table, the numbers of those that are there already first."""
    held = {key: row for key in value if (row := free.row_in_table(name, key))}
    parts = [f"write {number_text(value[key])} beside {key}, in cell B{row}" for key, row in held.items()]
    new = {key: number for key, number in value.items() if key not in held}
    if new:
        first = free.in_table(name, len(new))
        if first:
            pairs = ", ".join(f"{key} and {number_text(number)}" for key, number in new.items())
            parts.append(f"write below {' and '.join(TABLES[name])}, from row {first}, {pairs}")
        else:
            parts += [free.new_row(LINES[name], as_typed(text)) for text in _line_texts(name, new)]
    return parts


def line_text(name: str, value: Mapping[str, Any]) -> str:
    """Spell a table in one cell; of the codes, those that are not the usual ones."""
    usual = DEFAULT_CODES if name == "codes" else {}
    return text_of(name, {key: one for key, one in value.items() if usual.get(key) != one})


def _line_texts(name: str, value: Any) -> list[str]:
    """Spell a setting in one cell, or a table in several where its words hold the signs that part them."""
    if name in TABLES and any(sign in key for key in value for sign in ",;="):
        return [text_of(name, {key: one}) for key, one in value.items()]
    return [text_of(name, value)]


def how_to_keep(chosen: Settings, way: Way) -> list[str]:
    """Spell what to write on a sheet Settings so that it says what was chosen; nothing where it says so already."""
    written, free = way.settings, FreeRows(way)
    parts: list[str] = []
    for name in (*LINES, *ROWS):  # tables first, since they may grow into the free rows
        given, held = getattr(chosen, name), getattr(written, name)
        turned = name == "higher_is_better" and chosen.direction_given != written.direction_given
        if given == held and not turned:
            continue
        if name in LINES:
            parts += _table_kept(name, given, held, free)
            continue
        cell, text = free.cell_of(name), text_of(name, given)
        if cell:
            parts.append(f"write {text} in cell {cell} ({ROWS[name].label})" if text else f"clear cell {cell}")
        else:
            parts.append(free.new_row(ROWS[name].label, text))
    return parts


def _table_kept(name: str, given: Mapping[str, Any], held: Mapping[str, Any], free: FreeRows) -> list[str]:
    """Spell how a table says what was chosen: codes join those there are, any other table is written anew."""
    first, lines = free.first_in_table(name), free.lines_of(name)
    if lines and not first:
        text = as_typed(line_text(name, given))
        rest = [f"clear cell {address(*place)}" for place in lines[1:]]
        return [f"write {text} in cell {address(*lines[0])} ({LINES[name]})", *rest]
    if not first:
        return _in_table(name, given, free)
    if name == "codes":
        return _in_table(name, {key: value for key, value in given.items() if held.get(key) != value}, free)
    parts = []
    if len(given) < len(held):
        parts.append(f"clear A{first + len(given)}:B{first + len(held) - 1}")
    elif not free.in_table(name, len(given) - len(held)):
        parts.append(f"insert {len(given) - len(held)} rows above row {first + 1}")
    pairs = ", ".join(f"{key} and {number_text(number)}" for key, number in given.items())
    return [*parts, f"write below {' and '.join(TABLES[name])}, from row {first}, {pairs}"] if pairs else parts


class FreeRows:
    """Where things stand on the sheet Settings, and which rows are free for more."""

    def __init__(self, way: Way) -> None:
        self.way = way
        filled = 0 if way.grid is None else way.grid.n_rows + 1
        if way.grid is None and way.kind == "open workbook":
            filled = _END_OF_FRESH_ROWS  # the rows below are free to the first of the tables
        self._next = way.rows + filled + 1

    def cell_of(self, name: str) -> str:
        """Return the cell of a setting, "" where the sheet has no row for it; a fresh sheet has one for each."""
        place = self.place_of(name)
        return "" if place is None else address(*place)

    def place_of(self, name: str) -> tuple[int, int] | None:
        """Return (row, column) of the cell of a setting, None where the sheet has no row for it."""
        grid = self.way.grid
        if grid is None:
            fresh = self.way.kind == "open workbook" and name in _FRESH_ROWS
            return (SETTING_HEADING_ROW + 1 + _FRESH_ROWS.index(name), 2) if fresh else None
        label = ROWS[name].label.casefold()
        for number in range(1, grid.n_rows + 1):
            if label_text(grid.value(number, 1)).rstrip(":").strip().casefold() == label:
                return number, 2
        return None

    def lines_of(self, name: str) -> list[tuple[int, int]]:
        """Return (row, column) of the cells that hold a table in one row."""
        grid, label = self.way.grid, LINES[name].casefold()
        rows = range(1, 0 if grid is None else grid.n_rows + 1)
        return [(n, 2) for n in rows if grid and label_text(grid.value(n, 1)).rstrip(":").strip().casefold() == label]

    def take(self, count: int) -> int:
        """Take free rows, with a blank one after a table; return the first."""
        row, self._next = self._next, self._next + count + (count > 1)
        return row

    def new_row(self, label: str, text: str) -> str:
        """Spell how to add a row for a setting."""
        row, self._next = self._next, self._next + 1
        return f"write {label} in cell A{row} and {text} in cell B{row}"

    def first_in_table(self, name: str) -> int:
        """Return the row below the headings of a table, 0 where the sheet has none."""
        head = self._heading_row(name)
        return head + 1 if head else 0

    def in_table(self, name: str, count: int) -> int:
        """Return the first of enough free rows below the headings of a table, 0 where there are none."""
        grid, head = self.way.grid, self._heading_row(name)
        if grid is None or not head:
            return 0
        row = head + 1
        while not is_blank(grid.value(row, 1)):
            row += 1
        if not all(is_blank(grid.value(row + k, 1)) for k in range(count)):
            return 0
        self._next = max(self._next, row + count + 1)  # a row right below would belong to the table
        return row

    def row_in_table(self, name: str, key: str) -> int:
        """Return the row of a table that has an entry for this word already, 0 without one."""
        head = self._heading_row(name)
        row = head + 1
        while head and self.way.grid is not None and not is_blank(self.way.grid.value(row, 1)):
            if code_key(self.way.grid.value(row, 1)) == code_key(key):
                return row
            row += 1
        return 0

    def _heading_row(self, name: str) -> int:
        grid = self.way.grid
        wanted = tuple(text.casefold() for text in TABLES.get(name, ()))
        rows = range(1, 0 if grid is None else grid.n_rows + 1)
        return next(
            (n for n in rows if grid and tuple(label_text(grid.value(n, k)).casefold() for k in (1, 2)) == wanted), 0
        )


def _quoted(text: str, *, wild: bool = True) -> str:
    """Put a text in double quotes, which every shell takes.

    What a shell would read in them becomes a wildcard where one may stand, and is escaped where not.
    """
    safe = _UNSAFE.sub("?", text) if wild else _ESCAPED.sub(r"\\\g<0>", text)
    return f'"{safe}"' if not re.fullmatch(r"[\w.:-]+", safe) else safe
