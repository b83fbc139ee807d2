"""The command line. Every refusal is one clear message and exit status 1."""

from __future__ import annotations

import dataclasses
import functools
import importlib.metadata
import os
import platform
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from panelcal import __version__
from panelcal.errors import PanelcalError
from panelcal.excel.doctor import examine
from panelcal.excel.install import Done, install_addin, uninstall_addin
from panelcal.excel.machine import this_machine
from panelcal.files.load import load_source
from panelcal.files.saving import check_target
from panelcal.files.templates import template_names, write_template
from panelcal.files.write import carries_whole, write_report
from panelcal.network import require_connected
from panelcal.reading.read import read_panel
from panelcal.reading.reading import Reading
from panelcal.registry import methods
from panelcal.reporting.extracts import assessor_feedback, object_extract
from panelcal.reporting.names import result_suffix
from panelcal.reporting.report import build_report
from panelcal.reporting.results import Results, compute_results
from panelcal.reporting.wording import counted, number

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Calibrate the scores of a panel when not every assessor sees every object.",
)

_REFUSED = 1
_INTERRUPTED = 130
_SHOWN = 12
_FINDING_MARKS = {"good": "  ok  ", "problem": "  !!  ", "advice": "  ..  "}


class GaugeChoice(StrEnum):
    """Where the zero of the biases lies."""

    weighted = "weighted"
    equal = "equal"
    reference = "reference"


InputFile = Annotated[Path, typer.Argument(metavar="FILE", help="An .xlsx, .xlsm or .csv file with the scores.")]
SheetName = Annotated[str | None, typer.Option("--sheet", metavar="NAME", help="Sheet that holds the scores.")]
ConfidenceSheetName = Annotated[
    str | None, typer.Option("--confidence-sheet", metavar="NAME", help="Sheet that holds the confidences.")
]


def _in_one_message(command: Callable[..., None]) -> Callable[..., None]:
    """Turn whatever stops a command into one message for the user and the exit status that goes with it."""

    @functools.wraps(command)
    def run(*arguments: Any, **options: Any) -> None:
        try:
            command(*arguments, **options)
        except PanelcalError as problem:
            typer.echo(str(problem), err=True)
            raise typer.Exit(_REFUSED) from None
        except MemoryError:
            typer.echo("There is not enough memory for a file of this size.", err=True)
            raise typer.Exit(_REFUSED) from None
        except KeyboardInterrupt:
            typer.echo("Interrupted: nothing was written.", err=True)
            raise typer.Exit(_INTERRUPTED) from None

    return run


@app.callback(invoke_without_command=True)
def _top(
    version: Annotated[bool, typer.Option("--version", help="Show the version and stop.")] = False,
) -> None:
    if version:
        typer.echo(f"panelcal {__version__}")
        raise typer.Exit


@app.command()
@_in_one_message
def calibrate(
    file: InputFile,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="OUT", help="Result file [FILE-calibrated.xlsx].")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the result file if it exists.")] = False,
    sheet: SheetName = None,
    confidence_sheet: ConfidenceSheetName = None,
    gauge: Annotated[GaugeChoice | None, typer.Option(help="Where the zero of the biases lies.")] = None,
    reference: Annotated[
        float | None, typer.Option(metavar="X", help="Reference value, with --gauge reference.")
    ] = None,
    method: Annotated[
        str | None, typer.Option(metavar="NAME", help=f"One of {', '.join(entry.name for entry in methods())}.")
    ] = None,
    results_only: Annotated[
        bool, typer.Option("--results-only", help="Write the result sheets without a copy of the input sheets.")
    ] = False,
) -> None:
    """Calibrate the scores in FILE and write a workbook with the result sheets."""
    target = output if output is not None else file.with_name(f"{file.stem}-calibrated.xlsx")
    _check_method(method)
    check_target(target, source=file, overwrite=force)
    source = load_source(file)
    reading = _with_options(
        read_panel(source, sheet=sheet, confidence_sheet=confidence_sheet), gauge, reference, method
    )
    results = compute_results(reading)

    lost = _not_carried(file) if not results_only else ()
    carried = not results_only and not lost
    report = build_report(
        results,
        created=_now(),
        versions=_versions(),
        suffix=result_suffix(grid.sheet for grid in source.grids) if carried else "",
        input_grid=source.grid(reading.sheet) if carried else None,
    )
    notes = list(write_report(report, target, workbook=file if carried else None, overwrite=force))
    if lost:
        notes.append(f"{file.name} could not be copied whole ({', '.join(lost)}), so {target.name} holds results only.")
    _show(reading, results, target, notes)


