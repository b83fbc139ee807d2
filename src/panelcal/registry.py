"""The registry of methods: one name, one function, one line on when to use it and when not.

The methods themselves are in `calibration` and `ordinal`; here each is put on the same footing, so that it can be asked
for by name, shown beside the others and compared by what it predicts. All but the common ones are loaded when they are
asked for.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from panelcal.calibration.averages import fisher, simple_average, weighted_average
from panelcal.calibration.cross_validation import CrossValidation, Predictor, cross_validate, with_mean_residuals
from panelcal.calibration.least_squares import Calibration, calibrate
from panelcal.calibration.normal_errors import NormalErrors
from panelcal.calibration.student_mixture import AveragedErrors
from panelcal.calibration.uncertainty import uncertainty
from panelcal.errors import MethodNotApplicable
from panelcal.panel import Panel

Array = NDArray[np.float64]
Indices = NDArray[np.intp]
Predict = Callable[[Indices, Indices], Array]


class ValueUncertainty(Protocol):
    """How sure a method is of its values."""

    @property
    def value_errors(self) -> Array:
        """(n_objects,) standard errors in score units."""

    def value_interval(self, level: float = 0.95) -> Array:
        """Return (n_objects, 2) lower and upper ends."""

    def exceeds(self, boundary: float) -> Array:
        """Return (n_objects,) the probability that each true value is at the boundary or above it."""


@dataclass(frozen=True, slots=True, eq=False)
class FittedMethod:
    """Values by one method.

    Attributes
    ----------
    method
        Its name.
    values
        (n_objects,) in score units.
    uncertainty
        How sure they are, or None where the method does not say.
    note
        When to use it and when not, and what turned up in this fit.
    calibration
        The calibration behind it, or None where there is none.
    biases
        (n_assessors,) in score units, or None where the method has none in score units.
    detail
        The method's own result, with all that it found; None for plain averages.
    predict
        Function of object and assessor indices (k,) that returns the scores (k,) to expect, or None.
    """

    method: str
    values: Array
    uncertainty: ValueUncertainty | None
    note: str
    calibration: Calibration | None = None
    biases: Array | None = None
    detail: Any = None
    predict: Predict | None = None

    @property
    def value_errors(self) -> Array | None:
        """(n_objects,) standard errors, or None where the method has none."""
        return None if self.uncertainty is None else self.uncertainty.value_errors


@dataclass(frozen=True, slots=True)
class Method:
    """An entry of the registry.

    Attributes
    ----------
    name
        As given to `fit` and `--method`.
    title
        As written in headings.
    note
        When to use it and when not.
    run
        The function behind it.
    """

    name: str
    title: str
    note: str
    run: Callable[..., FittedMethod]

    @property
    def options(self) -> tuple[str, ...]:
        """Names of what it can be told."""
        return tuple(name for name in inspect.signature(self.run).parameters if name != "panel")


def methods() -> tuple[Method, ...]:
    """Return every method there is."""
    return _REGISTRY


def fit(panel: Panel, method: str = "confidence", **options: Any) -> FittedMethod:
    """Fit a panel by the named method.

    Raises
    ------
    MethodNotApplicable
        If there is no such method, it has no such option, or it cannot be used on this panel.
    DisconnectedPanel
        If the method needs a connected panel and this one is not.
    """
    entry = find_method(method)
    unknown = [name for name in options if name not in entry.options]
    if unknown:
        offered = f"its options are {', '.join(entry.options)}" if entry.options else "it has none"
        raise MethodNotApplicable(f'The method {method} has no option "{unknown[0]}": {offered}.')
    return entry.run(panel, **options)


def predictive_errors(
    panel: Panel,
    names: Sequence[str] | None = None,
    *,
    folds: int = 5,
    repeats: int = 2,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
) -> CrossValidation:
    """Compare methods by how well they predict scores of this panel that were left out.

    Parameters
    ----------
    panel
        A connected panel.
    names
        Methods to compare; None = all but those that say the same as another (hodge) or take long
        (review_thresholds).
    folds, repeats, seed
        As for `calibration.cross_validation.cross_validate`.
    options
        Each method takes those that it has, such as `gauge` or `scale`.

    Raises
    ------
    MethodNotApplicable
        If a name is unknown, or hardly any score can be left out without disconnecting the panel.
    """
    chosen = [entry.name for entry in _REGISTRY if entry.name not in _LEFT_OUT] if names is None else list(names)
    predictors = {name: _predictor(find_method(name), options or {}) for name in chosen}
    return cross_validate(panel, predictors, folds=folds, repeats=repeats, seed=seed)


def _predictor(entry: Method, options: Mapping[str, Any]) -> Predictor:
    taken = {name: value for name, value in options.items() if name in entry.options}

    def predict(training: Panel, objects: Indices, assessors: Indices) -> Array:
        fitted = entry.run(training, **taken)
        if fitted.predict is not None:
            return fitted.predict(objects, assessors)
        return with_mean_residuals(training, fitted.values, objects, assessors)

    return predict


def find_method(name: str) -> Method:
    """Return the method of that name.

    Raises
    ------
    MethodNotApplicable
        If there is none.
    """
    for entry in _REGISTRY:
        if entry.name == name:
            return entry
    known = ", ".join(entry.name for entry in _REGISTRY)
    raise MethodNotApplicable(f'There is no method "{name}": choose one of {known}.')


_LEFT_OUT = {"hodge", "review_thresholds"}

_NOTES = {
    "simple_average": (
        "Plain mean of each object's scores. Right when every assessor saw every object; otherwise luck with assessors "
        "stays in it."
    ),
    "weighted_average": (
        "Confidence-weighted mean. What most boards use; it rewards those who were given generous assessors."
    ),
    "assessor_centred": (
        "Every assessor's scores moved to the same mean. Only for objects assigned at random; where good ones went to "
        "some assessors and weak ones to others, worse than plain averages."
    ),
    "z_scores": (
        "Every assessor's scores given the same mean and spread. Only for objects assigned at random and many objects "
        "for each assessor; otherwise the worst of all."
    ),
    "fisher": (
        "Biases taken out, all scores counting alike (Fisher's incomplete blocks). When confidences mean nothing; "
        "otherwise it trusts doubtful scores too much."
    ),
    "confidence": (
        "Biases taken out, scores counting by confidence. The default; not where links are so thin that correcting "
        "adds noise, nor where the panel falls apart."
    ),
    "spread": (
        "Biases and spreads by assessor. When some use more of the scale than others and each has six objects or more; "
        "with fewer, or alike spreads, it adds noise."
    ),
    "bounded": (
        "Calibration that takes a mark at the end of the scale for 'at least' (or 'at most') so much, values drawn "
        "towards their mean. When scores crowd at the ends; needless otherwise."
    ),
    "log": (
        "Calibration of logarithms: biases are ratios. For scores above 0 without an upper end, such as sums of money; "
        "not for marks."
    ),
    "shrunken_biases": (
        "Biases drawn towards their mean as far as the noise suggests. When links are thin or biases small; otherwise "
        "much the same as the default."
    ),
    "random_effects": (
        "Values and biases both drawn towards their means. Smallest errors with one or two scores for each object; it "
        "favours the middle, so not where each object is owed its own score."
    ),
    "median_polish": (
        "Medians in place of means, confidences aside. A quick look for gross errors; the bisquare does better."
    ),
    "bisquare": (
        "Calibration that sets gross errors aside and says which. When slips of the pen are likely; needs some scores "
        "to spare, or good scores go too."
    ),
    "review_thresholds": (
        "Thresholds by judge, as for the SIGKDD'09 reviews. For ratings on few levels that judges use differently; not "
        "for marks."
    ),
    "hodge": (
        "Score differences within assessors, by HodgeRank. When it matters how consistent the comparisons are; not as "
        "a second opinion, its values are those of calibration with confidence."
    ),
    "hodge_signs": (
        "Only who was placed above whom by each assessor. When scores mean no more than an order; otherwise it throws "
        "away what they say."
    ),
}


def _simple(panel: Panel) -> FittedMethod:
    return FittedMethod("simple_average", simple_average(panel), None, _NOTES["simple_average"])


def _weighted(panel: Panel) -> FittedMethod:
    return FittedMethod("weighted_average", weighted_average(panel), None, _NOTES["weighted_average"])


def _centred(panel: Panel) -> FittedMethod:
    from panelcal.calibration.centring import assessor_centred

    found = assessor_centred(panel)
    return FittedMethod(
        "assessor_centred", found.values, None, _NOTES["assessor_centred"], None, found.biases, found, found.predict
    )


def _z_scores(panel: Panel) -> FittedMethod:
    from panelcal.calibration.centring import z_scores

    found = z_scores(panel)
    return FittedMethod("z_scores", found.values, None, _NOTES["z_scores"], None, found.biases, found, found.predict)


def _fisher(panel: Panel, *, gauge: str = "weighted", reference: float | None = None) -> FittedMethod:
    return _calibrated("fisher", fisher(panel, gauge=gauge, reference=reference))


def _confidence(panel: Panel, *, gauge: str = "weighted", reference: float | None = None) -> FittedMethod:
    return _calibrated("confidence", calibrate(panel, gauge=gauge, reference=reference))


def _calibrated(name: str, found: Calibration) -> FittedMethod:
    predict = _additive(found.values, found.biases)
    return FittedMethod(name, found.values, uncertainty(found), _NOTES[name], found, found.biases, found, predict)


def _spread(panel: Panel, *, prior_deviation: float = 0.25) -> FittedMethod:
    from panelcal.calibration.spread import fit_spreads

    found = fit_spreads(panel, prior_deviation=prior_deviation)
    return FittedMethod(
        "spread", found.values, _normal(found), _NOTES["spread"], None, found.biases, found, found.predict
    )


def _bounded(
    panel: Panel, *, scale: tuple[float, float] | None = None, form: str = "censored", margin: float | None = None
) -> FittedMethod:
    from panelcal.calibration.censored import censored
    from panelcal.calibration.transforms import bounded, scale_of

    ends = scale_of(panel, scale)
    note = _NOTES["bounded"]
    if scale is None:
        note += f" The scale was taken to be {ends[0]:g} to {ends[1]:g}."
    if form != "censored":
        moved = bounded(panel, scale=ends, form=form, margin=margin)
        return FittedMethod("bounded", moved.values, moved, note, None, None, moved, moved.predict)
    found = censored(panel, ends)
    note += _only(panel, found.at_least, "top", "at least") + _only(panel, found.at_most, "bottom", "at most")
    return FittedMethod("bounded", found.values, found, note, None, found.biases, found, found.predict)


def _only(panel: Panel, bounds: NDArray[np.bool_], end: str, words: str) -> str:
    """Name the objects whose scores all lie at one end of the scale."""
    count, names = int(bounds.sum()), [panel.objects[k] for k in np.flatnonzero(bounds)[:3]]
    if not count:
        return ""
    more = f" and {count - 3} more" if count > 3 else ""
    value = "its value" if count == 1 else "their values"
    return f" Nothing but {end} scores for {', '.join(names)}{more}: read {value} as '{words}'."


def _log(panel: Panel) -> FittedMethod:
    from panelcal.calibration.transforms import log_scores

    found = log_scores(panel)
    return FittedMethod("log", found.values, found, _NOTES["log"], None, None, found, found.predict)


def _shrunken(panel: Panel) -> FittedMethod:
    from panelcal.calibration.shrinkage import shrunken_biases

    found = shrunken_biases(panel)
    none = "" if found.bias_variance > 0 else " Here the biases shrank to nothing: these are plain weighted averages."
    note = _NOTES["shrunken_biases"] + none
    predict = _additive(found.values, found.biases)
    errors = AveragedErrors(found.value_distribution)
    return FittedMethod("shrunken_biases", found.values, errors, note, None, found.biases, found, predict)


def _random(panel: Panel) -> FittedMethod:
    from panelcal.calibration.random_effects import random_effects

    found = random_effects(panel)
    none = "" if found.bias_variance > 0 else " Here no bias was found: these are plain averages, shrunken."
    if not found.value_variance > 0:
        none += " Here no variance of values was found: all are alike."
    note = _NOTES["random_effects"] + none
    errors = AveragedErrors(found.value_distribution)
    predict = _additive(found.values, found.biases)
    return FittedMethod("random_effects", found.values, errors, note, None, found.biases, found, predict)


def _median_polish(panel: Panel) -> FittedMethod:
    from panelcal.calibration.outliers import median_polish

    found = median_polish(panel)
    predict = _additive(found.values, found.biases)
    return FittedMethod(
        "median_polish", found.values, None, _NOTES["median_polish"], None, found.biases, found, predict
    )


def _bisquare(panel: Panel) -> FittedMethod:
    from panelcal.calibration.outliers import bisquare

    found = bisquare(panel)
    aside = int((found.weights == 0).sum())
    were = "was" if aside == 1 else "were"
    said = (
        f" Here {aside} of {panel.n_assessments} scores {were} set aside." if aside else " Here no score was set aside."
    )
    note = _NOTES["bisquare"] + said
    predict = _additive(found.values, found.biases)
    errors = NormalErrors(found.values, found.value_errors, found.calibration.degrees_of_freedom)
    return FittedMethod("bisquare", found.values, errors, note, None, found.biases, found, predict)


def _review(panel: Panel, *, levels: int | None = None, seed: int = 0) -> FittedMethod:
    from panelcal.ordinal.review_thresholds import review_thresholds

    found = review_thresholds(panel, levels=levels, seed=seed)
    doubt = "" if found.converged else " The sampler has not converged: do not use these values."
    note = _NOTES["review_thresholds"] + doubt
    return FittedMethod("review_thresholds", found.values, _normal(found, drawn=True), note, None, found.biases, found)


def _hodge(panel: Panel) -> FittedMethod:
    from panelcal.calibration.hodge import hodge_rank

    found = hodge_rank(panel, flow="differences")
    return FittedMethod("hodge", found.values, uncertainty(calibrate(panel)), _NOTES["hodge"], detail=found)


def _hodge_signs(panel: Panel) -> FittedMethod:
    from panelcal.calibration.hodge import hodge_rank

    found = hodge_rank(panel, flow="signs")
    return FittedMethod("hodge_signs", found.values, None, _NOTES["hodge_signs"], detail=found)


class _Estimates(Protocol):
    @property
    def values(self) -> Array: ...
    @property
    def value_errors(self) -> Array: ...


def _normal(found: _Estimates, *, drawn: bool = False) -> NormalErrors:
    return NormalErrors(found.values, found.value_errors, drawn=drawn)


def _additive(values: Array, biases: Array) -> Predict:
    return lambda objects, assessors: values[objects] + biases[assessors]


_RUNS: tuple[tuple[str, str, Callable[..., FittedMethod]], ...] = (
    ("simple_average", "Simple average", _simple),
    ("weighted_average", "Weighted average", _weighted),
    ("assessor_centred", "Centred by assessor", _centred),
    ("z_scores", "z-scores by assessor", _z_scores),
    ("fisher", "Fisher calibration", _fisher),
    ("confidence", "Calibration with confidence", _confidence),
    ("spread", "Spread by assessor", _spread),
    ("bounded", "Bounded scale", _bounded),
    ("log", "Logarithms of scores", _log),
    ("shrunken_biases", "Shrunken biases", _shrunken),
    ("random_effects", "Random effects", _random),
    ("median_polish", "Median polish", _median_polish),
    ("bisquare", "Bisquare", _bisquare),
    ("review_thresholds", "Review thresholds", _review),
    ("hodge", "HodgeRank", _hodge),
    ("hodge_signs", "HodgeRank on signs", _hodge_signs),
)
_REGISTRY = tuple(Method(name, title, _NOTES[name], run) for name, title, run in _RUNS)
