"""From a board to a full Excel sheet: time, memory and error of panelcal and of its peers.

Run with `python tests/benchmarks/bench_scale.py`; peers with `pip install panelcal[benchmark]`. Every row is a process
of its own on one core. Times are processor seconds, which other programs on the machine hardly touch. Errors are
against a solution refined in numpy's longdouble until its next step is negligible (needs a machine where longdouble is
more than a double), in gauge (36) and in marks.
"""

from __future__ import annotations

import os

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "RAYON_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

import importlib.util
import json
import platform
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import graphs
import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.linalg import lsmr

import panelcal
from panelcal import Panel
from panelcal.calibration.influence import leverages
from panelcal.calibration.normal_equations import normal_equations
from panelcal.calibration.robustness import second_eigenvalues

Array = NDArray[np.float64]
PATIENCE = 40  # processor seconds for one row
PEERS_SEE = ("(ii) exam board", "(iii) lecturers", "(iv)", "(va)", "(vb)", "(vc)")
GROWTH = (1_000, 10_000, 100_000, 1_000_000)


def processor_seconds(work: Callable[[], Any], rounds: int) -> tuple[float, Any]:
    """Return the median over so many rounds, after one to warm up unless there is one only, and the last result."""
    times, result = [], None
    for k in range(rounds + (rounds > 1)):
        start = time.process_time()
        result = work()
        if k or rounds == 1:
            times.append(time.process_time() - start)
    return statistics.median(times), result


def every_figure(panel: Panel) -> tuple[panelcal.Calibration, str]:
    """Values, biases, all standard errors, mu_2, bounds, sensitivities, leverages and the proven error."""
    fit = panelcal.calibrate(panel)
    errors = panelcal.uncertainty(fit)
    panelcal.robustness(fit)
    leverages(fit)
    proven = panelcal.certify(fit).solution_error
    how = "exact" if errors.stated_error == 0 else f"within {100 * errors.stated_error:.0f}%"
    return fit, f"proven {proven:.0e}; standard errors {how}; {fit.equations.system.solver}"


def errors_and_mu2(panel: Panel) -> None:
    """Values, biases, all standard errors and mu_2."""
    fit = panelcal.calibrate(panel)
    panelcal.uncertainty(fit)
    second_eigenvalues(fit.equations)


def in_gauge_36(panel: Panel, values: Array, biases: Array) -> Array:
    """Move values to where the confidence-weighted biases add up to zero."""
    weights = panel.assessor_totals(panel.confidences)
    return values + weights @ biases / weights.sum()


def scaled_lsmr(panel: Panel, tolerance: float | None) -> Array:
    """Least squares by scipy's lsmr with columns scaled to unit length; None = its own tolerances."""
    n, m = panel.n_objects, panel.n_assessors
    root = np.sqrt(panel.confidences)
    object_root = np.sqrt(panel.object_totals(panel.confidences))
    assessor_root = np.sqrt(panel.assessor_totals(panel.confidences))
    rows = np.tile(np.arange(panel.n_assessments), 2)
    columns = np.concatenate([panel.object_index, n + panel.assessor_index])
    entries = np.concatenate([root / object_root[panel.object_index], root / assessor_root[panel.assessor_index]])
    design = sp.csr_matrix((entries, (rows, columns)), (panel.n_assessments, n + m))
    centre = panel.confidences @ panel.scores / panel.confidences.sum()
    options = {} if tolerance is None else {"atol": tolerance, "btol": tolerance, "conlim": 0, "maxiter": 20_000}
    found = lsmr(design, root * (panel.scores - centre), **options)[0]
    return centre + in_gauge_36(panel, found[:n] / object_root, found[n:] / assessor_root)


def pyfixest_values(panel: Panel) -> Array:
    """Two-way fixed effects by pyfixest with tight tolerances."""
    import pandas as pd
    import pyfixest

    columns = {"s": panel.scores, "o": panel.object_index, "a": panel.assessor_index, "c": panel.confidences}
    fit = pyfixest.feols("s ~ 1 | o + a", data=pd.DataFrame(columns), weights="c", fixef_rm="none")
    effects = fit.fixef(atol=1e-12, btol=1e-12)
    values = np.array([effects["C(o)"].get(str(k), 0.0) for k in range(panel.n_objects)])
    biases = np.array([effects["C(a)"].get(str(k), 0.0) for k in range(panel.n_assessors)])
    return in_gauge_36(panel, values, biases)


def statsmodels_values(panel: Panel) -> Array:
    """Weighted least squares with dummy variables by statsmodels, which also gives all standard errors."""
    import statsmodels.api as sm

    n, m = panel.n_objects, panel.n_assessors
    design = np.zeros((panel.n_assessments, n + m - 1))
    design[np.arange(panel.n_assessments), panel.object_index] = 1
    others = panel.assessor_index > 0
    design[np.flatnonzero(others), n + panel.assessor_index[others] - 1] = 1
    fit = sm.WLS(panel.scores, design, weights=panel.confidences).fit()
    assert len(fit.bse) == n + m - 1
    return in_gauge_36(panel, fit.params[:n], np.concatenate([[0.0], fit.params[n:]]))


