"""The command line. Every refusal is one clear message and exit status 1."""

from __future__ import annotations

import copy
import functools
import gc
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from enum import StrEnum
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer

from panelcal.commands.program_options import Wishes, takes_program_options
from panelcal.commands.reading_options import takes_reading_options
from panelcal.errors import PanelcalError
from panelcal.interruption import done, nothing_done
from panelcal.reading.settings import METHOD_CHOICES
from panelcal.shipped import TEMPLATE_NAMES
from panelcal.version import __version__

# What a command needs beyond its options is loaded by the command: nobody waits for what others need.

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Calibrate the scores of a panel when not every assessor sees every object.",
)

_REFUSED = 1
_FINDING_MARKS = {"good": "  ok  ", "problem": "  !!  ", "advice": "  ..  "}


class GaugeChoice(StrEnum):
    """Where the zero of the biases lies."""

    weighted = "weighted"
    equal = "equal"
    reference = "reference"


class FaultyChoice(StrEnum):
    """What becomes of rows and files that cannot be used."""

    refuse = "refuse"
    leave_out = "leave-out"


class GroupsChoice(StrEnum):
    """What becomes of groups that share nothing."""

    refuse = "refuse"
    apart = "apart"


class EngineChoice(StrEnum):
    """What adds up the sums of a long table."""

    duckdb = "duckdb"
    spark = "spark"


InputFile = Annotated[
    Path,
    typer.Argument(metavar="FILE", help="An .xlsx, .xlsm, .xls, .xlsb, .ods or .csv file."),
]
InputFiles = Annotated[
    list[Path],
    typer.Argument(metavar="FILE", help="An .xlsx, .xlsm, .xls, .xlsb, .ods or .csv file; or several, or a folder."),
]
SheetName = Annotated[str | None, typer.Option("--sheet", metavar="NAME", help="Sheet that holds the scores.")]
ConfidenceSheetName = Annotated[
    str | None, typer.Option("--confidence-sheet", metavar="NAME", help="Sheet that holds the confidences.")
]
EarlierResult = Annotated[
    Path | None,
    typer.Option("--prior", metavar="RESULT", help="An earlier result, whose biases become the sheet Prior."),
]
LibreOffice = Annotated[bool, typer.Option("--libreoffice", help="LibreOffice rather than Excel.")]


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

    return run


def _say_version(asked: bool) -> None:
    if asked:
        typer.echo(f"panelcal {__version__}")
        raise typer.Exit


# Eager, or typer would first prepare for checking options that are not there.
@app.callback()
def _top(
    version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Show the version and stop.")
    ] = False,
) -> None: ...


@app.command()
@_in_one_message
@takes_program_options
@takes_reading_options
def calibrate(
    files: InputFiles,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="OUT", help="Result file [FILE-calibrated.xlsx]; a folder for several."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the result file if it exists.")] = False,
    sheet: SheetName = None,
    confidence_sheet: ConfidenceSheetName = None,
    gauge: Annotated[GaugeChoice | None, typer.Option(help="Where the zero of the biases lies.")] = None,
    reference: Annotated[
        float | None, typer.Option(metavar="X", help="Reference value, with --gauge reference.")
    ] = None,
    method: Annotated[str | None, typer.Option(metavar="NAME", help=f"One of {', '.join(METHOD_CHOICES)}.")] = None,
    results_only: Annotated[
        bool, typer.Option("--results-only", help="Write the result sheets without a copy of the input sheets.")
    ] = False,
    table: Annotated[
        str | None, typer.Option("--table", metavar="NAME", help="Long tables: the table of a .duckdb file.")
    ] = None,
    faulty: Annotated[
        FaultyChoice, typer.Option(help="Long tables: rows that are no assessments, files that cannot be read.")
    ] = FaultyChoice.refuse,
    groups: Annotated[GroupsChoice, typer.Option(help="Long tables: groups that share nothing.")] = GroupsChoice.refuse,
    classes: Annotated[
        str | None, typer.Option(metavar="LIST", help='Long tables: where classes begin, "First=70,2:1=60".')
    ] = None,
    engine: Annotated[EngineChoice, typer.Option(help="Long tables: what adds up the sums.")] = EngineChoice.duckdb,
    earlier: EarlierResult = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Also write the result as one page for any browser.")
    ] = None,
    *,
    typed: Mapping[str, Any],
    wishes: Wishes,
) -> None:
    """Calibrate the scores in FILE and write a workbook with the result sheets.

    Several files, a folder, or a pattern such as judges/*.xlsx are read as one panel, each file being one assessor's.
    - reads CSV, JSON lines or Parquet from standard input.
    Tables too long for a sheet (.parquet, .jsonl, .duckdb, or .csv with a folder for OUT) go to a database engine.
    """
    from panelcal.commands.typed_choices import typed_choices, with_earlier

    choices = with_earlier(typed_choices(sheet, confidence_sheet, method, gauge, reference, typed), earlier)
    wishes = replace(wishes, html=html)
    from panelcal.commands.calibrate_table import calibrate_table, is_long_table, require_none

    if is_long_table(files, output, choices.settings):
        require_none(wishes)
        asked = {"table": table, "faulty": faulty.value, "groups": groups.value, "classes": classes}
        calibrate_table(files, output, choices, force=force, table=asked | {"engine": engine.value})
        return
    from panelcal.commands.calibrate_file import calibrate_files

    calibrate_files(files, output, choices, wishes, force=force, results_only=results_only)


