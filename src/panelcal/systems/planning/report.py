"""An assignment as sheets to hand out: each object's assessors, each assessor's objects, and what the plan buys."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from panelcal.errors import ImpossiblePlan
from panelcal.frozen import dataclass
from panelcal.planning.assignment import Assignment
from panelcal.planning.worth import ExpectedRanking
from panelcal.reading.nouns import Nouns, in_sentence, plural_of, with_article
from panelcal.reporting.columns import Heading, table_of_rows
from panelcal.reporting.figures import statistic_style
from panelcal.reporting.model import CellRange, CellValue, Chart, Column, Marker, Report, Series, Sheet, Table
from panelcal.reporting.paper import chart_block, fits_across
from panelcal.reporting.wording import counted, mu2_in_words, number, percent

FOOTER = "Plan of assessments"

_MOST_UPRIGHT = 4  # assessors for each object that fit upright paper
_WIDE = 8  # columns over which the words above a narrow table run, so that they take a line or two

_CORRELATION, _BEST_FIRST, _ERROR = "Rank correlation with the truth", "True best comes first", "Expected error"
_DRAWN: tuple[tuple[str, Marker], ...] = ((_CORRELATION, "circle"), (_BEST_FIRST, "diamond"), (_ERROR, "triangle"))
_MINUTES = 60.0


@dataclass(frozen=True, slots=True)
class Bought:
    """What a plan buys and takes.

    Attributes
    ----------
    worth
        What other numbers of assessors per object would buy, see `planning.worth.expected_rankings`.
    minutes
        How long an assessment takes, None = not said.
    """

    worth: Sequence[ExpectedRanking] = ()
    minutes: float | None = None


def build_plan_report(
    plan: Assignment,
    *,
    created: str,
    objects: Sequence[str] | None = None,
    assessors: Sequence[str] | None = None,
    nouns: Nouns | None = None,
    bought: Bought = Bought(),
) -> Report:
    """Build the sheets of a plan.

    Parameters
    ----------
    plan
        Who assesses what.
    created
        Date and time, ISO format.
    objects, assessors
        Their names, in the order the plan counts them; None = "Object 1", "Assessor 1", ...
    nouns
        Words for headings, None = object and assessor.
    bought
        What it buys and takes.

    Raises
    ------
    ImpossiblePlan
        If there are more or fewer names than the plan has places.
    """
    nouns = nouns or Nouns()
    object_names = _names(objects, plan.n_objects, nouns.object)
    assessor_names = _names(assessors, plan.n_assessors, nouns.assessor)
    by_object = _by_object(plan, object_names, assessor_names, nouns)
    by_assessor = _by_assessor(plan, object_names, assessor_names, nouns)
    to_fill_in = _to_fill_in(plan, object_names, assessor_names, nouns)
    sheets = [by_object, by_assessor, to_fill_in, _figures(plan, nouns, bought)]
    if plan.conflicts:
        sheets.append(_kept_apart(plan, object_names, assessor_names, nouns))
    return Report(
        sheets=tuple(sheets), run_id=_run_id(plan, object_names, assessor_names), footer=FOOTER, created=created
    )


def _names(given: Sequence[str] | None, count: int, noun: str) -> tuple[str, ...]:
    if given is None:
        return tuple(f"{noun} {k}" for k in range(1, count + 1))
    if len(given) != count:
        raise ImpossiblePlan(
            f"The plan is for {count} {plural_of(in_sentence(noun))}, but {len(given)} names were given."
        )
    return tuple(given)


def _by_object(plan: Assignment, objects: Sequence[str], assessors: Sequence[str], nouns: Nouns) -> Sheet:
    given = [[assessors[a] for a in plan.assessors_of(o)] for o in range(plan.n_objects)]
    columns = [Column(nouns.object, list(objects), "text", 22)]
    columns += [
        Column(f"{nouns.assessor} {k + 1}", [names[k] for names in given], "text", 18) for k in range(plan.per_object)
    ]
    table = Table(tuple(columns), name="by object")
    across = max(len(columns), _WIDE)
    return Sheet(
        name=f"By {in_sentence(nouns.object)}"[:31],
        title=f"Who assesses which {in_sentence(nouns.object)}",
        explanation=(
            f"{counted(plan.per_object, in_sentence(nouns.assessor))} for each {in_sentence(nouns.object)}, mixed so "
            "that all can be compared. Please do not swap: the links between them hold the comparison together."
        ),
        tables=(table,),
        portrait=plan.per_object <= _MOST_UPRIGHT,
        across=across,
        printed=(CellRange(1, 1, table.last_row, across),),
    )


def _by_assessor(plan: Assignment, objects: Sequence[str], assessors: Sequence[str], nouns: Nouns) -> Sheet:
    given = [[objects[o] for o in plan.objects_of(a)] for a in range(plan.n_assessors)]
    most = int(plan.loads.max())
    width = min(max(len(name) + 2 for name in (*objects, f"{nouns.object} {most}")), 16)
    named = Column(nouns.assessor, list(assessors), "text", 22)
    columns: list[Column] = []
    for k in range(most):
        cells: list[CellValue] = [names[k] if k < len(names) else None for names in given]
        columns.append(Column(f"{nouns.object} {k + 1}", cells, "text", width))
    whole = [named, Column("Number", plan.loads.tolist(), "integer", 9), *columns]
    tables = [Table(tuple(whole), name="by assessor")]
    if not fits_across(tables[0]):
        half = (most + 1) // 2
        tables = [Table(tuple(whole[: 2 + half]), name="by assessor")]
        tables.append(
            Table((named, *columns[half:]), row=tables[0].last_row + 3, name="by assessor, continued"),
        )
    return Sheet(
        name=f"By {in_sentence(nouns.assessor)}"[:31],
        title=f"Which {plural_of(in_sentence(nouns.object))} each {in_sentence(nouns.assessor)} assesses",
        explanation=f"One row to hand out to each {in_sentence(nouns.assessor)}"
        f"{', and its end in the lower table' if len(tables) > 1 else ''}.",
        tables=tuple(tables),
    )


def _to_fill_in(plan: Assignment, objects: Sequence[str], assessors: Sequence[str], nouns: Nouns) -> Sheet:
    """Lay out the assessments as the list that `panelcal calibrate` reads once it is filled in."""
    order = sorted(zip(plan.assessor_index.tolist(), plan.object_index.tolist(), strict=True))
    columns = (
        Column(nouns.assessor, [assessors[a] for a, _ in order], "text", 22),
        Column(nouns.object, [objects[o] for _, o in order], "text", 22),
        Column(nouns.score, [None] * len(order), "input", 12),
    )
    table = Table(columns, name="to fill in")
    return Sheet(
        name=plural_of(nouns.score)[:31],
        title=f"{plural_of(nouns.score)} to fill in",
        explanation=f"One row for each {in_sentence(nouns.object)} that {with_article(nouns.assessor)} assesses; "
        "panelcal "
        "calibrate reads this list.",
        tables=(table,),
        portrait=True,
        across=_WIDE,
        printed=(CellRange(1, 1, table.last_row, _WIDE),),
    )


def _figures(plan: Assignment, nouns: Nouns, bought: Bought) -> Sheet:
    worth, minutes = bought.worth, bought.minutes
    thing, assessor = in_sentence(nouns.object), in_sentence(nouns.assessor)
    low, high = int(plan.loads.min()), int(plan.loads.max())
    rows: list[tuple[str, CellValue, str]] = [
        (
            f"{plural_of(nouns.assessor)} for each {thing}, K",
            plan.per_object,
            worked_out(plan),
        ),
        (
            f"{plural_of(nouns.object)} for each {assessor}, J",
            high,
            "The same for all." if low == high else f"Or {low}: as even as conflicts of interest allow.",
        ),
        *_hours(plan, assessor, minutes),
        ("mu_2 = 1 - sqrt(lambda_2)", plan.mu2, mu2_in_words(plan.mu2, links_listed=False)),
        ("Conflicts of interest kept apart", len(plan.conflicts), "None of these pairs is in the plan."),
        ("Seed", plan.seed, "The same numbers, conflicts and seed give the same plan."),
    ]
    headings: tuple[Heading, ...] = (("What", "text", 38), ("Figure", "general", 12), ("In words", "wrapped", 70))
    tables = [table_of_rows(headings, rows, name="figures", styles=statistic_style)]
    if worth:
        tables.append(_worth(worth, nouns, tables[0].last_row + 3, minutes))
    charts = _worth_chart(tables[-1], thing, assessor, _worth_title(plan, worth, thing, assessor)) if worth else ()
    sheet = Sheet(
        name="What it buys",
        title="What this plan buys",
        explanation=f"How firmly the plan links everybody, and what more or fewer {plural_of(assessor)} would buy.",
        tables=tuple(tables),
        charts=charts,
        frozen=None,
    )
    whole = CellRange(1, 1, tables[-1].last_row, max(len(table.columns) for table in tables))
    return replace(sheet, printed=(whole, *(chart_block(sheet, chart) for chart in charts)))


def worked_out(plan: Assignment) -> str:
    """Work K = J M / N out for a plan."""
    mean = len(plan.object_index) / plan.n_assessors
    return f"K = J M / N = {mean:.4g} x {plan.n_assessors} / {plan.n_objects} = {plan.per_object}."


def _hours(plan: Assignment, assessor: str, minutes: float | None) -> list[tuple[str, CellValue, str]]:
    """Return the hours of the busiest assessor and of all."""
    if minutes is None:
        return []
    each, all_ = (minutes * count / _MINUTES for count in (int(plan.loads.max()), len(plan.object_index)))
    return [
        (f"Hours for each {assessor}", each, f"At {minutes:g} minutes for each assessment; of the busiest."),
        ("Hours in all", all_, f"{len(plan.object_index):,} assessments."),
    ]


def _worth_title(plan: Assignment, worth: Sequence[ExpectedRanking], thing: str, assessor: str) -> str:
    """Say what the planned number buys, and what the largest number would: "With 4 judges for each talk ..."."""
    planned = next((one for one in worth if one.per_object == plan.per_object), worth[0])
    most = max(worth, key=lambda one: one.per_object)
    more = f"; with {most.per_object} in {percent(most.best_first)}" if most.per_object > planned.per_object else ""
    with_planned = counted(planned.per_object, assessor)
    return f"With {with_planned} for each {thing} the best comes first in {percent(planned.best_first)}{more}"


def _worth_chart(table: Table, thing: str, assessor: str, title: str) -> tuple[Chart, ...]:
    """Draw what each number of assessors would buy; `table` holds the figures."""
    each = table.columns[0].heading
    series = tuple(
        Series(name, y=table.cell_range(name), x=table.cell_range(each), marker=marker, colour=colour)
        for colour, (name, marker) in enumerate(_DRAWN)
    )
    chart = Chart(
        kind="line",
        title=title,
        x_title=each,
        y_title="From 0 (nothing) to 1 (certain)",
        series=series,
        alt_text=(
            f"Rank correlation with the truth, chance that the truly best {thing} comes first, and expected error in "
            f"standard deviations of the true values, by the number of {plural_of(assessor)} for each {thing}. Where "
            "the lines flatten, more would buy little."
        ),
        row=table.last_row + 2,
        column=1,
        width_cm=24.0,
        height_cm=11.0,
        y_low=0.0,
        y_high=1.0,
    )
    return (chart,)


def _kept_apart(plan: Assignment, objects: Sequence[str], assessors: Sequence[str], nouns: Nouns) -> Sheet:
    columns = (
        Column(nouns.object, [objects[o] for o, _ in plan.conflicts], "text", 22),
        Column(nouns.assessor, [assessors[a] for _, a in plan.conflicts], "text", 22),
    )
    table = Table(columns, name="kept apart")
    return Sheet(
        name="Kept apart",
        title="Who was kept apart",
        explanation="Conflicts of interest as they were read. None of these pairs is in the plan.",
        tables=(table,),
        portrait=True,
        across=_WIDE,
        printed=(CellRange(1, 1, table.last_row, _WIDE),),
    )


def _worth(worth: Sequence[ExpectedRanking], nouns: Nouns, row: int, minutes: float | None) -> Table:
    thing, assessor = in_sentence(nouns.object), in_sentence(nouns.assessor)
    hours = [None if minutes is None else one.per_assessor * minutes / _MINUTES for one in worth]
    words = [
        f"{number(one.interval[0], 2)} to {number(one.interval[1], 2)} in {one.level:.0%} of {one.simulations} trials; "
        f"{counted(one.per_assessor, thing)} each; the best in the first 3: {percent(one.best_among_three)}"
        for one in worth
    ]
    return Table(
        (
            Column(
                f"{plural_of(assessor).capitalize()} for each {thing}", [str(one.per_object) for one in worth], "text"
            ),
            Column(_CORRELATION, [one.correlation for one in worth], "precise"),
            Column("In words", words, "wrapped"),
            Column(_BEST_FIRST, [one.best_first for one in worth], "percent", 12),
            Column(
                _ERROR,
                [one.expected_error for one in worth],
                "precise",
                12,
                explanation=f"Of the true value of {with_article(thing)}, in standard deviations of all true values.",
            ),
            *([] if minutes is None else [Column(f"Hours for each {assessor}", hours, "score", 12)]),
        ),
        row=row,
        name="what more would buy",
    )


def _run_id(plan: Assignment, objects: Sequence[str], assessors: Sequence[str]) -> str:
    pairs = [f"{objects[o]}\x1f{assessors[a]}" for o, a in zip(plan.object_index, plan.assessor_index, strict=True)]
    return hashlib.sha256("\x1e".join(pairs).encode()).hexdigest()[:8]
