"""Rows of a long table as assessments, and what is wrong with those that are none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from panelcal.errors import LARGEST, FileProblem
from panelcal.frozen import dataclass
from panelcal.large.engine import Arrays, CannotRead, ColumnKind, Dialect, Engine
from panelcal.large.source import ColumnNames, LongTable, missing_columns

Faulty = Literal["refuse", "leave out"]

_NAMED = 10
_SENTENCES = {
    "no object": "without {object}",
    "no assessor": "without {assessor}",
    "no score": "without {score}",
    "text": "with a {score} that is no number",
    "beyond": "with a {score} that is infinite or beyond all sense",
    "no confidence": "with a {confidence} that is missing or no positive number",
}


@dataclass(frozen=True, slots=True)
class FaultyRow:
    """A row that is no assessment.

    Attributes
    ----------
    file, row
        Name of the file and number of the row, counted as a spreadsheet would: headings of a CSV file are row 1.
    fault
        What is wrong, in words.
    """

    file: str
    row: int
    fault: str

    def __str__(self) -> str:
        """Say where it is and what is wrong."""
        return f"{self.file}, row {self.row:,}: {self.fault}"


@dataclass(frozen=True, slots=True)
class Assessments:
    """What was found in a long table, as a view named `scores` with columns object, assessor, score and confidence.

    Attributes
    ----------
    n_rows
        Rows that are assessments.
    faults
        Kind of fault -> how many rows have it.
    first_faulty
        The first ten of them.
    unreadable
        Files left out, with the reason.
    centre
        Confidence-weighted mean score.
    about_objects, about_assessors
        How many different ones there are, about.
    """

    n_rows: int
    faults: Mapping[str, int]
    first_faulty: tuple[FaultyRow, ...]
    unreadable: Mapping[str, str]
    centre: float
    about_objects: int
    about_assessors: int


def find_assessments(engine: Engine, table: LongTable, names: ColumnNames, *, faulty: Faulty) -> Assessments:
    """Make the view `scores`.

    Raises
    ------
    FileProblem
        If a column is missing; if rows or files are at fault and are not to be left out; if nothing is left.
    """
    paths, unreadable = _readable(engine, table, names, faulty)
    engine.open("given_rows", table.kind, paths, table=table.table)
    kinds = engine.columns("given_rows")
    engine.view("told_rows", rows_statement("given_rows", names, kinds, engine.dialect))
    totals = engine.fetch(
        "SELECT fault, count(*) AS n, sum(confidence) AS c, sum(confidence * score) AS cs, "
        "approx_count_distinct(object) AS objects, approx_count_distinct(assessor) AS assessors "
        "FROM told_rows GROUP BY fault"
    )
    valid = [k for k, fault in enumerate(totals["fault"]) if fault is None]
    faults = {fault: int(n) for fault, n in zip(totals["fault"], totals["n"], strict=True) if fault is not None}
    first = _first_faulty(engine, table, paths, names) if faults else ()
    if faults and faulty == "refuse":
        raise FileProblem(_refusal(faults, first, names))
    if not valid:
        raise FileProblem("There is no row with an assessment in it.")
    only = " WHERE fault IS NULL" if faults else ""  # looking again costs as much as reading
    rows = f"SELECT object, assessor, score, confidence FROM told_rows{only}"
    if table.kind in ("csv", "json lines"):
        engine.make("scores", rows)  # text is parsed once
    else:
        engine.view("scores", rows)
    n, c, cs, objects, assessors = (totals[name][valid[0]] for name in ("n", "c", "cs", "objects", "assessors"))
    return Assessments(int(n), faults, first, unreadable, float(cs / c), int(objects), int(assessors))


def _readable(
    engine: Engine, table: LongTable, names: ColumnNames, faulty: Faulty
) -> tuple[tuple[Path, ...], dict[str, str]]:
    """Open each file by itself: which can be read, and why the others cannot."""
    good: list[Path] = []
    bad: dict[str, str] = {}
    kinds: dict[str, dict[ColumnKind, Path]] = {names.object: {}, names.assessor: {}}
    for path in table.paths:
        try:
            engine.open("one_file", table.kind, [path], table=table.table)
            columns = engine.columns("one_file")
        except CannotRead as problem:
            bad[path.name] = f"cannot be read ({problem})"
            continue
        lacking = missing_columns(names, list(columns))
        if lacking:
            bad[path.name] = lacking
            continue
        for name, seen in kinds.items():
            seen.setdefault(columns[name], path)
        good.append(path)
    if bad and (faulty == "refuse" or not good):
        listed = "; ".join(f"{name} {why}" for name, why in list(bad.items())[:_NAMED])
        more = f"; and {len(bad) - _NAMED} more files" if len(bad) > _NAMED else ""
        hint = " Mend or remove them, or leave them out with --faulty leave-out." if good else ""
        raise FileProblem(f"{listed}{more}.{hint}")
    for name, seen in kinds.items():
        if "text" in seen and len(seen) > 1:
            other = next(path for kind, path in seen.items() if kind != "text")
            raise FileProblem(
                f"The column {name} holds text in {seen['text'].name} and numbers in {other.name}, so that the same id "
                "may be spelt in two ways: write it the same way in all files."
            )
    return tuple(good), bad


def rows_statement(
    source: str, names: ColumnNames, kinds: Mapping[str, ColumnKind], dialect: Dialect, *, also: str = ""
) -> str:
    """Spell the statement that tells of every row its object, assessor, score, confidence and fault (null = none)."""
    score, has_score = _number(dialect.name(names.score), kinds[names.score])
    if names.confidence is None:
        confidence = "CAST(1.0 AS DOUBLE)"
    else:
        confidence, _ = _number(dialect.name(names.confidence), kinds[names.confidence])
    parts = {
        "object": _label(dialect.name(names.object), kinds[names.object]),
        "assessor": _label(dialect.name(names.assessor), kinds[names.assessor]),
        "score": score,
        "confidence": confidence,
        "has_score": has_score,
    }
    inner = ", ".join(f"{expression} AS {name}" for name, expression in parts.items())
    return f"""
        SELECT object, assessor, score, confidence{also},
            CASE WHEN object IS NULL THEN 'no object' WHEN assessor IS NULL THEN 'no assessor'
                WHEN NOT has_score THEN 'no score' WHEN score IS NULL THEN 'text'
                WHEN NOT (abs(score) <= {LARGEST}) THEN 'beyond'
                WHEN confidence IS NULL OR NOT (confidence >= {1 / LARGEST} AND confidence <= {LARGEST})
                THEN 'no confidence' END AS fault
        FROM (SELECT {inner}{also} FROM {source}) AS parts"""


def _label(column: str, kind: ColumnKind) -> str:
    """Spell an id: whole numbers stay numbers, which are quicker to group; everything else is text without margins."""
    if kind == "whole":
        return column
    if kind == "number":  # a spreadsheet's 7.0 is the 7 of others
        plain = f"CAST(CAST({column} AS BIGINT) AS STRING)"
        return (
            f"CASE WHEN {column} = floor({column}) AND abs({column}) < 1e15 THEN {plain} "
            f"ELSE CAST({column} AS STRING) END"
        )
    return f"NULLIF(TRIM(CAST({column} AS STRING)), '')"


def _number(column: str, kind: ColumnKind) -> tuple[str, str]:
    """Spell a number, null where there is none, and whether anything stands there."""
    if kind == "text":
        plain = f"TRIM(CAST({column} AS STRING))"
        return f"TRY_CAST({plain} AS DOUBLE)", f"({column} IS NOT NULL AND {plain} <> '')"
    return f"CAST({column} AS DOUBLE)", f"({column} IS NOT NULL)"


def _first_faulty(engine: Engine, table: LongTable, paths: Sequence[Path], names: ColumnNames) -> tuple[FaultyRow, ...]:
    found: list[FaultyRow] = []
    for path in paths:
        engine.open("one_file", table.kind, [path], table=table.table, rows=True)
        told = rows_statement("one_file", names, engine.columns("one_file"), engine.dialect, also=", panelcal_row")
        rows = engine.fetch(
            f"SELECT panelcal_row, fault FROM ({told}) AS told WHERE fault IS NOT NULL "
            f"ORDER BY panelcal_row LIMIT {_NAMED - len(found)}"
        )
        for row, fault in zip(rows["panelcal_row"].tolist(), rows["fault"].tolist(), strict=True):
            found.append(FaultyRow(path.name, int(row) + first_row(table), _in_words(fault, names)))
        if len(found) == _NAMED:
            break
    return tuple(found)


def first_row(table: LongTable) -> int:
    """What is added to the number of a row: the headings of a CSV file are row 1."""
    return 1 if table.kind == "csv" else 0


def _refusal(faults: Mapping[str, int], first: Sequence[FaultyRow], names: ColumnNames) -> str:
    counts = "; ".join(f"{n:,} {'row' if n == 1 else 'rows'} {_in_words(fault, names)}" for fault, n in faults.items())
    listed = "; ".join(str(row) for row in first)
    more = " and so on" if sum(faults.values()) > len(first) else ""
    return f"Not every row is an assessment: {counts} ({listed}{more}). Mend them, or add --faulty leave-out."


def _in_words(fault: str, names: ColumnNames) -> str:
    return _SENTENCES[fault].format(
        object=names.object, assessor=names.assessor, score=names.score, confidence=names.confidence or "confidence"
    )


def with_rows(engine: Engine, table: LongTable, assessments: Assessments, names: ColumnNames, found: Arrays) -> Arrays:
    """Add the columns file and row (of a repeated pair the first one)."""
    places: dict[tuple[str, str], tuple[str, int]] = {}
    engine.give("wanted", {"object": found["object"], "assessor": found["assessor"]})
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
