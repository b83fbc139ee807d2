"""The charts of `Cal methods`, sorted bars: what calibrating and confidences change, how far methods move people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from panelcal.arrays import Array
from panelcal.frozen import dataclass
from panelcal.reporting.cell_content import numbers
from panelcal.reporting.model import Chart, Column, Series, Table
from panelcal.reporting.sorted_bars import bars, both_ends, ends_only, heading_of_names, names_on_axis
from panelcal.reporting.wording import counted, signed
from panelcal.systems.calibration.confidence_words import confidences_noun
from panelcal.systems.calibration.method_results import ComparedMethods
from panelcal.systems.calibration.results import Results

MOST_CM, LEAST_CM = 14.6, 7.5
"""Width of a chart, whose place on the screen is what the values leave."""

ABREAST_COLUMNS = 8
"""Of the usual width, from one chart to the next beside it, where the values leave the screen no room for any."""

_HIGHEST_CM = 8.6
_VISIBLE = 0.05  # smaller differences print as 0.0


@dataclass(frozen=True, slots=True, eq=False)
class _Difference:
    """What one chart shows: a difference for each object or assessor, and the words around it."""

    name: str
    title: str
    y_title: str
    noun: str
    labels: Sequence[str]
    sizes: Array


def difference_charts(
    results: Results, compared: ComparedMethods, *, behind: int
) -> tuple[tuple[Chart, ...], tuple[Table, ...]]:
    """Draw Figure 4 (b) to (d) of the paper as differences, with the tables that they draw; places are given later.

    What confidences change is left out where they change nothing.

    Parameters
    ----------
    behind
        Column of the first table, right of all that is printed.
    """
    charts: list[Chart] = []
    tables: list[Table] = []
    for found in _differences(results, compared):
        shown = both_ends(found.sizes)
        columns = (
            Column(
                heading_of_names(f"{found.noun}, {found.name}"), names_on_axis(found.labels[k] for k in shown), "text"
            ),
            Column(f"{found.name} drawn", numbers(found.sizes[shown]), "signed"),
        )
        table = Table(columns, column=behind + 3 * len(tables), name=f"{found.name} drawn")
        chart = bars(
            table,
            title=_title(found),
            series=(
                Series(found.name, y=table.cell_range(columns[1].heading), x=table.cell_range(columns[0].heading)),
            ),
            y_title=found.y_title,
            alt_text=f"{found.title}: {counted(len(shown), 'bar')}, the largest first"
            f"{ends_only(len(found.sizes), found.noun.lower())}.",
        )
        charts.append(replace(chart, x_title=found.noun))
        tables.append(table)
    return tuple(charts), tuple(tables)


def placed(charts: Sequence[Chart], row: int, column: int, width_cm: float) -> tuple[Chart, ...]:
    """Put charts at a cell, as high as they may be."""
    return tuple(
        replace(chart, row=row, column=column, width_cm=width_cm, height_cm=min(chart.height_cm, _HIGHEST_CM))
        for chart in charts
    )


def _differences(results: Results, compared: ComparedMethods) -> list[_Difference]:
    fitted = {result.method.name: one for result, one in compared.fitted()}
    weights, nouns = confidences_noun(results), results.reading.nouns
    fisher, confidence = fitted["fisher"], fitted["confidence"]
    found = [
        _Difference(
            "Fisher",
            f"Without {weights}, calibrating moves" if results.reading.nouns.confidence else "Calibrating moves",
            "Fisher calibration less simple average (Figure 4b)",
            nouns.object,
            results.panel.objects,
            fisher.values - fitted["simple_average"].values,
        ),
        _Difference(
            "Confidence",
            f"{weights.capitalize()} move",
            "Calibration with confidence less Fisher (Figure 4c)",
            nouns.object,
            results.panel.objects,
            confidence.values - fisher.values,
        ),
    ]
    if fisher.biases is not None and confidence.biases is not None:
        found.append(
            _Difference(
                "Bias",
                f"{weights.capitalize()} move the bias of",
                "Bias with confidence less Fisher's (Figure 4d)",
                nouns.assessor,
                results.panel.assessors,
                confidence.biases - fisher.biases,
            )
        )
    return [one for one in found if np.nanmax(np.abs(one.sizes)) >= _VISIBLE]


def _title(found: _Difference) -> str:
    """Name the two ends: "Credits move 2127886 by +1.6 and 2129752 by -2.2"."""
    up, down = int(np.nanargmax(found.sizes)), int(np.nanargmin(found.sizes))
    ends = [k for k, far in ((up, found.sizes[up] > 0), (down, found.sizes[down] < 0)) if far]
    names = names_on_axis(found.labels[k] for k in ends)
    named = [f"{name} by {signed(float(found.sizes[k]))}" for name, k in zip(names, ends, strict=True)]
    return f"{found.title} {' and '.join(named)}"


def places_chart(results: Results, evidence: Table) -> Chart | None:
    """Draw for each method the most places by which it moves anybody; None where no method moves anybody."""
    moved = evidence.columns[evidence.column_number("Largest rank change") - evidence.column].cells
    known = [places if isinstance(places, int) else 0 for places in moved]
    most = max(known, default=0)
    if not most:
        return None
    return bars(
        evidence,
        title=_places_title([str(name) for name in evidence.columns[0].cells], known, most),
        series=(
            Series(
                "Largest rank change", y=evidence.cell_range("Largest rank change"), x=evidence.cell_range("Method")
            ),
        ),
        y_title="Most places gained or lost against calibration with confidence",
        alt_text=f"The most places by which each of {counted(evidence.n_rows, 'method')} moves any "
        f"{results.object_noun}. Short bars: the choice of method hardly matters.",
    )


def _places_title(methods: list[str], known: list[int], most: int) -> str:
    """Name the method that moves somebody furthest, or say that several do."""
    furthest = [method for method, places in zip(methods, known, strict=True) if places == most]
    if len(furthest) == 1:
        return f"{furthest[0]} moves somebody by {counted(most, 'place')}, most of all methods"
    return f"{counted(len(furthest), 'method')} move somebody by {counted(most, 'place')}, none by more"
