"""What nobody has foreseen ends in one sentence, with a report that holds nothing from the cells."""

import re
import subprocess
from pathlib import Path

import pytest

from panelcal.commands import check_file
from run_panelcal import PROGRAM, run

MARKS = "Student,MA101,MA102\n" + "\n".join(f"Secretive Name {k},{50 + k * 7 % 31},{60 + k * 5 % 13}" for k in range(8))


@pytest.fixture
def marks(tmp_path) -> Path:
    path = tmp_path / "marks.csv"
    path.write_text(MARKS)
    return path


def test_the_report_tells_where_and_not_what(marks, tmp_path, monkeypatch):
    def fail(reading):
        secret = reading.panel.objects[0]
        raise ZeroDivisionError(f"cannot divide {secret}")

    monkeypatch.setattr(check_file, "say_what_was_read", fail)
    done = run("check", str(marks), TMPDIR=str(tmp_path))
    assert done.returncode == 1
    assert "Traceback" not in done.stderr and "Secretive" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    report = Path(re.search(r"the report (\S+?),", done.stderr)[1])
    text = report.read_text()
    report.unlink()
    assert "ZeroDivisionError" in text and "in fail" in text and "numpy" in text
    assert "Secretive" not in text


def test_a_report_that_cannot_be_kept_leaves_the_sentence(marks, monkeypatch):
    monkeypatch.setattr(check_file, "say_what_was_read", lambda reading: 1 / 0)
    monkeypatch.setattr("panelcal.files.unforeseen.tempfile.mkstemp", _refuse)
    done = run("check", str(marks))
    assert done.returncode == 1
    assert "of the kind ZeroDivisionError" in done.stderr


def _refuse(**_options):
    raise OSError(28, "No space left on device")


def test_what_the_command_line_is_given_by_hand_needs_no_report(tmp_path):
    done = run("check", str(tmp_path / "nowhere.xlsx"))
    assert done.returncode == 1
    assert "report" not in done.stderr


def test_what_is_no_exception_of_pythons_ends_in_the_sentence_too(marks, monkeypatch):
    class Panic(BaseException):
        pass

    def fail(_reading):
        raise Panic

    monkeypatch.setattr(check_file, "say_what_was_read", fail)
    monkeypatch.setattr("panelcal.files.unforeseen.tempfile.mkstemp", _refuse)
    done = run("check", str(marks))
    assert done.returncode == 1
    assert "of the kind Panic" in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
def test_an_output_that_takes_nothing_ends_in_a_sentence_that_is_true(marks):
    command = [*PROGRAM, "calibrate", str(marks), "-o", str(marks.with_name("out.xlsx"))]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=120, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("What panelcal says cannot be shown where its output goes")
    assert done.stderr.endswith("; out.xlsx was written before that.\n")
    assert marks.with_name("out.xlsx").exists()
