"""`panelcal calibrate` for a table too long for a sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import typer

from panelcal.commands.program_options import Wishes
from panelcal.errors import FileProblem
from panelcal.large.source import ONLY_HERE, ColumnNames, ending_of
from panelcal.reading.cell_values import number_in
from panelcal.systems.choices import Choices

_COLUMNS = {"object_column": "--object", "assessor_column": "--assessor", "score_column": "--score"}
_NOT_HERE = "{} is for files that a spreadsheet program opens; a long table is calibrated with confidence as it stands."


def is_long_table(given: Sequence[Path], output: Path | None, settings: Mapping[str, Any]) -> bool:
    """Tell whether files go to a database engine.

    By what they are, or, for CSV files, since all three columns are named and the results are to be a folder.
    """
    endings = {ending_of(path) for path in given}
    if endings & ONLY_HERE or any(_holds_only_these(path) for path in given):
        return True
    named = all(settings.get(field) for field in _COLUMNS) and not settings.get("criteria")
    return named and endings <= {".csv", ".tsv"} and output is not None and (output.is_dir() or not output.suffix)


def _holds_only_these(path: Path) -> bool:
    return path.is_dir() and any(ending_of(inside) in ONLY_HERE for inside in path.iterdir())


def require_none(wishes: Wishes) -> None:
    """Refuse what is for programs that read a sheet: a long table has files of its own for them.

    Raises
    ------
    FileProblem
        If any was asked for but to stop where groups share nothing.
    """
    if wishes.data or wishes.html or set(wishes.fail_on) - {"disconnected"}:
        raise FileProblem(
            "A long table's figures stand in summary.json and in Parquet files in the folder of -o: leave out --json, "
            "--csv, --html, and --fail-on but for disconnected."
        )


def calibrate_table(
    given: Sequence[Path], output: Path | None, choices: Choices, *, force: bool, table: Mapping[str, Any]
) -> None:
    """Calibrate files as one long table into a folder, and say what came out.

    Parameters
    ----------
    given, output, choices, force
        As for `calibrate_files`.
    table
        What was given with --table, --faulty, --groups, --classes and --engine.

    Raises
    ------
    PanelcalError
        If it cannot be done as it stands; nothing is written then.
    """
    names = _column_names(choices.settings)
    if output is None:
        raise FileProblem("A long table's results need a folder: give one with -o, such as -o results/.")
    if choices.method not in (None, "confidence"):
        raise FileProblem(_NOT_HERE.format(f"--method {choices.method}"))
    if choices.settings.get("common"):
        raise FileProblem(_NOT_HERE.format("--common"))
    if choices.prior is not None:
        raise FileProblem(_NOT_HERE.format("--prior"))
    from panelcal.commands.progress_bar import ProgressBar
    from panelcal.large.calibrate_relation import calibrate_relation
    from panelcal.large.summary import sentences

    repeated: Literal["stop", "average", "keep both"] = choices.settings.get("repeated", "stop")
    if repeated not in ("stop", "average", "keep both"):
        raise FileProblem("A long table has no lowest row: use average or keep both for repeated assessments.")
    with ProgressBar() as bar:
        done = calibrate_relation(
            list(given),
            object=names.object,
            assessor=names.assessor,
            score=names.score,
            confidence=names.confidence,
            output=output,
            table=table["table"],
            gauge=choices.gauge or "weighted",
            reference=choices.reference,
            repeated=repeated,
            faulty="leave out" if table["faulty"] == "leave-out" else "refuse",
            groups=table["groups"],
            classes=_classes(table["classes"]),
            engine=table["engine"],
            overwrite=force,
            progress=bar.stage,
        )
    for sentence in sentences(done, names):
        typer.echo(sentence)
    typer.echo(f"Wrote {output}: values.parquet, assessors.parquet, unexpected.parquet, summary.xlsx and summary.json.")


def _column_names(settings: Mapping[str, Any]) -> ColumnNames:
    lacking = [option for field, option in _COLUMNS.items() if not settings.get(field)]
    if lacking:
        raise FileProblem(
            f"Name the columns of a long table: {' and '.join(lacking)} missing, as in --object student --assessor "
            "marker --score mark."
        )
    confidence = settings.get("confidence_column")
    plain = None if confidence is None or confidence.casefold() == "none" else confidence
    return ColumnNames(settings["object_column"], settings["assessor_column"], settings["score_column"], plain)


def _classes(text: str | None) -> dict[str, float]:
    found: dict[str, float] = {}
    for part in (text or "").split(","):
        name, sign, lowest = part.partition("=")
        number = number_in(lowest)
        if part.strip() and (not sign or number is None):
            raise typer.BadParameter(
                f"{part.strip()!r} is no class with the value where it begins, as in First=70.", param_hint="--classes"
            )
        if part.strip() and number is not None:
            found[name.strip()] = number
    return found
