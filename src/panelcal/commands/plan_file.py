"""`panelcal plan`."""

from __future__ import annotations

from pathlib import Path

import typer

from panelcal.files.load import check_source, load_source
from panelcal.files.saving import check_target
from panelcal.files.write import write_report
from panelcal.planning.assignment import plan_assignment
from panelcal.planning.worth import worth_of_numbers
from panelcal.reading.planning.read_plan import read_plan
from panelcal.reporting.run_facts import run_moment
from panelcal.systems.planning.report import build_plan_report
from panelcal.systems.planning.sentences import plan_sentences, plan_words


def plan_file(file: Path, output: Path | None, per_object: int, *, force: bool, seed: int, sheet: str | None) -> None:
    """Plan who assesses what from the lists in a file, and write the plan.

    Raises
    ------
    PanelcalError
        If no plan can be what was asked for; nothing is written then.
    """
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
