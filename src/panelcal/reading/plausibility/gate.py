"""The gate before anything is computed: what is no assessor and no object, by its name and by its numbers.

Where both agree a line is left out, with a warning that names it; where one of them alone speaks, the user is asked. A
line that the user has said to count is never doubted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import takewhile
from types import MappingProxyType
from typing import Any

import numpy as np

from panelcal.arrays import Array
from panelcal.errors import Answer
from panelcal.frozen import dataclass
from panelcal.reading.answers import deed
from panelcal.reading.cell_values import kind_of, label_text
from panelcal.reading.decisions import About, Decision, Weight
from panelcal.reading.grid import column_letters
from panelcal.reading.headings import SCORE_WORDS, Role, role_of, statistic_kind, words_of
from panelcal.reading.matrix import Matrix
from panelcal.reading.nouns import Nouns, plural, with_article
from panelcal.reading.patterns import any_matches
from panelcal.reading.plausibility.lines import Doubt, Lines
from panelcal.reading.plausibility.odd_names import is_full_name
from panelcal.reading.plausibility.other_ends import half_used
from panelcal.reading.plausibility.statistics_by_name import Verdict, verdict_of
from panelcal.reading.plausibility.versions import parts_of, repeated_later, versions_of
from panelcal.reading.problems import Problems, listed
from panelcal.reading.settings import Settings
from panelcal.reading.table import Table
from panelcal.reading.terms import Terms
from panelcal.reading.vocabulary import words

TO_PERCENTAGES = Answer({"different_maxima": "percentage"}, "bring every score to a percentage of what was possible")
_MOST_BASE_LINES, _MOST_CELLS = 400, 5_000
_OF_SCORES = SCORE_WORDS | words("pts pt rank place")
_FEWEST_NAMED, _MOSTLY_NAMED = 3, 0.8
_NOBODY: Mapping[int, str] = MappingProxyType({})
_MOST_PARTS = 4  # offered one by one
_PLACES = words("module course subject unit exam test")
_CALLED = frozenset(
    {"max", "min", "n", "sd", "se", "sum", "total", "mean", "rank", "average", "media", "som", "place"}
    | {"high", "low"}
)


@dataclass(frozen=True, slots=True)
class NamedLines:
    """What became of the columns (or rows) that are named as a statistic and hold numbers.

    Attributes
    ----------
    borne_out
        Line -> whether its numbers say the same as its name.
    called_so
        Lines that count: their numbers say that somebody is called so.
    """

    borne_out: Mapping[int, bool]
    called_so: tuple[int, ...] = ()

    @property
    def weight(self) -> Weight:
        """How much a sentence about the lines that are left out weighs."""
        return "warning" if self.borne_out else "note"

    def said(self, line: int) -> str:
        """What stands behind the name of a line that is left out."""
        return " (the numbers say the same)" if self.borne_out.get(line) else ""


def may_be_called(heading: Any) -> bool:
    """Tell whether a heading that names a statistic could be somebody's name or initials."""
    words = words_of(heading)
    return len(words) == 1 and words[0] in _CALLED and label_text(heading).isalpha()


def numbers_at(table: Table, rows: Sequence[int], columns: Sequence[int]) -> Array:
    """(n_rows, n_columns) of the numbers in some cells, also where text spells them; NaN for anything else."""
    return np.array([[kind_of(table.cells[i][j])[1] for j in columns] for i in rows]).reshape(len(rows), len(columns))


@dataclass(frozen=True, slots=True)
class Axis:
    """The columns of a table, or its rows, in the words of the sheet.

    Attributes
    ----------
    table
        The table.
    columns
        True for its columns (assessors), False for its rows (objects).
    noun
        What each of them is taken for.
    cells
        The rows (columns) that the lines cross, in ascending order.
    """

    table: Table
    columns: bool
    noun: str
    cells: Sequence[int]

    @property
    def word(self) -> str:
        """What the sheet calls such a line: a column or a row."""
        return "column" if self.columns is not self.table.across else "row"

    def span(self, line: int) -> str:
        """Spell the range of a line."""
        first, last = self.cells[0], self.cells[-1]
        return self.table.span((first, line), (last, line)) if self.columns else self.table.row_span(line)

    def place(self, line: int) -> str:
        """Spell the letter of a column or the number of a row."""
        row, column = self.table.place(self.cells[0], line) if self.columns else self.table.place(line, self.cells[0])
        return column_letters(column) if self.word == "column" else str(row)


