"""A calibration as a table to print, in the manner of statsmodels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from panelcal.calibration.least_squares import Calibration
from panelcal.calibration.uncertainty import uncertainty
from panelcal.notebook.tables import Columns, biases_table, values_table

_WIDTH = 78
_LABEL = 26
_NUMBER = 11


@dataclass(frozen=True, slots=True, repr=False)
class TextSummary:
    """A table as plain text, which shows as it is where Python or a notebook shows a result.

    Attributes
    ----------
    text
        Its lines.
    """

    text: str

    def __str__(self) -> str:
        """Return the lines."""
        return self.text

    def __repr__(self) -> str:
        """Return the lines."""
        return self.text


def text_summary(calibration: Calibration, rows: int, level: float) -> TextSummary:
    """Make the table: main figures, then the first values and biases with errors and intervals, the rest counted."""
    panel = calibration.panel
    unknowns = panel.n_assessments - calibration.degrees_of_freedom
    zero = calibration.gauge if calibration.reference is None else f"{calibration.gauge} {calibration.reference:g}"
    left = (
        ("Assessments, N", f"{panel.n_assessments:,}"),
        ("Objects", f"{panel.n_objects:,}"),
        ("Assessors", f"{panel.n_assessors:,}"),
        ("Unknowns, p", f"{unknowns:,}"),
        ("Degrees of freedom, N - p", f"{calibration.degrees_of_freedom:,}"),
    )
    right = (
        ("Gauge", zero),
        ("Weighted squares, R", _figure(calibration.weighted_residual_sum)),
        ("w, by R/(N - p)", _figure(calibration.w_unbiased)),
        ("w, by R/N", _figure(calibration.w_ml)),
        ("Standard errors", _how_exact(calibration)),
    )
    lines = ["Calibration with confidence".center(_WIDTH).rstrip(), "=" * _WIDTH]
    lines += [_pair(*one) + "   " + _pair(*other) for one, other in zip(left, right, strict=True)]
    lines += _block(values_table(calibration, level), "value", rows, level)
    lines += _block(biases_table(calibration, level), "bias", rows, level)
    lines += ["=" * _WIDTH]
    if math.isnan(calibration.w_unbiased):
        lines.append("There are no more scores than unknowns, so nothing says how large the errors are.")
    return TextSummary("\n".join(lines))


def _pair(name: str, what: str) -> str:
    room = (_WIDTH - 3) // 2
    return f"{name}:{what:>{room - len(name) - 1}}"


def _how_exact(calibration: Calibration) -> str:
    stated = uncertainty(calibration).stated_error
    return "exact" if stated == 0 else f"estimated to {stated:.0%}"


def _block(table: Columns, figure: str, rows: int, level: float) -> list[str]:
    labels: Sequence[str] = table["object" if figure == "value" else "assessor"]
    tail = f"{(1 - level) / 2:.4g}", f"{(1 + level) / 2:.4g}"
    noun = "object" if figure == "value" else "assessor"
    headings = (figure, "std err", f"[{tail[0]}", f"{tail[1]}]", "scores")
    lines = ["=" * _WIDTH, _line(noun, headings, (_NUMBER, _NUMBER, _NUMBER, _NUMBER, 8)), "-" * _WIDTH]
    shown = range(min(max(rows, 0), len(labels)))
    names = (figure, "standard_error", "lower", "upper")
    for k in shown:
        cells = [_number(float(table[name][k])) for name in names]
        lines.append(_line(labels[k], (*cells, f"{table['assessments'][k]}"), (*(_NUMBER,) * 4, 8)))
    left_over = len(labels) - len(shown)
    if left_over:
        lines.append(f"... and {left_over:,} more {noun}{'s' if left_over > 1 else ''}")
    return lines


def _line(label: str, cells: Sequence[str], widths: Sequence[int]) -> str:
    short = label if len(label) < _LABEL else f"{label[: _LABEL - 4]}..."
    return f"{short:<{_LABEL}}" + "".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))


def _number(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.3f}" if abs(value) < 1e6 else f"{value:.4g}"


def _figure(value: float) -> str:
    return "unknown" if math.isnan(value) else f"{value:.6g}"
