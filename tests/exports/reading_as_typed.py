"""Reads export files as somebody would at a terminal: the command `check`, then what its refusal says, literally.

The command line is run whole, and the reading it shows (or the refusal it prints) is caught on its way out.
"""

from __future__ import annotations

import functools
import itertools
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import numpy as np
import typer

from exports.as_in_excel import answered_in_cells
from exports.export_file import Export
from exports.truth import Truth
from panelcal import cli
from panelcal.calibration.least_squares import calibrate
from panelcal.commands import check_file
from panelcal.errors import InputRefused, PanelcalError
from panelcal.panel import Panel
from panelcal.reading.answers import options_for
from panelcal.reading.reading import Reading

_CLOSE = 1e-9
_MOST_WAYS = 200


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a file came out.

    `kind` is "right", "refused" (right after one answer), "stuck" (refused, and no answer leads to the truth), "WRONG"
    or "crash"; `said` is the refusal or what differs; `typed` is the answer that led to the truth.
    """

    kind: str
    said: str = ""
    typed: tuple[str, ...] = ()


@functools.cache
def _command() -> typer.core.TyperGroup:
    return typer.main.get_command(cli.app)


def read_as_typed(paths: Sequence[Path], options: Sequence[str] = ()) -> Reading:
    """Run `panelcal check` and return what it read; raises the refusal that it would print."""
    caught: list[Reading] = []
    refused: list[PanelcalError] = []
    plainly = check_file.understand

    def listening(*arguments: object, **named: object) -> Reading:
        try:
            caught.append(plainly(*arguments, **named))  # type: ignore[arg-type]
        except PanelcalError as problem:
            refused.append(problem)
            raise
        return caught[-1]

    command = _command()
    with mock.patch.object(check_file, "understand", listening), mock.patch.object(typer, "echo"):
        try:
            command(["check", *map(str, paths), *options], standalone_mode=False)
        except typer.Exit:
            pass
        except SystemExit:
            pass
        except Exception as problem:
            raise InputRefused(f"wrong usage: {problem}") from problem
    if refused:
        raise refused[-1]
    if not caught:
        raise InputRefused("the command line refused the file before reading it")
    return caught[-1]


def difference(panel: Panel, export: Export, truth: Truth) -> str:
    """Say how a panel differs from the truth; "" where it does not, to 1e-9 in every calibrated value and bias."""
    things = [export.objects.get(label, label) for label in panel.objects]
    judges = [export.assessors.get(label, label) for label in panel.assessors]
    for read, meant, what in ((things, truth.objects, "objects"), (judges, truth.assessors, "assessors")):
        if sorted(read) != sorted(meant):
            extra, missing = sorted(set(read) - set(meant)), sorted(set(meant) - set(read))
            return f"{what}: {len(extra)} too many {extra[:6]}, {len(missing)} missing {missing[:6]}"
    pairs = [(things[i], judges[j]) for i, j in zip(panel.object_index, panel.assessor_index, strict=True)]
    if dict(zip(pairs, panel.scores, strict=True)) != dict(truth.scores) or len(pairs) != len(truth.scores):
        return "the scores differ"
    wanted = np.array([truth.confidences[pair] if truth.confidences else 1.0 for pair in pairs])
    ratio = panel.confidences / wanted
    if np.ptp(ratio) > _CLOSE * ratio.max():
        return "the confidences differ"
    values, biases = truth.solved()
    found = calibrate(panel)
    wanted_values = np.array([values[name] for name in things] + [biases[name] for name in judges])
    worst = float(np.abs(np.concatenate([found.values, found.biases]) - wanted_values).max())
    return "" if worst <= _CLOSE * max(1.0, float(np.abs(panel.scores).max())) else f"values differ by {worst:g}"


def outcome(export: Export, folder: Path) -> Outcome:
    """Read a file at once, and where it is refused once more for every way of answering, until one is right."""
    try:
        reading = read_as_typed(export.paths)
    except InputRefused as refusal:
        return _answered(export, refusal, folder)
    except PanelcalError as problem:
        return Outcome("stuck", str(problem))
    if export.must_ask:
        return Outcome("WRONG", "read without asking")
    return _judged(reading, export)


def _judged(reading: Reading, export: Export) -> Outcome:
    if reading.settings.higher_is_better == export.lower_is_better:
        return Outcome("WRONG", "the direction of the scale is the wrong one")
    differences = [difference(reading.panel, export, truth) for truth in export.truths]
    return Outcome("right") if "" in differences else Outcome("WRONG", differences[0])


def _answered(export: Export, refusal: InputRefused, folder: Path) -> Outcome:
    if not refusal.questions:
        return Outcome("stuck", str(refusal))
    tried = []
    combinations = itertools.product(*(question.answers for question in refusal.questions))
    for chosen in itertools.islice(combinations, _MOST_WAYS):
        typed = tuple(options_for(answer) for answer in chosen)
        if not all(options in str(refusal) for options in typed):
            return Outcome("stuck", f"the message does not say {typed}: {refusal}")
        found = _read_again(export, export.paths, shlex.split(" ".join(typed)))
        if found.kind == "right" and export.paths[0].suffix == ".xlsx" and len(export.paths) == 1:
            copy = folder / f"answered {export.paths[0].name}"
            found = _read_again(export, (answered_in_cells(export.paths[0], copy, refusal, chosen),), ())
        if found.kind == "right":
            return Outcome("refused", str(refusal), typed)
        tried.append(f"{' '.join(typed)}: {found.said}")
    return Outcome("stuck", "\n".join([str(refusal), *[f"   tried {one}" for one in tried]]))


def _read_again(export: Export, paths: Sequence[Path], options: Sequence[str]) -> Outcome:
    try:
        return _judged(read_as_typed(paths, options), export)
    except PanelcalError as problem:
        return Outcome("stuck", str(problem))
