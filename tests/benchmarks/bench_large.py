"""Long tables beside a bare GROUP BY of the same file: `python tests/benchmarks/bench_large.py [ROWS ...]`.

For each number of rows (1e6, 1e7 and 1e8 where none is given) prints processor time and wall time of each stage, as
multiples of `GROUP BY object, assessor` with count and sum of the same file in the same run (the mean of one before and
one after), and the memory at the peak; then one table of all with the goals. The table is made up: five scores for each
object, by 2,000 assessors. Each size runs in a program of its own, so that memory is that of its own. `--folder` says
where files go (100 bytes a row: 10 GB for 1e8); all of them are removed.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import duckdb

from panelcal.large.calibrate_relation import calibrate_relation

ASSESSORS, EACH = 2_000, 5
GOALS = {"values": 6.0, "everything": 20.0}
SIZES = (10**6, 10**7, 10**8)
NAMES = {"object": "object", "assessor": "assessor", "score": "score"}


class Clock:
    """Wall and processor seconds since it was last asked."""

    def __init__(self) -> None:
        self.last = (time.perf_counter(), time.process_time())

    def passed(self) -> tuple[float, float]:
        """Return them."""
        now = (time.perf_counter(), time.process_time())
        passed = (now[0] - self.last[0], now[1] - self.last[1])
        self.last = now
        return passed


class DiskWatch:
    """Notes the largest size of a folder while it is open."""

    def __init__(self, folder: Path) -> None:
        self.most = 0
        self._folder = folder
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def _watch(self) -> None:
        while not self._done.wait(2.0):
            size = 0
            for path in self._folder.rglob("*"):
                try:
                    size += path.stat().st_blocks * 512
                except OSError:  # gone by now
                    continue
            self.most = max(self.most, size)

    def __enter__(self) -> DiskWatch:
        """Begin."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """End."""
        self._done.set()
        self._thread.join()


def connected(folder: Path, memory: float) -> duckdb.DuckDBPyConnection:
    """A database with the limits of a run."""
    connection = duckdb.connect()
    connection.execute(f"SET memory_limit = '{int(memory / 1e6)}MB'")
    connection.execute(f"SET temp_directory = '{folder / 'spilled'}'")
    connection.execute("SET preserve_insertion_order = false")
    connection.execute("SET enable_progress_bar = false")
    return connection


def make(path: Path, rows: int, folder: Path, memory: float) -> None:
    """Write a made-up table; no pair of object and assessor stands in it twice."""
    connection = connected(folder, memory)
    connection.execute(
        f"COPY (SELECT i // {EACH} AS object, (hash(i // {EACH}) + (i % {EACH}) * (1 + hash(i // {EACH} + 7) % 390)) % "
        f"{ASSESSORS} AS assessor, round(60 + hash(i // {EACH} + 3) % 2000 / 100.0 + hash((hash(i // {EACH}) + "
        f"(i % {EACH}) * (1 + hash(i // {EACH} + 7) % 390)) % {ASSESSORS}) % 1200 / 100.0 + (random() + random() + "
        f"random() - 1.5) * 12, 1) AS score FROM range({rows}) AS numbers(i)) TO '{path}' (FORMAT parquet)"
    )
    connection.close()


def bare(path: Path, folder: Path, memory: float) -> tuple[float, float]:
    """Wall and processor seconds of the GROUP BY alone."""
    clock = Clock()
    connection = connected(folder, memory)
    grouped = f"SELECT object, assessor, count(*) AS n, sum(score) AS s FROM '{path}' GROUP BY object, assessor"
    connection.execute(f"SELECT count(*), sum(n), sum(s) FROM ({grouped})").fetchall()
    connection.close()
    return clock.passed()


def measure(rows: int, memory: float, parent: Path | None) -> dict[str, Any]:
    """Make the table, group it, calibrate it, group it again; print the stages and return what the last table shows."""
    with tempfile.TemporaryDirectory(dir=parent) as place, DiskWatch(Path(place)) as disk:
        folder = Path(place)
        path = folder / "scores.parquet"
        make(path, rows, folder, memory)
        before = bare(path, folder, memory)
        stages: list[tuple[str, float, float]] = []
        doing, clock = ["starting"], Clock()

        def tell(what: str) -> None:
            stages.append((doing[0], *clock.passed()))
            doing[0] = what

        calibrate_relation(path, **NAMES, output=folder / "results", memory=memory, progress=tell)
        tell("done")
        after = bare(path, folder, memory)
    grouped = [(one + two) / 2 for one, two in zip(before, after, strict=True)]
    print(f"{rows:,} rows, {rows // EACH:,} objects, {ASSESSORS:,} assessors, {memory / 1e9:g} GB for the engine")
    print(f"{'stage':24}{'wall, s':>10}{'processor, s':>14}{'x GROUP BY':>12}")
    for name, wall, processor in (("bare GROUP BY", *grouped), *stages):
        print(f"{name:24}{wall:10.1f}{processor:14.1f}{processor / grouped[1]:12.1f}")
    until = {"values": [name for name, *_ in stages].index("calibrating") + 1, "everything": len(stages)}
    found: dict[str, Any] = {"rows": rows, "bare": grouped}
    for what, count in until.items():
        found[what] = [sum(stage[k] for stage in stages[:count]) for k in (1, 2)]
    found["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    found["disk"] = disk.most / 1e9
    return found


def table(all_found: list[dict[str, Any]]) -> None:
    """Print times in processor seconds, as multiples of the bare GROUP BY, and whether the goals are met."""
    print(f"\n{'rows':>12}{'bare, s':>10}", *(f"{what:>30}" for what in GOALS), f"{'memory, GB':>12}{'disk, GB':>10}")
    for found in all_found:
        cells = []
        for what, goal in GOALS.items():
            times = found[what][1] / found["bare"][1]
            wall = found[what][0] / found["bare"][0]
            said = "met" if times <= goal else "MISSED"
            cells.append(f"{found[what][1]:7.1f} s {times:5.1f}x ({wall:.1f}x) {said:>6}")
        print(f"{found['rows']:12,}{found['bare'][1]:10.2f}", *(f"{cell:>30}" for cell in cells), end=" ")
        print(f"{found['memory']:12.1f}{found['disk']:10.1f}")
    print("processor seconds; in brackets the same ratio of wall times. Goals:", GOALS)


def main() -> None:
    """Measure each size in a program of its own."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", nargs="*", type=float, default=SIZES, help="such as 1e8; without any 1e6, 1e7 and 1e8")
    parser.add_argument("--gigabytes", type=float, default=3.0, help="that the engine may take")
    parser.add_argument("--folder", type=Path, help="for files, 100 bytes a row; removed afterwards")
    parser.add_argument("--report", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.report:
        given.report.write_text(json.dumps(measure(int(given.rows[0]), given.gigabytes * 1e9, given.folder)))
        return
    all_found = []
    with tempfile.TemporaryDirectory(dir=given.folder) as place:
        for rows in given.rows:
            report = Path(place) / "found.json"
            options = ["--gigabytes", str(given.gigabytes), "--report", str(report)]
            options += ["--folder", str(given.folder)] if given.folder else []
            sys.stdout.flush()
            subprocess.run([sys.executable, __file__, str(rows), *options], check=True)
            all_found.append(json.loads(report.read_text()))
    table(all_found)


if __name__ == "__main__":
    main()
