"""Scores unlike what all the others suggest, allowing for how many are looked at and for wild scores hiding each other.

Externally studentised residuals (Cook and Weisberg 1982): each score is judged by a fit without it, and without all
others that look suspicious, so that many wild scores neither hide in the noise they make nor make others look wild.
Suspects are proposed by a robust scale and taken back, the least striking first, until all lie beyond a limit that
luck alone hardly ever passes. Setting aside is exact, by M = I - H of the weighted fit, and needs no refits.
"""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array, Indices, Mask
from panelcal.calibration.influence import leverages
from panelcal.calibration.least_squares import Calibration
from panelcal.frozen import dataclass
from panelcal.panel import Panel
from panelcal.shown import Drawn
from panelcal.tails import holm, ndtri, stdtr

LEVEL = 0.05
FAR = 3.0
SHOWS_AS_FAR = FAR - 0.05  # what shows as 3.0 counts as 3.0
_SMALLEST = float(np.finfo(np.float64).tiny)
_NO_ROOM = 1e-8
_TO_DEVIATION = 1.4826
_SUSPECTS_BY_LUCK, _FEWER, _FREEDOM_FOR_THAT = 0.25, 0.05, 400
_MOST_SUSPECTS, _MOST_CELLS = 300, 20_000_000
_SAME = 1e-8
_ROUNDING = 1e-10
_FEWEST_FREEDOM = 2


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class UnexpectedScores(Drawn):
    """Every score against what the others suggest.

    Source: externally studentised residuals (Cook and Weisberg 1982), adjusted by Holm (1979).

    Attributes
    ----------
    statistics
        (N,) externally studentised residuals: residual against a fit without the score (and without those named), in
        units of its standard error; NaN where untestable: leverage above 1 - 1e-8, or N - p below 2.
    p_values
        (N,) two-sided, Student's t; NaN where untestable.
    adjusted_p_values
        (N,) the same by Holm over all different tests: where no score is wild, any falls to `level` or below in at
        most that share of panels. NaN where untestable, and those are not counted.
    unexpected
        (N,) whether the adjusted p-value is at most `level`.
    alike
        (N,) a number that scores share whose residuals tie whatever the scores are, such as both scores of an object
        that has two: which of them is wild cannot be told. -1 where untestable.
    n_tests
        How many different tests there are.
    n_far, n_far_by_luck
        How many scores are 3.0 standard errors or more off (as shown to one decimal), and how many luck alone would
        give.
    level
        Chance of naming anything when nothing is wild.
    panel
        The scores.

    Examples
    --------
    >>> calibration = calibrate(Panel.from_matrix([[50, 60], [55, 65], [70, 82]]))
    >>> unexpected_scores(calibration).unexpected.any().item()
    True
    """

    statistics: Array
    p_values: Array
    adjusted_p_values: Array
    unexpected: Mask
    alike: Indices
    n_tests: int
    n_far: int
    n_far_by_luck: float
    level: float
    panel: Panel

    def others_alike(self, score: int) -> Indices:
        """Return the other scores that might be the wild one in place of this one."""
        if self.alike[score] < 0:
            return np.empty(0, dtype=np.intp)
        same = np.flatnonzero(self.alike == self.alike[score])
        return same[same != score]


