"""What other methods say about the same panel, and which of them predicts scores best that were left out of it."""

from __future__ import annotations

from panelcal.calibration.cross_validation import CrossValidation, PredictiveError
from panelcal.errors import PanelcalError
from panelcal.frozen import dataclass
from panelcal.methods import METHODS
from panelcal.registry import FittedMethod, Method, find_method, fit, predictive_errors
from panelcal.reporting.wording import counted
from panelcal.systems.calibration.results import Results, options_of

USUAL = ("simple_average", "weighted_average", "fisher", "confidence")
"""The four of the paper's Table 1, which every report has."""

_SAME_AS_ANOTHER = {"hodge"}
_SAMPLED = {"review_thresholds"}
_RANKS_ONLY = {"kemeny"}
_MOST_SAMPLED = 5_000
_FOLDS = 5
_MOST_TWICE, _MOST_TESTED = 5_000, 50_000


@dataclass(frozen=True, slots=True, eq=False)
class MethodResult:
    """What one method says.

    Attributes
    ----------
    method
        The method.
    fitted
        Its values, or None where it cannot be used on this panel.
    refusal
        Why not, in one sentence; otherwise empty.
    """

    method: Method
    fitted: FittedMethod | None
    refusal: str


@dataclass(frozen=True, slots=True, eq=False)
class ComparedMethods:
    """Methods side by side.

    Attributes
    ----------
    usual
        The four of the paper's Table 1.
    named
        Those that the settings name to be compared, the one that was chosen for the values unless it is the usual, and
        calibration with earlier biases where the workbook has some.
    prediction
        Predictive errors of all of them, or None where they were not measured.
    how
        How they were measured, or why they were not.
    """

    usual: tuple[MethodResult, ...]
    named: tuple[MethodResult, ...]
    prediction: CrossValidation | None
    how: str

    @property
    def reference(self) -> FittedMethod:
        """Calibration with confidence, which the others are compared with."""
        fitted = self.usual[USUAL.index("confidence")].fitted
        assert fitted is not None  # the usual methods work on every connected panel
        return fitted

    def shown(self) -> tuple[MethodResult, ...]:
        """Every method once: the usual four, then the others."""
        return self.usual + tuple(result for result in self.named if result.method.name not in USUAL)

    def fitted(self) -> tuple[tuple[MethodResult, FittedMethod], ...]:
        """Every method that can be used on this panel, with its fit."""
        return tuple((result, result.fitted) for result in self.shown() if result.fitted is not None)

    def predictive_error(self, name: str) -> PredictiveError | None:
        """Return the predictive error of a method, None where it was not measured or could not be."""
        known = () if self.prediction is None else self.prediction.errors
        return next((entry for entry in known if entry.method == name and not entry.refused), None)


def compared_methods(results: Results) -> ComparedMethods:
    """Fit the usual methods and those that the settings name, and let them predict scores that were left out.

    Every score is left out about once in each repeat of five parts, so predicting takes five or ten further fits of
    every method; two repeats up to 5,000 scores, one up to 50,000, none beyond.
    """
    settings = results.reading.settings
    asked = set(settings.compare) | ({settings.method} - {"confidence"})
    if results.reading.earlier is not None:
        asked.add("prior")
    usual = tuple(_result(results, name) for name in USUAL)
    by_name = {result.method.name: result for result in usual}
    named = tuple(by_name.get(name) or _result(results, name) for name in METHODS if name in asked)
    shown = [*usual, *(result for result in named if result.method.name not in USUAL)]
    prediction, how = _prediction(results, [result for result in shown if result.fitted is not None])
    return ComparedMethods(usual, named, prediction, how)


def _result(results: Results, name: str) -> MethodResult:
    method, panel = find_method(name), results.reading.panel
    if name == results.chosen.method:
        return MethodResult(method, results.chosen, "")
    if name in _SAMPLED and panel.n_assessments > _MOST_SAMPLED:
        refusal = (
            f"On more than {_MOST_SAMPLED:,} {results.scores_noun} this takes a minute or more: choose it as the "
            "Method to see its values."
        )
        return MethodResult(method, None, refusal)
    try:
        return MethodResult(method, fit(panel, name, **options_of(method, results.reading)), "")
    except PanelcalError as problem:
        return MethodResult(method, None, str(problem))


def _prediction(results: Results, fitted: list[MethodResult]) -> tuple[CrossValidation | None, str]:
    panel = results.reading.panel
    if panel.n_assessments > _MOST_TESTED:
        return (
            None,
            f"Not measured on more than {_MOST_TESTED:,} {results.scores_noun}: it would take {_FOLDS} more fits of "
            "each method.",
        )
    repeats = 2 if panel.n_assessments <= _MOST_TWICE else 1
    names = [
        result.method.name for result in fitted if result.method.name not in _SAME_AS_ANOTHER | _SAMPLED | _RANKS_ONLY
    ]
    options = {key: value for result in fitted for key, value in options_of(result.method, results.reading).items()}
    try:
        found = predictive_errors(panel, names, folds=_FOLDS, repeats=repeats, options=options)
    except PanelcalError as problem:
        return None, str(problem)
    times = "twice" if repeats == 2 else "once"
    tested = counted(int((found.tested > 0).sum()), results.score_noun)
    return found, (
        f"{tested} left out in {_FOLDS} parts, {times}, and predicted from the rest by each method; never so many that "
        "the panel falls apart."
    )
