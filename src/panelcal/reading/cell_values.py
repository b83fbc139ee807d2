"""What one cell means where a score or a label is expected: number, text, blank, error, date, range.

Nothing here knows where a cell stands; the rooms above turn the answers into decisions and refusals.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from enum import Enum
from typing import Any, Generic, TypeVar

from panelcal.errors import LARGEST
from panelcal.frozen import dataclass

_SPACES = " \t\r\n\u00a0\u2007\u2009\u202f\u200b\ufeff"
_UNSEEN = dict.fromkeys([0x00AD, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2065),
                         *range(0x2066, 0x206A), 0xFEFF])  # fmt: skip
T = TypeVar("T")
_LONGEST_SPELT = 40

_DASHES = str.maketrans({"\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2212": "-"})
_MINUS = str.maketrans({"\u2212": "-", "\u2013": "-", "\u2014": "-"})

_PLAIN = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")
_DECIMAL_COMMA = re.compile(r"[+-]?(?:[0-9]+,(?:[0-9]{1,2}|[0-9]{4,})|0,[0-9]+|,[0-9]+)")
_EITHER_COMMA = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}")
_HALVES = {"½": ".5", "¼": ".25", "¾": ".75", "1/2": ".5", "1/4": ".25", "3/4": ".75"}
_WITH_HALF = re.compile(r"([+-]?\d+)\s*([½¼¾])|([+-]?\d+)\s+(1/2|1/4|3/4)")
_LONE_POINT = re.compile(r"[+-]?[1-9][0-9]{0,2}\.[0-9]{3}")
_SPACED = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:[ \u00a0\u2009\u202f'’][0-9]{3})+(?:[.,][0-9]+)?")
_ENGLISH = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3})+\.[0-9]+|[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3}){2,}")
_EUROPEAN = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:\.[0-9]{3})+,[0-9]+|[+-]?[1-9][0-9]{0,2}(?:\.[0-9]{3}){2,}")
_PLUS_MINUS = re.compile(r"(.*?)\s*(?:\+\s*/?\s*-|\u00b1)\s*(.+)")
_LEADING = re.compile(
    r"([+-]?[0-9]+(?:[.,][0-9]+)?)\s*(?:[:=)]|\.(?=\s)|\s[-\u2013\u2014](?=\s)|(?=\s*\())\s*[^\s\d].*", re.DOTALL
)
_RANGE = re.compile(r"([0-9.,]+)\s*(?:-|to|\.\.)\s*([0-9.,]+)", re.IGNORECASE)


class Kind(Enum):
    """What a cell turned out to hold."""

    BLANK = "blank"
    NUMBER = "number"
    TEXT_NUMBER = "number as text"
    PERCENT_TEXT = "percentage as text"
    AMBIGUOUS = "ambiguous number"
    DATE = "date"
    TRUTH = "true or false"
    NOT_FINITE = "not a finite number"
    TEXT = "text"
    OTHER = "error or uncalculated formula"


_BLANK = (Kind.BLANK, math.nan)


@dataclass(frozen=True, slots=True)
class Spread:
    """A number with its uncertainty: "65 +/- 5" or the range 60-70.

    `middle` is None when only the uncertainty was written ("+/- 5"); `half_width` is half the distance between the
    ends; `form` is "plus-minus" or "range".
    """

    middle: float | None
    half_width: float
    form: str


def is_blank(value: Any) -> bool:
    """Tell whether a cell is empty or holds nothing but spaces."""
    return value is None or (isinstance(value, str) and not value.strip(_SPACES))


def is_number(value: Any) -> bool:
    """Tell whether a cell holds a number that can be used as it stands."""
    kind = type(value)
    return kind is int or (kind is float and math.isfinite(value))


def trimmed(text: str) -> str:
    """Strip every kind of space, and the apostrophe that marks text, from the ends."""
    text = text.strip(_SPACES)
    return text[1:].strip(_SPACES) if text.startswith(("'", "’")) else text


def kind_of(value: Any) -> tuple[Kind, float]:
    """Classify a cell where a number is expected.

    Returns
    -------
    kind, number
        `number` is NaN unless the kind is a number or a percentage ("65%" gives 0.65).
    """
    if value is None:
        return _BLANK
    if isinstance(value, bool):
        return Kind.TRUTH, math.nan
    if isinstance(value, (float, int)):
        try:
            number = float(value)
        except OverflowError:
            return Kind.NOT_FINITE, math.nan
        return (Kind.NUMBER, number) if abs(number) <= LARGEST else (Kind.NOT_FINITE, math.nan)
    if isinstance(value, str):
        return _kind_of_text(value)
    if isinstance(value, datetime | date | time | timedelta):
        return Kind.DATE, math.nan
    return Kind.OTHER, math.nan


def _kind_of_text(value: str) -> tuple[Kind, float]:
    text = trimmed(value)
    if not text:
        return Kind.BLANK, math.nan
    if text.endswith("%"):
        kind, number = _kind_of_text(text[:-1])
        return (Kind.PERCENT_TEXT, number / 100) if kind is Kind.TEXT_NUMBER else (Kind.TEXT, math.nan)
    if len(text) > 1 and text[0] in "\u2212\u2013":
        text = "-" + text[1:]
    if _EITHER_COMMA.fullmatch(text):
        return Kind.AMBIGUOUS, math.nan
    plain = _plain_spelling(text)
    if plain is None:
        return Kind.TEXT, math.nan
    number = float(plain)
    return (Kind.TEXT_NUMBER, number) if abs(number) <= LARGEST else (Kind.NOT_FINITE, math.nan)


def _plain_spelling(text: str) -> str | None:
    """The number with a decimal point and no separators of thousands, or None when it is no number."""
    if _PLAIN.fullmatch(text):
        return text
    if found := _WITH_HALF.fullmatch(text):
        return f"{found[1] or found[3]}{_HALVES[found[2] or found[4]]}"
    if _DECIMAL_COMMA.fullmatch(text):
        return text.replace(",", ".")
    if _SPACED.fullmatch(text):
        return re.sub(r"[ \u00a0\u2009\u202f'’]", "", text).replace(",", ".")
    if _ENGLISH.fullmatch(text):
        return text.replace(",", "")
    if _EUROPEAN.fullmatch(text):
        return text.replace(".", "").replace(",", ".")
    return None


def number_in(text: str) -> float | None:
    """Return the number a text spells, or None when it is none or could be read in two ways."""
    kind, number = _kind_of_text(text)
    return number if kind is Kind.TEXT_NUMBER else None


def may_be_thousands(value: Any) -> bool:
    """Tell whether a text is a number such as 1.234, whose point may be the mark of thousands."""
    return isinstance(value, str) and _LONE_POINT.fullmatch(trimmed(value)) is not None


def spread_in(value: Any) -> Spread | None:
    """Read "65 +/- 5", "± 5", "60-70" or "60 to 70"; None when the cell holds no such thing."""
    if not isinstance(value, str):
        return None
    text = trimmed(value)
    if found := _PLUS_MINUS.fullmatch(text):
        half_width = number_in(found[2])
        middle = number_in(found[1]) if found[1] else None
        if half_width is None or (found[1] and middle is None):
            return None
        return Spread(middle, half_width, "plus-minus")
    if found := _RANGE.fullmatch(text.translate(_MINUS)):
        low, high = number_in(found[1]), number_in(found[2])
        if low is not None and high is not None:
            return Spread((low + high) / 2, (high - low) / 2, "range")
    return None


def leading_number(value: Any) -> float | None:
    """Return the number before the words in "8: accept", "2. reject", "4 - sure" or "3 (medium)"; None without one."""
    found = _LEADING.fullmatch(trimmed(value)) if isinstance(value, str) else None
    return float(found[1].replace(",", ".")) if found else None


def composed(text: str) -> str:
    """Spell text in one way: accents joined to their letters (NFC), no zero-width marks, no marks of direction."""
    return text if text.isascii() else unicodedata.normalize("NFC", text.translate(_UNSEEN))


def label_text(value: Any, number_format: str = "") -> str:
    """Spell the label in a cell: trimmed, leading zeros kept, a whole number without decimals, "" for a blank."""
    if value is None:
        return ""
    if isinstance(value, str):
        return composed(value).strip(_SPACES)
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float) and math.isfinite(value) and value == int(value):
        digits = str(int(value))
        zeros = len(number_format) > 1 and not number_format.strip("0")
        return digits.zfill(len(number_format)) if zeros and value >= 0 else digits
    if isinstance(value, datetime) and (value.hour, value.minute, value.second) == (0, 0, 0):
        return value.date().isoformat()
    if isinstance(value, float):
        return f"{value:.15g}"
    return str(value)


def shown(value: Any) -> str:
    """Spell a cell for a message, shortened."""
    if isinstance(value, datetime | date):
        return f"{value.day} {value:%b %Y}"
    text = label_text(value)
    return text if len(text) <= 40 else text[:37] + "..."


def is_percent_format(number_format: str) -> bool:
    """Tell whether a number format shows 0.65 as 65%."""
    return "%" in number_format and "%" in re.sub(r'"[^"]*"|\\.', "", number_format)


def code_key(value: Any) -> str:
    """Spell a code so that capitals, spaces at the ends, full stops and kinds of dash do not matter."""
    text = label_text(value).translate(_DASHES).casefold()
    return text.replace(".", "").strip() or text


def spelt(value: Any) -> str:
    """Spell a text among scores as an answer names it: in one line, a long one by its beginning and a *."""
    text = " ".join(label_text(value).split())
    return text if len(text) <= _LONGEST_SPELT else f"{text[:_LONGEST_SPELT].rstrip()}*"


class Meanings(Generic[T]):
    """What words mean by a table of codes or grades; a long entry that ends in * means every text that begins so."""

    def __init__(self, table: Mapping[str, T]) -> None:
        self._exact = by_key(table)
        self._begins = [(key[:-1], meaning) for key, meaning in self._exact.items() if _is_beginning(key)]
        self.keys = frozenset(self._exact)

    def __bool__(self) -> bool:
        """Tell whether there is any entry."""
        return bool(self._exact)

    def get(self, value: Any) -> T | None:
        """Return what a cell means, None where the table does not say."""
        found = self._exact.get(code_key(value))
        if found is not None or not self._begins or not isinstance(value, str):
            return found
        text = code_key(" ".join(value.split()))
        return next((meaning for beginning, meaning in self._begins if text.startswith(beginning)), None)


def _is_beginning(key: str) -> bool:
    return key.endswith("*") and len(key) > _LONGEST_SPELT // 2


def by_key(table: Mapping[str, T]) -> dict[str, T]:
    """Make a table of codes or grades ready for `code_key`."""
    return {code_key(code): meaning for code, meaning in table.items()}
