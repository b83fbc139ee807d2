"""How Excel stores newer functions and variables in a file, and what it refuses: prefixes, lengths, legal names.

`stored` turns a formula as people type it into the text of a file: ``_xlfn.`` before functions younger than the file
format, ``_xlpm.`` before variables of LET and LAMBDA, ``_xlop.`` in place of the brackets round an optional parameter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from openpyxl.utils import FORMULAE

from panelcal.files.formula_source import NamedFormula, Token, tokens

LONGEST_FORMULA, LONGEST_COMMENT, LONGEST_TEXT, DEEPEST, MOST_ARGUMENTS = 8192, 255, 255, 64, 254

NEW_FUNCTIONS: Mapping[str, str] = MappingProxyType(
    {
        name: f"_xlfn.{name}"
        for name in "ANCHORARRAY HSTACK ISOMITTED LAMBDA LET MUNIT REDUCE SEQUENCE TOCOL VSTACK".split()
    }
    | {"FILTER": "_xlfn._xlws.FILTER"}
)
"""Functions used here that a file names with a prefix; every other one has been in Excel since 2007."""

_REFUSED_AS_NAMES = frozenset(
    "ARGUMENT BREAK CALL ELSE ERROR EVALUATE EXEC EXECUTE FALSE GROUP RESULT RETURN TRUE VALUE YIELD".split()
)
# A cell such as A1 or XFD9, or a whole row or column in the notation R1C1.
_LIKE_A_CELL = re.compile(r"[A-Za-z]{1,3}[0-9]+|[Rr][0-9]*(?:[Cc][0-9]*)?|[Cc][0-9]*")


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


def objections(formula: NamedFormula, known: Iterable[str]) -> list[str]:
    """List everything Excel would refuse in a formula; `known` are the names the workbook defines."""
    found = []
    text = stored(formula.tokens)
    if len(text) >= LONGEST_FORMULA:
        found.append(f"stored, it has {len(text)} characters")
    local, names = variables(formula.tokens), frozenset(known)
    for variable in sorted(local):
        if _LIKE_A_CELL.fullmatch(variable) or variable.upper() in _REFUSED_AS_NAMES | FORMULAE | set(NEW_FUNCTIONS):
            found.append(f"{variable} is no legal name for a variable")
    for token in formula.tokens:
        if token.kind == "text" and len(token.text) - 2 > LONGEST_TEXT:
            found.append(f"a text of {len(token.text)} characters")
        elif token.kind == "function" and token.text not in FORMULAE | set(NEW_FUNCTIONS) | names:
            found.append(f"{token.text} is no function")
        elif token.kind == "name" and token.text not in local | {"TRUE", "FALSE"}:
            found.append(f"{token.text} is not defined")
    return found + _bracket_objections(formula)


def _bracket_objections(formula: NamedFormula) -> list[str]:
    """List what is wrong with brackets and the number of arguments in them; the first such thing ends the list."""
    depth, commas = 0, [0]
    for token in formula.tokens:
        if token.kind == "mark" and token.text == "(":
            depth += 1
            commas.append(0)
        elif token.kind == "mark" and token.text == ")":
            depth -= 1
            if depth < 0 or commas.pop() >= MOST_ARGUMENTS:
                return ["brackets do not pair up, or hold too many arguments"]
        elif token.kind == "mark" and token.text == ",":
            commas[-1] += 1
        if depth > DEEPEST:
            return ["nested too deeply"]
    return ["brackets do not pair up"] if depth else []
