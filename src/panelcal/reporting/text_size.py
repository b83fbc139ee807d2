"""How much room words take: their widths and wrapped lines, from a table, for a file is written without its font.

Widths are in the spreadsheet's own unit, the width of a digit in the workbook's font, and are those of Excel on a usual
screen, where letters take whole pixels: some 8% more than on paper or in LibreOffice (`SPARING`), so that what is high
enough for Excel is cut off nowhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

WRAP_MARGIN = 0.2
"""Characters that a line is taken to be narrower than its column, to be on the safe side."""

SPARING = 0.92
"""Width of words where they take the least room, on paper and in LibreOffice, as a share of the widths here."""

_DIGIT = 7
_BOLD = 1.05
# Pixels that the letters of Calibri, the usual font of a workbook, take in Excel at 11 points.
_PIXELS = {
    3: " '", 4: ",.:;`Iijl", 5: "!()-[]{}Jfrt", 6: '"/\\Lcsz', 7: "#$*+0123456789<=>?^_|~EFSTYZagkvxy",
    8: "BCKPRXbdehnopqu", 9: "ADGHUV", 10: "&NOQ", 11: "%w", 12: "Mm", 13: "@W",
}  # fmt: skip
_WIDTHS = {letter: width for width, letters in _PIXELS.items() for letter in letters}


def _weight(character: int) -> int:
    letter = chr(character)
    return _WIDTHS.get(letter, 9 if letter.isupper() else 7)


# One byte per Latin-1 character, so that bytes.translate and sum do the measuring at C speed.
_WEIGHTS = bytes(_weight(character) for character in range(256))


def text_width(text: str, *, bold: bool = False) -> float:
    """Width of one line of text in digits of the default font."""
    units = sum(text.encode("latin-1", "replace").translate(_WEIGHTS))
    return units / _DIGIT * (_BOLD if bold else 1.0)


def widest(texts: Sequence[str]) -> float:
    """Width of the widest of several lines of text in digits of the default font, 0 of none: a million in a moment."""
    lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
    if not lengths.any():
        return 0.0
    weights = np.frombuffer("".join(texts).encode("latin-1", "replace").translate(_WEIGHTS), dtype=np.uint8)
    ends = np.cumsum(lengths)
    units = np.concatenate([[0], np.cumsum(weights, dtype=np.int64)])
    return int((units[ends] - units[ends - lengths]).max()) / _DIGIT


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


def longest_line(text: str, width: float, *, bold: bool = False) -> float:
    """Width of the widest of the lines that a text takes when it is wrapped so."""
    words = text.split()
    ends = [wrapped(" ".join(words[: k + 1]), width, bold=bold)[1] for k in range(len(words))]
    return max(ends, default=0.0)


def longest_word(texts: Iterable[str], *, bold: bool = False) -> float:
    """Width of the longest single word, which a column must hold if nothing is to be broken inside a word."""
    return max((_word_width(word, bold) for text in texts for word in text.split()), default=0.0)
