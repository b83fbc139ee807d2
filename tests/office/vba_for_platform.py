"""VBA as one platform sees it: LibreOffice ignores #If lines, so they are carried out here first."""

from __future__ import annotations

import re

WINDOWS = {"Mac": False, "VBA7": True, "Win64": True, "MAC_OFFICE_VERSION": 0}
MAC = {"Mac": True, "VBA7": True, "Win64": True, "MAC_OFFICE_VERSION": 16}
_DIRECTIVE = re.compile(r"^ *#(If|ElseIf|Else|End If|Const)\b(.*)$")


def for_platform(text: str, constants: dict[str, object]) -> str:
    """Return a text with the lines of other platforms left out."""
    known = dict(constants)
    kept: list[str] = []
    levels: list[tuple[bool, bool]] = []  # (this branch is taken, one of the branches was)
    for line in text.replace("\r\n", "\n").split("\n"):
        match = _DIRECTIVE.match(line)
        outside = all(taken for taken, _ in levels[:-1])
        if match is None:
            if all(taken for taken, _ in levels):
                kept.append(line)
        elif match[1] == "Const":
            name, value = match[2].split("=", 1)
            known[name.strip()] = _value(value, known)
        elif match[1] == "If":
            taken = bool(_value(match[2], known))
            levels.append((taken, taken))
        elif match[1] == "End If":
            levels.pop()
        else:
            _, before = levels.pop()
            taken = outside and not before and (match[1] == "Else" or bool(_value(match[2], known)))
            levels.append((taken, before or taken))
    assert not levels
    return "\n".join(kept)


def _value(expression: str, known: dict[str, object]) -> object:
    """Work out a condition such as ``Mac Or Not VBA7``."""
    text = re.sub(r"\bThen\b.*", "", expression).split("'")[0]
    for basic, python in (("Not", "not"), ("Or", "or"), ("And", "and")):
        text = re.sub(rf"\b{basic}\b", python, text)
    text = re.sub(r"(?<![<>])=", "==", text)
    return eval(text.strip(), {"__builtins__": {}, "True": True, "False": False}, known)
