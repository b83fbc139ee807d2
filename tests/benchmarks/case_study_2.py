"""The paper's case study 2 on made-up boards of its shape: how far calibrating moves students, and the shift by gauge.

Run with `python tests/benchmarks/case_study_2.py [boards]`. Each board has 82 students, 81 modules and credits of 6 to
18 as confidences, with a share of easier modules taken by few, as the paper says of its own; the marks of its board are
not public. Printed are the figures that the paper gives, beside the middle and the range over the boards.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
from dataclasses import astuple, dataclass, fields

import numpy as np

from panelcal import Panel, calibrate
from panelcal.calibration.averages import fisher, simple_average, weighted_average
from panelcal.templates.made_up import exam_board_marks

PAPER = (7.0, 7.0, 2.0, 2.0, 2.0, 1.3)
"""As the paper has them, "up to about 7", "about 2", "up to about two"; the shift by gauge is what it explains 2 by."""
NAMES = (
    "largest |V_c - S_c|: calibrated with confidence against weighted averages",
    "largest |V_1 - S_1|: Fisher against simple averages",
    "mean of V_c - S_c, sum of biases zero (eq. 10)",
    "shift between the gauges (10) and (36), the same for all students",
    "largest |V_c - V_1|: what the confidences change",
    "largest difference between biases with and without confidences",
)


@dataclass(frozen=True, slots=True)
class Figures:
    """What the paper reports of case study 2, in marks, in the order of `NAMES`."""

    with_confidence: float
    fisher: float
    mean_change: float
    shift: float
    confidences: float
    biases: float


def figures(seed: int) -> Figures:
    """Return the figures of one made-up board."""
    board = exam_board_marks(seed)
    students, modules = np.nonzero(~np.isnan(board.marks))
    panel = Panel(
        board.students, board.modules, students, modules, board.marks[students, modules], board.credits[modules]
    )
    equal, kept = calibrate(panel, gauge="equal"), calibrate(panel)
    without = fisher(panel, gauge="equal")
    change = equal.values - weighted_average(panel)
    return Figures(
        float(np.abs(change).max()),
        float(np.abs(without.values - simple_average(panel)).max()),
        float(change.mean()),
        float((equal.values - kept.values).mean()),
        float(np.abs(equal.values - without.values).max()),
        float(np.abs(equal.biases - without.biases).max()),
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("boards", nargs="?", type=int, default=100)
    boards = parser.parse_args().boards
    table = np.array([astuple(figures(seed)) for seed in range(1, boards + 1)])
    print(f"{'':74} paper   board 1   middle of {boards}   9 of 10 boards")
    for k, _ in enumerate(fields(Figures)):
        low, middle, high = np.quantile(table[:, k], [0.05, 0.5, 0.95])
        print(f"{NAMES[k]:74} {PAPER[k]:5.1f} {table[0, k]:9.1f} {middle:14.1f}   {low:9.1f} to {high:.1f}")


if __name__ == "__main__":
    main()
