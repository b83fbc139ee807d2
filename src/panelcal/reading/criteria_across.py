"""Several criteria below the name of each assessor: two rows of headings, "Iris Jones" over "Taste" and "Looks".

With the criteria chosen (settings), the sheet is seen as a list with one row per object and assessor, whose criteria
are columns; without, the run asks which of them is meant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from panelcal.errors import Answer, Question
from panelcal.frozen import dataclass
from panelcal.reading.cell_values import label_text
from panelcal.reading.decisions import About, Decision, Weight
from panelcal.reading.flat_criteria import name_modules
from panelcal.reading.grid import address, sheet_reference
from panelcal.reading.heading_rows import role_in
from panelcal.reading.headings import ASSESSOR_WORDS, Role, words_of
from panelcal.reading.label_checks import looks_like_people
from panelcal.reading.list_columns import EACH_ANSWER, TOGETHER_ANSWER
from panelcal.reading.long_list import LongList
from panelcal.reading.matrix import Matrix
from panelcal.reading.patterns import any_matches, places_of
from panelcal.reading.problems import listed
from panelcal.reading.settings import Settings
from panelcal.reading.slot_table import SlotTable

_LEAST = 2
_MOST_OFFERED = 4  # names whose columns are offered by themselves

Groups = Mapping[str, Mapping[str, int]]
"""Name of an assessor -> criterion -> column."""


@dataclass(frozen=True, slots=True, eq=False)
class NamedSlotTable(SlotTable):
    """A list of slots whose assessors stand in the headings.

    Attributes
    ----------
    named
        (row on the sheet, column of the list) of the names.
    """

    named: tuple[int, int] = (0, 0)

    def place(self, i: int, j: int) -> tuple[int, int]:
        """Return (row, column) on the sheet."""
        return (self.named[0] if j == self.named[1] else self.rows[i]), self.places[i][j]

    def cells_of(self, rows: Sequence[int], j: int) -> Sequence[str]:
        """Spell the addresses of cells in a column of the list."""
        return tuple([address(*self.place(i, j)) for i in rows])


def criteria_of(matrix: Matrix, settings: Settings) -> Groups:
    """Return the columns by assessor and criterion; empty where the headings are no criteria below names."""
    headings = matrix.headings
    if not headings.upper or matrix.table.across or matrix.paired:
        return {}
    groups: dict[str, dict[str, int]] = {}
    for j in matrix.assessors:
        whole, lower = label_text(headings.headings[j]), label_text(headings.lower[j])
        name = whole.removesuffix(f" - {lower}")
        if not lower or name == whole or lower in groups.get(name, {}) or any_matches(settings.include, whole):
            return {}
        groups.setdefault(name, {})[lower] = j
    criteria = {tuple(sorted(group)) for group in groups.values()}
    return groups if len(groups) >= _LEAST and len(criteria) == 1 and len(next(iter(criteria))) >= _LEAST else {}


def are_modules(matrix: Matrix, groups: Groups) -> bool:
    """Tell whether the names are modules of students, whose parts (exam, project) are assessments of their own."""
    return name_modules(matrix.corner, list(groups))


def parts_decision(matrix: Matrix, groups: Groups) -> Decision:
    """Say that each part of a module counts as an assessor of its own."""
    parts = listed(list(next(iter(groups.values()))))
    sentence = (
        f"{listed(list(groups))} stand over several columns each ({parts}), and every column counts as an assessor of "
        "its own; as criteria of one score they could be chosen or added up."
    )
    cells = (matrix.table.row_span(matrix.headings.row),)
    return Decision(About.CRITERIA_BELOW_NAMES, cells, sentence, "warning", matrix.table.grid.sheet)


def question_about_criteria(matrix: Matrix, groups: Groups) -> Question:
    """Ask which criterion is meant, or their sum."""
    criteria, sheet = list(next(iter(groups.values()))), matrix.table.grid.sheet
    sentence = (
        f"On sheet {sheet} {listed(list(groups))} stand over several criteria each ({listed(criteria)}), and nothing "
        "says which of them is the score."
    )
    answers = [TOGETHER_ANSWER]
    answers += [Answer({"criteria": {one: 1.0}}, f"calibrate {one} by itself") for one in criteria]
    answers.insert(
        0, Answer({"criteria": dict.fromkeys(criteria, 1.0)}, "add them up, each with the weight given here")
    )
    whole = tuple(label_text(matrix.headings.headings[j]) for group in groups.values() for j in group.values())
    if len(groups) <= _MOST_OFFERED and _are_rounds(groups):
        for name in groups:
            others = tuple(
                label_text(matrix.headings.headings[j])
                for one, at in groups.items()
                if one != name
                for j in at.values()
            )
            answers.append(Answer({"exclude": others}, f"read what stands under {name} alone"))
    answers += [EACH_ANSWER, Answer({"include": whole}, "count each column as an assessor of its own")]
    cells = [matrix.table.at(matrix.headings.row, j) for group in groups.values() for j in group.values()]
    return Question(sentence, tuple(answers), tuple(sheet_reference(sheet, cell) for cell in cells))


def _are_rounds(groups: Groups) -> bool:
    """Tell whether the names above are rounds, days or groups rather than people: Round 1, Round 2 over judges."""
    first = {words_of(name)[:1] for name in groups}
    alike = len(first) == 1 and ASSESSOR_WORDS.isdisjoint(next(iter(first))) and all(" " in name for name in groups)
    return alike or looks_like_people(list(next(iter(groups.values()))))


def list_of_criteria(matrix: Matrix, groups: Groups, settings: Settings) -> LongList | None:
    """See the sheet as a list with the chosen criteria; None where one of them is not there."""
    criteria = list(next(iter(groups.values())))
    chosen: dict[str, float] = {}
    for pattern, weight in (settings.criteria_named or dict.fromkeys(criteria, 1.0)).items():
        found = places_of(pattern, criteria)
        if not found:
            return None
        chosen |= {criteria[k]: weight for k in found}
    table, row, labels = matrix.table, matrix.headings.row, matrix.labels
    lower, whole = matrix.headings.lower, matrix.headings.headings
    sure = {
        label_text(whole[j]).removesuffix(f" - {label_text(lower[j])}"): j
        for j in matrix.statistics
        if role_in(settings, lower[j]) in (Role.WEIGHT, Role.DEVIATION)
    }
    beside = [labels.identifier, *([] if labels.name is None else [labels.name])]
    rows: list[int] = []
    places: list[tuple[int, ...]] = []
    cells: list[tuple[Any, ...]] = []
    for i in (row, *matrix.rows.objects):
        for name, group in groups.items():
            columns = [group[one] for one in chosen] + ([sure[name]] if sure.keys() >= groups.keys() else [])
            held = [table.cells[i][j] for j in columns]
            if i == row and rows:
                continue  # the headings once
            if i == row or any(value is not None for value in held):
                rows.append(table.rows[i])
                who = "Assessor" if i == row else name
                cells.append((*[table.cells[i][j] for j in beside], who, *held))
                places.append(tuple(table.columns[j] for j in (*beside, next(iter(group.values())), *columns)))
    assessor = len(beside)
    view = NamedSlotTable(
        table.grid,
        tuple(cells),
        tuple(rows),
        places[0],
        False,
        table.merges,
        table.spaces,
        table.grades,
        tuple(places),
        (table.rows[matrix.headings.upper[-1]], assessor),
    )
    scores = tuple(range(assessor + 1, assessor + 1 + len(chosen)))
    has_confidences = len(cells[0]) > scores[-1] + 1
    return LongList(
        view,
        0,
        0,
        assessor,
        scores,
        None if labels.name is None else 1,
        scores[-1] + 1 if has_confidences else None,
        role_in(settings, cells[0][-1]) if has_confidences else Role.WEIGHT,
        unread=(),
        score_weights=tuple(chosen.values()),
    )


def criteria_decision(chosen: LongList, matrix: Matrix, groups: Groups) -> Decision:
    """Say which criteria below the names are read, and which are not."""
    read = [label_text(chosen.heading(j)) for j in chosen.score_columns]
    left = [one for one in next(iter(groups.values())) if one not in read]
    sentence = f"Each name stands over several criteria; read of each: {listed(read)}."
    sentence += f" Not read: {listed(left)}." if left else ""
    weight: Weight = "warning" if left else "note"
    cells = (matrix.table.row_span(matrix.headings.row),)
    return Decision(About.CRITERIA_BELOW_NAMES, cells, sentence, weight, matrix.table.grid.sheet)
