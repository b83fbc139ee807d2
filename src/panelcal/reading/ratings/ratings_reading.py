"""The result of reading ratings: who rated what, how, where it stood, and every decision on the way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from panelcal.ordinal.ratings import Ratings
from panelcal.reading.decisions import Decision
from panelcal.reading.nouns import counted
from panelcal.reading.reading import Nouns
from panelcal.reading.settings import Settings
from panelcal.reading.understood import Understanding, lines_not_read


@dataclass(frozen=True, slots=True, eq=False)
class RatingsReading:
    """What was understood from a sheet of ratings.

    Attributes
    ----------
    ratings
        The ratings, levels from worst to best.
    level_values
        (L + 1,) the number each level stands for on the sheet, in the order of `ratings.levels`.
    feature_weights
        (Q,) how much each feature counts in the total.
    categories
        (n_objects,) the category of prize each object competes in, empty tuple where the sheet has none.
    category_heading
        What the column of categories is called, "" where there is none.
    settings
        The settings in force.
    nouns
        Words for headings and sentences.
    source_name, sheet
        File and sheet that were read.
    summary
        "54 talks in A5:A220, 18 judges in B5:B220 and 2 features (Content, Delivery) in C5:D220".
    score_block
        Range that holds every rating, blanks included.
    object_cells, assessor_cells
        Address of each object's and assessor's label (first appearance).
    object_names
        (n_objects,) display names where the sheet has them, else empty tuple.
    decisions
        Everything that was decided.
    cells_found
        Non-empty cells found inside the block; equals the number of ratings + the sum of `excluded_scores`.
    fingerprint
        SHA-256, as hex, of the cells read.
    """

    ratings: Ratings
    level_values: NDArray[np.float64]
    feature_weights: NDArray[np.float64]
    categories: tuple[str, ...]
    category_heading: str
    settings: Settings
    nouns: Nouns
    source_name: str
    sheet: str
    summary: str
    score_block: str
    object_cells: tuple[str, ...]
    assessor_cells: tuple[str, ...]
    object_names: tuple[str, ...]
    decisions: tuple[Decision, ...]
    cells_found: int
    fingerprint: str

    @property
    def understood(self) -> Understanding:
        """Who rated what, on which range, and what was not read."""
        ratings, nouns = self.ratings, self.nouns
        ends = float(self.level_values.min()), float(self.level_values.max())
        return Understanding(
            ratings.assessors,
            ratings.objects,
            nouns.assessor,
            nouns.object,
            nouns.score,
            *ends,
            lines_not_read(self.decisions),
        )

    @property
    def n_ratings(self) -> int:
        """How many single ratings were read, over all features."""
        return int((self.ratings.ratings >= 0).sum())

    @property
    def counts(self) -> str:
        """How much of what was found is used: "432 ratings used, 3 filled cells left out"."""
        excluded = sum(decision.excluded_scores for decision in self.decisions)
        return f"{counted(self.n_ratings, 'rating')} used, {counted(excluded, 'filled cell')} left out"
