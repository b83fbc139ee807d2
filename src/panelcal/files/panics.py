"""What calamine, which is written in Rust, does with a file that it did not expect: it panics.

Python is handed an exception that no `except Exception` stops, and Rust itself writes lines about its source to the
terminal. Both are turned into one error that the callers know.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from panelcal.interruption import held_back

_TERMINAL = 2


class Panicked(Exception):
    """calamine cannot read this file."""


@contextmanager
def no_panics() -> Iterator[None]:
    """Raise `Panicked` where calamine panics, and keep what Rust says of it from the terminal.

    Signals wait, since a run that ends has something to say on the terminal; inside calamine they wait anyway.
    """
    with held_back(), _unheard():
        try:
            yield
        except BaseException as error:
            if type(error).__name__ != "PanicException":
                raise
            raise Panicked from error


@contextmanager
def _unheard() -> Iterator[None]:
    """Lead what goes to the terminal past Python into nothing, where there is a terminal."""
    try:
        kept, nothing = os.dup(_TERMINAL), os.open(os.devnull, os.O_WRONLY)
    except OSError:
        yield
        return
    try:
        os.dup2(nothing, _TERMINAL)
        yield
    finally:
        os.dup2(kept, _TERMINAL)
        with suppress(OSError):
            os.close(kept)
            os.close(nothing)
