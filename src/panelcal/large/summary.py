"""What came out of a long table, as a workbook to read and as JSON for programs."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from panelcal.files.write import report_bytes
from panelcal.large.engine import Arrays
from panelcal.large.result import LargeCalibration
from panelcal.large.source import ColumnNames
from panelcal.reporting.columns import Heading, table_of_rows
from panelcal.reporting.figures import statistic_style
from panelcal.reporting.model import CellValue, Column, Report, Sheet, Style, Table
from panelcal.reporting.run_facts import run_moment
from panelcal.reporting.wording import counted, mu2_in_words
from panelcal.version import __version__

SCHEMA = "panelcal.large/1"
_MOST_ON_SHEET = 5_000
_SIGNIFICANT = 0.05
_BOUNDS = {
    True: "At most, by rounding and by an unfinished solution, in score units (theorem 30).",
    False: "About, by rounding and by an unfinished solution, in score units: mu_2 is estimated.",
}
_ESTIMATED = "Standard errors are estimated from random scores, to about a tenth of their size."
_FACTS: tuple[Heading, ...] = (("What", "text", 40), ("Figure", "general", 18), ("In words", "wrapped", 70))


def sentences(result: LargeCalibration, names: ColumnNames) -> tuple[str, ...]:
    """Tell what came out in a few lines."""
    told = [
        f"{result.n_assessments:,} assessments of {result.n_objects:,} by {result.n_assessors:,} ({names.object} by "
        f"{names.assessor}) were calibrated.",
        _verdict(result),
        f"The largest change is {result.largest_change:.2f}.",
    ]
    left_out = sum(result.assessments.faults.values())
    if left_out:
        told.append(f"! {counted(left_out, 'row')} left out: {'; '.join(map(str, result.assessments.first_faulty))}.")
    if result.assessments.unreadable:
        told.append(f"! Files left out: {', '.join(result.assessments.unreadable)}.")
    if result.n_groups > 1:
        told.append(f"! {result.n_groups:,} groups share nothing: values of different groups must not be compared.")
    surprising = int((result.unexpected["adjusted_p_value"] <= _SIGNIFICANT).sum())
    if surprising:
        told.append(f"! {counted(surprising, 'score')} unlike what all others suggest: see unexpected.parquet.")
    if result.errors_estimated:
        told.append(_ESTIMATED)
    return tuple(told)


def _verdict(result: LargeCalibration) -> str:
    if result.verdict is not None:
        return result.verdict.sentence
    if math.isnan(result.p_value):
        return "Nothing says how large the noise is: there are no more scores than unknowns."
    chance = "p below 0.001" if result.p_value < 0.001 else f"p = {result.p_value:.3f}"
    if result.p_value <= _SIGNIFICANT:
        return f"The assessors differ ({chance}): calibrated values are fairer than averages."
    return f"There is no clear sign that the assessors differ ({chance}): averages are about as good."


def write_summary(result: LargeCalibration, names: ColumnNames, level: float, target: Path) -> None:
    """Write the workbook."""
    surprising = _table(result.unexpected, {"score": "score", "fitted": "score", "residual": "signed"})
    order = np.argsort(-result.assessors["bias"], kind="stable")[:_MOST_ON_SHEET]
    assessors = _table(
        {name: values[order] for name, values in result.assessors.items()},
        {"bias": "signed", "lower": "signed", "upper": "signed", "standard_error": "score"},
    )
    some = "" if len(order) == result.n_assessors else f" The first {_MOST_ON_SHEET:,}; all are in assessors.parquet."
    about = f" {_ESTIMATED}" if result.errors_estimated else ""
    sheets = (
        Sheet(
            name="Cal summary",
            title="Calibration of a long table",
            explanation=" ".join(sentences(result, names)),
            tables=tuple(_summary_tables(result, names, level)),
            portrait=True,
        ),
        Sheet(
            name="Cal assessors",
            title="Assessors, the most generous first",
            explanation=f"bias: how far scores lie above the objects' values, other things equal.{some}{about}",
            tables=(assessors,),
        ),
        Sheet(
            name="Cal residuals",
            title="Scores least like what all others suggest",
            explanation="adjusted_p_value allows for how many scores were looked at (Holm); 5% or below is unexpected."
            + (f"{about} So are studentised and both p-values." if about else ""),
            tables=(surprising,),
        ),
    )
    report = Report(sheets=sheets, run_id="", footer="Confidential", created=run_moment())
    # As bytes: in an unfinished folder, nothing has been written that an interruption would have to tell of.
    target.write_bytes(report_bytes(report)[0])


def _summary_tables(result: LargeCalibration, names: ColumnNames, level: float) -> list[Table]:
    largest = float(result.mu2[0])
    facts: list[tuple[str, CellValue, str]] = [
        ("Assessments", result.n_assessments, ""),
        (f"Objects ({names.object})", result.n_objects, ""),
        (f"Assessors ({names.assessor})", result.n_assessors, ""),
        ("Rows left out", sum(result.assessments.faults.values()), _faults_in_words(result)),
        ("Groups that share nothing", result.n_groups, "" if result.n_groups == 1 else "Each calibrated by itself."),
        ("Largest change of a value", result.largest_change, "Against the confidence-weighted average."),
        ("w = R/(N - p)", float(result.w[0]), "Variance of a score of confidence 1 beyond value and bias."),
        ("N - p", int(result.degrees_of_freedom[0]), "Degrees of freedom."),
        ("F test that all biases are equal, p", result.p_value, _verdict(result)),
        *_expected_errors(result),
        ("mu_2 = 1 - sqrt(lambda_2)", largest, mu2_in_words(largest, links_listed=False)),
        ("Error of the solution", result.solution_error, _BOUNDS[result.solution_proven]),
        ("Level of intervals", level, "lower and upper in values.parquet and assessors.parquet."),
        ("Standard errors", "estimated" if result.errors_estimated else "exact", result.method),
    ]
    plain = [(what, None if isinstance(x, float) and math.isnan(x) else x, words) for what, x, words in facts]
    tables = [table_of_rows(_FACTS, plain, name="facts", styles=statistic_style)]
    classes = result.classes
    if classes.names:
        columns = [Column("Before", list(classes.names), "text", 18)]
        columns += [
            Column(f"{name} after", classes.counts[:, k].tolist(), "integer", 14)
            for k, name in enumerate(classes.names)
        ]
        tables.append(Table(tuple(columns), row=tables[0].last_row + 3, name="classes"))
    return tables


def _expected_errors(result: LargeCalibration) -> list[tuple[str, CellValue, str]]:
    """Rows of the error to expect of each way, in score units."""
    if result.verdict is None:
        return []
    words = {"raw": "plain averages", "calibrated": "calibrated values", "shrunken": "values with shrunken biases"}
    rows: list[tuple[str, CellValue, str]] = [
        (f"Expected error of {words[name]}", error, "Typical, apart from a shift common to all objects.")
        for name, error in result.verdict.expected.roots.items()
    ]
    size = result.verdict.expected.correlation
    rows.append(("Correlation of value and mean bias met", size, "Above 0: able objects met generous assessors."))
    return rows


def _faults_in_words(result: LargeCalibration) -> str:
    counts = [f"{kind}: {n:,}" for kind, n in result.assessments.faults.items()]
    return "; ".join([*counts, *(f"{name} {why}" for name, why in result.assessments.unreadable.items())])


def _table(arrays: Arrays, styles: dict[str, Style]) -> Table:
    def style_of(name: str, first: object) -> Style:
        if name in styles:
            return styles[name]
        if name.endswith("p_value"):
            return "p value"
        return "text" if isinstance(first, str) else "integer" if isinstance(first, int) else "precise"

    columns = []
    for name, values in arrays.items():
        cells = values.tolist()
        columns.append(Column(name, cells, style_of(name, cells[0] if cells else ""), max(len(name) + 3, 12)))
    return Table(tuple(columns))


def summary_json(result: LargeCalibration, names: ColumnNames, level: float) -> dict[str, Any]:
    """Return the same figures for programs; not-a-number is null."""
    return {
        "schema": SCHEMA,
        "panelcal": __version__,
        "columns": {
            "object": names.object,
            "assessor": names.assessor,
            "score": names.score,
            "confidence": names.confidence,
        },
        "n_assessments": result.n_assessments,
        "n_objects": result.n_objects,
        "n_assessors": result.n_assessors,
        "n_groups": result.n_groups,
        "rows_left_out": dict(result.assessments.faults),
        "files_left_out": dict(result.assessments.unreadable),
        "w": _plain(result.w),
        "degrees_of_freedom": _plain(result.degrees_of_freedom),
        "mu2": _plain(result.mu2),
        "f_statistic": _plain(result.f_statistic),
        "p_value": _plain(result.p_value),
        "largest_change": _plain(result.largest_change),
        "advice": None if result.verdict is None else result.verdict.advice,
        "expected_error": None
        if result.verdict is None
        else {name: _plain(error) for name, error in result.verdict.expected.roots.items()},
        "solution_error": _plain(result.solution_error),
        "solution_proven": result.solution_proven,
        "level": level,
        "errors_estimated": result.errors_estimated,
        "method": result.method,
        "classes": {"names": list(result.classes.names), "before_after": result.classes.counts.tolist()},
        "sentences": list(sentences(result, names)),
    }


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return [_plain(item) for item in value.tolist()]
    return value if math.isfinite(value) else None
