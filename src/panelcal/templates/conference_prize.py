"""The conference prize's workbooks: an empty list of ratings of several features, and one filled by a made-up jury."""

from __future__ import annotations

from collections.abc import Sequence

from panelcal.reading.grid import column_letters
from panelcal.reading.settings import Settings
from panelcal.reporting.forms import EntryCheck
from panelcal.templates.made_up_prize import PRIZE_FEATURES, conference_prize_ratings
from panelcal.templates.template import (
    FIRST_ROW,
    InputSheet,
    Line,
    Template,
    block_of,
    calibrate_line,
    fixed,
    once,
    score_is_known,
    whose_they_are,
)

RATINGS_SHEET = "Ratings"
HEADINGS = ("Talk", "Category", "Judge", *PRIZE_FEATURES)
EMPTY_ROWS = 400
PRIZE_SETTINGS = Settings(
    object_noun="Talk",
    assessor_noun="Judge",
    score_noun="Rating",
    scale_low=1,
    scale_high=5,
    method="ordinal",
    feature_weights=dict.fromkeys(PRIZE_FEATURES, 1),
)

_FOOTER = "Confidential: for the jury"
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


def empty_prize() -> Template:
    """Describe `conference_prize.xlsx`."""
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
    return Template(
        title="Conference prize: ratings to fill in",
        description="One row for each talk a judge heard; for panelcal calibrate.",
        start=("Conference prize", "Start here. Fill in the shaded cells of the sheet Ratings."),
        lines=lines,
        sheets=(_ratings("Ratings", EMPTY_ROWS),),
        settings=PRIZE_SETTINGS,
        footer=_FOOTER,
    )


def filled_prize() -> Template:
    """Describe `conference_prize_example.xlsx`."""
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
    ratings = [(line.talk, line.category, line.judge, *line.ratings) for line in prize.lines]
    return empty_prize().example(lines, (_ratings("Ratings (made-up data)", len(ratings), ratings),), _MADE_UP)


def _run_lines(name: str) -> tuple[Line, ...]:
    """Spell the lines of "Start here" that say how to run, and what comes out."""
    return (
        calibrate_line(
            name,
            RATINGS_SHEET,
            f" It takes some seconds. There, panelcal check {name}.xlsx only says what would be read.",
        ),
        (
            "What comes out",
            "After your sheets come Cal summary (one page for the jury), Cal values (each talk with the chance of "
            "being the best, and why), Cal assessors (how each judge uses the scale), and what more judges would buy. "
            f"{whose_they_are(name)}",
        ),
    )


def _ratings(title: str, rows: int, filled: Sequence[Sequence[str | int | None]] = ()) -> InputSheet:
    judged, talk, category = f"D{FIRST_ROW}", fixed("A", rows), fixed("B", rows)
    last = column_letters(len(HEADINGS))
    twice = "This judge already has a row for this talk. Each judge needs one row for each talk heard."
    return InputSheet(
        RATINGS_SHEET,
        title,
        "One row for each talk a judge heard. Ratings from 1 to 5; blank = not rated.",
        HEADINGS,
        labels=3,
        widths=(14.0,),
        rows=rows,
        filled=filled,
        checks=(
            EntryCheck(
                block_of("D", rows, to=last),
                "Check this rating",
                "A rating is a whole number on the scale given on the sheet Settings (1 to 5), or one of the codes "
                "listed there. Leave the cell blank if this was not rated.",
                f"AND({score_is_known(judged)},IF(ISNUMBER({judged}),MOD({judged},1)=0,TRUE))",
            ),
            EntryCheck(
                block_of("B", rows),
                "Another category",
                "This talk has another category in an earlier row. A talk competes in one category.",
                f'COUNTIFS({talk},$A{FIRST_ROW},{category},"<>"&$B{FIRST_ROW},{category},"<>")=0',
            ),
            *(once(block_of(column, rows), "AC", rows, "Judge appears twice", twice) for column in "AC"),
        ),
    )