@app.command()
@_in_one_message
@takes_program_options
@takes_reading_options
def check(
    files: InputFiles,
    sheet: SheetName = None,
    confidence_sheet: ConfidenceSheetName = None,
    gauge: Annotated[GaugeChoice | None, typer.Option(help="As for calibrate.")] = None,
    reference: Annotated[float | None, typer.Option(metavar="X", help="As for calibrate.")] = None,
    method: Annotated[str | None, typer.Option(metavar="NAME", help="As for calibrate.")] = None,
    earlier: EarlierResult = None,
    *,
    typed: Mapping[str, Any],
    wishes: Wishes,
) -> None:
    """Show what would be read from FILE, without calibrating or writing anything."""
    from panelcal.commands.check_file import check_files
    from panelcal.commands.typed_choices import typed_choices, with_earlier

    choices = typed_choices(sheet, confidence_sheet, method, gauge, reference, typed)
    check_files(files, with_earlier(choices, earlier), wishes)


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
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="LABEL=VALUE", help='A row of the sheet Settings: "Column of objects=Paper". Repeatable.'
        ),
    ] = None,
) -> None:
    """Write one object's own result, or one assessor's feedback, with nobody else's data.

    Where FILE holds results, the extract is made as they were, or refused; only other files take these options.
    """
    if (object_label is None) == (assessor_label is None):
        raise typer.BadParameter("give either --object or --assessor.", param_hint="--object / --assessor")
    from panelcal.commands.extract_from_file import extract_from_file
    from panelcal.commands.typed_choices import typed_choices

    choices = typed_choices(sheet, confidence_sheet, method, gauge, reference, {"set_": set_})
    extract_from_file(file, output, choices, object_label=object_label, assessor_label=str(assessor_label), force=force)


@app.command()
@_in_one_message
@takes_program_options
def plan(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="An .xlsx, .xlsm or .csv file with a list of each, such as Talk, Judge."),
    ],
    per_object: Annotated[
        int | None, typer.Option("--per-object", metavar="K", help="How many shall assess each object.")
    ] = None,
    per_judge: Annotated[
        int | None,
        typer.Option("--per-judge", metavar="J", help="Or: how many each assessor takes at most; K = J M / N."),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option("--minutes", metavar="T", min=0.0, help="How long an assessment takes, for the hours of each."),
    ] = None,
    following: Annotated[
        int | None,
        typer.Option("--next", metavar="N", min=1, help="FILE has scores: the N assessments to make next."),
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="OUT", help="[FILE-plan.xlsx]")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Another number gives another plan.")] = 0,
    sheet: Annotated[
        str | None, typer.Option("--sheet", metavar="NAME", help="Sheet that holds the two lists.")
    ] = None,
    *,
    wishes: Wishes,
) -> None:
    """Plan who assesses what, from a list of each and of conflicts of interest; or what to assess next."""
    from panelcal.commands.plan_file import plan_file, plan_wanted

    wanted = plan_wanted(per_object, per_judge, following, seed=seed, minutes=minutes)
    plan_file(file, output, wanted, wishes, force=force, sheet=sheet)


@app.command()
@_in_one_message
def prior(
    file: Annotated[Path, typer.Argument(metavar="RESULT", help="A result of an earlier panel, such as last year's.")],
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="OUT", help="[RESULT-prior.xlsx]")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
) -> None:
    """Write the biases of an earlier result as a sheet Prior, for the next panel's workbook."""
    from panelcal.commands.prior_file import prior_file

    prior_file(file, output, force=force)


@app.command()
@_in_one_message
def template(
    name: Annotated[str, typer.Argument(metavar="NAME", help=f"One of {', '.join(TEMPLATE_NAMES)}.")] = "",
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="[NAME.xlsx]")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
) -> None:
    """Write a ready-to-fill workbook, or its filled example."""
    if not name:
        raise typer.BadParameter(f"choose one of {', '.join(TEMPLATE_NAMES)}.", param_hint="NAME")
    from panelcal.files.saving import write_template

    target = output if output is not None else Path(f"{name}.xlsx")
    write_template(name, target, overwrite=force)
    typer.echo(f"Wrote {target}. Open it and follow the sheet Start here.")


