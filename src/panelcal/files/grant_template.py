"""The grant panel's workbooks: an empty long list of reviews, and one filled with a made-up panel."""

from __future__ import annotations

from openpyxl.worksheet.worksheet import Worksheet

from panelcal.files.made_up import MadeUpGrantPanel, grant_panel_reviews
from panelcal.files.template_sheets import (
    TemplateBook,
    add_choice,
    add_settings_sheet,
    add_start_sheet,
    check_input,
    entitle,
    new_book,
    put,
    run_lines,
    score_is_known,
    set_up_printing,
)
from panelcal.reading.settings import Band

REVIEWS_SHEET = "Reviews"
HEADINGS = ("Proposal", "Reviewer", "Score", "Confidence")
CONFIDENCE_WORDS = ("High", "Medium", "Low")
HEADING_ROW, FIRST_ROW = 4, 5
EMPTY_REVIEWS = 400

GRANT_BANDS = (Band("Fund", 7.5), Band("Discuss", 6.0), Band("Decline", 1.0))
GRANT_SETTINGS = {
    "object_noun": "Proposal",
    "assessor_noun": "Reviewer",
    "score_noun": "Score",
    "scale_low": 1,
    "scale_high": 10,
    "borderline_zone": 0.5,
    "confidence_form": "words",
    "alert_threshold": 1.0,
}

_FOOTER = "Confidential: for the panel"
_EXAMPLE_FOOTER = "Example with made-up data"
_MADE_UP = "All data in this workbook are made up: no proposal, reviewer or score in it is real."
_WHAT_IT_IS_FOR = (
    "What it is for",
    "Nobody reads every proposal, and some reviewers score more generously than others. Calibration estimates by how "
    "much, and what each proposal's score would be had all reviewers scored alike. Each reviewer gets one constant, so "
    "the order in which a reviewer put proposals never changes.",
)
_CONFIDENCE = (
    "Confidence",
    "Choose High, Medium or Low: how sure the reviewer is of this score. High counts four times as much as Medium, "
    "Medium four times as much as Low; the ratio is on the sheet Settings.",
)
_SETTINGS = (
    "Settings",
    "The sheet Settings holds the classes (Fund from 7.5, ...), the borderline zone, the codes and other choices, each "
    "with a line of explanation. Change only what differs in your rules.",
)
_PANEL_DECIDES = (
    "Who decides",
    "The panel. The results say what the scores would be on a common scale and how certain that is; nothing is funded "
    "or declined automatically, and a column is left blank for the panel's decision.",
)


def empty_grant_panel() -> TemplateBook:
    """Build `grant_panel.xlsx`."""
    book = new_book("Grant panel: reviews to fill in", "One row for each review; for panelcal calibrate.")
    lines = (
        _WHAT_IT_IS_FOR,
        (
            "One row, one review",
            "On the sheet Reviews, give each review a row, from row 5: the proposal, the reviewer, the score and the "
            "reviewer's confidence. The order of rows does not matter.",
        ),
        (
            "Proposals, reviewers",
            "Write the same proposal or reviewer the same way each time: the rows are put together by these names. "
            "Numbers or initials will do, and are better than names.",
        ),
        (
            "Score",
            "A number from 1 to 10; half points are fine. Leave it blank if the review has not come. n/a or WD "
            "(withdrawn) count as no review; the list of codes is on the sheet Settings.",
        ),
        _CONFIDENCE,
        _SETTINGS,
        *run_lines("grant_panel", REVIEWS_SHEET, "panel", "proposal", "reviewer"),
        _PANEL_DECIDES,
    )
    add_start_sheet(
        book, "Grant panel", "Start here. Fill in the shaded cells of the sheet Reviews.", lines, "", _FOOTER
    )
    sheet = book.workbook.create_sheet(REVIEWS_SHEET)
    entitle(sheet, "Reviews", "One row for each review. Scores from 1 to 10; blank = no review came.")
    _lay_out(sheet, EMPTY_REVIEWS, _FOOTER)
    add_settings_sheet(book, GRANT_SETTINGS, GRANT_BANDS, _FOOTER)
    return book


