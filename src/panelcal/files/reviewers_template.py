"""The workbooks for reviewer agents: anchors and scores to fill in, and an example with six made-up agents."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_uppercase

from openpyxl.worksheet.worksheet import Worksheet

from panelcal.files.made_up_agents import AGENTS, N_WEEKS, TIERS, MadeUpVenue, reviewer_agents
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
from panelcal.reading.nouns import opening, with_article

ANCHORS_SHEET, SCORES_SHEET = "Anchors", "Scores"
HEADING_ROW, FIRST_ROW = 4, 5
EMPTY_ANCHORS, EMPTY_SCORES = 300, 500
ANCHOR_HEADINGS = ("Anchor", "Tier", "Cluster", "Consensus", "Week")
SCORE_HEADINGS = ("Manuscript", "Week")

REVIEWER_SETTINGS = {
    "object_noun": "Manuscript",
    "assessor_noun": "Agent",
    "score_noun": "Score",
    "scale_low": 0,
    "scale_high": 100,
    "higher_is_better": "lower",
    "method": "anchors",
}

_FOOTER, _EXAMPLE_FOOTER = "Confidential", "Example with made-up data"
_MADE_UP = "All data in this workbook are made up: no agent, manuscript or score in it is real."
_EMPTY_AGENTS = tuple(f"Agent {k}" for k in range(1, 7))
_WHAT_IT_IS_FOR = (
    "What it is for",
    "AI reviewers (or any scorers) give scores on scales of their own, so a 65 from one is not a 65 from another. All "
    "of them also score a fixed set of anchors whose consensus is known; from these, each agent's scores are mapped "
    "onto the scale of the consensus, 0 to 100, and become comparable.",
)
_NAMES = (
    "Names of agents",
    "Spell an agent alike on both sheets. Add or remove columns as you need. An agent that was changed on purpose (a "
    "new model, a new prompt) is best given a new name.",
)
_SETTINGS = (
    "Settings",
    "The sheet Settings says that the method is anchors, that the scale goes from 0 to 100, and that lower scores are "
    "better (severity). Each row has a line of explanation. Change only what differs with you.",
)
_PEOPLE_DECIDE = (
    "Who decides",
    "People. Scores are made comparable, not the reasons behind them: two agents may give the same calibrated 65 for "
    "different reasons. A column is left blank for the decision.",
)


def empty_reviewers() -> TemplateBook:
    """Build `ai_reviewers.xlsx`."""
    book = new_book(
        "AI reviewers: anchors and scores to fill in", "Anchors and agents' scores; for panelcal calibrate."
    )
    lines = (
        _WHAT_IT_IS_FOR,
        (
            "The sheet Anchors",
            "One row for each anchor: its name, its consensus from 0 to 100 and each agent's score. Tier and cluster "
            "may stay blank; with them, panelcal sees where an agent contradicts the consensus. 20 anchors are few, "
            "240 are plenty.",
        ),
        (
            "Weeks",
            "Score the anchors again every week and add the rows below, with the number of the week (or a date). Keep "
            "the old rows: then drift is noticed, slow drift too, and each score is mapped by the anchors of its time. "
            "Blank for one time.",
        ),
        (
            "The sheet Scores",
            "One row for each manuscript to be calibrated: its name and each agent's score; blank = none. A list with "
            "the columns Manuscript, Agent and Score does as well.",
        ),
        _NAMES,
        _SETTINGS,
        *run_lines("ai_reviewers", SCORES_SHEET, "chairs", "manuscript", "agent"),
        _PEOPLE_DECIDE,
    )
    add_start_sheet(
        book, "AI reviewers", "Start here. Fill in the shaded cells of Anchors and Scores.", lines, "", _FOOTER
    )
    anchors = book.workbook.create_sheet(ANCHORS_SHEET)
    entitle(anchors, "Anchors", "One row for each anchor (and week). Scores from 0 to 100; blank = not scored.")
    _lay_out_anchors(anchors, _EMPTY_AGENTS, EMPTY_ANCHORS, _FOOTER)
    scores = book.workbook.create_sheet(SCORES_SHEET)
    entitle(scores, "Scores", "One row for each manuscript. Scores from 0 to 100; blank = not scored.")
    _lay_out_scores(scores, _EMPTY_AGENTS, EMPTY_SCORES, _FOOTER)
    add_settings_sheet(book, REVIEWER_SETTINGS, (), _FOOTER)
    return book


def filled_reviewers() -> TemplateBook:
    """Build `ai_reviewers_example.xlsx`."""
    book = new_book("AI reviewers: filled example (made-up data)", f"{_MADE_UP} Example workbook of panelcal.")
    venue = reviewer_agents()
    lines = (
        _WHAT_IT_IS_FOR,
        (
            "The sheet Anchors",
            f"{len(venue.anchors)} anchors in four tiers and seven clusters, scored by {len(AGENTS)} agents in each of "
            f"{N_WEEKS} weeks: name, tier, cluster, consensus, week, and one column for each agent.",
        ),
        (
            "The sheet Scores",
            f"{len(venue.manuscripts)} manuscripts of these {N_WEEKS} weeks with the agents' scores. Here and there "
            "one is missing; one is n/a, and one was typed as text. Cal audit lists how each was read.",
        ),
        (
            "What to notice",
            "The agents are far apart: one is alarmed by everything, one keeps to the middle. G3 changes in week 4, as "
            "after a new prompt. One anchor has a mistyped consensus, and one looks leaked to an agent.",
        ),
        _NAMES,
        _SETTINGS,
        *run_lines("ai_reviewers_example", SCORES_SHEET, "chairs", "manuscript", "agent"),
        _PEOPLE_DECIDE,
    )
    add_start_sheet(
        book, "AI reviewers: a filled example", "Start here, then look at the sheets Anchors and Scores.", lines,
        _MADE_UP, _EXAMPLE_FOOTER,
    )  # fmt: skip
    anchors = book.workbook.create_sheet(ANCHORS_SHEET)
    entitle(anchors, "Anchors (made-up data)", "One row for each anchor and week. Scores from 0 to 100.")
    _lay_out_anchors(anchors, AGENTS, len(venue.anchors) * N_WEEKS, _EXAMPLE_FOOTER)
    scores = book.workbook.create_sheet(SCORES_SHEET)
    entitle(scores, "Scores (made-up data)", "One row for each manuscript. Scores from 0 to 100; blank = not scored.")
    _lay_out_scores(scores, AGENTS, len(venue.manuscripts), _EXAMPLE_FOOTER)
    _fill_in(anchors, scores, venue)
    add_settings_sheet(book, REVIEWER_SETTINGS, (), _EXAMPLE_FOOTER)
    return book


def _lay_out_anchors(sheet: Worksheet, agents: Sequence[str], n_rows: int, footer: str) -> None:
    last = FIRST_ROW + n_rows - 1
    _head(sheet, (*ANCHOR_HEADINGS, *agents), (12.0, 12.0, 16.0, 13.0, 9.0), last, n_labels=3)
    add_choice(sheet, tuple(tier for tier, _ in TIERS), f"B{FIRST_ROW}:B{last}", "Tier")
    _check_scores(sheet, f"D{FIRST_ROW}:D{last}", f"D{FIRST_ROW}", "consensus")
    first = ascii_uppercase[len(ANCHOR_HEADINGS)]
    _check_scores(sheet, f"{first}{FIRST_ROW}:{_end(ANCHOR_HEADINGS, agents)}{last}", f"{first}{FIRST_ROW}", "score")
    pair = f"COUNTIFS($A${FIRST_ROW}:$A${last},$A{FIRST_ROW},$E${FIRST_ROW}:$E${last},$E{FIRST_ROW})<=1"
    check_input(
        sheet,
        f"A{FIRST_ROW}:A{last}",
        pair,
        "Anchor appears twice",
        "This anchor already has a row for this week. Each anchor needs one row for each week.",
    )
    sheet.freeze_panes = f"B{FIRST_ROW}"
    set_up_printing(sheet, footer, portrait=True, rows=f"{HEADING_ROW}:{HEADING_ROW}")


def _lay_out_scores(sheet: Worksheet, agents: Sequence[str], n_rows: int, footer: str) -> None:
    last = FIRST_ROW + n_rows - 1
    _head(sheet, (*SCORE_HEADINGS, *agents), (16.0, 9.0), last, n_labels=1)
    first = ascii_uppercase[len(SCORE_HEADINGS)]
    _check_scores(sheet, f"{first}{FIRST_ROW}:{_end(SCORE_HEADINGS, agents)}{last}", f"{first}{FIRST_ROW}", "score")
    check_input(
        sheet,
        f"A{FIRST_ROW}:A{last}",
        f"COUNTIF($A${FIRST_ROW}:$A${last},$A{FIRST_ROW})<=1",
        "Manuscript appears twice",
        "This manuscript already has a row. Each manuscript needs one row.",
    )
    sheet.freeze_panes = f"B{FIRST_ROW}"
    set_up_printing(sheet, footer, portrait=True, rows=f"{HEADING_ROW}:{HEADING_ROW}")


def _end(headings: Sequence[str], agents: Sequence[str]) -> str:
    return ascii_uppercase[len(headings) + len(agents) - 1]


def _head(sheet: Worksheet, headings: Sequence[str], widths: Sequence[float], last: int, n_labels: int) -> None:
    """Write the headings and shade the cells below them; the names of agents are for the user to change as well."""
    for k, (column, heading) in enumerate(zip(ascii_uppercase, headings, strict=False)):
        sheet.column_dimensions[column].width = widths[k] if k < len(widths) else 11.0
        label = k < n_labels
        put(sheet, f"{column}{HEADING_ROW}", heading, "Panel heading" if label else "Panel centred heading")
        for row in range(FIRST_ROW, last + 1):
            put(sheet, f"{column}{row}", None, "Panel input label" if label else "Panel input")
    sheet.row_dimensions[HEADING_ROW].height = 20.0


def _check_scores(sheet: Worksheet, block: str, cell: str, noun: str) -> None:
    check_input(
        sheet,
        block,
        score_is_known(cell),
        f"Check this {noun}",
        f"{opening(with_article(noun))} is a number on the scale given on the sheet Settings (0 to 100), or one of "
        "the codes listed there. "
        "Leave the cell blank if there is none.",
    )


def _fill_in(anchors: Worksheet, scores: Worksheet, venue: MadeUpVenue) -> None:
    row = FIRST_ROW
    for week in range(N_WEEKS):
        for anchor in venue.anchors:
            values = (anchor.name, anchor.tier, anchor.cluster, anchor.consensus, week + 1, *anchor.scores[week])
            for column, value in zip(ascii_uppercase, values, strict=False):
                anchors[f"{column}{row}"].value = value
            row += 1
    for row, manuscript in enumerate(venue.manuscripts, start=FIRST_ROW):
        for column, value in zip(ascii_uppercase, (manuscript.name, manuscript.week, *manuscript.scores), strict=False):
            scores[f"{column}{row}"].value = value
