"""The result of reading ratings: who rated what, how, where it stood, and every decision on the way."""

from __future__ import annotations

from collections.abc import Sequence

from panelcal.arrays import Array
from panelcal.frozen import dataclass
from panelcal.ordinal.ratings import Ratings
from panelcal.reading.grid import SourceKind
from panelcal.reading.nouns import counted
from panelcal.reading.understood import Understood


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RatingsReading(Understood):
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
    score_block
        Range that holds every rating, blanks included.
    object_cells, assessor_cells
        Address of each object's and assessor's label (first appearance).
    object_names
        (n_objects,) display names where the sheet has them, else empty tuple.
    cells_found
        Non-empty cells found inside the block; equals the number of ratings + the sum of `excluded_scores`.
    barred
        Pairs (object, assessor), by name, that nobody is to propose: with a code for no rating.
    kind
        What the file is, for what is said of how settings are given.
    """

    ratings: Ratings
    level_values: Array
    feature_weights: Array
    categories: tuple[str, ...]
    category_heading: str
    score_block: str
    object_cells: tuple[str, ...]
    assessor_cells: tuple[str, ...]
    object_names: tuple[str, ...]
    cells_found: int
    barred: frozenset[tuple[str, str]] = frozenset()
    kind: SourceKind = "workbook"

    @property
    def who_and_what(self) -> tuple[Sequence[str], Sequence[str]]:
        """Names of the assessors and of the objects."""
        return self.ratings.assessors, self.ratings.objects

    @property
    def score_range(self) -> tuple[float, float]:
        """Lowest and highest level."""
        return float(self.level_values.min()), float(self.level_values.max())

    @property
    def n_ratings(self) -> int:
        """How many single ratings were read, over all features."""
        return int((self.ratings.ratings >= 0).sum())

    @property
    def used(self) -> str:
        """How many ratings are used: "432 ratings"."""
        return counted(self.n_ratings, "rating")
