"""How much room words take: guessed widths and wrapped lines, because no font is at hand when a file is written.

Widths are in the spreadsheet's own unit, the width of a digit in the workbook's font. Guesses lean to the wide side.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

WRAP_MARGIN = 0.3
"""Characters that a line is taken to be narrower than its column, to be on the safe side."""

_UNITS = 20  # per digit
_LEANING = 1.05
_BOLD = 1.03
# How wide the letters of Calibri are, the usual font of a workbook, measured in its metric twin Carlito.
_MEASURED = {
    9: " 'ijl", 10: ",.I", 11: ":;`", 12: "()-[]f{}", 13: "!Jt", 14: "r", 15: "/\\s", 16: '"z', 17: "Lcx",
    18: "?FSZkvy|", 19: "ETYag", 20: "#$*+0123456789<=>PX^_e~", 21: "BCKRbdhnopqu", 22: "V", 23: "A", 24: "D",
    25: "GHNU", 26: "O", 27: "&Q", 28: "%w", 32: "m", 34: "M", 35: "@W",
}  # fmt: skip
_WIDTHS = {letter: width for width, letters in _MEASURED.items() for letter in letters}


def _weight(character: int) -> int:
    letter = chr(character)
    return _WIDTHS.get(letter, 24 if letter.isupper() else 20)


# One byte per Latin-1 character, so that bytes.translate and sum do the measuring at C speed.
_WEIGHTS = bytes(_weight(character) for character in range(256))


def text_width(text: str, *, bold: bool = False) -> float:
    """Width of one line of text in digits of the default font."""
    units = sum(text.encode("latin-1", "replace").translate(_WEIGHTS))
    return units / _UNITS * _LEANING * (_BOLD if bold else 1.0)


def widest(texts: Sequence[str]) -> float:
    """Width of the widest of several lines of text in digits of the default font, 0 of none: a million in a moment."""
    lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
    if not lengths.any():
        return 0.0
    weights = np.frombuffer("".join(texts).encode("latin-1", "replace").translate(_WEIGHTS), dtype=np.uint8)
    ends = np.cumsum(lengths)
    units = np.concatenate([[0], np.cumsum(weights, dtype=np.int64)])
    return int((units[ends] - units[ends - lengths]).max()) / _UNITS * _LEANING


@lru_cache(maxsize=4096)
def _word_width(word: str, bold: bool) -> float:
    """Width of a word: the same few hundred are met again and again."""
    return text_width(word, bold=bold)


def wrapped_lines(text: str, width: float, *, bold: bool = False) -> int:
    """Lines that a text takes when it is wrapped at words inside a column of `width` characters."""
    return wrapped(text, width, bold=bold)[0]


def wrapped(text: str, width: float, *, bold: bool = False) -> tuple[int, float]:
    """Lines that a text takes when it is wrapped so, and the width of the last of them."""
    room = max(width - WRAP_MARGIN, 1.0)
    space = _word_width(" ", bold)
    lines, used = 0, 0.0
    for paragraph in text.split("\n"):
        used = 0.0
        lines += 1
        for word in paragraph.split(" "):
            size = _word_width(word, bold)
            if used and used + space + size > room:
                lines += 1
                used = 0.0
            elif used:
                used += space
            if size > room:
                lines += math.ceil(size / room) - 1
                size = size % room
            used += size
    return lines, used


def longest_word(texts: Iterable[str], *, bold: bool = False) -> float:
    """Width of the longest single word, which a column must hold if nothing is to be broken inside a word."""
    return max((_word_width(word, bold) for text in texts for word in text.split()), default=0.0)
