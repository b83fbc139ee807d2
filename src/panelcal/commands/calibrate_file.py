"""`panelcal calibrate`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from panelcal.commands.each_criterion import one_by_one, only_file, targets_of, wants_each
from panelcal.commands.gather_files import check_output, gathered, is_several
from panelcal.commands.progress_bar import ProgressBar
from panelcal.commands.what_was_read import check_reference, say_if_open, say_what_was_read
from panelcal.files.filled_in import check_nothing_filled_in
from panelcal.files.load import check_source, load_source
from panelcal.files.run_bytes import not_copied, run_loaded
from panelcal.files.saving import check_target, remove_leftovers
from panelcal.files.write import write_report
from panelcal.reporting.cautions import cautions
from panelcal.reporting.out_of_date import outdated_summaries
from panelcal.reporting.run_facts import run_moment, run_versions
from panelcal.run import Run, run
from panelcal.systems.choices import Choices


def calibrate_files(
    given: Sequence[Path], output: Path | None, choices: Choices, *, force: bool, results_only: bool
) -> None:
    """Calibrate one file, or several that hold one assessor's scores each.

    Raises
    ------
    PanelcalError
        If it cannot be done as it stands; nothing is written then.
    """
    if wants_each(choices):
        _calibrate_each(given, output, choices, force=force, results_only=results_only)
        return
    if not is_several(given):
        calibrate_file(given[0], output, choices, force=force, results_only=results_only)
        return
    target = check_output(output)
    check_target(target, source=given[0], overwrite=force)
    if force:
        check_nothing_filled_in(target)
    source = gathered(given, choices)
    check_reference(source, choices)
    done = run(source, choices, created=run_moment(), versions=run_versions(), carried=False)
    notes = write_report(done.report, target, overwrite=force)
    say_what_was_read(done.reading)
    for sentence in (*source.notes, *cautions(done.reading.decisions)):
        typer.echo(f"  ! {sentence}")
    typer.echo("")
    for sentence in (*done.sentences, "", *notes):
        typer.echo(sentence)
    typer.echo(f"Wrote {target}. Begin with the sheet {done.report.sheets[0].name}; panelcal advises, people decide.")


def _calibrate_each(
    given: Sequence[Path], output: Path | None, choices: Choices, *, force: bool, results_only: bool
) -> None:
    """Calibrate each criterion of a file by itself; nothing is written unless all of them can be read."""
    file = only_file(given)
    check_source(file)
    each = one_by_one(load_source(file), choices)
    targets = targets_of(file, output, each)
    for target in targets.values():
        check_target(target, source=file, overwrite=force)
    for name, chosen in each.items():
        typer.echo(f"\n{name}, by itself:")
        calibrate_file(file, targets[name], chosen, force=force, results_only=results_only)
    files = ", ".join(target.name for target in targets.values())
    typer.echo(f"\n{len(each)} criteria were calibrated, each by itself, into {files}.")


def calibrate_file(file: Path, output: Path | None, choices: Choices, *, force: bool, results_only: bool) -> None:
    """Calibrate a file, write the workbook with the result sheets and say what came out.

    Raises
    ------
    PanelcalError
        If it cannot be done as it stands; nothing is written then.
    """
    target = output if output is not None else file.with_name(f"{file.stem}-calibrated.xlsx")
    check_source(file)
    check_target(target, source=file, overwrite=force)
    if force:
        check_nothing_filled_in(target)
    with ProgressBar() as bar:
        done, lost, notes = _calibrated(file, target, choices, results_only, force, bar)
    notes += [
        f"{name}, from an earlier run, is out of date now and says so, as do the sheets with it."
        for name in outdated_summaries(done.outdated)
    ]
    notes += [
        f"{name}, left behind by a run that was cut short, was removed." for name in remove_leftovers(target.parent)
    ]
    notes += not_copied(file.name, target.name, lost)
    say_what_was_read(done.reading)
    say_if_open(file)
    not_read = done.reading.understood.not_read
    for sentence in cautions(decision for decision in done.reading.decisions if decision not in not_read):
        typer.echo(f"  ! {sentence}")
    typer.echo("")
    for sentence in (*done.sentences, "", *notes):
        typer.echo(sentence)
    typer.echo(f"Wrote {target}. Begin with the sheet {done.report.sheets[0].name}; panelcal advises, people decide.")


def _calibrated(
    file: Path, target: Path, choices: Choices, results_only: bool, force: bool, bar: ProgressBar
) -> tuple[Run, tuple[str, ...], list[str]]:
    """Load, calibrate and write; return the run, what a copy would lose, and what is to be said of the copy made."""
    source = load_source(file, progress=bar.within("loading"))
    check_reference(source, choices)
    done = run_loaded(file, source, choices, results_only=results_only, created=run_moment(), progress=bar.stage)
    notes = write_report(
        done.run.report,
        target,
        workbook=done.workbook,
        labelled=file,
        outdated=done.run.outdated,
        overwrite=force,
        progress=bar.within("writing"),
    )
    return done.run, done.lost, list(notes)
