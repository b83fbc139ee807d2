"""Cells that stand for more than they hold, read as the settings say: merged cells, 1,234, names written once."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from panelcal.errors import Answer
from panelcal.reading.cell_values import Kind, is_number, kind_of, label_text, may_be_thousands, trimmed
from panelcal.reading.long_list import LongList
from panelcal.reading.nouns import plural, with_article
from panelcal.reading.problems import Problems, listed, where
from panelcal.reading.settings import Settings
from panelcal.reading.table import Table
from panelcal.reading.terms import Terms

_LONE_COMMA = re.compile(r"[.,]")


def as_said(table: Table, settings: Settings) -> Table:
    """Return a sheet with its merged cells and its lone commas as the settings say."""
    if settings.lone_comma:
        sign = "" if settings.lone_comma == "thousand" else "."
        cells = tuple(tuple(_spelt(value, sign) for value in row) for row in table.cells)
        table = replace(table, cells=cells)
    if settings.merged_cells == "every":
        table = replace(table, cells=_spread(table), merges=())
    elif settings.merged_cells == "first":
        table = replace(table, merges=())
    return table


def _spelt(value: Any, sign: str) -> Any:
    """Spell 1,234 as a number that can be read in one way only; anything else stays."""
    if isinstance(value, str) and (kind_of(value)[0] is Kind.AMBIGUOUS or may_be_thousands(value)):
        return _LONE_COMMA.sub(sign, trimmed(value))
    return value


def _spread(table: Table) -> tuple[tuple[Any, ...], ...]:
    """Write what a merged range shows into each of its cells; numbers as text, since the sheet has them once."""
    filled = [list(row) for row in table.cells]
    for r1, c1, r2, c2 in table.merges:
        rows = range(bisect_left(table.rows, r1), bisect_right(table.rows, r2))
        columns = range(bisect_left(table.columns, c1), bisect_right(table.columns, c2))
        held = [filled[i][j] for i in rows for j in columns if filled[i][j] is not None]
        for i, j in ((i, j) for i in rows for j in columns if held and filled[i][j] is None):
            filled[i][j] = label_text(held[0]) if is_number(held[0]) else held[0]
    return tuple(map(tuple, filled))


def with_names_repeated(found: LongList, settings: Settings) -> LongList:
    """Return a list in which a blank name beside a score is the one above it, where the settings say so."""
    if settings.blank_names != "repeat":
        return found
    cells = [list(row) for row in found.table.cells]
    above: dict[int, Any] = {}
    for row in cells[found.row + 1 :]:
        scored = any(row[j] is not None for j in found.score_columns)
        for j in (found.object_column, found.assessor_column):
            if row[j] is not None:
                above[j] = row[j]
            elif scored:
                row[j] = above.get(j)
    return replace(found, table=replace(found.table, cells=tuple(map(tuple, cells))))


def ask_about_blank_names(places: Sequence[str], noun: str, terms: Terms) -> None:
    """Ask about scores of a list that have no name beside them: it may stand once, above."""
    if places:
        is_, there = ("is", "it") if len(places) == 1 else ("are", "them")
        sentence = (
            f"{where(terms.sheet, places)} {is_} blank beside {with_article(terms.score)}: write the "
            f"{plural(noun, 1)} there, clear the {plural(terms.score, 1)}, or say what a blank stands for."
        )
        answers = [
            Answer({"blank_names": "repeat"}, f"read {there} as the {plural(noun, 1)} above"),
            Answer({"blank_names": "leave out"}, f"leave out {'that row' if len(places) == 1 else 'those rows'}"),
        ]
        terms.problems.ask(terms.sheet, sentence, answers, places)


def ask_about_merged(spans: Sequence[str], score: str, table: Table, problems: Problems) -> None:
    """Ask which cells of merged ranges among the scores hold what they show."""
    if spans:
        sheet, one = table.grid.sheet, len(spans) == 1
        sentence = (
            f"{where(sheet, spans)} {'is' if one and ':' not in spans[0] else 'are'} merged, so it is not clear whose "
            f"{score} they hold: unmerge them and write each value where it belongs, or say which."
        )
        answers = [
            Answer({"merged_cells": "every"}, "count what they show in every cell of them"),
            Answer({"merged_cells": "first"}, "count it in the first cell alone"),
        ]
        problems.ask(sheet, sentence, answers, spans)


def ask_about_commas(texts: Sequence[str], places: Sequence[str], terms: Terms) -> None:
    """Ask whether 1,234 is more than a thousand or a little more than one."""
    if places:
        hold = "holds" if len(places) == 1 else "hold"
        sign = "point" if all(map(may_be_thousands, texts)) else "comma"
        quoted = [f'"{text}"' for text in dict.fromkeys(texts)]
        sentence = (
            f"{where(terms.sheet, places)} {hold} {listed(quoted)}, which could be a thousand or a "
            "decimal: write 1234 for a thousand and so on, or 1.234 for a decimal, or say which."
        )
        answers = [
            Answer({"lone_comma": "thousand"}, f"read the {sign} as the mark of thousands"),
            Answer({"lone_comma": "decimal"}, "read it as the decimal mark"),
        ]
        terms.problems.ask(terms.sheet, sentence, answers, places)
