"""The command line. Every refusal is one clear message and exit status 1."""

from __future__ import annotations

import functools
import gc
import re
import sys
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from panelcal import __version__
from panelcal.errors import PanelcalError, SheetUnclear
from panelcal.files.filled_in import check_nothing_filled_in
from panelcal.files.load import check_source, load_source
from panelcal.files.open_elsewhere import is_open_elsewhere
from panelcal.files.out_of_date import earlier_audits
from panelcal.files.ownership import own_sheets
from panelcal.files.saving import check_target
from panelcal.files.templates import template_names, write_template
from panelcal.files.write import carries_whole, write_report
from panelcal.planning.assignment import plan_assignment
from panelcal.planning.worth import worth_of_numbers
from panelcal.reading.grid import Source
from panelcal.reading.planning.read_plan import read_plan
from panelcal.reporting.calibration.extracts import assessor_feedback, object_extract
from panelcal.reporting.cautions import beside_the_scores, cautions
from panelcal.reporting.out_of_date import outdated_summaries
from panelcal.reporting.planning.report import build_plan_report
from panelcal.reporting.planning.sentences import plan_sentences, plan_words
from panelcal.reporting.run_facts import run_moment, run_versions
from panelcal.run import METHOD_NAMES, Choices, Run, Understood, calibrated_as_filed, chosen_settings, run, understand

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Calibrate the scores of a panel when not every assessor sees every object.",
)

_REFUSED = 1
_WORKBOOKS = frozenset({".xlsx", ".xlsm"})
_INTERRUPTED = 130
_SHOWN = 12
_STEPS = 200
# Where each stage begins and ends on the bar, by the time they take on a full sheet.
_STAGES = {
    "loading": (0.0, 0.3),
    "reading": (0.3, 0.4),
    "calibrating": (0.4, 0.6),
    "explaining": (0.6, 0.7),
    "writing": (0.7, 1.0),
}
_FINDING_MARKS = {"good": "  ok  ", "problem": "  !!  ", "advice": "  ..  "}


