"""One run, from the cells of a workbook to a Report, by whichever system its settings ask for.

The command line and the buttons in Excel both go through here, so that they choose, compute and say the same.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from panelcal.errors import Answer, MethodNotApplicable, PanelcalError
from panelcal.network import require_connected
from panelcal.reading.anchors.anchor_reading import AnchorReading
from panelcal.reading.anchors.read_anchors import read_anchor_study
from panelcal.reading.answers import merged
from panelcal.reading.decisions import Decision
from panelcal.reading.grid import Grid, Source
from panelcal.reading.ratings.ratings_reading import RatingsReading
from panelcal.reading.ratings.read_ratings import read_ratings
from panelcal.reading.read import read_panel
from panelcal.reading.reading import Reading
from panelcal.reading.settings import SETTINGS_SHEET, Gauge, Settings
from panelcal.reading.settings_sheet import read_settings
from panelcal.registry import methods
from panelcal.reporting.anchors.outcome import anchor_sentences
from panelcal.reporting.anchors.report import build_anchor_report
from panelcal.reporting.anchors.results import compute_anchor_results
from panelcal.reporting.calibration.filed_run import (
    SHEET,
    FiledRun,
    agreeing_run,
    changed_since,
    check_sheet_is_there,
    filed_runs,
)
from panelcal.reporting.calibration.outcome import outcome_sentences
from panelcal.reporting.calibration.report import build_report, run_identifier
from panelcal.reporting.calibration.results import Results, compute_results
from panelcal.reporting.calibration.run_choices import GAUGE, METHOD, REFERENCE, options_of_choice
from panelcal.reporting.model import Note, Report, Sheet
from panelcal.reporting.names import result_suffix
from panelcal.reporting.out_of_date import outdated_notes, outdated_summaries
from panelcal.reporting.ratings.report import build_ordinal_report
from panelcal.reporting.ratings.results import compute_ordinal_results
from panelcal.reporting.ratings.words import ordinal_sentences
from panelcal.reporting.run_facts import RunFacts
from panelcal.reporting.settings_form import settings_form

Progress = Callable[[str], None]


class Understood(Protocol):
    """What the reading of every system has: a sheet as it was read, before anything is computed."""

    @property
    def source_name(self) -> str: ...  # noqa: D102
    @property
    def sheet(self) -> str: ...  # noqa: D102
    @property
    def summary(self) -> str: ...  # noqa: D102
    @property
    def counts(self) -> str: ...  # noqa: D102
    @property
    def settings(self) -> Settings: ...  # noqa: D102
    @property
    def decisions(self) -> tuple[Decision, ...]: ...  # noqa: D102
    @property
    def fingerprint(self) -> str: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Choices:
    """What the caller of a run chooses, over and above the Settings sheet; None leaves it to that sheet.

    Attributes
    ----------
    sheet, confidence_sheet
        Names of the sheets with scores and confidences.
    method, gauge, reference
        As the settings of these names.
    settings
        Any other field of `Settings` -> its value for this run.
    """

    sheet: str | None = None
    confidence_sheet: str | None = None
    method: str | None = None
    gauge: Gauge | None = None
    reference: float | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    def answered(self, *answers: Answer) -> Choices:
        """Return the choices with the answers to questions among them."""
        chosen = self
        for answer in answers:
            for name, value in answer.gives.items():
                if name in _OWN_FIELDS:
                    chosen = dataclasses.replace(chosen, **{name: value})
                else:
                    held = chosen.settings.get(name)
                    given = merged(name, held, value) if held else value
                    chosen = dataclasses.replace(chosen, settings={**chosen.settings, name: given})
        return chosen

    def over(self, settings: Settings) -> Settings:
        """Return the settings with what was chosen here in the place of what stood there."""
        chosen: dict[str, Any] = {
            name: merged(name, getattr(settings, name), value) for name, value in self.settings.items()
        }
        if self.method is not None:
            chosen["method"] = self.method
        if self.gauge is not None:
            chosen |= {"gauge": self.gauge, "reference": None}
        if self.reference is not None:
            chosen["reference"] = self.reference
        return dataclasses.replace(settings, **chosen)


_OWN_FIELDS = frozenset({"sheet", "confidence_sheet", "method", "gauge", "reference"})


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """What came out of a run.

    Attributes
    ----------
    report
        The result sheets.
    reading
        What they are made from.
    sentences
        What came out, in a few lines for a terminal or a message box.
    outdated
        Name of a sheet of an earlier run -> the note that marks it as out of date.
    """

    report: Report
    reading: Understood
    sentences: tuple[str, ...]
    outdated: Mapping[str, Note]


@dataclass(frozen=True, slots=True)
class _System:
    """A way to calibrate: how sheets are read, what is checked and computed, which report is made, what is said."""

    read: Callable[[Source, Choices], Any]
    check: Callable[[Any], None]
    compute: Callable[[Any, Progress], Any]
    build: Callable[[Any, RunFacts], Report]
    say: Callable[[Any], tuple[str, ...]]


def understand(source: Source, choices: Choices) -> Understood:
    """Read a workbook in the way of the system that its settings, or the caller, ask for.

    Raises
    ------
    InputRefused
        If it cannot be read without guessing.
    DisconnectedPanel
        If it falls into groups that share nothing, and the system cannot do with that.
    """
    system = _system(source, choices)
    reading: Understood = system.read(source, choices)
    system.check(reading)
    return reading


def run(
    source: Source,
    choices: Choices,
    *,
    created: str,
    versions: Mapping[str, str],
    carried: bool,
    earlier: Iterable[Grid] = (),
    progress: Progress = lambda doing: None,
) -> Run:
    """Read a workbook, calibrate it and build the report.

    Parameters
    ----------
    source
        The workbook as loaded.
    choices
        What wins over its settings.
    created, versions
        Date and time of the run and versions of program and libraries, for the audit.
    carried
        Whether the result sheets will stand in the same workbook as the input.
    earlier
        The `Cal audit` sheets of earlier runs that panelcal made in this workbook.
    progress
        Told what is being done.

    Raises
    ------
    PanelcalError
        If the input cannot be read without guessing, or the method cannot be used on it.
    """
    system = _system(source, choices)
    progress("reading")
    reading = system.read(source, choices)
    progress("calibrating")
    results = system.compute(reading, progress)
    progress("explaining")
    remembered, sentence = _remembered(source, choices, reading.settings) if carried else ((), "")
    outdated = outdated_notes(earlier, reading.fingerprint, created)
    facts = RunFacts(
        created=created,
        versions=versions,
        suffix=result_suffix(grid.sheet for grid in source.grids) if carried else "",
        input_grid=source.grid(reading.sheet) if carried else None,
        outdated=outdated_summaries(outdated),
    )
    report = system.build(results, facts)
    sentences = (*system.say(results), *([sentence] if sentence else []))
    return Run(dataclasses.replace(report, sheets=(*report.sheets, *remembered)), reading, sentences, outdated)


@dataclass(frozen=True, slots=True, eq=False)
class Calibrated:
    """A calibrated panel and the run that it is of.

    Attributes
    ----------
    results
        What was computed.
    run_id, date
        Identifier and date of the run whose result sheets stand in the workbook, of this one where there are none.
    """

    results: Results
    run_id: str
    date: str


def calibrated_as_filed(
    source: Source, choices: Choices, *, created: str, versions: Mapping[str, str], earlier: Iterable[Grid] = ()
) -> Calibrated:
    """Read a panel and calibrate it as its result sheets were made, for extracts, which must not contradict them.

    Parameters
    ----------
    source, choices, created, versions, earlier
        As for `run`.

    Raises
    ------
    InputRefused
        If there are result sheets of runs with other choices only, or what they were made from has changed.
    MethodNotApplicable
        If the settings ask for a system that is not a calibration of a panel.
    PanelcalError
        As for `run`.
    """
    asked = {SHEET: choices.sheet, METHOD: choices.method, GAUGE: choices.gauge, REFERENCE: choices.reference}
    filed = agreeing_run(filed_runs(earlier), asked)
    method = chosen_settings(source, choices).method if filed is None else filed.method
    if method in _OTHER_SYSTEMS:
        raise MethodNotApplicable(
            f"Extracts are made of a calibrated panel, and this workbook is set to the method {method}: the row on its "
            "sheet Cal values, with the reasons in words, is what can be shown."
        )
    if filed is None:
        reading = _read_panel(source, choices)
        return Calibrated(compute_results(reading), run_identifier(reading, versions), created[:10])
    check_sheet_is_there(filed, source)
    return Calibrated(compute_results(_read_as_filed(source, choices, filed)), filed.run_id, filed.created[:10])


def _read_as_filed(source: Source, choices: Choices, filed: FiledRun) -> Reading:
    """Read what a run has read, with the choices it was made with."""
    # A run may have put its choices on a new sheet Settings, which it had not read itself.
    without = tuple(grid for grid in source.grids if grid.sheet.casefold() != SETTINGS_SHEET.casefold())
    for tried in (source, dataclasses.replace(source, grids=without)):
        same = dataclasses.replace(choices, sheet=filed.sheet)
        if options_of_choice(chosen_settings(tried, same)) != filed.options:
            same = dataclasses.replace(same, method=filed.method, gauge=filed.gauge, reference=filed.reference)
        try:
            reading = _read_panel(tried, same)
        except PanelcalError:
            if tried is source:
                raise
            break
        if reading.fingerprint == filed.fingerprint:
            return reading
    raise changed_since(filed)


def _remembered(source: Source, choices: Choices, settings: Settings) -> tuple[tuple[Sheet, ...], str]:
    """Return the sheet on which the copy keeps what was chosen, if something was, and a sentence about it."""
    if (choices.method, choices.gauge, choices.reference) == (None, None, None):
        return (), ""
    if source.grid(SETTINGS_SHEET) is not None:
        return (), f"These options hold for this run; to keep them, write them on the sheet {SETTINGS_SHEET}."
    return (settings_form(settings),), f"The options are kept on the sheet {SETTINGS_SHEET}, for the next run."


def chosen_settings(source: Source, choices: Choices) -> Settings:
    """Return the settings of a workbook with what was chosen over them."""
    grid = source.grid(SETTINGS_SHEET)
    return choices.over(Settings() if grid is None else read_settings(grid)[0])


def _system(source: Source, choices: Choices) -> _System:
    return _OTHER_SYSTEMS.get(chosen_settings(source, choices).method, _PANEL)


def _read_panel(source: Source, choices: Choices) -> Reading:
    return read_panel(source, sheet=choices.sheet, confidence_sheet=choices.confidence_sheet, over=choices.over)


def _read_ratings(source: Source, choices: Choices) -> RatingsReading:
    return read_ratings(source, sheet=choices.sheet, over=choices.over)


def _read_anchors(source: Source, choices: Choices) -> AnchorReading:
    return read_anchor_study(source, sheet=choices.sheet, over=choices.over)


def _check_panel(reading: Reading) -> None:
    require_connected(reading.panel)


def _nothing_to_check(reading: Understood) -> None:
    """Both systems beside the panel's can do with groups that share nothing, and say so."""


_PANEL = _System(
    _read_panel, _check_panel, lambda reading, _: compute_results(reading), build_report, outcome_sentences
)
_OTHER_SYSTEMS: Mapping[str, _System] = {
    "ordinal": _System(
        _read_ratings,
        _nothing_to_check,
        lambda reading, progress: compute_ordinal_results(reading, progress=progress),
        build_ordinal_report,
        ordinal_sentences,
    ),
    "anchors": _System(
        _read_anchors,
        _nothing_to_check,
        lambda reading, progress: compute_anchor_results(reading, progress=progress),
        build_anchor_report,
        anchor_sentences,
    ),
}

METHOD_NAMES: tuple[str, ...] = (*(entry.name for entry in methods()), *_OTHER_SYSTEMS)
"""What `--method` takes."""
