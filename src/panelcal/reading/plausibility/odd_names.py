"""Lines whose label is formed unlike the others: "Curved" among first and last names, "Gew." above "Nr 1", "Nr 2".

The numbers of a self-assessment, an earlier round or an agreed mark look like those of any assessor, and their words
are those of the house. What gives them away is that the others are all called in one way, and they are not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from panelcal.reading.headings import ASSESSOR_WORDS, statistic_kind, words_of
from panelcal.reading.plausibility.lines import Doubt
from panelcal.reading.vocabulary import HOUSE_FIGURES, HOUSE_FILLERS, PARTS_OF_SELECTION, PLACES, TITLES_OF_PEOPLE

_FEWEST_ALIKE, _SHARE_ALIKE = 3, 2 / 3
_SHARE_WITH_GAPS, _LONGEST_CODE = 0.9, 3
_FEWEST_ROWS, _MOST_AT_AN_END = 8, 3
_CAPITAL = r"[^\W\d_a-zà-öø-ÿ]"
_PERSON = re.compile(
    rf"(?:(?:{_CAPITAL}|[dl]['’])[\w'’.-]*,?|von|van|de|del|della|der|den|di|da|dos|du|el|al|bin|ibn|la|le|y|zu|af)"
    rf"(?:\s+(?:(?:{_CAPITAL}|[dl]['’])[\w'’.-]*,?|von|van|de|del|della|der|den|di|da|dos|du|el|al|bin|ibn|la|le|y"
    r"|zu|af|\([^()]*\)))+"
)
_INITIALS = re.compile(rf"{_CAPITAL}{{2,3}}")
_NUMBERED = re.compile(r"(?P<stem>[^\W\d_][^\d]*?)[\s._#-]*\d+")
_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_MODEL = re.compile(r"(?=.*[^\W\d_])(?=.*\d)\S+")  # one word of letters and digits: GPT-4, o3
_ENDS_IN_NUMBER = re.compile(r"\(\d+\s*%?\)$")  # as assignments are headed: Essay (40000), Quiz (10%)
_PERCENT = re.compile(r"(?:[\s,(]%\)?|\bper ?cent(?:age)?|\bprozent)\s*$", re.I)
_PEOPLE, _LETTERS, _ADDRESSES = "first and last names", "initials", "addresses"
_NUMBERS = "numbers"
_ID = re.compile(r"\d{3,}")
_LIKE_AN_ID = re.compile(r"\d+|[^\W\d]?\d{3,}[^\W\d]?")  # a shorter one, or one with a letter that checks it
_AND_A_NUMBER = " and a number"


def odd_columns_doubted(columns: Mapping[int, str], doubts: Sequence[Doubt]) -> tuple[Doubt, ...]:
    """Doubt the columns (assessors) that are headed unlike the others, less those that are doubted already.

    Parameters
    ----------
    columns
        Column of the table -> heading, in the order of the sheet.
    """
    odd = _doubts(odd_columns(list(columns.values())), "headed", doubts)
    odd = (*odd, *_in_percent(list(columns.values()), (*doubts, *odd)))
    return (*odd, *_house_figures(list(columns.values()), (*doubts, *odd)))


def odd_rows_doubted(rows: Mapping[int, str], doubts: Sequence[Doubt]) -> tuple[Doubt, ...]:
    """Doubt the first and last rows (objects) that are labelled unlike the others, less those doubted already."""
    return _doubts(odd_rows(list(rows.values())), "labelled", doubts)


def is_full_name(label: str) -> bool:
    """Tell whether a label is formed as first and last names are: several words, each with a capital."""
    return _form(label) == _PEOPLE


def odd_columns(labels: Sequence[str]) -> tuple[tuple[int, ...], str]:
    """Find the few labels that are not formed as most are, and say how these are: ((), "") where there is no form."""
    forms = [_form(label) for label in labels]
    form, alike = _most(forms)
    if form is None or alike < max(_FEWEST_ALIKE, _SHARE_ALIKE * len(labels)) or not _is_of_assessors(form):
        return (), ""
    if form == _PEOPLE and _begin_alike([label for label, one in zip(labels, forms, strict=True) if one == form]):
        return (), ""
    odd = [k for k, one in enumerate(forms) if one != form and not _may_belong(labels[k], form)]
    odd = [k for k in odd if statistic_kind(labels[k]) is None]  # those are weighed by their numbers
    if form == _PEOPLE:
        odd += [k for k, label in enumerate(labels) if k not in odd and _adds_to(label, labels)]
    return tuple(odd), _in_words(form)


def odd_rows(labels: Sequence[str]) -> tuple[tuple[int, ...], str]:
    """Find the few first and last labels that are formed unlike all others."""
    forms = [_form(label) for label in labels]
    form, alike = _most(forms)
    if form is None or alike < max(_FEWEST_ROWS, len(labels) - 2 * _MOST_AT_AN_END) or form == _LETTERS:
        return (), ""
    if form == _NUMBERS:
        forms = [
            form if _LIKE_AN_ID.fullmatch(label.strip()) else one for one, label in zip(forms, labels, strict=True)
        ]
        alike = forms.count(form)
    odd = [k for k, one in enumerate(forms) if one != form]
    ends = {*range(_MOST_AT_AN_END), *range(len(labels) - _MOST_AT_AN_END, len(labels))}
    # One in the middle says that the labels are not all of one kind.
    return (tuple(odd), _in_words(form)) if len(odd) == len(labels) - alike and ends.issuperset(odd) else ((), "")


def _house_figures(labels: Sequence[str], doubts: Sequence[Doubt]) -> tuple[Doubt, ...]:
    """Doubt the few columns whose heading is made of words for figures that are seldom an assessor's."""
    taken = {line for doubt in doubts for line in doubt.lines}
    found: dict[str, list[int]] = {}
    for k, label in enumerate(labels):
        said = words_of(label)
        kinds = [kind for kind, known in HOUSE_FIGURES.items() if not known.isdisjoint(said)]
        if kinds and k not in taken and set(said) <= HOUSE_FIGURES[kinds[0]] | HOUSE_FILLERS:
            found.setdefault(kinds[0], []).append(k)
    return tuple(
        Doubt(tuple(lines), f"headed {kind}")
        for kind, lines in found.items()
        if len(lines) <= (1 - _SHARE_ALIKE) * len(labels)
    )


