"""How long every number takes: the board, case study 1's size, and the whole command on the example.

Run with `python tests/benchmarks/bench_speed.py`; medians on one core, in one run.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one core, also where numpy brings threads of its own

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import panelcal
from panelcal import Panel
from panelcal.calibration.averages import fisher
from panels import simulated_panel

ROOT = Path(__file__).resolve().parents[2]


def every_number(panel: Panel) -> None:
    """Everything a report needs, as reporting.results computes it."""
    fit = panelcal.calibrate(panel)
    equal = fisher(panel)
    panelcal.uncertainty(fit)
    panelcal.robustness(fit)
    panelcal.influence(fit)
    panelcal.certify(fit)
    panelcal.compare(panel, calibration=fit, equal=equal)
    panelcal.network(panel)
    panelcal.verdict(panel, calibration=fit)
    panelcal.declared_confidences(fit, equal=equal)


def median_seconds(work: Callable[[], object], rounds: int) -> float:
    """Return the median over so many rounds, after two to warm up."""
    times = []
    for k in range(rounds + 2):
        start = time.perf_counter()
        work()
        if k >= 2:
            times.append(time.perf_counter() - start)
    return statistics.median(times)


def main() -> None:
    """Print the table."""
    board, case_1 = simulated_panel(82, 81, 10, seed=0), simulated_panel(3000, 15, 6, seed=0)
    rows = [
        ("82 x 81, every number", median_seconds(lambda: every_number(board), 31), 0.010),
        ("82 x 81, values and biases", median_seconds(lambda: panelcal.calibrate(board), 31), None),
        ("3000 x 15, 18,000 scores, every number", median_seconds(lambda: every_number(case_1), 15), 0.030),
    ]
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-m",
            "panelcal",
            "calibrate",
            str(ROOT / "workbook_templates" / "exam_board_example.xlsx"),
            "--force",
            "-o",
            str(Path(folder) / "out.xlsx"),
        ]
        rows.append(
            (
                "the whole command on the example",
                median_seconds(lambda: subprocess.run(command, check=True, capture_output=True), 5),
                2.0,
            )
        )
    for name, seconds, goal in rows:
        print(f"{name:45} {1000 * seconds:9.1f} ms{'' if goal is None else f'   goal {1000 * goal:.0f} ms'}")


if __name__ == "__main__":
    main()
