"""A panel calibrated as its result sheets were made, for extracts, which must not contradict them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping

from panelcal.errors import MethodNotApplicable, PanelcalError
from panelcal.frozen import dataclass
from panelcal.methods import SYSTEMS
from panelcal.reading.grid import Grid, Source
from panelcal.reading.prior import with_prior
from panelcal.reading.reading import Reading
from panelcal.reading.settings import SETTINGS_SHEET
from panelcal.systems.calibration import SYSTEM, read
from panelcal.systems.calibration.filed_run import (
    GAUGE,
    METHOD,
    REFERENCE,
    SHEET,
    FiledRun,
    agreeing_run,
    changed_since,
    check_sheet_is_there,
    filed_runs,
    options_of_choice,
)
from panelcal.systems.calibration.report import run_identifier
from panelcal.systems.calibration.results import Results, compute_results
from panelcal.systems.choices import Choices
from panelcal.systems.kept_choices import read_as_kept
from panelcal.systems.system import chosen_settings


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
    source: Source,
    choices: Choices,
    *,
    created: str,
    versions: Mapping[str, str],
    earlier: Iterable[Grid] = (),
    carried: bool = False,
) -> Calibrated:
    """Read a panel and calibrate it as its result sheets were made, for extracts, which must not contradict them.

    Parameters
    ----------
    source, choices, created, versions, earlier, carried
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
    source = with_prior(source, choices.prior)
    asked = {SHEET: choices.sheet, METHOD: choices.method, GAUGE: choices.gauge, REFERENCE: choices.reference}
    filed = agreeing_run(filed_runs(earlier), asked)
    method = chosen_settings(source, choices).method if filed is None else filed.method
    if method in SYSTEMS:
        raise MethodNotApplicable(
            f"Extracts are made of a calibrated panel, and this workbook is set to the method {method}: the row on its "
            "sheet Cal values, with the reasons in words, is what can be shown."
        )
    if filed is None:
        reading = _read_as_calibrated(source, choices, carried=carried)
        return Calibrated(compute_results(reading), run_identifier(reading, versions), created[:10])
    check_sheet_is_there(filed, source)
    return Calibrated(compute_results(_read_as_filed(source, choices, filed)), filed.run_id, filed.created[:10])


def _read_as_calibrated(source: Source, choices: Choices, *, carried: bool) -> Reading:
    """Read what `run` would read, which may have the choices on a sheet Settings of the result."""
    if not choices.sets_something:
        return read(source, choices)
    found: Reading = read_as_kept(SYSTEM, source, choices, carried=carried).reading
    return found


def _read_as_filed(source: Source, choices: Choices, filed: FiledRun) -> Reading:
    """Read what a run has read, with the choices it was made with."""
    # A run may have put its choices on a new sheet Settings, which it had not read itself.
    without = tuple(grid for grid in source.grids if grid.sheet.casefold() != SETTINGS_SHEET.casefold())
    for tried in (source, dataclasses.replace(source, grids=without)):
        same = dataclasses.replace(choices, sheet=filed.sheet, settings={**filed.about_reading, **choices.settings})
        if options_of_choice(chosen_settings(tried, same)) != filed.options:
            same = dataclasses.replace(same, method=filed.method, gauge=filed.gauge, reference=filed.reference)
        try:
            reading = read(tried, same)
        except PanelcalError:
            if tried is source:
                raise
            break
        if reading.fingerprint == filed.fingerprint:
            return reading
    raise changed_since(filed)