@app.command()
@_in_one_message
def check(file: InputFile, sheet: SheetName = None, confidence_sheet: ConfidenceSheetName = None) -> None:
    """Show what would be read from FILE, without calibrating or writing anything."""
    reading = read_panel(load_source(file), sheet=sheet, confidence_sheet=confidence_sheet)
    require_connected(reading.panel)
    _say_what_was_read(reading)
    for decision in reading.decisions:
        where = f" [{', '.join(decision.cells[:_SHOWN])}{', ...' if len(decision.cells) > _SHOWN else ''}]"
        mark = "! " if decision.weight == "warning" else "- "
        typer.echo(f"  {mark}{decision.sentence}{where if decision.cells else ''}")
    typer.echo("This would be accepted. Nothing was written.")


@app.command()
@_in_one_message
def extract(
    file: InputFile,
    object_label: Annotated[
        str | None, typer.Option("--object", metavar="LABEL", help="What this one may see of itself.")
    ] = None,
    assessor_label: Annotated[
        str | None, typer.Option("--assessor", metavar="LABEL", help="Feedback for this assessor.")
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="OUT", help="[FILE-LABEL.xlsx]")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
    sheet: SheetName = None,
    confidence_sheet: ConfidenceSheetName = None,
) -> None:
    """Write one object's own result, or one assessor's feedback, with nobody else's data."""
    if (object_label is None) == (assessor_label is None):
        raise typer.BadParameter("give either --object or --assessor.", param_hint="--object / --assessor")
    label = object_label if object_label is not None else str(assessor_label)
    plain = re.sub(r"[^\w.-]+", "_", label)
    target = output if output is not None else file.with_name(f"{file.stem}-{plain}.xlsx")
    check_target(target, source=file, overwrite=force)
    results = compute_results(read_panel(load_source(file), sheet=sheet, confidence_sheet=confidence_sheet))
    build = object_extract if object_label is not None else assessor_feedback
    write_report(build(results, label, created=_now()), target, overwrite=force)
    typer.echo(f"Wrote {target}.")


@app.command()
@_in_one_message
def template(
    name: Annotated[str, typer.Argument(metavar="NAME", help=f"One of {', '.join(template_names())}.")],
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="[NAME.xlsx]")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
) -> None:
    """Write a ready-to-fill workbook, or its filled example."""
    target = output if output is not None else Path(f"{name}.xlsx")
    write_template(name, target, overwrite=force)
    typer.echo(f"Wrote {target}. Open it and follow the sheet Start here.")


@app.command()
@_in_one_message
def install(
    to: Annotated[Path | None, typer.Option("--to", metavar="DIR", help="Another folder for the add-in.")] = None,
) -> None:
    """Put the Calibrate add-in into Excel. Quit Excel first."""
    _say_what_was_done("Wrote", install_addin(this_machine(), to))


@app.command()
@_in_one_message
def uninstall() -> None:
    """Remove what `panelcal install` wrote, and nothing else."""
    _say_what_was_done("Removed", uninstall_addin(this_machine()))


@app.command()
@_in_one_message
def doctor() -> None:
    """Look for what keeps Calibrate from working in Excel, and say what to do."""
    findings = examine(this_machine())
    for finding in findings:
        typer.echo(f"{_FINDING_MARKS[finding.kind]} {finding.sentence}")
    if any(finding.kind == "problem" for finding in findings):
        raise typer.Exit(_REFUSED)


