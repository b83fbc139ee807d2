"""Turn the cells of a block of scores into numbers: codes, text numbers, percentages, ranges, and what stops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from operator import itemgetter
from typing import Any

import numpy as np

from panelcal.arrays import Array, Mask
from panelcal.errors import LARGEST, Answer
from panelcal.reading.absence_words import is_absence
from panelcal.reading.answers import deed
from panelcal.reading.cell_values import (
    Kind,
    Meanings,
    Spread,
    code_key,
    is_percent_format,
    kind_of,
    label_text,
    may_be_thousands,
    shown,
    spelt,
    spread_in,
)
from panelcal.reading.cells_as_said import ask_about_commas
from panelcal.reading.decisions import About, Decision
from panelcal.reading.grid import CellError, Uncalculated
from panelcal.reading.joined_scores import ask_which_counts, joined_decision, put_together, scores_in_cell
from panelcal.reading.nouns import plural, with_article
from panelcal.reading.problems import listed
from panelcal.reading.score_questions import (
    NOT_CALCULATED,
    ask_about_dates,
    ask_about_errors,
    ask_about_formulas,
    ask_about_truths,
    ask_about_words,
)
from panelcal.reading.settings import DEFAULT_CODES, CodeTreatment, Settings
from panelcal.reading.table import ScoreCells
from panelcal.reading.terms import Terms

_NUMBERS = frozenset({int, float})
_HUNDRED = 100
_FEW = 5
_PAIR = 2
_ABSENT = frozenset(map(code_key, DEFAULT_CODES))


@dataclass(slots=True, eq=False)
class ScoreValues:
    """What the cells of a block of scores mean.

    Attributes
    ----------
    numbers
        (K,) scores, NaN where a cell is not one.
    plain
        (K,) true where the cell holds a plain number used as it stands.
    half_widths
        (K,) half-widths written in the score cells ("65 +/- 5", 60-70), NaN where there are none.
    spread_form
        "plus-minus" or "range" when the scores are written so, else "".
    excluded
        Codes taken as not assessed, with the entries that hold them.
    decisions
        What was decided on the way (codes, text read as numbers, percentages).
    criteria
        (Q, K) the scores in each criterion that `numbers` are the weighted sums of; None where a score is one cell.
    """

    numbers: Array
    plain: Mask
    half_widths: Array
    spread_form: str = ""
    excluded: dict[str, list[int]] = field(default_factory=dict)
    decisions: list[Decision] = field(default_factory=list)
    criteria: Array | None = None


@dataclass(slots=True)
class _Found:
    """Entries of the kinds that need a second look once the whole block is known."""

    text_numbers: list[int] = field(default_factory=list)
    percents: list[int] = field(default_factory=list)
    spreads: dict[str, list[int]] = field(default_factory=dict)
    zeros: dict[str, list[int]] = field(default_factory=dict)
    grades: dict[str, list[int]] = field(default_factory=dict)
    words: dict[str, list[int]] = field(default_factory=dict)
    several: dict[str, list[int]] = field(default_factory=dict)
    errors: dict[str, list[int]] = field(default_factory=dict)
    dates: dict[str, list[int]] = field(default_factory=dict)
    truths: dict[str, list[int]] = field(default_factory=dict)
    formulas: list[int] = field(default_factory=list)
    commas: list[int] = field(default_factory=list)
    points: list[int] = field(default_factory=list)

    def asked_about(self, value: Any, kind: Kind) -> list[int] | None:
        """Return the entries that a cell is asked about together with, None for one that is not asked about."""
        if kind is Kind.TEXT:
            return self.words.setdefault(spelt(value), [])
        if isinstance(value, CellError):
            return self.errors.setdefault(value.code, [])
        if isinstance(value, Uncalculated):
            return self.formulas
        if kind is Kind.AMBIGUOUS:
            return self.commas
        if kind is Kind.TRUTH:
            return self.truths.setdefault(label_text(value), [])
        return self.dates.setdefault(label_text(value), []) if kind is Kind.DATE else None


def read_scores(cells: ScoreCells, terms: Terms) -> ScoreValues:
    """Read the cells of a block of scores; every cell that cannot be read is noted as a problem."""
    count = len(cells.values)
    result = ScoreValues(np.full(count, np.nan), np.zeros(count, bool), np.full(count, np.nan))
    found = _Found()
    meanings = _Tables(terms.settings)
    if not meanings.numeric_codes:
        _take_plain(cells.values, result.numbers, result.plain)
    for k in np.flatnonzero(~result.plain).tolist():
        if cells.values[k] is not None:
            _take(k, cells, meanings, result, found, terms)
    _take_absences(result, found, terms)
    ask_about_words(found.words, cells, terms)
    if found.several:
        several = {text: cells.addresses(entries) for text, entries in found.several.items()}
        if all(np.isfinite(result.numbers[k]) for entries in found.several.values() for k in entries):
            result.decisions.append(joined_decision(several, terms))
        else:
            ask_which_counts(several, bool(np.isfinite(result.numbers).any()), terms)
    ask_about_errors(found.errors, cells, terms)
    ask_about_dates(found.dates, cells, terms)
    ask_about_truths(found.truths, cells, terms)
    ask_about_formulas(found.formulas, cells, terms)
    if not terms.settings.lone_comma:
        _doubt_points(result, found, cells)
    ask_about_commas([shown(cells.values[k]) for k in found.commas], cells.addresses(found.commas), terms)
    _judge_spreads(result, found, cells, terms)
    _judge_percentages(result, found, cells, terms)
    result.decisions += _decisions(result, found, cells, terms)
    return result


class _Tables:
    """What cells that are no plain numbers mean by the tables of codes and grades, each text looked at once."""

    def __init__(self, settings: Settings) -> None:
        self.treatments = Meanings(settings.codes)
        self.grades = Meanings(settings.grades)
        self.numeric_codes = any(key.replace("-", "").isdigit() for key in self.treatments.keys)
        self._known: dict[str, tuple[Kind, float, CodeTreatment | None]] = {}

    def of(self, value: Any) -> tuple[Kind, float, CodeTreatment | None]:
        """Kind and number of a cell, and how it is treated where it is a code."""
        known = self._known.get(value) if type(value) is str else None
        if known is not None:
            return known
        kind, number = kind_of(value)
        coded = kind is not Kind.NUMBER or self.numeric_codes
        key = NOT_CALCULATED if isinstance(value, Uncalculated) else value
        meaning = kind, number, self.treatments.get(key) if coded else None
        if type(value) is str:
            self._known[value] = meaning
        return meaning

    def grade(self, value: Any) -> float | None:
        """Number that a word counts as, None for any other cell."""
        gradable = bool(self.grades) and (type(value) in (str, bool) or isinstance(value, date))
        return self.grades.get(value) if gradable else None


def _take(k: int, cells: ScoreCells, meanings: _Tables, result: ScoreValues, found: _Found, terms: Terms) -> None:
    """Take entry k, which is no plain number."""
    value = cells.values[k]
    kind, number, treatment = meanings.of(value)
    grade = meanings.grade(value)
    if grade is not None:
        result.numbers[k] = grade
        found.grades.setdefault(shown(value), []).append(k)
    elif treatment == "exclude":
        result.excluded.setdefault(shown(value), []).append(k)
    elif treatment == "zero":
        result.numbers[k] = 0.0
        found.zeros.setdefault(shown(value), []).append(k)
    elif treatment:
        terms.problems.add(terms.sheet, _STOPPING_CODE, cells.address_of(k), shown(value))
    elif kind is Kind.NUMBER:
        result.numbers[k], result.plain[k] = number, True
    elif kind in (Kind.TEXT_NUMBER, Kind.PERCENT_TEXT):
        result.numbers[k] = number
        (found.percents if kind is Kind.PERCENT_TEXT else found.text_numbers).append(k)
        if may_be_thousands(value):
            found.points.append(k)
    elif (spread := _spread(value, terms.settings)) is not None:
        result.numbers[k], result.half_widths[k] = spread.middle, spread.half_width
        found.spreads.setdefault(spread.form, []).append(k)
    elif scores := scores_in_cell(value):
        found.several.setdefault(value, []).append(k)
        how = terms.settings.several_in_cell
        if how not in ("", "by name") and (how != "percentage" or (len(scores) == _PAIR and scores[1] > 0)):
            result.numbers[k] = put_together(scores, how)
    elif (asked := found.asked_about(value, kind)) is not None:
        asked.append(k)
    else:
        sentence, text = _refusal(terms.score)
        terms.problems.add(terms.sheet, sentence, cells.address_of(k), text)


def _take_absences(result: ScoreValues, found: _Found, terms: Terms) -> None:
    """Take words that say that nothing was given as not assessed, where most cells hold numbers."""
    given = int(np.isfinite(result.numbers).sum())
    for word in [word for word in found.words if is_absence(word, terms.nouns)]:
        if given > len(found.words[word]):
            result.excluded[word] = found.words.pop(word)


def _spread(value: Any, settings: Settings) -> Spread | None:
    """Read a score that is written with its uncertainty, where the settings allow for that form."""
    spread = spread_in(value)
    allowed = spread is not None and spread.middle is not None and settings.confidence_form in ("auto", spread.form)
    return spread if allowed else None


def _doubt_points(result: ScoreValues, found: _Found, cells: ScoreCells) -> None:
    """Doubt the points of 1.234 and so on where all scores are so, or others whole hundreds, and no other has one."""
    with_point = [k for k in found.text_numbers if "." in cells.values[k]]
    hundreds = result.plain & (np.abs(result.numbers) >= _HUNDRED) & (result.numbers == np.round(result.numbers))
    only = len(found.points) >= _FEW and len(found.points) == np.isfinite(result.numbers).sum()
    if found.points and len(with_point) == len(found.points) and (hundreds.any() or only):
        found.commas += found.points
        result.numbers[found.points] = np.nan


def _take_plain(values: Sequence[Any], numbers: Array, plain: Mask) -> None:
    """Take the cells that hold plain numbers, all at once."""
    usable = np.fromiter(map(_NUMBERS.__contains__, map(type, values)), np.bool_, len(values))
    at = np.flatnonzero(usable)
    chosen = values if len(at) == len(values) else [values[k] for k in at.tolist()]
    try:
        given = np.array(chosen, dtype=np.float64)
    except OverflowError:  # a whole number of more than 308 digits
        given = np.array([value if -LARGEST < value < LARGEST else np.inf for value in chosen], dtype=np.float64)
    within = np.abs(given) < LARGEST
    numbers[at[within]] = given[within]
    plain[at[within]] = True


_STOPPING_CODE = (
    "{where} [holds|hold] the code {values}, which stops the run by the table of codes: "
    "replace it, "
    "or change its treatment to exclude or zero."
)


def _refusal(noun: str) -> tuple[str, str]:
    """The sentence for a cell that is no score, and what it holds."""
    return f"{{where}} [holds a number|hold numbers] too large to be {with_article(noun)}: type [it|them] again.", ""


def _judge_spreads(result: ScoreValues, found: _Found, cells: ScoreCells, terms: Terms) -> None:
    """Accept ranges and plus-minus only where every score is written in the same way."""
    sheet, noun, problems, address_of = terms.sheet, terms.score, terms.problems, cells.address_of
    if not found.spreads:
        return
    form, entries = max(found.spreads.items(), key=lambda item: len(item[1]))
    others = np.isfinite(result.numbers)
    others[entries] = False
    if others.any():
        ranges = {cells.values[k]: spread_in(cells.values[k]) for found_so in found.spreads.values() for k in found_so}
        middles = {text: spread.middle for text, spread in ranges.items() if spread is not None}
        sentence = f"So some {plural(noun)} are written with their uncertainty and others without."
        problems.ask(sheet, sentence, [Answer({"grades": middles}, "count each range as its middle")])
        few = entries if len(entries) <= others.sum() else np.flatnonzero(others)
        for k in few:
            problems.add(
                sheet,
                f"{{where}} [is|are] written in another way than the other {plural(noun)}: write every {noun} as a "
                "plain "
                f"number, or "
                "every one as a range such as 60-70, or every one as 65 +/- 5.",
                address_of(int(k)),
            )
        return
    for k in entries:
        if not result.half_widths[k] > 0:
            problems.add(
                sheet,
                f"{{where}} [holds a range|hold ranges] without width: write the lower end of the {noun} "
                "first and a higher one after it.",
                address_of(k),
            )
    result.spread_form = form


def _judge_percentages(result: ScoreValues, found: _Found, cells: ScoreCells, terms: Terms) -> None:
    """Multiply by 100 where the whole block is in percent; stop at a mixture."""
    sheet, noun, problems, address_of = terms.sheet, terms.score, terms.problems, cells.address_of
    format_of = cells.format_of
    percent = np.zeros(len(result.numbers), bool)
    percent[found.percents] = True
    if format_of is not None:
        percent[[k for k in np.flatnonzero(result.plain) if is_percent_format(format_of(int(k)))]] = True
    if not percent.any():
        return
    zeros = [k for entries in found.zeros.values() for k in entries]
    numbers = np.isfinite(result.numbers)
    numbers[zeros] = False
    others = numbers & ~percent
    if others.any():
        if percent.sum() == len(found.percents):
            texts = {str(cells.values[k]): round(100 * float(result.numbers[k]), 10) for k in found.percents}
            answer = Answer({"grades": texts}, "count 65% as 65 beside the others")
            problems.ask(sheet, f"So some {plural(noun)} are written in percent and others are not.", [answer])
        few, style = (percent, "in percent") if percent.sum() <= others.sum() else (others, "not in percent")
        for k in np.flatnonzero(few):
            problems.add(
                sheet,
                f"{{where}} [is|are] {style} while the other {plural(noun)} are not written so: bring all of them to "
                "one form "
                "(65 or 65%).",
                address_of(int(k)),
            )
        return
    result.numbers[percent] = np.round(result.numbers[percent] * 100, 10)
    result.plain[percent] = False
    result.decisions.append(
        Decision(
            About.PERCENTAGES_MULTIPLIED_BY_100,
            tuple(address_of(int(k)) for k in np.flatnonzero(percent)),
            f"Every {noun} is in percent, so 65% counts as 65.",
            sheet=sheet,
        )
    )


def _decisions(result: ScoreValues, found: _Found, cells: ScoreCells, terms: Terms) -> list[Decision]:
    sheet, noun, way = terms.sheet, terms.score, terms.problems.way
    decisions = []
    for code, entries in result.excluded.items():
        held = cells.addresses(entries)
        # Where there is a sheet for it, every door names its cell alone, so that their audits agree.
        door = way if way.grid is None else replace(way, kind="open workbook")
        todo = deed(Answer({"codes": {code: "zero"}}, "count it as zero"), door)
        # Other panels know no absence for which somebody is to answer, and a code of one's own may be a conflict.
        absent = noun == "mark" and code_key(code) in _ABSENT
        to_count = "Many boards count an absence as zero: to do that" if absent else "To count it as zero"
        decisions.append(
            Decision(
                About.CODE_EXCLUDED,
                held,
                f'"{code}" in {listed(held)} was taken as not assessed. {to_count}, {todo}.',
                "warning",
                sheet,
                len(entries),
                code,
            )
        )
    for code, entries in found.zeros.items():
        held = cells.addresses(entries)
        sentence = f'"{code}" in {listed(held)} counts as {with_article(noun)} of 0, as the settings say.'
        decisions.append(Decision(About.CODE_COUNTED_AS_ZERO, held, sentence, "warning", sheet))
    if found.text_numbers:
        held = cells.addresses(found.text_numbers)
        many = f"{len(held)} {plural(noun)} are stored" if len(held) > 1 else f"1 {noun} is stored"
        sentence = f"{many} as text and counted as what the text spells: {listed(held)}. "
        sentence += "Nothing to do where that is right."
        decisions.append(Decision(About.TEXT_READ_AS_NUMBER, held, sentence, "warning", sheet))
    if found.grades:
        count = {word: float(result.numbers[entries[0]]) for word, entries in found.grades.items()}
        said = listed([f"{word} counts as {number:g}" for word, number in sorted(count.items(), key=itemgetter(1))])
        graded = sorted(k for entries in found.grades.values() for k in entries)
        sentence = f"Grades were read as numbers: {said}."
        words = ", ".join(sorted(count))
        decisions.append(
            Decision(About.GRADE_READ_AS_NUMBER, cells.addresses(graded), sentence, sheet=sheet, found=words)
        )
    if result.spread_form:
        entries = [k for form in found.spreads.values() for k in form]
        sentence = f"Each {noun} is written with its uncertainty; the middle is the {noun}."
        decisions.append(Decision(About.SCORES_WITH_UNCERTAINTY, cells.addresses(entries), sentence, sheet=sheet))
    return decisions
