"""A made-up report with one of everything, for tests of the writers and for looking at what they make."""

from __future__ import annotations

import math
from random import Random

from panelcal.reporting.model import CellRange, Chart, Column, Highlight, Note, Report, Series, Sheet, Table

N_OBJECTS, N_ASSESSORS = 42, 23
WHY = (
    "Raw average {raw:.1f}. The modules taken were marked 1.9 below the panel on balance: MA3D1 (15 credits, 6.2 low) "
    "added 1.0, MA4H0 (12 credits, 3.1 low) added 0.4, ST301 (18 credits, 1.1 high) took off 0.2 and the other "
    "eleven added 0.7 together. Calibrated {value:.1f} +/- 2.4. Crosses 70; within uncertainty."
)


def values_sheet(draw: Random) -> Sheet:
    """A sheet such as "Cal values"."""
    ids = [f"{2026000 + 7 * k:07d}" for k in range(N_OBJECTS)]
    raw = [draw.gauss(62, 8) for _ in ids]
    change = [draw.gauss(0, 2) for _ in ids]
    value = [a + b for a, b in zip(raw, change, strict=True)]
    error = [abs(draw.gauss(2.0, 0.4)) for _ in ids]
    half = [1.98 * e for e in error]
    first = 5
    columns = (
        Column("Student", ids, width=11, links=[f"#'Cal assessors'!A{5 + k % 20}" for k in range(N_OBJECTS)]),
        Column("Assessments", [draw.randint(4, 14) for _ in ids], "integer"),
        Column("Confidence (C_o)", [float(draw.randint(60, 140)) for _ in ids], "general"),
        Column("Raw average (confidence-weighted)", raw, "score", explanation="The average before calibration."),
        Column(
            "Calibrated value", value, "score", explanation="What the score would be, had everybody assessed alike."
        ),
        Column("Change", change, "signed", highlight=Highlight("data bar"), width=14),
        Column("Standard error", error, "score"),
        Column("Lower", [v - h for v, h in zip(value, half, strict=True)], "score", width=9),
        Column("Upper", [v + h for v, h in zip(value, half, strict=True)], "score", width=9),
        Column("Half width", half, "score", formulas=[f"=I{first + k}-E{first + k}" for k in range(N_OBJECTS)]),
        Column("Bound", [draw.random() for _ in ids], "precise"),
        Column("Worst case (exact)", [draw.random() * 1e-12 for _ in ids], "scientific"),
        Column("P(class after or better)", [draw.random() for _ in ids], "percent"),
        Column("Rank", list(range(1, N_OBJECTS + 1)), "integer", width=7),
        Column(
            "Borderline",
            ["crosses 70, within uncertainty" if k % 9 == 4 else "" for k in range(N_OBJECTS)],
            "wrapped",
            width=16,
            highlight=Highlight("text", starts="crosses"),
        ),
        Column("Why", [WHY.format(raw=r, value=v) for r, v in zip(raw, value, strict=True)], "wrapped", width=70),
        Column("Board decision", [None] * N_OBJECTS, "input", width=16),
    )
    return Sheet(
        "Cal values",
        "Calibrated values",
        "One row for each student; a board decides, this sheet advises. Changes beyond their uncertainty are marked.",
        tables=(Table(columns),),
    )


def assessors_sheet(draw: Random) -> Sheet:
    """A sheet such as "Cal assessors", with a chart behind it."""
    names = [f"MA{300 + 11 * k}" for k in range(N_ASSESSORS)]
    bias = [draw.gauss(0, 3) for _ in names]
    half = [abs(draw.gauss(2, 0.5)) for _ in names]
    table = Table(
        (
            Column("Module", names, width=14),
            Column("Bias", bias, "signed", highlight=Highlight("data bar"), width=16),
            Column("Half width", half, "score"),
            Column(
                "Misfit", [abs(draw.gauss(1, 0.5)) for _ in names], "score", highlight=Highlight("beyond", limit=1.8)
            ),
            Column(
                "Objects shared", [draw.randint(0, 30) for _ in names], "integer", highlight=Highlight("below", limit=5)
            ),
            Column("Note", ["no effect on others" if k == 3 else None for k in range(N_ASSESSORS)], "text", width=30),
        )
    )
    whole = table.cell_range("Half width")
    chart = Chart(
        "column",
        "Bias of each module with 95% interval",
        "Module",
        "Bias (marks)",
        (Series("Bias", table.cell_range("Bias"), table.cell_range("Module"), whole, whole),),
        "Columns: the bias of each of the modules; MA300 is highest.",
        row=4,
        column=8,
        width_cm=18,
        height_cm=9,
        legend=False,
    )
    return Sheet("Cal assessors", "Assessors", "Positive bias: marks are given too high.", (table,), charts=(chart,))


