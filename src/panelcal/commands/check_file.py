"""`panelcal check`."""

from __future__ import annotations

from pathlib import Path

import typer

from panelcal.commands.what_was_read import say_decision, say_if_open, say_what_was_read
from panelcal.files.load import load_source
from panelcal.run import understand
from panelcal.systems.choices import Choices


def check_file(file: Path, choices: Choices) -> None:
    """Say what would be read from a file, and whether it would be accepted.

    Raises
    ------
    PanelcalError
        If it would not.
    """
    reading = understand(load_source(file), choices)
    say_what_was_read(reading)
    say_if_open(file)
    for decision in reading.decisions:
        if decision not in reading.understood.not_read:
            say_decision(decision)
    warned = sum(decision.weight == "warning" for decision in reading.decisions)
    lines = "the line" if warned == 1 else f"the {warned} lines"
    look = f", but look at {lines} marked ! first" if warned else ""
    typer.echo(f"This would be accepted{look}. Nothing was written.")
