"""Case study 1 as a workbook: the paper's Figures 1 to 3 as native charts, in both settings, beside the table.

Used by `python tests/benchmarks/case_study_1.py -o OUT.xlsx`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from panelcal.files.write import write_report
from panelcal.reporting.model import CellRange, Chart, Column, Report, Series, Sheet, Table

APPROACHES = ("Simple average", "Weighted average", "Fisher", "With confidence")
DRAWN = (("Simple average", "triangle", 1), ("Fisher", "x", 2), ("With confidence", "circle", 0))
RATIOS = (("Fisher / simple average", "x", 2), ("With confidence / simple average", "circle", 0))
MARKERS = ("circle", "triangle", "x", "diamond")
WORDS = {
    "literal": "As in the paper: estimates have biases adding up to 0, true biases do not.",
    "matched": "True biases moved to sum 0 as well, so that no common offset sits in every error.",
}
FIRST_CHART_COLUMN, CHART_COLUMNS = 14, 9

Numbers = Mapping[tuple[str, str, str, int], Sequence[float]]


def write_workbook(measured: Numbers, expected: Numbers, target: Path, simulations: int) -> None:
    """Write the workbook.

    Parameters
    ----------
    measured, expected
        {(what, setting, profile, readers): numbers}: for "mean" and "largest" |dv| of the four approaches, for "bias"
        mean and maximum |db|.
    target
        The file to make; one that is there is replaced.
    simulations
        How many there were in each cell.
    """
    sheets = []
    for setting in ("literal", "matched"):
        for figure, what, title in ((1, "mean", "mean errors"), (2, "largest", "maximum errors")):
            sheets.append(_errors_sheet(measured, expected, setting, figure, what, title, simulations))
        sheets.append(_bias_sheet(measured, expected, setting, simulations))
    created = datetime.now(UTC).replace(tzinfo=None).isoformat(timespec="seconds")
    write_report(Report(tuple(sheets), "case 1", "Simulated: no real marks", created), target, overwrite=True)


def _errors_sheet(
    measured: Numbers, expected: Numbers, setting: str, figure: int, what: str, title: str, simulations: int
) -> Sheet:
    keys = [key for key in measured if key[:2] == (what, setting)]
    found = np.array([measured[key] for key in keys])
    table_there = np.array([expected[key] for key in keys])
    columns = [_profiles(keys), _readers(keys)]
    columns += [
        _numbers(name, found[:, k], f"|dv| by {name.lower()}, in score units.") for k, name in enumerate(APPROACHES)
    ]
    columns += [
        _numbers(f"{name} (table)", table_there[:, k], "Acceptance table.") for k, name in enumerate(APPROACHES)
    ]
    columns += [
        _numbers(RATIOS[0][0], found[:, 2] / found[:, 0], "Panel (e) of the figure."),
        _numbers(RATIOS[1][0], found[:, 3] / found[:, 0], "Panel (e) of the figure."),
    ]
    table = Table(tuple(columns), name=f"figure_{figure}_{setting}")
    blocks = _blocks(keys)
    charts = []
    for place, (profile, (first, last)) in enumerate(blocks.items()):
        series = tuple(
            Series(name, y=_part(table, name, first, last), x=_part(table, "r", first, last), marker=marker, line=True,
                   colour=colour)
            for name, marker, colour in DRAWN
        )  # fmt: skip
        charts.append(_chart(f"Figure {figure}({profile[0]}): {title}, {profile[2:]}", "Error", series, place))
    ratio_series = tuple(
        Series(f"{name} {profile[2:]}", y=_part(table, name, first, last), x=_part(table, "r", first, last),
               marker=MARKERS[k], line=True, colour=colour)
        for name, _, colour in RATIOS
        for k, (profile, (first, last)) in enumerate(blocks.items())
    )  # fmt: skip
    charts.append(_chart(f"Figure {figure}(e): ratios of {title}", "Ratio", ratio_series, 4, height=13, low=0.4))
    return Sheet(
        name=f"Figure {figure} {setting}",
        title=f"Case study 1, Figure {figure}: {title} of the values",
        explanation=f"{WORDS[setting]} 3,000 objects, 15 assessors, {simulations} simulations in each row.",
        tables=(table,),
        charts=tuple(charts),
    )


def _bias_sheet(measured: Numbers, expected: Numbers, setting: str, simulations: int) -> Sheet:
    keys = [key for key in measured if key[:2] == ("bias", setting)]
    found, there = np.array([measured[key] for key in keys]), np.array([expected[key] for key in keys])
    names = ("Mean |db|", "Maximum |db|")
    columns = [_profiles(keys), _readers(keys)]
    columns += [_numbers(name, found[:, k], "Calibration with confidence.") for k, name in enumerate(names)]
    columns += [_numbers(f"{name} (table)", there[:, k], "Acceptance table.") for k, name in enumerate(names)]
    table = Table(tuple(columns), name=f"figure_3_{setting}")
    charts = []
    for place, name in enumerate(names):
        series = tuple(
            Series(profile[2:], y=_part(table, name, first, last), x=_part(table, "r", first, last), marker=MARKERS[k],
                   line=True, colour=k)
            for k, (profile, (first, last)) in enumerate(_blocks(keys).items())
        )  # fmt: skip
        charts.append(
            _chart(f"Figure 3({'ab'[place]}): {name[:-5].lower()} errors of the biases", "Error", series, place)
        )
    return Sheet(
        name=f"Figure 3 {setting}",
        title="Case study 1, Figure 3: errors of the biases",
        explanation=f"{WORDS[setting]} Calibration with confidence, {simulations} simulations in each row.",
        tables=(table,),
        charts=tuple(charts),
    )


def _profiles(keys: Sequence[tuple[str, str, str, int]]) -> Column:
    return Column("Profile", [key[2] for key in keys], "text", 10, explanation="High : medium : low confidence.")


def _readers(keys: Sequence[tuple[str, str, str, int]]) -> Column:
    return Column("r", [key[3] for key in keys], "integer", 5, explanation="Assessors for each object.")


def _numbers(heading: str, numbers: np.ndarray, explanation: str) -> Column:
    return Column(heading, [float(number) for number in numbers], "precise", 17, explanation=explanation)


def _blocks(keys: Sequence[tuple[str, str, str, int]]) -> dict[str, tuple[int, int]]:
    """First and last row number of every profile, counted from 0."""
    rows: dict[str, tuple[int, int]] = {}
    for k, key in enumerate(keys):
        rows[key[2]] = (rows.get(key[2], (k, k))[0], k)
    return rows


def _part(table: Table, heading: str, first: int, last: int) -> CellRange:
    column = table.column_number(heading)
    return CellRange(table.row + 1 + first, column, table.row + 1 + last, column)


def _chart(
    title: str, y_title: str, series: tuple[Series, ...], place: int, *, height: float = 8, low: float = 0
) -> Chart:
    return Chart(
        kind="scatter",
        title=title,
        x_title="Assessors for each object, r",
        y_title=y_title,
        series=series,
        alt_text=f"{title}, against the number of assessors for each object.",
        row=4 + 18 * (place // 2),
        column=FIRST_CHART_COLUMN + CHART_COLUMNS * (place % 2),
        width_cm=14,
        height_cm=height,
        x_low=1,
        x_high=9,
        y_low=low,
    )
