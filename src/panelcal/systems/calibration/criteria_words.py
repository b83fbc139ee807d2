"""Who leans on which criterion, in sentences."""

from __future__ import annotations

import numpy as np

from panelcal.facets.calibrate_facets import LEVEL, FacetCalibration
from panelcal.reporting.wording import number, some_of
from panelcal.systems.calibration.results import Results

_MOST_NAMED = 1


def leaning_assessors(facets: FacetCalibration) -> list[int]:
    """Return the assessors who clearly score some criterion otherwise than the rest of theirs, surest first."""
    least = np.min(np.where(np.isnan(facets.adjusted_leaning_p), 1.0, facets.adjusted_leaning_p), axis=1)
    found = np.flatnonzero(least <= LEVEL)
    return [int(a) for a in found[np.argsort(least[found], kind="stable")]]


def leaning_in_words(results: Results, facets: FacetCalibration, a: int) -> str:
    """Say how an assessor leans: "Judge Reed is severe on Presentation only, by 10.1 against the rest."."""
    panel = facets.panel
    who = f"{results.reading.nouns.assessor} {panel.assessors[a]}"
    off = np.flatnonzero(facets.adjusted_p[a] <= LEVEL)
    used = np.flatnonzero(~np.isnan(facets.biases[a]))
    if not len(off):
        k = int(np.nanargmin(facets.adjusted_leaning_p[a]))
        more = "higher" if facets.leanings[a, k] > 0 else "lower"
        return (
            f"{who} scores {panel.criteria[k]} {more}, by {number(abs(float(facets.leanings[a, k])))}, than the other "
            f"criteria let expect."
        )
    if len(off) == 1:
        only = "only " if len(used) > 1 else ""
        k = int(off[0])
        side = _side(facets.differences[a, k])
        return f"{who} is {side} on {panel.criteria[k]} {only}(by {_size(facets, a, k)} against the rest)."
    parts = []
    for side in ("severe", "generous"):
        these = [int(k) for k in off if _side(facets.differences[a, k]) == side]
        if these:
            named = " and ".join(f"{panel.criteria[k]} (by {_size(facets, a, k)})" for k in these)
            parts.append(f"{side} on {named}")
    every = ", on each to a different extent" if len(off) == len(used) and len(parts) == 1 else ""
    return f"{who} is {' but '.join(parts)}{every}."


def leanings_in_words(results: Results, facets: FacetCalibration) -> str:
    """Name everybody who leans, in a line or two."""
    found = leaning_assessors(facets)
    if np.isnan(facets.noise).any():
        return f"There are too few {results.scores_noun} to tell who leans on which criterion."
    if not found:
        return f"No {results.assessor_noun} clearly leans on one criterion more than on the others."
    sentences = " ".join(leaning_in_words(results, facets, a) for a in found[:_MOST_NAMED])
    rest = [facets.panel.assessors[a] for a in found[_MOST_NAMED:]]
    return f"{sentences} Also leaning: {some_of(rest)}." if rest else sentences


def _side(difference: float) -> str:
    return "generous" if difference > 0 else "severe"


def _size(facets: FacetCalibration, a: int, k: int) -> str:
    return number(abs(float(facets.differences[a, k])))
