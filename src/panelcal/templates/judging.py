"""Workbooks of judging panels: one way to describe an empty and a filled one, whatever is judged.

A panel is data (`judging_panels`). Its sheet is a list with a row for each assessment, or a table with the assessors
across.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from panelcal.frozen import dataclass
from panelcal.reading.grid import column_letters
from panelcal.reading.nouns import counted, in_sentence, opening, plural, plural_of, with_article
from panelcal.reading.settings import Settings
from panelcal.reporting.forms import EntryCheck
from panelcal.templates.made_up_judging import Cell, Drawing, MadeUpJudges, made_up_judges
from panelcal.templates.template import (
    FIRST_ROW,
    HEADING_ROW,
    InputSheet,
    Line,
    Template,
    block_of,
    once,
    run_lines,
    score_is_known,
)

_CONFIDENCE_WORDS = ("High", "Medium", "Low")
_EMPTY_ROWS, _EMPTY_OBJECTS, _EMPTY_ASSESSORS = 400, 100, 24


@dataclass(frozen=True, slots=True)
class JudgingPanel:
    """What is particular to a kind of panel.

    Attributes
    ----------
    name, title
        Of the files, and of the panel as a heading.
    sheet
        Name of the sheet to fill in.
    settings
        With the nouns, the scale, classes, codes and words for scores.
    deciders
        Who gets the results, in the singular.
    purpose
        Why scores need calibrating here: one sentence.
    scores
        What a score is.
    advice
        What to know before scores are collected.
    notice
        What there is to see in the filled example.
    drawing
        How the example is made up.
    across
        Whether the assessors stand across, rather than one assessment in each row.
    words
        How a number is written on the sheet where scores are words.
    """

    name: str
    title: str
    sheet: str
    settings: Settings
    deciders: str
    purpose: str
    scores: str
    advice: Line
    notice: str
    drawing: Drawing
    across: bool = False
    words: Mapping[float, str] | None = None


def empty_judging(panel: JudgingPanel) -> Template:
    """Describe the empty workbook of a panel."""
    thing, judge = in_sentence(panel.settings.object_noun), in_sentence(panel.settings.assessor_noun)
    if panel.across:
        rows: Line = (
            "Rows and columns",
            f"On the sheet {panel.sheet}, put the {plural(thing)} down column A, from A{FIRST_ROW}, and the "
            f"{plural(judge)} across row {HEADING_ROW}, from B{HEADING_ROW}. Each cell holds one "
            f"{in_sentence(panel.settings.score_noun)}.",
        )
    else:
        rows = (
            "One row, one assessment",
            f"On the sheet {panel.sheet}, give each {thing} that {with_article(judge)} assessed a row, from row "
            f"{FIRST_ROW}. The order of rows does not matter.",
        )
    names = (
        "Names",
        f"Write the same {thing} or {judge} the same way each time. Numbers or initials will do, and are better than "
        "names.",
    )
    lines = (
        _purpose(panel),
        rows,
        names,
        (plural_of(panel.settings.score_noun), panel.scores),
        panel.advice,
        _settings(panel),
    )
    return Template(
        title=f"{panel.title}: to fill in",
        description=f"{panel.title}, for panelcal calibrate.",
        start=(panel.title, f"Start here. Fill in the shaded cells of the sheet {panel.sheet}."),
        lines=(*lines, *run_lines(panel.name, panel.sheet, panel.deciders, thing, judge), _who_decides(panel)),
        sheets=(_input_sheet(panel, panel.title),),
        settings=panel.settings,
        footer=f"Confidential: for the {panel.deciders}",
    )


def filled_judging(panel: JudgingPanel) -> Template:
    """Describe the filled example of a panel."""
    settings, made_up = panel.settings, made_up_judges(panel.drawing)
    thing, judge, score = (
        in_sentence(noun) for noun in (settings.object_noun, settings.assessor_noun, settings.score_noun)
    )
    count, lines = panel.drawing.coded, made_up.lines
    coded = f"{counted(count, 'cell')} {'holds' if count == 1 else 'hold'} the code {panel.drawing.code}"
    about = (
        _purpose(panel),
        (
            f"The sheet {panel.sheet}",
            f"{counted(len(made_up.objects), thing)}, {counted(len(made_up.assessors), judge)}, "
            f"{counted(len(lines), 'assessment')}. {panel.scores}",
        ),
        (
            "Oddities left in",
            f"As in real life: {coded}, one {score} never came, and one was typed as text. Cal audit lists how each "
            "was read, with its cell.",
        ),
        ("What to notice", panel.notice),
        panel.advice,
        _settings(panel),
        *run_lines(f"{panel.name}_example", panel.sheet, panel.deciders, thing, judge),
        _who_decides(panel),
    )
    sheet = _input_sheet(panel, f"{panel.title} (made-up data)", made_up)
    notice = f"All data in this workbook are made up: no {thing}, {judge} or {score} in it is real."
    return empty_judging(panel).example(about, (sheet,), notice)


def _purpose(panel: JudgingPanel) -> Line:
    settings = panel.settings
    thing, judge, score = (
        in_sentence(noun) for noun in (settings.object_noun, settings.assessor_noun, settings.score_noun)
    )
    return (
        "What it is for",
        f"{panel.purpose} Calibration estimates by how much some {plural(judge)} are more generous than others, and "
        f"what each {thing}'s {score} would be had all scored alike. Each {judge} gets one constant"
        f"{' for each criterion' if panel.drawing.criteria else ''}, so the order in which {with_article(judge)} put "
        f"{plural(thing)} never changes.",
    )


def _settings(panel: JudgingPanel) -> Line:
    settings = panel.settings
    low, high = settings.scale_low, settings.scale_high
    classes = (
        f", the classes ({settings.bands[0].name} from {settings.bands[0].lowest:g}, ...)" if settings.bands else ""
    )
    return (
        "Settings",
        f"The sheet Settings holds the scale ({low:g} to {high:g}){classes}, the codes for cells without a score and "
        "other choices, each with a line of explanation. Change only what differs in your rules.",
    )


def _who_decides(panel: JudgingPanel) -> Line:
    scores = plural(in_sentence(panel.settings.score_noun))
    return (
        "Who decides",
        f"The {panel.deciders}. The results say what the {scores} would be on a common scale and how certain that is; "
        "nothing is decided automatically, and a column is left blank for the decision.",
    )


def _input_sheet(panel: JudgingPanel, title: str, made_up: MadeUpJudges | None = None) -> InputSheet:
    return (_table if panel.across else _list)(panel, title, made_up)


def _table(panel: JudgingPanel, title: str, made_up: MadeUpJudges | None) -> InputSheet:
    """Objects down, assessors across."""
    settings = panel.settings
    thing, judge = settings.object_noun, settings.assessor_noun
    heads: Sequence[str | None] = (None,) * _EMPTY_ASSESSORS if made_up is None else made_up.assessors
    rows = _EMPTY_OBJECTS if made_up is None else len(made_up.objects)
    right = column_letters(1 + len(heads))
    filled: list[list[Cell]] = []
    if made_up is not None:
        given = {(line.object, line.assessor): line.scores[0] for line in made_up.lines}
        filled = [[name, *(given.get((name, one)) for one in made_up.assessors)] for name in made_up.objects]
    across = f"$B${HEADING_ROW}:${right}${HEADING_ROW}"
    return InputSheet(
        panel.sheet,
        title,
        f"{opening(plural(thing))} down{' from A5' if made_up is None else ''}, {plural(judge)} across"
        f"{' from B4' if made_up is None else ''}. Blank = not assessed.",
        (thing, *heads),
        labels=1,
        widths=(18.0, 7.0),
        rows=rows,
        filled=filled,
        turned=60.0,
        frozen=(FIRST_ROW, 2),
        checks=(
            _score_check(panel, block_of("B", rows, to=right), f"B{FIRST_ROW}"),
            EntryCheck(
                across.replace("$", ""),
                "Appears twice",
                f"This {in_sentence(judge)} stands in another column as well. Each needs one column.",
                f"COUNTIF({across},B{HEADING_ROW})=1",
            ),
            once(
                block_of("A", rows),
                "A",
                rows,
                "Appears twice",
                f"This {in_sentence(thing)} stands in another row as well.",
            ),
        ),
    )


def _list(panel: JudgingPanel, title: str, made_up: MadeUpJudges | None) -> InputSheet:
    """One row for each assessment, a column for each criterion where there are some."""
    settings, rows = panel.settings, _EMPTY_ROWS if made_up is None else len(made_up.lines)
    thing, judge = settings.object_noun, settings.assessor_noun
    scores = panel.drawing.criteria or (settings.score_noun,)
    last = column_letters(2 + len(scores))
    checks = [
        _score_check(panel, block_of("C", rows, to=last), f"C{FIRST_ROW}"),
        once(
            block_of("A", rows, to="B"),
            "AB",
            rows,
            "Appears twice",
            f"This {in_sentence(judge)} already has a row for this {in_sentence(thing)}.",
        ),
    ]
    if panel.drawing.with_confidence:
        confidence = column_letters(3 + len(scores))
        checks.append(EntryCheck(block_of(confidence, rows), "Confidence", choices=_CONFIDENCE_WORDS))
    filled = [
        [
            line.object,
            line.assessor,
            *(_written(panel, score) for score in line.scores),
            *([line.confidence] if panel.drawing.with_confidence else []),
        ]
        for line in (made_up.lines if made_up else ())
    ]
    return InputSheet(
        panel.sheet,
        title,
        f"One row for each {in_sentence(thing)} that {with_article(judge)} assessed. Blank = not assessed.",
        (thing, judge, *scores, *(["Confidence"] if panel.drawing.with_confidence else [])),
        labels=2,
        widths=(16.0,),
        rows=rows,
        filled=filled,
        checks=tuple(checks),
    )


def _score_check(panel: JudgingPanel, block: str, cell: str) -> EntryCheck:
    settings = panel.settings
    known = score_is_known(cell)
    if panel.words:
        words = ",".join(f'EXACT({cell},"{word}")' for word in panel.words.values())
        known = f"OR({known},{words})"
    return EntryCheck(
        block,
        "Check this cell",
        f"{opening(with_article(settings.score_noun))} is on the scale given on the sheet Settings, or one of the "
        "codes listed there. Leave the cell blank if there is none.",
        known,
    )


def _written(panel: JudgingPanel, score: Cell) -> Cell:
    """Spell a score as the panel writes it."""
    return panel.words[score] if panel.words and isinstance(score, int | float) else score
