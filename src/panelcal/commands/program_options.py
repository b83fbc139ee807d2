"""What programs that call panelcal ask for: results as data, silence, and an exit status that stops a pipeline."""

from __future__ import annotations

import contextlib
import functools
import inspect
import io
import sys
from collections.abc import Callable, Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from panelcal.errors import DisconnectedPanel, FileProblem
from panelcal.frozen import dataclass

STOPPED = 3
STANDARD = Path("-")


class FailOn(StrEnum):
    """What ends a command with status 3."""

    drift = "drift"
    policy = "policy"
    disconnected = "disconnected"


@dataclass(frozen=True, slots=True)
class Wishes:
    """What was asked for.

    Attributes
    ----------
    json
        File for the result as JSON, `STANDARD` for standard output, None for none.
    csv
        Folder for the result as CSV files, None for none.
    fail_on
        Reasons to end with status 3.
    out
        Standard output as it was before `--quiet`.
    html
        File for the result as a page for browsers, None for none.
    """

    json: Path | None
    csv: Path | None
    fail_on: tuple[str, ...]
    out: TextIO
    html: Path | None = None

    @property
    def data(self) -> bool:
        """Whether results are wanted as data."""
        return self.json is not None or self.csv is not None


PROGRAM_OPTIONS: dict[str, Any] = {
    "json_file": Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Also write the result as JSON; - to standard output.")
    ],
    "csv_folder": Annotated[
        Path | None, typer.Option("--csv", metavar="FOLDER", help="Also write the result as CSV files.")
    ],
    "quiet": Annotated[bool, typer.Option("--quiet", help="Say nothing but what goes wrong.")],
    "fail_on": Annotated[
        list[FailOn] | None, typer.Option("--fail-on", help="End with status 3 where there is this. Repeatable.")
    ],
}
_NOTHING_TO_TELL = {
    "drift": "nothing here can show drift; it needs the method anchors, and anchors scored on two dates or more.",
    "policy": "there are no rules to hold the result against; they stand in the table Policy of a workbook.",
    "disconnected": "groups do not matter to this method, which has a scale of its own.",
}


def takes_program_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command these options; it takes them as one object, `wishes`."""
    plain = inspect.signature(command, eval_str=True)
    own = [parameter for name, parameter in plain.parameters.items() if name != "wishes"]
    added = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=False if name == "quiet" else None, annotation=annotation
        )
        for name, annotation in PROGRAM_OPTIONS.items()
    ]

    @functools.wraps(command)
    def run(*arguments: Any, **options: Any) -> None:
        told = {name: options.pop(name) for name in PROGRAM_OPTIONS}
        reasons = tuple(reason.value for reason in told["fail_on"] or ())
        wishes = Wishes(told["json_file"], told["csv_folder"], reasons, sys.stdout)
        silent = told["quiet"] or wishes.json == STANDARD
        try:
            with contextlib.redirect_stdout(io.StringIO()) if silent else contextlib.nullcontext():
                command(*arguments, wishes=wishes, **options)
        except DisconnectedPanel as problem:
            if "disconnected" not in reasons:
                raise
            stop([str(problem)])

    run.__signature__ = inspect.Signature([*own, *added])  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in (*own, *added)}
    return run


def stop(sentences: Iterable[str]) -> None:
    """Say why, and end with the status that stops a pipeline.

    Raises
    ------
    typer.Exit
        Always.
    """
    for sentence in sentences:
        typer.echo(sentence, err=True)
    raise typer.Exit(STOPPED)


def require_alarms(reasons: Iterable[str], alarms: Iterable[str]) -> None:
    """Refuse a reason that a run can tell nothing about: a pipeline must not take silence for good news.

    Raises
    ------
    FileProblem
        If there is one.
    """
    known = set(alarms)
    for reason in reasons:
        if reason not in known:
            raise FileProblem(f"--fail-on {reason} was asked for, but {_NOTHING_TO_TELL[reason]}")
