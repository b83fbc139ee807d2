"""What the charts share: the colours of the sheets, and sorted rows of points with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from panelcal.arrays import Array, Indices

BLUE, ORANGE, GREEN, INK, GRID = "#0072B2", "#D55E00", "#009E73", "#404040", "#E3E3E3"  # of the palette of the sheets
MOST_NAMED = 40  # with more rows names would stand on each other


def sorted_points(
    axes: Any,
    centres: Array,
    ends: Array | None,
    labels: Sequence[str],
    colours: Sequence[str] | str = BLUE,
) -> Indices:
    """Draw a row for each label, lowest at the bottom, and return their order.

    Parameters
    ----------
    axes
        Of matplotlib.
    centres
        (n,) where the points stand; NaN = no point.
    ends
        (n, 2) lower and upper ends of a line through each point, or None for no lines.
    labels
        (n,) names of the rows.
    colours
        Of all points, or (n,) of each.
    """
    order = np.argsort(centres, kind="stable")
    rows = np.arange(len(order))
    each = [colours] * len(order) if isinstance(colours, str) else [colours[k] for k in order.tolist()]
    if ends is not None:
        axes.hlines(rows, ends[order, 0], ends[order, 1], color=each, alpha=0.45)
    for colour in dict.fromkeys(each):
        mine = np.array([one == colour for one in each])
        axes.plot(centres[order][mine], rows[mine], "o", color=colour, markersize=4, label="calibrated")
    name_rows(axes, [labels[k] for k in order.tolist()])
    return order


def name_rows(axes: Any, labels: Sequence[str]) -> None:
    """Write the names beside the rows, where there is room for them."""
    axes.set_yticks(np.arange(len(labels)), labels) if len(labels) <= MOST_NAMED else axes.set_yticks([])
