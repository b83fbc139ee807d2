"""Rows or columns with one name and other scores: the same again, or others of that name; the user says which.

Where they are others, each is called by its name and its cell, "Meier (A4)".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from panelcal.errors import Answer
from panelcal.frozen import dataclass
from panelcal.reading.nouns import plural, with_article
from panelcal.reading.problems import listed, where
from panelcal.reading.settings import Settings
from panelcal.reading.terms import Terms


@dataclass(frozen=True, slots=True)
class Named:
    """A row or column: its name, its range, and the cell of its name."""

    label: str
    span: str
    cell: str


def told_apart(labels: Mapping[int, str], cells: Mapping[int, str], settings: Settings) -> dict[int, str]:
    """Add the cell to the labels that come several times and whose cells the settings count in.

    Parameters
    ----------
    labels, cells
        Line of the table -> its label, and where that stands.
    """
    wanted = {pattern.strip().upper() for pattern in settings.include}
    often = Counter(labels.values())
    return {
        line: f"{label} ({cells[line]})" if often[label] > 1 and cells[line] in wanted else label
        for line, label in labels.items()
    }


def ask_about_twins(
    twins: Sequence[tuple[int, int]],
    named: Mapping[int, Named],
    terms: Terms,
    *,
    columns: bool = False,
    many: bool = False,
    more: Sequence[Answer] = (),
) -> None:
    """Ask what lines mean whose name stood before, above other scores.

    Parameters
    ----------
    twins
        Lines, and where the name of each stood first.
    named
        Line -> what it is called.
    columns
        True for columns (assessors), False for rows (objects).
    many
        Whether so many come again that the rows may be assessments.
    more
        Answers that go before the others.
    """
    noun = terms.nouns.assessor if columns else terms.nouns.object
    first = list(dict.fromkeys(before for _, before in twins))
    spans = [named[k].span for k, _ in twins]
    several = "columns" if columns else "rows"
    names = [f'"{named[k].label}, as in {named[before].span}"' for k, before in twins]
    repeat = "repeats" if len(spans) == 1 and ":" not in spans[0] else "repeat"
    sentence = (
        f"{where(terms.sheet, spans)} {repeat} {with_article(noun)} with other scores than before: {listed(names)}."
    )
    one = plural(noun, 1)
    mean = Answer({"repeated": "average"}, f"count them as one {one} with the mean of the {several} of each")
    if many and not columns:
        sentence += (
            f" If each row is one assessment, add a column that says which {plural(terms.assessor, 1)} it is from."
        )
        terms.problems.ask(terms.sheet, sentence, [*more, mean], spans)
        return
    later, earlier = tuple(named[k].cell for k, _ in twins), tuple(named[k].cell for k in first)
    its = "it" if len(twins) == 1 else "them"
    answers = [
        Answer({"include": (*earlier, *later)}, f"count them as different {plural(noun)} of one name"),
        mean,
        Answer({"exclude": later}, f"leave {its} out"),
        Answer({"exclude": earlier}, f"leave out what stood before instead ({listed(list(earlier))})"),
    ]
    thrice = [name for name, count in Counter(named[k].label for k, _ in twins).items() if count > 1]
    if columns and thrice:
        answers = [Answer({"exclude": tuple(thrice)}, f"leave out every column headed {listed(thrice)}"), *answers[:2]]
    terms.problems.ask(terms.sheet, sentence, [*more, *answers], spans)
