"""What is asked about cells that hold no number where a score is expected: errors, dates, words, formulas."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Sized

from panelcal.errors import Answer
from panelcal.reading.cell_values import shown
from panelcal.reading.dates_as_scores import dates_in, decimals_of
from panelcal.reading.grades import numbers_within, partial_proposals, proposals_for
from panelcal.reading.nouns import plural, with_article
from panelcal.reading.problems import listed, where
from panelcal.reading.table import ScoreCells
from panelcal.reading.terms import Terms

_MOST_ASKED = 8
NOT_CALCULATED = "not calculated"
"""Code for a formula without a stored result."""


def ask_about_errors(errors: Mapping[str, Sequence[int]], cells: ScoreCells, terms: Terms) -> None:
    """Ask whether errors such as #DIV/0! are to be put right or taken as not assessed."""
    if errors:
        held = [cell for entries in errors.values() for cell in cells.addresses(entries)]
        hold, those = ("holds", "cell") if len(held) == 1 else ("hold", "cells")
        sentence = (
            f"{where(terms.sheet, held)} {hold} the error {_quoted_list(errors)} where {with_article(terms.score)} is "
            f"expected: correct the formula there or clear the {those}, or say what it means."
        )
        terms.problems.ask(terms.sheet, sentence, [_not_assessed(errors)], held)


def ask_about_truths(truths: Mapping[str, Sequence[int]], cells: ScoreCells, terms: Terms) -> None:
    """Ask what cells that hold true or false mean."""
    if truths:
        held = [cell for entries in truths.values() for cell in cells.addresses(entries)]
        sentence = (
            f"{where(terms.sheet, held)} {'holds' if len(held) == 1 else 'hold'} {_quoted_list(truths)} where "
            f"{with_article(terms.score)} is expected: type numbers there, or say what they mean."
        )
        counted = Answer({"grades": {"TRUE": 1.0, "FALSE": 0.0}}, "count TRUE as 1 and FALSE as 0")
        terms.problems.ask(terms.sheet, sentence, [_not_assessed(truths), counted], held)


def ask_about_formulas(formulas: Sequence[int], cells: ScoreCells, terms: Terms) -> None:
    """Ask whether formulas without a stored result are to be calculated first or taken as not assessed."""
    if formulas:
        held = cells.addresses(formulas)
        results = "a formula whose result was" if len(held) == 1 else "formulas whose results were"
        sentence = (
            f"{where(terms.sheet, held)} {'holds' if len(held) == 1 else 'hold'} {results} never stored in the file: "
            "open the file in your spreadsheet program, let it calculate, save it and try again, or say what it means."
        )
        terms.problems.ask(terms.sheet, sentence, [_not_assessed([NOT_CALCULATED])], held)


def ask_about_dates(dates: Mapping[str, Sequence[int]], cells: ScoreCells, terms: Terms) -> None:
    """Ask whether dates are decimals that a spreadsheet made dates of, or not assessed."""
    if dates:
        held = [cell for entries in dates.values() for cell in cells.addresses(entries)]
        one = len(held) == 1
        said = _quoted_list([shown(cells.values[entries[0]]) for entries in dates.values()])
        sentence = (
            f"{where(terms.sheet, held)} {'holds the date' if one else 'hold dates'} {said} where "
            f"{with_article(terms.score)} is expected; a spreadsheet may have turned something like 11.12 or 11-12 "
            f"into a date: format the {'cell' if one else 'cells'} as a number and type the "
            f"{plural(terms.score, len(held))} again, or say what it means."
        )
        answers = [_not_assessed(dates)]
        answers += [one.answer() for one in decimals_of({key: cells.values[at[0]] for key, at in dates.items()})]
        terms.problems.ask(terms.sheet, sentence, answers, held)


def ask_about_words(words: Mapping[str, Sequence[int]], cells: ScoreCells, terms: Terms) -> None:
    """Ask what texts among the scores mean: all at once where that can be said, else one by one."""
    sheet, noun, problems = terms.sheet, terms.score, terms.problems
    if not words:
        return
    answers = _answers_for_all({word: len(entries) for word, entries in words.items()})
    if answers and len(words) > 1:
        held = [cells.address_of(k) for entries in words.values() for k in entries]
        hold = "holds" if len(held) == 1 else "hold"
        sentence = f"{where(sheet, held)} {hold} words where {plural(noun)} are expected: {_quoted_list(words)}."
        problems.ask(sheet, sentence, answers, held)
        return
    for word, entries in words.items():
        held = [cells.address_of(k) for k in entries]
        verb = "holds" if len(held) == 1 else "hold"
        answers = [
            Answer({"codes": {word: "exclude"}}, "take it as not assessed"),
            Answer({"codes": {word: "zero"}}, f"count it as {with_article(noun)} of 0"),
            *(one.answer() for one in numbers_within([word])),
        ]
        problems.ask(
            sheet,
            f'{where(sheet, held)} {verb} the text "{word}" where {with_article(noun)} is expected.',
            answers,
            held,
        )


def _answers_for_all(counts: Mapping[str, int]) -> list[Answer]:
    """Answers that say of all words at once what they mean; none where each is better asked about by itself.

    Parameters
    ----------
    counts
        Word -> how many cells hold it.
    """
    words = list(counts)
    dates = dates_in(words)
    proposals = decimals_of(dates)
    if len(dates) < len(words):
        proposals += proposals_for(words) or (numbers_within(words) if len(words) > 1 else [])
    if any(len(proposal.grades) == len(words) for proposal in proposals):
        answers = [proposal.answer_for(words) for proposal in proposals]
        return [_not_assessed(words), *answers] if dates else answers
    some = partial_proposals(counts)
    answers = [one.answer_for(words) for one in (*proposals, *some)]
    answers += [one.answer_for(words, "zero") for one in some if len(one.grades) < len(words)]
    if answers or len(words) > _MOST_ASKED:
        answers += [_not_assessed(words), Answer({"codes": dict.fromkeys(words, "zero")}, f"count {_it(counts)} as 0")]
    return answers


def _not_assessed(texts: Iterable[str]) -> Answer:
    codes = dict.fromkeys(texts, "exclude")
    return Answer({"codes": codes}, f"take {_it(codes)} as not assessed")


def _it(texts: Sized) -> str:
    return "it" if len(texts) == 1 else "them"


def _quoted_list(texts: Iterable[str]) -> str:
    return listed([f'"{text}"' for text in texts])
