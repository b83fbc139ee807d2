"""The registry of methods: each asked for by name, shown beside the others and compared by what it predicts.

The methods are in `methods`, one definition each; here they are on the same footing.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from panelcal.arrays import Array, Indices
from panelcal.calibration.cross_validation import CrossValidation, Predictor, cross_validate, with_mean_residuals
from panelcal.errors import MethodNotApplicable
from panelcal.methods import METHODS
from panelcal.methods.method import FittedMethod, Method
from panelcal.panel import Panel

__all__ = ["FittedMethod", "Method", "find_method", "fit", "methods", "predictive_errors"]

_LEFT_OUT = {"hodge", "review_thresholds", "prior"}


def methods() -> tuple[Method, ...]:
    """Return every method there is.

    Source: docs/methods.md has the source of each method.

    Returns
    -------
    tuple of Method
        In the order of the documentation.

    Examples
    --------
    >>> [method.name for method in methods()][:3]
    ['simple_average', 'weighted_average', 'assessor_centred']
    """
    return tuple(find_method(name) for name in METHODS)


def fit(panel: Panel, method: str = "confidence", **options: Any) -> FittedMethod:
    """Fit a panel by the named method.

    Source: docs/methods.md has the source of each method.

    Returns
    -------
    FittedMethod
        Values, errors where the method has them, and a note.

    Raises
    ------
    MethodNotApplicable
        If there is no such method, it has no such option, or it cannot be used on this panel.
    DisconnectedPanel
        If the method needs a connected panel and this one is not.

    Examples
    --------
    >>> panel = Panel.from_matrix([[50, 60], [55, 65], [70, 82]])
    >>> fit(panel, 'confidence').values.tolist()
    [55.0, 60.0, 76.0]
    """
    entry = find_method(method)
    unknown = [name for name in options if name not in entry.options]
    if unknown:
        offered = f"its options are {', '.join(entry.options)}" if entry.options else "it has none"
        raise MethodNotApplicable(f'The method {method} has no option "{unknown[0]}": {offered}.')
    return replace(entry.run(panel, **options), panel=panel)


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

    Source: cross-validation over folds that keep the panel connected; docs/methods.md.

    Parameters
    ----------
    panel
        A connected panel.
    names
        Methods to compare; None = all but those that say the same as another (hodge), take long (review_thresholds)
        or need to be told something (prior).
    folds, repeats, seed
        As for `calibration.cross_validation.cross_validate`.
    options
        Each method takes those that it has, such as `gauge` or `scale`.

    Returns
    -------
    CrossValidation
        Errors of each method on scores held out.

    Raises
    ------
    MethodNotApplicable
        If a name is unknown, or hardly any score can be left out without disconnecting the panel.

    Examples
    --------
    >>> panel = simulate_panel(20, 5, 3, seed=1).panel
    >>> len(predictive_errors(panel, ['simple_average', 'confidence']).errors)
    2
    """
    chosen = [name for name in METHODS if name not in _LEFT_OUT] if names is None else list(names)
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
    if name not in METHODS:
        raise MethodNotApplicable(f'There is no method "{name}": choose one of {", ".join(METHODS)}.')
    found: Method = getattr(importlib.import_module(f"panelcal.methods.{METHODS[name]}"), name.upper())
    return found
