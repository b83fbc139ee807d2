"""A panel of scores, by calibration with confidence or any other method of the registry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from panelcal.errors import DisconnectedPanel
from panelcal.network import require_connected
from panelcal.panel_size import require_memory, require_rows
from panelcal.reading.decisions import About
from panelcal.reading.grid import Source
from panelcal.reading.nouns import in_sentence, plural_of
from panelcal.reading.read import read_panel
from panelcal.reading.reading import Reading
from panelcal.systems.choices import Choices
from panelcal.systems.system import Outcome, Progress, System

if TYPE_CHECKING:
    from panelcal.reporting.model import Report
    from panelcal.reporting.run_facts import RunFacts
    from panelcal.systems.calibration.results import Results


def read(source: Source, choices: Choices) -> Reading:
    """Read a panel, with what the caller chose over its settings.

    Raises
    ------
    InputRefused
        If it cannot be read without guessing.
    """
    return read_panel(source, sheet=choices.sheet, confidence_sheet=choices.confidence_sheet, over=choices.over)


def _check(reading: Reading) -> None:
    panel, nouns = reading.panel, reading.nouns
    require_rows(panel.n_objects, plural_of(in_sentence(nouns.object)))
    require_rows(panel.n_assessors, plural_of(in_sentence(nouns.assessor)))
    require_memory(panel, reading.settings.memory_share)
    _require_connected(reading)
    if reading.criteria is not None and not reading.criteria.panel.is_complete:
        from panelcal.systems.calibration.missing_criteria import with_expected

        with_expected(reading)


def _require_connected(reading: Reading) -> None:
    """Refuse a panel in groups; where names are spelt almost alike, say that first, since it may be all there is."""
    try:
        require_connected(reading.panel)
    except DisconnectedPanel as problem:
        alike = [one.sentence for one in reading.decisions if one.kind is About.NEAR_MATCH]
        if not alike:
            raise
        raise DisconnectedPanel("\n".join([*alike, str(problem)]), problem.components) from problem


def _compute(reading: Reading, progress: Progress) -> Results:
    from panelcal.systems.calibration.results import compute_results

    return compute_results(reading)


def _build(results: Results, facts: RunFacts) -> Report:
    from panelcal.systems.calibration.report import build_report

    return build_report(results, facts)


def _say(results: Results) -> tuple[str, ...]:
    from panelcal.systems.calibration.outcome import outcome_sentences

    return outcome_sentences(results)


def _tell(results: Results) -> Outcome:
    from panelcal.systems.calibration.as_data import as_data

    return as_data(results)


SYSTEM = System(read, _check, _compute, _build, _say, _tell)
