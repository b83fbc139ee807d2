"""The conference prize's workbooks: an empty list of ratings of several features, and one filled by a made-up jury."""

from __future__ import annotations

from openpyxl.worksheet.worksheet import Worksheet

from panelcal.files.made_up_prize import PRIZE_FEATURES, MadeUpPrize, conference_prize_ratings
from panelcal.files.template_sheets import (
    TemplateBook,
    add_settings_sheet,
    add_start_sheet,
    check_input,
    entitle,
    new_book,
    put,
    score_is_known,
    set_up_printing,
)

RATINGS_SHEET = "Ratings"
HEADINGS = ("Talk", "Category", "Judge", *PRIZE_FEATURES)
HEADING_ROW, FIRST_ROW = 4, 5
EMPTY_ROWS = 400
PRIZE_SETTINGS = {
    "object_noun": "Talk",
    "assessor_noun": "Judge",
    "score_noun": "Rating",
    "scale_low": 1,
    "scale_high": 5,
    "method": "ordinal",
}

_LETTERS = "ABCDEF"
_FOOTER = "Confidential: for the jury"
_EXAMPLE_FOOTER = "Example with made-up data"
_MADE_UP = "All data in this workbook are made up: no talk, judge or rating in it is real."
_WHAT_IT_IS_FOR = (
    "What it is for",
    "Not every judge hears every talk, and judges use a scale from 1 to 5 in their own ways: some hardly give a 5, "
    "some give little else. panelcal finds out how each judge uses the scale, and says which talks could be the best "
    "and which cannot be told apart.",
)
_FEATURES = (
    "Features",
    "Content, Delivery and Originality are examples. Change the headings as you like, and write the same names, with "
    "how much each counts, in the table Feature on the sheet Settings. One feature is enough.",
)
_CATEGORIES = (
    "Prizes",
    "Category says which prize a talk competes for, such as Open or Student; write the same in every row of a talk, or "
    "clear the column if there is one prize. All talks are rated on one scale; the best of each category is named.",
)
_JUDGES = (
    "Judges for each talk",
    "Four judges a talk are a good plan, one says little. Mix them: two judges can only be compared through talks that "
    "both heard. Keep judges away from talks of their own group. From a list of talks and one of judges, panelcal plan "
    "FILE --per-object 4 proposes who hears what.",
)
_SETTINGS = (
    "Settings",
    "The sheet Settings holds the scale, the places to award, the features and their weights, words for ratings and "
    "other choices, each with a line of explanation. Its Method is ordinal.",
)
_JURY_DECIDES = (
    "Who decides",
    "The jury. The results say who could be the best and how surely; usually several could, and then the choice among "
    "them is the jury's. No prize is awarded automatically, and a column is left blank for the decision.",
)


def empty_prize() -> TemplateBook:
    """Build `conference_prize.xlsx`."""
    book = new_book(
        "Conference prize: ratings to fill in", "One row for each talk a judge heard; for panelcal calibrate."
    )
    lines = (
        _WHAT_IT_IS_FOR,
        (
            "One row, one talk heard",
            "On the sheet Ratings, give each talk that a judge heard a row, from row 5: the talk, its category, the "
            "judge and one rating for each feature. The order of rows does not matter.",
        ),
        (
            "Ratings",
            "Whole numbers from 1 (lowest) to 5 (highest). Leave a cell blank if a feature was not rated; n/a counts "
            "as not rated, too. Write talks and judges the same way each time: rows are put together by these names.",
        ),
        _FEATURES,
        _CATEGORIES,
        _JUDGES,
        _SETTINGS,
        *_run_lines("conference_prize"),
        _JURY_DECIDES,
    )
    add_start_sheet(
        book, "Conference prize", "Start here. Fill in the shaded cells of the sheet Ratings.", lines, "", _FOOTER
    )
    sheet = book.workbook.create_sheet(RATINGS_SHEET)
    entitle(sheet, "Ratings", "One row for each talk a judge heard. Ratings from 1 to 5; blank = not rated.")
    _lay_out(sheet, EMPTY_ROWS, _FOOTER)
    _add_settings(book, _FOOTER)
    return book