@app.command()
@_in_one_message
def page(
    output: Annotated[Path, typer.Argument(metavar="OUT", help="The file to make, such as panelcal.html.")],
    parts: Annotated[
        Path,
        typer.Option(
            metavar="FOLDER", help="The pinned parts; python -m panelcal.page.fetch_parts FOLDER fetches them."
        ),
    ] = Path("page-parts"),
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
) -> None:
    """Build panelcal as one HTML file that opens with a double click: nothing installed, nothing sent."""
    from panelcal.page.build import build_page

    size = build_page(parts, output, overwrite=force, progress=lambda doing: typer.echo(f"{doing} ...", err=True))
    typer.echo(f"Wrote {output} ({size / 1e6:.1f} MB). Open it in a browser; it needs nothing else.")


@app.command()
@_in_one_message
def docs(
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="At which port; 0 takes one that is free.")
    ] = 0,
    browser: Annotated[bool, typer.Option(help="Whether to open it in the browser.")] = True,
) -> None:
    """Show in the browser, without a network, the documentation that a released package carries."""
    from panelcal.commands.serve_docs import serve_docs

    serve_docs(port, browser=browser)


@app.command()
@_in_one_message
def install(
    to: Annotated[Path | None, typer.Option("--to", metavar="DIR", help="Another folder for the add-in.")] = None,
    libreoffice: LibreOffice = False,
) -> None:
    """Put the Calibrate add-in into Excel, or into LibreOffice. Quit that first."""
    from panelcal.commands.install_here import install_here

    done = install_here(to, libreoffice=libreoffice)
    _say_what_was_done("Wrote", done.files, done.sentences)


@app.command()
@_in_one_message
def uninstall(libreoffice: LibreOffice = False) -> None:
    """Remove what `panelcal install` wrote, and nothing else."""
    from panelcal.commands.install_here import uninstall_here

    done = uninstall_here(libreoffice=libreoffice)
    _say_what_was_done("Removed", done.files, done.sentences)


@app.command()
@_in_one_message
def doctor() -> None:
    """Look for what keeps Calibrate from working in Excel, and say what to do."""
    from panelcal.excel.doctor import examine
    from panelcal.excel.machine import this_machine

    findings = examine(this_machine())
    for finding in findings:
        typer.echo(f"{_FINDING_MARKS[finding.kind]} {finding.sentence}")
        if finding.for_it:
            typer.echo(f"{' ' * len(_FINDING_MARKS[finding.kind])} To send to IT: {finding.for_it}")
    if any(finding.kind == "problem" for finding in findings):
        raise typer.Exit(_REFUSED)


def main() -> None:
    """Run a command; `panelcal.__main__` listens for interruptions first."""
    gc.disable()  # a command is over soon, and the collector would walk through millions of cells again and again
    # Panels are small: on a busy computer threads of linear algebra wait for each other ten times as long as they work.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # names of files may hold what is no text
    nothing_done()
    try:
        _with_what_is_asked_for()()
    except (SystemExit, KeyboardInterrupt):
        raise
    except BaseException as error:  # a library in another language may panic, which is no Exception
        typer.echo(_last_words(error), err=True)
        raise SystemExit(_REFUSED) from None


def _with_what_is_asked_for() -> typer.Typer:
    """Return the commands, or the one that is typed alone: typer prepares the options of all that it is given."""
    asked = [
        command
        for command in app.registered_commands
        if command.callback is not None and [command.callback.__name__] == sys.argv[1:2]
    ]
    alone = copy.copy(app)
    alone.registered_commands = asked or app.registered_commands
    return alone


def _last_words(error: BaseException) -> str:
    """Say what ended a command that was not meant to end so."""
    if isinstance(error, OSError) and any(
        frame.f_code.co_name == "echo" for frame, _ in traceback.walk_tb(error.__traceback__)
    ):
        already = f"; {done()} before that" if done() else ""
        return f"What panelcal says cannot be shown where its output goes ({error.strerror or error}){already}."
    from panelcal.files.unforeseen import unforeseen

    return unforeseen(error, next((word for word in sys.argv[1:2] if word.isalpha()), ""))


def _say_what_was_done(verb: str, files: Iterable[Path], sentences: Iterable[str]) -> None:
    for path in files:
        typer.echo(f"{verb} {path}")
    for sentence in sentences:
        typer.echo(sentence)
