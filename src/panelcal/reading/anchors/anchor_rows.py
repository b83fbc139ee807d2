"""Sort the rows of a sheet of anchors and take what they hold: names, labels, cells with scores, dates."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from panelcal.reading.anchors.anchor_layout import AnchorSection
from panelcal.reading.anchors.check_dates import Moment, moment_of
from panelcal.reading.cell_values import label_text, shown
from panelcal.reading.grid import CellError, Uncalculated
from panelcal.reading.headings import is_statistic
from panelcal.reading.problems import Problems
from panelcal.reading.settings import Settings
from panelcal.reading.table import Table

UNDATED = Moment(False, 0.0, "")


@dataclass(slots=True)
class Entry:
    """One cell with an agent's score of an anchor."""

    anchor: str
    agent: str
    moment: Moment
    place: tuple[int, int]


@dataclass(slots=True)
class FoundRows:
    """What the rows of a sheet of anchors hold, before numbers are read; places are (row, column) of the table.

    Attributes
    ----------
    anchors, agents
        Name -> place of its first appearance.
    labels
        ("tier" or "cluster", anchor) -> label.
    consensus
        Anchors with the places of their consensus.
    entries
        Cells with scores.
    moments
        Places that hold dates -> what they say.
    undated
        Places of the names of anchors that have a score without a date.
    statistics, notes, hidden
        Rows that are not anchors, and rows that are hidden.
    """

    anchors: dict[str, tuple[int, int]] = field(default_factory=dict)
    agents: dict[str, tuple[int, int]] = field(default_factory=dict)
    labels: dict[tuple[str, str], str] = field(default_factory=dict)
    consensus: list[tuple[str, tuple[int, int]]] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    moments: dict[tuple[int, int], Moment] = field(default_factory=dict)
    undated: dict[tuple[int, int], None] = field(default_factory=dict)
    statistics: list[int] = field(default_factory=list)
    notes: list[int] = field(default_factory=list)
    hidden: list[int] = field(default_factory=list)

    def leave_out(self, names: Collection[str]) -> None:
        """Forget these anchors."""
        self.anchors = {name: place for name, place in self.anchors.items() if name not in names}
        self.consensus = [(name, place) for name, place in self.consensus if name not in names]
        self.entries = [entry for entry in self.entries if entry.anchor not in names]

    def take(self, entry: Entry, anchor: tuple[int, int]) -> None:
        """Take a score of the anchor whose name is at that place."""
        self.entries.append(entry)
        if entry.moment is UNDATED:
            self.undated.setdefault(anchor)


def take_section(
    table: Table, section: AnchorSection, settings: Settings, found: FoundRows, problems: Problems
) -> None:
    """Take the rows of one section; `problems` receives what cannot be anchors."""
    _refuse_by_layout(table, section, problems)
    for i in section.rows:
        _take_row(table, section, i, settings, found, problems)


def _refuse_by_layout(table: Table, section: AnchorSection, problems: Problems) -> None:
    sheet = table.grid.sheet
    for j in section.nameless:
        problems.add(
            sheet,
            "{where} [has|have] numbers but no heading: write the agent above, or clear [it|them].",
            table.span((section.rows[0], j), (section.rows[-1], j)),
        )
    columns = sorted({section.anchor, *(column.column for column in section.agents)} | _optional(section))
    for span in table.merges_within(section.rows, columns):
        problems.add(sheet, "{where} [is|are] merged: unmerge [it|them] and write each value where it belongs.", span)


def _optional(section: AnchorSection) -> set[int]:
    columns = (section.consensus, section.date, section.agent, section.score)
    return {column for column in columns if column is not None}


