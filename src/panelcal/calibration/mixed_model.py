"""The restricted likelihood of values and biases that are both random, and where it is highest.

s ~ N(mu, t_v Z Z' + t_b W W' + w diag(1/c)); the two ratios t/w are searched, mu and w follow in closed form. The
larger side of the panel is eliminated ("gone"); what is left between the nodes of the smaller side ("kept") is

    A = diag(C_kept) - c' diag(g/(1 + g C_gone)) c,    g the ratio of the gone side,

and its eigenvalues give the likelihood at *every* ratio of the kept side at once. So the search along the kept side is
exact and global for each g, and the search over g is one along a line: no step from a bad start, no plateau to land on.
"""

from __future__ import annotations

import numpy as np
import scipy  # its parts are loaded when they are used: small panels do without sparse matrices
from scipy import linalg

from panelcal.arrays import Array
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.panel import Panel, as_dense

LOWEST, HIGHEST = -12.0, 16.0  # logarithms of a variance ratio, in the panel's unit, between which is searched
_PLACES, _PLACES_AT_SCALE, _PLACES_KEPT = 29, 8, 57
_AT_SCALE = 400  # nodes of the kept side from which a look costs so much that fewer are taken
_NO_NOISE = 1e-10
_NEAREST, _FARTHEST = (float(np.arcsinh(np.exp(0.5 * log))) for log in (LOWEST, HIGHEST))
_WORTH_LEAVING = 1e-9
_MOST_STARTS = 6
_MOST_STEPS = 100
_LONGEST = 1.0
_LEAST_POWER = 1e-3
_GOOD = 0.1
_DIFFERENCE = 1e-4
_SETTLED = 1e-7  # of x
_ROUNDING = 1e-13


