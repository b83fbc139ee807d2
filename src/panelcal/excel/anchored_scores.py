"""What CALIBRATE_ANCHORED does: scores of one agent, mapped by the curve of its anchors, cell by cell.

Curves are kept by the content of the anchors' cells, so that a thousand cells with one score each fit one curve.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import numpy as np

from panelcal.anchors.curves import FEW_ANCHORS, AnchorCurve, Kind, fit_anchor_curve
from panelcal.errors import InputRefused
from panelcal.excel.cells_argument import Cells
from panelcal.excel.function_panel import origin_of
from panelcal.reading.cell_values import Kind as CellKind
from panelcal.reading.cell_values import is_blank, kind_of
from panelcal.reading.grid import address
from panelcal.reading.nouns import Nouns
from panelcal.reading.problems import Problems
from panelcal.reading.score_values import read_scores
from panelcal.reading.settings import Settings
from panelcal.reading.table import ScoreCells
from panelcal.reading.terms import Terms

_KEPT = 16
_KINDS: dict[str, Kind] = {
    "spline": "spline",
    "isotonic": "isotonic",
    "linear": "linear",
    "min-max": "min_max",
    "mean-sd": "mean_sd",
}
# A range such as 60-70 is no score of an agent.
_SETTINGS = Settings(confidence_form="weight")
_curves: OrderedDict[tuple[bytes, bytes, str], AnchorCurve] = OrderedDict()


def anchored_scores(score: Cells, anchor_scores: Cells, consensus: Cells, kind: Any) -> list[list[float | str]]:
    """Map scores onto the scale of the consensus; a blank cell or a code such as n/a stays blank.

    Parameters
    ----------
    score
        New scores of the agent.
    anchor_scores, consensus
        As many cells of each: what the agent gave to each anchor, and its known value from 0 to 100.
    kind
        "spline", "isotonic", "linear", "min-max" or "mean-sd"; None = spline, below 20 anchors linear.

    Raises
    ------
    PanelcalError
        If a cell cannot be read, the anchors do not pair up, or no curve can be fitted to them.
    """
    curve = _curve(anchor_scores, consensus, _kind(kind))
    rows = score.rows()
    values = _numbers([value for row in rows for value in row], score, len(rows[0]), 0, "score")
    mapped = np.asarray(curve(values)).reshape(len(rows), len(rows[0]))
    return [[float(value) if np.isfinite(value) else "" for value in row] for row in mapped]


def _kind(given: Any) -> Kind | None:
    if is_blank(given):
        return None
    word = str(given).strip().casefold().replace("_", "-").replace(" ", "-")
    if word not in _KINDS:
        raise InputRefused(f"The argument kind must be one of {', '.join(_KINDS)}, or left out.")
    return _KINDS[word]


def _curve(anchor_scores: Cells, consensus: Cells, kind: Kind | None) -> AnchorCurve:
    key = (anchor_scores.content, consensus.content, kind or "")
    found = _curves.get(key)
    if found is not None:
        _curves.move_to_end(key)
        return found
    scored, known = _flat(anchor_scores), _flat(consensus)
    if len(scored) != len(known):
        raise InputRefused(
            f"There are {len(scored)} cells with scores of anchors and {len(known)} with their consensus: give as many "
            "of each, in the same order."
        )
    first = 1 if scored and _is_heading(scored[0]) and _is_heading(known[0]) else 0
    x = _numbers(scored[first:], anchor_scores, len(anchor_scores.raw[0]), first, "score")
    y = _numbers(known[first:], consensus, len(consensus.raw[0]), first, "consensus")
    if kind is None:
        kind = "spline" if int((np.isfinite(x) & np.isfinite(y)).sum()) >= FEW_ANCHORS else "linear"
    found = _curves[key] = fit_anchor_curve(x, y, kind=kind)
    if len(_curves) > _KEPT:
        _curves.popitem(last=False)
    return found


def _flat(cells: Cells) -> list[Any]:
    """Cells row by row, less the blank ones at the end, as whole columns have them."""
    values = [value for row in cells.rows() for value in row]
    while values and is_blank(values[-1]):
        values.pop()
    return values


def _is_heading(value: Any) -> bool:
    return isinstance(value, str) and kind_of(value)[0] is CellKind.TEXT


def _numbers(values: list[Any], cells: Cells, width: int, first: int, noun: str) -> np.ndarray:
    """Read cells as numbers, NaN where there is none; what is neither is refused by its address."""
    sheet, row, column = origin_of(cells)
    problems = Problems()
    block = ScoreCells(
        [None if is_blank(value) else value for value in values],
        lambda k: address(row + (k + first) // width, column + (k + first) % width),
    )
    found = read_scores(block, Terms(sheet, _SETTINGS, problems, Nouns(score=noun)))
    problems.stop_if_any()
    return found.numbers