def _take_row(
    table: Table, section: AnchorSection, i: int, settings: Settings, found: FoundRows, problems: Problems
) -> None:
    """Sort one row below the headings, and take what an anchor's row holds."""
    row = table.cells[i]
    columns = [section.score] if section.score is not None else [agent.column for agent in section.agents]
    filled = [j for j in columns if row[j] is not None]
    anchor = row[section.anchor]
    if table.is_hidden_row(i):
        found.hidden.append(i)
        if settings.hidden == "exclude":
            return
    if isinstance(anchor, CellError | Uncalculated):
        problems.add(
            table.grid.sheet,
            "{where} [holds an error|hold errors] where the name of an anchor is expected: correct [it|them].",
            table.at(i, section.anchor),
        )
        return
    has_consensus = section.consensus is not None and table.numeric(i, section.consensus)
    if anchor is None:
        if any(table.numeric(i, j) for j in filled) or has_consensus:
            problems.add(
                table.grid.sheet,
                "{where} [has numbers but names|have numbers but name] no anchor: write it, or clear the row[|s].",
                table.row_span(i),
            )
        elif filled or any(value is not None for value in row):
            found.notes.append(i)
        return
    if isinstance(anchor, str) and is_statistic(anchor):
        found.statistics.append(i)
        return
    if not filled and (section.consensus is None or row[section.consensus] is None) and " " in label_text(anchor):
        found.notes.append(i)
        return
    _take_anchor(table, section, i, found, problems)


def _take_anchor(table: Table, section: AnchorSection, i: int, found: FoundRows, problems: Problems) -> None:
    row = table.cells[i]
    name = table.label(i, section.anchor)
    found.anchors.setdefault(name, (i, section.anchor))
    for column in (section.tier, section.cluster):
        if column is not None and isinstance(row[column], CellError | Uncalculated):
            problems.add(
                table.grid.sheet,
                "{where} [holds an error|hold errors] where a tier or a cluster is expected: correct [it|them].",
                table.at(i, column),
            )
    for kind, column in (("tier", section.tier), ("cluster", section.cluster)):
        if column is not None and row[column] is not None:
            found.labels.setdefault((kind, name), table.label(i, column))
    if section.consensus is not None and row[section.consensus] is not None:
        found.consensus.append((name, (i, section.consensus)))
    moment = _row_moment(table, section, i, found, problems)
    if section.agent is not None and section.score is not None:
        if row[section.score] is None:
            return
        if row[section.agent] is None:
            problems.add(
                table.grid.sheet,
                "{where} [is|are] blank beside a score: write the agent there, or clear the score[|s].",
                table.at(i, section.agent),
            )
            return
        agent = table.label(i, section.agent)
        found.agents.setdefault(agent, (i, section.agent))
        found.take(Entry(name, agent, moment, (i, section.score)), (i, section.anchor))
        return
    for scored in section.agents:
        found.agents.setdefault(scored.name, (section.head, scored.column))
        if row[scored.column] is not None:
            dated = moment if scored.above is None else _moment_at(table, scored.above, None, found, problems)
            found.take(Entry(name, scored.name, dated, (i, scored.column)), (i, section.anchor))


def _row_moment(table: Table, section: AnchorSection, i: int, found: FoundRows, problems: Problems) -> Moment:
    if section.date is None:
        if section.dated is None:
            return UNDATED
        return _moment_at(table, section.dated, None, found, problems)
    if table.cells[i][section.date] is None:
        problems.add(
            table.grid.sheet,
            "{where} [is|are] blank where other rows have a date: write when the anchor[|s] [was|were] scored.",
            table.at(i, section.date),
        )
        return UNDATED
    return _moment_at(table, (i, section.date), table.cells[section.head][section.date], found, problems)


def _moment_at(table: Table, place: tuple[int, int], heading: Any, found: FoundRows, problems: Problems) -> Moment:
    known = found.moments.get(place)
    if known is not None:
        return known
    value = table.cells[place[0]][place[1]]
    moment = moment_of(value, heading)
    if moment is None:
        problems.add(
            table.grid.sheet,
            "{where} [holds|hold] {values} where a date is expected: write a date such as 2026-03-02, or the number of "
            "the week.",
            table.at(*place),
            shown(value.code if isinstance(value, CellError) else value) if not isinstance(value, Uncalculated) else "",
        )
        moment = UNDATED
    found.moments[place] = moment
    return moment
