"""An interruption of a long table leaves nothing behind and keeps what was there, wherever it falls."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

from large.long_tables import NAMES, filed, made_up

pytestmark = pytest.mark.slow

PROGRAM = """
import os, signal, sys
from panelcal import interruption
import panelcal.large.calibrate_relation as walk
from panelcal.cli import main

def interrupting(module, name):
    real = getattr(module, name)
    def interrupted(*given, **named):
        done = real(*given, **named)
        os.kill(os.getpid(), signal.{signal})
        return done
    setattr(module, name, interrupted)

interruption.listen()
interrupting({module}, "{name}")
sys.argv[1:] = {arguments!r}
main()
"""
STAGES = {
    "pairs": ("walk", "find_assessments"),
    "links": ("walk.steps", "link"),
    "errors": ("walk.steps", "close"),
    "tables": ("walk", "_write"),
    "summary": ("walk", "write_summary"),
}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
@pytest.mark.parametrize("stage", STAGES)
def test_nothing_is_left_and_earlier_results_stay(stage, number, tmp_path):
    path = filed(made_up(3000, 40, 3).table(), tmp_path)
    out = tmp_path / "results"
    out.mkdir()
    (out / "summary.json").write_text("earlier", encoding="utf-8")
    module, name = STAGES[stage]
    arguments = ["calibrate", str(path), "-o", str(out), "--force"]
    arguments += [f"--{what}={column}" for what, column in NAMES.items()]
    program = PROGRAM.format(signal=number, module=module, name=name, arguments=arguments)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 130, done.stderr
    assert "nothing was written" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["marks.parquet", "results"]
    assert [(path.name, path.read_text()) for path in out.iterdir()] == [("summary.json", "earlier")]


def test_a_run_that_is_let_through_replaces_them(tmp_path):
    path = filed(made_up(300, 10, 3).table(), tmp_path)
    arguments = ["calibrate", str(path), "-o", str(tmp_path / "results")]
    arguments += [f"--{what}={column}" for what, column in NAMES.items()]
    program = PROGRAM.format(signal="SIGCONT", module="walk", name="find_assessments", arguments=arguments)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "results" / "values.parquet").is_file()
