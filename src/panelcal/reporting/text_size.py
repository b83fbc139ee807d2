"""How much room words take: guessed widths and wrapped lines, because no font is at hand when a file is written.

Widths are in the spreadsheet's own unit, the width of a digit in the workbook's font. Guesses lean to the wide side.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

_UNITS = 20
_NARROW = "ijlI.,:;'|! "
_SLIM = 'frt()[]-/`"'
_SMALL = "cszJ"
_FULL = "0123456789bdhnopqu"
_WIDE = "mwMW%@"


def _weight(character: int) -> int:
    letter = chr(character)
    if letter in _NARROW:
        return 10
    if letter in _SLIM:
        return 13
    if letter in _WIDE:
        return 31
    if letter in _SMALL:
        return 17
    return 23 if letter.isupper() else 20 if letter in _FULL else 19


# One byte per Latin-1 character, so that bytes.translate and sum do the measuring at C speed.
_WEIGHTS = bytes(_weight(character) for character in range(256))


def text_width(text: str, *, bold: bool = False) -> float:
    """Width of one line of text in digits of the default font."""
    units = sum(text.encode("latin-1", "replace").translate(_WEIGHTS))
    return units / _UNITS * (1.08 if bold else 1.0)


def wrapped_lines(text: str, width: float, *, bold: bool = False) -> int:
    """Lines that a text takes when it is wrapped at words inside a column of `width` characters."""
    room = max(width - 0.3, 1.0)
    space = text_width(" ", bold=bold)
    lines = 0
    for paragraph in text.split("\n"):
        used = 0.0
        lines += 1
        for word in paragraph.split(" "):
            size = text_width(word, bold=bold)
            if used and used + space + size > room:
                lines += 1
                used = 0.0
            elif used:
                used += space
            if size > room:
                lines += math.ceil(size / room) - 1
                size = size % room
            used += size
    return lines


def longest_word(texts: Iterable[str], *, bold: bool = False) -> float:
    """Width of the longest single word, which a column must hold if nothing is to be broken inside a word."""
    return max((text_width(word, bold=bold) for text in texts for word in text.split()), default=0.0)
