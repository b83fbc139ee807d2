"""The highest possible score of each column, where the sheet says so: in its headings or in a row of maxima."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from panelcal.arrays import Array, Mask
from panelcal.reading.cell_values import label_text, number_in
from panelcal.reading.plausibility.lines import Doubt

_NUMBER = r"(\d+(?:[.,]\d+)?)"
_AFTER = rf"(?:out of|max(?:imum)?\.?\s?(?:points|pts)?:?|total pts: up to|total pts:|von|sur|sobre|/)\s*{_NUMBER}"
_IN_HEADING = re.compile(
    rf"\b{_AFTER}\b|/\s*{_NUMBER}\s*[)\]]?$|[(\[]{_NUMBER}\s*(?:p|pts|points|marks|%)?\.?[)\]]\s*$", re.I
)
_LEAST_USED = 0.3
_MOST_DECLARED = 0.8


def maxima_in_headings(headings: Sequence[Any]) -> Array:
    """(n,) the number after "out of", "/" or in brackets at the end of each heading, NaN without one."""
    found = []
    for heading in headings:
        match = _IN_HEADING.search(label_text(heading))
        text = next((group for group in match.groups() if group), "") if match else ""
        number = number_in(text) if text else None
        found.append(np.nan if number is None else number)
    return np.array(found)


def doubts_by_maxima(maxima: Array, scores: Array) -> tuple[Doubt, ...] | None:
    """Doubt the columns whose highest possible score is not that of most.

    Parameters
    ----------
    maxima
        (n_columns,) what the sheet says, NaN for a column of which it says nothing.
    scores
        (n_rows, n_columns), NaN = no score.

    Returns
    -------
    doubts
        None where the sheet does not say what is possible, or what it says does not fit the scores.
    """
    fits, filled = _fitting(maxima, scores)
    if not filled.any() or fits.sum() < max(2.0, _MOST_DECLARED * filled.sum()):
        return None
    counts = Counter(maxima[fits].tolist())
    usual = max(counts, key=lambda top: (counts[top], top))
    others = np.flatnonzero(fits & (maxima != usual))
    by_top: dict[float, list[int]] = {}
    for line in others.tolist():
        by_top.setdefault(float(maxima[line]), []).append(line)
    tops = ", ".join(f"{top:g}" for top in sorted(by_top))
    if not by_top:
        return ()
    return (
        Doubt(
            tuple(others.tolist()), f"out of {tops} and not out of {usual:g} as the others", rescale=bool(fits.all())
        ),
    )


def are_declared(maxima: Array, scores: Array) -> bool:
    """Tell whether the sheet says of every column what is possible in it, as far as the scores can tell."""
    fits, _ = _fitting(maxima, scores)
    return bool(fits.all())


def _fitting(maxima: Array, scores: Array) -> tuple[Mask, Mask]:
    """(n_columns,) true where a maximum may be one of the scores below, and where there are scores at all."""
    given = ~np.isnan(scores)
    highest = np.max(np.where(given, scores, -np.inf), axis=0, initial=-np.inf)
    filled = given.any(axis=0)
    fits = (maxima >= highest) & (maxima * _LEAST_USED <= highest) & filled
    return np.asarray(fits), np.asarray(filled)
