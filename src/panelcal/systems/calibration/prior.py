"""`Cal prior`: what the assessors' earlier biases would change, and whether they still hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from panelcal.calibration.uncertainty import uncertainty
from panelcal.reporting.cell_content import numbers
from panelcal.reporting.model import Column, Highlight, Note, Sheet, Table
from panelcal.reporting.wording import chance, named, number, signed
from panelcal.systems.calibration.context import Context
from panelcal.systems.calibration.results import Results

if TYPE_CHECKING:
    from panelcal.calibration.prior import PriorCalibration

_LEVEL = 0.05


def prior_sheets(context: Context) -> tuple[Sheet, ...]:
    """Build the sheet; none where the workbook has no earlier biases."""
    found = context.results.prior
    return () if found is None else (_sheet(context, context.results, found),)


def prior_in_words(results: Results, found: PriorCalibration) -> str:
    """Say whether the two sets of biases agree, and how much the earlier ones would move."""
    most = int(np.abs(found.value_changes).argmax())
    test = f"chi-square {number(found.chi_square)} on {found.degrees_of_freedom}, {chance(found.p_value)}"
    moved = (
        f"Used as a prior they move {named(results.object_noun, results.panel.objects[most])} most, by "
        f"{signed(float(found.value_changes[most]))}."
    )
    if found.p_value >= _LEVEL:
        return f"The biases agree with the earlier ones within their errors ({test}). {moved}"
    who = int(np.nanargmin(found.adjusted_p))
    return (
        f"Warning: the biases do not agree with the earlier ones ({test}), least of all "
        f"{results.panel.assessors[who]} ({signed(float(found.changes[who]))} since). {moved} Better leave the prior "
        "out, or give it larger standard errors."
    )


def _sheet(context: Context, results: Results, found: PriorCalibration) -> Sheet:
    values = _values(results, found)
    biases = _biases(results, found, column=len(values.columns) + 2)
    across = biases.column + len(biases.columns) - 1
    return Sheet(
        name=context.sheet("Cal prior"),
        title="What earlier biases would change",
        explanation=(
            "Calibration with confidence that also knows the biases on the sheet Prior. They say how "
            f"{results.assessors_noun} differ, not how generous all are. {_where(results)}"
        ),
        tables=(values, biases),
        notes=(Note(row=3, text=prior_in_words(results, found), style="small", across=across),),
        across=across,
    )


def _where(results: Results) -> str:
    if results.method.name == "prior":
        return "Cal values has them, for the method is prior."
    return "Cal values stays without them, unless the method is prior."


def _values(results: Results, found: PriorCalibration) -> Table:
    plain = uncertainty(found.plain)
    return Table(
        (
            Column(results.reading.nouns.object, results.panel.objects, "text", 24),
            Column("Without", numbers(found.plain.values), "score", 10, explanation="Calibration with confidence."),
            Column("Error without", numbers(plain.value_errors), "score", 10, explanation="Standard error."),
            Column("With earlier biases", numbers(found.values), "score", 12),
            Column("Error with", numbers(found.value_errors), "score", 10, explanation="Standard error."),
            Column("Change", numbers(found.value_changes), "signed", 10, highlight=Highlight("data bar")),
        ),
        name="prior values",
    )


def _biases(results: Results, found: PriorCalibration, *, column: int) -> Table:
    plain = uncertainty(found.plain)
    return Table(
        (
            Column(results.reading.nouns.assessor, results.panel.assessors, "text", 20),
            Column(
                "Earlier bias",
                numbers(found.earlier),
                "signed",
                10,
                explanation="As on the sheet Prior, moved to the zero of this panel; blank where there is none.",
            ),
            Column("Earlier error", numbers(found.earlier_errors), "score", 10),
            Column("Bias here", numbers(found.plain.biases), "signed", 10, explanation="From this panel alone."),
            Column("Error here", numbers(plain.bias_errors), "score", 10),
            Column("Both together", numbers(found.biases), "signed", 10),
            Column("Error together", numbers(found.bias_errors), "score", 10),
            Column(
                "Change since",
                numbers(found.changes),
                "signed",
                10,
                explanation="Bias here less the earlier one, from the mean of these differences.",
            ),
            Column(
                "Adjusted p",
                numbers(found.adjusted_p),
                "p value",
                10,
                explanation="Chance that any would differ so far if no bias had changed, by Holm; bold up to 0.05.",
                highlight=Highlight("below", limit=np.nextafter(_LEVEL, 1.0)),
            ),
        ),
        column=column,
        name="prior biases",
    )
