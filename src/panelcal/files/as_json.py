"""What came out of a run as JSON for programs: schema "panelcal/1", described in docs/programs.md.

Names are those of the Python API, figures unrounded. Not-a-number is null; infinity, which JSON has not, is null too.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from panelcal.reading.decisions import Decision
from panelcal.reading.understood import Header, Understood
from panelcal.run import Run
from panelcal.systems.system import Outcome
from panelcal.version import __version__

SCHEMA = "panelcal/1"


def run_document(run: Run, outcome: Outcome) -> dict[str, Any]:
    """Return everything about a run, rows of tables as objects with names."""
    facts = {"created": run.report.created, "run_id": run.report.run_id}
    return _document(outcome, run.reading, facts, run.sentences)


def check_outcome(reading: Understood) -> Outcome:
    """Return what was understood of a file, before anything is computed."""
    found = reading.understood
    figures = {
        "counts": reading.counts,
        "n_objects": len(found.objects),
        "n_assessors": len(found.assessors),
        "lowest": found.lowest,
        "highest": found.highest,
    }
    tables = {"objects": {"object": list(found.objects)}, "assessors": {"assessor": list(found.assessors)}}
    return Outcome("check", figures, tables, {})


def check_document(reading: Understood, outcome: Outcome) -> dict[str, Any]:
    """Return what was understood, before anything is computed."""
    return _document(outcome, reading, {}, reading.understood.sentences())


def decisions_table(decisions: Iterable[Decision]) -> dict[str, list[Any]]:
    """Return a row for each decision of the reader."""
    columns: dict[str, list[Any]] = {"kind": [], "weight": [], "sheet": [], "cells": [], "sentence": []}
    for one in decisions:
        for name, column in columns.items():
            column.append(" ".join(one.cells) if name == "cells" else getattr(one, name))
    return columns


def json_bytes(document: Mapping[str, Any]) -> bytes:
    """Spell a document, a figure or a row of a table on each line, so that two runs can be compared line by line."""
    return (
        "{\n" + ",\n".join(f" {_text(name)}: {_lines(value)}" for name, value in document.items()) + "\n}\n"
    ).encode()


def _lines(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n  " + ",\n  ".join(map(_text, value)) + "\n ]"
    return _text(value)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _document(outcome: Outcome, reading: Header, facts: Mapping[str, Any], sentences: Sequence[str]) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "panelcal": __version__,
        "kind": outcome.kind,
        "source": reading.source_name,
        "sheet": reading.sheet,
        "summary": reading.summary,
        "fingerprint": reading.fingerprint,
        **facts,
        **{name: _plain(figure) for name, figure in outcome.figures.items()},
        **{name: _records(columns) for name, columns in outcome.tables.items()},
        "alarms": {reason: list(cases) for reason, cases in outcome.alarms.items()},
        "decisions": _records(decisions_table(reading.decisions)),
        "sentences": list(sentences),
    }


def _records(columns: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    cells = [[_plain(cell) for cell in column] for column in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*cells, strict=True)]


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
