"""Choices, readings and reports as plain data for the page, and back."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

from panelcal.errors import Answer, InputRefused, Question
from panelcal.reading.decisions import Decision
from panelcal.reading.setting_texts import ROWS, value_in
from panelcal.reading.settings import Band
from panelcal.reading.understood import Understood
from panelcal.reporting.cautions import cautions
from panelcal.reporting.chart_data import ChartData, vertical_ends
from panelcal.reporting.model import CellRange, Chart, Column, Report, Sheet, Table
from panelcal.systems.choices import Choices

MOST_ROWS = 4_000
"""Rows of a table that the page is given; the workbook always has all."""

_OWN = ("sheet", "confidence_sheet", "method", "gauge", "reference")


def choices_from(ask: Mapping[str, Any]) -> Choices:
    """Read what the reader chose: fields of `Choices`, "settings" in words, "bands", and answers to questions.

    Raises
    ------
    InputRefused
        If a setting cannot mean what was written; the sentence says what could.
    """
    given = ask.get("choices") or {}
    own = {name: given[name] for name in _OWN if given.get(name) not in (None, "")}
    if "reference" in own:
        own["reference"] = _setting("reference", own["reference"])
    settings = {name: _setting(name, text) for name, text in (given.get("settings") or {}).items() if text != ""}
    bands = given.get("bands") or []
    if bands:
        settings["bands"] = _bands(bands, settings.get("higher_is_better", True))
    answers = [Answer(_gives(gives), "") for gives in given.get("answers") or []]
    return Choices(**own, settings=settings).answered(*answers)


def _setting(name: str, text: str) -> Any:
    try:
        return value_in(name, [str(text)])
    except ValueError as problem:
        raise InputRefused(f"{ROWS[name].label}: {problem}") from None


def _bands(pairs: Sequence[Sequence[Any]], higher_is_better: bool) -> tuple[Band, ...]:
    bands = []
    for name, lowest in pairs:
        try:
            bands.append(Band(str(name).strip(), float(str(lowest).replace(",", "."))))
        except ValueError:
            raise InputRefused(f'"{lowest}" is not the score where a class begins: write a number.') from None
    return tuple(sorted(bands, key=lambda band: band.lowest, reverse=bool(higher_is_better)))


def _gives(gives: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in gives.items()}


def question_data(question: Question) -> dict[str, Any]:
    """Return a question with its answers, each of which the page gives back as it is."""
    answers = [{"meaning": answer.meaning, "gives": _plain(answer.gives)} for answer in question.answers]
    return {"sentence": question.sentence, "cells": list(question.cells), "answers": answers}


def reading_data(reading: Understood, notes: Sequence[str]) -> dict[str, Any]:
    """Return what was understood: who, what, on which range, what was not read, and what to look at."""
    known = reading.understood
    return {
        "file": reading.source_name,
        "sheet": reading.sheet,
        "summary": reading.summary,
        "counts": reading.counts,
        "rows": [[str(cell) for cell in row] for row in known.rows()],
        "assessors": list(known.assessors),
        "objects": list(known.objects),
        "nouns": {"assessor": known.assessor_noun, "object": known.object_noun, "score": known.score_noun},
        "method": reading.settings.method,
        "gauge": reading.settings.gauge,
        "level": reading.settings.level,
        "bands": [[band.name, band.lowest] for band in reading.settings.bands],
        "notes": list(notes),
        "cautions": list(cautions(reading.decisions)),
        "decisions": [_decision(decision) for decision in reading.decisions],
    }


def _decision(decision: Decision) -> dict[str, Any]:
    return {"sentence": decision.sentence, "cells": list(decision.cells), "look": decision.weight == "warning"}


def report_data(report: Report) -> dict[str, Any]:
    """Return a report: every sheet with its tables and notes, and its charts with the figures they show."""
    data = ChartData(report)
    return {
        "run_id": report.run_id,
        "footer": report.footer,
        "created": report.created,
        "sheets": [_sheet(sheet, data) for sheet in report.sheets],
    }


def _sheet(sheet: Sheet, data: ChartData) -> dict[str, Any]:
    return {
        "name": sheet.name,
        "title": sheet.title,
        "explanation": sheet.explanation,
        "notes": [
            {"row": note.row, "column": note.column, "style": note.style, "text": note.text} for note in sheet.notes
        ],
        "tables": [_table(table) for table in sheet.tables],
        "charts": [_chart(chart, sheet.name, data) for chart in sheet.charts],
    }


def _table(table: Table) -> dict[str, Any]:
    sent = _rows_sent(table)
    return {
        "name": table.name,
        "row": table.row,
        "column": table.column,
        "total": table.n_rows,
        "rows": sent,
        "columns": [_column(column if sent is None else _only(column, sent)) for column in table.columns],
    }


def _rows_sent(table: Table) -> list[int] | None:
    """Choose the rows that a page shows of a long table, best rank first where it has ranks; None = all of them."""
    if table.n_rows <= MOST_ROWS:
        return None
    ranks = next((column.cells for column in table.columns if column.heading in ("Rank", "Place")), None)
    if ranks is None:
        return list(range(MOST_ROWS))
    known = [(float(rank), row) for row, rank in enumerate(ranks) if isinstance(rank, int | float)]
    return sorted(row for _, row in sorted(known)[:MOST_ROWS])


def _only(column: Column, rows: Sequence[int]) -> Column:
    def chosen(per_row: Sequence[Any]) -> list[Any]:
        return [per_row[row] for row in rows] if per_row else []

    return dataclasses.replace(
        column,
        cells=chosen(column.cells),
        styles=chosen(column.styles),
        formulas=chosen(column.formulas),
        links=chosen(column.links),
        choices=chosen(column.choices),
    )


def _column(column: Column) -> dict[str, Any]:
    mark = column.highlight
    return {
        "heading": column.heading,
        "explanation": column.explanation,
        "style": column.style,
        "styles": list(column.styles),
        "cells": _plain(column.cells),
        "highlight": None if mark is None else dataclasses.asdict(mark),
        "choices": [list(entries) for entries in column.choices],
        "formulas": any(column.formulas),
    }


def _chart(chart: Chart, sheet: str, data: ChartData) -> dict[str, Any]:
    def values(block: CellRange | None) -> list[Any] | None:
        if block is None:
            return None
        return _plain(data.values(block if block.sheet else block.on(sheet)) or ())

    low, high = vertical_ends(chart, sheet, data)
    return {
        "kind": chart.kind,
        "title": chart.title,
        "x_title": chart.x_title,
        "y_title": chart.y_title,
        "alt_text": chart.alt_text,
        "row": chart.row,
        "legend": chart.legend,
        "size": [chart.width_cm, chart.height_cm],
        "x": _plain([chart.x_low, chart.x_high]),
        "y": _plain([low, high]),
        "series": [
            {
                "name": series.name,
                "x": values(series.x),
                "y": values(series.y),
                "plus": values(series.plus),
                "minus": values(series.minus),
                "marker": series.marker,
                "line": series.line,
                "colour": series.colour,
            }
            for series in chart.series
        ],
    }


def _plain(value: Any) -> Any:
    """Return what JSON can hold; a figure that is not finite becomes the word that a cell would show."""
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if value is None or isinstance(value, str | bool | int):
        return value
    if hasattr(value, "item") and not hasattr(value, "__len__"):
        value = value.item()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, int | bool | str):
        return value
    return [_plain(one) for one in value]
