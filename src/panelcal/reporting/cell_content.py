"""What cells of a report hold: arrays of figures as cells, and any value as a spreadsheet stores it."""

from __future__ import annotations

import math
import re

import numpy as np

from panelcal.arrays import Array, Indices, Mask
from panelcal.reporting.model import CellValue

LAST_ROW = 1_048_576
_LONGEST_TEXT = 32_767
# Characters that no workbook file can hold.
_UNSPEAKABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


def stored(value: object) -> CellValue:
    """Return what the cell holds: nothing for NaN, words for an infinite number, text of a length that a cell takes."""
    if type(value) is float and math.isfinite(value):
        return value
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        return None if math.isnan(value) else "infinite" if value > 0 else "-infinite"
    return _UNSPEAKABLE.sub("\ufffd", str(value)[:_LONGEST_TEXT]) or None


def numbers(values: Array | Indices) -> list[CellValue]:
    """Turn an array into cells; NaN becomes an empty cell."""
    missing = ~np.isfinite(values)
    if missing.any():
        blanked = values.astype(object)
        blanked[missing] = None
        values = blanked
    cells: list[CellValue] = values.tolist()
    return cells


def places_of(values: Array, higher_is_better: bool) -> Indices:
    """Rank values (n,), best = 1; equal to nine digits share the better rank."""
    size = max(1.0, float(np.max(np.abs(values), initial=0.0)))
    rounded = np.round(values / size, 9) * (-1 if higher_is_better else 1)
    order = np.argsort(rounded)
    ordered = rounded[order]
    alike = ordered[1:] == ordered[:-1]
    alike |= np.isnan(ordered[:-1])
    places = np.arange(1, len(values) + 1)
    places[1:][alike] = 0
    found = np.empty(len(values), dtype=np.intp)
    found[order] = np.maximum.accumulate(places)
    return found


def ranks(values: Array, higher_is_better: bool) -> list[int]:
    """Rank values as `places_of` does, as cells."""
    places: list[int] = places_of(values, higher_is_better).tolist()
    return places


def ranks_among(values: Array, higher_is_better: bool, ranked: Mask) -> list[int | None]:
    """Rank the values of those who take part, best = 1; None for the others."""
    if ranked.all():
        return list(ranks(values, higher_is_better))
    places: list[int | None] = [None] * len(values)
    own = ranks(values[ranked], higher_is_better)
    for at, place in zip(np.flatnonzero(ranked).tolist(), own, strict=True):
        places[at] = place
    return places
