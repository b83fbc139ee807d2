"""`panelcal calibrate`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer

from panelcal.commands.columns_asked_for import nearest_column_named, require_columns
from panelcal.commands.each_criterion import is_folder, only_file, says_each, targets_of, wants_each
from panelcal.commands.gather_files import check_output, gathered, is_several
from panelcal.commands.program_options import STANDARD, Wishes
from panelcal.commands.progress_bar import ProgressBar
from panelcal.commands.what_was_read import check_reference, say_if_open, say_what_was_read
from panelcal.commands.write_data import check_data_targets, judged, stop_on_alarms, write_data, write_html
from panelcal.each_criterion import one_by_one
from panelcal.files.filled_in import check_nothing_filled_in
from panelcal.files.given_file import GivenFile, not_copied
from panelcal.files.load import check_source, load_source
from panelcal.files.saving import check_workbook_target, remove_leftovers
from panelcal.files.write import write_report
from panelcal.reporting.cautions import cautions
from panelcal.reporting.out_of_date import outdated_summaries
from panelcal.run import GivenSheets, Run, run
from panelcal.systems.choices import Choices
from panelcal.systems.system import Outcome

_FOR_PROGRAMS = "--json / --csv / --html / --fail-on"


def calibrate_files(
    given: Sequence[Path], output: Path | None, choices: Choices, wishes: Wishes, *, force: bool, results_only: bool
) -> None:
    """Calibrate one file, standard input, or several files that hold one assessor's scores each.

    Raises
    ------
    PanelcalError
        If it cannot be done as it stands; nothing is written then.
    """
    first = None if STANDARD in given else given[0]
    check_data_targets(wishes, source=first, output=output or (first and _target_of(first)), overwrite=force)
    if STANDARD in given:
        _calibrate_input(given, output, choices, wishes, force=force)
        return
    if wants_each(choices):
        if wishes.data or wishes.html or wishes.fail_on:
            raise typer.BadParameter("take one criterion at a time: --criteria NAME.", param_hint=_FOR_PROGRAMS)
        _calibrate_each(given, output, choices, force=force, results_only=results_only)
        return
    if not is_several(given):
        calibrate_file(given[0], output, choices, wishes, force=force, results_only=results_only)
        return
    target = check_output(output)
    check_workbook_target(target, source=given[0], overwrite=force)
    if force:
        check_nothing_filled_in(target)
    source = gathered(given, choices)
    check_reference(source, choices)
    with nearest_column_named(source, choices.settings):
        done = run(GivenSheets(source), choices)
    outcome = judged(done.outcome, wishes)
    notes = write_report(done.report, target, overwrite=force)
    say_what_was_read(done.reading)
    for sentence in (*source.notes, *cautions(done.reading.decisions)):
        typer.echo(f"  ! {sentence}")
    typer.echo("")
    for sentence in (*done.sentences, "", *notes):
        typer.echo(sentence)
    typer.echo(f"Wrote {target}. Begin with the sheet {done.report.sheets[0].name}; panelcal advises, people decide.")
    _for_programs(done, outcome, wishes, force=force)


def _calibrate_input(
    given: Sequence[Path], output: Path | None, choices: Choices, wishes: Wishes, *, force: bool
) -> None:
    """Calibrate what comes from standard input; a workbook is written only where one is named."""
    if len(given) > 1:
        raise typer.BadParameter("standard input (-) stands alone, without other files.", param_hint="FILE")
    if output is None and not (wishes.data or wishes.html or wishes.fail_on):
        raise typer.BadParameter("say where the results of standard input go.", param_hint=f"-o / {_FOR_PROGRAMS}")
    if output is not None:
        check_workbook_target(output, overwrite=force)
    from panelcal.files.standard_input import read_standard_input  # noqa: PLC0415 - what few ask for

    piped = GivenFile(read_standard_input(sys.stdin.buffer), results_only=True)
    require_columns(piped.source, choices.settings)
    check_reference(piped.source, choices)
    done = run(piped, choices)
    outcome = judged(done.outcome, wishes)
    if output is not None:
        write_report(done.report, output, overwrite=force)
    say_what_was_read(done.reading)
    for sentence in (*(f"  ! {one}" for one in cautions(done.reading.decisions)), "", *done.sentences):
        typer.echo(sentence)
    if output is not None:
        typer.echo(f"Wrote {output}. Begin with the sheet {done.report.sheets[0].name}.")
    _for_programs(done, outcome, wishes, force=force)


def _for_programs(done: Run, outcome: Outcome | None, wishes: Wishes, *, force: bool) -> None:
    """Write what programs asked for, and end with status 3 where they asked for that."""
    write_html(done, wishes, overwrite=force)
    if outcome is None:
        return
    write_data(outcome, lambda: _document(done, outcome), done.reading.decisions, wishes, overwrite=force)
    stop_on_alarms(outcome, wishes)


def _document(done: Run, outcome: Outcome) -> dict[str, Any]:
    from panelcal.files.as_json import run_document  # noqa: PLC0415 - what few ask for

    return run_document(done, outcome)


def _calibrate_each(
    given: Sequence[Path], output: Path | None, choices: Choices, *, force: bool, results_only: bool
) -> None:
    """Calibrate each criterion of a file by itself; nothing is written unless all of them can be read."""
    file = only_file(given)
    check_source(file)
    each = one_by_one(load_source(file), choices)
    targets = targets_of(file, output, each)
    if output is not None and is_folder(output) and not output.exists() and output.parent.is_dir():
        output.mkdir()
    for target in targets.values():
        check_workbook_target(target, source=file, overwrite=force)
    for name, chosen in each.items():
        typer.echo(f"\n{name}, by itself:")
        calibrate_file(file, targets[name], chosen, None, force=force, results_only=results_only)
    files = ", ".join(target.name for target in targets.values())
    typer.echo(f"\n{len(each)} criteria were calibrated, each by itself, into {files}.")


def calibrate_file(
    file: Path, output: Path | None, choices: Choices, wishes: Wishes | None, *, force: bool, results_only: bool
) -> None:
    """Calibrate a file, write the workbook with the result sheets and say what came out.

    Raises
    ------
    PanelcalError
        If it cannot be done as it stands; nothing is written then.
    """
    target = output if output is not None else _target_of(file)
    check_source(file)
    check_workbook_target(target, source=file, overwrite=force)
    if force:
        check_nothing_filled_in(target)
    with ProgressBar() as bar:
        given = GivenFile(file, results_only=results_only, progress=bar.within("loading"))
        each = says_each(given.source, choices)
        check_reference(given.source, choices)
        if not each:
            with nearest_column_named(given.source, choices.settings):
                done = run(given, choices, progress=bar.stage)
            outcome = None if wishes is None else judged(done.outcome, wishes)
            notes = _written(given, target, done, force, bar)
    if each:
        _calibrate_each([file], output, choices, force=force, results_only=results_only)
        return
    notes += [
        f"{name}, from an earlier run, is out of date now and says so, as do the sheets with it."
        for name in outdated_summaries(done.outdated)
    ]
    notes += [
        f"{name}, left behind by a run that was cut short, was removed." for name in remove_leftovers(target.parent)
    ]
    notes += not_copied(given, target.name)
    say_what_was_read(done.reading)
    say_if_open(file)
    not_read = done.reading.understood.not_read
    for sentence in cautions(decision for decision in done.reading.decisions if decision not in not_read):
        typer.echo(f"  ! {sentence}")
    typer.echo("")
    for sentence in (*done.sentences, "", *notes):
        typer.echo(sentence)
    typer.echo(f"Wrote {target}. Begin with the sheet {done.report.sheets[0].name}; panelcal advises, people decide.")
    if wishes is not None:
        _for_programs(done, outcome, wishes, force=force)


def _target_of(file: Path) -> Path:
    return file.with_name(f"{file.stem}-calibrated.xlsx")


def _written(given: GivenFile, target: Path, done: Run, force: bool, bar: ProgressBar) -> list[str]:
    """Write the workbook; return what is to be said of the copy made."""
    notes = write_report(
        done.report,
        target,
        workbook=given.workbook,
        labelled=given.file,
        outdated=done.outdated,
        overwrite=force,
        progress=bar.within("writing"),
    )
    return list(notes)
