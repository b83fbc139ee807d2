"""Ctrl-C at any moment of the command leaves nothing half-written."""

import os
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from types import SimpleNamespace

import pytest

from excel.machines import machine
from panelcal import interruption
from panelcal.commands.progress_bar import ProgressBar
from panelcal.excel import install
from panelcal.files.saving import save_bytes, save_file
from run_panelcal import PATIENCE, run, started

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT for another process on Windows")

ROWS = 2_000


@pytest.fixture(scope="module")
def marks(tmp_path_factory):
    path = tmp_path_factory.mktemp("marks") / "marks.csv"
    lines = [f"S{k // 4:05d},M{(k * 7 + k // 4) % 40:02d},{50 + k % 37}" for k in range(ROWS)]
    path.write_text("Student,Module,Mark\n" + "\n".join(lines))
    return path


def interrupted(marks, folder, moment):
    """Run the command, press Ctrl-C once `moment(seconds since the start)` is true; return exit status and words."""
    target = folder / "out.xlsx"
    with started("calibrate", str(marks), "--force", "-o", str(target)) as process:
        start = time.monotonic()
        while process.poll() is None and not moment(time.monotonic() - start):
            time.sleep(0.002)
            assert time.monotonic() - start < PATIENCE
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE)
    return process.returncode, said.decode()


