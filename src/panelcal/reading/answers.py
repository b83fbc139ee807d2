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
from panelcal.reading.setting_texts import ROWS, number_text, text_of
from panelcal.reading.settings import (
    CODE_HEADINGS,
    CRITERION_HEADINGS,
    FEATURE_HEADINGS,
    GRADE_HEADINGS,
    SETTING_HEADING_ROW,
    SETTINGS_SHEET,
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

_NOT_ON_SHEET = frozenset({"sheet", "confidence_sheet"})
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
        needed = [sum(len(v) + 2 if n in TABLES else 1 for n, v in one.gives.items()) for one in question.answers]
        lists = {name for one in question.answers for name in one.gives if name in ("include", "exclude", "scores")}
        way = replace(way, said=way.said | lists, rows=way.rows + max(needed, default=0))
    return lines


def question_in_words(question: Question, way: Way) -> str:
    """Spell a question and, line by line, what to do for each answer to it."""
    lines = [question.sentence, *(f"- {answer_in_words(answer, way)}" for answer in question.answers)]
    given = {name for answer in question.answers for name in answer.gives}
    if given and way.kind == "workbook" and way.grid is None and not given & {*_NOT_ON_SHEET, *TABLES}:
        lines.append(f"- {_with_a_new_sheet(question, way.rows)}")
    return "\n".join(lines)


def _with_a_new_sheet(question: Question, rows: int) -> str:
    """Spell the same answers for somebody who adds the sheet Settings to the workbook."""
    settings = {tuple(answer.gives) for answer in question.answers}
    single = next(iter(settings)) if len(settings) == 1 else ()
    if len(single) == 1 and single[0] not in TABLES:
        texts = _either([text_of(single[0], answer.gives[single[0]]) for answer in question.answers])
        deeds = f"write {ROWS[single[0]].label} in cell A{rows + 1} and {texts} in cell B{rows + 1}"
    else:
        deeds = _either([_on_sheet(answer, Way("workbook", rows=rows)) for answer in question.answers])
    return f"Or add a sheet called {SETTINGS_SHEET} to the workbook and there {deeds}."


def _either(parts: Sequence[str]) -> str:
    *first, last = parts
    return f"{', '.join(first)} or {last}" if first else last


def answer_in_words(answer: Answer, way: Way) -> str:
    """Spell what to do for an answer, such as: To leave it out, add --exclude "Attendance %" to the command."""
    return f"To {answer.meaning}, {deed(answer, way)}."


def deed(answer: Answer, way: Way) -> str:
    """Spell the deed alone: `add --exclude "Attendance %" to the command`."""
    by_option = f"add {options_for(answer)} to the command"
    if way.kind == "text":
        return by_option
    if set(answer.gives) & _NOT_ON_SHEET:
        if way.kind == "workbook":
            return by_option
        return f"bring the sheet {answer.gives.get('sheet', '')} to the front"
    if way.kind == "workbook" and "codes" in answer.gives and not FreeRows(way).in_table("codes", 1):
        return by_option  # a table of codes with this one alone would take the place of the usual ones
    on_sheet = _on_sheet(answer, way).removesuffix(",")
    if way.kind == "range" and set(answer.gives) == {"layout"}:
        word = "Judge" if answer.gives["layout"] == "objects across" else "what they are, such as Talk,"
        return f"write {word} in the upper left cell, above the labels of the rows"
    if way.kind == "range":
        return "use the button Calibrate, for which the sheet Settings can say it"
    if way.kind == "open workbook":
        return on_sheet if way.grid is not None else f"press Settings on the tab Calibrate and there {on_sheet}"
    if way.grid is not None:
        return f"{on_sheet} (or {by_option})"
    return by_option


def options_for(answer: Answer) -> str:
    """Spell an answer as options of the command line."""
    gives = dict(answer.gives)
    parts = []
    if "scale_low" in gives or "scale_high" in gives:
        low, high = gives.pop("scale_low", None), gives.pop("scale_high", None)
        parts.append(f"--scale {number_text(low)}:{number_text(high)}")
    if gives.get("higher_is_better") is False:
        gives.pop("higher_is_better")
        parts.append("--lower-is-better")
    for name, value in gives.items():
        if isinstance(value, tuple):
            parts += [f"{OPTIONS[name]} {_quoted(pattern)}" for pattern in value]
        elif name in TABLES and any(sign in key for key in value for sign in ",;="):
            parts += [f"{OPTIONS[name]} {_quoted(text_of(name, {key: one}), wild=False)}" for key, one in value.items()]
        elif name in OPTIONS:
            parts.append(f"{OPTIONS[name]} {_quoted(text_of(name, value), wild=name.endswith('_column'))}")
        else:
            parts.append(f"--set {_quoted(f'{ROWS[name].label}={text_of(name, value)}', wild=False)}")
    return " ".join(parts)


def merged(name: str, held: Any, given: Any) -> Any:
    """Put a value given for a setting over the one it has: patterns to leave out or count in and codes are added."""
    if name in ("include", "exclude"):
        return tuple(dict.fromkeys((*held, *given)))
    return {**held, **given} if name == "codes" else given


def _on_sheet(answer: Answer, way: Way) -> str:
    """Spell the cells to fill in: "write A; B in cell B14 (Leave out) on the sheet Settings"."""
    parts = []
    free = FreeRows(way)
    for name, value in answer.gives.items():
        if name in TABLES:
            parts += _in_table(name, value, free)
            continue
        label, cell = ROWS[name].label, free.cell_of(name)
        if cell and name in way.said:
            parts.append(f"add {text_of(name, value)} to cell {cell} ({label}), after a semicolon")
            continue
        text = text_of(name, merged(name, getattr(way.settings, name), value))
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
        pairs = ", ".join(f"{key} and {number_text(number)}" for key, number in new.items())
        head = " and ".join(TABLES[name])
        parts.append(f"write below {head}, from row {first}, {pairs}" if first else free.new_table(name, new))
    return parts


def how_to_keep(chosen: Settings, way: Way) -> list[str]:
    """Spell what to write on a sheet Settings so that it says what was chosen; nothing where it says so already."""
    written, free = way.settings, FreeRows(way)
    parts: list[str] = []
    for name in (*TABLES, *ROWS):  # tables first, since they may grow into the free rows
        given, held = getattr(chosen, name), getattr(written, name)
        turned = name == "higher_is_better" and chosen.direction_given != written.direction_given
        if given == held and not turned:
            continue
        if name in TABLES:
            parts += _table_kept(name, given, held, free)
            continue
        cell, text = free.cell_of(name), text_of(name, given)
        if cell:
            parts.append(f"write {text} in cell {cell} ({ROWS[name].label})" if text else f"clear cell {cell}")
        else:
            parts.append(free.new_row(ROWS[name].label, text))
    return [part.removesuffix(",") for part in parts]


def _table_kept(name: str, given: Mapping[str, Any], held: Mapping[str, Any], free: FreeRows) -> list[str]:
    """Spell how a table says what was chosen: codes join those there are, any other table is written anew."""
    first = free.first_in_table(name)
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
        self._next = way.rows + (1 if way.grid is None else way.grid.n_rows + 2)

    def cell_of(self, name: str) -> str:
        """Return the cell of a setting, "" where the sheet has no row for it; a fresh sheet has one for each."""
        place = self.place_of(name)
        return "" if place is None else address(*place)

    def place_of(self, name: str) -> tuple[int, int] | None:
        """Return (row, column) of the cell of a setting, None where the sheet has no row for it."""
        grid = self.way.grid
        if grid is None:
            fresh = SETTING_HEADING_ROW + 1 + list(ROWS).index(name), 2
            return fresh if self.way.kind == "open workbook" else None
        label = ROWS[name].label.casefold()
        for number in range(1, grid.n_rows + 1):
            if label_text(grid.value(number, 1)).rstrip(":").strip().casefold() == label:
                return number, 2
        return None

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
        wanted = tuple(text.casefold() for text in TABLES[name])
        rows = range(1, 0 if grid is None else grid.n_rows + 1)
        return next(
            (n for n in rows if grid and tuple(label_text(grid.value(n, k)).casefold() for k in (1, 2)) == wanted), 0
        )

    def new_table(self, name: str, value: Mapping[str, Any]) -> str:
        """Spell how to add a table."""
        row = self._next
        self._next += len(value) + 2
        head = TABLES[name]
        pairs = ", ".join(
            f"{key} in A{row + k} and {number_text(v)} in B{row + k}" for k, (key, v) in enumerate(value.items(), 1)
        )
        return f"write {head[0]} in cell A{row} and {head[1]} in cell B{row}, and below them {pairs},"


def _quoted(text: str, *, wild: bool = True) -> str:
    """Put a text in double quotes, which every shell takes.

    What a shell would read in them becomes a wildcard where one may stand, and is escaped where not.
    """
    safe = _UNSAFE.sub("?", text) if wild else _ESCAPED.sub(r"\\\g<0>", text)
    return f'"{safe}"' if not re.fullmatch(r"[\w.:-]+", safe) else safe
