"""What came out of a calibration, in the few lines that a terminal or a message box has room for."""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Indices
from panelcal.calibration.outliers import BisquareFit
from panelcal.reporting.cautions import slips
from panelcal.reporting.wording import counted, number, signed, some_of
from panelcal.systems.calibration.common_objects import common_in_words
from panelcal.systems.calibration.nearness import nearness_in_words
from panelcal.systems.calibration.prior import prior_in_words
from panelcal.systems.calibration.results import Results
from panelcal.systems.calibration.unexpected import standardised_residuals, unexpected_scores

_NOTICED = 0.05  # half of the one decimal that is shown
_ASIDE_NAMED = 3
_UNEXPECTED_NAMED = 6


def judged_for(results: Results) -> str:
    """Say what the verdict is about where values come from another method; it then opens the verdict's sentence."""
    return "" if results.is_calibration else f"For calibration with confidence, with all {results.scores_noun}: "


def set_aside(results: Results) -> Indices | None:
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


def _verdict(results: Results) -> str:
    cells = slips(results.reading.decisions)
    if cells:
        return (
            f"First look at {cells}: a slip can turn every result. Whether calibrating is worthwhile, as it "
            "stands, is on Cal summary."
        )
    return f"{judged_for(results)}{results.verdict.sentence}"


def _unexpected(results: Results) -> str:
    """Name the cells of unexpected scores, the most unexpected first, so that all can be looked at in one round."""
    size = np.nan_to_num(np.abs(standardised_residuals(results)))
    found = np.flatnonzero(unexpected_scores(results))
    order = found[np.argsort(-size[found], kind="stable")]
    cells = [f"{results.reading.score_cells[k]} ({results.panel.scores[k]:g})" for k in order.tolist()]
    return f"Unexpected {results.scores_noun}, to look at before deciding: {some_of(cells, _UNEXPECTED_NAMED)}."


def outcome_sentences(results: Results) -> tuple[str, ...]:
    """Say whether calibrating is worthwhile here, how many moved and who most, and which scores do not count."""
    change = results.change
    up, down = int((change > _NOTICED).sum()), int((change < -_NOTICED).sum())
    most = int(abs(change).argmax())
    sentences = [
        _verdict(results),
        f"{counted(up, results.object_noun)} up, {down:,} down; largest change {signed(float(change[most]))} "
        f"({results.panel.objects[most]}: {number(float(results.raw[most]))} to "
        f"{number(float(results.values[most]))}).",
    ]
    if results.method.name != "confidence":
        sentences.insert(0, f"Values by the method {results.method.title}. {results.chosen.note}")
    if results.facets is not None:
        from panelcal.reporting.criteria_words import leanings_in_words
        from panelcal.systems.calibration.criteria import criteria_figures

        sentences.append(leanings_in_words(results, criteria_figures(results, results.facets)))
    if results.common is not None:
        sentences.append(common_in_words(results, results.common))
    if results.nearness is not None:
        sentences.append(nearness_in_words(results, results.nearness))
    elif results.nearness_or_why_not:
        sentences.append(str(results.nearness_or_why_not))
    if results.prior is not None:
        sentences.append(prior_in_words(results, results.prior))
    aside = set_aside_in_words(results)
    if aside:
        sentences.append(aside)
    if unexpected_scores(results).any():
        sentences.append(_unexpected(results))
    lone = len(results.network.single_object_assessors)
    if lone and results.is_calibration:
        sentences.append(
            f"{counted(lone, results.assessor_noun)} with one {results.object_noun} only: "
            f"these {results.scores_noun} do not count."
        )
    return tuple(sentences)