def filled_prize() -> TemplateBook:
    """Build `conference_prize_example.xlsx`."""
    book = new_book("Conference prize: filled example (made-up data)", f"{_MADE_UP} Example workbook of panelcal.")
    prize = conference_prize_ratings()
    students = len({line.talk for line in prize.lines if line.category == "Student"})
    lines = (
        _WHAT_IT_IS_FOR,
        (
            "The sheet Ratings",
            f"{len(prize.talks)} talks, {students} of them for the student prize, heard by {len(prize.judges)} judges, "
            f"four for each talk: {len(prize.lines)} rows with a rating of Content, Delivery and Originality each.",
        ),
        (
            "Oddities left in",
            "As in real life: one judge did not hear a talk after all (n/a), one rating was forgotten, and one was "
            "typed as text. Cal audit lists how each was read, with its cell.",
        ),
        (
            "What to notice",
            "Some judges hardly give a 5. Who heard a talk decides a good part of its average, so a talk may have "
            "the highest average and not be the likeliest winner.",
        ),
        _FEATURES,
        _CATEGORIES,
        _SETTINGS,
        *_run_lines("conference_prize_example"),
        _JURY_DECIDES,
    )
    add_start_sheet(
        book, "Conference prize: a filled example", "Start here, then look at the sheet Ratings.", lines, _MADE_UP,
        _EXAMPLE_FOOTER,
    )  # fmt: skip
    sheet = book.workbook.create_sheet(RATINGS_SHEET)
    entitle(
        sheet, "Ratings (made-up data)", "One row for each talk a judge heard. Ratings from 1 to 5; blank = not rated."
    )
    _lay_out(sheet, len(prize.lines), _EXAMPLE_FOOTER)
    _fill_in(sheet, prize)
    _add_settings(book, _EXAMPLE_FOOTER)
    return book


def _add_settings(book: TemplateBook, footer: str) -> None:
    add_settings_sheet(book, PRIZE_SETTINGS, (), footer, features=[(name, 1) for name in PRIZE_FEATURES])


def _run_lines(name: str) -> tuple[tuple[str, str], ...]:
    """Spell the lines of "Start here" that say how to run, and what comes out."""
    return (
        (
            "Calibrate it",
            "Save and close the workbook. In a terminal opened in its folder, type: "
            f"panelcal calibrate {name}.xlsx (panelcal check {name}.xlsx only says what would be read). Or, with the "
            f"Excel add-in, open the sheet {RATINGS_SHEET} and click Calibrate. It takes some seconds.",
        ),
        (
            "What comes out",
            f"A new workbook, {name}-calibrated.xlsx: your sheets, and behind them Cal summary (one page for the "
            "jury), Cal values (each talk with the chance of being the best, and why), Cal assessors (how each judge "
            "uses the scale), and what more judges would buy. This file is never changed.",
        ),
    )


def _lay_out(sheet: Worksheet, n_rows: int, footer: str) -> None:
    last = FIRST_ROW + n_rows - 1
    named = _LETTERS[:3]
    for column, heading in zip(_LETTERS, HEADINGS, strict=True):
        sheet.column_dimensions[column].width = 14.0
        put(sheet, f"{column}{HEADING_ROW}", heading, "Panel heading" if column in named else "Panel centred heading")
        style = "Panel input label" if column in named else "Panel input"
        for row in range(FIRST_ROW, last + 1):
            put(sheet, f"{column}{row}", None, style)
    sheet.row_dimensions[HEADING_ROW].height = 20.0
    cell = f"D{FIRST_ROW}"
    check_input(
        sheet,
        f"D{FIRST_ROW}:{_LETTERS[-1]}{last}",
        f"AND({score_is_known(cell)},IF(ISNUMBER({cell}),MOD({cell},1)=0,TRUE))",
        "Check this rating",
        "A rating is a whole number on the scale given on the sheet Settings (1 to 5), or one of the codes listed "
        "there. Leave the cell blank if this was not rated.",
    )
    talk, category, judge = (f"${column}${FIRST_ROW}:${column}${last}" for column in named)
    check_input(
        sheet,
        f"B{FIRST_ROW}:B{last}",
        f'COUNTIFS({talk},$A{FIRST_ROW},{category},"<>"&$B{FIRST_ROW},{category},"<>")=0',
        "Another category",
        "This talk has another category in an earlier row. A talk competes in one category.",
    )
    for column in ("A", "C"):
        check_input(
            sheet,
            f"{column}{FIRST_ROW}:{column}{last}",
            f"COUNTIFS({talk},$A{FIRST_ROW},{judge},$C{FIRST_ROW})<=1",
            "Judge appears twice",
            "This judge already has a row for this talk. Each judge needs one row for each talk heard.",
        )
    sheet.freeze_panes = f"A{FIRST_ROW}"
    set_up_printing(sheet, footer, portrait=True, rows=f"{HEADING_ROW}:{HEADING_ROW}")


def _fill_in(sheet: Worksheet, prize: MadeUpPrize) -> None:
    for row, line in enumerate(prize.lines, start=FIRST_ROW):
        values = (line.talk, line.category, line.judge, *line.ratings)
        for column, value in zip(_LETTERS, values, strict=True):
            sheet[f"{column}{row}"].value = value
