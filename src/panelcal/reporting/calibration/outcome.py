"""What came out of a calibration, in the few lines that a terminal or a message box has room for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from panelcal.calibration.outliers import BisquareFit
from panelcal.reporting.calibration.results import Results
from panelcal.reporting.cautions import until_slips_are_corrected
from panelcal.reporting.wording import counted, number, signed, some_of

_NOTICED = 0.05  # half of the one decimal that is shown
_ASIDE_NAMED = 3


def judged_for(results: Results) -> str:
    """Say what the verdict is about where values come from another method; it then opens the verdict's sentence."""
    return "" if results.is_calibration else f"For calibration with confidence, with all {results.scores_noun}: "


def set_aside(results: Results) -> NDArray[np.intp] | None:
    """Return the assessments that a robust method set aside, the largest residuals first; None for other methods."""
    found = results.chosen.detail
    if not isinstance(found, BisquareFit):
        return None
    aside = np.flatnonzero(found.weights == 0)
    return aside[np.argsort(-np.abs(found.calibration.residuals[aside]), kind="stable")]


def set_aside_in_words(results: Results) -> str:
    """Name the scores set aside with their cells, and say what to do; empty where there are none."""
    aside = set_aside(results)
    if aside is None or not len(aside):
        return ""
    panel = results.reading.panel
    named = some_of(
        [
            f"{panel.scores[k]:g} for {panel.objects[panel.object_index[k]]} in "
            f"{panel.assessors[panel.assessor_index[k]]} (cell {results.reading.score_cells[k]})"
            for k in aside.tolist()
        ],
        _ASIDE_NAMED,
    )
    were = "was" if len(aside) == 1 else "were"
    correct = "Correct it if it is a slip." if len(aside) == 1 else "Correct those that are slips."
    scores = counted(panel.n_assessments, results.score_noun)
    return f"{len(aside):,} of {scores} {were} set aside: {named}. {correct}"


def outcome_sentences(results: Results) -> tuple[str, ...]:
    """Say whether calibrating is worthwhile here, how many moved and who most, and which scores do not count."""
    change = results.change
    up, down = int((change > _NOTICED).sum()), int((change < -_NOTICED).sum())
    most = int(abs(change).argmax())
    sentences = [
        f"{until_slips_are_corrected(results.reading.decisions)}{judged_for(results)}{results.verdict.sentence}",
        f"{counted(up, results.object_noun)} up, {down:,} down; largest change {signed(float(change[most]))} "
        f"({results.panel.objects[most]}: {number(float(results.raw[most]))} to "
        f"{number(float(results.values[most]))}).",
    ]
    if results.method.name != "confidence":
        sentences.insert(0, f"Values by the method {results.method.title}. {results.chosen.note}")
    aside = set_aside_in_words(results)
    if aside:
        sentences.append(aside)
    lone = len(results.network.single_object_assessors)
    if lone and results.is_calibration:
        sentences.append(
            f"{counted(lone, results.assessor_noun)} with one {results.object_noun} only: "
            f"these {results.scores_noun} do not count."
        )
    return tuple(sentences)