def weigh_columns(matrix: Matrix, nouns: Nouns, problems: Problems) -> NamedLines:
    """Compare the columns that are named as a statistic with their numbers, but for those below every name."""
    headings, lower, table = matrix.headings.headings, matrix.headings.lower, matrix.table
    often = Counter(label_text(one) for one in lower) if matrix.headings.upper else Counter[str]()
    named = {
        j: headings[j] if statistic_kind(headings[j]) else lower[j]
        for j in matrix.statistics
        if often[label_text(lower[j])] < 2  # "Count of Score" below each name is of that name alone
    }
    base, body = list(matrix.assessors)[:_MOST_BASE_LINES], list(matrix.rows.objects)[:_MOST_CELLS]
    axis = Axis(table, True, nouns.assessor, matrix.rows.objects)
    labels = {j: label_text(headings[j]) for j in base}
    return _weigh(named, base, lambda lines: numbers_at(table, body, lines), axis, problems, labels)


def weigh_rows(matrix: Matrix, nouns: Nouns, problems: Problems) -> NamedLines:
    """Compare the rows that are named as a statistic with their numbers."""
    table, named = matrix.table, {}
    for i in matrix.rows.statistics:
        labels = [table.cells[i][j] for j in matrix.labels.all]
        label = next((one for one in labels if isinstance(one, str) and statistic_kind(one) is not None), None)
        if label is not None and table.cells[i][matrix.labels.identifier] is not None:
            named[i] = label
    base = list(matrix.rows.objects)[:_MOST_BASE_LINES]
    axis = Axis(table, False, nouns.object, matrix.assessors)
    return _weigh(named, base, lambda lines: numbers_at(table, lines, matrix.assessors).T, axis, problems)


def called_so(lines: Iterable[int], axis: Axis, labels: Mapping[int, str]) -> list[Decision]:
    """Say which lines with the name of a statistic count as somebody of that name."""
    return [
        Decision(
            About.CALLED_LIKE_A_STATISTIC,
            (axis.span(line),),
            f"{axis.word.capitalize()} {axis.place(line)} ({labels[line]}) is read as {with_article(axis.noun)} of "
            f"that name: its numbers are nothing of the sort worked out from the other {axis.word}s.",
            "warning",
            axis.table.grid.sheet,
        )
        for line in lines
    ]


def warn_of_half_used(lines: Lines, names: Sequence[str], spans: Sequence[str], terms: Terms) -> list[Decision]:
    """Warn of assessors who never leave the lower half of what the others use: severe, or on a scale half as long."""
    low = [k for k in half_used(lines) if not any_matches(terms.settings.include, names[k])]
    if not low:
        return []
    gives = "gives" if len(low) == 1 else "give"
    sentence = (
        f"{listed([names[k] for k in low])} {gives} at most {max(lines.highest[k] for k in low):g} where the others go "
        f"up to {lines.highest.max():g}: severe, or on a scale half as long? Counted as it stands. In the second case "
        f"{deed(Answer({'exclude': tuple(names[k] for k in low)}, 'leave it out'), terms.problems.way)} to leave "
        f"{'it' if len(low) == 1 else 'them'} out, or bring the {plural(terms.score)} to one scale."
    )
    return [Decision(About.LOWER_HALF_OF_THE_SCALE, tuple(spans[k] for k in low), sentence, "warning", terms.sheet)]


