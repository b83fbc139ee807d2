"""The command line in processes of its own: it starts, its exit statuses, the same as in the process of the tests."""

import subprocess
import sys
from pathlib import Path

import pytest

import run_panelcal
from panelcal import __version__

FIXED = {"SOURCE_DATE_EPOCH": "1767322800"}


def test_the_program_starts_by_its_name():
    program = Path(sys.executable).with_name("panelcal")
    done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (0, f"panelcal {__version__}\n")


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_a_process_of_its_own_writes_and_says_the_same_whatever_the_order_of_its_sets(seed, small_board, tmp_path):
    command = "calibrate", str(small_board), "-o"
    own = run_panelcal.run_in_process_of_its_own(*command, str(tmp_path / "a.xlsx"), PYTHONHASHSEED=seed, **FIXED)
    here = run_panelcal.run(*command, str(tmp_path / "b.xlsx"), **FIXED)
    assert (own.returncode, own.stderr) == (here.returncode, here.stderr) == (0, "")
    assert own.stdout == here.stdout.replace("b.xlsx", "a.xlsx")
    assert run_panelcal.digest(tmp_path / "a.xlsx") == run_panelcal.digest(tmp_path / "b.xlsx")


@pytest.mark.parametrize(
    ("arguments", "status"), [(("check", "missing.xlsx"), 1), (("nonsense",), 2), (("template",), 2)]
)
def test_a_process_of_its_own_refuses_in_the_same_words_and_with_the_same_status(arguments, status, tmp_path):
    own = run_panelcal.run_in_process_of_its_own(*arguments, folder=tmp_path)
    here = run_panelcal.run(*arguments, folder=tmp_path)
    assert own.returncode == here.returncode == status
    assert own.stdout == here.stdout
    assert own.stderr.replace("python -m panelcal", "panelcal") == here.stderr
    assert own.stderr.endswith("\n")


def test_calibrating_a_file_does_not_wait_for_what_installs_the_add_in():
    rooms = "name for name in sys.modules if name.startswith(('xlwings', 'panelcal.excel'))"
    asked = f"import sys, panelcal.cli; print([{rooms}])"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.strip() == "[]", done.stderr
