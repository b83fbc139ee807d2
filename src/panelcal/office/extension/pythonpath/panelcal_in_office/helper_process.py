"""The helper: a kept process in panelcal's own environment, spoken to through its standard input and output.

Nobody else can reach it: there is no port and no file to write to. Which Python it is, stands in a file of the user's
that `panelcal install --libreoffice` writes; a document cannot name one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading

NOTE = "libreoffice-python.txt"
NOT_INSTALLED = (
    'This computer does not say yet where panelcal is: run "panelcal install --libreoffice" in a terminal, then start '
    "LibreOffice again."
)
STOPPED = "panelcal stopped in the middle, and nothing was changed: click again."

_OF_THE_OFFICE = ("PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "URE_BOOTSTRAP", "UNO_PATH")


class HelperProblem(Exception):
    """The helper cannot be used; the text is for the user."""


class Helper:
    """One kept process; a new one for each question would load everything anew."""

    def __init__(self):
        """Begin without a process; the first question starts it."""
        self._process = None
        self._lock = threading.Lock()

    def ask(self, request, telling=None):
        """Ask, and return the answer.

        Parameters
        ----------
        request
            What can be written as JSON; "do" says what is to be done.
        telling
            Told what the helper is doing.

        Raises
        ------
        HelperProblem
            If there is no helper, or it ended in the middle.
        """
        with self._lock:
            if self._process is not None and self._process.poll() is not None:
                self._forget()
            if self._process is None:
                self._process = _started()
            try:
                return _asked(self._process, request, telling)
            except HelperProblem:
                self._forget()
                raise

    def stop(self):
        """End the process, whatever it is doing; the next question starts another."""
        process = self._process
        if process is not None:
            process.kill()
        with self._lock:  # whoever waits for an answer learns of it first
            self._forget()

    def _forget(self):
        process, self._process = self._process, None
        if process is not None:
            _end(process)


def note_path():
    """Return the file that says where panelcal's Python is."""
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        folder = os.environ.get("APPDATA") or os.path.join(home, "AppData", "Roaming")
    elif sys.platform == "darwin":
        folder = os.path.join(home, "Library", "Application Support")
    else:
        folder = os.path.join(home, ".local", "share")
    return os.path.join(folder, "panelcal", NOTE)


def version():
    """Return the version of panelcal that this extension belongs to."""
    with open(os.path.join(os.path.dirname(__file__), "version.txt"), encoding="utf-8") as stream:
        return stream.read().strip()


def _started():
    try:
        with open(note_path(), encoding="utf-8") as stream:
            python = stream.readline().strip()
    except OSError:
        raise HelperProblem(NOT_INSTALLED) from None
    if not os.path.isabs(python) or not os.path.isfile(python):
        raise HelperProblem(
            f'{python} is not there any more: run "panelcal install --libreoffice" again, then start LibreOffice again.'
        )
    clean = {name: value for name, value in os.environ.items() if name not in _OF_THE_OFFICE}
    hidden = {"creationflags": subprocess.CREATE_NO_WINDOW} if sys.platform == "win32" else {}
    process = subprocess.Popen(
        [python, "-P", "-m", "panelcal.office.answer_requests"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=tempfile.gettempdir(),
        env=clean,
        **hidden,
    )
    try:
        found = _asked(process, {"do": "hello"}, None)["version"]
    except HelperProblem:
        _end(process)
        raise HelperProblem(
            f'panelcal does not start ({python}): run "panelcal install --libreoffice" again, then start LibreOffice '
            "again."
        ) from None
    if found != version():
        _end(process)
        raise HelperProblem(
            f"These buttons belong to panelcal {version()}, and panelcal {found} is installed: run "
            '"panelcal install --libreoffice" again, then start LibreOffice again.'
        )
    return process


def _end(process):
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        try:
            pipe.close()
        except OSError:  # what was not sent yet has nobody to go to
            pass


def _asked(process, request, telling):
    try:
        process.stdin.write((json.dumps(request) + "\n").encode())
        process.stdin.flush()
        while True:
            line = process.stdout.readline()
            if not line:
                raise HelperProblem(STOPPED)
            said = json.loads(line.decode())
            if "answer" in said:
                return said["answer"]
            if telling is not None:
                telling(said["telling"])
    except (OSError, ValueError):
        raise HelperProblem(STOPPED) from None


FOR_BUTTONS = Helper()
FOR_CELLS = Helper()
"""Cells have a helper of their own: they are calculated while the other one is at work."""


def computed(name, arguments):
    """Return the rows of a function for cells; Calc shows them where it was entered as an array formula.

    Blocks of values go to the helper; a refusal is a sentence in the cell.
    """
    given = [[list(row) for row in one] if isinstance(one, tuple) else one for one in arguments]
    try:
        rows = FOR_CELLS.ask({"do": "cells", "name": name, "arguments": given})
    except HelperProblem as problem:
        return ((str(problem),),)
    if "refused" in rows:
        return ((rows["refused"]["words"],),)
    return tuple(tuple("" if value is None else value for value in row) for row in rows["rows"])
