"""Turn the cells of a block of scores into numbers: codes, text numbers, percentages, ranges, and what stops."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from panelcal.errors import LARGEST, Answer
from panelcal.reading.answers import deed
from panelcal.reading.cell_values import (
    Kind,
    Spread,
    by_key,
    code_key,
    is_percent_format,
    kind_of,
    label_text,
    shown,
    spread_in,
)
from panelcal.reading.decisions import CODE_EXCLUDED, Decision
from panelcal.reading.grades import proposals_for
from panelcal.reading.grid import CellError, Uncalculated
from panelcal.reading.joined_scores import ask_which_counts, joined_decision, put_together, scores_in_cell
from panelcal.reading.nouns import plural, with_article
from panelcal.reading.problems import listed, where
from panelcal.reading.settings import CodeTreatment, Settings
from panelcal.reading.table import Table
from panelcal.reading.terms import Terms

_NUMBERS = frozenset({int, float})
_MOST_ASKED = 8


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

    numbers: NDArray[np.float64]
    plain: NDArray[np.bool_]
    half_widths: NDArray[np.float64]
    spread_form: str = ""
    excluded: dict[str, list[int]] = field(default_factory=dict)
    decisions: list[Decision] = field(default_factory=list)
    criteria: NDArray[np.float64] | None = None


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

    def asked_about(self, value: Any, kind: Kind) -> list[int] | None:
        """Return the entries that a cell is asked about together with, None for one that is not asked about."""
        if kind is Kind.TEXT:
            return self.words.setdefault(shown(value), [])
        if isinstance(value, CellError):
            return self.errors.setdefault(value.code, [])
        return self.dates.setdefault(label_text(value), []) if kind is Kind.DATE else None


@dataclass(frozen=True, slots=True, eq=False)
class ScoreCells:
    """The cells of a block of scores.

    Attributes
    ----------
    values
        (K,) what they hold; None = not assessed.
    address_of, format_of
        Address and number format of entry k; None for `format_of` when every cell is General.
    """

    values: Sequence[Any]
    address_of: Callable[[int], str]
    format_of: Callable[[int], str] | None = None

    def addresses(self, entries: Iterable[int]) -> tuple[str, ...]:
        """Spell the addresses of some of them."""
        return tuple(self.address_of(int(k)) for k in entries)


def cells_at(table: Table, places: Sequence[tuple[int, int]]) -> ScoreCells:
    """Take the cells at some places of a table."""
    return ScoreCells(
        [table.cells[i][j] for i, j in places],
        lambda k: table.at(*places[k]),
        (lambda k: table.number_format(*places[k])) if table.grid.number_formats else None,
    )


def read_scores(cells: ScoreCells, terms: Terms) -> ScoreValues:
    """Read the cells of a block of scores; every cell that cannot be read is noted as a problem."""
    count = len(cells.values)
    result = ScoreValues(np.full(count, np.nan), np.zeros(count, bool), np.full(count, np.nan))
    found = _Found()
    meanings = _Meanings(terms.settings)
    if not meanings.numeric_codes:
        _take_plain(cells.values, result.numbers, result.plain)
    for k in np.flatnonzero(~result.plain).tolist():
        if cells.values[k] is not None:
            _take(k, cells, meanings, result, found, terms)
    _ask_about_words(found.words, cells, terms)
    if found.several:
        several = {text: cells.addresses(entries) for text, entries in found.several.items()}
        if terms.settings.several_in_cell:
            result.decisions.append(joined_decision(several, terms))
        else:
            ask_which_counts(several, bool(np.isfinite(result.numbers).any()), terms)
    _ask_about_errors(found.errors, cells, terms)
    _ask_about_dates(found.dates, cells, terms)
    _judge_spreads(result, found, cells, terms)
    _judge_percentages(result, found, cells, terms)
    result.decisions += _decisions(result, found, cells, terms)
    return result


class _Meanings:
    """What cells that are no plain numbers mean by the tables of codes and grades, each text looked at once."""

    def __init__(self, settings: Settings) -> None:
        self.treatments = by_key(settings.codes)
        self.grades = by_key(settings.grades)
        self.numeric_codes = any(key.replace("-", "").isdigit() for key in self.treatments)
        self._known: dict[str, tuple[Kind, float, CodeTreatment | None]] = {}

    def of(self, value: Any) -> tuple[Kind, float, CodeTreatment | None]:
        """Kind and number of a cell, and how it is treated where it is a code."""
        known = self._known.get(value) if type(value) is str else None
        if known is not None:
            return known
        kind, number = kind_of(value)
        coded = kind is not Kind.NUMBER or self.numeric_codes
        meaning = kind, number, self.treatments.get(code_key(value)) if coded else None
        if type(value) is str:
            self._known[value] = meaning
        return meaning

    def grade(self, value: Any) -> float | None:
        """Number that a word counts as, None for any other cell."""
        return self.grades.get(code_key(value)) if self.grades and type(value) is str else None


def _take(k: int, cells: ScoreCells, meanings: _Meanings, result: ScoreValues, found: _Found, terms: Terms) -> None:
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
    elif (spread := _spread(value, terms.settings)) is not None:
        result.numbers[k], result.half_widths[k] = spread.middle, spread.half_width
        found.spreads.setdefault(spread.form, []).append(k)
    elif scores := scores_in_cell(value):
        found.several.setdefault(value, []).append(k)
        if terms.settings.several_in_cell:
            result.numbers[k] = put_together(scores, terms.settings.several_in_cell)
    elif (asked := found.asked_about(value, kind)) is not None:
        asked.append(k)
    else:
        sentence, text = _refusal(value, kind, terms.score)
        terms.problems.add(terms.sheet, sentence, cells.address_of(k), text)


def _spread(value: Any, settings: Settings) -> Spread | None:
    """Read a score that is written with its uncertainty, where the settings allow for that form."""
    spread = spread_in(value)
    allowed = spread is not None and spread.middle is not None and settings.confidence_form in ("auto", spread.form)
    return spread if allowed else None


def _take_plain(values: Sequence[Any], numbers: NDArray[np.float64], plain: NDArray[np.bool_]) -> None:
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


def _refusal(value: Any, kind: Kind, noun: str) -> tuple[str, str]:
    """The sentence for a cell that is no score, and what it holds."""
    expected = f"where {with_article(noun)} is expected"
    if isinstance(value, Uncalculated):
        return (
            "{where} [holds a formula whose result was|hold formulas whose results were] never stored in the "
            "file: open "
            "the file in your spreadsheet program, let it calculate, save it and try again."
        ), ""
    if kind is Kind.AMBIGUOUS:
        return (
            "{where} [holds|hold] {values}, which could be a thousand or a decimal: write 1234 for a thousand "
            "and so on, "
            "or 1.234 for a decimal."
        ), shown(value)
    if kind is Kind.TRUTH:
        return f"{{where}} [holds|hold] {{values}} {expected}: type a number, or clear the cell[|s].", shown(value)
    return f"{{where}} [holds a number|hold numbers] too large to be {with_article(noun)}: type [it|them] again.", ""


def _ask_about_errors(errors: Mapping[str, Sequence[int]], cells: ScoreCells, terms: Terms) -> None:
    """Ask whether errors such as #DIV/0! are to be put right or taken as not assessed."""
    if errors:
        held = [cell for entries in errors.values() for cell in cells.addresses(entries)]
        hold, those = ("holds", "cell") if len(held) == 1 else ("hold", "cells")
        sentence = (
            f"{where(terms.sheet, held)} {hold} the error {_quoted_list(errors)} where {with_article(terms.score)} is "
            f"expected: correct the formula there or clear the {those}, or say what it means."
        )
        terms.problems.ask(terms.sheet, sentence, [_not_assessed(errors)], held)


