"""`panelcal check`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from panelcal.commands.each_criterion import one_by_one, only_file, wants_each
from panelcal.commands.gather_files import gathered, is_several
from panelcal.commands.what_was_read import say_decision, say_if_open, say_what_was_read
from panelcal.files.load import load_source
from panelcal.run import understand
from panelcal.systems.choices import Choices


def check_files(given: Sequence[Path], choices: Choices) -> None:
    """Say what would be read from a file, or from several that hold one assessor's scores each.

    Raises
    ------
    PanelcalError
        If it would not.
    """
    if wants_each(choices):
        file = only_file(given)
        for name, chosen in one_by_one(load_source(file), choices).items():
            typer.echo(f"{name}, by itself:")
            check_files([file], chosen)
            typer.echo("")
        return
    several = is_several(given)
    reading = understand(gathered(given, choices) if several else load_source(given[0]), choices)
    say_what_was_read(reading)
    if not several:
        say_if_open(given[0])
    for decision in reading.decisions:
        if decision not in reading.understood.not_read:
            say_decision(decision)
    warned = sum(decision.weight == "warning" for decision in reading.decisions)
    lines = "the line" if warned == 1 else f"the {warned} lines"
    look = f", but look at {lines} marked ! first" if warned else ""
    typer.echo(f"This would be accepted{look}. Nothing was written.")
