"""`--criteria each`: every criterion of a file calibrated by itself, with a result file each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import typer

from panelcal.commands.gather_files import is_several
from panelcal.each_criterion import asks_for_each, named_in_file
from panelcal.errors import FileProblem
from panelcal.reading.grid import Source
from panelcal.reading.settings import EACH
from panelcal.systems.choices import Choices


def wants_each(choices: Choices) -> bool:
    """Tell whether it was typed that each criterion is to be calibrated by itself."""
    names = choices.settings.get("criteria") or {}
    return [name.casefold() for name in names] == [EACH]


def says_each(source: Source, choices: Choices) -> bool:
    """Tell whether the sheet Settings asks for each criterion by itself, and nothing typed says otherwise."""
    return "criteria" not in choices.settings and asks_for_each(source, choices)


def only_file(given: Sequence[Path]) -> Path:
    """Return the one file whose criteria are meant.

    Raises
    ------
    typer.BadParameter
        If several are given, which are assessors of one panel.
    """
    if is_several(given):
        raise typer.BadParameter(f"{EACH} goes with one file.", param_hint="--criteria")
    return given[0]


def is_folder(output: Path) -> bool:
    """Tell whether results for several criteria go into a folder of that name."""
    return output.is_dir() or output.suffix.lower() != ".xlsx"


def targets_of(file: Path, output: Path | None, criteria: Iterable[str]) -> Mapping[str, Path]:
    """Return the result file of each criterion: beside the input, in a folder, or with a beginning of its name.

    Anything but a name that ends in .xlsx is a folder, whether it is there already or not.

    Raises
    ------
    FileProblem
        If the files of two criteria would be called alike.
    """
    if output is None:
        begin = file.with_suffix("")
    elif is_folder(output):
        begin = output / file.stem
    else:
        begin = output.with_suffix("")
    targets = {name: begin.with_name(f"{named_in_file(begin.name, name)}-calibrated.xlsx") for name in criteria}
    if len({str(target).casefold() for target in targets.values()}) < len(targets):
        raise FileProblem(
            "The files of two criteria would be called alike: calibrate one at a time, with --score and -o."
        )
    return targets
