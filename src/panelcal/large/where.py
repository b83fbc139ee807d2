"""Where in the files the unexpected scores stand."""

from __future__ import annotations

import numpy as np

from panelcal.large.engine import Arrays, Engine
from panelcal.large.rows import Assessments, first_row, rows_statement
from panelcal.large.source import ColumnNames, LongTable


def with_rows(engine: Engine, table: LongTable, assessments: Assessments, names: ColumnNames, found: Arrays) -> Arrays:
    """Add the columns file and row (of a repeated pair the first one)."""
    places: dict[tuple[str, str], tuple[str, int]] = {}
    wanted = {
        "object": found["object"],
        "assessor": found["assessor"],
    }
    engine.give("wanted", wanted)
    for path in table.paths:
        if path.name in assessments.unreadable or len(places) == len(found["object"]):
            continue
        engine.open("one_file", table.kind, [path], table=table.table, rows=True)
        told = rows_statement("one_file", names, engine.columns("one_file"), engine.dialect, also=", panelcal_row")
        rows = engine.fetch(
            "SELECT w.object AS object, w.assessor AS assessor, min(t.panelcal_row) AS row_number "
            f"FROM ({told}) AS t JOIN wanted AS w ON CAST(t.object AS STRING) = w.object "
            "AND CAST(t.assessor AS STRING) = w.assessor GROUP BY w.object, w.assessor"
        )
        for pair_object, pair_assessor, row in zip(
            rows["object"].tolist(), rows["assessor"].tolist(), rows["row_number"].tolist(), strict=True
        ):
            places.setdefault((pair_object, pair_assessor), (path.name, int(row) + first_row(table)))
    at = [places[pair] for pair in zip(found["object"].tolist(), found["assessor"].tolist(), strict=True)]
    return {
        **found,
        "file": np.array([file for file, _ in at], dtype=object),
        "row": np.array([row for _, row in at], dtype=np.int64),
    }
