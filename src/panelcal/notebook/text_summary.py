"""Results as text to print, in the manner of statsmodels, and as small HTML tables for notebooks.

A calibration has a text in a form of its own, others in one for all.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from itertools import islice, pairwise
from textwrap import wrap
from typing import Any

from panelcal.calibration.least_squares import Calibration
from panelcal.calibration.uncertainty import uncertainty
from panelcal.frozen import dataclass
from panelcal.notebook.tables import LEVEL, Columns, all_tables, biases_table, values_table
from panelcal.shown import Shown, Tabled, in_short

_WIDTH = 78
_LABEL = 26
_NUMBER = 11
_SHORTEST_LABEL, _LONGEST_LABEL = 10, 40
_ROWS_IN_HTML = 10
_TABLES_IN_HTML = 2  # of those with several, the main ones


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


def text_summary(result: Tabled | Calibration, rows: int, level: float | None) -> TextSummary:
    """Make the text: main figures, then the first rows of each table, the rest counted.

    Raises
    ------
    MethodNotApplicable
        If the result has intervals of one level only and another was asked for.
    """
    if isinstance(result, Calibration):
        return _of_calibration(result, rows, LEVEL if level is None else level)
    told = dict(result.shown_figures())
    lines = [type(result).__name__.center(_WIDTH).rstrip(), "=" * _WIDTH]
    lines += [f"{name}: {in_short(what)}" for name, what in told.items() if _is_figure(what)]
    for table in all_tables(result, level):
        lines += ["=" * _WIDTH, *_rows(table, rows)]
    lines.append("=" * _WIDTH)
    for what in told.values():
        lines += [line for sentence in _sentences(what) for line in wrap(sentence, _WIDTH)]
    return TextSummary("\n".join(lines))


def _is_figure(what: object) -> bool:
    return isinstance(what, bool | int | float) or (isinstance(what, str) and not _sentences(what))


def _sentences(what: object) -> list[str]:
    """Return what is to be read in full: notes and warnings, which are longer than a label."""
    texts = [what] if isinstance(what, str) else what if isinstance(what, tuple) else []
    return [text for text in texts if isinstance(text, str) and len(text) > _LONGEST_LABEL]


def _rows(table: Columns, rows: int) -> list[str]:
    """Lay a table out: labels to the left, figures to the right, headings broken at their underscores."""
    count = len(next(iter(table.values())))
    shown = range(min(max(rows, 0), count))
    parts = {name: name.split("_") for name in table}
    cells = {name: [_cell(column[k]) for k in shown] for name, column in table.items()}
    labels = [name for name, column in table.items() if isinstance(column, list)]
    widths = {name: max(map(len, (*parts[name], *cells[name], "-1234.5"))) + 2 for name in table}
    room = (_WIDTH - sum(width for name, width in widths.items() if name not in labels)) // max(len(labels), 1)
    widths |= {name: max(min(widths[name], _LABEL, room), _SHORTEST_LABEL) for name in labels}

    gaps = {name: "  " for before, name in pairwise(table) if name in labels and before not in labels}

    def line(texts: Mapping[str, str]) -> str:
        told = [
            f"{_shortened(gaps.get(name, '') + text, widths[name]):<{widths[name]}}"
            if name in labels
            else f"{text:>{widths[name]}}"
            for name, text in texts.items()
        ]
        return "".join(told).rstrip()

    deepest = max(map(len, parts.values()))
    headings = [
        line({name: ([""] * (deepest - len(part)) + part)[k] for name, part in parts.items()}) for k in range(deepest)
    ]
    body = [line({name: column[k] for name, column in cells.items()}) for k in shown]
    left_over = [f"... and {count - len(shown):,} more"] if count > len(shown) else []
    return [*headings, "-" * _WIDTH, *body, *left_over]


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return _number(value)
    return "" if value is None else str(value)


def _shortened(label: str, width: int) -> str:
    return label if len(label) < width else f"{label[: width - 4]}..."


def _of_calibration(calibration: Calibration, rows: int, level: float) -> TextSummary:
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
    return f"{_shortened(label, _LABEL):<{_LABEL}}" + "".join(
        f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True)
    )


def _number(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.3f}" if abs(value) < 1e6 else f"{value:.4g}"


def _figure(value: float) -> str:
    return "unknown" if math.isnan(value) else f"{value:.6g}"


def as_html(result: Shown) -> str:
    """Return the main figures as a table, and the first rows of the result's main tables where it has any."""
    figures = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(in_short(what))}</td></tr>" for name, what in result.shown_figures()
    )
    parts = [f"<p><b>{type(result).__name__}</b></p><table>{figures}</table>"]
    parts += [_first_rows(table) for table in islice(all_tables(result), _TABLES_IN_HTML)]
    return "<div>" + "".join(parts) + "</div>"


def _first_rows(table: Columns) -> str:
    count = len(next(iter(table.values())))
    heading = "".join(f"<th>{escape(name)}</th>" for name in table)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(_cell_in_html(column[k]))}</td>" for column in table.values()) + "</tr>"
        for k in range(min(count, _ROWS_IN_HTML))
    )
    more = f"<p>... and {count - _ROWS_IN_HTML:,} more</p>" if count > _ROWS_IN_HTML else ""
    return f"<table><thead><tr>{heading}</tr></thead><tbody>{rows}</tbody></table>{more}"


def _cell_in_html(value: Any) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)