@dataclass(frozen=True, slots=True, eq=False)
class MixedModel:
    """What a panel's likelihood is made of.

    Attributes
    ----------
    keeps_assessors
        Whether the kept side is the assessors'.
    weights
        (n_gone, n_kept) confidences.
    gone_total, kept_total
        Confidence of each node.
    gone_sum, kept_sum
        Confidence x centred score of each node.
    squares, total, logs, count
        Sum of c x centred score^2, of c, of log c, and the number of scores.
    centre
        What was taken off every score.
    """

    keeps_assessors: bool
    weights: Array | scipy.sparse.csr_array
    gone_total: Array
    kept_total: Array
    gone_sum: Array
    kept_sum: Array
    squares: float
    total: float
    logs: float
    count: int
    centre: float

    @classmethod
    def of(cls, panel: Panel) -> MixedModel:
        """Gather a panel's sums."""
        c = panel.confidences
        centre = float(panel.scores[0] + c @ (panel.scores - panel.scores[0]) / c.sum())
        left = panel.scores - centre
        table = panel.table(c)
        sides = [
            (panel.object_totals(c), panel.object_totals(c * left)),
            (panel.assessor_totals(c), panel.assessor_totals(c * left)),
        ]
        keeps_assessors = panel.n_assessors <= panel.n_objects
        if not keeps_assessors:
            table = table.T if isinstance(table, np.ndarray) else table.T.tocsr()
            sides.reverse()
        (gone_total, gone_sum), (kept_total, kept_sum) = sides
        return cls(
            keeps_assessors=keeps_assessors,
            weights=table,
            gone_total=gone_total,
            kept_total=kept_total,
            gone_sum=gone_sum,
            kept_sum=kept_sum,
            squares=float(c @ left**2),
            total=float(c.sum()),
            logs=float(np.log(c).sum()),
            count=panel.n_assessments,
            centre=centre,
        )

    @property
    def spread(self) -> float:
        """Weighted sum of squares per score."""
        return self.squares / self.count

    @property
    def unit(self) -> float:
        """Variance of a typical score for w = 1: ratios of this size mean spreads as large as the noise."""
        return self.count / self.total

    def ratio(self, log: float) -> float:
        """Return the variance ratio whose logarithm, in the panel's unit, is `log`."""
        return self.unit * float(np.exp(log))

    def at(self, gone_ratio: float) -> Slice:
        """Work out the likelihood along the kept side for one ratio of the gone side."""
        pull = gone_ratio / (1 + gone_ratio * self.gone_total)
        if isinstance(self.weights, np.ndarray):
            pulled = pull[:, None] * self.weights
        else:
            pulled = scipy.sparse.diags_array(pull) @ self.weights
        system = -as_dense(self.weights.T @ pulled)
        system[np.diag_indices_from(system)] += self.kept_total
        powers, directions = linalg.eigh(system, check_finite=False, overwrite_a=True, driver="evd")
        score_side = self.kept_sum - pulled.T @ self.gone_sum
        constant_side = self.kept_total - pulled.T @ self.gone_total
        return Slice(
            model=self,
            gone_ratio=gone_ratio,
            pull=pull,
            powers=np.maximum(powers, 0.0),
            directions=directions,
            scores=directions.T @ score_side,
            constants=directions.T @ constant_side,
            sums=(
                self.squares - float(pull @ self.gone_sum**2),
                float(self.gone_sum.sum()) - float((pull * self.gone_sum) @ self.gone_total),
                self.total - float(pull @ self.gone_total**2),
            ),
            determinant=float(np.log1p(gone_ratio * self.gone_total).sum()) - self.logs,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Slice:
    """The likelihood along the ratio of the kept side, that of the gone side held.

    Attributes
    ----------
    model, gone_ratio
        Whose, and where.
    pull
        (n_gone,) g/(1 + g C): variance of a gone node's effect given all else, over w.
    powers, directions
        Eigenvalues (n_kept,) and eigenvectors (n_kept, n_kept) of A.
    scores, constants
        (n_kept,) what scores and a constant say about the kept nodes, in the eigenvectors.
    sums
        s'Hs, 1'Hs and 1'H1 without the kept side, H the inverse covariance over w.
    determinant
        log determinant of the covariance over w without the kept side.
    """

    model: MixedModel
    gone_ratio: float
    pull: Array
    powers: Array
    directions: Array
    scores: Array
    constants: Array
    sums: tuple[float, float, float]
    determinant: float

    def solve(self, kept_ratios: Array) -> tuple[Array, Array, Array, Array]:
        """Return at each kept ratio (k,): -2 log likelihood, mean, its information and the noise variance w.

        The likelihood is restricted, mu and w profiled out, and lacks its constant.
        """
        shrink = kept_ratios[:, None] / (1 + kept_ratios[:, None] * self.powers)
        information = self.sums[2] - shrink @ self.constants**2
        cross = self.sums[1] - shrink @ (self.scores * self.constants)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = cross / information
            noise = (self.sums[0] - shrink @ self.scores**2 - mean * cross) / (self.model.count - 1)
            fit = (self.model.count - 1) * np.log(np.maximum(noise, _NO_NOISE * self.model.spread))
            determinant = self.determinant + np.log1p(kept_ratios[:, None] * self.powers).sum(axis=1)
            deviance = determinant + np.log(np.maximum(information, _NO_NOISE**2 * self.sums[2])) + fit
        return deviance, mean, information, noise

    def spread_to_gone(self) -> Array:
        """(n_gone, n_kept) what the kept nodes' directions pass on to the gone ones: c times the eigenvectors."""
        return np.asarray(self.model.weights @ self.directions)

    def slopes(self, kept_ratio: float) -> Array:
        """(2,) derivatives of the deviance by the logarithms of both ratios (gone, kept); 0 for a ratio of 0.

        By the log ratio of one side the determinant changes by (number of nodes - trace of that block of the inverse,
        the mean's part included), and the weighted sum of squares by -(sum of squared predictions).
        """
        _, mean, information, noise = (float(part[0]) for part in self.solve(np.array([kept_ratio])))
        damped = 1 / (1 + kept_ratio * self.powers)
        shrink = kept_ratio * damped
        left = self.scores - mean * self.constants
        kept = float((shrink * self.powers).sum())
        kept -= float(shrink * damped @ (self.constants**2 / information + left**2 / noise))
        if not self.gone_ratio > 0:
            return np.array([0.0, kept])
        across = self.spread_to_gone()
        root = self.pull / np.sqrt(self.gone_ratio)
        passed = float(root**2 @ (across**2 @ shrink))
        constant = root * (self.model.gone_total - across @ (shrink * self.constants))
        predicted = root * (self.model.gone_sum - mean * self.model.gone_total - across @ (shrink * left))
        gone = float((self.pull * self.model.gone_total).sum()) - passed
        gone -= float(constant @ constant) / information + float(predicted @ predicted) / noise
        return np.array([gone, kept])

    def predictions(self, kept_ratios: Array) -> tuple[Predictions, Predictions]:
        """Predict the effects of the gone and of the kept nodes at each kept ratio (k,)."""
        _, mean, information, _ = self.solve(kept_ratios)
        shrink = (kept_ratios[:, None] / (1 + kept_ratios[:, None] * self.powers)).T
        by_score, by_constant = shrink * self.scores[:, None], shrink * self.constants[:, None]
        pull, across = self.pull[:, None], self.spread_to_gone()
        gone_score = pull * (self.model.gone_sum[:, None] - across @ by_score)
        gone_constant = pull * (self.model.gone_total[:, None] - across @ by_constant)
        kept_score, kept_constant = self.directions @ by_score, self.directions @ by_constant
        gone_own = pull + pull**2 * (across**2 @ shrink)
        kept_own = self.directions**2 @ shrink
        # Of mu + the effect - its truth: the effect's own variance, and what not knowing mu adds.
        return (
            Predictions(gone_score - mean * gone_constant, gone_own + (1 - gone_constant) ** 2 / information),
            Predictions(kept_score - mean * kept_constant, kept_own + (1 - kept_constant) ** 2 / information),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """Predicted effects (n, k) of one side and the variances (n, k), over w, of mean + effect - its truth."""

    effects: Array
    variances: Array


@dataclass(frozen=True, slots=True)
class Maximum:
    """Where the restricted likelihood is highest.

    Attributes
    ----------
    gone_ratio, kept_ratio
        Variance over w of either side; 0 where nothing above 0 is likelier.
    deviance
        -2 log likelihood there, without its constant.
    slope
        Largest derivative of the deviance by an x that is not 0, x = arsinh of the root of ratio/unit.
    curvature
        (k, k) second derivatives by the k of these that are not 0; positive.
    """

    gone_ratio: float
    kept_ratio: float
    deviance: float
    slope: float
    curvature: Array


def highest_likelihood(model: MixedModel) -> Maximum:
    """Look at the likelihood on a grid of both ratios, 0 included, descend from every dip, and return the lowest.

    Raises
    ------
    MethodNotApplicable
        If the likelihood has no maximum with slope 0 and positive curvature within reach.
    """
    places = _PLACES if len(model.kept_total) < _AT_SCALE else _PLACES_AT_SCALE
    gone = np.append(0.0, model.unit * np.exp(np.linspace(LOWEST, HIGHEST, places)))
    kept = np.append(0.0, model.unit * np.exp(np.linspace(LOWEST, HIGHEST, _PLACES_KEPT)))
    heights = np.array([model.at(float(ratio)).solve(kept)[0] for ratio in gone])
    found = [_descend(model, gone[i], kept[j]) for i, j in _dips(heights)]
    settled = [one for one in found if one is not None]
    if not settled:
        raise MethodNotApplicable("The likelihood of the variances has no maximum, so they cannot be estimated.")
    return min(settled, key=lambda one: one.deviance)


def _dips(heights: Array) -> list[tuple[int, int]]:
    """Places of a table lower than all eight neighbours, the lowest first."""
    padded = np.pad(heights, 1, constant_values=np.inf)
    n, m = heights.shape
    around = [padded[1 + i : 1 + i + n, 1 + j : 1 + j + m] for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
    rows, columns = np.nonzero(heights <= np.min(around, axis=0))
    order = np.argsort(heights[rows, columns], kind="stable")[:_MOST_STARTS]
    return [(int(rows[k]), int(columns[k])) for k in order]


def _descend(model: MixedModel, gone: float, kept: float) -> Maximum | None:
    """Newton steps, damped so that every one goes down; a curvature serves as long as slopes shrink well with it.

    In x = arsinh of the root of ratio/unit: like the root where it is small, where the deviance is even in the root and
    its logarithm would creep, and like its logarithm where it is large.
    """
    here = _Look.at(model, np.arcsinh(np.sqrt(np.array([gone, kept]) / model.unit)))
    curvature, damping, fresh = here.curvature(model), 0.0, True
    for _ in range(_MOST_STEPS):
        if here.settled(curvature):
            leaving = here.leaving_zero(model) if fresh else None
            if leaving is not None:
                here = leaving
                curvature = here.curvature(model)
                continue
            if fresh:
                return here.maximum(model, curvature)
            curvature, fresh = here.curvature(model), True
            continue
        powers, directions = np.linalg.eigh(curvature)
        powers = np.maximum(np.abs(powers), _LEAST_POWER * float(np.abs(powers).max())) + damping
        step: Array = -directions @ (directions.T @ here.slopes / powers)
        there = here.moved(model, step * min(1.0, _LONGEST / float(np.abs(step).max())))
        if there.deviance > here.deviance + _ROUNDING * abs(here.deviance):
            damping = max(4 * damping, float(powers.min()))
            if not fresh:
                curvature, fresh = here.curvature(model), True
            continue
        slower = len(there.slopes) < len(here.slopes) or np.abs(there.slopes).max() > _GOOD * np.abs(here.slopes).max()
        here, damping, fresh = there, damping / 16, False
        if slower:
            curvature, fresh = here.curvature(model), True
    return None


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """Deviance and slopes, by x = arsinh of the root of ratio/unit, at one pair of ratios; those not free are 0."""

    x: Array
    part: Slice
    deviance: float
    slopes: Array

    @classmethod
    def at(cls, model: MixedModel, x: Array, part: Slice | None = None) -> _Look:
        gone, kept = _ratios(model, x)
        part = model.at(gone) if part is None else part
        deviance = float(part.solve(np.array([kept]))[0][0])
        free = x > 0
        return cls(x, part, deviance, part.slopes(kept)[free] * 2 / np.tanh(x[free]))

    def moved(self, model: MixedModel, step: Array) -> _Look:
        """Look again after a step of what is not 0; what comes too near 0 becomes 0."""
        x = self.x.copy()
        x[x > 0] += step
        return _Look.at(model, np.where(x < _NEAREST, 0.0, np.minimum(x, _FARTHEST)))

    def leaving_zero(self, model: MixedModel) -> _Look | None:
        """Return a lower place just above 0 for a ratio that is 0; None where 0 is the best."""
        for side in np.flatnonzero(self.x == 0):
            x = self.x.copy()
            x[side] = 2 * _NEAREST
            look = _Look.at(model, x)
            if look.deviance < self.deviance - _ROUNDING * abs(self.deviance) - _WORTH_LEAVING:
                return look
        return None

    def curvature(self, model: MixedModel) -> Array:
        """Second derivatives by differences of slopes, those along the kept side on the same slice."""
        columns = []
        for side in np.flatnonzero(self.x):
            x = self.x.copy()
            x[side] *= 1 + _DIFFERENCE
            moved = _Look.at(model, x, self.part if side == 1 else None)
            columns.append((moved.slopes - self.slopes) / (x[side] - self.x[side]))
        matrix = np.array(columns).reshape(len(columns), len(columns))
        return (matrix + matrix.T) / 2

    def settled(self, curvature: Array) -> bool:
        """Whether the curvature is positive and a step with it hardly moves."""
        if not len(self.slopes):
            return True
        if float(np.linalg.eigvalsh(curvature)[0]) <= 0:
            return False
        return bool((np.abs(np.linalg.solve(curvature, self.slopes)) < _SETTLED * self.x[self.x > 0]).all())

    def maximum(self, model: MixedModel, curvature: Array) -> Maximum:
        """Return it as the answer."""
        gone, kept = _ratios(model, self.x)
        return Maximum(gone, kept, self.deviance, float(np.abs(self.slopes).max(initial=0.0)), curvature)


def _ratios(model: MixedModel, x: Array) -> tuple[float, float]:
    gone, kept = model.unit * np.sinh(x) ** 2
    return float(gone), float(kept)
