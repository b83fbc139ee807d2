"""The gate for lists: assessors and objects are labels there, and their numbers stand in rows far apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from panelcal.arrays import Array, Indices
from panelcal.errors import Answer
from panelcal.frozen import dataclass
from panelcal.reading.headings import statistic_kind
from panelcal.reading.nouns import opening, plural, with_article
from panelcal.reading.patterns import any_matches
from panelcal.reading.plausibility.doubts import doubts_about_block, doubts_about_labels
from panelcal.reading.plausibility.gate import ask_about_versions
from panelcal.reading.plausibility.lines import Doubt, lines_of_list
from panelcal.reading.plausibility.odd_names import odd_columns_doubted
from panelcal.reading.plausibility.statistics_by_name import Verdict, verdict_of
from panelcal.reading.problems import listed
from panelcal.reading.spellings import other_spellings, spelt_alike
from panelcal.reading.terms import Terms

_MOST_CELLS = 200_000
_MOST_NAMED = 20


@dataclass(frozen=True, slots=True, eq=False)
class LabelledScores:
    """The scores of a list by one of its labels.

    Attributes
    ----------
    scores, label, other
        (N,) scores, the label of each, and what stands on the other side.
    labels, cells
        (n,) the labels, and where each stands first.
    """

    scores: Array
    label: Indices
    other: Indices
    labels: Sequence[str]
    cells: Sequence[str]


def ask_about_labels(given: LabelledScores, terms: Terms, *, assessors: bool) -> None:
    """Ask about the labels of a list that may be no assessors (or no objects)."""
    scores, label, other, labels, cells = given.scores, given.label, given.other, given.labels, given.cells
    noun = terms.nouns.assessor if assessors else terms.nouns.object
    width = int(other.max()) + 1 if len(other) else 0
    block = None
    if len(labels) * width <= _MOST_CELLS:
        block = np.full((width, len(labels)), np.nan)
        block[other, label] = scores
        doubts = doubts_about_block(block, downwards=assessors)
    else:
        doubts = doubts_about_labels(lines_of_list(scores, label, len(labels)), downwards=assessors)
    if assessors:
        ask_about_versions(dict(enumerate(labels)), dict(enumerate(cells)), noun, terms, "name")
    named = _named(block, labels)
    odd = odd_columns_doubted(dict(enumerate(labels)), (*doubts, *named)) if assessors else ()
    for doubt in (*doubts, *named, *odd):
        lines = [k for k in doubt.lines if not any_matches(terms.settings.include, labels[k])]
        if lines:
            asked = _Asked(doubt, [labels[k] for k in lines], [cells[k] for k in lines], noun)
            _ask(asked, other_spellings(spelt_alike(labels)), terms)


def _named(block: Array | None, labels: Sequence[str]) -> list[Doubt]:
    """Doubt the labels that name a statistic, unless the numbers say that somebody is called so."""
    if block is None:
        return []
    named = [(k, kind) for k, label in enumerate(labels) if (kind := statistic_kind(label)) is not None]
    statistics = {k for k, _ in named}
    if len(named) > _MOST_NAMED:
        return []
    doubted = []
    for k, kind in named:
        lines = [line for line in range(len(labels)) if line == k or line not in statistics]
        if verdict_of(kind, block[:, lines], lines.index(k)) is not Verdict.INDEPENDENT:
            doubted.append(k)
    return [Doubt(tuple(doubted), "a total or another statistic by the label")] if doubted else []


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """Labels in doubt, where each stands first, and the word for what they should be."""

    doubt: Doubt
    names: Sequence[str]
    cells: Sequence[str]
    noun: str


def _ask(asked: _Asked, spellings: Mapping[str, str], terms: Terms) -> None:
    """Ask what such labels are; `spellings` tells which of all labels are others in another spelling."""
    doubt, names, noun = asked.doubt, asked.names, asked.noun
    several = len(names) > 1
    reason = doubt.reason.replace("{it}", "them" if several else "it")
    sentence = f"{opening(plural(noun, len(names)))} {listed(names)} {'are' if several else 'is'} {reason}"
    if doubt.usual is not None:
        sentence += f": the others go from {doubt.usual[0]:g} to {doubt.usual[1]:g}"
    usual = {spellings[name] for name in names if name in spellings}
    same = {name: other for name, other in spellings.items() if other in usual}
    answers = [
        Answer({"exclude": tuple(names)}, f"leave {'them' if several else 'it'} out"),
        Answer({"include": tuple(names)}, f"count {'them' if several else 'it'} as "
               f"{plural(noun) if several else with_article(noun)}"),
    ]  # fmt: skip
    if set(names) <= set(same):
        counted = f"count {listed(list(same))} as {listed(list(dict.fromkeys(same.values())))}, in another spelling"
        answers.insert(0, Answer({"same": same}, counted))
    terms.problems.ask(terms.sheet, f"{sentence}.", answers, asked.cells)
