"""Processor time of a whole run with 20,000 rows on Cal values, beside that of an earlier version of panelcal.

Run: python tests/benchmarks/bench_newer_sheets.py EARLIER/src [rows]
EARLIER is a checkout of the earlier version (`git worktree add EARLIER COMMIT`). Runs take turns; the least counts.
"""

import csv
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

_SRC = Path(__file__).parents[2] / "src"
_RUNS, _EACH, _PER_ASSESSOR = 2, 3, 60


def _write(path: Path, rows: int) -> None:
    random = np.random.default_rng(7)
    assessors = max(rows * _EACH // _PER_ASSESSOR, _EACH)
    values, biases = random.normal(60, 10, rows), random.normal(0, 4, assessors)
    with path.open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(("Entry", "Judge", "Score"))
        for entry in range(rows):
            for judge in random.choice(assessors, _EACH, replace=False):
                score = values[entry] + biases[judge] + random.normal(0, 5)
                out.writerow((f"E{entry + 1:05d}", f"J{judge + 1:04d}", f"{np.clip(score, 0, 100):.1f}"))


def _seconds(source: Path, data: Path, result: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "panelcal", "calibrate", str(data), "-o", str(result), "--force"],
        env={**os.environ, "PYTHONPATH": str(source), "OPENBLAS_NUM_THREADS": "1"},
        check=True,
        stdout=subprocess.DEVNULL,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print the least processor time of each version, their ratio, and the size of the files."""
    earlier = Path(sys.argv[1]).resolve()
    rows = int(sys.argv[2]) if len(sys.argv) > 2 else 20_000
    with tempfile.TemporaryDirectory() as folder:
        data, result = Path(folder) / "entries.csv", Path(folder) / "result.xlsx"
        _write(data, rows)
        taken: dict[Path, list[float]] = {earlier: [], _SRC: []}
        sizes = {}
        for _ in range(_RUNS):
            for source, times in taken.items():
                times.append(_seconds(source, data, result))
                sizes[source] = result.stat().st_size / 1e6
    old, new = min(taken[earlier]), min(taken[_SRC])
    print(f"{rows} rows: earlier {old:.1f} s, {sizes[earlier]:.1f} MB; now {new:.1f} s, {sizes[_SRC]:.1f} MB")
    print(f"now / earlier: {new / old:.2f}")


if __name__ == "__main__":
    main()
