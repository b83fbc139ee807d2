"""Readings made from panels, for the reporting tests."""

from __future__ import annotations

import numpy as np

from panelcal import Panel
from panelcal.reading.nouns import Nouns
from panelcal.reading.reading import Reading
from panelcal.reading.settings import Band, Settings

BANDS = (Band("First", 70), Band("Upper second", 60), Band("Lower second", 50), Band("Third", 40), Band("Fail", 0))


def reading_of(panel: Panel, **settings: object) -> Reading:
    """A long list in A2:D(N+1) of a sheet called Marks, credits as confidences."""
    n = panel.n_assessments
    return Reading(
        panel=panel,
        settings=Settings(**{"bands": BANDS, **settings}),
        nouns=Nouns("Student", "Module", "Mark", "Credits"),
        source_name="marks.xlsx",
        sheet="Marks",
        summary=f"{panel.n_objects} students in A2:A{n + 1} and {panel.n_assessors} modules in B2:B{n + 1}",
        score_block=f"C2:C{n + 1}",
        score_cells=tuple(f"C{k + 2}" for k in range(n)),
        plain_scores=np.ones(n, dtype=bool),
        object_cells=tuple(f"A{k + 2}" for k in np.unique(panel.object_index, return_index=True)[1]),
        assessor_cells=tuple(f"B{k + 2}" for k in np.unique(panel.assessor_index, return_index=True)[1]),
        object_names=(),
        declared=tuple(f"{c:g}" for c in panel.confidences),
        decisions=(),
        cells_found=n,
        fingerprint="0" * 64,
    )
