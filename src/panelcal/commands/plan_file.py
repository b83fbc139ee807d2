"""`panelcal plan`."""

from __future__ import annotations

from pathlib import Path

import typer

from panelcal.commands.program_options import Wishes
from panelcal.commands.write_data import check_data_targets, judged, write_data
from panelcal.files.as_json import run_document
from panelcal.files.given_file import GivenFile
from panelcal.files.load import check_source
from panelcal.files.saving import check_workbook_target
from panelcal.files.write import write_report
from panelcal.reading.planning.read_plan import PlanWanted
from panelcal.run import run
from panelcal.systems.choices import Choices


def plan_wanted(
    per_object: int | None, per_judge: int | None, following: int | None, *, seed: int, minutes: float | None
) -> PlanWanted:
    """Put together what was typed.

    Raises
    ------
    typer.BadParameter
        If it is not clear how many assess each object, or what is to come next.
    """
    if following is not None and per_object is not None:
        raise typer.BadParameter("goes with --per-judge only.", param_hint="--next")
    if following is None and (per_object is None) == (per_judge is None):
        raise typer.BadParameter(
            "say how many assess each object, or how many each assessor takes.", param_hint="--per-object / --per-judge"
        )
    return PlanWanted(per_object, seed, per_judge, minutes, following)


def plan_file(
    file: Path, output: Path | None, wanted: PlanWanted, wishes: Wishes, *, force: bool, sheet: str | None
) -> None:
    """Plan who assesses what from the lists in a file, and write the plan.

    Raises
    ------
    PanelcalError
        If no plan can be what was asked for; nothing is written then.
    """
    target = output if output is not None else file.with_name(f"{file.stem}-plan.xlsx")
    check_source(file)
    check_workbook_target(target, source=file, overwrite=force)
    check_data_targets(wishes, source=file, output=target, overwrite=force)
    if wishes.fail_on:
        raise typer.BadParameter("is for calibrate and check: a plan has no scores yet.", param_hint="--fail-on")
    choices = Choices(sheet=sheet, plan=wanted)
    done = run(GivenFile(file, results_only=True), choices)
    outcome = judged(done.outcome, wishes)
    write_report(done.report, target, overwrite=force)
    lists = done.reading
    typer.echo(f"Read {lists.summary} ({lists.source_name}, sheet {lists.sheet}).")
    for decision in lists.decisions:
        typer.echo(f"  {'!' if decision.weight == 'warning' else '-'} {decision.sentence}")
    typer.echo("")
    for sentence in done.sentences:
        typer.echo(sentence)
    typer.echo("")
    typer.echo(f"Wrote {target}. Begin with the sheet {done.report.sheets[0].name}.")
    if outcome is not None:
        write_data(outcome, lambda: run_document(done, outcome), lists.decisions, wishes, overwrite=force)
