"""What the caller of a run chooses, whichever system it is for."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from panelcal.errors import Answer
from panelcal.frozen import dataclass
from panelcal.reading.answers import merged
from panelcal.reading.settings import Gauge, Settings

if TYPE_CHECKING:
    from panelcal.reading.grid import Grid, Source
    from panelcal.reading.planning.read_plan import PlanWanted
    from panelcal.reporting.model import CellEdits, Sheet


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
    prior
        Earlier biases, as the sheet Prior that the workbook has not got.
    plan
        What a plan is to be like, where one is asked for in place of a calibration.
    """

    sheet: str | None = None
    confidence_sheet: str | None = None
    method: str | None = None
    gauge: Gauge | None = None
    reference: float | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    prior: Grid | None = None
    plan: PlanWanted | None = None

    @property
    def sets_something(self) -> bool:
        """Whether any of it stands on a sheet Settings otherwise."""
        return bool(self.settings) or (self.method, self.gauge, self.reference) != (None, None, None)

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
        if "higher_is_better" in chosen:
            chosen["direction_given"] = True
        if self.method is not None:
            chosen["method"] = self.method
        if self.gauge is not None:
            chosen |= {"gauge": self.gauge, "reference": None}
        if self.reference is not None:
            chosen["reference"] = self.reference
        return dataclasses.replace(settings, **chosen)


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What was read for a run, and what of its result keeps the choices for the next one.

    Attributes
    ----------
    source, reading
        The sheets, and what they mean.
    sheets, edits
        A sheet Settings to be added, or cells of the one that the copy of the workbook has.
    sentences
        What is said of that.
    """

    source: Source
    reading: Any
    sheets: tuple[Sheet, ...] = ()
    edits: CellEdits | None = None
    sentences: tuple[str, ...] = ()


_OWN_FIELDS = frozenset({"sheet", "confidence_sheet", "method", "gauge", "reference"})