def main() -> None:
    """Run the command line; exit 0, 1 (cannot be done as it stands), 2 (wrong usage) or 130 (interrupted)."""
    app()


def _check_method(name: str | None) -> None:
    known = [entry.name for entry in methods()]
    if name is not None and name not in known:
        raise typer.BadParameter(
            f"there is no method {name!r}: choose one of {', '.join(known)}.", param_hint="--method"
        )


def _with_options(reading: Reading, gauge: GaugeChoice | None, reference: float | None, method: str | None) -> Reading:
    """Let the options of the command line win over the Settings sheet."""
    settings = reading.settings
    if gauge is not None:
        settings = dataclasses.replace(settings, gauge=gauge.value, reference=None)
    if reference is not None:
        if settings.gauge != "reference":
            raise typer.BadParameter("goes with --gauge reference.", param_hint="--reference")
        settings = dataclasses.replace(settings, reference=reference)
    if method is not None:
        settings = dataclasses.replace(settings, method=method)
    return dataclasses.replace(reading, settings=settings)


def _not_carried(file: Path) -> tuple[str, ...]:
    """What a copy of the input would lose; anything but an .xlsx workbook has no copy at all."""
    if file.suffix.lower() != ".xlsx":
        return (f"a copy is only made of .xlsx workbooks, not of {file.suffix or 'other files'}",)
    return carries_whole(file)


def _now() -> str:
    """Date and time of the run; SOURCE_DATE_EPOCH fixes it, so that a filed workbook can be reproduced."""
    fixed = os.environ.get("SOURCE_DATE_EPOCH")
    moment = datetime.fromtimestamp(int(fixed), UTC) if fixed else datetime.now().astimezone()
    return moment.replace(tzinfo=None).isoformat(timespec="seconds")


def _versions() -> dict[str, str]:
    libraries = {name: importlib.metadata.version(name) for name in ("numpy", "scipy", "openpyxl")}
    return {"panelcal": __version__, "Python": platform.python_version(), **libraries}


def _say_what_was_done(verb: str, done: Done) -> None:
    for path in done.files:
        typer.echo(f"{verb} {path}")
    for sentence in done.sentences:
        typer.echo(sentence)


def _say_what_was_read(reading: Reading) -> None:
    typer.echo(f"Read {reading.summary} ({reading.source_name}, sheet {reading.sheet}).")
    excluded = sum(decision.excluded_scores for decision in reading.decisions)
    typer.echo(
        f"{counted(reading.panel.n_assessments, 'score')} used, {counted(excluded, 'filled cell')} left out"
        f"{f', confidences from {reading.nouns.confidence.lower()}' if reading.nouns.confidence else ''}."
    )


def _show(reading: Reading, results: Results, target: Path, notes: Sequence[str]) -> None:
    """Say in a few lines what was read, what came out, and what to look at."""
    _say_what_was_read(reading)
    for decision in reading.decisions:
        if decision.weight == "warning":
            typer.echo(f"  ! {decision.sentence}")
    typer.echo("")
    typer.echo(results.verdict.sentence)
    change = results.change
    up, down = int((change > 0.05).sum()), int((change < -0.05).sum())
    most = int(abs(change).argmax())
    typer.echo(
        f"{counted(up, results.object_noun)} up, {down} down; largest change {change[most]:+.1f} "
        f"({results.panel.objects[most]}: {number(float(results.raw[most]))} to "
        f"{number(float(results.calibration.values[most]))})."
    )
    lone = len(results.network.single_object_assessors)
    if lone:
        typer.echo(
            f"{counted(lone, results.assessor_noun)} with one {results.object_noun} only: these marks do not count."
        )
    typer.echo("")
    for note in notes:
        typer.echo(note)
    typer.echo(f"Wrote {target}. Begin with the sheet Cal summary; the Board decides.")


if __name__ == "__main__":
    main()