def refined_values(panel: Panel) -> Array:
    """Refine in longdouble, residuals and sums included, until the step is far below any error reported here."""
    equations, wide = normal_equations(panel), np.longdouble
    values, biases = np.zeros(panel.n_objects, wide), np.zeros(panel.n_assessors, wide)
    confidences = panel.confidences.astype(wide)
    for _ in range(20):
        left = confidences * (panel.scores.astype(wide) - values[panel.object_index] - biases[panel.assessor_index])
        on_objects, on_assessors = np.zeros(panel.n_objects, wide), np.zeros(panel.n_assessors, wide)
        np.add.at(on_objects, panel.object_index, left)
        np.add.at(on_assessors, panel.assessor_index, left)
        step = equations.apply_inverse(on_objects.astype(np.float64), on_assessors.astype(np.float64))
        values, biases = values + step[0], biases + step[1]
        if np.abs(step[0]).max() < 1e-14:
            break
    weights = np.zeros(panel.n_assessors, wide)
    np.add.at(weights, panel.assessor_index, confidences)
    return values + weights @ biases / weights.sum()


def row(name: str, who: str, reference: Path) -> dict[str, Any]:
    """Measure one row in this process."""
    panel = graphs.GRAPHS[name]()
    rounds = 1 if panel.n_assessments > 200_000 else 3
    result: dict[str, Any] = {"size": f"{panel.n_assessments:,} of {panel.n_objects:,} x {panel.n_assessors:,}"}
    if who == "reference":
        np.save(reference, refined_values(panel))
        return result
    if who == "panelcal":
        result["values"], fit = processor_seconds(lambda: panelcal.calibrate(panel), max(rounds, 3))
        result["everything"], (_, result["note"]) = processor_seconds(lambda: every_figure(panel), rounds)
        found = fit.values
    else:
        rounds = 1 if name.startswith("(v") else rounds
        work: dict[str, Callable[[], Array]] = {
            "lsmr 1e-10": lambda: scaled_lsmr(panel, 1e-10),
            "lsmr as it comes": lambda: scaled_lsmr(panel, None),
            "pyfixest tight": lambda: pyfixest_values(panel),
            "statsmodels": lambda: statsmodels_values(panel),
        }
        result["values"], found = processor_seconds(work[who], rounds)
        result["note"] = "all standard errors" if who == "statsmodels" else "no standard errors"
    result["error"] = float(np.abs(found - np.load(reference)).max())
    return result


def peers_of(name: str) -> list[str]:
    """Who is measured on this graph."""
    if not name.startswith(PEERS_SEE):
        return ["panelcal"]
    peers = ["panelcal", "lsmr 1e-10", "lsmr as it comes"]
    if importlib.util.find_spec("pyfixest"):
        peers.append("pyfixest tight")
    if importlib.util.find_spec("statsmodels") and name == "(ii) exam board":
        peers.append("statsmodels")
    return peers


def separately(*arguments: str) -> dict[str, Any]:
    """Run one row in a process of its own; its peak memory in MB comes with it."""
    command = [sys.executable, __file__, *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode == -signal.SIGXCPU:
        return {"note": f"not finished after {PATIENCE} s"}
    if ran.returncode:
        return {"note": "failed: " + (ran.stderr.strip().splitlines() or ["killed"])[-1][:90]}
    return json.loads(ran.stdout.splitlines()[-1])


def ratios() -> None:
    """The random full sheet in one process, panelcal and lsmr in turns."""
    panel = graphs.random_graph()
    ours, theirs = [], []
    for _ in range(9):
        ours.append(processor_seconds(lambda: panelcal.calibrate(panel), 1)[0])
        theirs.append(processor_seconds(lambda: scaled_lsmr(panel, 1e-10), 1)[0])
    values = statistics.median(ours)
    more = processor_seconds(lambda: errors_and_mu2(panel), 3)[0]
    print(f"lsmr 1e-10 / panelcal, medians of 9 in turns: {statistics.median(theirs) / values:.2f}")
    print(f"panelcal: values + all standard errors + mu_2 / values: {more / values:.1f}")


def growth() -> None:
    """Cost by number of assessments at 100 assessors."""
    print("| assessments | values | everything |\n| --- | --- | --- |")
    for count in GROWTH:
        panel = graphs.random_graph(count, count // 5, 100)
        values, _ = processor_seconds(lambda panel=panel: panelcal.calibrate(panel), 5)
        everything, _ = processor_seconds(lambda panel=panel: every_figure(panel), 3)
        print(f"| {count:,} | {1000 * values:.1f} ms | {1000 * everything:.1f} ms |")


def main() -> None:
    """Print the tables."""
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}, numpy {np.__version__}\n")
    print(
        "| graph | who | values | everything | memory | largest error | |\n| --- | --- | --- | --- | --- | --- | --- |"
    )
    with tempfile.TemporaryDirectory() as folder:
        reference = Path(folder) / "reference.npy"
        for name in graphs.GRAPHS:
            if not any(name.startswith(chosen) for chosen in sys.argv[1:] or [""]):
                continue
            size = separately("--row", name, "reference", str(reference)).get("size", "")
            print(f"| **{name}** | {size} | | | | | |")
            for who in peers_of(name):
                found = separately("--row", name, who, str(reference))
                cells = [f"{found[part]:.3f} s" if part in found else "" for part in ("values", "everything")] + [
                    f"{found['peak']:.0f} MB" if "peak" in found else "",
                    f"{found.get('error', np.nan):.0e}",
                ]
                print(f"| | {who} | {' | '.join(cells)} | {found.get('note', '')} |", flush=True)
    print()
    ratios()
    print()
    growth()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--row"]:
        resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE + 5))
        measured = row(sys.argv[2], sys.argv[3], Path(sys.argv[4]))
        measured["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps(measured))
    else:
        main()
