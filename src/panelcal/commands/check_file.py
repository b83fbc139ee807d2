"""`panelcal check`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import typer

from panelcal.commands.columns_asked_for import nearest_column_named, require_columns
from panelcal.commands.each_criterion import only_file, says_each, wants_each
from panelcal.commands.gather_files import gathered, is_several
from panelcal.commands.program_options import STANDARD, Wishes
from panelcal.commands.what_was_read import say_decision, say_if_open, say_what_was_read
from panelcal.commands.write_data import check_data_targets, write_data
from panelcal.each_criterion import one_by_one
from panelcal.files.as_json import check_document, check_outcome
from panelcal.files.load import load_source
from panelcal.files.standard_input import read_standard_input
from panelcal.reading.understood import Understood
from panelcal.run import understand
from panelcal.systems.choices import Choices


def check_files(given: Sequence[Path], choices: Choices, wishes: Wishes | None = None) -> None:
    """Say what would be read from a file, or from several that hold one assessor's scores each.

    Raises
    ------
    PanelcalError
        If it would not.
    """
    asked = () if wishes is None else tuple(reason for reason in wishes.fail_on if reason != "disconnected")
    if asked:
        raise typer.BadParameter(f"{asked[0]} is for calibrate: check computes nothing.", param_hint="--fail-on")
    if wishes is not None:
        check_data_targets(wishes, source=None if STANDARD in given else given[0], output=None, overwrite=False)
    if wants_each(choices):
        _check_each(only_file(given), choices)
        return
    several, piped = is_several(given), given[0] == STANDARD
    if piped:
        source = load_source(read_standard_input(sys.stdin.buffer))
        require_columns(source, choices.settings)
    else:
        source = gathered(given, choices) if several else load_source(given[0])
    if not several and not piped and says_each(source, choices):
        _check_each(given[0], choices)
        return
    with nearest_column_named(source, choices.settings):
        reading = understand(source, choices)
    say_what_was_read(reading)
    if not several and not piped:
        say_if_open(given[0])
    _say_decisions(reading, wrote=wishes is not None and bool(wishes.data))
    if wishes is not None and wishes.data:
        outcome = check_outcome(reading)
        write_data(outcome, lambda: check_document(reading, outcome), reading.decisions, wishes, overwrite=False)


def _say_decisions(reading: Understood, *, wrote: bool) -> None:
    """Say what was decided, and whether the file would be accepted."""
    for decision in reading.decisions:
        if decision not in reading.understood.not_read:
            say_decision(decision)
    warned = sum(decision.weight == "warning" for decision in reading.decisions)
    lines = "the line" if warned == 1 else f"the {warned} lines"
    look = f", but look at {lines} marked ! first" if warned else ""
    typer.echo(f"This would be accepted{look}.{'' if wrote else ' Nothing was written.'}")


def _check_each(file: Path, choices: Choices) -> None:
    """Say what would be read of each criterion by itself."""
    for name, chosen in one_by_one(load_source(file), choices).items():
        typer.echo(f"{name}, by itself:")
        check_files([file], chosen)
        typer.echo("")
