"""The small part of AppleScript that our script keeps to, read strictly and carried out where no Mac compiles it."""

from __future__ import annotations

import re
import subprocess

_STRING = re.compile(r'"((?:[^"\\]|\\["\\])*)"')
_SLICE = re.compile(r"\(text (\d+) thru (-?\d+) of (\w+)\)")


class Script:
    """A script of properties and handlers; whatever else stands in it is refused as a compiler would.

    Parameters
    ----------
    text
        The source.
    environment
        What its shell sees.
    """

    def __init__(self, text: str, environment: dict[str, str]) -> None:
        self.environment = environment
        self.properties: dict[str, str] = {}
        self.handlers: dict[str, tuple[str, list[str]]] = {}
        lines = iter([line.strip() for line in text.splitlines() if line.strip() and not line.startswith("--")])
        for line in lines:
            if found := re.fullmatch(r"property (\w+) : (.*)", line):
                self.properties[found[1]] = self._value(found[2], {})
            elif found := re.fullmatch(r"on (\w+)\((\w+)\)", line):
                body = list(iter(lambda: next(lines), f"end {found[1]}"))  # StopIteration where it does not end
                assert body.count("try") == body.count("on error") == body.count("end try") <= 1
                self.handlers[found[1]] = found[2], body
            else:
                raise SyntaxError(line)

    def run(self, handler: str, argument: str) -> str:
        """Call a handler as AppleScriptTask does."""
        parameter, body = self.handlers[handler]
        names = {**self.properties, parameter: argument}
        at, rescue = 0, None
        while at < len(body):
            line, at = body[at], at + 1
            if line == "try":
                rescue = body.index("on error", at)
            elif line == "on error":  # nothing went wrong
                at = body.index("end try", at)
            elif line == "end try":
                rescue = None
            elif found := re.fullmatch(r"return (.*)", line):
                return self._value(found[1], names)
            else:
                found = re.fullmatch(r"(?:set (\w+) to )?(.*)", line)
                try:
                    names[found[1]] = self._value(found[2], names)
                except subprocess.CalledProcessError:
                    if rescue is None:
                        raise
                    at, rescue = rescue + 1, None
        raise SyntaxError(f"{handler} returns nothing")

    def _value(self, expression: str, names: dict[str, str]) -> str:
        if expression.startswith("do shell script "):
            command = self._value(expression.removeprefix("do shell script "), names)
            done = subprocess.run(
                ["/bin/sh", "-c", command], env=self.environment, capture_output=True, text=True, check=True
            )
            return done.stdout.removesuffix("\n")
        value, rest = self._term(expression, names)
        while rest:
            assert rest.startswith(" & "), expression
            more, rest = self._term(rest.removeprefix(" & "), names)
            value += more
        return value

    def _term(self, expression: str, names: dict[str, str]) -> tuple[str, str]:
        if expression.startswith("quoted form of "):
            value, rest = self._term(expression.removeprefix("quoted form of "), names)
            return "'" + value.replace("'", r"'\''") + "'", rest
        if found := _STRING.match(expression):
            return re.sub(r"\\(.)", r"\1", found[1]), expression[found.end() :]
        if found := _SLICE.match(expression):
            first, last = int(found[1]) - 1, int(found[2])
            return names[found[3]][first : None if last == -1 else last], expression[found.end() :]
        found = re.match(r"\w+", expression)
        if found is None or found[0] not in names:
            raise SyntaxError(expression)
        return names[found[0]], expression[found.end() :]
