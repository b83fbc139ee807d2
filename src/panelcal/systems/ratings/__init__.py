"""Ordinal ratings by the model of best candidates: the method ordinal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from panelcal.reading.grid import Source
from panelcal.reading.ratings.ratings_reading import RatingsReading
from panelcal.reading.ratings.read_ratings import read_ratings
from panelcal.systems.choices import Choices
from panelcal.systems.system import Outcome, Progress, System, nothing_to_check

if TYPE_CHECKING:
    from panelcal.reporting.model import Report
    from panelcal.reporting.run_facts import RunFacts
    from panelcal.systems.ratings.results import OrdinalResults


def _read(source: Source, choices: Choices) -> RatingsReading:
    return read_ratings(source, sheet=choices.sheet, over=choices.over)


def _compute(reading: RatingsReading, progress: Progress) -> OrdinalResults:
    from panelcal.systems.ratings.results import compute_ordinal_results

    return compute_ordinal_results(reading, progress=progress)


def _build(results: OrdinalResults, facts: RunFacts) -> Report:
    from panelcal.systems.ratings.report import build_ordinal_report

    return build_ordinal_report(results, facts)


def _say(results: OrdinalResults) -> tuple[str, ...]:
    from panelcal.systems.ratings.words import ordinal_sentences

    return ordinal_sentences(results)


def _tell(results: OrdinalResults) -> Outcome:
    from panelcal.systems.ratings.as_data import as_data

    return as_data(results)


SYSTEM = System(_read, nothing_to_check, _compute, _build, _say, _tell)
