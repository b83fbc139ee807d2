"""`--criteria each`: every criterion of a file calibrated by itself, with a result file each."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import typer

from panelcal.commands.gather_files import is_several
from panelcal.errors import Answer, FileProblem, InputRefused, Question
from panelcal.reading.grid import Source
from panelcal.reading.settings import EACH, SETTINGS_SHEET
from panelcal.run import understand
from panelcal.systems.choices import Choices
from panelcal.systems.system import chosen_settings

_PLAIN = re.compile(r"[^\w.-]+")


def wants_each(choices: Choices) -> bool:
    """Tell whether each criterion is to be calibrated by itself."""
    names = choices.settings.get("criteria") or {}
    return [name.casefold() for name in names] == [EACH]


def says_each(source: Source, choices: Choices) -> bool:
    """Tell whether the sheet Settings asks for each criterion by itself, and nothing typed says otherwise."""
    if "criteria" in choices.settings or source.grid(SETTINGS_SHEET) is None:
        return False
    return chosen_settings(source, choices).criteria_each


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


def one_by_one(source: Source, choices: Choices) -> Mapping[str, Choices]:
    """Return the criteria of a file, in its order, with the choices that read each by itself.

    Raises
    ------
    InputRefused
        If there are not several criteria, or one of them cannot be read: nothing is to be written then.
    """
    plain = replace(choices, settings={**choices.settings, "criteria": {}, "score_column": ""})
    try:
        understand(source, plain)
    except InputRefused as refusal:
        answers = next((found for one in refusal.questions if (found := _single(one))), {})
        if not answers:
            raise
    else:
        raise InputRefused(
            f"{source.name} has no several criteria to choose from: leave out --criteria {EACH}, or name the "
            "column of each run with --score."
        )
    each = {name: plain.answered(answer) for name, answer in answers.items()}
    for name, chosen in each.items():
        try:
            understand(source, chosen)
        except InputRefused as refusal:
            sentence = f"The criterion {name} cannot be read by itself.\n{refusal}"
            raise InputRefused(sentence, refusal.cells, refusal.questions, refusal.problems) from None
    return each


def targets_of(file: Path, output: Path | None, criteria: Mapping[str, Choices]) -> Mapping[str, Path]:
    """Return the result file of each criterion: beside the input, in a folder, or with a beginning of its name.

    Raises
    ------
    FileProblem
        If the files of two criteria would be called alike.
    """
    if output is None:
        begin = file.with_suffix("")
    elif output.is_dir() or str(output).endswith(("/", os.sep)):
        begin = output / file.stem
    else:
        begin = output.with_suffix("") if output.suffix.lower() == ".xlsx" else output
    targets = {name: begin.with_name(f"{begin.name}-{_PLAIN.sub('_', name)}-calibrated.xlsx") for name in criteria}
    if len({str(target).casefold() for target in targets.values()}) < len(targets):
        raise FileProblem(
            "The files of two criteria would be called alike: calibrate one at a time, with --score and -o."
        )
    return targets


def _single(question: Question) -> dict[str, Answer]:
    """Return the answers to a question about criteria that choose one of them, by its name; empty for any other."""
    sums = [list(one.gives["criteria"]) for one in question.answers if len(one.gives.get("criteria", ())) > 1]
    if not sums:
        return {}
    ways = [{"score_column": name} for name in sums[0]] + [{"criteria": {name: 1.0}} for name in sums[0]]
    chosen = [one for one in question.answers if dict(one.gives) in ways]
    return {next(iter(one.gives.get("criteria", (one.gives.get("score_column"),)))): one for one in chosen}
