"""LibreOffice on a screen of its own with the extension installed as a user would install it, for tests that click."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from office import office

DRIVER = Path(__file__).with_name("drive_screen.py")
_WITHOUT_ROOT = """#!{python}
# LibreOffice's tool for extensions refuses the administrator: this one lets nobody do it.
import os, shutil, sys
arguments = [one for one in sys.argv[1:] if one != "--shared"]
home = os.environ["HOME"]
if arguments[-1].endswith(".oxt"):
    arguments[-1] = shutil.copy(arguments[-1], home)
    os.chmod(arguments[-1], 0o644)
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
os.chdir(home)
os.execv({tool!r}, ["unopkg", *arguments])
"""


def need_screen() -> None:
    """Skip the calling test without LibreOffice, a screen in memory and a mouse; fail it where all is required."""
    office.need_office()
    for program in ("Xvfb", "xdotool", "unopkg"):
        if shutil.which(program) is None:
            if office.REQUIRED:
                pytest.fail(f"{program} is not installed, and PANELCAL_REQUIRE_OFFICE=1")
            pytest.skip(f"{program} is not installed")


def panelcal(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command of panelcal for a user with a home of their own, whose LibreOffice is the computer's."""
    return subprocess.run(
        [sys.executable, "-m", "panelcal", *arguments],
        env=_environment(home),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@contextmanager
def folder_of_a_user() -> Iterator[Path]:
    """Lend a folder that others may look into; pytest closes its own again whenever it starts elsewhere."""
    with tempfile.TemporaryDirectory(prefix="panelcal-user-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def new_home(folder: Path) -> Path:
    """Make a home for a user who has nothing yet."""
    home, programs = folder / "home", folder / "programs"
    home.mkdir()
    programs.mkdir()
    (home / "Documents").mkdir()
    if os.geteuid() == 0:
        os.chown(home, 65534, 65534)
        tool = programs / "unopkg"
        tool.write_text(_WITHOUT_ROOT.format(python=sys.executable, tool=shutil.which("unopkg")))
        tool.chmod(0o755)
    return home


def _environment(home: Path) -> dict[str, str]:
    programs = str(home.with_name("programs"))
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "PYTHON"))}
    source = str(Path(__file__).parents[2] / "src")
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    return {
        **kept,
        "HOME": str(home),
        "PATH": path,
        "PYTHONPATH": source,
        "SAL_USE_VCLPLUGIN": "gen",
        "LANG": "C.UTF-8",
    }


@contextmanager
def _display(folder: Path) -> Iterator[str]:
    """Start a screen in memory, its picture in a file of a folder; it chooses a number that is free."""
    reading, writing = os.pipe()
    kept = ["-fbdir", str(folder)]
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1400x900x24", "-nolisten", "tcp", *kept],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        with os.fdopen(reading) as stream:
            yield f":{stream.readline().strip()}"
    finally:
        server.terminate()
        server.wait()


class Screen:
    """A driver beside an office on a screen; every method of `drive_screen.Screen` can be called here."""

    def __init__(self, home: Path, display: str, picture: Path) -> None:
        bridge = office._bridge()
        assert bridge is not None
        self.home = home
        profile = home / ".config" / "libreoffice" / "4"
        environment = _environment(home) | {"DISPLAY": display}
        del environment["PYTHONPATH"]
        self._driver = subprocess.Popen(
            [bridge, str(DRIVER), str(profile), str(picture)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def __getattr__(self, name: str) -> Any:
        return lambda *given: self._ask(name, given)

    def _ask(self, name: str, given: tuple[Any, ...]) -> Any:
        assert self._driver.stdin is not None
        assert self._driver.stdout is not None
        plain = [str(one) if isinstance(one, Path) else one for one in given]
        self._driver.stdin.write(json.dumps({"do": name, "with": plain}) + "\n")
        self._driver.stdin.flush()
        line = self._driver.stdout.readline()
        if not line:
            raise RuntimeError("the driver of the office has ended")
        said = json.loads(line)
        if "fault" in said:
            raise RuntimeError(said["fault"])
        return said["answer"]

    def over(self) -> None:
        """End the driver and the office."""
        try:
            self._ask("end", ())
        finally:
            self._driver.kill()
            self._driver.communicate()


@contextmanager
def on_screen(home: Path) -> Iterator[Screen]:
    """Start an office on a screen."""
    with tempfile.TemporaryDirectory() as folder, _display(Path(folder)) as display:
        screen = Screen(home, display, Path(folder, "Xvfb_screen0"))
        try:
            yield screen
        finally:
            screen.over()


class KeptOffice:
    """One office for several tests; another one after a test that ended it or left a dialog: each fails for itself."""

    def __init__(self, home: Path) -> None:
        self._home, self._office = home, ExitStack()
        self._screen: Screen | None = None

    def screen(self) -> Screen:
        """Return the office that runs."""
        if self._screen is None or not self._screen.is_free():
            self.close()
            self._screen = self._office.enter_context(on_screen(self._home))
        return self._screen

    def close(self) -> None:
        """End the office."""
        self._office.close()