class _ProgressBar(ExitStack):
    """How far a command is: a bar on a terminal, nothing where the output goes elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self._bar: Any = None
        if sys.stderr.isatty():
            self._bar = self.enter_context(typer.progressbar(length=_STEPS, file=sys.stderr, show_eta=False))

    def stage(self, doing: str) -> None:
        """Say what is being done now."""
        self.within(doing)(0.0)

    def within(self, doing: str) -> Callable[[float], None]:
        """Return what is to be told which share of a stage is done."""
        first, last = _STAGES.get(doing, _STAGES["calibrating"])

        def tell(share: float) -> None:
            if self._bar is not None:
                self._bar.label = doing
                self._bar.update(max(0, round(_STEPS * (first + (last - first) * share)) - self._bar.pos))

        return tell


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
        except SheetUnclear as problem:
            typer.echo(f"{problem} Or name it: --sheet NAME.", err=True)
            raise typer.Exit(_REFUSED) from None
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
    method: Annotated[str | None, typer.Option(metavar="NAME", help=f"One of {', '.join(METHOD_NAMES)}.")] = None,
    results_only: Annotated[
        bool, typer.Option("--results-only", help="Write the result sheets without a copy of the input sheets.")
    ] = False,
) -> None:
    """Calibrate the scores in FILE and write a workbook with the result sheets."""
    target = output if output is not None else file.with_name(f"{file.stem}-calibrated.xlsx")
    _check_method(method)
    check_source(file)
    check_target(target, source=file, overwrite=force)
    if force:
        check_nothing_filled_in(target)
    with _ProgressBar() as bar:
        done, lost, notes = _calibrated(
            file,
            target,
            Choices(sheet, confidence_sheet, method, None if gauge is None else gauge.value, reference),
            results_only,
            force,
            bar,
        )
    notes += [
        f"{name}, from an earlier run, is out of date now and says so, as do the sheets with it."
        for name in outdated_summaries(done.outdated)
    ]
    if lost:
        notes.append(f"{file.name} could not be copied whole ({', '.join(lost)}), so {target.name} holds results only.")
    _say_what_was_read(done.reading)
    _say_if_open(file)
    for sentence in cautions(done.reading.decisions):
        typer.echo(f"  ! {sentence}")
    for sentence in beside_the_scores(done.reading.decisions):
        typer.echo(f"  - {sentence}")
    typer.echo("")
    for sentence in (*done.sentences, "", *notes):
        typer.echo(sentence)
    typer.echo(f"Wrote {target}. Begin with the sheet {done.report.sheets[0].name}; panelcal advises, people decide.")


def _calibrated(
    file: Path, target: Path, choices: Choices, results_only: bool, force: bool, bar: _ProgressBar
) -> tuple[Run, tuple[str, ...], list[str]]:
    """Load, calibrate and write; return the run, what a copy would lose, and what is to be said of the copy made."""
    source = load_source(file, progress=bar.within("loading"))
    lost = _not_carried(file) if not results_only else ()
    carried = not results_only and not lost
    _check_reference(source, choices)
    done = run(
        source,
        choices,
        created=run_moment(),
        versions=run_versions(),
        carried=carried,
        earlier=earlier_audits(source, own_sheets(file)) if carried else (),
        progress=bar.stage,
    )
    notes = write_report(
        done.report,
        target,
        workbook=file if carried else None,
        outdated=done.outdated,
        overwrite=force,
        progress=bar.within("writing"),
    )
    return done, lost, list(notes)


@app.command()
@_in_one_message
def check(file: InputFile, sheet: SheetName = None, confidence_sheet: ConfidenceSheetName = None) -> None:
    """Show what would be read from FILE, without calibrating or writing anything."""
    reading = understand(load_source(file), Choices(sheet, confidence_sheet))
    _say_what_was_read(reading)
    _say_if_open(file)
    for decision in reading.decisions:
        where = f" [{', '.join(decision.cells[:_SHOWN])}{', ...' if len(decision.cells) > _SHOWN else ''}]"
        mark = "! " if decision.weight == "warning" else "- "
        typer.echo(f"  {mark}{decision.sentence}{where if decision.cells else ''}")
    warned = sum(decision.weight == "warning" for decision in reading.decisions)
    lines = "the line" if warned == 1 else f"the {warned} lines"
    look = f", but look at {lines} marked ! first" if warned else ""
    typer.echo(f"This would be accepted{look}. Nothing was written.")


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
    gauge: Annotated[GaugeChoice | None, typer.Option(help="As for calibrate.")] = None,
    reference: Annotated[float | None, typer.Option(metavar="X", help="As for calibrate.")] = None,
    method: Annotated[str | None, typer.Option(metavar="NAME", help="As for calibrate.")] = None,
) -> None:
    """Write one object's own result, or one assessor's feedback, with nobody else's data.

    Where FILE holds results, the extract is made as they were, or refused; only other files take these options.
    """
    if (object_label is None) == (assessor_label is None):
        raise typer.BadParameter("give either --object or --assessor.", param_hint="--object / --assessor")
    label = object_label if object_label is not None else str(assessor_label)
    plain = re.sub(r"[^\w.-]+", "_", label)
    target = output if output is not None else file.with_name(f"{file.stem}-{plain}.xlsx")
    _check_method(method)
    check_source(file)
    check_target(target, source=file, overwrite=force)
    source, created = load_source(file), run_moment()
    choices = Choices(sheet, confidence_sheet, method, None if gauge is None else gauge.value, reference)
    earlier = earlier_audits(source, own_sheets(file)) if file.suffix.lower() in _WORKBOOKS else ()
    if not earlier:
        _check_reference(source, choices)
    made = calibrated_as_filed(source, choices, created=created, versions=run_versions(), earlier=earlier)
    build = object_extract if object_label is not None else assessor_feedback
    extracted = build(made.results, label, created=created, run_id=made.run_id, calibrated=made.date)
    write_report(extracted, target, overwrite=force)
    typer.echo(f"Wrote {target}, of the run {made.run_id} of {made.date}.")


@app.command()
@_in_one_message
def plan(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="An .xlsx, .xlsm or .csv file with a list of each, such as Talk, Judge."),
    ],
    per_object: Annotated[
        int, typer.Option("--per-object", metavar="K", help="How many shall assess each object.", show_default=False)
    ],
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="OUT", help="[FILE-plan.xlsx]")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Another number gives another plan.")] = 0,
    sheet: Annotated[
        str | None, typer.Option("--sheet", metavar="NAME", help="Sheet that holds the two lists.")
    ] = None,
) -> None:
    """Plan who assesses what, from a list of each and of conflicts of interest."""
    target = output if output is not None else file.with_name(f"{file.stem}-plan.xlsx")
    check_source(file)
    check_target(target, source=file, overwrite=force)
    lists = read_plan(load_source(file), sheet=sheet)
    sizes = len(lists.objects), len(lists.assessors)
    words = plan_words(lists.nouns, lists.objects, lists.assessors)
    planned = plan_assignment(*sizes, per_object, conflicts=lists.conflicts, seed=seed, words=words)
    worth = worth_of_numbers(*sizes, per_object)
    report = build_plan_report(
        planned,
        created=run_moment(),
        objects=lists.objects,
        assessors=lists.assessors,
        nouns=lists.nouns,
        worth=worth,
    )
    write_report(report, target, overwrite=force)
    typer.echo(f"Read {lists.summary} ({lists.source_name}, sheet {lists.sheet}).")
    for decision in lists.decisions:
        typer.echo(f"  {'!' if decision.weight == 'warning' else '-'} {decision.sentence}")
    typer.echo("")
    for sentence in plan_sentences(planned, lists.nouns, worth):
        typer.echo(sentence)
    typer.echo("")
    typer.echo(f"Wrote {target}. Begin with the sheet {report.sheets[0].name}.")


@app.command()
@_in_one_message
def template(
    name: Annotated[str, typer.Argument(metavar="NAME", help=f"One of {', '.join(template_names())}.")] = "",
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="[NAME.xlsx]")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
) -> None:
    """Write a ready-to-fill workbook, or its filled example."""
    if not name:
        raise typer.BadParameter(f"choose one of {', '.join(template_names())}.", param_hint="NAME")
    target = output if output is not None else Path(f"{name}.xlsx")
    write_template(name, target, overwrite=force)
    typer.echo(f"Wrote {target}. Open it and follow the sheet Start here.")


@app.command()
@_in_one_message
def install(
    to: Annotated[Path | None, typer.Option("--to", metavar="DIR", help="Another folder for the add-in.")] = None,
) -> None:
    """Put the Calibrate add-in into Excel. Quit Excel first."""
    from panelcal.excel.install import install_addin  # noqa: PLC0415  no other command should wait for it
    from panelcal.excel.machine import this_machine  # noqa: PLC0415

    done = install_addin(this_machine(), to)
    _say_what_was_done("Wrote", done.files, done.sentences)


@app.command()
@_in_one_message
def uninstall() -> None:
    """Remove what `panelcal install` wrote, and nothing else."""
    from panelcal.excel.install import uninstall_addin  # noqa: PLC0415
    from panelcal.excel.machine import this_machine  # noqa: PLC0415

    done = uninstall_addin(this_machine())
    _say_what_was_done("Removed", done.files, done.sentences)


@app.command()
@_in_one_message
def doctor() -> None:
    """Look for what keeps Calibrate from working in Excel, and say what to do."""
    from panelcal.excel.doctor import examine  # noqa: PLC0415
    from panelcal.excel.machine import this_machine  # noqa: PLC0415

    findings = examine(this_machine())
    for finding in findings:
        typer.echo(f"{_FINDING_MARKS[finding.kind]} {finding.sentence}")
    if any(finding.kind == "problem" for finding in findings):
        raise typer.Exit(_REFUSED)


def main() -> None:
    """Run the command line; exit 0, 1 (cannot be done as it stands), 2 (wrong usage) or 130 (interrupted)."""
    gc.disable()  # a command is over soon, and the collector would walk through millions of cells again and again
    app()


def _check_method(method: str | None) -> None:
    if method is not None and method not in METHOD_NAMES:
        raise typer.BadParameter(
            f"there is no method {method!r}: choose one of {', '.join(METHOD_NAMES)}.", param_hint="--method"
        )


def _check_reference(source: Source, choices: Choices) -> None:
    if choices.reference is not None and chosen_settings(source, choices).gauge != GaugeChoice.reference:
        raise typer.BadParameter("goes with --gauge reference.", param_hint="--reference")


def _not_carried(file: Path) -> tuple[str, ...]:
    """What a copy of the input would lose; anything but an .xlsx workbook has no copy at all."""
    if file.suffix.lower() != ".xlsx":
        return (f"a copy is only made of .xlsx workbooks, not of {file.suffix or 'other files'}",)
    return carries_whole(file)


def _say_what_was_done(verb: str, files: Iterable[Path], sentences: Iterable[str]) -> None:
    for path in files:
        typer.echo(f"{verb} {path}")
    for sentence in sentences:
        typer.echo(sentence)


def _say_if_open(file: Path) -> None:
    if is_open_elsewhere(file):
        typer.echo(f"  ! {file.name} is open in a spreadsheet program: what is not saved there was not read.")


def _say_what_was_read(reading: Understood) -> None:
    typer.echo(f"Read {reading.summary} ({reading.source_name}, sheet {reading.sheet}).")
    typer.echo(f"{reading.counts}.")


if __name__ == "__main__":
    main()
