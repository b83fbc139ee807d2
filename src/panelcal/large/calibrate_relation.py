"""Calibrate a long table that fits no sheet, and file the results as tables."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from panelcal.arrays import Array
from panelcal.calibration.gauges import GaugeName
from panelcal.errors import MethodNotApplicable
from panelcal.large import calibration as steps
from panelcal.large.engine import Arrays, Engine
from panelcal.large.make_engine import EngineName, make_engine
from panelcal.large.pairs import Pairs, Repeated
from panelcal.large.result import Boundary, ClassCounts, LargeCalibration, class_counts
from panelcal.large.rows import Assessments, Faulty, find_assessments, with_rows
from panelcal.large.source import ColumnNames, long_table
from panelcal.large.summary import summary_json, write_summary
from panelcal.large.unfinished import folder_in_place
from panelcal.large.verdict import LargeVerdict, judge
from panelcal.large.walk import Walk

_MU2_SAFETY = 1.0 - 1e-4
Groups = Literal["refuse", "apart"]
Progress = Callable[[str], None]


def calibrate_relation(
    source: str | Path | Sequence[str | Path],
    *,
    object: str,
    assessor: str,
    score: str,
    output: str | Path,
    confidence: str | None = None,
    table: str | None = None,
    gauge: GaugeName = "weighted",
    reference: float | None = None,
    level: float = 0.95,
    repeated: Repeated = "stop",
    faulty: Faulty = "refuse",
    groups: Groups = "refuse",
    classes: Mapping[str, float] | None = None,
    engine: EngineName = "duckdb",
    memory: float | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> LargeCalibration:
    """Calibrate a long table by weighted least squares, eqs. (1)-(15), the sums being left to a database engine.

    Source: MacKay, Kenna, Low and Parker (2015), eqs. (1)-(15) and (38); docs/large.md.

    Parameters
    ----------
    source
        Files (.parquet, .csv, .jsonl), a folder or pattern of them, or a .duckdb file.
    object, assessor, score, confidence
        Names of the columns; confidences are 1/sigma^2 up to a common factor, None = all 1.
    output
        Folder for the results; it appears when all of them are there.
    table
        Name of the table in a .duckdb file.
    gauge, reference
        As for `calibrate`.
    level
        Of the intervals.
    repeated
        What to do where object and assessor stand together twice.
    faulty
        Whether rows that are no assessments and files that cannot be read stop the run or are left out and counted.
    groups
        Whether groups that share nothing stop the run or are calibrated each by itself.
    classes
        Class -> the value where it begins.
    engine
        "duckdb", or "spark" for a Spark session.
    memory
        Bytes that the engine may take; None = half of what is free.
    overwrite
        Whether earlier results in `output` may be replaced.
    progress
        Is told what is being done.

    Returns
    -------
    LargeCalibration
        What came out; values stand in the folder.

    Raises
    ------
    FileProblem
        If files cannot be read, columns are missing, rows are at fault, or the output cannot be written.
    InputRefused
        If pairs repeat.
    DisconnectedPanel
        If the panel falls into groups.
    MethodNotApplicable
        If the gauge or the engine cannot be had.

    Examples
    --------
    >>> from pathlib import Path
    >>> rows = ['student,marker,mark', 'A,x,50', 'A,y,60', 'B,x,55', 'B,y,65', 'C,x,70', 'C,y,82']
    >>> _ = Path('marks.csv').write_text(chr(10).join(rows))
    >>> names = {'object': 'student', 'assessor': 'marker', 'score': 'mark'}
    >>> done = calibrate_relation('marks.csv', output='results', **names)
    >>> done.assessors['bias'].round(3).tolist()
    [-5.333, 5.333]
    """
    tell = progress or (lambda doing: None)
    given = [source] if isinstance(source, str | Path) else list(source)
    found = long_table(given, table=table)
    names = ColumnNames(object, assessor, score, confidence)
    if reference is not None and gauge != "reference":
        raise MethodNotApplicable(f'A reference value goes with the gauge "reference", not with "{gauge}".')
    if gauge == "common":
        raise MethodNotApplicable("Common objects fix the zero on a sheet, not in a long table: choose another gauge.")
    zero: GaugeName = "weighted" if gauge == "reference" and reference is None else gauge
    with folder_in_place(Path(output), overwrite=overwrite) as (filled, work):
        runner = make_engine(engine, work, memory)
        try:
            tell("reading")
            assessments = find_assessments(runner, found, names, faulty=faulty)
            tell("finding pairs")
            walk = _make_walk(runner, assessments, repeated, work)
            tell("linking assessors")
            linked = steps.link(walk, apart=groups == "apart")
            tell("calibrating")
            fitted = steps.fit(walk, linked, gauge=zero, reference=reference)
            tell("standard errors")
            spread = steps.spread_of(walk, linked, fitted, zero)
            unexpected = steps.close(walk, fitted, spread, level)
            tell("verdict")
            mu2 = np.array(linked.solver.mu2())
            tested = steps.f_test(walk.pairs, fitted)
            judged = judge(walk, linked, fitted, tested)
            tell("unexpected scores")
            unexpected = with_rows(runner, found, assessments, names, unexpected)
            tell("writing")
            members = steps.kept_members(walk.pairs, fitted, spread, level)
            assessors, counts = _write(
                runner, filled, walk.pairs, members, unexpected, len(fitted.squares), classes or {}
            )
        finally:
            runner.close()
        result = _result(
            Path(output), walk, linked, fitted, mu2, assessors, unexpected, counts, assessments, tested, judged
        )
        write_summary(result, names, level, filled / "summary.xlsx")
        text = json.dumps(summary_json(result, names, level), indent=1, allow_nan=False)
        (filled / "summary.json").write_text(text + "\n", encoding="utf-8")
    return result


def _write(
    engine: Engine,
    folder: Path,
    pairs: Pairs,
    kept: Arrays,
    unexpected: Arrays,
    n_groups: int,
    classes: Mapping[str, float],
) -> tuple[Arrays, ClassCounts]:
    """Write the three tables; return that of the assessors, and the classes."""
    engine.give("kept_result", kept)
    engine.give("unexpected", unexpected)
    sides = {pairs.eliminated: "eliminated_result", pairs.kept: "kept_result"}
    columns = "standard_error, lower, upper, assessments"
    in_groups = ", group_number" if n_groups > 1 else ""
    engine.write(
        f"SELECT label AS object, estimate AS value, {columns}, average{in_groups} FROM {sides['object']} "
        "ORDER BY label",
        folder / "values.parquet",
    )
    assessors = (
        f"SELECT label AS assessor, estimate AS bias, {columns}{in_groups} FROM {sides['assessor']} ORDER BY label"
    )
    engine.write(assessors, folder / "assessors.parquet")
    engine.write("SELECT * FROM unexpected ORDER BY abs(studentised) DESC", folder / "unexpected.parquet")
    boundaries = tuple(Boundary(name, lowest) for name, lowest in sorted(classes.items(), key=lambda pair: -pair[1]))
    return engine.fetch(assessors), class_counts(engine, sides["object"], boundaries)


def _bound(pairs: Pairs, fitted: steps.Fit, mu2: float) -> float:
    """Bound the error of values: theorem (30) applied to it, once for the members and once for the gauge's shift.

    An eliminated member's own error is a mean of those of its kept ones.
    """
    size = fitted.leftover / (mu2 * _MU2_SAFETY) / float(np.sqrt(pairs.confidence.min()))
    return 2 * size + fitted.rounding


def _result(
    folder: Path,
    walk: Walk,
    linked: steps.Linked,
    fitted: steps.Fit,
    mu2: Array,
    assessors: Arrays,
    unexpected: Arrays,
    counts: ClassCounts,
    assessments: Assessments,
    tested: tuple[float, float],
    judged: LargeVerdict | None,
) -> LargeCalibration:
    pairs = walk.pairs
    worst = float(np.nanmin(mu2)) if np.isfinite(mu2).any() else float("nan")
    return LargeCalibration(
        folder=folder,
        n_assessments=pairs.n_assessments,
        n_objects=pairs.n_objects,
        n_assessors=pairs.n_assessors,
        n_groups=len(fitted.squares),
        w=fitted.noise,
        degrees_of_freedom=fitted.freedom,
        mu2=mu2,
        f_statistic=tested[0],
        p_value=tested[1],
        verdict=judged,
        solution_error=_bound(pairs, fitted, worst),
        solution_proven=linked.conductance is not None,
        largest_change=fitted.largest_change,
        assessors=assessors,
        unexpected=unexpected,
        classes=counts,
        assessments=assessments,
        method=linked.solver.name + (", added up over a stream of pairs" if walk.streams else ""),
        errors_estimated=linked.conductance is None,
    )


def _make_walk(engine: Engine, assessments: Assessments, repeated: Repeated, folder: Path) -> Walk:
    """Bring the pairs together, in files here or in tables of the engine.

    Raises
    ------
    InputRefused
        If pairs repeat and that is to stop a run, or both sides are too long.
    """
    # Either needs pyarrow, which is there when there is an engine, and not before.
    if engine.streams:
        from panelcal.large.stream_walk import StreamWalk  # noqa: PLC0415 - see above

        return StreamWalk(engine, assessments, repeated=repeated, folder=folder)
    from panelcal.large.table_walk import TableWalk  # noqa: PLC0415 - see above

    return TableWalk(engine, assessments, repeated=repeated, folder=folder)
