"""Long tables beside a bare GROUP BY of the same file: `python tests/benchmarks/bench_large.py [ROWS] [GIGABYTES]`.

Prints processor time and wall time of each stage, as multiples of `GROUP BY object, assessor` with count and sum in the
same run, and the memory at the peak. The table is made up: five scores for each object, by 2,000 assessors.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

import duckdb

from panelcal.large.calibrate_relation import calibrate_relation

ASSESSORS, EACH = 2_000, 5
GOALS = {"values": 6.0, "everything": 20.0}


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


def main(rows: int, memory: float) -> None:
    """Make the table, group it, calibrate it."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        path = folder / "scores.parquet"
        make(path, rows, folder, memory)
        clock = Clock()
        connection = connected(folder, memory)
        grouped = "SELECT object, assessor, count(*) AS n, sum(score) AS s FROM '{}' GROUP BY object, assessor"
        connection.execute(f"SELECT count(*), sum(n), sum(s) FROM ({grouped.format(path)})").fetchall()
        connection.close()
        bare = clock.passed()
        stages: list[tuple[str, float, float]] = []
        doing = ["starting"]

        def tell(what: str) -> None:
            stages.append((doing[0], *clock.passed()))
            doing[0] = what

        calibrate_relation(
            path, object="object", assessor="assessor", score="score", output=folder / "results", memory=memory,
            progress=tell,
        )  # fmt: skip
        tell("done")
    print(f"{rows:,} rows, {rows // EACH:,} objects, {ASSESSORS:,} assessors, {memory / 1e9:g} GB for the engine")
    print(f"{'stage':24}{'wall, s':>10}{'processor, s':>14}{'x GROUP BY':>12}")
    print(f"{'bare GROUP BY':24}{bare[0]:10.1f}{bare[1]:14.1f}{1.0:12.1f}")
    for name, wall, processor in stages:
        print(f"{name:24}{wall:10.1f}{processor:14.1f}{processor / bare[1]:12.1f}")
    names = [name for name, *_ in stages]
    until = {"values": names.index("calibrating") + 1, "everything": len(stages)}
    for what, count in until.items():
        wall, processor = (sum(stage[k] for stage in stages[:count]) for k in (1, 2))
        met = "met" if processor / bare[1] <= GOALS[what] else "missed"
        print(f"{what:24}{wall:10.1f}{processor:14.1f}{processor / bare[1]:12.1f}  goal {GOALS[what]:g}: {met}")
    print(f"memory at the peak: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.1f} GB")


if __name__ == "__main__":
    given = [float(text) for text in sys.argv[1:]]
    main(int(given[0]) if given else 10_000_000, (given[1] if len(given) > 1 else 3.0) * 1e9)
