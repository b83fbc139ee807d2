"""Find the anchors on a sheet: where names, consensus, labels, dates and agents' scores stand.

Known layouts: one row for each anchor and a column for each agent, with a date column (an anchor has a row for each
date), with a block of columns for each date (dates above the agents' names) or with blocks below one another (date
above the headings); or a long list with a row for each score.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from panelcal.frozen import dataclass
from panelcal.reading.anchors.anchor_headings import AnchorRole, anchor_role
from panelcal.reading.anchors.check_dates import Moment, moment_of
from panelcal.reading.cell_values import Kind, by_key, code_key, kind_of, label_text
from panelcal.reading.headings import words_of
from panelcal.reading.settings import Settings
from panelcal.reading.table import Table

_SEARCHED = 100
_ABOUT_ANCHORS = (
    AnchorRole.NOT_READ,
    AnchorRole.ITEM,
    AnchorRole.ANCHOR,
    AnchorRole.CONSENSUS,
    AnchorRole.DATE,
    AnchorRole.TIER,
    AnchorRole.CLUSTER,
)


@dataclass(frozen=True, slots=True)
class AgentColumn:
    """A column with the scores of one agent; `above` is the cell over its heading that may hold a date."""

    column: int
    name: str
    above: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class AnchorSection:
    """A row of headings with the rows below it, as places in a `Table`.

    Attributes
    ----------
    head
        The row of headings.
    rows
        The rows below it that belong to it.
    anchor, consensus, date
        Columns with the anchors' names, their consensus and the date of a row; the last two may be missing.
    tier, cluster
        Columns with labels, or None.
    agents
        Columns with scores, for anchors down and agents across.
    agent, score
        The columns of a long list, or None.
    dated
        A cell above the headings with the date of the whole section, or None.
    not_read, texts, nameless
        Columns that are not read: going by the heading, because they hold only text, and with numbers but no heading.
    """

    head: int
    rows: range
    anchor: int
    consensus: int | None
    date: int | None
    tier: int | None
    cluster: int | None
    agents: tuple[AgentColumn, ...]
    agent: int | None = None
    score: int | None = None
    dated: tuple[int, int] | None = None
    not_read: tuple[int, ...] = ()
    texts: tuple[int, ...] = ()
    nameless: tuple[int, ...] = ()

    def shown(self, table: Table) -> AnchorSection:
        """Return the section less the columns of scores that are hidden."""
        agents = tuple(agent for agent in self.agents if not table.is_hidden_column(agent.column))
        return replace(self, agents=agents)


@dataclass(frozen=True, slots=True)
class _Head:
    """A row of headings and the columns of each role in it."""

    row: int
    roles: dict[AnchorRole, list[int]]

    def first(self, *roles: AnchorRole) -> int | None:
        return next((self.roles[role][0] for role in roles if role in self.roles), None)


def find_anchors(
    table: Table, settings: Settings, heading: AnchorRole = AnchorRole.CONSENSUS
) -> tuple[AnchorSection, ...]:
    """Find the sections of a sheet of anchors; empty when no row of headings has a consensus, or that other heading."""
    heads = _heads(table, settings, heading)
    if not heads:
        return ()
    ends = [_date_row(table, head.row) for head in heads[1:]] + [table.n_rows]
    return tuple(
        _section(table, head, range(head.row + 1, end), settings) for head, end in zip(heads, ends, strict=True)
    )


def names_anchors(table: Table, settings: Settings) -> bool:
    """Tell whether a heading on the sheet speaks of anchors."""
    return any(AnchorRole.ANCHOR in head.roles for head in _heads(table, settings))


def _heads(table: Table, settings: Settings, heading: AnchorRole = AnchorRole.CONSENSUS) -> list[_Head]:
    """Find the first row with this among its headings, and further rows below that say the same."""
    first = next((i for i in range(min(table.n_rows, _SEARCHED)) if heading in _roles(table, i, settings)), None)
    if first is None:
        return []
    heads = [_Head(first, _roles(table, first, settings))]
    anchor = heads[0].first(AnchorRole.ANCHOR, AnchorRole.ITEM) or 0
    text = label_text(table.cells[first][anchor])
    for i in range(first + 1, table.n_rows - 1):
        if label_text(table.cells[i][anchor]) == text and _repeats(table, heads[0], i):
            heads.append(_Head(i, _roles(table, i, settings)))
    return heads


def _roles(table: Table, i: int, settings: Settings) -> dict[AnchorRole, list[int]]:
    """Columns of a row by what their headings say; empty for a row that is no headings."""
    row = table.cells[i]
    if sum(isinstance(value, str) for value in row) < 2:
        return {}
    roles: dict[AnchorRole, list[int]] = {}
    for j, value in enumerate(row):
        if isinstance(value, str):
            roles.setdefault(anchor_role(value, settings), []).append(j)
    # "Human" and "Known" mean the consensus only where no heading says so.
    roles.get(AnchorRole.CONSENSUS, []).sort(key=lambda j: "consensus" not in words_of(row[j]))
    return roles


def _repeats(table: Table, head: _Head, i: int) -> bool:
    """Tell whether row i says the same as the headings wherever both say something, and says it twice at least."""
    pairs = [(a, b) for a, b in zip(table.cells[head.row], table.cells[i], strict=True) if a is not None]
    same = sum(label_text(a) == label_text(b) for a, b in pairs if b is not None)
    return same >= 2 and same == sum(b is not None for _, b in pairs)


def _date_row(table: Table, head: int) -> int:
    """Return the row where a later section begins: that of the date above its headings, or the headings."""
    above = [value for value in table.cells[head - 1] if value is not None]
    return head - 1 if 1 <= len(above) <= 2 and any(moment_of(value) for value in above) else head


def _section(table: Table, head: _Head, rows: range, settings: Settings) -> AnchorSection:
    anchor = head.first(AnchorRole.ANCHOR, AnchorRole.ITEM)
    anchor = 0 if anchor is None else anchor
    consensus, date = head.first(AnchorRole.CONSENSUS), head.first(AnchorRole.DATE)
    tier, cluster = head.first(AnchorRole.TIER), head.first(AnchorRole.CLUSTER)
    if date is not None and all(table.cells[i][date] is None for i in rows):
        date = None  # a column of a template that nobody has filled in
    about = (anchor, consensus, date, tier, cluster)
    taken = {column for column in about if column is not None}
    agent, score = head.first(AnchorRole.AGENT), head.first(AnchorRole.SCORE)
    if agent is not None and score is not None and _only_text(table, rows, agent, settings):
        rest = [j for j in range(table.n_columns) if j not in taken | {agent, score} and table.cells[head.row][j]]
        return AnchorSection(
            head.row, rows, anchor, consensus, date, tier, cluster, (), agent, score, not_read=tuple(rest)
        )
    not_read = [j for role in _ABOUT_ANCHORS for j in head.roles.get(role, []) if j not in taken]
    columns: list[int] = []
    texts: list[int] = []
    nameless: list[int] = []
    for j in range(table.n_columns):
        if j in taken or j in not_read or not any(table.cells[i][j] is not None for i in rows):
            continue
        if table.cells[head.row][j] is None:
            nameless += [j] if any(table.numeric(i, j) for i in rows) else []
        elif _only_text(table, rows, j, settings):
            texts.append(j)
        else:
            columns.append(j)
    return AnchorSection(
        head.row,
        rows,
        anchor,
        consensus,
        date,
        tier,
        cluster,
        agents=_agent_columns(table, head.row, columns),
        dated=_dated(table, head.row, columns),
        not_read=tuple(sorted(set(not_read))),
        texts=tuple(texts),
        nameless=tuple(nameless),
    )


def _only_text(table: Table, rows: Sequence[int], j: int, settings: Settings) -> bool:
    """Tell whether a column holds text, but no number, code, error or anything else that could be a score."""
    codes = by_key(settings.codes)
    values = [table.cells[i][j] for i in rows if table.cells[i][j] is not None]
    return bool(values) and all(
        isinstance(value, str) and kind_of(value)[0] is Kind.TEXT and code_key(value) not in codes for value in values
    )


def _agent_columns(table: Table, head: int, columns: Sequence[int]) -> tuple[AgentColumn, ...]:
    """Name the columns of scores; where names repeat, each takes the nearest cell above it to its left as its date."""
    names = [table.label(head, j) for j in columns]
    if head == 0 or max(Counter(names).values(), default=0) < 2:
        return tuple(AgentColumn(j, name) for j, name in zip(columns, names, strict=True))
    found: list[AgentColumn] = []
    above: tuple[int, int] | None = None
    for j, name in zip(columns, names, strict=True):
        if table.cells[head - 1][j] is not None:
            above = (head - 1, j)
        found.append(AgentColumn(j, name, above))
    return tuple(found)


def _dated(table: Table, head: int, columns: Sequence[int]) -> tuple[int, int] | None:
    """Find the date of a whole section in the row above its headings."""
    if head == 0 or len({table.label(head, j) for j in columns}) < len(columns):
        return None
    above = [j for j, value in enumerate(table.cells[head - 1]) if value is not None]
    if not 1 <= len(above) <= 2:
        return None
    return next(((head - 1, j) for j in above if is_date(table.cells[head - 1][j])), None)


def is_date(value: Any) -> bool:
    """Tell whether a cell by itself says when: a calendar date or a numbered week, not a bare number."""
    moment: Moment | None = moment_of(value)
    return moment is not None and (moment.is_date or " " in moment.label)
