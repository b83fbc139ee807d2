"""What is said of every file that is read, and the option that goes with one zero of the biases only."""

from __future__ import annotations

from pathlib import Path

import typer

from panelcal.files.saving import is_open_elsewhere
from panelcal.reading.decisions import Decision
from panelcal.reading.grid import Source
from panelcal.reading.understood import Understood
from panelcal.systems.choices import Choices
from panelcal.systems.system import chosen_settings

_SHOWN = 12


def say_what_was_read(reading: Understood) -> None:
    """Say who assesses, what is assessed and on which range, what was not read, and then which cells were read."""
    for sentence in reading.understood.sentences():
        typer.echo(sentence)
    for decision in reading.understood.not_read:
        say_decision(decision)
    typer.echo(f"Read {reading.summary} ({reading.source_name}, sheet {reading.sheet}).")
    typer.echo(f"{reading.counts}.")


def say_decision(decision: Decision) -> None:
    """Say what the reader decided, and where; ! marks what should be looked at."""
    where = f" [{', '.join(decision.cells[:_SHOWN])}{', ...' if len(decision.cells) > _SHOWN else ''}]"
    mark = "! " if decision.weight == "warning" else "- "
    typer.echo(f"  {mark}{decision.sentence}{where if decision.cells else ''}")


def say_if_open(file: Path) -> None:
    """Warn that what is not saved yet was not read."""
    if is_open_elsewhere(file):
        typer.echo(f"  ! {file.name} is open in a spreadsheet program: what is not saved there was not read.")


def check_reference(source: Source, choices: Choices) -> None:
    """Refuse a reference beside a zero of the biases that knows none."""
    if choices.reference is not None and chosen_settings(source, choices).gauge != "reference":
        raise typer.BadParameter("goes with --gauge reference.", param_hint="--reference")