def _ask_about_dates(dates: Mapping[str, Sequence[int]], cells: ScoreCells, terms: Terms) -> None:
    """Ask whether dates are to be typed again or taken as not assessed."""
    if dates:
        held = [cell for entries in dates.values() for cell in cells.addresses(entries)]
        one = len(held) == 1
        said = _quoted_list([shown(cells.values[entries[0]]) for entries in dates.values()])
        sentence = (
            f"{where(terms.sheet, held)} {'holds the date' if one else 'hold dates'} {said} where "
            f"{with_article(terms.score)} is expected; a spreadsheet may have turned something like 11-12 into a date: "
            f"format the {'cell' if one else 'cells'} as a number and type the {plural(terms.score, len(held))} again, "
            "or say what it means."
        )
        terms.problems.ask(terms.sheet, sentence, [_not_assessed(dates)] if len(dates) <= _MOST_ASKED else [], held)


def _not_assessed(texts: Iterable[str]) -> Answer:
    codes = dict.fromkeys(texts, "exclude")
    return Answer({"codes": codes}, f"take {'it' if len(codes) == 1 else 'them'} as not assessed")


def _quoted_list(texts: Iterable[str]) -> str:
    return listed([f'"{text}"' for text in texts])


def _ask_about_words(words: Mapping[str, Sequence[int]], cells: ScoreCells, terms: Terms) -> None:
    """Ask what texts among the scores mean: grades of a known scale as a whole, anything else one by one."""
    sheet, noun, problems, address_of = terms.sheet, terms.score, terms.problems, cells.address_of
    if not words:
        return
    proposals = proposals_for(list(words))
    if proposals:
        held = [address_of(k) for entries in words.values() for k in entries]
        said = listed([f'"{word}"' for word in words])
        sentence = f"{where(sheet, held)} hold words where {plural(noun)} are expected: {said}."
        problems.ask(sheet, sentence, [proposal.answer() for proposal in proposals], held)
        return
    for word, entries in list(words.items())[:_MOST_ASKED]:
        held = [address_of(k) for k in entries]
        verb = "holds" if len(held) == 1 else "hold"
        answers = [
            Answer({"codes": {word: "exclude"}}, "take it as not assessed"),
            Answer({"codes": {word: "zero"}}, f"count it as {with_article(noun)} of 0"),
        ]
        problems.ask(
            sheet,
            f'{where(sheet, held)} {verb} the text "{word}" where {with_article(noun)} is expected.',
            answers,
            held,
        )
    if len(words) > _MOST_ASKED:
        held = [address_of(k) for entries in list(words.values())[_MOST_ASKED:] for k in entries]
        problems.say(
            sheet, f"{where(sheet, held)} hold further texts that are no {plural(noun)}: type numbers there.", held
        )


