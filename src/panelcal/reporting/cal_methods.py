"""`Cal methods`: the four approaches of the paper's Table 1 side by side, and the differences of its Figure 4(b, c)."""

from __future__ import annotations

import numpy as np

from panelcal.reporting.cal_values import numbers
from panelcal.reporting.context import Context
from panelcal.reporting.model import Chart, Column, Series, Sheet, Table

BIAS_DIFFERENCE = "Calibration with confidence less weighted average"
FISHER_DIFFERENCE = "Fisher less simple average"
CONFIDENCE_DIFFERENCE = "Calibration with confidence less Fisher"


def methods_sheet(context: Context) -> Sheet:
    """Build the sheet."""
    results = context.results
    table = _table(context)
    beside = table.column + len(table.columns) + 1
    count = results.panel.n_objects
    noun = results.reading.nouns.object
    return Sheet(
        name=context.sheet("Cal methods"),
        title="What other methods would have said",
        explanation=(
            "The four approaches of MacKay, Kenna, Low and Parker (2015), Table 1. A difference is not an error: it "
            "shows what calibrating and what confidences change."
        ),
        tables=(table,),
        charts=(
            Chart(
                kind="scatter",
                title="What calibrating changes (Figure 4b)",
                x_title=f"{noun}, in the order of the sheet",
                y_title="Difference",
                series=(
                    Series("With confidence", y=table.cell_range(BIAS_DIFFERENCE), marker="circle", colour=0),
                    Series("Fisher", y=table.cell_range(FISHER_DIFFERENCE), marker="x", colour=1),
                ),
                alt_text=f"Calibrated less averaged value for {count} {results.objects_noun}, with and without "
                "confidences.",
                row=4,
                column=beside,
                width_cm=17,
                height_cm=8.5,
                x_low=0,
            ),
            Chart(
                kind="scatter",
                title="What confidences change (Figure 4c)",
                x_title=f"{noun}, in the order of the sheet",
                y_title="Difference",
                series=(
                    Series(
                        "With confidence less Fisher",
                        y=table.cell_range(CONFIDENCE_DIFFERENCE),
                        marker="diamond",
                        colour=2,
                    ),
                ),
                alt_text=f"Calibration with confidence less Fisher's calibration for {count} {results.objects_noun}.",
                row=23,
                column=beside,
                width_cm=17,
                height_cm=8.5,
                x_low=0,
                legend=False,
            ),
        ),
    )


def _table(context: Context) -> Table:
    results = context.results
    of = results.comparison

    def difference(one: np.ndarray, two: np.ndarray, heading: str) -> Column:
        return Column(heading, numbers(one - two), "signed", 15)

    columns = (
        Column(results.reading.nouns.object, results.panel.objects, "text", 14),
        Column("Simple average", numbers(of.simple_average), "score", 11, explanation="Plain mean of the scores."),
        Column("Weighted average", numbers(of.weighted_average), "score", 11, explanation="Confidence-weighted mean."),
        Column(
            "Fisher calibration",
            numbers(of.fisher),
            "score",
            11,
            explanation="Calibration with all confidences equal (additive incomplete block analysis).",
        ),
        Column("Calibration with confidence", numbers(of.confidence), "score", 13, explanation="The paper's method."),
        difference(of.fisher, of.simple_average, FISHER_DIFFERENCE),
        difference(of.confidence, of.weighted_average, BIAS_DIFFERENCE),
        difference(of.confidence, of.fisher, CONFIDENCE_DIFFERENCE),
    )
    return Table(columns, name="methods")
