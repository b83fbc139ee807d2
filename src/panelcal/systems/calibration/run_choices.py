"""Choices made for one run over what the sheet Settings says, and how they are told on the sheets."""

from __future__ import annotations

from panelcal.reading.decisions import About
from panelcal.reading.reading import Reading
from panelcal.reading.setting_texts import texts_about_reading
from panelcal.reading.settings import Settings

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
