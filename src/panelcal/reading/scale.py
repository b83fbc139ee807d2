"""What is much on a scale: defaults that are 5 marks on 0 to 100 and half a point on 1 to 8."""

from __future__ import annotations

import math

from panelcal.reading.settings import Settings

_SHOWN = 10.0  # changes are shown to one decimal
_ALERT_SHARE, _BORDERLINE_SHARE = 0.05, 0.02
_ROUND = (1.0, 2.0, 2.5, 5.0, 10.0)
_USUAL_TOPS = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 20.0, 30.0, 50.0, 100.0)


def alert_threshold(settings: Settings, lowest: float, highest: float) -> float:
    """Return the size of a change that is marked: as set, else a twentieth of the scale, rounded.

    Parameters
    ----------
    settings
        Of the run.
    lowest, highest
        Of all scores, from which the scale is guessed where none is set.
    """
    known = settings.alert_threshold
    return _round_share(settings, lowest, highest, _ALERT_SHARE) if known is None else known


def marked_from(threshold: float) -> float:
    """Return the smallest change that, as it is shown to one decimal, reaches the threshold: 2.45 for 2.5.

    A reader sees the rounded figure, so that is compared. Where one decimal tells nothing, it is the threshold itself.
    """
    shown = (math.ceil(round(threshold * _SHOWN, 9)) - 0.5) / _SHOWN
    return min(threshold, shown)


def borderline_zone(settings: Settings, lowest: float, highest: float) -> float:
    """Return how far short of a boundary is borderline: as set, else a fiftieth of the scale, rounded."""
    known = settings.borderline_zone
    return _round_share(settings, lowest, highest, _BORDERLINE_SHARE) if known is None else known


def _round_share(settings: Settings, lowest: float, highest: float, share: float) -> float:
    size = share * _span(settings, lowest, highest)
    unit = 10.0 ** math.floor(math.log10(size))
    return min((factor * unit for factor in _ROUND), key=lambda number: abs(math.log(number / size)))


def _span(settings: Settings, lowest: float, highest: float) -> float:
    """Width of the scale: as set, else from 0 (or as far below) to the usual top that no score exceeds."""
    if settings.scale_low is not None and settings.scale_high is not None:
        return settings.scale_high - settings.scale_low
    return (_top(highest) + (_top(-lowest) if lowest < 0 else 0.0)) or 1.0


def _top(highest: float) -> float:
    if highest <= 0:
        return 0.0
    unit = 100.0 ** math.ceil(math.log(highest / 100.0, 100.0)) if highest > 100.0 or highest <= 1.0 else 1.0
    return unit * next(top for top in _USUAL_TOPS if highest <= unit * top * (1 + 1e-12))