def filled_grant_panel() -> TemplateBook:
    """Build `grant_panel_example.xlsx`."""
    book = new_book("Grant panel: filled example (made-up data)", f"{_MADE_UP} Example workbook of panelcal.")
    panel = grant_panel_reviews()
    lines = (
        _WHAT_IT_IS_FOR,
        (
            "The sheet Reviews",
            f"{len(panel.reviews)} reviews of {len(panel.proposals)} proposals by {len(panel.reviewers)} reviewers, "
            "3 or 4 for each proposal, one row each: proposal, reviewer, score from 1 to 10, confidence.",
        ),
        (
            "Oddities left in",
            "As in real life: one score is n/a (the reviewer declared an interest), one never came, and one was typed "
            "as text. Cal audit lists how each was read, with its cell.",
        ),
        (
            "What to notice",
            "Some reviewers are generous and some harsh, by more than a point. With 3 or 4 reviews a proposal, whom it "
            "was sent to decides a good part of its average.",
        ),
        _CONFIDENCE,
        _SETTINGS,
        *run_lines("grant_panel_example", REVIEWS_SHEET, "panel", "proposal", "reviewer"),
        _PANEL_DECIDES,
    )
    add_start_sheet(
        book, "Grant panel: a filled example", "Start here, then look at the sheet Reviews.", lines, _MADE_UP,
        _EXAMPLE_FOOTER,
    )  # fmt: skip
    sheet = book.workbook.create_sheet(REVIEWS_SHEET)
    entitle(sheet, "Reviews (made-up data)", "One row for each review. Scores from 1 to 10; blank = no review came.")
    _lay_out(sheet, len(panel.reviews), _EXAMPLE_FOOTER)
    _fill_in(sheet, panel)
    add_settings_sheet(book, GRANT_SETTINGS, GRANT_BANDS, _EXAMPLE_FOOTER)
    return book


def _lay_out(sheet: Worksheet, n_reviews: int, footer: str) -> None:
    last = FIRST_ROW + n_reviews - 1
    for column, heading, width in zip("ABCD", HEADINGS, (16.0, 16.0, 12.0, 16.0), strict=True):
        sheet.column_dimensions[column].width = width
        named = column in "AB"
        put(sheet, f"{column}{HEADING_ROW}", heading, "Panel heading" if named else "Panel centred heading")
        style = "Panel input label" if named else "Panel input"
        for row in range(FIRST_ROW, last + 1):
            put(sheet, f"{column}{row}", None, style)
    sheet.row_dimensions[HEADING_ROW].height = 20.0
    cell = f"C{FIRST_ROW}"
    check_input(
        sheet,
        f"C{FIRST_ROW}:C{last}",
        f"AND({score_is_known(cell)},IF(ISNUMBER({cell}),MOD(2*{cell},1)=0,TRUE))",
        "Check this score",
        "A score is a whole or half point on the scale given on the sheet Settings (1 to 10), or one of the codes "
        "listed there. Leave the cell blank if the review has not come.",
    )
    add_choice(sheet, CONFIDENCE_WORDS, f"D{FIRST_ROW}:D{last}", "Confidence")
    pair = f"COUNTIFS($A${FIRST_ROW}:$A${last},$A{FIRST_ROW},$B${FIRST_ROW}:$B${last},$B{FIRST_ROW})<=1"
    check_input(
        sheet,
        f"A{FIRST_ROW}:B{last}",
        pair,
        "Review appears twice",
        "This reviewer already has a row for this proposal. Each review needs one row.",
    )
    sheet.freeze_panes = f"A{FIRST_ROW}"
    set_up_printing(sheet, footer, portrait=True, rows=f"{HEADING_ROW}:{HEADING_ROW}")


def _fill_in(sheet: Worksheet, panel: MadeUpGrantPanel) -> None:
    for row, review in enumerate(panel.reviews, start=FIRST_ROW):
        values = (review.proposal, review.reviewer, review.score, review.confidence)
        for column, value in zip("ABCD", values, strict=True):
            sheet[f"{column}{row}"].value = value
