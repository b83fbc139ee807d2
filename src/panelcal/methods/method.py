"""What every method gives: values, how sure they are, and what to know about it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Protocol

from panelcal.arrays import Array, Indices
from panelcal.calibration.least_squares import Calibration
from panelcal.calibration.normal_errors import NormalErrors
from panelcal.frozen import dataclass
from panelcal.panel import Panel
from panelcal.shown import Drawn, Shown

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


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FittedMethod(Drawn):
    """Values by one method.

    Source: docs/methods.md has the source of each method.

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
    panel
        What was fitted, where `fit` made this; None where the method was called directly.

    Examples
    --------
    >>> panel = Panel.from_matrix([[50, 60], [55, 65], [70, 82]])
    >>> fit(panel, 'simple_average').values.tolist()
    [55.0, 60.0, 76.0]
    """

    method: str
    values: Array
    uncertainty: ValueUncertainty | None
    note: str
    calibration: Calibration | None = None
    biases: Array | None = None
    detail: Any = None
    predict: Predict | None = None
    panel: Panel | None = None

    @property
    def value_errors(self) -> Array | None:
        """(n_objects,) standard errors, or None where the method has none."""
        return None if self.uncertainty is None else self.uncertainty.value_errors


@dataclass(frozen=True, slots=True, repr=False)
class Method(Shown):
    """An entry of the registry.

    Source: docs/methods.md has the source of each method.

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

    Examples
    --------
    >>> methods()[0].title
    'Simple average'
    """

    name: str
    title: str
    note: str
    run: Callable[..., FittedMethod]

    @property
    def options(self) -> tuple[str, ...]:
        """Names of what it can be told."""
        return tuple(name for name in inspect.signature(self.run).parameters if name != "panel")


class _Estimates(Protocol):
    @property
    def values(self) -> Array: ...
    @property
    def value_errors(self) -> Array: ...


def normal_errors(found: _Estimates, *, drawn: bool = False) -> NormalErrors:
    """Take values and their standard errors for normal; `drawn` where they come from a sample."""
    return NormalErrors(found.values, found.value_errors, drawn=drawn)


def additive(values: Array, biases: Array) -> Predict:
    """Expect the value of an object and the bias of an assessor, added up."""
    return lambda objects, assessors: values[objects] + biases[assessors]