def is_writing(folder):
    return any(path.name.endswith(".tmp") for path in folder.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("there_before", [pytest.param(False, marks=pytest.mark.slow), True])
def test_an_interruption_while_the_file_is_written_leaves_the_folder_as_it_was(marks, tmp_path, there_before):
    if there_before:
        (tmp_path / "out.xlsx").write_bytes(b"old")
    status, said = interrupted(marks, tmp_path, lambda seconds: is_writing(tmp_path))
    assert (status, said) == (130, "Interrupted: nothing was written.\n")
    assert [path.name for path in tmp_path.iterdir()] == (["out.xlsx"] if there_before else [])
    assert not there_before or (tmp_path / "out.xlsx").read_bytes() == b"old"


@pytest.mark.slow
@pytest.mark.parametrize("after", [0.3, 1.0, 1.6])
def test_an_interruption_at_any_time_leaves_the_whole_file_or_none(marks, tmp_path, after):
    status, said = interrupted(marks, tmp_path, lambda seconds: seconds > after)
    left = [path.name for path in tmp_path.iterdir()]
    assert left in ([], ["out.xlsx"])
    if left:
        assert (status, said) in [(0, ""), (130, "Interrupted, but out.xlsx was written before that.\n")]
        with zipfile.ZipFile(tmp_path / "out.xlsx") as archive:
            assert archive.testzip() is None
    elif status == -signal.SIGINT:  # while Python itself was starting, before anything of ours could hear it
        assert "cli.py" not in said
    else:
        assert (status, said) == (130, "Interrupted: nothing was written.\n")


# Where a signal falls, line by line of what the program is made of; `interrupt` raises it there.
PLACES = {
    "before anybody listens": """
import importlib.abc
class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "panelcal.interruption":
            interrupt()
sys.meta_path.insert(0, Finder())
""",
    "in the import of our own command line": """
import importlib.abc
class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "panelcal.cli":
            interrupt()
sys.meta_path.insert(0, Finder())
""",
    "in the import of a library, which makes an error of its own of it": """
import importlib.abc
class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "numpy":
            try:
                interrupt()
            except BaseException:
                raise ImportError("numpy's C-extensions could not be imported")
sys.meta_path.insert(0, Finder())
""",
    "where an object is given back, where Python ignores what is raised": """
from panelcal.commands import check_file
class Given:
    def __del__(self):
        interrupt()
understand = check_file.understand
def understood(*arguments):
    Given()
    return understand(*arguments)
check_file.understand = understood
""",
    "while an error of the file's is tidied up": """
from panelcal.commands import check_file
def load(path):
    try:
        raise OSError(28, "No space left on device")
    finally:
        interrupt()
check_file.load_source = load
""",
    "in typer, between our own guards": """
import typer.core
make = typer.core.TyperCommand.make_context
def made(*arguments, **options):
    interrupt()
    return make(*arguments, **options)
typer.core.TyperCommand.make_context = made
""",
    "while another one is tidied up after": """
from panelcal import interruption
from panelcal.commands import check_file
def load(path):
    with interruption.undone_by(interrupt):
        interrupt()
check_file.load_source = load
""",
}
BEGINNING = """
import os, signal, sys
def interrupt():
    signal.raise_signal(signal.SIGINT)
signal.signal(signal.SIGINT, signal.default_int_handler)
"""


@pytest.mark.parametrize(
    "place", [*list(PLACES)[:2], *(pytest.param(p, marks=pytest.mark.slow) for p in list(PLACES)[2:])]
)
def test_an_interruption_ends_the_run_in_one_sentence_wherever_it_falls(place, marks, tmp_path):
    program = f"{BEGINNING}{PLACES[place]}\nsys.argv[1:] = {['check', str(marks)]}\nimport panelcal.__main__ as start\n"
    program += "start.main()\n"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (130, "Interrupted: nothing was written.\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_an_interruption_while_python_ends_changes_nothing(marks):
    program = f"{BEGINNING}import atexit\natexit.register(interrupt)\n"
    program += f"sys.argv[1:] = {['check', str(marks)]}\nimport panelcal.__main__ as start\nstart.main()\n"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


class Ended(SystemExit):
    """The process would be over here."""


@pytest.fixture
def listening(monkeypatch):
    """Signals are heard as in a process of its own, and in place of its end `Ended` is raised with the status."""

    def end(status):
        raise Ended(status)

    monkeypatch.setattr(os, "_exit", end)
    monkeypatch.setattr(interruption, "_done", [])
    monkeypatch.setattr(interruption, "_heard", [])
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    for number in before:
        signal.signal(number, signal.SIG_DFL)
    interruption.listen()
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("stage", ["loading", "reading", "calibrating", "explaining", "writing"])
def test_an_interruption_at_any_stage_leaves_nothing_behind(
    stage, number, small_board, tmp_path, monkeypatch, listening, capfd
):
    within = ProgressBar.within

    def interrupted_within(bar, doing):
        if doing == stage:
            signal.raise_signal(number)
        return within(bar, doing)

    monkeypatch.setattr(ProgressBar, "within", interrupted_within)
    assert run("calibrate", str(small_board), "-o", str(tmp_path / "out.xlsx")).returncode == 130
    assert capfd.readouterr().err == "Interrupted: nothing was written.\n"
    assert not list(tmp_path.iterdir())


def test_an_unfinished_file_is_gone_before_the_run_ends(tmp_path, monkeypatch, listening):
    """Nothing after the signal may be needed for it."""
    left = []

    def end(status):
        left.extend(tmp_path.iterdir())
        raise Ended(status)

    def write(stream):
        stream.write(b"marks")
        assert len(list(tmp_path.iterdir())) == 1
        signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(os, "_exit", end)
    with pytest.raises(Ended):
        save_file(write, tmp_path / "out.xlsx")
    assert left == []


@pytest.mark.parametrize("step", ["mkstemp", "replace"])
def test_a_signal_waits_where_a_file_is_made_or_moved(step, tmp_path, monkeypatch, listening, capfd):
    room = {"mkstemp": tempfile, "replace": os}[step]
    real = getattr(room, step)

    def doing(*arguments, **options):
        done = real(*arguments, **options)
        signal.raise_signal(signal.SIGINT)  # when it is done and nobody has been told of it yet
        return done

    monkeypatch.setattr(room, step, doing)
    with pytest.raises(Ended):
        save_bytes(b"whole", tmp_path / "out.xlsx")
    if step == "mkstemp":
        assert not list(tmp_path.iterdir())
        assert capfd.readouterr().err == "Interrupted: nothing was written.\n"
    else:
        assert (tmp_path / "out.xlsx").read_bytes() == b"whole"
        assert capfd.readouterr().err == "Interrupted, but out.xlsx was written before that.\n"


def test_who_ignores_a_signal_goes_on_ignoring_it():
    """As under nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        interruption.listen()
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        interruption.stop_listening()
        signal.signal(signal.SIGHUP, before)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)


def test_the_cursor_that_a_bar_hides_is_shown_again(monkeypatch, listening, capfd):
    monkeypatch.setattr(sys, "stderr", SimpleNamespace(isatty=lambda: True, write=len, flush=lambda: None))
    with pytest.raises(Ended), ProgressBar():
        signal.raise_signal(signal.SIGINT)
    assert capfd.readouterr().err == "\033[?25h\nInterrupted: nothing was written.\n"


def test_an_installation_is_whole_whenever_a_signal_falls(tmp_path, monkeypatch, listening, capfd):
    write = install._write

    def interrupted_write(path, content):
        write(path, content)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(install, "_write", interrupted_write)
    computer = machine(tmp_path, "darwin")
    with pytest.raises(Ended):
        install.install_addin(computer)
    assert capfd.readouterr().err == "Interrupted, but the add-in was installed before that.\n"
    monkeypatch.setattr(install, "_write", write)
    monkeypatch.setattr(interruption, "_heard", [])
    assert len(install.uninstall_addin(computer).files) == 4  # the add-in, its script, where Python is, the record
