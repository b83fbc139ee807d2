"""Runs the command line as a user would, and looks at what it wrote.

In the process of the tests, which saves starting Python a hundred times; `run_in_process_of_its_own` is the real
thing, and `test_process.py` holds that both do the same.
"""

import contextlib
import gc
import hashlib
import io
import os
import signal
import subprocess
import sys
import traceback
import types
import warnings
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import openpyxl
import pytest

PROGRAM = (sys.executable, "-m", "panelcal")
PATIENCE = 120.0
_SETTINGS = {"NO_COLOR": "1", "COLUMNS": "120"}


def run(*arguments: str, folder: Path | None = None, **environment: str) -> subprocess.CompletedProcess:
    """Run a command in this process: same words, same files, same exit status as in one of its own."""
    # Imported here, so that a test that only asks for a real process does not wait for it.
    from panelcal.cli import main

    out, err = _stream(), _stream()
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        contextlib.chdir(folder or Path.cwd()),
        pytest.MonkeyPatch.context() as patch,
        _collector_as_found(),
        _warnings_as_in_a_process(),
    ):
        for name, value in {**_SETTINGS, **environment}.items():
            patch.setenv(name, value)
        patch.setattr(sys, "argv", ["panelcal", *arguments])
        patch.setitem(sys.modules, "__main__", types.ModuleType("__main__"))  # says what the program is called
        status = _exit_status(main)
    return subprocess.CompletedProcess(arguments, status, _text(out), _text(err))


def run_in_process_of_its_own(
    *arguments: str, folder: Path | None = None, **environment: str
) -> subprocess.CompletedProcess:
    return subprocess.run(
        [*PROGRAM, *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, **_SETTINGS, **environment},
        timeout=PATIENCE,
        check=False,
    )


@contextlib.contextmanager
def started(*arguments: str, **environment: str) -> Iterator[subprocess.Popen]:
    """A command in a process of its own that can be interrupted, whatever the shell that started the tests ignores."""
    # A job in the background of a shell ignores Ctrl-C, one under nohup the end of its window; children inherit that.
    before = {number: signal.signal(number, signal.SIG_DFL) for number in (signal.SIGINT, signal.SIGHUP)}
    try:
        process = subprocess.Popen(
            [*PROGRAM, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **_SETTINGS, **environment},
        )
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    with process:
        yield process


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)


def _text(stream: io.TextIOWrapper) -> str:
    return stream.buffer.getvalue().decode().replace("\r\n", "\n")


def _exit_status(main) -> int:
    try:
        main()
    except SystemExit as ended:
        if ended.code is None or isinstance(ended.code, int):
            return ended.code or 0
        print(ended.code, file=sys.stderr)
        return 1
    except Exception:
        traceback.print_exc()
        return 1
    return 0


@contextlib.contextmanager
def _collector_as_found() -> Iterator[None]:
    """The command switches the garbage collector off for good; the tests go on after it."""
    enabled = gc.isenabled()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@contextlib.contextmanager
def _warnings_as_in_a_process() -> Iterator[None]:
    """The tests make errors of warnings; a user finds them on the terminal."""

    def shown(message, category, filename, lineno, file=None, line=None):
        sys.stderr.write(warnings.formatwarning(message, category, filename, lineno, line))

    with warnings.catch_warnings(), mock.patch.object(warnings, "showwarning", shown):
        warnings.resetwarnings()
        for hidden in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
            warnings.simplefilter("ignore", hidden)
        yield


@contextlib.contextmanager
def looking_at(path: Path) -> Iterator[openpyxl.Workbook]:
    """A workbook for looking at names and values: openpyxl takes seven times as long for formats and charts."""
    with contextlib.closing(openpyxl.load_workbook(path, data_only=True, read_only=True)) as book:
        yield book


def sheet_names(path: Path) -> list[str]:
    with looking_at(path) as book:
        return book.sheetnames


def sheet_rows(path: Path, name: str) -> list[dict]:
    """The rows of a result sheet below its headings in row 4, each by its headings."""
    with looking_at(path) as book:
        rows = list(book[name].iter_rows(min_row=4, values_only=True))
    headings = list(rows[0])
    return [dict(zip(headings, row, strict=True)) for row in rows[1:] if row[0] is not None]


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
