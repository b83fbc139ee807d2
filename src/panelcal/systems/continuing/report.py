"""The sheets and sentences of a plan that goes on: what to assess next, in order, and what each step buys."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence

from panelcal.reading.grid import Grid
from panelcal.reading.nouns import in_sentence, plural_of, with_article
from panelcal.reporting.model import CellValue, Chart, Column, Note, Report, Series, Sheet, Table
from panelcal.reporting.run_facts import RunFacts
from panelcal.reporting.up_to_date import stale_literal, unchanged_texts, up_to_date_note
from panelcal.reporting.wording import counted, named, number
from panelcal.systems.continuing.found import Continuation

_FOOTER = "Plan of further assessments"
_ORDER, _ERROR = "Order", "Expected error after it"


def continuing_report(found: Continuation, facts: RunFacts) -> Report:
    """Build the sheets."""
    names = _names(found)
    text = "\x1e".join(f"{o}\x1f{a}" for o, a in names)
    run_id = hashlib.sha256(text.encode()).hexdigest()[:8]
    return Report((next_sheet(found, "Next"), _to_fill_in(found, names)), run_id, _FOOTER, facts.created)


def continuing_sentences(found: Continuation) -> tuple[str, ...]:
    """Say which single assessment is best, and what all of them come to."""
    so_far, nouns = found.so_far, found.so_far.nouns
    thing, judge = in_sentence(nouns.object), in_sentence(nouns.assessor)
    if not found.steps:
        return (f"Nothing is left to assess: every {judge} has every {thing} that the {judge} may have.",)
    first = found.steps[0]
    best = (
        f"The best single assessment next: {named(judge, so_far.assessors[first.assessor])} assesses "
        f"{named(thing, so_far.objects[first.object])}. Expected error of a value: {_spelled(found.error)} so far, "
        f"{_spelled(found.errors[0])} after it."
    )
    if len(found.steps) == 1:
        return (best,)
    return (best, f"After all {len(found.steps)}: {_spelled(found.errors[-1])}.")


def _spelled(error: float) -> str:
    """Spell an expected error, which is infinite while groups share nothing and not known without residuals."""
    if math.isnan(error):
        return "not known"
    return "without limit (not all can be compared)" if math.isinf(error) else f"{error:.3g}"


def _names(found: Continuation) -> list[tuple[str, str]]:
    return [(found.so_far.objects[step.object], found.so_far.assessors[step.assessor]) for step in found.steps]


def next_sheet(found: Continuation, name: str, conflicts: Sequence[Grid] = (), day: str = "") -> Sheet:
    """Build the sheet of what to assess next, in order.

    Parameters
    ----------
    found
        What comes next.
    name
        Of the sheet.
    conflicts, day
        Sheets of the same workbook that say who must not meet whom, which the sheet watches from that day on.
    """
    nouns, names = found.so_far.nouns, _names(found)
    errors: list[CellValue] = [error if math.isfinite(error) else None for error in found.errors]
    rows = len(names)
    table = Table(
        (
            Column(_ORDER, list(range(1, rows + 1)), "integer", 9),
            Column(nouns.object, [o for o, _ in names], "text", 22),
            Column(nouns.assessor, [a for _, a in names], "text", 22),
            Column(_ERROR, errors, "fine", 16, explanation="Of a value about the mean of all, in points."),
        ),
        name="next",
    )
    series = Series(name=_ERROR, y=table.cell_range(_ERROR), x=table.cell_range(_ORDER), marker="circle")
    chart = Chart(
        kind="line",
        title=_chart_title(found),
        x_title="Further assessments made",
        y_title="Expected error of a value, in points",
        series=(series,),
        alt_text="Expected error of a value after each further assessment, in the order of the table. Where the line "
        "flattens, more would buy little.",
        row=4,
        column=6,
        y_low=0.0,
        legend=False,
    )
    drawn = sum(error is not None for error in errors) > 1
    return Sheet(
        name=name,
        title="What to assess next",
        explanation=(
            f"The best single one first, then the best after it. Expected error so far: {_spelled(found.error)}. Once "
            "some are scored, ask again: the order may change."
        ),
        tables=(table,),
        notes=_conflicts_watched(conflicts, day),
        charts=(chart,) if drawn else (),
    )


def _chart_title(found: Continuation) -> str:
    """Say what all further assessments together buy, from the first on after which the error is known."""
    known = [error for error in (found.error, *found.errors) if math.isfinite(error)]
    if not known:
        return "What each further assessment buys"
    return f"The expected error falls from {number(known[0], 2)} to {number(known[-1], 2)}"


def _conflicts_watched(conflicts: Sequence[Grid], day: str) -> tuple[Note, ...]:
    """Say in row 3 that conflicts of interest are still those that were read, by a formula that turns when not."""
    checks = {grid.sheet: unchanged_texts(grid) for grid in conflicts}
    watched = [sheet for sheet, same in checks.items() if same]
    left = [sheet for sheet, same in checks.items() if not same]
    not_watched = f"Not watched: sheet {' and '.join(left)}. " if left else ""
    if not watched:
        return (Note(row=3, text=not_watched, style="small"),) if left else ()
    good = (
        f"Up to date: the conflicts of interest on sheet {' and '.join(watched)} are those of {day}. {not_watched}"
        "Changed scores show on Cal summary."
    )
    return (up_to_date_note(good, [(checks[sheet], stale_literal(f"sheet {sheet} has changed")) for sheet in watched]),)


def _to_fill_in(found: Continuation, names: list[tuple[str, str]]) -> Sheet:
    nouns = found.so_far.nouns
    return Sheet(
        name=plural_of(nouns.score)[:31],
        title=f"Further {plural_of(in_sentence(nouns.score))} to fill in",
        explanation=(
            f"{counted(len(names), 'row')}: {with_article(nouns.object)} and the {in_sentence(nouns.assessor)} who "
            f"assesses it. Add them to the sheet {found.so_far.sheet} with their {plural_of(in_sentence(nouns.score))}."
        ),
        tables=(
            Table(
                (
                    Column(nouns.assessor, [a for _, a in names], "text", 22),
                    Column(nouns.object, [o for o, _ in names], "text", 22),
                    Column(nouns.score, [None] * len(names), "input", 12),
                ),
                name="to fill in",
            ),
        ),
    )
