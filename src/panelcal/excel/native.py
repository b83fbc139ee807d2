"""Chooses the native layer for this computer, and keeps decoration from stopping a run.

Print set-up, charts and the like are not worth losing the results for: where Excel refuses one of them (no printer, an
older version), the run goes on and the user is told what is missing.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import ModuleType

import xlwings as xw


def native() -> ModuleType:
    """Return the module that speaks to Excel on this computer."""
    if sys.platform == "darwin":
        from panelcal.excel import native_mac

        return native_mac
    from panelcal.excel import native_windows

    return native_windows


@contextmanager
def a1_references(app: xw.App) -> Iterator[None]:
    """Have Excel take references as A1 inside; conditions of formats are else read in the style of the user."""
    layer, changed = native(), False
    with suppress(Exception):
        if layer.shows_r1c1(app):
            layer.show_r1c1(app, False)
            changed = True
    try:
        yield
    finally:
        if changed:
            with suppress(Exception):
                layer.show_r1c1(app, True)


class Omissions:
    """What Excel refused to dress the sheets with, by name and without repetition."""

    def __init__(self) -> None:
        self.names: list[str] = []

    @contextmanager
    def attempt(self, name: str) -> Iterator[None]:
        """Go on after a failure inside, and note `name` as missing."""
        try:
            yield
        except Exception:  # each program and version has errors of its own, of no common kind
            if name not in self.names:
                self.names.append(name)

    @property
    def sentence(self) -> str:
        """One sentence for the user, "" when nothing is missing."""
        return f"This Excel would not add: {', '.join(self.names)}; the numbers are complete." if self.names else ""
