"""How a workbook differs from its snapshot: numbers to 1e-9, everything else exactly, told for a reader."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any

from snapshots.sheets import SheetContents

RELATIVE, ABSOLUTE = 1e-9, 1e-9
ERRORS_APART = 6  # of Monte Carlo
_SHOWN, _WIDEST, _BEFORE = 3, 160, 40
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference: what kind, where, and both sides; None where there is nothing."""

    kind: str
    place: str
    frozen: Any
    found: Any


@dataclass(frozen=True, slots=True)
class Tolerance:
    """What counts as the same.

    Attributes
    ----------
    errors
        Letters of a column -> Monte Carlo error of its numbers; None on sheets that hold no sampled figures.
    """

    errors: Mapping[str, float] | None = None

    def same(self, frozen: Any, found: Any, column: str = "") -> bool:
        """Whether two values of a cell are the same."""
        if isinstance(frozen, list) and isinstance(found, list):
            return len(frozen) == len(found) and all(map(lambda a, b: self.same(a, b, column), frozen, found))
        if _is_number(frozen) and _is_number(found):
            near = 0.0 if self.errors is None else ERRORS_APART * self.errors.get(column, 0.0)
            return math.isclose(frozen, found, rel_tol=RELATIVE, abs_tol=max(ABSOLUTE, near))
        if self.errors is not None and isinstance(frozen, str) and isinstance(found, str):
            return _without_numbers(frozen) == _without_numbers(found)
        return type(frozen) is type(found) and frozen == found


def compare(frozen: SheetContents, found: SheetContents, tolerance: Tolerance) -> list[Difference]:
    """Return every difference between two sheets."""
    return [
        *_lines("layout", frozen.layout, found.layout),
        *_lines("drawing", frozen.drawings, found.drawings),
        *_cells(frozen, found, tolerance),
    ]


def compare_lines(kind: str, frozen: list[str], found: list[str], *, sampled: bool = False) -> list[Difference]:
    """Return every line that is not the same in both, whatever numbers stand in it where they are sampled."""
    if sampled and list(map(_without_numbers, frozen)) == list(map(_without_numbers, found)):
        return []
    return list(_lines(kind, frozen, found))


