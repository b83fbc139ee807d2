"""The options about how a file is to be read, the same for every command that reads scores."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

_WILD = "wildcards * and ?"
_HEADING = f"Heading of the column that holds the {{}}; {_WILD}."


def _text(metavar: str, explained: str, *names: str) -> Any:
    """Return an option that takes one text."""
    return Annotated[str | None, typer.Option(*names, metavar=metavar, help=explained)]


def _texts(metavar: str, explained: str, *names: str) -> Any:
    """Return an option that can be repeated."""
    return Annotated[list[str] | None, typer.Option(*names, metavar=metavar, help=explained)]


READING_OPTIONS: dict[str, Any] = {
    "layout": _text("NAME", "objects down (a row each), objects across (a column each), or list."),
    "object_column": _text("HEADING", _HEADING.format("ids of what is assessed"), "--object"),
    "assessor_column": _text("HEADING", _HEADING.format("assessors, in a list"), "--assessor"),
    "score_column": _text("HEADING", _HEADING.format("scores, in a list"), "--score"),
    "confidence_column": _text("HEADING", _HEADING.format("confidences") + " none: use none.", "--confidence"),
    "scores": _texts(
        "HEADING", f"Only columns with this heading, or rows with this label, hold scores; {_WILD}. Repeatable."
    ),
    "include": _texts("HEADING", f"A column or row that counts, by heading or label; {_WILD}. Repeatable."),
    "exclude": _texts(
        "HEADING",
        f'A column or row to leave out, by heading or label, or rows by a value: "Status=Draft"; {_WILD}. Repeatable.',
    ),
    "scale": _text("LOW:HIGH", "The lowest and the highest score there can be, as in 0:100."),
    "lower_is_better": Annotated[
        bool, typer.Option("--lower-is-better", help="1 is best, as for German grades from 1.0 to 5.0.")
    ],
    "criteria": _texts(
        "LIST",
        f'Headings of columns that add up to the score: "Originality=2,Clarity=1"; {_WILD}. Repeatable. together: '
        "calibrated together, with a sheet on them. each: a file for each.",
    ),
    "common": _texts(
        "LABEL",
        f"Label of an object that everybody assessed first: these fix the zero of the biases; {_WILD}. Repeatable.",
    ),
    "grades": _texts("LIST", 'Words that are scores: "A+=12,A=11". Repeatable.'),
    "codes": _texts("LIST", 'Text that is no score: "late=exclude", zero or stop. Repeatable.'),
    "same": _texts("A=B", 'A label in another spelling, and the one it counts as: "ann lee=Ann Lee". Repeatable.'),
    "names": _text("WHERE", "Several files or sheets: names by file, by sheet, or in a cell (B2)."),
    "set_": _texts(
        "LABEL=VALUE", 'Any other row of the sheet Settings: "Repeated assessments=average". Repeatable.', "--set"
    ),
}


def takes_reading_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command these options; it takes what was typed as one mapping, `typed`."""
    plain = inspect.signature(command, eval_str=True)
    own = [parameter for name, parameter in plain.parameters.items() if name != "typed"]
    added = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=False if name == "lower_is_better" else None,
            annotation=annotation,
        )
        for name, annotation in READING_OPTIONS.items()
    ]

    @functools.wraps(command)
    def run(*arguments: Any, **options: Any) -> None:
        typed = {name: options.pop(name) for name in READING_OPTIONS}
        command(*arguments, typed=typed, **options)

    run.__signature__ = inspect.Signature([*own, *added])  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in (*own, *added)}
    return run
