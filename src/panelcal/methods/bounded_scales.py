"""Marks at the ends of a scale, and scores without an upper end."""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Mask
from panelcal.calibration.censored import censored
from panelcal.calibration.transforms import bounded, log_scores, scale_of
from panelcal.methods.method import FittedMethod, Method
from panelcal.panel import Panel


def _only(panel: Panel, bounds: Mask, end: str, words: str) -> str:
    """Name the objects whose scores all lie at one end of the scale."""
    count, names = int(bounds.sum()), [panel.objects[k] for k in np.flatnonzero(bounds)[:3]]
    if not count:
        return ""
    more = f" and {count - 3} more" if count > 3 else ""
    value = "its value" if count == 1 else "their values"
    return f" Nothing but {end} scores for {', '.join(names)}{more}: read {value} as '{words}'."


def _bounded(
    panel: Panel, *, scale: tuple[float, float] | None = None, form: str = "censored", margin: float | None = None
) -> FittedMethod:
    ends = scale_of(panel, scale)
    note = BOUNDED.note
    if scale is None:
        note += f" The scale was taken to be {ends[0]:g} to {ends[1]:g}."
    if form != "censored":
        moved = bounded(panel, scale=ends, form=form, margin=margin)
        return FittedMethod("bounded", moved.values, moved, note, None, None, moved, moved.predict)
    found = censored(panel, ends)
    note += _only(panel, found.at_least, "top", "at least") + _only(panel, found.at_most, "bottom", "at most")
    return FittedMethod("bounded", found.values, found, note, None, found.biases, found, found.predict)


def _log(panel: Panel) -> FittedMethod:
    found = log_scores(panel)
    return FittedMethod("log", found.values, found, LOG.note, None, None, found, found.predict)


BOUNDED = Method(
    "bounded",
    "Bounded scale",
    "Calibration that takes a score at the end of the scale for 'at least' (or 'at most') so much, values drawn "
    "towards their mean. When scores crowd at the ends; needless otherwise.",
    _bounded,
)
LOG = Method(
    "log",
    "Logarithms of scores",
    "Calibration of logarithms: biases are ratios. For scores above 0 without an upper end, such as sums of money; "
    "not for marks.",
    _log,
)
