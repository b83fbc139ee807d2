"""How long a newcomer waits: what starting costs, whole processes in turn, beside what their libraries cost alone.

Run with `python tests/benchmarks/bench_start.py`. Each row is one command and what it is measured by; both are started
in turn, so that other work on the computer is shared alike, and the middle of the ratios counts. Time on the wall and
time of the processor are told apart: the second hardly sees other work. Everything is compiled beforehand, as it is
where pip has installed it.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one core, also where numpy brings threads of its own

import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

EXAMPLE = Path(__file__).resolve().parents[2] / "workbook_templates" / "exam_board_example.xlsx"
ROUNDS = 11
TYPER = ("-c", "import typer")
LIBRARIES = ("-c", "import numpy, scipy.linalg, scipy.sparse, openpyxl")
PANELCAL = ("-m", "panelcal")
RESULT = "out.xlsx"


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds of one process: on the wall, and of the processor."""

    wall: float
    processor: float


@dataclass(frozen=True, slots=True)
class Goal:
    """A command may take `times` what `beside` takes, and `more` seconds on top."""

    what: str
    command: tuple[str, ...]
    beside: tuple[str, ...]
    times: float
    more: float
    replaces: bool = False

    @property
    def words(self) -> str:
        """The goal as told in the table."""
        return f'{self.times:g} x `python -c "{self.beside[1]}"`' + (f" + {self.more:g} s" if self.more else "")


def run(command: tuple[str, ...], folder: Path) -> Measured:
    """Start Python with these arguments, wait for it and say what it took."""
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(folder / "compiled")
    began = time.perf_counter()
    process = subprocess.Popen([sys.executable, *command], cwd=folder, stdout=subprocess.DEVNULL, env=environment)
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command} ended with {process.returncode}")
    return Measured(wall, used.ru_utime + used.ru_stime)


def goals() -> tuple[Goal, ...]:
    """What is promised for which command."""
    calibrate = (*PANELCAL, "calibrate", str(EXAMPLE), "-o", RESULT, "--force")
    return (
        Goal("`panelcal --version`", (*PANELCAL, "--version"), TYPER, 2.5, 0.0),
        Goal("`panelcal --help`", (*PANELCAL, "--help"), TYPER, 2.5, 0.0),
        Goal("`panelcal check`, example", (*PANELCAL, "check", str(EXAMPLE)), LIBRARIES, 1.25, 0.7),
        Goal("`panelcal calibrate`, example", calibrate, LIBRARIES, 1.25, 0.7),
        Goal("the same over an older result", calibrate, LIBRARIES, 1.25, 0.7, replaces=True),
    )


def row(goal: Goal, folder: Path) -> str:
    """One line of the table: medians over rounds in which command and yardstick take turns."""
    rounds = []
    for _ in range(ROUNDS + 1):
        if not goal.replaces:
            (folder / RESULT).unlink(missing_ok=True)
        rounds.append((run(goal.beside, folder), run(goal.command, folder)))
    cells = []
    for which in ("wall", "processor"):
        pairs = [(getattr(beside, which), getattr(own, which)) for beside, own in rounds[1:]]  # the first compiles
        beside, own = (statistics.median(side) for side in zip(*pairs, strict=True))
        share = statistics.median(own / (goal.times * beside + goal.more) for beside, own in pairs)
        cells += [f"{own:.2f} s", f"{goal.times * beside + goal.more:.2f} s", f"{share:.2f}"]
    return f"| {goal.what} | {goal.words} | {' | '.join(cells)} |"


def main() -> None:
    """Print the table."""
    print("| what | goal | wall | allowed | share | processor | allowed | share |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for goal in goals():
            print(row(goal, Path(folder)), flush=True)


if __name__ == "__main__":
    main()
