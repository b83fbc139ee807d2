"""The charts of `Cal summary`: who moves, which assessors are off, and how sure the order is; one finding each.

What they draw is sorted and named, and stands in tables right of the pages.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from panelcal.arrays import Indices
from panelcal.reporting.cell_content import numbers
from panelcal.reporting.front_page import Pictures, behind_charts
from panelcal.reporting.model import Chart, Column, Series, Table
from panelcal.reporting.sorted_bars import (
    MOST_BARS,
    MOST_NAMED,
    bars,
    both_ends,
    ends_only,
    heading_of_names,
    names_on_axis,
)
from panelcal.reporting.wording import compact, counted, number, signed, some_of
from panelcal.systems.calibration.assessors import clearly_leaning
from panelcal.systems.calibration.cases import class_counts
from panelcal.systems.calibration.context import Context
from panelcal.systems.calibration.front import points
from panelcal.systems.calibration.results import Results

_NAMED = 2
_POINTS_CM = 8.0
_LARGE = 10.0
_CLEARLY, _PERHAPS = "Clearly off the rest", "Within what luck could do"


def summary_pictures(context: Context) -> Pictures:
    """Return the charts with how to read them, the tables behind them, and how many each class holds."""
    results = context.results
    one, all_of, other = results.object_noun, results.objects_noun, results.assessor_noun
    level = f"{results.reading.settings.level:.0%}"
    changes, biases = _changes_table(results, 0), _biases_table(results, 3)
    order = _order_table(results, 8)
    charts = [_changes_chart(results, changes)]
    only_ends = f" Drawn are the {MOST_BARS // 2} at either end{_of(results.panel.n_objects)}."
    readings = [
        f"One bar for each {one}: what calibrating adds (to the right) or takes off (to the left)."
        f"{only_ends if results.panel.n_objects > MOST_BARS else ''}"
    ]
    if results.panel.n_assessors > 1:
        charts.append(_biases_chart(results, biases))
        most = f" Drawn are the {biases.n_rows} most surely off{_of(results.panel.n_assessors)}."
        readings.append(
            f"One bar for each {other}: how far above the rest (to the right) or below, for the same {all_of}. "
            f"The thin line is the {level} interval. Filled: more than luck. Hatched: luck could do that."
            f"{most if results.panel.n_assessors > biases.n_rows else ''}"
        )
    if np.isfinite(results.value_interval(results.reading.settings.level)).any():
        charts.append(_order_chart(results, order))
        readings.append(
            f"One point for each {one}, from the best rank to the last; the thin line is the {level} interval. Where "
            "the lines of two overlap widely, their order is open."
        )
    counts = None if context.classes is None else class_counts(context.classes)
    return Pictures(tuple(charts), tuple(readings), counts, (changes, biases, order))


def _of(count: int) -> str:
    return f", of {count:,}"


def _changes_table(results: Results, place: int) -> Table:
    shown = both_ends(results.change)
    columns = (
        Column(
            heading_of_names(results.reading.nouns.object),
            names_on_axis(results.panel.objects[k] for k in shown),
            "text",
        ),
        Column("Change drawn", results.change[shown].tolist(), "signed"),
    )
    return behind_charts(columns, place, "changes drawn")


def _changes_chart(results: Results, table: Table) -> Chart:
    change = results.change
    ends = [(int(np.argmax(change)), change.max() > 0), (int(np.argmin(change)), change.min() < 0)]
    if not results.reading.settings.higher_is_better:  # there, less is a gain
        ends.reverse()
    named = names_on_axis(results.panel.objects[k] for k, _ in ends)
    said = [
        f"{label} {verb} most ({signed(float(change[k]))})"
        for (k, moves), verb, label in zip(ends, ("gains", "loses"), named, strict=True)
        if moves
    ]
    return bars(
        table,
        title=", ".join(said) or "Nobody moves",
        series=(Series("Change", y=table.cell_range("Change drawn"), x=table.cell_range(table.columns[0].heading)),),
        y_title=f"Calibrated value less raw average, in {points(results)}",
        alt_text=f"Changes of {counted(table.n_rows, results.object_noun)}, from the furthest up to the furthest down"
        f"{ends_only(results.panel.n_objects, results.objects_noun)}.",
    )


def _biases_table(results: Results, place: int) -> Table:
    found = results.differences
    compared = np.flatnonzero(~results.single_object_assessors)
    with np.errstate(divide="ignore", invalid="ignore"):
        surely = np.nan_to_num(np.abs(found.biases / found.standard_errors))[compared]
    shown = compared[np.argsort(-surely, kind="stable")[:MOST_BARS]]
    shown = shown[np.argsort(-found.biases[shown], kind="stable")]
    clear = clearly_leaning(results)[shown]
    errors = results.uncertainty.bias_errors
    halves = np.diff(results.uncertainty.bias_interval(results.reading.settings.level))[:, 0] / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        halves = found.standard_errors * (halves / errors)  # the same t for the difference from the rest
    columns = (
        Column(
            heading_of_names(results.reading.nouns.assessor),
            names_on_axis(results.panel.assessors[k] for k in shown),
            "text",
        ),
        Column(_CLEARLY, [float(b) if c else None for b, c in zip(found.biases[shown], clear, strict=True)], "signed"),
        Column(_PERHAPS, [None if c else float(b) for b, c in zip(found.biases[shown], clear, strict=True)], "signed"),
        Column("Give or take", [float(half) if np.isfinite(half) else None for half in halves[shown]], "score"),
    )
    return behind_charts(columns, place, "biases drawn")


def _biases_chart(results: Results, table: Table) -> Chart:
    half = table.cell_range("Give or take")
    noun = table.columns[0].heading
    return bars(
        table,
        title=leaning_title(results),
        series=tuple(
            Series(heading, table.cell_range(heading), table.cell_range(noun), half, half, colour=colour)
            for heading, colour in ((_CLEARLY, 0), (_PERHAPS, 6))
        ),
        y_title=f"Above (+) or below (-) the rest for the same {results.objects_noun}, in {points(results)}, with "
        f"{results.reading.settings.level:.0%} intervals",
        alt_text=f"How far the {counted(table.n_rows, results.assessor_noun)} most surely off the rest are above or "
        "below it, from the furthest above to the furthest below. Of many intervals a few miss zero by chance.",
    )


def leaning_title(results: Results) -> str:
    """Say which assessors are clearly above or below the rest: "MA3H7 and IB3A7 are marked 12-14 above the rest"."""
    off, clear = results.differences.biases, clearly_leaning(results)
    said = [
        _side(results, np.flatnonzero(clear & (side * off > 0)), word)
        for side, word in ((1.0, "above"), (-1.0, "below"))
    ]
    return "; ".join(part for part in said if part) or f"No {results.assessor_noun} is clearly off the rest"


def _side(results: Results, found: Indices, word: str) -> str:
    if not len(found):
        return ""
    sizes = np.abs(results.differences.biases[found])
    found, sizes = found[np.argsort(-sizes, kind="stable")], np.sort(sizes)[::-1]
    labels = names_on_axis(results.panel.assessors[k] for k in found)
    few = len(labels) <= _NAMED
    named = joined(labels) if few else f"{some_of(labels, _NAMED)}"
    verb = "is" if len(labels) == 1 else "are"
    return f"{named} {verb} {_span(float(sizes[-1]), float(sizes[0]))} {word} the rest"


def joined(labels: Sequence[str]) -> str:
    """List a few labels as a sentence does: "A", "A and B", "A, B and C"."""
    return " and ".join(part for part in (", ".join(labels[:-1]), labels[-1]) if part)


def _span(low: float, high: float) -> str:
    decimals = 0 if high >= _LARGE else 1
    ends = [number(low, decimals), number(high, decimals)]
    return ends[0] if ends[0] == ends[1] else "-".join(ends)


def _order_table(results: Results, place: int) -> Table:
    """Everybody from the best value on, with the half-width of the interval."""
    sign = -1.0 if results.reading.settings.higher_is_better else 1.0
    ranked = np.flatnonzero(results.ranked)
    order = ranked[np.argsort(sign * results.values[ranked], kind="stable")]
    halves = np.diff(results.value_interval(results.reading.settings.level))[:, 0] / 2
    columns = (
        Column(
            heading_of_names(results.reading.nouns.object),
            names_on_axis([results.panel.objects[k] for k in order.tolist()]),
            "text",
        ),
        Column("Value drawn", results.values[order].tolist(), "score"),
        Column("Half of its interval", numbers(halves[order]), "score"),
    )
    return behind_charts(columns, place, "order drawn")


def _order_chart(results: Results, table: Table) -> Chart:
    named, half = table.n_rows <= MOST_NAMED, table.cell_range("Half of its interval")
    return Chart(
        kind="points" if named else "scatter",
        title=_order_title(results),
        x_title=f"{results.reading.nouns.object}, from the best rank to the last",
        y_title=f"Calibrated value, with {results.reading.settings.level:.0%} interval",
        series=(
            Series(
                "Calibrated value",
                y=table.cell_range("Value drawn"),
                x=table.cell_range(table.columns[0].heading) if named else None,
                plus=half,
                minus=half,
            ),
        ),
        alt_text=(f"Calibrated values of {table.n_rows} {results.objects_noun} in order of rank, with intervals."),
        row=1,
        column=1,
        height_cm=_POINTS_CM,
        x_low=None if named else 0,
        x_high=None if named else table.n_rows + 1,
        legend=False,
    )


def _order_title(results: Results) -> str:
    """Say how many ranks a typical object could have."""
    if results.is_calibration:
        wide = results.ranking.last - results.ranking.first + 1
        if np.isfinite(wide).any():
            ranks = int(np.nanmedian(wide))
            return f"The true rank of a typical {results.object_noun} is one of about {compact(ranks)}"
    return "How sure the order is"
