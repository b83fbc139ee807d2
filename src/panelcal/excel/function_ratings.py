"""From the argument of CALIBRATE_ORDINAL to a quick ranking: a matrix of ratings, read by the rules of a sheet."""

from __future__ import annotations

from typing import Any

from panelcal.arrays import Array
from panelcal.calibration.averages import simple_average
from panelcal.errors import InputRefused
from panelcal.excel.cells_argument import Cells
from panelcal.excel.function_headings import headings_of
from panelcal.excel.function_panel import Placed, filled, origin_of
from panelcal.frozen import dataclass
from panelcal.ordinal.fitting import preview_ordinal
from panelcal.ordinal.posterior import OrdinalPosterior
from panelcal.reading.ratings.ratings_reading import RatingsReading
from panelcal.reading.ratings.read_ratings import read_ratings


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """Ratings from a sheet's range with the quick approximation of their posterior.

    Attributes
    ----------
    reading
        What was read.
    headed
        Whether the first row holds names.
    posterior
        The Laplace preview: intervals are somewhat too narrow.
    naive
        (n,) plain averages on the scale of the sheet.
    """

    reading: RatingsReading
    headed: bool
    posterior: OrdinalPosterior
    naive: Array


def rank_quickly(ratings: Cells, headers: Any) -> Ranked:
    """Read the range and rank what was rated, approximately.

    Raises
    ------
    PanelcalError
        If it cannot be read without guessing, or is no scale of a few levels.
    """
    rows = filled(ratings.rows())
    if not rows:
        raise InputRefused("The range of ratings is empty.")
    if len(rows) == 1 and len(rows[0]) == 1:
        raise InputRefused("One cell cannot be ranked: give a row for each object and a column for each assessor.")
    top, left = headings_of(rows, headers)
    placed = Placed(len(rows), len(rows[0]), top, left, *origin_of(ratings))
    reading = read_ratings(placed.source(rows), sheet=placed.sheet)
    panel = reading.ratings.panel()
    first, second = reading.level_values[:2]
    naive = first + (second - first) * (simple_average(panel) - 1.0)
    return Ranked(reading, top, preview_ordinal(reading.ratings), naive)
