"""`Cal prior`: what the assessors' earlier biases would change, and whether they still hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from panelcal.calibration.uncertainty import uncertainty
from panelcal.reporting.columns import Spec, bold_up_to, columns_of
from panelcal.reporting.model import Highlight, Note, Sheet, Table
from panelcal.reporting.wording import chance, named, number, signed, words_of
from panelcal.systems.calibration.context import Context
from panelcal.systems.calibration.results import Results

if TYPE_CHECKING:
    from panelcal.calibration.prior import PriorCalibration

_LEVEL = 0.05
_SHOWN = 0.05  # a smaller move prints as 0.0


def prior_sheets(context: Context) -> tuple[Sheet, ...]:
    """Build the sheet; none where the workbook has no earlier biases."""
    found = context.results.prior
    return () if found is None else (_sheet(context, context.results, found),)


def prior_in_words(results: Results, found: PriorCalibration) -> str:
    """Say whether the two sets of biases agree, and how much the earlier ones would move."""
    most = int(np.abs(found.value_changes).argmax())
    test = f"chi-square {number(found.chi_square)} on {found.degrees_of_freedom}, {chance(found.p_value)}"
    who_most = named(results.object_noun, results.panel.objects[most])
    moved = (
        f"Used as a prior they move {who_most} most, by {signed(float(found.value_changes[most]))}."
        if abs(float(found.value_changes[most])) >= _SHOWN
        else "Used as a prior they move nobody."
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
    words = words_of(results.reading.nouns)
    values = Table(columns_of(_VALUES, found, words), name="prior values")
    biases = Table(columns_of(_BIASES, found, words), column=len(_VALUES) + 2, name="prior biases")
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


_VALUES: tuple[Spec[PriorCalibration], ...] = (
    Spec("{Object}", lambda found: found.plain.panel.objects, "text", 24),
    Spec("Without", lambda found: found.plain.values, "score", 10, "Calibration with confidence."),
    Spec("Error without", lambda found: uncertainty(found.plain).value_errors, "score", 10, "Standard error."),
    Spec("With earlier biases", lambda found: found.values, "score", 12),
    Spec("Error with", lambda found: found.value_errors, "score", 10, "Standard error."),
    Spec("Change", lambda found: found.value_changes, "signed", 10, highlight=Highlight("data bar")),
)
_BIASES: tuple[Spec[PriorCalibration], ...] = (
    Spec("{Assessor}", lambda found: found.plain.panel.assessors, "text", 20),
    Spec(
        "Earlier bias",
        lambda found: found.earlier,
        "signed",
        10,
        "As on the sheet Prior, moved to the zero of this panel; blank where there is none.",
    ),
    Spec("Earlier error", lambda found: found.earlier_errors, "score", 10),
    Spec("Bias here", lambda found: found.plain.biases, "signed", 10, "From this panel alone."),
    Spec("Error here", lambda found: uncertainty(found.plain).bias_errors, "score", 10),
    Spec("Both together", lambda found: found.biases, "signed", 10),
    Spec("Error together", lambda found: found.bias_errors, "score", 10),
    Spec(
        "Change since",
        lambda found: found.changes,
        "signed",
        10,
        "Bias here less the earlier one, from the mean of these differences.",
    ),
    Spec(
        "Adjusted p",
        lambda found: found.adjusted_p,
        "p value",
        10,
        "Chance that any would differ so far if no bias had changed, by Holm; bold up to 0.05.",
        highlight=bold_up_to(_LEVEL),
    ),
)
