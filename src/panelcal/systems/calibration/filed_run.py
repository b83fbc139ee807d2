"""The runs whose result sheets stand in a workbook, as their `Cal audit` tells of them, so that an extract agrees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args

from panelcal.errors import InputRefused
from panelcal.frozen import dataclass
from panelcal.reading.decisions import About
from panelcal.reading.grid import Grid, Source
from panelcal.reading.reading import Reading
from panelcal.reading.setting_texts import settings_in, texts_about_reading
from panelcal.reading.settings import Gauge, Settings
from panelcal.reporting.audit_rows import FINGERPRINT_ITEM

_KIND_COLUMN, _ITEM_COLUMN, _VALUE_COLUMN = 1, 2, 3
_KINDS = ("Run", "Option")
_RUN_ID, _DATE, SHEET = "Run identifier", "Date", "Input sheet"
_GAUGES: dict[str, Gauge] = {gauge: gauge for gauge in get_args(Gauge)}


METHOD, GAUGE, REFERENCE = "Method", "Gauge", "Reference value"
"""Items of the options on `Cal audit`."""


def choices_over_sheet(reading: Reading) -> dict[str, str]:
    """Say of each option that was chosen for this run what the workbook says instead; empty where nothing is."""
    on_sheet = reading.settings_on_sheet
    if on_sheet is None:
        return {}
    has_sheet = any(decision.kind == About.SETTINGS for decision in reading.decisions)
    said, in_force = (
        options_of_choice(settings) | texts_about_reading(settings) for settings in (on_sheet, reading.settings)
    )
    notes = {}
    for item, value in in_force.items():
        if value == said.get(item):
            continue
        instead = f"; the sheet Settings says {said[item]}" if has_sheet and item in said else ""
        notes[item] = f"Chosen for this run{instead}."
    return notes


def options_of_choice(settings: Settings) -> dict[str, str]:
    """Spell the options that a run can choose, as `Cal audit` has them."""
    options = {METHOD: settings.method, GAUGE: settings.gauge}
    if settings.gauge == "reference":
        options[REFERENCE] = "the mean score" if settings.reference is None else f"{settings.reference:g}"
    return options


@dataclass(frozen=True, slots=True)
class FiledRun:
    """A run as its audit tells of it.

    Attributes
    ----------
    audit
        Name of the audit.
    run_id, created, sheet, fingerprint
        Its identifier, its date and time, the sheet it read, and the fingerprint of what it read there.
    method, gauge, reference
        As the settings of these names.
    about_reading
        The other settings it was read with, by field, where they differ from the defaults.
    """

    audit: str
    run_id: str
    created: str
    sheet: str
    fingerprint: str
    method: str
    gauge: Gauge
    reference: float | None
    about_reading: Mapping[str, Any]

    @property
    def options(self) -> dict[str, str]:
        """Its choices as an audit spells them."""
        return options_of_choice(Settings(method=self.method, gauge=self.gauge, reference=self.reference))

    def differs_from(self, asked: Mapping[str, str | float | None]) -> dict[str, str]:
        """Return what the audit says of each item of which something else was asked for."""
        own = {SHEET: self.sheet, METHOD: self.method, GAUGE: self.gauge, REFERENCE: self.reference}
        return {
            item: _spelled(own[item])
            for item, value in asked.items()
            if value is not None and _spelled(value).casefold() != _spelled(own[item]).casefold()
        }


def filed_runs(audits: Iterable[Grid]) -> tuple[FiledRun, ...]:
    """Return the runs that audits tell of, the newest first; an audit that was changed by hand tells of none."""
    found = [run for run in map(_run_in, audits) if run is not None]
    return tuple(sorted(found[::-1], key=lambda run: run.created, reverse=True))


def agreeing_run(runs: Sequence[FiledRun], asked: Mapping[str, str | float | None]) -> FiledRun | None:
    """Choose the newest run that was made as is asked for, None where there are no runs.

    Parameters
    ----------
    runs
        The newest first.
    asked
        Item of the audit -> what the caller asks for, None for what is left open.

    Raises
    ------
    InputRefused
        If none was made so.
    """
    for run in runs:
        if not run.differs_from(asked):
            return run
    if not runs:
        return None
    said = ", ".join(f"{item} {value}" for item, value in runs[0].differs_from(asked).items())
    raise InputRefused(
        f"The results in this workbook were made otherwise: sheet {runs[0].audit} says {said}. An extract has to agree "
        "with them: leave the option out, or calibrate again with it first."
    )


def check_sheet_is_there(run: FiledRun, source: Source) -> None:
    """Refuse a workbook that holds results, but not what they were made from.

    Raises
    ------
    InputRefused
        If the sheet that was read is not there.
    """
    if source.grid(run.sheet) is None:
        raise InputRefused(
            f"{source.name} holds results, but not the sheet {run.sheet} that they were made from: make the extract "
            "from the workbook with that sheet."
        )


def changed_since(run: FiledRun) -> InputRefused:
    """Say that what was read is not what is there now."""
    return InputRefused(
        f"What stands on sheet {run.sheet}, or the settings, changed after the results were made "
        f"({run.audit}, {run.created[:10]}): an extract made now would contradict them. Calibrate again, and make the "
        "extract from the new workbook. If the confidences are on a sheet that was named then, name it here too."
    )


def _run_in(audit: Grid) -> FiledRun | None:
    said = {
        str(audit.value(row, _ITEM_COLUMN)): str(audit.value(row, _VALUE_COLUMN))
        for row in range(1, audit.n_rows + 1)
        if audit.value(row, _KIND_COLUMN) in _KINDS and audit.value(row, _VALUE_COLUMN) is not None
    }
    needed = {_RUN_ID, _DATE, SHEET, FINGERPRINT_ITEM, METHOD, GAUGE}
    if not needed <= said.keys() or said[GAUGE] not in _GAUGES:
        return None
    return FiledRun(
        audit=audit.sheet,
        run_id=said[_RUN_ID],
        created=said[_DATE],
        sheet=said[SHEET],
        fingerprint=said[FINGERPRINT_ITEM],
        method=said[METHOD],
        gauge=_GAUGES[said[GAUGE]],
        reference=_number_or_none(said.get(REFERENCE, "")),
        about_reading=settings_in(said),
    )


def _spelled(value: str | float | None) -> str:
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else value


def _number_or_none(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:  # no reference, or "the mean score"
        return None
