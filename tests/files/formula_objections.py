"""What Excel refuses in a formula: lengths, names that are no legal ones, brackets."""

from __future__ import annotations

import re
from collections.abc import Iterable

from openpyxl.utils import FORMULAE

from panelcal.files.formula_source import NamedFormula
from panelcal.files.formula_storage import NEW_FUNCTIONS, stored, variables

LONGEST_FORMULA, LONGEST_COMMENT, LONGEST_TEXT, DEEPEST, MOST_ARGUMENTS = 8192, 255, 255, 64, 254
_REFUSED_AS_NAMES = frozenset(
    "ARGUMENT BREAK CALL ELSE ERROR EVALUATE EXEC EXECUTE FALSE GROUP RESULT RETURN TRUE VALUE YIELD".split()
)
# A cell such as A1 or XFD9, or a whole row or column in the notation R1C1.
_LIKE_A_CELL = re.compile(r"[A-Za-z]{1,3}[0-9]+|[Rr][0-9]*(?:[Cc][0-9]*)?|[Cc][0-9]*")


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
