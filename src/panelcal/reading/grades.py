"""Scores that are words: well-known scales and leading numbers, proposed as a filled table, never assumed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from panelcal.errors import Answer
from panelcal.frozen import dataclass
from panelcal.reading.cell_values import Kind, code_key, kind_of, label_text, spread_in
from panelcal.reading.grade_words import SCALES
from panelcal.reading.problems import listed
from panelcal.reading.settings import Settings
from panelcal.reading.table import Table

_LETTERS = ("A+", "A", "A-", "B+", "B", "B-", "C+", "C", "C-", "D+", "D", "D-", "F")
_POINTS = (4.3, 4.0, 3.7, 3.3, 3.0, 2.7, 2.3, 2.0, 1.7, 1.3, 1.0, 0.7, 0.0)
_STEPS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "letters from A* to U": (("A*",), ("A",), ("B",), ("C",), ("D",), ("E",), ("F",), ("G",), ("U",)),
    "classes of degree": (
        ("First", "1st", "First class", "I"),
        ("2:1", "2i", "II.1", "Upper second", "Upper second class"),
        ("2:2", "2ii", "II.2", "Lower second", "Lower second class"),
        ("Third", "3rd", "Third class", "III"),
        ("Fail", "Failed"),
    ),
    "agreement": (
        ("Strongly agree", "Completely agree"),
        ("Agree", "Somewhat agree"),
        ("Neutral", "Neither agree nor disagree", "Undecided"),
        ("Disagree", "Somewhat disagree"),
        ("Strongly disagree", "Completely disagree"),
    ),
    "hiring, from definitely not to strong yes": (
        ("Strong yes", "Strong hire"),
        ("Yes", "Hire"),
        ("No", "No hire"),
        ("Definitely not", "Strong no", "Strong no hire"),
    ),
    "quality": (
        ("Excellent", "Outstanding"),
        ("Very good",),
        ("Good",),
        ("Fair", "Average", "Satisfactory"),
        ("Poor",),
    ),
    "recommendation": (
        ("Strong accept",),
        ("Accept",),
        ("Weak accept",),
        ("Borderline",),
        ("Weak reject",),
        ("Reject",),
        ("Strong reject",),
    ),
}
_FROM_ZERO = frozenset({"classes of degree", "letters from A* to U", "stars, with U for none"})
_SCALES_OF_WORDS: Mapping[str, tuple[tuple[str, ...], ...]] = {**_STEPS, **SCALES}
_LEADING = re.compile(r"\s*([+-]?\d{1,3}(?:\.\d+)?)\s*(\*+|[:.)=–—-]\s*\D.*|\(\D.*\)|\s[^\d\s].*)\s*")
_MOST_WORDS = 25
_SIGNS = re.compile(r"([★⭐*●])\ufe0f?(?:\1|\ufe0f)*[☆○]*|[☆○]+")
_COUNTED = "★⭐*●"
_PLAIN = str.maketrans({",": ".", "−": "-", "–": "-"})
_WITHIN = re.compile(r"[^\d]{0,24}?((?:(?<!\w)[+−–-])?\d{1,3}(?:[.,]\d+)?)[^\d]{0,24}")
_MISTYPED = re.compile(r"(?=.*\d)(?=.*[OoIl])[\dOoIl]+(?:[.,][\dOoIl]+)?")
_AS_DIGITS = str.maketrans("OoIl,", "0011.")
_BEFORE_BRACKET = re.compile(r"\s*([+-]?\d{1,3}(?:[.,]\d+)?)\s*[(\[][^()\[\]]*[)\]]\s*")
_WITH_SIGN = re.compile(r"(\d{1,3})\s?([+-]?)")
_LEAST_CELLS, _LEAST_OF_SCALE = 3, 2


@dataclass(frozen=True, slots=True)
class Proposal:
    """A table of grades for the words found: what it is, and each word with its number."""

    name: str
    grades: Mapping[str, float]

    def answer(self) -> Answer:
        """Return the answer that confirms it."""
        it = "it" if len(self.grades) == 1 else "them"
        return Answer({"grades": dict(self.grades)}, f"count {it} as {self.name}")

    def answer_for(self, words: Iterable[str], others: str = "exclude") -> Answer:
        """Return the answer that confirms it for some of the words; the others are not assessed, or "zero"."""
        rest = [word for word in words if word not in self.grades]
        if not rest:
            return self.answer()
        said = "the other" if len(rest) == 1 else "the others"
        taken = "not assessed" if others == "exclude" else "0"
        counted = f"count {listed(list(self.grades))} as {self.name} and take {said} ({listed(rest)}) as {taken}"
        return Answer({"grades": dict(self.grades), "codes": dict.fromkeys(rest, others)}, counted)


def proposals_for(words: Sequence[str]) -> list[Proposal]:
    """Propose tables that have every one of some words; none where no known scale has them all.

    Parameters
    ----------
    words
        What stands in the cells, each once.
    """
    if not 2 <= len(words) <= _MOST_WORDS:
        return []
    led = {word: found for word in words if (found := _LEADING.fullmatch(word))}
    if len(led) == len(words):
        numbers = {word: float(found[1]) for word, found in led.items()}
        return [Proposal("the numbers in front", _ordered(numbers))] if len(set(numbers.values())) == len(words) else []
    if all(map(_SIGNS.fullmatch, words)):
        counts = {word: float(sum(word.count(sign) for sign in _COUNTED)) for word in words}
        return [Proposal("as many as there are signs", _ordered(counts))]
    known: list[Proposal] = []
    points = _matched(words, {letter: point for letter, point in zip(_LETTERS, _POINTS, strict=True)})
    if points:
        known.append(Proposal("grade points", _ordered(points)))
        known.append(Proposal("even steps", _evenly(points, "D-" in points)))
    for name, steps in _closest_first(words):
        levels = {code_key(word): level for level, alike in enumerate(reversed(steps)) for word in alike}
        scale = _matched(words, levels)
        if scale and not (points and name.startswith("letters")):
            lowest = 0 if name in _FROM_ZERO else 1
            known.append(Proposal(f"{name}, one step apart", _ordered({w: n + lowest for w, n in scale.items()})))
            used = sorted(set(scale.values()))
            if used[-1] - used[0] >= len(used):  # levels between those used are not there
                even = {word: used.index(number) + 1.0 for word, number in scale.items()}
                known.append(Proposal(f"{name}, one step between those that are there", _ordered(even)))
    return known


def _closest_first(words: Sequence[str]) -> list[tuple[str, tuple[tuple[str, ...], ...]]]:
    """Put the scales in order: those with the fewest levels that none of the words stands for come first."""
    keys = set(map(code_key, words))
    used = {
        name: [bool(keys & set(map(code_key, alike))) for alike in steps] for name, steps in _SCALES_OF_WORDS.items()
    }
    return sorted(_SCALES_OF_WORDS.items(), key=lambda scale: used[scale[0]].count(False))


def numbers_within(words: Sequence[str]) -> list[Proposal]:
    """Propose the one number that each of some texts holds, as "7!" and "ca. 5" do; none where one holds none.

    Parameters
    ----------
    words
        What stands in the cells, each once.
    """
    numbers = {word: number for word in words if (number := _number_within(word)) is not None}
    if not words or len(numbers) < len(words):
        return []
    one, several = "the number in it", "the numbers in them"
    if all(_BEFORE_BRACKET.fullmatch(word) for word in words):
        several = "the numbers before the brackets"
    letters = ", reading O as 0 and I or l as 1" if any(map(_MISTYPED.fullmatch, words)) else ""
    proposals = [Proposal((one if len(words) == 1 else several) + letters, _ordered(numbers))]
    signed = {word: match for word in words if (match := _WITH_SIGN.fullmatch(word))}
    if len(signed) == len(words):
        halves = {word: float(match[1]) + {"+": 0.5, "-": -0.5, "": 0.0}[match[2]] for word, match in signed.items()}
        proposals.insert(0, Proposal("the numbers, half a point more with + and less with -", _ordered(halves)))
    return proposals


def _number_within(word: str) -> float | None:
    """Return the one number in a text; of 7O, where a letter was typed for a digit, 70 and not 7."""
    if _MISTYPED.fullmatch(word):
        return float(word.translate(_AS_DIGITS))
    match = _WITHIN.fullmatch(word) or _BEFORE_BRACKET.fullmatch(word)
    return float(match[1].translate(_PLAIN)) if match else None


def partial_proposals(counts: Mapping[str, int]) -> list[Proposal]:
    """Propose tables for some of the words: those with a number in them, or most of a known scale.

    Parameters
    ----------
    counts
        Word -> how many cells hold it.
    """
    found = [word for word in counts if _WITHIN.fullmatch(word) or _MISTYPED.fullmatch(word)]
    if found:
        return numbers_within(found)
    scales = [(name, {code_key(word) for alike in steps for word in alike}) for name, steps in _SCALES_OF_WORDS.items()]
    scales.append(("grade points", set(map(code_key, _LETTERS))))
    known: list[Proposal] = []
    for _, keys in scales:
        words = [word for word in counts if code_key(word) in keys]
        if len(words) >= _LEAST_OF_SCALE and sum(counts[word] for word in words) >= sum(counts.values()) / 2:
            known += [one for one in proposals_for(words) if one not in known]
    return known


def _matched(words: Iterable[str], numbers: Mapping[str, float]) -> dict[str, float]:
    keys = {code_key(word): number for word, number in numbers.items()}
    found = {word: float(keys[code_key(word)]) for word in words if code_key(word) in keys}
    return found if len(found) == len(list(words)) else {}


def _evenly(points: Mapping[str, float], with_d_minus: bool) -> dict[str, float]:
    """Number the letters from the lowest grade there is, 0, upwards in steps of 1."""
    order = [letter for letter in reversed(_LETTERS) if with_d_minus or letter != "D-"]
    return _ordered({word: float([code_key(one) for one in order].index(code_key(word))) for word in points})


def _ordered(grades: Mapping[str, float]) -> dict[str, float]:
    return dict(sorted(grades.items(), key=lambda pair: -pair[1]))


def words_that_count(table: Table, settings: Settings) -> frozenset[str]:
    """Find the words of a sheet that stand where scores would be, for a first look at how it is laid out.

    Returns
    -------
    words
        Keys of `code_key`; empty where no column holds words of a known scale, or none of them comes twice.
    """
    codes = frozenset(code_key(code) for code in settings.codes)
    columns = []
    for j in range(1, table.n_columns):
        texts = [label_text(row[j]) for row in table.cells if isinstance(row[j], str)]
        columns.append([text for text in texts[1:] if code_key(text) not in codes and is_word(text)])
    scales = [body for body in columns if body and proposals_for(sorted(set(body)))]
    columns = scales or columns  # words of a known scale are the scores, whatever other labels hold numbers
    found: set[str] = set()
    count = 0
    # A column with one word alone tells nothing by itself, so those with several come first.
    for body in sorted(columns, key=lambda body: -len(set(body))):
        words = [*found, *(set(body) - found)]
        if body and (proposals_for(words) or numbers_within(words)):
            found |= set(body)
            count += len(body)
    return frozenset(map(code_key, found)) if count >= _LEAST_CELLS and len(found) < count else frozenset()


def is_word(value: Any) -> bool:
    """Tell whether a cell holds a text that is neither a number nor a range."""
    return isinstance(value, str) and kind_of(value)[0] is Kind.TEXT and spread_in(value) is None
