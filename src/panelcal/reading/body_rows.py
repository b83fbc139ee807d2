"""Sort the rows below the headings: objects, credits, statistics, notes, and where the block ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from panelcal.reading.cell_values import label_text, spread_in
from panelcal.reading.codes import code_key
from panelcal.reading.heading_rows import role_in
from panelcal.reading.headings import Role, is_statistic
from panelcal.reading.patterns import any_matches
from panelcal.reading.settings import Settings
from panelcal.reading.table import Table

_ROW_FACTS = (Role.ABOUT, Role.ASSESSOR)


@dataclass(frozen=True, slots=True)
class BodyRows:
    """The rows below the headings, by what they are.

    Attributes
    ----------
    objects
        Rows with an id and at least one cell that could be a score.
    scoreless
        Rows with an id but nothing that could be a score.
    statistics
        Rows of means, maxima, semesters and so on, by their label.
    repeated
        Rows that repeat the headings.
    excluded
        Rows that are to be left out by name.
    nameless
        Rows with numbers but no id.
    strays
        Rows with numbers after a blank row whose label is unlike the ids above.
    notes
        Rows with nothing but text.
    bridged
        First rows after blank rows that the block goes on across.
    weights
        A row with credits or other confidences, or None.
    end
        The row after the last one that belongs to the block.
    """

    objects: tuple[int, ...]
    scoreless: tuple[int, ...]
    statistics: tuple[int, ...]
    repeated: tuple[int, ...]
    excluded: tuple[int, ...]
    nameless: tuple[int, ...]
    strays: tuple[int, ...]
    notes: tuple[int, ...]
    bridged: tuple[int, ...]
    weights: int | None
    end: int


def classify_rows(
    table: Table,
    head: int,
    headings: Sequence[Any],
    identifier: int,
    labels: Sequence[int],
    settings: Settings,
    codes: frozenset[str],
) -> BodyRows:
    """Walk down from the row of headings and sort the rows.

    Parameters
    ----------
    head, headings
        The row of headings, and the headings themselves; cells in columns without one do not make a row an object.
    identifier, labels
        The id column, and all columns to the left of the scores.
    """
    kinds: dict[str, list[int]] = {
        name: []
        for name in (
            "objects",
            "scoreless",
            "statistics",
            "repeated",
            "excluded",
            "nameless",
            "strays",
            "notes",
            "bridged",
        )
    }
    weights: int | None = None
    end = table.n_rows
    first_score = len(labels)
    headed = [j for j in range(first_score, table.n_columns) if headings[j] is not None and j != identifier]
    only = _rows_with_scores(table, head, headings, first_score, identifier, settings)
    seen: set[str] = set()
    after_gap = False
    for i in range(head + 1, table.n_rows):
        after_gap = after_gap or (i > head + 1 and table.gap_before(i))
        row = table.cells[i]
        body = [j for j in headed if row[j] is not None]
        could_score = [j for j in body if _could_be_score(table, i, j, codes)]
        texts = [row[j] for j in labels if row[j] is not None]
        role = next(
            (r for r in (role_in(settings, text) for text in texts if isinstance(text, str)) if r is not Role.OTHER),
            None,
        )
        called = {label_text(text) for text in (*texts, row[identifier]) if text is not None} - {""}
        wanted = any(any_matches(settings.include, text) for text in called)
        if _repeats(table, head, i, first_score):
            if _starts_again(table, i, identifier, seen):
                end = i
                break
            kinds["repeated"].append(i)
        elif (
            not wanted
            and body
            and (
                any(any_matches(settings.exclude, text) for text in called)
                or (only and i not in only and role not in (Role.WEIGHT, Role.DEVIATION))
            )
        ):
            kinds["excluded"].append(i)
        elif body and role in (Role.WEIGHT, Role.DEVIATION) and weights is None and _is_weights(role, kinds["objects"]):
            weights = i
        elif any(isinstance(text, str) and is_statistic(text) for text in texts) and not wanted:
            kinds["statistics"].append(i)
        elif body and role in _ROW_FACTS and not kinds["objects"] and not wanted:
            kinds["statistics"].append(i)
        elif after_gap and body and not could_score and not wanted:
            end = i
            break
        elif row[identifier] is None:
            kinds["nameless" if could_score else "notes"].append(i)
        elif not body:
            kinds["notes" if after_gap or " " in label_text(row[identifier]).strip() else "scoreless"].append(i)
        elif after_gap and seen and not wanted and _unlike(label_text(row[identifier]), seen):
            kinds["strays"].append(i)
        else:
            if after_gap:
                kinds["bridged"].append(i)
                after_gap = False
            kinds["objects"].append(i)
            seen.add(label_text(row[identifier]))
    while end < table.n_rows and kinds["notes"] and kinds["notes"][-1] == end - 1:
        # A title right above the next block belongs to it.
        end = kinds["notes"].pop()
    return BodyRows(**{name: tuple(found) for name, found in kinds.items()}, weights=weights, end=end)


def _rows_with_scores(
    table: Table, head: int, headings: Sequence[Any], first_score: int, identifier: int, settings: Settings
) -> frozenset[int]:
    """Find the rows that alone hold scores by the settings, where these name no column."""
    if not settings.scores or any(any_matches(settings.scores, heading) for heading in headings[first_score:]):
        return frozenset()
    return frozenset(
        i for i in range(head + 1, table.n_rows) if any_matches(settings.scores, table.cells[i][identifier])
    )


def _could_be_score(table: Table, i: int, j: int, codes: frozenset[str]) -> bool:
    value = table.cells[i][j]
    return not isinstance(value, str) or table.numeric(i, j) or code_key(value) in codes or spread_in(value) is not None


def _is_weights(role: Role, objects: Sequence[int]) -> bool:
    # Below the scores a standard deviation is a statistic of the column, not what the assessor declared.
    return role is Role.WEIGHT or not objects


def _repeats(table: Table, head: int, i: int, first_score: int) -> bool:
    """Tell whether row i says the same as the row of headings."""
    ours, theirs = table.cells[i][first_score:], table.cells[head][first_score:]
    return any(value is not None for value in ours) and all(
        a == b for a, b in zip(ours, theirs, strict=True) if a is not None or b is not None
    )


def _starts_again(table: Table, i: int, identifier: int, seen: set[str]) -> bool:
    """Tell whether the ids below row i are ids that stood above: a second block, not a second page of the first."""
    below = [label_text(row[identifier]) for row in table.cells[i + 1 : i + 4] if row[identifier] is not None]
    return any(label in seen for label in below)


def _unlike(label: str, seen: set[str]) -> bool:
    """Tell whether a label lacks the digits that every id above has."""
    return not any(character.isdigit() for character in label) and all(
        any(c.isdigit() for c in other) for other in seen
    )
