"""The workbooks for reviewer agents: anchors and scores to fill in, and an example with six made-up agents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from panelcal.reading.anchors.reviews_sheet import ADJUDICATED, AVERAGES, REVIEWS_SHEET, RULE_LABELS, UNRESOLVED
from panelcal.reading.grid import column_letters
from panelcal.reading.nouns import opening, with_article
from panelcal.reading.settings import Settings
from panelcal.reporting.forms import EntryCheck
from panelcal.templates.made_up_agents import ADJUDICATED_FROM, AGENTS, N_WEEKS, TIERS, reviewer_agents
from panelcal.templates.template import (
    FIRST_ROW,
    InputSheet,
    Template,
    block_of,
    once,
    run_lines,
    score_is_known,
)

ANCHORS_SHEET, SCORES_SHEET = "Anchors", "Scores"
EMPTY_ANCHORS, EMPTY_SCORES = 300, 500
ANCHOR_HEADINGS = ("Anchor", "Tier", "Cluster", "Consensus", "Week")
SCORE_HEADINGS = ("Manuscript", "Week")

REVIEWER_SETTINGS = Settings(
    object_noun="Manuscript",
    assessor_noun="Agent",
    score_noun="Score",
    scale_low=0,
    scale_high=100,
    higher_is_better=False,
    direction_given=True,
    method="anchors",
)

_FOOTER = "Confidential"
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


def empty_reviewers() -> Template:
    """Describe `ai_reviewers.xlsx`."""
    lines = (
        _WHAT_IT_IS_FOR,
        (
            "The sheet Anchors",
            "One row for each anchor: its name, its consensus from 0 to 100 and each agent's score. Tier and cluster "
            "may stay blank; with them, panelcal sees where an agent contradicts the consensus. 20 anchors are few, "
            "240 are plenty. Or leave the consensus blank, and give the reviews it comes from on the sheet Reviews.",
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
    return Template(
        title="AI reviewers: anchors and scores to fill in",
        description="Anchors and agents' scores; for panelcal calibrate.",
        start=("AI reviewers", "Start here. Fill in the shaded cells of Anchors and Scores."),
        lines=lines,
        sheets=(
            _anchors("Anchors", "(and week). Scores from 0 to 100; blank = not scored.", _EMPTY_AGENTS, EMPTY_ANCHORS),
            _reviews("Reviews of the anchors", EMPTY_ANCHORS),
            _scores("Scores", _EMPTY_AGENTS, EMPTY_SCORES),
        ),
        settings=REVIEWER_SETTINGS,
        footer=_FOOTER,
    )


def filled_reviewers() -> Template:
    """Describe `ai_reviewers_example.xlsx`."""
    venue = reviewer_agents()
    lines = (
        _WHAT_IT_IS_FOR,
        (
            "Anchors and Reviews",
            f"{len(venue.anchors)} anchors in four tiers and seven clusters, scored by {len(AGENTS)} agents in each of "
            f"{N_WEEKS} weeks. The consensus is from the sheet Reviews: the mean of three people's reviews, or where "
            f"they are {ADJUDICATED_FROM} or more points apart, what an adjudicator said.",
        ),
        (
            "The sheet Scores",
            f"{len(venue.manuscripts)} manuscripts of these {N_WEEKS} weeks with the agents' scores. Here and there "
            "one is missing; one is n/a, and one was typed as text. Cal audit lists how each was read.",
        ),
        (
            "What to notice",
            "The agents are far apart: one is alarmed by everything, one keeps to the middle. G3 changes in week 4, as "
            "after a new prompt. What the adjudicator said of one anchor is mistyped, and one anchor looks leaked.",
        ),
        _NAMES,
        _SETTINGS,
        *run_lines("ai_reviewers_example", SCORES_SHEET, "chairs", "manuscript", "agent"),
        _PEOPLE_DECIDE,
    )
    anchors = [
        (anchor.name, anchor.tier, anchor.cluster, None, week + 1, *anchor.scores[week])
        for week in range(N_WEEKS)
        for anchor in venue.anchors
    ]
    reviews = [(anchor.name, *anchor.reviews, anchor.adjudicated) for anchor in venue.anchors]
    scores = [(manuscript.name, manuscript.week, *manuscript.scores) for manuscript in venue.manuscripts]
    return empty_reviewers().example(
        lines,
        (
            _anchors("Anchors (made-up data)", "and week. Scores from 0 to 100.", AGENTS, len(anchors), anchors),
            _reviews("Reviews of the anchors (made-up data)", len(reviews), reviews),
            _scores("Scores (made-up data)", AGENTS, len(scores), scores),
        ),
        _MADE_UP,
    )


def _anchors(
    title: str, what: str, agents: Sequence[str], rows: int, filled: Sequence[Sequence[Any]] = ()
) -> InputSheet:
    headings = (*ANCHOR_HEADINGS, *agents)
    return InputSheet(
        ANCHORS_SHEET,
        title,
        f"One row for each anchor {what}",
        headings,
        labels=3,
        widths=(11.0, 11.0, 14.0, 12.5, 9.0, 9.5),
        rows=rows,
        filled=filled,
        frozen=(FIRST_ROW, 2),
        checks=(
            EntryCheck(block_of("B", rows), "Tier", choices=[tier for tier, _ in TIERS]),
            _known("D", "D", rows, "consensus"),
            _known(column_letters(len(ANCHOR_HEADINGS) + 1), column_letters(len(headings)), rows, "score"),
            once(
                block_of("A", rows),
                "AE",
                rows,
                "Anchor appears twice",
                "This anchor already has a row for this week. Each anchor needs one row for each week.",
            ),
        ),
    )


def _reviews(title: str, rows: int, filled: Sequence[Sequence[Any]] = ()) -> InputSheet:
    headings = ("Anchor", "Reviewer 1", "Reviewer 2", "Reviewer 3", ADJUDICATED, "Remark")
    usual = (ADJUDICATED_FROM, "mean", "stop")
    return InputSheet(
        REVIEWS_SHEET,
        title,
        "For anchors without a consensus: reviews from 0 to 100, and an adjudicator's where they are far apart.",
        headings,
        labels=1,
        widths=(28.0, 13.0, 13.0, 13.0, 16.0, 13.0),
        rows=rows,
        filled=[(*row, None) for row in filled],
        above=tuple(cell for rule in zip(RULE_LABELS, usual, strict=True) for cell in rule),
        above_labels=(0, 2, 4),
        frozen=(FIRST_ROW, 2),
        checks=(
            _known("B", "E", rows, "review"),
            once(block_of("A", rows), "A", rows, "Anchor appears twice", "This anchor already has a row."),
            EntryCheck("D3", RULE_LABELS[1], choices=AVERAGES),
            EntryCheck("F3", RULE_LABELS[2], choices=UNRESOLVED),
        ),
    )


def _scores(title: str, agents: Sequence[str], rows: int, filled: Sequence[Sequence[Any]] = ()) -> InputSheet:
    headings = (*SCORE_HEADINGS, *agents)
    return InputSheet(
        SCORES_SHEET,
        title,
        "One row for each manuscript. Scores from 0 to 100; blank = not scored.",
        headings,
        labels=1,
        widths=(16.0, 9.0, 11.0),
        rows=rows,
        filled=filled,
        frozen=(FIRST_ROW, 2),
        checks=(
            _known(column_letters(len(SCORE_HEADINGS) + 1), column_letters(len(headings)), rows, "score"),
            once(
                block_of("A", rows),
                "A",
                rows,
                "Manuscript appears twice",
                "This manuscript already has a row. Each manuscript needs one row.",
            ),
        ),
    )


def _known(first: str, last: str, rows: int, noun: str) -> EntryCheck:
    """Ask for a number on the scale, or a code, in the columns from the first to the last."""
    return EntryCheck(
        block_of(first, rows, to=last),
        f"Check this {noun}",
        f"{opening(with_article(noun))} is a number on the scale given on the sheet Settings (0 to 100), or one of "
        "the codes listed there. Leave the cell blank if there is none.",
        score_is_known(f"{first}{FIRST_ROW}"),
    )
