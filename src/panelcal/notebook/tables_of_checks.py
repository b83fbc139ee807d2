"""The tables of what is looked at beside a result: single scores, links, drift, chances; each a dict of columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from panelcal.arrays import Array
from panelcal.notebook.tables_of_systems import pairs

if TYPE_CHECKING:
    from panelcal.anchors.drift import Drift
    from panelcal.calibration.influence import Influence
    from panelcal.calibration.unexpected_scores import UnexpectedScores
    from panelcal.calibration.value_posterior import ValuePosterior
    from panelcal.network import Network

Columns = dict[str, Any]
Arrays = Mapping[str, NDArray[Any]]
Level = float | None
_LEVEL = 0.95


def unexpected(found: UnexpectedScores, level: Level) -> Columns:
    """Return a row for each score, the most unexpected first, those that cannot be tested last."""
    columns = pairs(found.panel) | {
        "score": found.panel.scores,
        "statistic": found.statistics,
        "p_value": found.p_values,
        "adjusted_p_value": found.adjusted_p_values,
        "unexpected": found.unexpected,
    }
    return _largest_first(columns, np.abs(found.statistics))


def influence(found: Influence, level: Level) -> Columns:
    """Return a row for each assessment, the one that moves a value most first; only links, which are infinite, lead."""
    panel = found.calibration.panel
    columns = pairs(panel) | {
        "score": panel.scores,
        "leverage": found.leverage,
        "own_shift": found.own_shift,
        "largest_shift": found.largest_shift,
        "confidence_slope": found.confidence_slope,
    }
    return _largest_first(columns, found.largest_shift)


def _largest_first(columns: Columns, by: Array) -> Columns:
    order = np.argsort(-by, kind="stable")  # NaN comes last
    return {
        name: [column[k] for k in order.tolist()] if isinstance(column, list) else column[order]
        for name, column in columns.items()
    }


def posterior_of_values(found: ValuePosterior, level: Level) -> Columns:
    """Return a row for each object: posterior mean and an interval that holds the true value with that probability."""
    lower, upper = found.interval(_LEVEL if level is None else level).T
    calibration = found.calibration
    named = {"object": list(calibration.panel.objects), "value": calibration.values}
    return named | {"mean": found.mean, "lower": lower, "upper": upper}


def alarms(found: Drift, level: Level) -> Columns:
    """Return a row for each of the three things that are watched, in points of the consensus."""
    return {
        "watched": ["change", "spread", "slow change"],
        "alarm": [found.shift_alarm, found.tilt_alarm, found.slow_alarm],
        "points": np.array([found.change, found.tilt_points, found.slow_change]),
    }


def drift_of_anchors(found: Drift, level: Level) -> Columns:
    """Return a row for each anchor, by its place from 0: how far the agent has moved on it."""
    return {"anchor": np.arange(len(found.differences)), "difference": found.differences}


def weakest_links(found: Network, level: Level) -> Columns:
    """Return a row for each weakest link, weakest first."""
    links = found.weakest_links
    return {
        "assessors": [", ".join(link.assessors) for link in links],
        "through": [", ".join(link.through) for link in links],
        "conductance": np.array([link.conductance for link in links], dtype=np.float64),
    }


def groups(found: Network, level: Level) -> Columns:
    """Return a row for each group that shares nothing with the others, largest first."""
    sizes = np.array([[len(objects), len(assessors)] for objects, assessors in found.components]).reshape(-1, 2)
    return {"group": np.arange(1, len(sizes) + 1), "objects": sizes[:, 0], "assessors": sizes[:, 1]}


class _LongTable(Protocol):
    """What is read of `LargeCalibration`, which stands in a room above this one."""

    @property
    def assessors(self) -> Arrays: ...

    @property
    def unexpected(self) -> Arrays: ...


def large_assessors(found: _LongTable, level: Level) -> Columns:
    """Return a row for each assessor, as assessors.parquet has it."""
    return _labels_as_lists(found.assessors)


def large_unexpected(found: _LongTable, level: Level) -> Columns:
    """Return a row for each unexpected score, as unexpected.parquet has it."""
    return _labels_as_lists(found.unexpected)


def _labels_as_lists(arrays: Arrays) -> Columns:
    return {name: list(column) if column.dtype.kind in "OUT" else column for name, column in arrays.items()}
