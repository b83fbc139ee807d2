"""Several scores in one cell, as "7, 8" or "7 / 8": found, asked about, and put together as the settings say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from panelcal.errors import Answer
from panelcal.reading.cell_values import Kind, code_key, kind_of, number_in, trimmed
from panelcal.reading.decisions import About, Decision
from panelcal.reading.nouns import plural, with_article
from panelcal.reading.problems import listed, where
from panelcal.reading.settings import SeveralInCell
from panelcal.reading.table import Table
from panelcal.reading.terms import Terms

_SIGNS = re.compile(r"\s*(?:[;|/\n]|\b(?:out of|von|sur|van|sobre|su)\b)\s*")
_COMMAS = re.compile(r",\s+")
_TIGHT_COMMAS = re.compile(r"\d{1,2}(?:,\d{1,2}){2,}")
_A_YEAR = re.compile(r"\d{4}")
_LEAST_CELLS = 3
_SHOWN = 3
_TWO = 2


def scores_in_cell(value: Any) -> tuple[float, ...]:
    """Return the numbers of a cell that holds several: "7, 8", "7; 8", "7/8", "7 | 8", "7,8,9" or one below the other.

    Returns
    -------
    numbers
        Empty for any other cell, as for 7,8 (a decimal), 60-70 (a range) and 12/05/2026 (a date).
    """
    if not isinstance(value, str) or kind_of(value)[0] is not Kind.TEXT:
        return ()
    text = trimmed(value)
    parts = [part for part in _SIGNS.split(text) if part]
    if len(parts) == 1:
        parts = text.split(",") if _TIGHT_COMMAS.fullmatch(text) else _COMMAS.split(text)
    if len(parts) < 2 or ("/" in text and len(parts) == 3 and any(map(_A_YEAR.fullmatch, (parts[0], parts[2])))):
        return ()
    numbers = [number_in(part) for part in parts]
    return tuple(number for number in numbers if number is not None) if None not in numbers else ()


def cells_with_several(table: Table) -> frozenset[str]:
    """Find the texts of a sheet that are several scores, for a look at how it is laid out.

    Returns
    -------
    texts
        Keys of `code_key`; empty where there are fewer than three such cells.
    """
    found = [value for row in table.cells for value in row if isinstance(value, str) and scores_in_cell(value)]
    return frozenset(map(code_key, found)) if len(found) >= _LEAST_CELLS else frozenset()


def put_together(scores: Sequence[float], how: SeveralInCell) -> float:
    """Return the one score that counts for the several in a cell."""
    if how == "first":
        return scores[0]
    if how == "last":
        return scores[-1]
    if how == "percentage":
        return round(100 * scores[0] / scores[1], 10)
    return float(np.sum(scores) if how == "sum" else np.mean(scores))


def ask_which_counts(several: Mapping[str, Sequence[str]], others: bool, terms: Terms) -> None:
    """Ask which score counts where a cell holds several.

    Parameters
    ----------
    several
        Text of a cell -> the addresses of the cells that hold it.
    others
        Whether other cells hold one number: a sum would not be on their scale.
    """
    held = [cell for cells in several.values() for cell in cells]
    verb = "holds" if len(held) == 1 else "hold"
    sentence = f"{where(terms.sheet, held)} {verb} several {plural(terms.score)} each ({_some(several)})."
    tops = _out_of(several)
    first = "count the first, as in 7 out of 10" if len(tops) == 1 else "count the first"
    ways: list[tuple[SeveralInCell, str]] = [("mean", "count their mean"), ("first", first), ("last", "count the last")]
    if tops and not others:
        ways.insert(0, ("percentage", "count each as a percentage of what was possible, as in 7 out of 10"))
    if not others and len({len(scores_in_cell(text)) for text in several}) == 1:
        ways.append(("sum", "count their sum"))
    terms.problems.ask(terms.sheet, sentence, [Answer({"several_in_cell": how}, said) for how, said in ways], held)


def joined_decision(several: Mapping[str, Sequence[str]], terms: Terms) -> Decision:
    """Say what counts for the cells that hold several scores."""
    cells = tuple(cell for held in several.values() for cell in held)
    how = terms.settings.several_in_cell
    sentence = f"Several {plural(terms.score)} in one cell ({_some(several)}) count as {with_article(terms.score)}: "
    said = "the first as a percentage of the second" if how == "percentage" else f"the {how} of them"
    sentence += f"{said}, as the settings say. So {'reads' if len(cells) == 1 else 'read'} {listed(cells)}."
    return Decision(About.SEVERAL_SCORES_IN_ONE_CELL, cells, sentence, "warning", terms.sheet)


def _out_of(texts: Iterable[str]) -> frozenset[float]:
    """Return the maxima of cells that may be scores out of one, such as 7/10 and 14/20; none where they may not."""
    pairs = [scores_in_cell(text) for text in texts]
    fits = all(len(pair) == _TWO and 0 <= pair[0] <= pair[1] and pair[1] > 0 for pair in pairs)
    tops = frozenset(pair[1] for pair in pairs) if fits else frozenset()
    return tops if len(tops) <= max(1, len(pairs) // 2) else frozenset()


def _some(texts: Iterable[str]) -> str:
    return ", ".join(f'"{" ".join(text.split())}"' for text in list(texts)[:_SHOWN])
