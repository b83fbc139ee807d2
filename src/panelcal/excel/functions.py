"""The functions for cells: CALIBRATE and its companions, called by the add-in through xlwings.

Each takes `scores` (a row for each object, a column for each assessor, with or without names; or a long list with
headings), `confidence` (as many cells, one row, one column or one cell; numbers or words), `headers` (TRUE, FALSE,
"top", "left"; left out = seen from the cells), `gauge` ("weighted", "equal" or a mean to hold) and `what` (a word for
one column; left out = all of them), and returns rows that spill. The first row holds headings when the first row of the
scores does, so that results can stand beside them.

A refusal is a `FunctionRefused`, which the add-in shows as #VALUE!; `calibrate_why` has the reason in words.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import xlwings as xw

from panelcal.errors import InputRefused, PanelcalError
from panelcal.excel.cells_argument import Cells, CellsArgument, as_cells
from panelcal.excel.function_columns import chosen_column, chosen_figure, who_takes
from panelcal.excel.function_panel import Solved, origin_of, solve
from panelcal.reading.cell_values import is_blank
from panelcal.reading.confidences import DeclaredCells, confidences_from
from panelcal.reading.grid import address
from panelcal.reading.headings import Role
from panelcal.reading.problems import Problems
from panelcal.reading.settings import Settings

Spill = list[list[Any]]

_KEPT = 16
_CHOICES = ("headers", "gauge")
_solved: OrderedDict[tuple[bytes, ...], Solved] = OrderedDict()
_ranked: OrderedDict[tuple[bytes, ...], Spill] = OrderedDict()


class FunctionRefused(PanelcalError):
    """A cell function cannot answer; its text is the sentence for the user."""


def _takes_ranges(function: Callable[..., Spill]) -> Callable[..., Spill]:
    """Register a function with xlwings so that its arguments arrive as they are in the cells."""
    for name in ("scores", "confidence", "headers", "gauge", "what"):
        function = xw.arg(name, CellsArgument)(function)
    return xw.func(category="Calibrate", call_in_wizard=False)(function)


@_takes_ranges
def calibrate(scores: Any, confidence: Any = None, headers: Any = None, gauge: Any = None, what: Any = None) -> Spill:
    """Return the calibrated value of each object with its standard error and 95% interval.

    Columns: object, calibrated value, standard error, lower, upper, raw average (weighted by confidence), change.
    """

    def spill(solved: Solved) -> Spill:
        panel, values = solved.calibration.panel, solved.calibration.values
        interval = solved.uncertainty.value_interval(0.95)
        headings = ("Calibrated value", "Standard error", "Lower", "Upper", "Raw average", "Change")
        errors = solved.uncertainty.value_errors
        columns = (values, errors, interval[:, 0], interval[:, 1], solved.raw, values - solved.raw)
        return _table(solved.reading.nouns.object, headings, panel.objects, columns)

    return _answer("calibrate", spill, what, scores, confidence, headers, gauge)


@_takes_ranges
def calibrate_bias(
    scores: Any, confidence: Any = None, headers: Any = None, gauge: Any = None, what: Any = None
) -> Spill:
    """Return the bias of each assessor with its standard error and 95% interval; above zero means generous.

    Columns: assessor, bias, standard error, lower, upper, raw average, assessments.
    """

    def spill(solved: Solved) -> Spill:
        panel = solved.calibration.panel
        interval = solved.uncertainty.bias_interval(0.95)
        headings = ("Bias", "Standard error", "Lower", "Upper", "Raw average", "Assessments")
        assessments = np.bincount(panel.assessor_index, minlength=panel.n_assessors)
        biases, errors = solved.calibration.biases, solved.uncertainty.bias_errors
        columns = (biases, errors, interval[:, 0], interval[:, 1], solved.assessor_raw, assessments)
        return _table(solved.reading.nouns.assessor, headings, panel.assessors, columns)

    return _answer("calibrate_bias", spill, what, scores, confidence, headers, gauge)


@_takes_ranges
def calibrate_fit(
    scores: Any, confidence: Any = None, headers: Any = None, gauge: Any = None, what: Any = None
) -> Spill:
    """Return how well the panel agrees and hangs together: names in the first column, figures in the second."""

    def spill(solved: Solved) -> Spill:
        calibration, bounds = solved.calibration, solved.robustness
        p = calibration.panel.n_assessments - calibration.degrees_of_freedom
        rows: list[list[Any]] = [
            ["w = R/(N - p)", _cell(calibration.w_unbiased)],
            ["w = R/N", _cell(calibration.w_ml)],
            ["R", _cell(calibration.weighted_residual_sum)],
            ["N", float(calibration.panel.n_assessments)],
            ["p", float(p)],
            ["N - p", float(calibration.degrees_of_freedom)],
            ["mu_2", _cell(bounds.mu2)],
            ["lambda_2", _cell(bounds.lambda2)],
        ]
        return [["Figure", "Value"], *rows]

    return _answer("calibrate_fit", spill, what, scores, confidence, headers, gauge)


@_takes_ranges
def calibrate_bound(
    scores: Any, confidence: Any = None, headers: Any = None, gauge: Any = None, what: Any = None
) -> Spill:
    """Return how far each value can move when scores change.

    Columns: object, the paper's bound and the exact worst case (per unit of ||ds||), the largest change per 1-point
    change of any one score.
    """

    def spill(solved: Solved) -> Spill:
        bounds = solved.robustness
        headings = ("Bound", "Worst case", "Sensitivity")
        columns = (bounds.value_bounds, bounds.worst_cases, bounds.value_sensitivities)
        return _table(solved.reading.nouns.object, headings, solved.calibration.panel.objects, columns)

    return _answer("calibrate_bound", spill, what, scores, confidence, headers, gauge)


@_takes_ranges
def calibrate_compare(
    scores: Any, confidence: Any = None, headers: Any = None, gauge: Any = None, what: Any = None
) -> Spill:
    """Return each object by the four methods: simple average, weighted average, Fisher, calibration with confidence."""

    def spill(solved: Solved) -> Spill:
        found = solved.comparison
        headings = ("Simple average", "Weighted average", "Fisher calibration", "Calibration with confidence")
        columns = (found.simple_average, found.weighted_average, found.fisher, found.confidence)
        return _table(solved.reading.nouns.object, headings, solved.calibration.panel.objects, columns)

    return _answer("calibrate_compare", spill, what, scores, confidence, headers, gauge)


@xw.func(category="Calibrate", call_in_wizard=False)
@xw.arg("stated", CellsArgument)
def calibrate_confidence(stated: Any) -> Spill:
    """Turn words (high, medium, low), ranges (60-70), "65 +/- 5" or standard deviations into confidences c = 1/sigma^2.

    Takes a cell or a range of them, of one kind; a blank cell stays blank.
    """
    cells = as_cells(stated)
    if cells is None:
        raise FunctionRefused("Give a word such as high, or a standard deviation, or cells that hold them.")
    rows = cells.rows()
    filled = [(i, j) for i, row in enumerate(rows) for j, value in enumerate(row) if not is_blank(value)]
    if not filled:
        raise FunctionRefused("There is nothing to turn into a confidence: give a word or a standard deviation.")
    name, first_row, first_column = origin_of(cells)
    places = tuple(address(first_row + i, first_column + j) for i, j in filled)
    problems = Problems()
    declared = DeclaredCells(tuple(rows[i][j] for i, j in filled), places, name, Role.DEVIATION)
    numbers, _ = confidences_from(declared, Settings(), problems)
    try:
        problems.stop_if_any()
    except InputRefused as problem:
        raise FunctionRefused(str(problem)) from None
    spilled: Spill = [[""] * len(row) for row in rows]
    for (i, j), number in zip(filled, numbers, strict=True):
        spilled[i][j] = float(number)
    return spilled


@xw.func(category="Calibrate", call_in_wizard=False)
@xw.arg("score", CellsArgument)
@xw.arg("anchor_scores", CellsArgument)
@xw.arg("consensus", CellsArgument)
@xw.arg("kind", CellsArgument)
def calibrate_anchored(score: Any, anchor_scores: Any, consensus: Any, kind: Any = None) -> Spill:
    """Map scores of one agent onto the scale of anchors whose consensus is known.

    Takes the new scores (a cell or a range, whose shape is kept), the agent's scores of the anchors, their consensus
    from 0 to 100 in the same order, and the kind of curve: spline, isotonic, linear, min-max or mean-sd.
    """
    new, scored, known = as_cells(score), as_cells(anchor_scores), as_cells(consensus)
    if new is None or scored is None or known is None:
        raise FunctionRefused("Give the score, the scores of the anchors and their consensus.")
    try:
        from panelcal.excel.anchored_scores import anchored_scores

        return anchored_scores(new, scored, known, _single(as_cells(kind), "kind"))
    except PanelcalError as problem:
        raise FunctionRefused(str(problem).replace("\n", " ")) from None


@xw.func(category="Calibrate", call_in_wizard=False)
@xw.arg("ratings", CellsArgument)
@xw.arg("headers", CellsArgument)
@xw.arg("what", CellsArgument)
def calibrate_ordinal(ratings: Any, headers: Any = None, what: Any = None) -> Spill:
    """Return a quick, approximate ranking of ratings in a few levels, judges' own use of the scale taken into account.

    Columns: object, total on the logit scale with its 89% interval (about a tenth too narrow), expected rank with its
    interval, probability of being the best, plain average.
    """
    cells, declared = as_cells(ratings), as_cells(headers)
    if cells is None:
        raise FunctionRefused("Give the range with the ratings as the first argument.")
    key = tuple(b"" if part is None else part.content for part in (cells, declared))
    rows = _ranked.get(key)
    if rows is None:
        try:
            from panelcal.excel.function_ratings import rank_quickly

            found = rank_quickly(cells, _single(declared, "headers"))
        except PanelcalError as problem:
            raise FunctionRefused(str(problem).replace("\n", " ")) from None
        posterior = found.posterior
        ranks = ("Expected rank", "Rank from", "Rank to")
        headings = ("Total (approximate)", "Lower", "Upper", *ranks, "P(best)", "Average")
        columns = (
            posterior.total_mean,
            *posterior.total_interval.T,
            posterior.rank_mean,
            *posterior.rank_interval.T,
            posterior.best_probability,
            found.naive,
        )
        rows = _table(found.reading.nouns.object, headings, posterior.objects, columns)
        rows = _ranked[key] = rows if found.headed else rows[1:]
        if len(_ranked) > _KEPT:
            _ranked.popitem(last=False)
    return _chosen("calibrate_ordinal", rows, what, "")


@_takes_ranges
def calibrate_why(
    scores: Any, confidence: Any = None, headers: Any = None, gauge: Any = None, what: Any = None
) -> Spill:
    """Say in words why the other functions show an error for these arguments, or what they read."""
    try:
        solved = _solve(scores, confidence, headers, gauge)
    except FunctionRefused as problem:
        return [[str(problem)]]
    panel, nouns = solved.calibration.panel, solved.reading.nouns
    said = f"All is well: {panel.n_objects} x {panel.n_assessors}, {panel.n_assessments} scores were read"
    try:
        word = _single(as_cells(what), "what")
        taken = "" if is_blank(word) else f"; {', '.join(who_takes(word, nouns.object, nouns.assessor))} can give it"
    except InputRefused as problem:
        return [[str(problem)]]
    return [[f"{said}{taken}."]]


def _answer(name: str, spill: Callable[[Solved], Spill], what: Any, *arguments: Any) -> Spill:
    """Solve, or find solved, and lay out what is asked for, once for each content; then choose from it."""
    solved = _solve(*arguments)
    found = solved.spills.get(name)
    if found is None:
        rows = spill(solved)
        found = solved.spills[name] = rows if solved.headed or name == "calibrate_fit" else rows[1:]
    nouns = solved.reading.nouns
    return _chosen(name, found, what, nouns.assessor if name == "calibrate_bias" else nouns.object)


def _chosen(name: str, rows: Spill, what: Any, noun: str) -> Spill:
    """Keep the column, or the figure, that the argument what asks for."""
    try:
        word = _single(as_cells(what), "what")
        return chosen_figure(rows, word) if name == "calibrate_fit" else chosen_column(name, rows, word, noun)
    except InputRefused as problem:
        raise FunctionRefused(str(problem)) from None


def _solve(scores: Any, confidence: Any, headers: Any, gauge: Any) -> Solved:
    cells, beside = as_cells(scores), as_cells(confidence)
    if cells is None:
        raise FunctionRefused("Give the range with the scores as the first argument.")
    choices = [as_cells(argument) for argument in (headers, gauge)]
    key = tuple(b"" if part is None else part.content for part in (cells, beside, *choices))
    found = _solved.get(key)
    if found is not None:
        _solved.move_to_end(key)
        return found
    try:
        found = solve(cells, beside, *(_single(part, name) for part, name in zip(choices, _CHOICES, strict=True)))
    except PanelcalError as problem:
        raise FunctionRefused(str(problem).replace("\n", " ")) from None
    _solved[key] = found
    if len(_solved) > _KEPT:
        _solved.popitem(last=False)
    return found


def _single(cells: Cells | None, name: str) -> Any:
    if cells is None:
        return None
    rows = cells.rows()
    if len(rows) != 1 or len(rows[0]) != 1:
        raise InputRefused(f"The argument {name} must be a single cell or value.")
    return rows[0][0]


def _table(noun: str, headings: Sequence[str], labels: Sequence[str], columns: Iterable[np.ndarray]) -> Spill:
    rows = [[label, *map(_cell, row)] for label, *row in zip(labels, *columns, strict=True)]
    return [[noun, *headings], *rows]


def _cell(value: float) -> float | str:
    """Return what a cell can hold: a number that does not exist is left blank."""
    return float(value) if np.isfinite(value) else ""
