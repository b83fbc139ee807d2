"""Which figures are exact and which are estimates, in sentences: on very large panels not all can be exact."""

from __future__ import annotations

import numpy as np

from panelcal.reporting.audit_rows import Row
from panelcal.reporting.model import Note
from panelcal.systems.calibration.results import Results


def estimated_figures(results: Results) -> tuple[str, ...]:
    """Say which figures on the sheets are estimates, and how good; empty where all are exact."""
    sentences = []
    errors, bounds, shifts = results.uncertainty, results.robustness, results.influence
    if errors.stated_error > 0:
        sentences.append(
            f"Standard errors, intervals, worst cases and leverages are {errors.method}, each within about "
            f"{errors.stated_error:.0%} of itself (one standard error); the values themselves are exact."
        )
    unproven = int((~bounds.sensitivities_proven).sum())
    if unproven:
        sentences.append(
            f"For {unproven:,} of {len(bounds.sensitivities_proven):,} {results.objects_noun} the sensitivity is that "
            f"to their own {results.scores_noun}; those of others were too many to search."
        )
    if not np.all(shifts.largest_proven):
        sentences.append(
            f"Influence counts the {results.score_noun}'s own {results.object_noun} where the others were too many to "
            "search."
        )
    return tuple(sentences)


def precision_notes(results: Results) -> tuple[Note, ...]:
    """Label the figures of a sheet that are estimates, in A3; nothing where all are exact."""
    said = " ".join(estimated_figures(results))
    return (Note(row=3, text=f"Estimates: {said}", style="strong"),) if said else ()


def precision_rows(results: Results) -> list[Row]:
    """Rows of the audit on how the figures beside the values were found."""
    errors = results.uncertainty
    figure = errors.stated_error if errors.stated_error > 0 else None
    said = estimated_figures(results) or ("Standard errors, bounds, sensitivities and influence are exact.",)
    return [("Certificate", "Figures beside the values", figure, " ".join(said), None)]
