"""The result of reading a sheet: the panel, where each number stood, and every decision on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from panelcal.arrays import Array, Mask
from panelcal.frozen import dataclass
from panelcal.panel import Panel
from panelcal.reading.nouns import counted
from panelcal.reading.settings import Settings
from panelcal.reading.understood import Understood

if TYPE_CHECKING:
    from panelcal.facets.facet_panel import FacetPanel


@dataclass(frozen=True, slots=True, eq=False)
class CriteriaRead:
    """A score in each criterion for every assessment, and how much each criterion counts in the total."""

    panel: FacetPanel
    weights: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class CommonRead:
    """Objects that fix the zero of the biases: labels, and known values in the same order, None where not known."""

    labels: tuple[str, ...]
    known: tuple[float, ...] | None = None

    @property
    def option(self) -> tuple[str, ...] | dict[str, float]:
        """What `calibrate` takes as `common`."""
        return self.labels if self.known is None else dict(zip(self.labels, self.known, strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class NearnessRead:
    """How near objects are to their assessors' expertise (N,), larger = nearer, and their topics (n_objects,) or ()."""

    nearness: Array
    topics: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Reading(Understood):
    """What was understood from a sheet with a panel: beside what every reading has, each number and its cell.

    Attributes
    ----------
    panel
        The assessments (scores negated by nobody: direction is a setting, not a change of the numbers).
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
    cells_found
        Non-empty cells found inside the score block; equals N + the sum of `excluded_scores` over the decisions.
    confidence_block
        Range on `sheet` in which the confidences are written, "" where they are elsewhere or there are none.
    barred
        Pairs (object, assessor), by name, that nobody is to propose: their cell holds a code for no score, or a sheet
        of its own says that they are in conflict.
    criteria
        The scores in each criterion, assessments in the same order, where criteria are calibrated together; else None.
    common
        The objects that alone fix the zero of the biases, with their known values if any; None where all do.
    nearness
        How near each object is to its assessor's expertise; None where the workbook does not say.
    earlier
        Label of an assessor -> its earlier bias and standard error, as the sheet Prior has them; None without one.
    settings_on_sheet
        What the workbook itself says, where a choice for this run stands over it; otherwise None.
    """

    panel: Panel
    score_block: str
    score_cells: Sequence[str]
    plain_scores: Mask
    object_cells: tuple[str, ...]
    assessor_cells: tuple[str, ...]
    object_names: tuple[str, ...]
    declared: tuple[str, ...]
    cells_found: int
    confidence_block: str = ""
    barred: frozenset[tuple[str, str]] = frozenset()
    criteria: CriteriaRead | None = None
    common: CommonRead | None = None
    nearness: NearnessRead | None = None
    earlier: Mapping[str, tuple[float, float]] | None = None
    settings_on_sheet: Settings | None = None

    @property
    def who_and_what(self) -> tuple[Sequence[str], Sequence[str]]:
        """Names of the assessors and of the objects."""
        return self.panel.assessors, self.panel.objects

    @property
    def score_range(self) -> tuple[float, float]:
        """Lowest and highest score."""
        return float(self.panel.scores.min()), float(self.panel.scores.max())

    @property
    def used(self) -> str:
        """How many scores are used: "912 marks"."""
        return counted(self.panel.n_assessments, self.nouns.score)
