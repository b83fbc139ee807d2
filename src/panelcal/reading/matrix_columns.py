"""Say what of a matrix was left out because of its headings, and refuse what its layout leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from panelcal.errors import Answer
from panelcal.reading.cell_values import label_text
from panelcal.reading.cells_as_said import ask_about_merged
from panelcal.reading.decisions import About, Decision, Weight
from panelcal.reading.direction import Direction, direction_of, people_beside_titles
from panelcal.reading.exclusions import Exclusions, without_score
from panelcal.reading.heading_rows import role_in
from panelcal.reading.headings import Role, names_both, role_of
from panelcal.reading.label_checks import refuse_columns_nothing_has, refuse_names_nothing_has
from panelcal.reading.labels_elsewhere import ShiftedTable
from panelcal.reading.matrix import Matrix
from panelcal.reading.nouns import Nouns, in_sentence, plural, with_article
from panelcal.reading.plausibility.gate import NamedLines
from panelcal.reading.problems import Problems, listed, where
from panelcal.reading.settings import Settings

_BESIDE = "Not read, beside the ids: {}."


def weigh_direction(matrix: Matrix, settings: Settings, problems: Problems) -> list[Decision]:
    """Say, or ask, which way the matrix lies where only its labels tell."""
    table, role = matrix.table, role_in(settings, matrix.corner)
    if settings.layout != "auto" or role not in (Role.OTHER, Role.NAME) or names_both(matrix.corner):
        return []
    rows = [label_text(table.cells[i][matrix.labels.identifier]) for i in matrix.rows.objects]
    columns = [label_text(matrix.headings.headings[j]) for j in matrix.assessors]
    if role is Role.NAME and (table.across or matrix.is_said(settings) or not people_beside_titles(rows, columns)):
        return []  # students and their marks: Name, Mathematics, Physics
    if table.across:
        if direction_of(columns, rows) is not Direction.ACROSS:
            return []
        sentence = (
            f"Each row is an assessor and each column is assessed, going by the labels {columns[0]} to {columns[-1]}."
        )
        return [Decision(About.DIRECTION_BY_LABELS, (), sentence, "warning", table.grid.sheet)]
    direction = Direction.DOWN if matrix.is_said(settings) else direction_of(rows, columns)
    if direction is Direction.PERHAPS_ACROSS:
        sentence = (
            f"The rows of sheet {table.grid.sheet} are called {rows[0]} to {rows[-1]} and its columns {columns[0]} to "
            f"{columns[-1]}, and nothing says which of them assess."
        )
        answers = (
            Answer({"layout": "objects across"}, "take the rows for those who assess"),
            Answer({"layout": "objects down"}, "take the columns for those who assess"),
        )
        problems.ask(table.grid.sheet, sentence, answers)
    if direction is Direction.SILENT and role is Role.OTHER:
        sentence = (
            f"Nothing says whether the rows ({rows[0]} to {rows[-1]}) or the columns ({columns[0]} to {columns[-1]}) "
            f"of sheet {table.grid.sheet} assess: the columns were taken for those who do. To say so, or the contrary, "
            "write what the rows are (such as Talk, or Judge) above the first of them."
        )
        return [Decision(About.DIRECTION_NOT_SAID, (), sentence, "warning", table.grid.sheet)]
    return []


def leave_out_by_heading(
    matrix: Matrix, nouns: Nouns, exclusions: Exclusions, columns: NamedLines, rows: NamedLines
) -> None:
    """Leave out statistics, text columns, repeated headings, notes and the like, each with its reason.

    Parameters
    ----------
    columns, rows
        What the numbers say to the columns and rows that are named as a statistic.
    """
    _leave_out_columns(matrix, nouns, exclusions, columns)
    _leave_out_rows(matrix, nouns, exclusions, rows)
    _say_bridged(matrix, exclusions)
    _say_elsewhere(matrix, exclusions)


def _leave_out_columns(matrix: Matrix, nouns: Nouns, exclusions: Exclusions, columns: NamedLines) -> None:
    headings = matrix.headings.headings

    def out(places: Sequence[int], kind: About, sentence: str, weight: Weight = "note") -> None:
        spelt = listed([label_text(headings[j]) or matrix.table.at(matrix.headings.row, j) for j in places])
        exclusions.leave_out_columns(places, matrix.rows.objects, kind, sentence.replace("{}", spelt), weight)

    if (name := matrix.labels.name) is not None and headings[name] is not None:
        corner = label_text(matrix.corner) or "the ids"
        out([name], About.NAMES_BESIDE_THE_IDS, f"Only shown in the results, beside {corner}: {{}}.")
    out([j for j in matrix.labels.others if headings[j] is not None], About.COLUMN_ABOUT_OBJECTS, _BESIDE)
    lone = [j for j in matrix.statistics if role_of(headings[j]) in (Role.WEIGHT, Role.DEVIATION)]
    sentence = (
        f"Not used: {{}} has one entry per {plural(nouns.object, 1)}, and confidences are needed per "
        f"{plural(nouns.assessor, 1)} (a row) or per {plural(nouns.score, 1)} (a sheet with the same headings)."
    )
    out(lone, About.CONFIDENCE_COLUMN_NOT_USED, sentence, "warning")
    totals = [j for j in matrix.statistics if j not in lone]
    spelt = listed([f"{label_text(headings[j])}{columns.said(j)}" for j in totals])
    out(totals, About.TOTAL_OR_STATISTIC, f"Not read, going by the heading: {spelt}.", columns.weight)
    out(matrix.texts, About.TEXT_COLUMN, "Not read, because there are no numbers below the heading: {}.", "warning")
    out(matrix.excluded, About.LEFT_OUT_BY_NAME, "Left out by name: {}.")
    out(matrix.unheaded, About.TEXT_WITHOUT_HEADING, "Not read: text without a heading.")
    out(list(matrix.paired.values()), About.CONFIDENCES_BESIDE_SCORES, "Read as confidences: {}.", "warning")


def _leave_out_rows(matrix: Matrix, nouns: Nouns, exclusions: Exclusions, named: NamedLines) -> None:
    rows = matrix.rows
    weights = [] if rows.weights is None else [rows.weights]
    called = listed([_first_label(matrix, i) for i in weights])
    sentence = f"Read as confidences, not as scores: {called}."
    exclusions.leave_out_rows(weights, About.CONFIDENCES_IN_A_ROW, sentence, "warning")
    labels = listed([_first_label(matrix, i) for i in rows.excluded])
    exclusions.leave_out_rows(rows.excluded, About.LEFT_OUT_BY_NAME, f"Left out by name: {labels}.")
    labels = listed([f"{_first_label(matrix, i)}{named.said(i)}" for i in rows.statistics])
    sentence = f"Not read, going by the label: {labels}."
    exclusions.leave_out_rows(rows.statistics, About.STATISTICS_ROW, sentence, named.weight)
    exclusions.leave_out_rows(
        rows.repeated, About.REPEATED_HEADINGS, "The headings appear again here; not read as scores."
    )
    exclusions.leave_out_rows(rows.notes, About.NOTE, "Text without scores, below or between the rows; not read.")
    sentence, noun = without_score(len(rows.scoreless), nouns.object, nouns.score), in_sentence(nouns.object)
    exclusions.leave_out_rows(rows.scoreless, About.OBJECT_WITHOUT_SCORE, sentence, noun=noun)


def _say_bridged(matrix: Matrix, exclusions: Exclusions) -> None:
    """Say which blank rows and columns the block goes on across."""
    table = matrix.table
    down, right = ("columns", "rows") if table.across else ("rows", "columns")
    if spans := tuple(table.row_span(i) for i in matrix.rows.bridged):
        sentence = f"Blank {down} end before {listed(spans)}, where the ids go on; read as one block."
        exclusions.say(About.BLANK_ROWS_BRIDGED, sentence, spans, "warning")
    gaps = [k for k in range(1, len(matrix.assessors)) if _apart(matrix, k)]
    if after := tuple(table.at(matrix.headings.row, matrix.assessors[k]) for k in gaps):
        sentence = f"Blank {right} end before {listed(after)}, where the headings go on; read as one block."
        exclusions.say(About.BLANK_COLUMNS_BRIDGED, sentence, after, "note")


def _say_elsewhere(matrix: Matrix, exclusions: Exclusions) -> None:
    """Say where the ids stand behind the scores, or the headings one place to the left of their columns."""
    table, head = matrix.table, matrix.headings.row
    if isinstance(table, ShiftedTable):
        first, last = matrix.assessors[0], matrix.assessors[-1]
        span = table.span((head, first), (head, last))
        sentence = (
            f"The row of headings is one shorter than the others, so each heading in {span} was taken to belong to the "
            "column right of it."
        )
        exclusions.say(About.HEADINGS_SHIFTED, sentence, (span,), "warning")
    elif table.columns[:1] > table.columns[1:2]:
        span = table.span((matrix.rows.objects[0], 0), (matrix.rows.objects[-1], 0))
        exclusions.say(About.IDS_BEHIND_THE_SCORES, f"Named by {span}, behind the scores.", (span,), "note")


def _apart(matrix: Matrix, k: int) -> bool:
    left, right = matrix.assessors[k - 1], matrix.assessors[k]
    numbers = matrix.table.columns[left : right + 1]
    return any(b - a > 1 for a, b in pairwise(numbers))


def _first_label(matrix: Matrix, i: int) -> str:
    row = matrix.table.cells[i]
    return next((label_text(row[j]) for j in matrix.labels.all if row[j] is not None), "")


def refuse_unknown_names(matrix: Matrix, settings: Settings, problems: Problems) -> None:
    """Refuse names that nothing on the sheet has: to leave out, to count in, of what a column holds, of criteria."""
    refuse_columns_nothing_has(matrix.table.grid, matrix.headings.headings, settings, problems)
    if not (settings.exclude or settings.include or settings.scores):
        return
    table, head = matrix.table, matrix.headings.row
    nameless = {j for j in (*matrix.nameless, *matrix.excluded) if matrix.headings.headings[j] is None}
    columns = [
        ("" if j in nameless else matrix.headings.headings[j], table.at(head, j)) for j in range(table.n_columns)
    ]
    columns += [(lower, table.at(head, j)) for j, lower in enumerate(matrix.headings.lower)]
    rows = [(table.cells[i][j], table.at(i, j)) for i in range(table.n_rows) for j in matrix.labels.all]
    rows += [("", table.at(i, matrix.labels.identifier)) for i in range(table.n_rows)]  # rows without an id, by cell
    labels, cells = zip(*[place for place in (*columns, *rows) if place[0] is not None], strict=True)
    refuse_names_nothing_has(labels, cells, table.grid.sheet, settings, problems)


def _ask_about_strays(matrix: Matrix, nouns: Nouns, problems: Problems) -> None:
    """Ask about rows that come after a blank row, or last, and have labels unlike the ids above."""
    table, strays = matrix.table, matrix.rows.strays
    if not strays:
        return
    labels = tuple(dict.fromkeys(_first_label(matrix, i) for i in strays))
    several = len(strays) > 1
    word = ("columns" if several else "column") if table.across else ("rows" if several else "row")
    it, gap = ("them", "come") if several else ("it", "comes")
    after = f"after a blank {'column' if table.across else 'row'}" if table.gap_before(strays[0]) else "last"
    sentence = (
        f"The {word} {listed(labels)} on sheet {table.grid.sheet} ({listed([table.row_span(i) for i in strays])}) "
        f"{gap} {after} and {'have' if several else 'has'} no number in "
        f"the label{'s' if several else ''}, unlike the ids above."
    )
    meant = plural(nouns.object) if several else with_article(nouns.object)
    answers = (Answer({"exclude": labels}, f"leave {it} out"), Answer({"include": labels}, f"count {it} as {meant}"))
    problems.ask(table.grid.sheet, sentence, answers, [table.row_span(i) for i in strays])


def refuse_by_layout(matrix: Matrix, nouns: Nouns, problems: Problems) -> None:
    """Refuse numbers that nothing names, strays below the block and merged cells within it."""
    table, sheet, rows = matrix.table, matrix.table.grid.sheet, matrix.rows
    identifier = matrix.labels.identifier
    thing, assessor, score = plural(nouns.object, 1), plural(nouns.assessor, 1), plural(nouns.score)
    if rows.nameless:
        spans, one = [table.row_span(i) for i in rows.nameless], len(rows.nameless) == 1
        holds = "has" if one and ":" not in spans[0] else "have"
        sentence = (
            f"{where(sheet, spans)} {holds} {score} but no {thing} to go with them: write the "
            f"{thing} among the ids, or what it is (Credits, Mean), or clear it."
        )
        ids = tuple(table.at(i, identifier) for i in rows.nameless)
        problems.ask(sheet, sentence, [Answer({"exclude": ids}, f"leave {'it' if one else 'them'} out")], spans)
    _ask_about_strays(matrix, nouns, problems)
    for j in matrix.nameless:
        span = table.span((rows.objects[0], j), (rows.objects[-1], j))
        sentence = (
            f"{span} on sheet {sheet} has {score} but no heading: write the {assessor} above, or what it is (Total)."
        )
        problems.ask(
            sheet, sentence, [Answer({"exclude": (table.at(matrix.headings.row, j),)}, "leave it out")], [span]
        )
    for i in matrix.headings.unread:
        sentence = (
            f"{where(sheet, [table.row_span(i)])} have numbers above the headings but nothing says what they are: "
            "write Credits (or Weight) to their left, or clear them."
        )
        answer = Answer({"exclude": (table.at(i, identifier),)}, "leave it out")
        problems.ask(sheet, sentence, [answer], [table.row_span(i)])
    body_columns = sorted({identifier, *matrix.assessors})
    ask_about_merged(list(table.merges_within(rows.objects, body_columns)), score, table, problems)
