"""Every table of speed, one after the other: values beside their peers, scale, files, the ordinal answer, the prize.

Run with `python tests/benchmarks/bench_all.py [--before SRC] [part ...]`; parts are values, fill, scale, files, ordinal
and prize (all of them without a part), SRC is the `src` folder of an older panelcal, whose values are what standard
errors are measured by. It takes some ten minutes on a quiet machine. What each table needs beyond panelcal is said at
the top of its own script; a peer that is not installed is left out. Every table says what its goals are and where they
are missed; what is missed is counted at the end.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
PRIZE = HERE.parents[1] / "workbook_templates" / "conference_prize_example.xlsx"
PRIZE_GOAL = 5.0  # processor seconds of the whole command on a quiet core
PRIZE_ROUNDS = 3
CSV_ROWS = 200_000
MISSED = ("miss**", "missed")


def lines_of(script: str, *arguments: str) -> Iterator[str]:
    """Run one of the scripts beside this one, on one core, and yield what it prints."""
    command = [sys.executable, str(HERE / script), *arguments]
    one_core = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=one_core) as process:
        assert process.stdout is not None
        yield from (line.rstrip("\n") for line in process.stdout)
    if process.returncode:
        yield f"{script} ended with {process.returncode}: missed"


def values(before: str) -> Iterator[str]:
    """Values, certificates and standard errors on ten shapes, beside the leanest code."""
    return lines_of("bench_peers.py", "--rounds", "9", *(["--before", before] if before else []))


def fill(_: str) -> Iterator[str]:
    """How full factors are said to be, and how full they are."""
    return lines_of("bench_fill.py")


def scale(_: str) -> Iterator[str]:
    """From a board to a full sheet: time, memory and errors."""
    return lines_of("bench_scale.py")


def files(_: str) -> Iterator[str]:
    """A long CSV file, end to end."""
    return lines_of("bench_files.py", ".csv", str(CSV_ROWS))


def ordinal(_: str) -> Iterator[str]:
    """Effective draws a second beside NumPyro's."""
    if not importlib.util.find_spec("numpyro"):
        yield "numpyro is not installed: left out"
        return
    yield from lines_of("bench_ordinal.py", "nuts-once")


def prize(_: str) -> Iterator[str]:
    """Time the whole command on the example of a prize."""
    taken = []
    for _turn in range(PRIZE_ROUNDS):
        with tempfile.TemporaryDirectory() as folder:
            before = _children_seconds()
            target = str(Path(folder) / "result.xlsx")
            subprocess.run(
                [sys.executable, "-m", "panelcal", "calibrate", str(PRIZE), "-o", target],
                check=True, stdout=subprocess.DEVNULL, env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
            )  # fmt: skip
            taken.append(_children_seconds() - before)
    seconds = statistics.median(taken)
    yield "| what | goal | processor seconds |"
    yield "| --- | --- | --- |"
    said = "" if seconds <= PRIZE_GOAL else ", missed"
    yield f"| `panelcal calibrate conference_prize_example.xlsx` | {PRIZE_GOAL:g} s | {seconds:.1f} s{said} |"


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


PARTS = {"values": values, "fill": fill, "scale": scale, "files": files, "ordinal": ordinal, "prize": prize}


def main() -> None:
    """Print the tables."""
    options = argparse.ArgumentParser()
    options.add_argument("parts", nargs="*", choices=[*PARTS, []])
    options.add_argument("--before", default="")
    chosen = options.parse_args()
    missed: list[str] = []
    for name in chosen.parts or PARTS:
        print(f"\n## {name}: {PARTS[name].__doc__}\n", flush=True)
        started = time.perf_counter()
        for line in PARTS[name](chosen.before):
            print(line, flush=True)
            if any(word in line for word in MISSED):
                missed.append(f"{name}: {line}")
        print(f"\n({name}: {time.perf_counter() - started:.0f} s by the clock)", flush=True)
    print(f"\n## Goals missed: {len(missed)}\n")
    print("\n".join(missed))


if __name__ == "__main__":
    main()
