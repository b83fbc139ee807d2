"""What the script for a Mac has its shell do, with a Python and an osascript that note what they are given."""

import os
import sys
from pathlib import Path

import pytest

from excel.applescript import Script
from panelcal.excel.finished_addin import script_content

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the script runs a Unix shell")
NAMES = ("marks.xlsx", 'it\'s $(touch hit) `x` "q" & ; | * ?.xlsx', "Prüfung  2026.xlsx", "-c.xlsx", "\\n.xlsx")
NOTES = "Library/Application Support/panelcal"


class Mac:
    """A home with a note of where Python is; what its programs note stands in files."""

    def __init__(self, root: Path) -> None:
        self.home = root / "Ada's home"
        self.notes = self.home / NOTES
        self.notes.mkdir(parents=True)
        self.python = self._program("python 3", 'echo boom >&2; echo last words >&2; [ "$5" != 99 ]')
        osascript = self._program("osascript", 'echo told > "${0%osascript}told"')
        os.mkfifo(self.home / "told")
        (self.notes / "python.txt").write_text(f"{self.python}\n")
        text = script_content().decode()
        assert text.count("/usr/bin/osascript") == 1
        quoted = "'" + str(osascript).replace("'", r"'\\''") + "'"
        self.script = Script(text.replace("/usr/bin/osascript", quoted), {**os.environ, "HOME": str(self.home)})

    def _program(self, name: str, does: str) -> Path:
        """A program that notes what it is given, a word in a line."""
        path = self.home / name
        path.write_text(f'#!/bin/sh\nfor each; do printf "%s\\n" "$each"; done > "$0.given"\n{does}\n')
        path.chmod(0o755)
        return path

    def click(self, asked: str) -> str:
        """Press a button and wait for what runs in the background, whose last step is osascript."""
        answer = self.script.run("startPython", asked)
        assert (self.home / "told").read_text() == "told\n"  # a pipe: reading waits for who writes
        return answer

    def given(self, name: str) -> list[str]:
        """What a program was given."""
        return (self.home / f"{name}.given").read_text().splitlines()


@pytest.fixture
def mac(tmp_path):
    return Mac(tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_python_gets_the_number_and_the_name_as_they_are_and_excel_is_told(mac, name):
    assert mac.click(f"02{name}") == "started"
    assert mac.given("osascript") == [
        "-e",
        'tell application "Microsoft Excel" to run VB macro "panelcal.xlam!RibbonCalibrate.PanelcalFinished"',
    ]
    assert mac.given("python 3") == ["-P", "-B", "-m", "panelcal.excel.clicks", "02", name]
    assert mac.script.run("lastWords", "") == ""
    assert not (mac.notes / "last-click.log").exists()


def test_what_python_said_when_it_stopped_is_kept(mac):
    assert mac.click("99marks.xlsx") == "started"
    assert mac.script.run("lastWords", "") == "last words"


@pytest.mark.parametrize("spoil", ["note", "python", "empty note"])
def test_a_python_that_is_gone_is_told_and_nothing_is_started(mac, spoil):
    {
        "note": (mac.notes / "python.txt").unlink,
        "python": mac.python.unlink,
        "empty note": lambda: (mac.notes / "python.txt").write_text(""),
    }[spoil]()
    assert mac.script.run("startPython", "01marks.xlsx") == "missing"
    assert not (mac.home / "osascript.given").exists()


@pytest.mark.parametrize("line", ["set x two 1", 'on f(a)\nreturn "', "on f(a)\ntry\nend f", 'property p : "a" + "b"'])
def test_a_broken_script_is_refused(line):
    with pytest.raises((SyntaxError, AssertionError, StopIteration)):
        Script(f"{line}\n", {}).run("f", "")
