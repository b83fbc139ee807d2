"""Turn a sheet of anchors into an `AnchorBank`: names, consensus, labels, and what each agent gave on each date."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from panelcal.frozen import dataclass
from panelcal.reading.anchors.anchor_layout import AnchorSection
from panelcal.reading.anchors.anchor_reading import AnchorBank
from panelcal.reading.anchors.anchor_rows import UNDATED, FoundRows, take_section
from panelcal.reading.anchors.check_dates import Moment
from panelcal.reading.anchors.reviews_sheet import AnchorReviews
from panelcal.reading.decisions import About, Decision
from panelcal.reading.label_checks import near_matches
from panelcal.reading.nouns import Nouns
from panelcal.reading.problems import Problems, listed
from panelcal.reading.score_values import ScoreValues, read_scores
from panelcal.reading.settings import Settings
from panelcal.reading.table import Table, cells_at
from panelcal.reading.terms import Terms


@dataclass(frozen=True, slots=True, eq=False)
class ReadBank:
    """A bank of anchors with what was decided on the way and the cells it was read from.

    `in_calendar` tells whether its dates are calendar dates, not numbers of weeks.
    """

    bank: AnchorBank
    in_calendar: bool
    decisions: tuple[Decision, ...]
    cells_read: tuple[tuple[str, str, Any], ...]


def read_bank(
    table: Table,
    sections: Sequence[AnchorSection],
    settings: Settings,
    bounds: tuple[float, float],
    problems: Problems,
    reviews: AnchorReviews | None = None,
) -> ReadBank | None:
    """Read the anchors.

    Parameters
    ----------
    sections
        As found by `find_anchors`, at least one.
    bounds
        Ends of the scale that a consensus must lie on.
    problems
        Receives everything that stops the reading; None is returned when there is something.
    reviews
        Where the consensus comes from, if it is not typed.
    """
    sheet = table.grid.sheet
    found = FoundRows()
    shown_columns = [section.shown(table) for section in sections] if settings.hidden == "exclude" else sections
    for section in shown_columns:
        take_section(table, section, settings, found, problems)
    if not found.anchors and not problems:
        problems.say(sheet, f"Sheet {sheet} has headings for anchors, but no anchor below them: write some.")
    if problems:
        return None
    if reviews is not None:
        found.leave_out(reviews.left_out)
    # An anchor has one score; ranges such as 60-70 would be taken for a score with its uncertainty.
    plain = replace(settings, confidence_form="weight")
    consensus = _read_column(table, [place for _, place in found.consensus], plain, "consensus", problems)
    values = _read_column(table, [entry.place for entry in found.entries], plain, "score", problems)
    terms = Terms(sheet, settings, problems)
    known = _one_consensus_each(table, found, consensus, reviews, problems)
    known_at = [
        (table.at(*place), number) for (_, place), number in zip(found.consensus, consensus.numbers, strict=True)
    ]
    scored_at = [(table.at(*entry.place), number) for entry, number in zip(found.entries, values.numbers, strict=True)]
    _check_scale(known_at, scored_at, terms, bounds)
    moments = _in_order(table, found, problems)
    _refuse_repeats(table, found, problems)
    if not np.isfinite(values.numbers).any() and not problems:
        problems.say(sheet, f"Sheet {sheet} has anchors, but no agent has scored any: give each agent a column.")
    if problems:
        return None
    bank = replace(_bank(table, found, known, moments, values), reviews=reviews)
    decisions = [*consensus.decisions, *values.decisions, *_decisions(table, sections, found, settings)]
    decisions += near_matches({name: table.at(*place) for name, place in found.anchors.items()}, sheet, "anchors")
    decisions += near_matches({name: table.at(*place) for name, place in found.agents.items()}, sheet, "agents")
    decisions += _unscored(table, bank)
    cells = _cells_read(table, sections, found)
    if reviews is not None:
        decisions += [*reviews.decisions, *_not_in_the_bank(reviews, bank)]
        cells += reviews.cells_read
    return ReadBank(bank, moments[0].is_date, tuple(decisions), tuple(cells))


def _bank(
    table: Table,
    found: FoundRows,
    known: Mapping[str, tuple[float, str]],
    moments: Sequence[Moment],
    values: ScoreValues,
) -> AnchorBank:
    """Put the numbers where they belong."""
    anchors, agents = list(found.anchors), list(found.agents)
    at = {kind: {name: k for k, name in enumerate(names)} for kind, names in (("o", anchors), ("a", agents))}
    times = {moment.order: k for k, moment in enumerate(moments)}
    scores = np.full((len(moments), len(agents), len(anchors)), np.nan)
    for entry, number in zip(found.entries, values.numbers, strict=True):
        scores[times[entry.moment.order], at["a"][entry.agent], at["o"][entry.anchor]] = number
    return AnchorBank(
        sheet=table.grid.sheet,
        ids=tuple(anchors),
        cells=tuple(table.at(*found.anchors[name]) for name in anchors),
        consensus=np.array([known[name][0] for name in anchors]),
        consensus_cells=tuple(known[name][1] for name in anchors),
        tiers=_labels(found, anchors, "tier"),
        clusters=_labels(found, anchors, "cluster"),
        agents=tuple(agents),
        agent_cells=tuple(table.at(*found.agents[name]) for name in agents),
        dates=tuple(moment.label for moment in moments),
        times=np.array([moment.order for moment in moments]),
        scores=scores,
    )


def _read_column(
    table: Table, places: Sequence[tuple[int, int]], settings: Settings, noun: str, problems: Problems
) -> ScoreValues:
    return read_scores(cells_at(table, places), Terms(table.grid.sheet, settings, problems, Nouns(score=noun)))


def _one_consensus_each(
    table: Table, found: FoundRows, values: ScoreValues, reviews: AnchorReviews | None, problems: Problems
) -> dict[str, tuple[float, str]]:
    """Give each anchor its consensus and the cell it stands in; refuse anchors with none or with two."""
    reviewed = {} if reviews is None else reviews.known()
    known: dict[str, tuple[float, str]] = {}
    unread = {name for (name, _), number in zip(found.consensus, values.numbers, strict=True) if np.isnan(number)}
    for (name, place), number in zip(found.consensus, values.numbers, strict=True):
        if np.isnan(number):
            continue
        cell = table.at(*place)
        if reviews is not None and name in reviewed:
            problems.add(
                table.grid.sheet,
                f"{{where}} [holds a|hold] consensus of [an anchor|anchors] with reviews on sheet {reviews.sheet} "
                "({values}): clear [it|them], or take the rows out there.",
                cell,
                name,
            )
            continue
        before = known.setdefault(name, (float(number), cell))
        if before[0] != number:
            problems.add(
                table.grid.sheet,
                "{where} [gives|give] another consensus than an earlier row for the same anchor ({values}): an anchor "
                "has one consensus, so correct [it|them].",
                cell,
                name,
            )
    if problems:
        return known
    known |= reviewed
    for name, place in found.anchors.items():
        if name not in known:
            problems.add(
                table.grid.sheet,
                "{where} [names an anchor|name anchors] without a consensus ({values}): write the known value, or take "
                "the anchor[|s] out."
                if name not in unread
                else "{where} [names an anchor|name anchors] whose consensus is a code ({values}): write the known "
                "value, or take the anchor[|s] out.",
                table.at(*place),
                name,
            )
    return known


def _not_in_the_bank(reviews: AnchorReviews, bank: AnchorBank) -> list[Decision]:
    """Say which reviews are of anchors that no agent's row names."""
    pairs = zip(reviews.anchors, reviews.cells, strict=True)
    strangers = {name: cell for name, cell in pairs if name not in {*bank.ids, *reviews.left_out}}
    if not strangers:
        return []
    sentence = f"Reviewed, but not on sheet {bank.sheet}: {listed(list(strangers))}."
    return [Decision(About.REVIEWED_ONLY, tuple(strangers.values()), sentence, "warning", reviews.sheet)]


