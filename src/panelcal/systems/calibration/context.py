"""What every sheet on a calibrated panel needs beside the facts about the run: results, classes, what is watched."""

from __future__ import annotations

from panelcal.arrays import Indices
from panelcal.frozen import dataclass
from panelcal.reporting.audit_rows import link_to
from panelcal.reporting.run_facts import RunContext
from panelcal.reporting.up_to_date import WatchedBlock
from panelcal.systems.calibration.classes import Classes
from panelcal.systems.calibration.method_results import ComparedMethods
from panelcal.systems.calibration.results import Results


@dataclass(frozen=True, slots=True, eq=False)
class Context(RunContext[Results]):
    """One calibration of a panel.

    Attributes
    ----------
    classes
        Classes of the objects, None when no bands are set.
    compared
        What other methods say.
    object_order, assessor_order
        (n_objects,) and (n_assessors,) which of them stands in each row of `Cal values` and of `Cal assessors`.
    numbers_in_block
        How many numbers the score block held when it was read, None where that cannot be watched.
    confidences
        The confidences of the input as a formula can watch them, None where it cannot.
    """

    classes: Classes | None
    compared: ComparedMethods
    object_order: Indices
    assessor_order: Indices
    numbers_in_block: int | None
    confidences: WatchedBlock | None


def object_links(context: Context) -> list[str | None]:
    """Lead from each object to its row of the input, where that stands in the same workbook."""
    reading = context.results.reading
    return [link_to(reading.sheet, cell, linked=True) for cell in reading.object_cells] if context.linked else []
