"""How Excel stores newer functions and variables in a file: with prefixes.

`stored` turns a formula as people type it into the text of a file: ``_xlfn.`` before functions younger than the file
format, ``_xlpm.`` before variables of LET and LAMBDA, ``_xlop.`` in place of the brackets round an optional parameter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from panelcal.files.formula_source import Token, tokens

NEW_FUNCTIONS: Mapping[str, str] = MappingProxyType(
    {
        name: f"_xlfn.{name}"
        for name in "ANCHORARRAY HSTACK ISOMITTED LAMBDA LET MUNIT REDUCE SEQUENCE TOCOL VSTACK".split()
    }
    | {"FILTER": "_xlfn._xlws.FILTER"}
)
"""Functions used here that a file names with a prefix; every other one has been in Excel since 2007."""


def stored(formula: str | Sequence[Token]) -> str:
    """Spell a formula as a workbook stores it, without the equals sign.

    Parameters
    ----------
    formula
        As typed, or its tokens.
    """
    pieces = list(tokens(formula.lstrip("="))) if isinstance(formula, str) else list(formula)
    local = variables(pieces)
    return "".join(_stored(token, local) for token in pieces)


def _stored(token: Token, local: frozenset[str]) -> str:
    if token.kind == "function" and token.text in NEW_FUNCTIONS:
        return NEW_FUNCTIONS[token.text]
    if token.kind == "optional":
        return f"_xlop.{token.text[1:-1]}"
    return f"_xlpm.{token.text}" if token.kind == "name" and token.text in local else token.text


def variables(formula: Sequence[Token]) -> frozenset[str]:
    """Return the parameters of all LAMBDAs and the variables of all LETs in a formula."""
    found = set()
    # For each open bracket: the function before it, and how many commas were met inside.
    open_calls: list[list[str | int]] = []
    for at, token in enumerate(formula):
        before = formula[at - 1].text if at else ""
        after = formula[at + 1].text if at + 1 < len(formula) else ""
        if token.text == "(" and token.kind == "mark":
            open_calls.append([before if formula[at - 1].kind == "function" else "", 0])
        elif token.text == ")" and token.kind == "mark":
            open_calls.pop()
        elif token.text == "," and token.kind == "mark":
            if open_calls:
                open_calls[-1][1] = int(open_calls[-1][1]) + 1
        elif token.kind == "optional":
            found.add(token.text[1:-1])
        elif token.kind == "name" and open_calls and before in "(," and after == ",":
            function, place = open_calls[-1]
            if function == "LAMBDA" or (function == "LET" and int(place) % 2 == 0):
                found.add(token.text)
    return frozenset(found)
