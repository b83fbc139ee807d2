"""The result of reading a sheet: the panel, where each number stood, and every decision on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from panelcal.panel import Panel
from panelcal.reading.decisions import Decision
from panelcal.reading.nouns import Nouns, counted, in_sentence
from panelcal.reading.settings import Settings
from panelcal.reading.understood import Understanding, lines_not_read


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What was understood from a sheet.

    Attributes
    ----------
    panel
        The assessments (scores negated by nobody: direction is a setting, not a change of the numbers).
    settings
        The settings in force, with where they came from among the decisions.
    nouns
        Words for headings and sentences.
    source_name, sheet
        File and sheet that were read.
    summary
        "82 students in A5:A86 and 81 modules in B4:CD4".
    score_block
        Range that holds every score cell, blanks included ("B5:CD86"); for a long list the score column ("C2:C901").
    score_cells
        (N,) address of each assessment's score within `sheet`.
    plain_scores
        (N,) true where the cell is a plain number used as it stands, so that a formula may point at it.
    object_cells, assessor_cells
        Address of each object's and assessor's label (first appearance).
    object_names
        (n_objects,) display names where the sheet has a name column beside the ids, else empty tuple.
    declared
        (N,) confidences as they were written ("High", "15", "60-70"), empty tuple when none were.
    decisions
        Everything that was decided.
    cells_found
        Non-empty cells found inside the score block; equals N + the sum of `excluded_scores` over the decisions.
    fingerprint
        SHA-256, as hex, of the cells read (labels, scores, confidences and settings, with their addresses).
    confidence_block
        Range on `sheet` in which the confidences are written, "" where they are elsewhere or there are none.
    settings_on_sheet
        What the workbook itself says, where a choice for this run stands over it; otherwise None.
    """

    panel: Panel
    settings: Settings
    nouns: Nouns
    source_name: str
    sheet: str
    summary: str
    score_block: str
    score_cells: Sequence[str]
    plain_scores: NDArray[np.bool_]
    object_cells: tuple[str, ...]
    assessor_cells: tuple[str, ...]
    object_names: tuple[str, ...]
    declared: tuple[str, ...]
    decisions: tuple[Decision, ...]
    cells_found: int
    fingerprint: str = ""
    confidence_block: str = ""
    settings_on_sheet: Settings | None = None

    @property
    def understood(self) -> Understanding:
        """Who assessed what, on which range, and what was not read."""
        panel, nouns = self.panel, self.nouns
        ends = float(panel.scores.min()), float(panel.scores.max())
        return Understanding(
            panel.assessors,
            panel.objects,
            nouns.assessor,
            nouns.object,
            nouns.score,
            *ends,
            lines_not_read(self.decisions),
        )

    @property
    def counts(self) -> str:
        """How much of what was found is used: "912 scores used, 14 filled cells left out, confidences from credits"."""
        excluded = sum(decision.excluded_scores for decision in self.decisions)
        confidences = f", confidences from {in_sentence(self.nouns.confidence)}" if self.nouns.confidence else ""
        used = f"{counted(self.panel.n_assessments, self.nouns.score)} used"
        return f"{used}, {counted(excluded, 'filled cell')} left out{confidences}"
