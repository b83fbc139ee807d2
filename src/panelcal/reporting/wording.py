"""How numbers and lists are put into words: rounded as cells are, no minus zero, parts that add up as printed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from panelcal.arrays import Array, Indices
from panelcal.errors import first_few
from panelcal.panel import by_number
from panelcal.reading.nouns import Nouns, in_sentence, plural_of, with_article

_DIGITS_OF_A_CELL = 15
_NEAR_HALF = 1e-4
_FINEST = 9
_CLOSE = 0.1
_MOST_IN_TENTHS = 1e12  # larger numbers do not keep all their tenths


def number(value: float, decimals: int = 1) -> str:
    """Spell a number with so many decimals as a cell shows it, without a minus sign on zero.

    A spreadsheet rounds the first 15 digits, and a half away from zero: 69.25 is 69.3, and 0.15, which is stored as a
    little less, is 0.2.
    """
    if _near_half(abs(value) * 10**decimals):
        text = _rounded_up(value, decimals)
    else:
        text = f"{value:.{decimals}f}"
    return text[1:] if text.startswith("-") and float(text) == 0 else text


@lru_cache(maxsize=4096)
def _rounded_up(value: float, decimals: int) -> str:
    """Spell a number about half way between two: means of a few whole numbers are met again and again."""
    last = Decimal(1).scaleb(-decimals)
    return f"{Decimal(f'{value:.{_DIGITS_OF_A_CELL}g}').quantize(last, ROUND_HALF_UP):f}"


def in_last_digits(value: float, decimals: int = 1) -> int:
    """Return a value as `number` spells it, in units of its last decimal: 69.25 -> 693."""
    scaled = value * 10**decimals
    if _near_half(abs(scaled)):
        return round(float(number(value, decimals)) * 10**decimals)
    return round(scaled)


def _near_half(scaled: float) -> bool:
    return abs(scaled % 1.0 - 0.5) < _NEAR_HALF


def all_numbers(values: Array) -> list[str]:
    """Spell many finite numbers (K,) as `number` does with one decimal, in a fraction of the time."""
    if np.abs(values).max(initial=0.0) < _MOST_IN_TENTHS:
        return all_in_tenths(all_in_last_digits(values))
    scaled = np.abs(values) * 10
    by_themselves = (np.abs(scaled % 1.0 - 0.5) < _NEAR_HALF) | (scaled < 1.0)  # minus zero is among the latter
    texts = [f"{value:.1f}" for value in values.tolist()]
    for k in np.flatnonzero(by_themselves).tolist():
        texts[k] = number(float(values[k]))
    return texts


def all_in_tenths(units: NDArray[np.int64]) -> list[str]:
    """Spell many numbers (K,) given in tenths; the same few are met again and again."""
    given: list[int] = units.tolist()
    spelt = {unit: f"{unit / 10:.1f}" for unit in set(given)}
    return [spelt[unit] for unit in given]


def all_in_last_digits(values: Array) -> NDArray[np.int64]:
    """Return many finite numbers (K,) in tenths, as `in_last_digits` does with one decimal."""
    scaled = values * 10
    units = np.round(scaled).astype(np.int64)
    for k in np.flatnonzero(np.abs(np.abs(scaled) % 1.0 - 0.5) < _NEAR_HALF).tolist():
        units[k] = in_last_digits(float(values[k]))
    return units


def short_of(value: float, boundary: float) -> str:
    """Spell how far a value is from a boundary: "1.2 short of", "69.96, 0.04 short of".

    Where it is less than 0.1 away, the value is given too, with decimals enough to tell the two apart.
    """
    if abs(value - boundary) >= _CLOSE:
        return f"{number(abs(value - boundary))} short of"
    decimals = 2
    while decimals < _FINEST and number(value, decimals) == number(boundary, decimals):
        decimals += 1
    return f"{number(value, decimals)}, {number(abs(value - boundary), decimals)} short of"


def percent(share: float) -> str:
    """Spell a probability in whole per cent, and neither none nor all of it where it is neither."""
    if 0 < share < 0.005:
        return "under 1%"
    if 0.995 <= share < 1:
        return "over 99%"
    return f"{number(100 * share, 0)}%"


def signed(value: float, decimals: int = 1) -> str:
    """Spell a difference with its sign; none on what is printed as zero."""
    text = number(value, decimals)
    return text if text.startswith("-") or float(text) == 0 else f"+{text}"


def at_most(bound: float) -> str:
    """Spell a small bound with one digit, rounded up so that what is printed holds: 1.4e-13 as 2e-13."""
    if not 0 < bound < math.inf:
        return f"{bound:g}"
    step = 10.0 ** math.floor(math.log10(bound))
    text = f"{bound:.0e}"
    return text if float(text) >= bound else f"{float(text) + step:.0e}"


def compact(value: float) -> str:
    """Spell a number as short as it can be: 15, 7.5, 0.25."""
    return f"{value:g}"


def chance(probability: float) -> str:
    """Spell a p-value."""
    return "p below 0.001" if probability < 0.001 else f"p = {probability:.3f}"


def counted(count: int, singular: str, plural: str = "") -> str:
    """Spell a count with its noun: "1 module", "3 modules"."""
    return f"{count:,} {singular if count == 1 else plural or plural_of(singular)}"


def named(noun: str, label: str) -> str:
    """Put the noun before the name, "Judge Reed", but where the name begins with it, "Judge 3"."""
    return label if label.casefold().startswith(noun.casefold()) else f"{noun} {label}"


def headed(heading: str, what: str) -> tuple[str, str]:
    """Return the title of a summary, and what then opens the line below it: the heading first where one was given."""
    return (heading, f"{what}. ") if heading else (what, "")


def some_of(labels: Sequence[str], most: int = 8) -> str:
    """List the first labels and say how many more there are."""
    return first_few(labels, most)


def rounded_parts(parts: Sequence[float], total: int, decimals: int) -> list[int]:
    """Round parts to units of the last decimal so that they add up to `total` of those units exactly.

    Each part is rounded down or up (largest remainders up), so none is off by as much as one unit; only where `total`
    itself was rounded away from the parts' sum by more does a part give way further.
    """
    exact = [float(part) * 10**decimals for part in parts]
    units = [math.floor(part) for part in exact]
    missing = total - sum(units)
    order = sorted(range(len(units)), key=lambda k: units[k] - exact[k])
    while missing and units:
        step = 1 if missing > 0 else -1
        for k in order if step > 0 else order[::-1]:
            if not missing:
                break
            units[k] += step
            missing -= step
    return units


def all_rounded_parts(parts: Array, owners: Indices, totals: NDArray[np.int64]) -> NDArray[np.int64]:
    """Round parts to tenths as `rounded_parts` does, those of many totals at once.

    Parameters
    ----------
    parts, owners
        (K,) and which total each belongs to, in ascending order.
    totals
        (M,) in tenths; those without parts are passed over.
    """
    exact = parts * 10
    below = np.floor(exact)
    units = below.astype(np.int64)
    count = np.bincount(owners, minlength=len(totals))
    starts = np.cumsum(count) - count
    missing = totals - np.bincount(owners, units, len(totals)).astype(np.int64)
    place = np.empty(len(parts), dtype=np.intp)  # by what is missing, within those of the same total
    by_missing = np.argsort(below - exact, kind="stable")
    place[by_missing[by_number(owners[by_missing], len(totals))]] = np.arange(len(parts)) - starts[owners]
    units += place < missing[owners]
    for m in np.flatnonzero((count > 0) & ((missing < 0) | (missing > count))).tolist():
        own = slice(starts[m], starts[m] + count[m])
        units[own] = rounded_parts(parts[own].tolist(), int(totals[m]), 1)
    return units


_FIRMNESS = (
    (0.3, "Firm", "every part of the panel is well compared with every other", ""),
    (0.1, "Fair", "some parts are compared through few links", "look at the weakest links {where}"),
    (0.02, "Thin", "some part hangs on few links, and its level could shift as a whole", "see the weakest links"),
    (
        0.0,
        "Very thin",
        "some part of the panel hardly compares with the rest",
        "differences across that link are unsure",
    ),
)


def mu2_meaning(mu2: float, *, links_listed: bool = True, where: str = "below") -> tuple[str, str]:
    """Say what the robustness number mu_2 means: a word for it, and why, with where the weakest links are listed."""
    strength, words, advice = next((said for least, *said in _FIRMNESS if mu2 >= least), _FIRMNESS[-1][1:])
    return strength, f"{words}; {advice.format(where=where)}." if advice and links_listed else f"{words}."


def mu2_in_words(mu2: float, *, links_listed: bool = True, where: str = "below") -> str:
    """Say the same as one sentence."""
    return ": ".join(mu2_meaning(mu2, links_listed=links_listed, where=where))


def words_of(nouns: Nouns, **more: str) -> dict[str, str]:
    """Return the nouns of a run by the names that texts with braces use: "{objects}", "{Object}", "{an_object}"."""
    words: dict[str, str] = {}
    for name, noun in (("object", nouns.object), ("assessor", nouns.assessor), ("score", nouns.score)):
        word = in_sentence(noun)
        words |= {name: word, f"{name}s": plural_of(word), name.capitalize(): noun}
        words[f"an_{name}"] = with_article(noun)
    return words | more


class InWords:
    """Words for what a run is about, within a sentence; for results, whose reading has the nouns."""

    __slots__ = ()
    reading: Any

    @property
    def object_noun(self) -> str:
        """One object, such as student."""
        return in_sentence(self.reading.nouns.object)

    @property
    def objects_noun(self) -> str:
        """Several objects."""
        return plural_of(self.object_noun)

    @property
    def assessor_noun(self) -> str:
        """One assessor, such as module."""
        return in_sentence(self.reading.nouns.assessor)

    @property
    def assessors_noun(self) -> str:
        """Several assessors."""
        return plural_of(self.assessor_noun)

    @property
    def score_noun(self) -> str:
        """One score, such as mark."""
        return in_sentence(self.reading.nouns.score)

    @property
    def scores_noun(self) -> str:
        """Several scores."""
        return plural_of(self.score_noun)