def _weigh(
    named: Mapping[int, Any],
    base: Sequence[int],
    numbers_of: Callable[[Sequence[int]], Array],
    axis: Axis,
    problems: Problems,
    labels: Mapping[int, str] = _NOBODY,
) -> NamedLines:
    """Sort the named lines: left out, counted, asked about.

    Parameters
    ----------
    named
        Line -> heading.
    base
        The lines that the statistic would be of.
    numbers_of
        Gives (n_cells, n_lines) of some lines.
    labels
        Line -> what the others are called, where that tells whether the named lines are somebody's.
    """
    borne_out: dict[int, bool] = {}
    called_so: list[int] = []
    for line, heading in named.items():
        lines = sorted({*base, line})
        own = numbers_of([line])
        if np.isnan(own).all():
            continue
        # A row Total at an end of the sheet says by its place what it is.
        called = may_be_called(heading) and (axis.columns or (bool(base) and min(base) < line < max(base)))
        kind = statistic_kind(heading) or ("deviation" if called and role_of(heading) is Role.DEVIATION else "")
        verdict = verdict_of(kind, numbers_of(lines), lines.index(line), a_name=called)
        alone = axis.columns and called and _beside_full_names([labels[k] for k in base if k in labels])
        if verdict is Verdict.INDEPENDENT and may_be_called(heading) and not alone:
            called_so.append(line)
        elif verdict in (Verdict.INDEPENDENT, Verdict.AGAINST):
            place = f"{axis.word.capitalize()} {axis.place(line)}"
            sentence = (
                f"{place} is headed {label_text(heading)}, but its numbers are not what that says of the other "
                f"{axis.word}s."
            )
            if called:
                sentence = f"{place} is headed {label_text(heading)}, which its numbers do not bear out: is it a name?"
            problems.ask(
                axis.table.grid.sheet, sentence, _both_ways([label_text(heading)], axis.noun), [axis.span(line)]
            )
            borne_out[line] = False
        else:
            borne_out[line] = verdict is Verdict.BORNE_OUT
    return NamedLines(borne_out, tuple(called_so))


def ask_about(
    doubts: Iterable[Doubt],
    labels: Mapping[int, str],
    numbers: Array,
    axis: Axis,
    settings: Settings,
    problems: Problems,
) -> None:
    """Ask about the lines that the numbers speak against and no name does.

    Parameters
    ----------
    doubts
        What speaks against which lines, by their place in `labels`.
    labels
        Line of the table -> name, in the order of the columns of `numbers`.
    numbers
        (n_cells, n_lines), NaN = no score.
    """
    places = list(labels)
    for doubt in doubts:
        lines = [k for k in doubt.lines if not any_matches(settings.include, labels[places[k]])]
        if not lines:
            continue
        names = [labels[places[k]] for k in lines]
        several = len(lines) > 1
        spelt = listed([f"{axis.place(places[k])} ({name})" for k, name in zip(lines, names, strict=True)])
        reason = doubt.reason.replace("{it}", "them" if several else "it")
        sentence = f"{axis.word.capitalize()}{'s' if several else ''} {spelt} {'are' if several else 'is'} {reason}"
        if doubt.usual is not None:
            held = numbers[:, lines]
            goes = "they go" if several else "it goes"
            sentence += (
                f": {goes} from {np.nanmin(held):g} to {np.nanmax(held):g}, the others from {doubt.usual[0]:g} to "
                f"{doubt.usual[1]:g}"
            )
        spans = [axis.span(places[k]) for k in lines]
        answers = list(_both_ways(names, axis.noun))
        if doubt.rescale:
            answers.append(TO_PERCENTAGES)
        if axis.columns and lines == list(range(1, len(labels), 2)) and (pattern := _shared_by(names, labels)):
            meaning = "read them as the confidences of the columns before them"
            answers.append(Answer({"confidence_column": pattern}, meaning))
        if doubt.instead:
            first = tuple(labels[places[k]] for k in doubt.instead)
            answers.insert(1, Answer({"exclude": first}, f"leave out {listed(first)} instead"))
        problems.ask(axis.table.grid.sheet, f"{sentence}.", answers, spans)