def unexpected_scores(
    calibration: Calibration, *, level: float = LEVEL, leverage: Array | None = None
) -> UnexpectedScores:
    """Test every score against the others.

    Source: externally studentised residuals (Cook and Weisberg 1982), adjusted by Holm (1979).

    Parameters
    ----------
    calibration
        The fit whose residuals are judged.
    level
        Chance of naming anything when nothing is wild.
    leverage
        (N,) as in `Influence`, to save the work.

    Returns
    -------
    UnexpectedScores
        Statistics and p-values, raw and by Holm.

    Examples
    --------
    >>> calibration = calibrate(Panel.from_matrix([[50, 60], [55, 65], [70, 82]]))
    >>> unexpected_scores(calibration).n_tests
    3
    """
    room = 1 - (leverages(calibration) if leverage is None else leverage)
    testable = room > _NO_ROOM
    panel, freedom = calibration.panel, calibration.degrees_of_freedom
    if freedom < _FEWEST_FREEDOM or not testable.any():
        nothing = np.full(len(room), np.nan)
        none = np.zeros(len(room), dtype=np.bool_)
        return UnexpectedScores(nothing, nothing, nothing, none, np.full(len(room), -1), 0, 0, 0.0, level, panel)
    everything = _everything(calibration, np.where(testable, room, 0.0))
    alike = _alike(calibration, everything)
    n_tests = int(alike.max()) + 1
    columns = _Columns(calibration)
    # The fewer scores there are to judge the noise by, the more do suspects vouch for each other by luck.
    by_luck = max(_SUSPECTS_BY_LUCK * min(freedom / _FREEDOM_FOR_THAT, 1.0), _FEWER)
    chance = min(by_luck / n_tests, 0.1)
    aside = _confirmed(everything, columns, _suspects(everything, columns, float(-ndtri(chance / 2))), chance)
    left = _setting_aside(everything, columns, aside)
    statistics, freedom_left = left.studentised(), np.full(len(room), left.freedom - 1.0)
    together = _among_themselves(everything, columns, aside)
    for k, statistic in zip(aside.tolist(), together.statistics.tolist(), strict=True):
        same = alike == alike[k]  # setting one aside leaves nothing to judge its like by
        statistics[same] = abs(statistic) * np.sign(everything.residuals[same])
        freedom_left[same] = together.freedom
    p = 2 * stdtr(freedom_left, -np.abs(statistics))
    adjusted = _adjusted(p, alike, n_tests)
    far = np.abs(statistics) >= SHOWS_AS_FAR
    freedoms, counts = np.unique(freedom_left[testable], return_counts=True)
    far_by_luck = float(counts @ (2 * stdtr(freedoms, -SHOWS_AS_FAR)))
    return UnexpectedScores(
        statistics, p, adjusted, adjusted <= level, alike, n_tests, int(far.sum()), far_by_luck, level, panel
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Left:
    """A fit with some scores set aside, of confidence 1 each by scaling with its root.

    `residuals` (N,) are against that fit; `room` (N,) is their variance over w, 0 where nothing can be told;
    `squares` is R and `freedom` N - p without those set aside. `rounding` is what counts as no residual.
    """

    residuals: Array
    room: Array
    squares: float
    freedom: int
    rounding: float

    def sizes(self) -> Array:
        """Residuals (N,) with the same variance w each; 0 where nothing can be told."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.room > 0, self.residuals / np.sqrt(self.room), 0.0)

    def studentised(self) -> Array:
        """Externally studentised residuals (N,), NaN where nothing can be told."""
        sizes = self.sizes()
        without = np.maximum(self.squares - sizes**2, 0.0) / max(self.freedom - 1, 1)
        return np.where(self.room > 0, sizes / np.sqrt(np.maximum(without, max(self.rounding**2, _SMALLEST))), np.nan)


class _Columns:
    """Columns of M = I - H, each worked out once: M_ij = 1 (i = j) - root(c_i c_j) x_i' G x_j."""

    def __init__(self, calibration: Calibration) -> None:
        self._calibration = calibration
        self._root = np.sqrt(calibration.panel.confidences)
        self._known: dict[int, Array] = {}

    def __call__(self, score: int) -> Array:
        """Return one column (N,)."""
        if score not in self._known:
            panel = self._calibration.panel
            on_objects, on_assessors = np.zeros(panel.n_objects), np.zeros(panel.n_assessors)
            on_objects[panel.object_index[score]] = self._root[score]
            on_assessors[panel.assessor_index[score]] = self._root[score]
            column = -self._root * self._calibration.equations.along_assessments(on_objects, on_assessors)
            column[score] += 1.0
            self._known[score] = column
        return self._known[score]

    def block(self, scores: Indices) -> Array:
        """Return several columns, (N, k)."""
        return np.array([self(k) for k in scores.tolist()]).reshape(len(scores), len(self._root)).T


def _everything(calibration: Calibration, room: Array) -> _Left:
    root = np.sqrt(calibration.panel.confidences)
    rounding = _ROUNDING * float(np.abs(root * calibration.centred_scores[0]).max()) + 1e-300
    residuals = root * calibration.residuals
    residuals = np.where(np.abs(residuals) <= rounding, 0.0, residuals)
    return _Left(residuals, room, calibration.weighted_residual_sum, calibration.degrees_of_freedom, rounding)


def _suspects(left: _Left, columns: _Columns, limit: float) -> Indices:
    """Set aside the largest residual, by a robust scale, again and again until none lies beyond the limit.

    Each step is one of a Cholesky factorisation of M with pivoting.
    """
    n = len(left.residuals)
    most = min(_MOST_SUSPECTS, n // 8, left.freedom // 3, _MOST_CELLS // n)
    found: list[int] = []
    factor: list[Array] = []
    while len(found) < most:
        sizes = np.abs(left.sizes())
        k = int(np.argmax(sizes))
        if sizes[k] <= max(limit * _TO_DEVIATION * float(np.median(sizes[left.room > 0])), left.rounding):
            break
        column = columns(k) - sum((part * part[k] for part in factor), np.zeros(n))
        part = column / np.sqrt(left.room[k])
        factor.append(part)
        found.append(k)
        left = _one_aside(left, k, part)
    return np.array(found, dtype=np.intp)


def _one_aside(left: _Left, k: int, part: Array) -> _Left:
    """Set one more aside; `part` (N,) is its column of what M has become, over the root of its diagonal."""
    room = left.room - part**2
    room[(room < _NO_ROOM)] = 0.0
    room[k] = 0.0
    size = left.residuals[k] / np.sqrt(left.room[k])
    return _Left(left.residuals - part * size, room, max(left.squares - size**2, 0.0), left.freedom - 1, left.rounding)


@dataclass(frozen=True, slots=True, eq=False)
class _Aside:
    """Scores set aside together: each against the fit without all of them."""

    inverse: Array  # of M at these scores, (k, k)
    shifts: Array  # (k,) what would have to be taken off each, in root(w)
    squares: float
    freedom: int
    rounding: float

    @property
    def statistics(self) -> Array:
        """(k,) Student's t with `freedom` degrees of freedom."""
        scale = np.sqrt(max(self.squares, 0.0) / self.freedom)
        return self.shifts / np.sqrt(self.inverse.diagonal()) / max(scale, self.rounding)


def _among_themselves(left: _Left, columns: _Columns, aside: Indices) -> _Aside:
    inverse: Array = np.asarray(np.linalg.inv(columns.block(aside)[aside]), dtype=np.float64)
    shifts = inverse @ left.residuals[aside]
    squares = left.squares - float(left.residuals[aside] @ shifts)
    return _Aside(inverse, shifts, squares, left.freedom - len(aside), left.rounding)


def _confirmed(left: _Left, columns: _Columns, suspects: Indices, chance: float) -> Indices:
    """Take suspects back, the least striking first, until all lie beyond the limit."""
    while len(suspects):
        found = _among_themselves(left, columns, suspects)
        sizes = np.abs(found.statistics)
        if 2 * stdtr(found.freedom, -sizes.min()) <= chance:
            break
        suspects = np.delete(suspects, int(np.argmin(sizes)))
    return suspects


def _setting_aside(left: _Left, columns: _Columns, aside: Indices) -> _Left:
    """Return the fit without these scores."""
    if not len(aside):
        return left
    block = columns.block(aside)
    found = _among_themselves(left, columns, aside)
    room = left.room - np.einsum("ij,jk,ik->i", block, found.inverse, block, optimize=True)
    room[room < _NO_ROOM] = 0.0
    room[aside] = 0.0
    return _Left(left.residuals - block @ found.shifts, room, max(found.squares, 0.0), found.freedom, left.rounding)


def _alike(calibration: Calibration, left: _Left) -> Indices:
    """Number (N,) the scores whose residuals are multiples of each other, by the residuals of random scores."""
    panel = calibration.panel
    random = np.random.default_rng(0).standard_normal(panel.n_assessments)
    values, biases = calibration.equations.apply_inverse(
        panel.object_totals(panel.confidences * random), panel.assessor_totals(panel.confidences * random)
    )
    residuals = np.sqrt(panel.confidences) * (random - values[panel.object_index] - biases[panel.assessor_index])
    with np.errstate(divide="ignore", invalid="ignore"):
        keys = np.where(left.room > 0, np.abs(residuals) / np.sqrt(left.room), np.inf)
    order = np.argsort(keys, kind="stable")[: int((left.room > 0).sum())]
    sizes = np.abs(left.sizes())
    same = np.diff(keys[order]) <= _SAME
    same &= np.abs(np.diff(sizes[order])) <= np.maximum(_SAME * sizes[order][1:], 10 * left.rounding)
    numbers = np.full(len(keys), -1, dtype=np.intp)
    numbers[order] = np.concatenate([[0], np.cumsum(~same)])
    return numbers


def _adjusted(p_values: Array, alike: Indices, n_tests: int) -> Array:
    """Correct by Holm, each different test counted once."""
    known = alike >= 0
    smallest = np.full(n_tests, np.inf)
    np.fmin.at(smallest, alike[known], p_values[known])
    adjusted = holm(np.where(np.isfinite(smallest), smallest, 1.0))
    return np.where(known, adjusted[alike], np.nan)