def _in_percent(labels: Sequence[str], doubts: Sequence[Doubt]) -> tuple[Doubt, ...]:
    """Doubt the few columns whose heading ends in a sign for percent where no other has one."""
    taken = {line for doubt in doubts for line in doubt.lines}
    found = tuple(k for k, label in enumerate(labels) if k not in taken and _PERCENT.search(label))
    others = sum(not _PERCENT.search(label) for label in labels)
    return (Doubt(found, "headed in percent as no other is"),) if found and others >= 2 * len(found) else ()


def nouns_among_names(labels: Sequence[str], filled: NDArray[np.float64], doubts: Sequence[Doubt]) -> tuple[Doubt, ...]:
    """Doubt a column headed by a common noun, such as Interview, filled throughout where all others have gaps.

    Parameters
    ----------
    filled
        (n_columns,) share of the rows with a score.
    """
    taken = {line for doubt in doubts for line in doubt.lines}
    found = [k for k, label in enumerate(labels) if set(words_of(label)) and set(words_of(label)) <= PARTS_OF_SELECTION]
    rest = [k for k in range(len(labels)) if k not in found]
    if len(found) != 1 or found[0] in taken or len(rest) < _FEWEST_ALIKE:
        return ()
    names = all(len(labels[k].split()) == 1 and labels[k][:1].isupper() for k in rest)
    if not names or filled[found[0]] < 1 or max(filled[k] for k in rest) > _SHARE_WITH_GAPS:
        return ()
    return (
        Doubt((found[0],), "headed by a common noun beside names, and filled throughout where all others have gaps"),
    )


def _doubts(found: tuple[tuple[int, ...], str], verb: str, doubts: Sequence[Doubt]) -> tuple[Doubt, ...]:
    taken = {line for doubt in doubts for line in doubt.lines}
    lines, form = tuple(line for line in found[0] if line not in taken), found[1]
    return (Doubt(lines, f"{verb} unlike the others, which are {form}"),) if lines else ()


def _form(label: str) -> str | None:
    text = label.strip()
    if _ADDRESS.fullmatch(text):
        return _ADDRESSES
    if _PERSON.fullmatch(text) and not _ENDS_IN_NUMBER.search(text):
        return _PEOPLE
    if _INITIALS.fullmatch(text):
        return _LETTERS
    if _ID.fullmatch(text):
        return _NUMBERS
    if numbered := _NUMBERED.fullmatch(text):
        return f"{numbered['stem'].strip(' ._#-').casefold()}{_AND_A_NUMBER}"
    return None


def _is_of_assessors(form: str) -> bool:
    """Tell whether a form is one of people or of numbered assessors, and not of modules with codes."""
    if form in (_PEOPLE, _LETTERS, _ADDRESSES):
        return True
    if form == _NUMBERS:
        return False
    stem = form.removesuffix(_AND_A_NUMBER)
    return len(stem) == 1 or any(word in ASSESSOR_WORDS and word not in PLACES for word in stem.split())


def _begin_alike(labels: Sequence[str]) -> bool:
    """Tell whether most labels begin with the same word, as no first names do: Project A, Project B."""
    untitled = [
        [word for word in label.split() if word.casefold().strip(".") not in TITLES_OF_PEOPLE] for label in labels
    ]
    firsts = Counter(words[0] for words in untitled if words)
    return bool(firsts) and firsts.most_common(1)[0][1] > len(labels) / 2


def _adds_to(label: str, labels: Sequence[str]) -> bool:
    """Tell whether a label is another one with something behind it: "Iris Jones (old)" beside "Iris Jones"."""
    return any(label.startswith(f"{one} ") for one in labels)


def _most(forms: Sequence[str | None]) -> tuple[str | None, int]:
    counts = Counter(form for form in forms if form is not None)
    return counts.most_common(1)[0] if counts else (None, 0)


def _may_belong(label: str, form: str) -> bool:
    """Tell whether a label may stand among others of a form: a name in capitals, a model, Art among PE and RE."""
    if form == _LETTERS and len(label) <= _LONGEST_CODE:
        return True
    return form == _PEOPLE and bool(_MODEL.fullmatch(label.strip()) or _ADDRESS.fullmatch(label.strip()))


def _in_words(form: str) -> str:
    return (
        form
        if form in (_PEOPLE, _LETTERS, _ADDRESSES, _NUMBERS)
        else f'"{form.removesuffix(_AND_A_NUMBER)}"{_AND_A_NUMBER}'
    )