def _lines(kind: str, frozen: list[str], found: list[str]) -> Iterator[Difference]:
    for tag, i, j, k, m in SequenceMatcher(None, frozen, found, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        if j - i == m - k:
            pairs = zip(frozen[i:j], found[k:m], strict=True)
            yield from (Difference(kind, "", old, new) for old, new in pairs if not _same_line(old, new))
        else:
            yield from (Difference(kind, "", line, None) for line in frozen[i:j])
            yield from (Difference(kind, "", None, line) for line in found[k:m])


def _same_line(frozen: str, found: str) -> bool:
    """Widths and limits are computed, too: same words, and numbers that differ by rounding only."""
    if _NUMBER.sub("#", frozen) != _NUMBER.sub("#", found):
        return False
    pairs = zip(_NUMBER.findall(frozen), _NUMBER.findall(found), strict=True)
    return all(math.isclose(float(a), float(b), rel_tol=RELATIVE, abs_tol=ABSOLUTE) for a, b in pairs)


def _cells(frozen: SheetContents, found: SheetContents, tolerance: Tolerance) -> Iterator[Difference]:
    for old, new in _matched_rows(frozen, found):
        if new is None:
            yield Difference("row", str(old), frozen.rows[old], None)
        elif old is None:
            yield Difference("row", str(new), None, found.rows[new])
        else:
            before, after = frozen.rows[old], found.rows[new]
            for column in dict.fromkeys((*before, *after)):
                if column not in before or column not in after:
                    yield Difference("cell", f"{column}{new}", before.get(column), after.get(column))
                elif not tolerance.same(before[column], after[column], column):
                    yield Difference("cell", f"{column}{new}", before[column], after[column])
                looks = frozen.styles.get(f"{column}{old}"), found.styles.get(f"{column}{new}")
                if looks[0] != looks[1] and not _both_nothing(before.get(column), after.get(column)):
                    yield Difference("style", f"{column}{new}", *looks)


def _both_nothing(frozen: Any, found: Any) -> bool:
    """What is left of rounding may be exactly zero on one computer and not on another: that changes its look."""
    return all(_is_number(value) and abs(value) <= ABSOLUTE for value in (frozen, found)) and frozen != found


def _matched_rows(frozen: SheetContents, found: SheetContents) -> Iterator[tuple[int | None, int | None]]:
    """Rows that belong together, so that a row put in does not make all below it differ."""
    old, new = list(frozen.rows), list(found.rows)
    if old == new:
        yield from zip(old, new, strict=True)
        return
    words = [[_words(sheet.rows[number]) for number in sheet.rows] for sheet in (frozen, found)]
    for tag, i, j, k, m in SequenceMatcher(None, *words, autojunk=False).get_opcodes():
        shared = min(j - i, m - k) if tag in ("equal", "replace") else 0
        yield from zip(old[i : i + shared], new[k : k + shared], strict=True)
        yield from ((number, None) for number in old[i + shared : j])
        yield from ((None, number) for number in new[k + shared : m])


def _words(cells: Mapping[str, Any]) -> tuple[str, ...]:
    values = (cell[1] if isinstance(cell, list) else cell for column, cell in cells.items() if " " not in column)
    return tuple(value for value in values if isinstance(value, str))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _without_numbers(text: str) -> str:
    """Words alone; a list of labels with figures counts as one, however long it is."""
    plain = re.sub(r"\d[\d,.]*", "#", text).replace("-#", "#").replace("+#", "#")
    return re.sub(r"(\w*# ?(?:\(#%?\))?,? ?(?:and )?){2,}", "#, ", plain)


def told(differences: list[Difference]) -> Iterator[str]:
    """The differences for a reader: alike ones together, the first few of each in full."""
    for (kind, column), group in groupby(sorted(differences, key=_order), key=lambda entry: _order(entry)[:2]):
        alike = list(group)
        yield f"    {_heading(kind, column, alike)}"
        for entry in alike[:_SHOWN]:
            frozen, found = _sides(entry)
            yield f"      {entry.place + ': ' if entry.place else ''}{frozen}  ->  {found}"
        if len(alike) > _SHOWN:
            yield f"      and {len(alike) - _SHOWN} more"


def _order(difference: Difference) -> tuple[str, str, int]:
    if difference.kind in ("cell", "style"):
        column, row = re.fullmatch(r"(.*?)(\d+)", difference.place).groups()
        return difference.kind, column, int(row)
    return difference.kind, "", int(difference.place or 0)


def _heading(kind: str, column: str, alike: list[Difference]) -> str:
    count = f"{len(alike)} " if len(alike) > 1 else ""
    name = {"cell": f"cell in {column}", "style": f"look in {column}", "row": "row", "layout": "line of the layout"}
    what = name.get(kind, kind)
    moved = [abs(entry.found - entry.frozen) for entry in alike if _is_number(entry.frozen) and _is_number(entry.found)]
    most = f", numbers by up to {max(moved):.3g}" if moved else ""
    words = what.replace("cell in", "cells in").replace("row", "rows").replace("line of", "lines of") if count else what
    return f"{count}{words}{most}:"


def _sides(entry: Difference) -> tuple[str, str]:
    """Both sides in full, or from shortly before they part where they are long."""
    both = ["nothing" if side is None else str(side) for side in (entry.frozen, entry.found)]
    alike = next((k for k, (old, new) in enumerate(zip(*both, strict=False)) if old != new), 0)
    skipped = max(0, alike - _BEFORE) if max(map(len, both)) > _WIDEST else 0
    cut = [("... " if skipped else "") + text[skipped:] for text in both]
    frozen, found = (text if len(text) <= _WIDEST else f"{text[: _WIDEST - 4]} ..." for text in cut)
    return frozen, found