def ask_about_versions(
    labels: Mapping[int, str], cells: Mapping[int, str], noun: str, terms: Terms, what: str = "column"
) -> None:
    """Ask which version counts where each assessor has two columns (or names), as before and after a moderation.

    Parameters
    ----------
    labels, cells
        Line -> label, in the order of the sheet, and where it stands.
    noun
        What each of them is taken for.
    what
        What holds the versions: columns, or names in a list.
    """
    settings = terms.settings
    first, second = versions_of(labels, people=_PLACES.isdisjoint(words_of(noun)))
    names = [labels[line] for line in second]
    if second and not any(any_matches(settings.include, name) for name in names):
        sentence = (
            f"Each {plural(noun, 1)} seems to have two {what}s ({labels[first[0]]} and {names[0]}), and only one "
            "can count."
        )
        answers = (
            Answer({"exclude": tuple(names)}, "count the first of each"),
            Answer({"exclude": tuple(labels[line] for line in first)}, "count the second of each"),
            Answer({"include": tuple(names)}, f"count every {what} as {with_article(noun)} of its own"),
        )
        terms.problems.ask(terms.sheet, sentence, answers, [cells[line] for line in second])
        return
    again = {line: of for line, of in repeated_later(labels).items() if not any_matches(settings.include, labels[line])}
    if again and len(again) < len(labels) / 2:
        names = [labels[line] for line in again]
        sentence = (
            f"{listed(names)} {'seems' if len(again) == 1 else 'seem'} to be later versions of "
            f"{listed([labels[of] for of in again.values()])}."
        )
        terms.problems.ask(terms.sheet, sentence, _both_ways(names, noun), [cells[line] for line in again])


def ask_about_parts(labels: Mapping[int, str], axis: Axis, settings: Settings, problems: Problems) -> None:
    """Ask which part counts where each of several things has a line for each of several questions."""
    if any(any_matches(settings.include, label) for label in labels.values()):
        return
    before, within = parts_of(labels, signs=not axis.columns and axis.word == "column")
    if not before:
        return
    sides = [side for side in (within, before) if len(side) <= _MOST_PARTS] or [min(within, before, key=len)]
    answers = [
        Answer({"exclude": tuple(labels[k] for k in labels if k not in lines)}, f"read {part} only")
        for side in sides
        for part, lines in side.items()
    ]
    every = Answer({"include": tuple(labels.values())}, f"count every {axis.word} as {with_article(axis.noun)}")
    sentence = (
        f"Every {axis.word} belongs to one of {listed(list(before))} and to one of {listed(list(within))}, as several "
        "questions about the same things do, and nothing says which of them is the score."
    )
    problems.ask(axis.table.grid.sheet, sentence, [*answers, every], [axis.span(line) for line in labels])


def _beside_full_names(labels: Sequence[str]) -> bool:
    """Tell whether the others are called by first and last names, as somebody called Total would be too."""
    return len(labels) >= _FEWEST_NAMED and sum(map(is_full_name, labels)) >= _MOSTLY_NAMED * len(labels)


def _alike(names: Sequence[str]) -> str:
    """Return what all names begin with."""
    columns = takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False))
    return "".join(letters[0] for letters in columns)


def _shared_by(names: Sequence[str], labels: Mapping[int, str]) -> str:
    """Return a pattern of how some labels begin or end that no other label fits; "" without one."""
    if len(names) < 2:
        return ""
    ends = [_alike([name[::-1] for name in names])[::-1].strip(), _alike(names).strip()]
    others = [label for label in labels.values() if label not in names]
    for end, pattern in zip(ends, (f"*{ends[0]}", f"{ends[1]}*"), strict=True):
        said = any(character.isalpha() for character in end) and _OF_SCORES.isdisjoint(words_of(end))
        if said and not set(end) & set("*?[],") and not any(any_matches([pattern], label) for label in others):
            return pattern
    return ""


def _both_ways(names: Sequence[str], noun: str) -> tuple[Answer, Answer]:
    """The two answers about some lines: leave them out, or count them."""
    it, one = ("them", plural(noun)) if len(names) > 1 else ("it", with_article(noun))
    return (
        Answer({"exclude": tuple(names)}, f"leave {it} out"),
        Answer({"include": tuple(names)}, f"count {it} as {one}"),
    )
