"""The paper's case study 1: 3,000 objects, 15 assessors, r = 2..8 assessors each, four confidence profiles.

Run with `python tests/benchmarks/case_study_1.py [simulations] [-o OUT.xlsx]`. Each simulation is drawn twice: as the
paper says (true biases as they fall, estimates with sum b = 0, "literal") and with the true biases moved to sum 0 as
well ("matched"), since otherwise a random offset common to all objects sits in every error. The product's own averages,
`fisher` and `calibrate` do the work; the results are held against `tests/data/case_study_1_table.txt`.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one thread in each of the processes below

import argparse
import itertools
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import typer
from case_study_1_workbook import write_workbook

from panelcal import Panel, calibrate
from panelcal.calibration.averages import fisher, simple_average, weighted_average

N_OBJECTS, N_ASSESSORS = 3000, 15
DEVIATIONS = np.array([5.0, 10.0, 15.0])  # high, medium and low confidence
PROFILES = {"a 1:1:1": (1, 1, 1), "b 1:1:2": (1, 1, 2), "c 1:2:1": (1, 2, 1), "d 2:1:1": (2, 1, 1)}
READERS = range(2, 9)
APPROACHES = ("average", "weighted average", "Fisher", "with confidence")
SETTINGS = ("literal", "matched")
REFERENCE = Path(__file__).resolve().parents[1] / "data" / "case_study_1_table.txt"
REFERENCE_SIMULATIONS = 100
SIGMAS_ALLOWED, SHARE_ALLOWED = 4.5, 0.05

_OBJECTS = tuple(str(k) for k in range(N_OBJECTS))
_ASSESSORS = tuple(str(k) for k in range(N_ASSESSORS))


@dataclass(frozen=True, slots=True)
class Cell:
    """Errors of one profile and number of readers, in one setting.

    Attributes
    ----------
    mean, largest
        (simulations, 4) mean and maximum |dv| by approach.
    bias_mean, bias_largest
        (simulations,) mean and maximum |db| of calibration with confidence.
    """

    mean: np.ndarray
    largest: np.ndarray
    bias_mean: np.ndarray
    bias_largest: np.ndarray


def simulate(setting: str, profile: str, readers: int, simulations: int, seed: int = 2015) -> Cell:
    """Run one cell."""
    chances = np.array(PROFILES[profile]) / sum(PROFILES[profile])
    key = (seed, SETTINGS.index(setting), list(PROFILES).index(profile), readers)
    random = np.random.default_rng(np.random.SeedSequence(key))
    mean, largest = np.empty((simulations, 4)), np.empty((simulations, 4))
    bias_mean, bias_largest = np.empty(simulations), np.empty(simulations)
    objects = np.repeat(np.arange(N_OBJECTS), readers)
    for k in range(simulations):
        values = np.clip(random.normal(50, 15, N_OBJECTS), 0, 100)
        biases = random.normal(0, 15, N_ASSESSORS)
        if setting == "matched":
            biases -= biases.mean()
        assessors = np.argsort(random.random((N_OBJECTS, N_ASSESSORS)), axis=1)[:, :readers].ravel()
        sigma = DEVIATIONS[random.choice(3, len(objects), p=chances)]
        noise = sigma * random.standard_normal(len(objects))
        scores = np.clip(values[objects] + biases[assessors] + noise, 0, 100)
        panel = Panel(_OBJECTS, _ASSESSORS, objects, assessors, scores, 1 / sigma**2)
        calibrated = calibrate(panel, gauge="equal")
        estimates = np.array(
            [simple_average(panel), weighted_average(panel), fisher(panel, gauge="equal").values, calibrated.values]
        )
        off = np.abs(estimates - values)
        mean[k], largest[k] = off.mean(axis=1), off.max(axis=1)
        off_bias = np.abs(calibrated.biases - biases)
        bias_mean[k], bias_largest[k] = off_bias.mean(), off_bias.max()
    return Cell(mean, largest, bias_mean, bias_largest)


def run(
    simulations: int, processes: int | None = None, done: Callable[[], object] = lambda: None
) -> dict[tuple[str, str, int], Cell]:
    """Run all cells, {(setting, profile, readers): cell}; `done` is called after each."""
    keys = list(itertools.product(SETTINGS, PROFILES, READERS))
    # The long ones first, so that no process is left with one at the end.
    order = sorted(keys, key=lambda key: -key[2])
    with ProcessPoolExecutor(processes or os.cpu_count()) as pool:
        found = {}
        for key, cell in zip(
            order, pool.map(simulate, *zip(*order, strict=True), [simulations] * len(order)), strict=True
        ):
            found[key] = cell
            done()
    return {key: found[key] for key in keys}


def read_reference() -> dict[tuple[str, str, str, int], np.ndarray]:
    """Return {(what, setting, profile, readers): numbers} from the acceptance table, truncated cells only.

    `what` is "mean" or "largest" (4 approaches each), or "bias" (mean and largest).
    """
    found: dict[tuple[str, str, str, int], np.ndarray] = {}
    what, setting = "", ""
    for line in REFERENCE.read_text(encoding="utf-8").splitlines():
        if line.startswith(("A", "B")):
            setting = "literal" if line.startswith("A") else "matched"
            what = "largest" if "max |dv|" in line else "mean"
        elif line.startswith("bias errors"):
            what = "bias"
        elif line.startswith("trunc|"):
            words = line.removeprefix("trunc|").split()
            profile, readers = f"{words[0]} {words[1]}", int(words[2])
            if what == "bias":
                found["bias", "literal", profile, readers] = np.array([float(x) for x in words[4:6]])
                found["bias", "matched", profile, readers] = np.array([float(x) for x in words[7:9]])
            else:
                found[what, setting, profile, readers] = np.array([float(x) for x in words[3:7]])
    return found


def summary(cells: dict[tuple[str, str, int], Cell]) -> dict[tuple[str, str, str, int], np.ndarray]:
    """Return the averages over simulations, keyed as the acceptance table is."""
    found = {}
    for (setting, profile, readers), cell in cells.items():
        found["mean", setting, profile, readers] = cell.mean.mean(axis=0)
        found["largest", setting, profile, readers] = cell.largest.mean(axis=0)
        found["bias", setting, profile, readers] = np.array([cell.bias_mean.mean(), cell.bias_largest.mean()])
    return found


def compare(cells: dict[tuple[str, str, int], Cell]) -> list[str]:
    """Return a line for every number that is further from the acceptance table than it may be."""
    reference = read_reference()
    wrong = []
    largest = {"literal": 0.0, "matched": 0.0}
    calibrated = 0.0
    for (setting, profile, readers), cell in cells.items():
        for what, runs in (
            ("mean", cell.mean),
            ("largest", cell.largest),
            ("bias", np.column_stack([cell.bias_mean, cell.bias_largest])),
        ):
            expected = reference[what, setting, profile, readers]
            found, spread = runs.mean(axis=0), runs.std(axis=0, ddof=1)
            combined = spread * np.sqrt(1 / len(runs) + 1 / REFERENCE_SIMULATIONS)
            if setting == "literal":
                apart, allowed = np.abs(found - expected) / combined, SIGMAS_ALLOWED
            elif what == "mean":
                apart, allowed = np.abs(found / expected - 1), SHARE_ALLOWED
            else:
                continue  # maxima over 3,000 objects scatter by more than 5% between hundreds of simulations
            largest[setting] = max(largest[setting], float(apart.max()))
            if setting == "matched":
                calibrated = max(calibrated, float(apart[2:].max()))
            wrong += [
                f"{setting} {profile} r={readers} {what}: {f:.3f} where {e:.3f} was expected"
                for f, e, a in zip(found, expected, apart, strict=True)
                if a > allowed
            ]
    print(
        f"furthest from the table: literal {largest['literal']:.1f} combined standard errors (4.5 allowed), "
        f"matched {100 * largest['matched']:.1f}% (5% allowed), calibrated values alone {100 * calibrated:.1f}%"
    )
    return wrong


def show(cells: dict[tuple[str, str, int], Cell]) -> None:
    """Print mean and maximum |dv| by approach, and the errors of the biases."""
    for setting in SETTINGS:
        print(
            f"\n{setting:10} r   mean |dv|: average weighted  Fisher     CWC   max |dv|: average  Fisher     CWC   |db|"
        )
        for (which, profile, readers), cell in cells.items():
            if which == setting:
                mean, top = cell.mean.mean(axis=0), cell.largest.mean(axis=0)
                print(
                    f"{profile:10} {readers}            {mean[0]:7.3f} {mean[1]:8.3f} {mean[2]:7.3f} {mean[3]:7.3f}"
                    f"             {top[0]:7.2f} {top[2]:7.2f} {top[3]:7.2f} {cell.bias_mean.mean():6.3f}"
                )


def main() -> int:
    """Run, print, compare; 1 if anything is further from the table than it may be."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("simulations", nargs="?", type=int, default=REFERENCE_SIMULATIONS)
    parser.add_argument("-o", "--output", type=Path, metavar="OUT.xlsx", help="also write a workbook with the figures")
    arguments = parser.parse_args()
    start = time.perf_counter()
    n_cells = len(SETTINGS) * len(PROFILES) * len(READERS)
    with typer.progressbar(length=n_cells, label="Simulating", file=sys.stderr) as bar:
        cells = run(arguments.simulations, done=lambda: bar.update(1))
    seconds = time.perf_counter() - start
    show(cells)
    print(f"\n2 x 28 cells x {arguments.simulations} simulations in {seconds:.0f} s")
    if arguments.output is not None:
        write_workbook(summary(cells), read_reference(), arguments.output, arguments.simulations)
    wrong = compare(cells)
    print("\n".join(wrong))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
