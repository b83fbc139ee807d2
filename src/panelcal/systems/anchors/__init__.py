"""Scores of agents beside an anchor bank with consensus scores: the method anchors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from panelcal.reading.anchors.anchor_reading import AnchorReading
from panelcal.reading.anchors.read_anchors import read_anchor_study
from panelcal.reading.grid import Source
from panelcal.systems.choices import Choices
from panelcal.systems.system import Outcome, Progress, System, nothing_to_check

if TYPE_CHECKING:
    from panelcal.reporting.model import Report
    from panelcal.reporting.run_facts import RunFacts
    from panelcal.systems.anchors.results import AnchorResults


def _read(source: Source, choices: Choices) -> AnchorReading:
    return read_anchor_study(source, sheet=choices.sheet, over=choices.over)


def _compute(reading: AnchorReading, progress: Progress) -> AnchorResults:
    from panelcal.systems.anchors.results import compute_anchor_results

    return compute_anchor_results(reading, progress=progress)


def _build(results: AnchorResults, facts: RunFacts) -> Report:
    from panelcal.systems.anchors.report import build_anchor_report

    return build_anchor_report(results, facts)


def _say(results: AnchorResults) -> tuple[str, ...]:
    from panelcal.systems.anchors.outcome import anchor_sentences

    return anchor_sentences(results)


def _tell(results: AnchorResults) -> Outcome:
    from panelcal.systems.anchors.as_data import as_data

    return as_data(results)


SYSTEM = System(_read, nothing_to_check, _compute, _build, _say, _tell)
