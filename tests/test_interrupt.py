"""Ctrl-C at any moment of the command leaves nothing half-written."""

import signal
import sys
import time
import zipfile

import pytest

from panelcal.commands.progress_bar import ProgressBar
from run_panelcal import PATIENCE, run, started

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT for another process on Windows")

ROWS = 4_000


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


@pytest.mark.parametrize("there_before", [False, True])
def test_an_interruption_while_the_file_is_written_leaves_the_folder_as_it_was(marks, tmp_path, there_before):
    if there_before:
        (tmp_path / "out.xlsx").write_bytes(b"old")
    status, said = interrupted(marks, tmp_path, lambda seconds: is_writing(tmp_path))
    assert (status, said) == (130, "Interrupted: nothing was written.\n")
    assert [path.name for path in tmp_path.iterdir()] == (["out.xlsx"] if there_before else [])
    assert not there_before or (tmp_path / "out.xlsx").read_bytes() == b"old"


@pytest.mark.parametrize("after", [0.3, 1.0, 1.6])
def test_an_interruption_at_any_time_leaves_the_whole_file_or_none(marks, tmp_path, after):
    status, _ = interrupted(marks, tmp_path, lambda seconds: seconds > after)
    left = [path.name for path in tmp_path.iterdir()]
    # While Python is starting or ending, nobody can catch the signal: the process ends by it, or by the error that a
    # library makes of it when its own import is cut short.
    assert (status, left) in [
        *((status, []) for status in (130, -signal.SIGINT, 1)),
        *((status, ["out.xlsx"]) for status in (0, 130, -signal.SIGINT)),
    ]
    if left:
        with zipfile.ZipFile(tmp_path / "out.xlsx") as archive:
            assert archive.testzip() is None


@pytest.mark.parametrize("stage", ["loading", "reading", "calibrating", "explaining", "writing"])
def test_an_interruption_at_any_stage_leaves_nothing_behind(stage, example, tmp_path, monkeypatch):
    within = ProgressBar.within

    def interrupted_within(bar, doing):
        if doing == stage:
            signal.raise_signal(signal.SIGINT)
        return within(bar, doing)

    monkeypatch.setattr(ProgressBar, "within", interrupted_within)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        done = run("calibrate", str(example), "-o", str(tmp_path / "out.xlsx"))
    finally:
        signal.signal(signal.SIGINT, before)
    assert (done.returncode, done.stderr) == (130, "Interrupted: nothing was written.\n")
    assert not list(tmp_path.iterdir())
