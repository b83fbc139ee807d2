"""Reading the formulas of `addin/formulas/source.txt`: what each is called, what it says of itself, and its tokens.

A tokeniser of the little that Excel's formula language needs here. What is made of the tokens is others' business.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Literal

from panelcal.errors import FileProblem
from panelcal.frozen import dataclass

Kind = Literal["text", "number", "function", "name", "optional", "mark"]

_TOKEN = re.compile(
    r"""(?P<text>"(?:[^"]|"")*")
    |(?P<number>\d+(?:\.\d+)?(?:[Ee][+-]?\d+)?)
    |(?P<optional>\[[A-Za-z_]+\])
    |(?P<function>[A-Za-z_][A-Za-z_0-9.]*)(?=\()
    |(?P<name>[A-Za-z_][A-Za-z_0-9.]*)
    |(?P<space>\s+|//[^\n]*)
    |(?P<mark><>|<=|>=|[-+*/^&=<>(),])""",
    re.VERBOSE,
)
_DEFINITION = re.compile(
    r"/\*\*\s*(?P<comment>[^*]*?)\s*\*/\s*(?P<name>[A-Z][A-Z.]*)\s*=\s*(?P<formula>LAMBDA\(.*?)\s*^\);$",
    re.DOTALL | re.M,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a formula: a text in its quotes, a number, a function's name, another name, "[name]", or a mark."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class NamedFormula:
    """A formula with a name of its own.

    Attributes
    ----------
    name
        Such as ``CALIBRATE.VALUES``.
    comment
        What Excel shows beside the name, without the version.
    tokens
        The formula from ``LAMBDA`` on, without white space and comments.
    source
        The same as it stands in the source.
    """

    name: str
    comment: str
    tokens: tuple[Token, ...]
    source: str

    @property
    def one_line(self) -> str:
        """The formula in one line, without the equals sign in front."""
        return "".join(token.text for token in self.tokens)


def formulas_folder() -> Traversable:
    """Return the folder of the formulas: inside an installed package, or at the top of a source checkout.

    Raises
    ------
    FileProblem
        If neither is there.
    """
    package = files("panelcal")
    for folder in (package / "addin" / "formulas", Path(str(package)).parents[1] / "addin" / "formulas"):
        if folder.is_dir():
            return folder
    raise FileProblem("The formulas are missing from this installation of panelcal: install it again.")


def read_formulas(text: str | None = None) -> tuple[NamedFormula, ...]:
    """Read all formulas of a source, by default panelcal's own, in their order.

    Raises
    ------
    ValueError
        If the text holds anything that is neither a definition nor a comment.
    """
    if text is None:
        text = (formulas_folder() / "source.txt").read_text(encoding="utf-8")
    found = [
        NamedFormula(match["name"], " ".join(match["comment"].split()), tuple(tokens(match["formula"] + ")")), match[0])
        for match in _DEFINITION.finditer(text)
    ]
    rest = re.sub(r"^//[^\n]*$", "", _DEFINITION.sub("", text), flags=re.M).strip()
    if rest:
        raise ValueError(f"neither a formula nor a comment: {rest[:60]!r}")
    return tuple(found)


def tokens(formula: str) -> Iterator[Token]:
    """Cut a formula into its tokens, leaving out white space and comments.

    Raises
    ------
    ValueError
        If something in it is no token.
    """
    place = 0
    while place < len(formula):
        match = _TOKEN.match(formula, place)
        if match is None:
            raise ValueError(f"no formula from here on: {formula[place : place + 40]!r}")
        kind = match.lastgroup
        if kind != "space":
            yield Token(kind, match[0])  # type: ignore[arg-type]
        place = match.end()
