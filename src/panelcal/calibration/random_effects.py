"""Values and biases both random (Ge, Welling and Ghahramani; the scheme used for NIPS 2013).

s ~ N(mu, t_v Z Z' + t_b W W' + w diag(1/c)), Z and W saying which object and which assessor each score belongs to. The
three variances come from the restricted likelihood (REML, `mixed_model`), values and biases are the best linear
unbiased predictions (Henderson 1953). Intervals are averaged over what the variances may be.
"""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Array
from panelcal.calibration.mixed_model import HIGHEST, LOWEST, Maximum, MixedModel, Slice, highest_likelihood
from panelcal.calibration.student_mixture import StudentMixture, prior_depth, ratio_places
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.network import require_connected
from panelcal.panel import Panel

FEWEST_OBJECTS = 4
FEWEST_ASSESSORS = 3
_NO_NOISE = 1e-6  # share of a score's variance
_MOST_AVERAGED = 200  # nodes of the smaller side beyond which variances are known well enough
_NEGLIGIBLE = 1e-4
_KEPT_LOOK = np.linspace(LOWEST, HIGHEST, 57)


@dataclass(frozen=True, slots=True, eq=False)
class RandomEffects:
    """Best linear unbiased predictions with variances by REML.

    Attributes
    ----------
    panel
        What was fitted.
    values
        (n_objects,) mu + u_o, in score units; drawn towards mu the more, the less was said about an object.
    value_errors
        (n_objects,) prediction errors, that of mu included, given the variances: too small on small panels, where
        `value_distribution` takes the doubt about the variances in.
    biases
        (n_assessors,) in score units, mean 0 among all assessors that might have been.
    mean, mean_error
        mu and its standard error.
    value_variance, bias_variance, noise_variance
        t_v, t_b and w (of a score of confidence 1), in score units squared. 0 says that no variance above 0 is
        likelier: without bias variance this is plain averaging with shrinkage, without value variance all values are
        alike.
    log_likelihood
        Restricted log likelihood at the maximum.
    """

    panel: Panel
    values: Array
    value_errors: Array
    biases: Array
    mean: float
    mean_error: float
    value_variance: float
    bias_variance: float
    noise_variance: float
    log_likelihood: float

    def value_distribution(self) -> StudentMixture:
        """Return where each value may lie, averaged over the variances; truths are v_o, biases having mean 0."""
        return _averaged(self)


def random_effects(panel: Panel) -> RandomEffects:
    """Fit values and biases as random.

    Raises
    ------
    DisconnectedPanel
        If the panel is not connected: the model would join its groups by assumption alone.
    MethodNotApplicable
        If there are too few objects, assessors or scores to estimate variances from.
    """
    if panel.n_objects < FEWEST_OBJECTS or panel.n_assessors < FEWEST_ASSESSORS:
        raise MethodNotApplicable(
            f"Variances cannot be estimated from {panel.n_objects} objects and {panel.n_assessors} assessors: it takes "
            f"at least {FEWEST_OBJECTS} and {FEWEST_ASSESSORS}."
        )
    if panel.n_assessments < panel.n_objects + panel.n_assessors:
        raise MethodNotApplicable("There are no more scores than unknowns, so variances cannot be estimated.")
    require_connected(panel)
    model = MixedModel.of(panel)
    if not model.spread > 0:
        raise MethodNotApplicable("All scores are alike, so there are no variances to estimate.")
    farthest = model.ratio(HIGHEST)
    if model.at(farthest).solve(np.array([farthest]))[3][0] <= _NO_NOISE * model.spread:
        raise MethodNotApplicable(
            "Values and biases fit the scores exactly, so there is no noise to compare them with."
        )
    return _result(panel, model, highest_likelihood(model))


def _result(panel: Panel, model: MixedModel, found: Maximum) -> RandomEffects:
    """Turn the likeliest ratios into values and errors."""
    place = np.array([found.kept_ratio])
    part = model.at(found.gone_ratio)
    _, mean, information, noise = (float(one[0]) for one in part.solve(place))
    sides, ratios = list(part.predictions(place)), [found.gone_ratio, found.kept_ratio]
    if not model.keeps_assessors:
        sides.reverse()
        ratios.reverse()
    free = model.count - 1
    return RandomEffects(
        panel=panel,
        values=model.centre + (mean + sides[0].effects[:, 0]),
        value_errors=np.sqrt(noise * sides[0].variances[:, 0]),
        biases=sides[1].effects[:, 0],
        mean=model.centre + mean,
        mean_error=float(np.sqrt(noise / information)),
        value_variance=ratios[0] * noise,
        bias_variance=ratios[1] * noise,
        noise_variance=noise,
        log_likelihood=-0.5 * (found.deviance + free * (1 + np.log(2 * np.pi))),
    )


def _averaged(found: RandomEffects) -> StudentMixture:
    """Weigh the values at every place of a grid of both ratios by restricted likelihood and prior."""
    model = MixedModel.of(found.panel)
    freedom = model.count - 1
    if len(model.kept_total) > _MOST_AVERAGED:
        values, errors = found.values[:, None], found.value_errors[:, None]
        return StudentMixture(found.values, values, errors, np.ones(1), freedom)
    side = 0 if model.keeps_assessors else 1

    def along_kept(part: Slice, logs: Array) -> Array:
        return part.solve(model.unit * np.exp(logs))[0]

    def profile(logs: Array) -> Array:
        return np.array([along_kept(model.at(model.ratio(log)), _KEPT_LOOK).min() for log in logs])

    centres, scales, heights = [], [], []
    for log in ratio_places(profile)[0]:
        part = model.at(model.ratio(log))
        logs, depths = ratio_places(lambda logs, part=part: along_kept(part, logs))  # type: ignore[misc]
        ratios = model.unit * np.exp(logs)
        _, mean, _, noise = part.solve(ratios)
        predicted = part.predictions(ratios)[side]
        centres.append(model.centre + (mean + predicted.effects))
        scales.append(np.sqrt(noise * predicted.variances))
        heights.append(depths + prior_depth(log) - 2 * np.log(logs[1] - logs[0]))
    height = np.concatenate(heights)
    weights = np.exp(-0.5 * (height - height.min()))
    kept = weights > _NEGLIGIBLE * weights.max()
    weights = weights[kept] / weights[kept].sum()
    return StudentMixture(found.values, np.hstack(centres)[:, kept], np.hstack(scales)[:, kept], weights, freedom)