def summary_sheet(assessors: Sheet) -> Sheet:
    """A sheet such as "Cal summary": notes, small tables and charts on one page."""
    classes = Table(
        (
            Column("Class", ["First", "Upper second", "Lower second", "Third", "Fail"], width=18),
            Column("Before", [11, 16, 10, 4, 1], "integer"),
            Column("After", [13, 15, 9, 4, 1], "integer"),
        ),
        row=11,
    )
    values = CellRange(5, 4, 4 + N_OBJECTS, 4, "Cal values"), CellRange(5, 5, 4 + N_OBJECTS, 5, "Cal values")
    rank = CellRange(5, 14, 4 + N_OBJECTS, 14, "Cal values")
    half = CellRange(5, 10, 4 + N_OBJECTS, 10, "Cal values")
    bias = assessors.tables[0].cell_range("Bias").on("Cal assessors")
    charts = (
        Chart(
            "scatter",
            "Raw average and calibrated value by student",
            "Rank after calibration",
            "Score",
            (
                Series("Raw average", values[0], rank, marker="triangle", colour=1),
                Series("Calibrated value with 95% interval", values[1], rank, half, half, colour=0),
            ),
            "Points: raw and calibrated score of each student in order of rank. They differ by up to five marks.",
            row=20,
            column=1,
            width_cm=17,
            height_cm=9,
            x_low=0,
            x_high=45,
            y_low=30,
            y_high=90,
        ),
        Chart(
            "column",
            "Class before and after",
            "Class",
            "Students",
            (
                Series("Before", classes.cell_range("Before"), classes.cell_range("Class"), colour=1),
                Series("After", classes.cell_range("After"), classes.cell_range("Class"), colour=0),
            ),
            "Columns: eleven firsts before, thirteen after.",
            row=10,
            column=5,
            width_cm=11,
            height_cm=5.5,
        ),
        Chart(
            "line",
            "Biases in order",
            "Module",
            "Bias",
            (
                Series("Bias", bias, line=True, marker="diamond", colour=2),
                Series("Misfit", assessors.tables[0].cell_range("Misfit").on("Cal assessors"), marker="x", colour=3),
            ),
            "Lines: bias and misfit of the modules.",
            row=20,
            column=7,
            width_cm=11,
            height_cm=9,
        ),
    )
    notes = (
        Note(3, "Calibrating is worthwhile on this panel: F = 12.3, p < 0.001.", "strong"),
        Note(4, "Every module is linked to every other through common students.", "good"),
        Note(5, "Two modules are thinly linked: MA311 (1 student), MA322 (2 students).", "warning"),
        Note(
            6,
            "Up to date",
            "good",
            formula="=IF(ABS('Cal values'!E5-'Cal values'!E5)<0.000001,\"Up to date\",\"Out of date\")",
            highlight=Highlight("text", starts="Out of date"),
        ),
        Note(7, "Advice only & for the <Board>'s decision; nothing here promotes anybody.", "small"),
        Note(8, "See the list of decisions", link="#'Cal audit'!A1"),
        Note(10, "Classes", "heading"),
        Note(19, "Pictures", "heading"),
    )
    return Sheet(
        "Cal summary",
        "Summary of the calibration: Year 3 Mathematics (made up)",
        "82 students, 81 modules, 1,024 assessments; read from Marks!A4:CD86.",
        tables=(classes,),
        notes=notes,
        charts=charts,
        frozen=None,
        column_widths=((5, 10.0), (6, 10.0), (7, 10.0), (8, 10.0), (9, 10.0), (10, 10.0), (11, 10.0), (12, 10.0)),
        one_page=True,
    )


def audit_sheet() -> Sheet:
    """A sheet such as "Cal audit": odd texts, formulas with values of each kind, two tables side by side."""
    odd: list[str | float | int | bool | None] = [
        "=1+1 is text",
        "a\x07bell",
        "_x0041_ stays",
        " spaces ",
        "two\nlines",
        True,
        10**12,
        math.nan,
        math.inf,
        None,
        "Müller & Söhne <x>",
        "😀 √",
    ]
    first = Table((Column("What", odd, "wrapped", width=24), Column("n", list(range(len(odd))), "integer")))
    kinds = Table(
        (
            Column("Kind", ["number", "text", "boolean", "error", "empty text", "static"], width=14),
            Column(
                "Value",
                [6.0, "ab", True, "#N/A", "", 3.5],
                "general",
                formulas=["=SUM(B5:B8)", '="a"&"b"', "=B5<B6", "=NA()", '=""', None],
            ),
        ),
        column=4,
    )
    return Sheet("Cal audit", "Audit", "What was read and decided.", (first, kinds))


def sample_report(suffix: str = "") -> Report:
    """The whole report; the same each time."""
    draw = Random(5)
    assessors = assessors_sheet(draw)
    sheets = (summary_sheet(assessors), values_sheet(draw), assessors, audit_sheet())
    assert not suffix
    return Report(sheets, "R-20261121-7F3A", "Confidential: for the Board & nobody else", "2026-11-21T10:15:00")