def _judge_spreads(result: ScoreValues, found: _Found, cells: ScoreCells, terms: Terms) -> None:
    """Accept ranges and plus-minus only where every score is written in the same way."""
    sheet, noun, problems, address_of = terms.sheet, terms.score, terms.problems, cells.address_of
    if not found.spreads:
        return
    form, entries = max(found.spreads.items(), key=lambda item: len(item[1]))
    others = np.isfinite(result.numbers)
    others[entries] = False
    if others.any():
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
            "percentages multiplied by 100",
            tuple(address_of(int(k)) for k in np.flatnonzero(percent)),
            f"Every {noun} is in percent, so 65% counts as 65.",
            sheet=sheet,
        )
    )


def _decisions(result: ScoreValues, found: _Found, cells: ScoreCells, terms: Terms) -> list[Decision]:
    sheet, noun, way = terms.sheet, terms.score, terms.problems.way
    decisions = []
    # Panels of other kinds know no absence for which somebody is to answer.
    to_count = "Many boards count an absence as zero: to do that" if noun == "mark" else "To count it as zero"
    for code, entries in result.excluded.items():
        held = cells.addresses(entries)
        # Where there is a sheet for it, every door names its cell alone, so that their audits agree.
        door = way if way.grid is None else replace(way, kind="open workbook")
        todo = deed(Answer({"codes": {code: "zero"}}, "count it as zero"), door)
        decisions.append(
            Decision(
                CODE_EXCLUDED,
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
        decisions.append(Decision("code counted as zero", held, sentence, "warning", sheet))
    if found.text_numbers:
        held = cells.addresses(found.text_numbers)
        many = f"{len(held)} {plural(noun)} are stored" if len(held) > 1 else f"1 {noun} is stored"
        sentence = f"{many} as text and counted as what the text spells: {listed(held)}. "
        sentence += "Nothing to do where that is right."
        decisions.append(Decision("text read as number", held, sentence, "warning", sheet))
    if found.grades:
        count = {word: float(result.numbers[entries[0]]) for word, entries in found.grades.items()}
        said = listed([f"{word} counts as {number:g}" for word, number in sorted(count.items(), key=itemgetter(1))])
        graded = sorted(k for entries in found.grades.values() for k in entries)
        sentence = f"Grades were read as numbers: {said}."
        decisions.append(Decision("grade read as number", cells.addresses(graded), sentence, sheet=sheet))
    if result.spread_form:
        entries = [k for form in found.spreads.values() for k in form]
        sentence = f"Each {noun} is written with its uncertainty; the middle is the {noun}."
        decisions.append(Decision("scores with uncertainty", cells.addresses(entries), sentence, sheet=sheet))
    return decisions