def _check_scale(
    consensus: Iterable[tuple[str, float]],
    scores: Iterable[tuple[str, float]],
    terms: Terms,
    bounds: tuple[float, float],
) -> None:
    """Refuse a consensus outside the scale, and scores too where the scale was declared; both with their addresses."""
    low, high = bounds
    declared = terms.settings.scale_low is not None or terms.settings.scale_high is not None
    for cell, number in consensus:
        if number < low or number > high:
            sentence = (
                f"{{where}} [holds a|hold] consensus outside the scale from {low:g} to {high:g}: correct [it|them], or "
                "give the scale on the sheet Settings (Lowest score, Highest score)."
            )
            terms.problems.add(terms.sheet, sentence, cell)
    if not declared:
        return
    for cell, number in scores:
        if number < low or number > high:
            terms.problems.add(terms.sheet, outside_scale(low, high), cell)


def outside_scale(low: float, high: float) -> str:
    """Spell the sentence for scores outside the declared scale, as `Problems.add` takes it."""
    return (
        f"{{where}} [holds a score|hold scores] outside the scale from {low:g} to {high:g} of the sheet Settings: "
        "correct [it|them], or, where agents have scales of their own, leave Lowest score and Highest score blank."
    )


def _in_order(table: Table, found: FoundRows, problems: Problems) -> list[Moment]:
    """Put the dates in order; refuse what has no order."""
    if not found.moments:
        return [UNDATED]
    sheet = table.grid.sheet
    if problems:
        return []
    for place in found.undated:
        problems.add(
            sheet,
            "{where} [names an anchor|name anchors] without a date, while others have one: write when [it was|they "
            "were] scored.",
            table.at(*place),
        )
    dates = [place for place, moment in found.moments.items() if moment.is_date]
    numbers = [place for place, moment in found.moments.items() if not moment.is_date]
    if dates and numbers:
        few = dates if len(dates) <= len(numbers) else numbers
        style = "a date|dates" if few is dates else "a number|numbers"
        for place in few:
            problems.add(
                sheet,
                f"{{where}} [holds {style.replace('|', '|hold ')}] while the others are written in another way: write "
                "all of them as dates, or all of them as numbers of weeks.",
                table.at(*place),
            )
    unique = {moment.order: moment for moment in found.moments.values()}
    return [unique[order] for order in sorted(unique)]


