"""The grant panel's workbooks: an empty long list of reviews, and one filled with a made-up panel."""

from __future__ import annotations

from collections.abc import Sequence

from panelcal.reading.settings import Band, Settings
from panelcal.reporting.forms import EntryCheck
from panelcal.templates.made_up import grant_panel_reviews
from panelcal.templates.template import (
    FIRST_ROW,
    InputSheet,
    Template,
    block_of,
    once,
    run_lines,
    score_is_known,
)

REVIEWS_SHEET = "Reviews"
HEADINGS = ("Proposal", "Reviewer", "Score", "Confidence")
CONFIDENCE_WORDS = ("High", "Medium", "Low")
EMPTY_REVIEWS = 400

GRANT_SETTINGS = Settings(
    object_noun="Proposal",
    assessor_noun="Reviewer",
    score_noun="Score",
    scale_low=1,
    scale_high=10,
    bands=(Band("Fund", 7.5), Band("Discuss", 6.0), Band("Decline", 1.0)),
    borderline_zone=0.5,
    confidence_form="word",
    alert_threshold=1.0,
)

_FOOTER = "Confidential: for the panel"
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


def empty_grant_panel() -> Template:
    """Describe `grant_panel.xlsx`."""
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
    return Template(
        title="Grant panel: reviews to fill in",
        description="One row for each review; for panelcal calibrate.",
        start=("Grant panel", "Start here. Fill in the shaded cells of the sheet Reviews."),
        lines=lines,
        sheets=(_reviews("Reviews", EMPTY_REVIEWS),),
        settings=GRANT_SETTINGS,
        footer=_FOOTER,
    )


def filled_grant_panel() -> Template:
    """Describe `grant_panel_example.xlsx`."""
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
    reviews = [(one.proposal, one.reviewer, one.score, one.confidence) for one in panel.reviews]
    return empty_grant_panel().example(lines, (_reviews("Reviews (made-up data)", len(reviews), reviews),), _MADE_UP)


def _reviews(title: str, rows: int, filled: Sequence[Sequence[str | float | None]] = ()) -> InputSheet:
    score = f"C{FIRST_ROW}"
    return InputSheet(
        REVIEWS_SHEET,
        title,
        "One row for each review. Scores from 1 to 10; blank = no review came.",
        HEADINGS,
        labels=2,
        widths=(16.0, 16.0, 12.0, 16.0),
        rows=rows,
        filled=filled,
        checks=(
            EntryCheck(
                block_of("C", rows),
                "Check this score",
                "A score is a whole or half point on the scale given on the sheet Settings (1 to 10), or one of the "
                "codes listed there. Leave the cell blank if the review has not come.",
                f"AND({score_is_known(score)},IF(ISNUMBER({score}),MOD(2*{score},1)=0,TRUE))",
            ),
            EntryCheck(block_of("D", rows), "Confidence", choices=CONFIDENCE_WORDS),
            once(
                block_of("A", rows, to="B"),
                "AB",
                rows,
                "Review appears twice",
                "This reviewer already has a row for this proposal. Each review needs one row.",
            ),
        ),
    )
