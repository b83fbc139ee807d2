"""What ends a run from outside (Ctrl-C, an end asked for by the system, a closed window) and what is tidied up then.

Python's own way, an exception that may come up in any line, is not for a program that must leave nothing behind:
libraries make errors of their own of it when it falls into their import, and swallow it while they tidy up. So the
signal itself ends the run: whatever is unfinished is undone, one sentence is said, and the process is over.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

STATUS = 130

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
_undoing: list[Callable[[], None]] = []
_done: list[str] = []
_heard: list[int] = []
_held: list[None] = []


def listen() -> None:
    """End the run, with nothing left behind, at the first signal that asks for it and that nobody ignores."""
    with suppress(ValueError):  # only the main thread hears signals
        for number in _numbers():
            if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
                signal.signal(number, _hear)


def stop_listening() -> None:
    """Let nothing more end the run, which is over but for what Python itself tidies up."""
    with suppress(ValueError):
        for number in _numbers():
            if signal.getsignal(number) is _hear:
                signal.signal(number, signal.SIG_IGN)


@contextmanager
def held_back() -> Iterator[None]:
    """Let a signal wait for the end of a `with` block, for what must happen as a whole."""
    _held.append(None)
    try:
        yield
    finally:
        _held.pop()
        if _heard and not _held:
            _end()


@contextmanager
def undone_by(undo: Callable[[], None]) -> Iterator[None]:
    """Have something undone should a signal end the run before the end of a `with` block."""
    _undoing.append(undo)
    try:
        yield
    finally:
        _undoing.remove(undo)


def has_done(what: str) -> None:
    """Take note of what cannot be undone, as in "out.xlsx was written", so that nobody is told the contrary."""
    _done.append(what)


def nothing_done() -> None:
    """Begin a command: what an earlier one in the same process has done is not its doing."""
    _done.clear()


def done() -> str:
    """Return what was done and stays, as in "out.xlsx was written"; empty where nothing was."""
    return " and ".join(_done)


def words() -> str:
    """Return what is said of an interruption."""
    return f"Interrupted, but {done()} before that." if done() else "Interrupted: nothing was written."


def _hear(number: int, _frame: FrameType | None) -> None:
    _heard.append(number)
    if not _held:
        _end()


def _end() -> None:
    stop_listening()
    for undo in reversed(_undoing):
        with suppress(Exception):  # the others are still to be undone
            undo()
    with suppress(OSError):  # a window that is closed shows nothing
        os.write(2, f"{words()}\n".encode(errors="backslashreplace"))
    os._exit(STATUS)


def _numbers() -> list[signal.Signals]:
    return [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]