def _refuse_repeats(table: Table, found: FoundRows, problems: Problems) -> None:
    """Refuse a second score of the same anchor by the same agent on the same date."""
    seen: set[tuple[str, str, float]] = set()
    said: set[tuple[int, str]] = set()
    dated = bool(found.moments)
    for entry in found.entries:
        key = (entry.anchor, entry.agent, entry.moment.order)
        row = (entry.place[0], entry.anchor)
        if key in seen and row not in said:
            said.add(row)
            sentence = "{where} [scores an anchor|score anchors] a second time ({values})" + (
                " for the same agent and date: remove [it|them], or correct the date[|s]."
                if dated
                else ": remove [it|them]; where anchors were scored on several dates, add a column Date."
            )
            problems.add(table.grid.sheet, sentence, table.at(*entry.place), entry.anchor)
        seen.add(key)


def _labels(found: FoundRows, anchors: Sequence[str], kind: str) -> tuple[str, ...]:
    if not any(labelled == kind for labelled, _ in found.labels):
        return ()
    return tuple(found.labels.get((kind, name), "") for name in anchors)


def _unscored(table: Table, bank: AnchorBank) -> list[Decision]:
    missing = np.flatnonzero(np.isnan(bank.scores).all(axis=(0, 1)))
    if not len(missing):
        return []
    cells = tuple(bank.cells[k] for k in missing)
    sentence = f"No agent has scored {listed([bank.ids[k] for k in missing])}: not used."
    return [Decision(About.ANCHOR_NOT_SCORED, cells, sentence, "warning", table.grid.sheet)]


def _decisions(table: Table, sections: Sequence[AnchorSection], found: FoundRows, settings: Settings) -> list[Decision]:
    """Say what was left out and what was included although it is hidden."""
    sheet = table.grid.sheet
    decisions: list[Decision] = []

    def columns(places: Sequence[tuple[AnchorSection, int]], kind: About, sentence: str, warn: bool = False) -> None:
        if places:
            cells = tuple(table.at(section.head, j) for section, j in places)
            names = listed([table.label(section.head, j) for section, j in places])
            weight = "warning" if warn else "note"
            decisions.append(Decision(kind, cells, sentence.format(names), weight, sheet))  # type: ignore[arg-type]

    def rows(places: Sequence[int], kind: About, sentence: str, warn: bool = False) -> None:
        if places:
            weight = "warning" if warn else "note"
            spans = tuple(table.row_span(i) for i in places)
            decisions.append(Decision(kind, spans, sentence, weight, sheet))  # type: ignore[arg-type]

    columns(
        [(section, j) for section in sections for j in section.not_read if table.cells[section.head][j] is not None],
        About.COLUMN_NOT_READ,
        "Columns not read, going by the heading: {}.",
    )
    columns(
        [(section, j) for section in sections for j in section.texts],
        About.TEXT_COLUMN,
        "Not read, because there is only text below the heading: {}.",
        warn=True,
    )
    rows(found.statistics, About.STATISTICS_ROW, "Not read, going by the label.")
    rows(found.notes, About.NOTE, "Text without numbers; not read.")
    if found.hidden and settings.hidden == "exclude":
        rows(found.hidden, About.HIDDEN_EXCLUDED, "Hidden rows, left out as the sheet Settings says.", warn=True)
    else:
        rows(found.hidden, About.HIDDEN_INCLUDED, "Hidden rows, read like any other.", warn=True)
    hidden = [
        (section, column.column)
        for section in sections
        for column in section.agents
        if table.is_hidden_column(column.column)
    ]
    if settings.hidden == "exclude":
        columns(hidden, About.HIDDEN_EXCLUDED, "Hidden columns, left out as the sheet Settings says: {}.", warn=True)
    else:
        columns(hidden, About.HIDDEN_INCLUDED, "Hidden columns, read like any other: {}.", warn=True)
    if len(sections) > 1:
        cells = tuple(table.row_span(section.head) for section in sections)
        decisions.append(
            Decision(About.BLOCKS, cells, f"{len(sections)} blocks of anchors below one another.", sheet=sheet)
        )
    return decisions


def _cells_read(table: Table, sections: Sequence[AnchorSection], found: FoundRows) -> list[tuple[str, str, Any]]:
    places = {
        *found.anchors.values(),
        *found.agents.values(),
        *(place for _, place in found.consensus),
        *(entry.place for entry in found.entries),
        *found.moments,
    }
    places |= {
        (i, j)
        for section in sections
        for i in section.rows
        for j in (section.anchor, section.tier, section.cluster)
        if j is not None and table.cells[i][j] is not None
    }
    return [(table.grid.sheet, table.at(i, j), table.cells[i][j]) for i, j in sorted(places)]
