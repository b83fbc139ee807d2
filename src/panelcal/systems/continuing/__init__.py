"""A plan that goes on: given what has been scored, which assessments next, the best single one first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from panelcal.errors import InputRefused
from panelcal.reading.grid import Source
from panelcal.reading.planning.read_plan import PlanWanted
from panelcal.reading.planning.scored_so_far import ScoredSoFar, read_scored_so_far
from panelcal.reading.setting_texts import ROWS
from panelcal.reading.settings import Settings
from panelcal.systems.choices import Choices
from panelcal.systems.continuing.found import Continuation
from panelcal.systems.system import Outcome, Progress, System, nothing_to_check

if TYPE_CHECKING:
    from panelcal.reporting.model import Report
    from panelcal.reporting.run_facts import RunFacts


def _read(source: Source, choices: Choices) -> ScoredSoFar:
    return read_scored_so_far(source, sheet=choices.sheet, wanted=choices.plan or PlanWanted(), over=choices.over)


def what_comes_next(source: Source, choices: Choices, settings: Settings) -> Continuation | None:
    """Find what to assess next on the scores of a workbook; None unless its settings ask for that.

    Raises
    ------
    PanelcalError
        If no further assessments can be planned for scores of that kind.
    """
    if settings.further is None:
        return None
    if settings.method == "anchors":
        raise InputRefused(
            f"{ROWS['further'].label} is for scores of a panel: with the method anchors, leave that setting out."
        )
    each = None if settings.further_each is None else int(settings.further_each)
    wanted = PlanWanted(None, per_assessor=each, following=int(settings.further))
    return _compute(_read(source, replace(choices, plan=wanted)))


def _compute(so_far: ScoredSoFar, progress: Progress = lambda doing: None) -> Continuation:
    import numpy as np

    from panelcal.calibration.least_squares import calibrate_components
    from panelcal.planning.continuing import Assessed, next_assessments

    panel, wanted = so_far.scored.panel, so_far.wanted
    assessed = Assessed(
        len(so_far.objects),
        len(so_far.assessors),
        panel.object_index,
        panel.assessor_index,
        np.asarray(panel.confidences),
    )
    allowed = np.ones((assessed.n_objects, assessed.n_assessors), dtype=np.bool_)
    allowed[panel.object_index, panel.assessor_index] = False
    for pair in so_far.barred:
        allowed[pair] = False
    start, steps = next_assessments(assessed, allowed, wanted.following or 1, per_assessor=wanted.per_assessor)
    parts = calibrate_components(panel)
    freedom = sum(part.degrees_of_freedom for part in parts)
    noise = sum(part.weighted_residual_sum for part in parts) / freedom if freedom else np.nan
    error, *errors = (float(np.sqrt(noise * variance)) for variance in (start, *(step.variance for step in steps)))
    return Continuation(so_far, steps, error, errors)


def _build(found: Continuation, facts: RunFacts) -> Report:
    from panelcal.systems.continuing.report import continuing_report

    return continuing_report(found, facts)


def _say(found: Continuation) -> tuple[str, ...]:
    from panelcal.systems.continuing.report import continuing_sentences

    return continuing_sentences(found)


def _tell(found: Continuation) -> Outcome:
    so_far = found.so_far
    table: dict[str, list[Any]] = {
        "object": [so_far.objects[step.object] for step in found.steps],
        "assessor": [so_far.assessors[step.assessor] for step in found.steps],
        "expected_error": list(found.errors),
    }
    figures = {
        "n_objects": len(so_far.objects),
        "n_assessors": len(so_far.assessors),
        "expected_error": found.error,
    }
    return Outcome("next", figures, {"next": table}, {})


SYSTEM = System(_read, nothing_to_check, _compute, _build, _say, _tell)
