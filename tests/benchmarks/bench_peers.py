"""panelcal beside the leanest code for values alone: conjugate gradients, dense Cholesky, lsmr, splu, pyfixest.

Run with `python tests/benchmarks/bench_peers.py [--rounds 15] [--before SRC] [shape ...]`; SRC is the `src` folder of
an older panelcal, timed in a process of its own. Every shape is a process of its own on one core; everybody takes turns
in it, and times are medians of processor seconds. It ends within some ten minutes on a quiet machine: what takes longer
than `PATIENCE` is run once, rounds end when a shape has had `ENOUGH_OF_A_SHAPE`, and pyfixest is stopped after
`PATIENCE_WITH_PYFIXEST`, which is then what it took at least. All start from the same four arrays (object, assessor,
score, confidence), in which scores come object by object; peers then make their sparse table directly, without sorting,
with 32-bit indices, and "handed" is what they take when that table is given to them for nothing. Errors are against
values proven by `certify`, refined in longdouble; a peer that is off by more than `ANSWERED` has not answered. "Floor"
is what LAPACK takes to factor and invert a matrix of as many rows as exact standard errors need inverted, no more.
"""

from __future__ import annotations

import os

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "RAYON_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

import argparse
import importlib.util
import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import scipy.sparse as sp
from bench_scale import in_gauge_36, pyfixest_values, refined_values
from numpy.typing import NDArray
from peer_shapes import SHAPES, by_object
from scipy import linalg
from scipy.sparse.linalg import lsmr, splu

import panelcal
from panelcal import Panel
from panelcal.calibration.kept_system import DENSE_AT_MOST, DENSE_AT_ONCE

Array = NDArray[np.float64]
ANSWERED = 1e-6  # marks
MOST_STEPS = 1_000  # of conjugate gradients and lsmr
PATIENCE = 2.0  # seconds: what takes longer is not run again
ENOUGH = 0.02  # seconds: quick work is repeated until it has taken as long
ENOUGH_OF_A_SHAPE = 12.0  # seconds of rounds
PATIENCE_WITH_PYFIXEST = 20  # seconds
DENSE_UP_TO = 3_000
FACTORED = ("board", "case", "20,000", "ring", "communities", "star", "chain")  # where splu has little to fill
OF_QUICKEST, OF_QUICKEST_ANYWHERE, MISSES_ALLOWED = 1.1, 1.5, 2
CERTIFIED, OF_PYFIXEST, ERRORS_OF_VALUES, OF_THE_TRUTH = 1e-10, 1 / 3, 6.0, 1e4


@dataclass(frozen=True)
class Given:
    """A panel as the peers want it: links (n_objects, n_assessors) csr, totals of both sides, centred scores."""

    panel: Panel
    links: sp.csr_array
    transposed: sp.csc_array
    object_totals: Array
    assessor_totals: Array
    centre: float


def given(panel: Panel) -> Given:
    """Make the sparse table of scores that come object by object: no sorting, 32-bit indices."""
    counts = np.bincount(panel.object_index, minlength=panel.n_objects)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    c, shape = panel.confidences, (panel.n_objects, panel.n_assessors)
    links = sp.csr_array((c, panel.assessor_index.astype(np.int32), starts), shape=shape)
    return Given(
        panel,
        links,
        links.T,
        np.bincount(panel.object_index, c, panel.n_objects),
        np.bincount(panel.assessor_index, c, panel.n_assessors),
        float(c @ panel.scores / c.sum()),
    )


def _right(g: Given) -> tuple[Array, Array]:
    weighted = g.panel.confidences * (g.panel.scores - g.centre)
    on_objects = np.bincount(g.panel.object_index, weighted, g.panel.n_objects)
    on_assessors = np.bincount(g.panel.assessor_index, weighted, g.panel.n_assessors)
    return on_objects, on_assessors - g.transposed @ (on_objects / g.object_totals)


def _values(g: Given, on_objects: Array, biases: Array) -> Array:
    values = g.centre + (on_objects - g.links @ biases) / g.object_totals
    return values + g.assessor_totals @ biases / g.assessor_totals.sum()


def conjugate_gradients(g: Given) -> Array:
    """Plain conjugate gradients on the assessors, objects eliminated, scaled by the diagonal, to 1e-12."""
    on_objects, left = _right(g)
    biases, scaled = np.zeros_like(left), left / g.assessor_totals
    direction, size = scaled.copy(), left @ scaled
    goal = 1e-24 * size
    for _ in range(MOST_STEPS):
        if size <= goal:
            break
        image = g.assessor_totals * direction - g.transposed @ ((g.links @ direction) / g.object_totals)
        length = size / (direction @ image)
        biases += length * direction
        left -= length * image
        scaled = left / g.assessor_totals
        before, size = size, left @ scaled
        direction = scaled + (size / before) * direction
    return _values(g, on_objects, biases)


def _reduced(g: Given) -> sp.csr_array:
    shares = sp.csr_array(
        (g.links.data / np.repeat(g.object_totals, np.diff(g.links.indptr)), g.links.indices, g.links.indptr),
        g.links.shape,
    )
    return sp.csr_array(g.transposed @ shares)


def dense_cholesky(g: Given) -> Array:
    """Cholesky of the assessors' equations as an ordinary array, the last assessor held at zero."""
    on_objects, right = _right(g)
    matrix = -_reduced(g).toarray()
    matrix[np.diag_indices_from(matrix)] += g.assessor_totals
    factor = linalg.cho_factor(matrix[:-1, :-1], lower=True, overwrite_a=True, check_finite=False)
    return _values(g, on_objects, np.append(linalg.cho_solve(factor, right[:-1], check_finite=False), 0.0))


def sparse_factor(g: Given) -> Array:
    """SuperLU of the assessors' equations, symmetric mode, minimum degree."""
    on_objects, right = _right(g)
    matrix = (sp.diags_array(g.assessor_totals) - _reduced(g)).tocsc()[:-1, :-1]
    factor = splu(matrix, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
    return _values(g, on_objects, np.append(factor.solve(right[:-1]), 0.0))


def scaled_lsmr(g: Given) -> Array:
    """The lsmr of scipy on the design itself, columns scaled to unit length, to 1e-10."""
    panel, n = g.panel, g.panel.n_objects
    root, roots = np.sqrt(panel.confidences), (np.sqrt(g.object_totals), np.sqrt(g.assessor_totals))
    indices = np.stack([panel.object_index, n + panel.assessor_index], axis=1).astype(np.int32).ravel()
    entries = np.stack([root / roots[0][panel.object_index], root / roots[1][panel.assessor_index]], axis=1).ravel()
    starts = np.arange(0, 2 * len(root) + 1, 2, dtype=np.int32)
    design = sp.csr_array((entries, indices, starts), shape=(len(root), n + panel.n_assessors))
    options = {"atol": 1e-10, "btol": 1e-10, "conlim": 0, "maxiter": MOST_STEPS}
    found = lsmr(design, root * (panel.scores - g.centre), **options)[0]
    return g.centre + in_gauge_36(panel, found[:n] / roots[0], found[n:] / roots[1])


def peers_of(name: str, panel: Panel) -> dict[str, Callable[[Given], Array]]:
    """Who is measured on this shape, beside panelcal and pyfixest."""
    peers: dict[str, Callable[[Given], Array]] = {"conjugate gradients": conjugate_gradients, "lsmr": scaled_lsmr}
    if panel.n_assessors <= DENSE_UP_TO:
        peers["dense Cholesky"] = dense_cholesky
    if name.startswith(FACTORED):
        peers["splu"] = sparse_factor
    return peers


def seconds(work: Callable[[], Any]) -> float:
    """Processor seconds of one go, the mean of several where it is quick."""
    start, count = time.process_time(), 0
    while count == 0 or (time.process_time() - start < ENOUGH and count < 200):
        work()
        count += 1
    return (time.process_time() - start) / count


def with_errors(panel: Panel) -> str:
    """Compute values, biases and all standard errors; how these were obtained, in words."""
    return panelcal.uncertainty(panelcal.calibrate(panel)).method


def floor_of_errors(panel: Panel) -> Callable[[], Any] | None:
    """LAPACK's own inverse of as many nodes as exact errors need it of, and nothing else; None where they need none."""
    nodes = min(panel.n_objects, panel.n_assessors)
    if not DENSE_AT_ONCE < nodes <= DENSE_AT_MOST:
        return None
    matrix = np.asfortranarray(np.diag(np.full(nodes - 1, 2.0)) - 1.0 / nodes)
    return lambda: linalg.lapack.dpotri(linalg.lapack.dpotrf(matrix, lower=True)[0], lower=True, overwrite_c=True)


def measure(name: str, rounds: int) -> dict[str, Any]:
    """Let everybody take turns on one shape, in this process."""
    panel = by_object(SHAPES[name]())
    table = given(panel)
    # Memory that is given back is kept from here on, as in any program that has once freed a large array: else, at some
    # sizes, half of a time would be the system's, which clears the same pages for everybody again and again.
    np.ones(4_000_000)
    truth = refined_values(panel).astype(np.float64)
    fit = panelcal.calibrate(panel)
    work: dict[str, Callable[[], Any]] = {"panelcal": lambda: panelcal.calibrate(panel)}
    methods: list[str] = []
    work["panelcal, errors"] = lambda: methods.append(with_errors(panel))
    floor = floor_of_errors(panel)
    if floor:
        work["floor"] = floor
    found, first = {"panelcal": fit.values}, {}
    for who, solve in peers_of(name, panel).items():
        start = time.process_time()
        found[who] = solve(table)
        first[who] = time.process_time() - start
        work[who] = lambda solve=solve: solve(given(panel))
        if first[who] < PATIENCE:
            work[who + ", handed"] = lambda solve=solve: solve(table)
    times: dict[str, list[float]] = {who: [first[who]] if first.get(who, 0.0) > PATIENCE else [] for who in work}
    start = time.process_time()
    for turn in range(rounds):
        for who, do in work.items():
            late = turn > 0 and time.process_time() - start > ENOUGH_OF_A_SHAPE
            if not times[who] or (times[who][0] < PATIENCE and not late):
                times[who].append(seconds(do))
    proven = panelcal.certify(fit)
    return {
        "size": f"{panel.n_assessments:,} of {panel.n_objects:,} x {panel.n_assessors:,}",
        "times": {who: statistics.median(taken) for who, taken in times.items()},
        "errors": {who: float(np.abs(values - truth).max()) for who, values in found.items()},
        "proven": proven.solution_error,
        "solver": fit.equations.system.solver,
        "standard errors": methods[-1],
    }


def measure_pyfixest(name: str, rounds: int) -> dict[str, float]:
    """Time pyfixest, once it has compiled what it compiles on first use."""
    panel = by_object(SHAPES[name]())
    pyfixest_values(by_object(SHAPES["board, 82 x 81"]()))
    used = int(time.process_time())
    resource.setrlimit(resource.RLIMIT_CPU, (used + PATIENCE_WITH_PYFIXEST, used + PATIENCE_WITH_PYFIXEST))
    start = time.process_time()
    values = pyfixest_values(panel)
    taken = [time.process_time() - start]
    while len(taken) < rounds and sum(taken) < PATIENCE:
        taken.append(seconds(lambda: pyfixest_values(panel)))
    return {"seconds": statistics.median(taken), "off": float(np.abs(values - panelcal.calibrate(panel).values).max())}


def only_ours(name: str, rounds: int) -> float:
    """Median seconds for values by the panelcal that this process has imported."""
    panel = by_object(SHAPES[name]())
    taken: list[float] = []
    while len(taken) < rounds and sum(taken) < PATIENCE:
        taken.append(seconds(lambda: panelcal.calibrate(panel)))
    return statistics.median(taken)


TASKS: dict[str, Callable[[str, int], Any]] = {"measure": measure, "pyfixest": measure_pyfixest, "ours": only_ours}


def separately(task: str, name: str, rounds: int, source: str = "") -> Any:
    """Run one shape in a process of its own; None if it fails."""
    command = [sys.executable, __file__, "--task", task, "--rounds", str(rounds), name]
    places = [place for place in (source, os.environ.get("PYTHONPATH", "")) if place]
    ran = subprocess.run(
        command, capture_output=True, text=True, check=False, env=os.environ | {"PYTHONPATH": os.pathsep.join(places)}
    )
    if ran.returncode and task != "pyfixest":
        print(f"{name}: failed: {(ran.stderr.strip().splitlines() or ['killed'])[-1][:200]}", file=sys.stderr)
    if ran.returncode:
        return None
    return json.loads(ran.stdout.splitlines()[-1])


def shown(name: str, found: dict[str, Any], before: float | None) -> dict[str, float]:
    """Print one shape's rows and return what the goals are about."""
    times, errors = found["times"], found["errors"]
    print(f"| **{name}** | {found['size']} | | | | |")
    ours = times["panelcal"]
    for who in errors:
        ratio, handed = "" if who == "panelcal" else f"{ours / times[who]:.2f}", ""
        if who + ", handed" in times:
            handed = f"{1000 * times[who + ', handed']:.2f} ms ({ours / times[who + ', handed']:.2f})"
        note = f"{found['solver']}; proven {found['proven']:.0e}" if who == "panelcal" else ""
        note = note if errors[who] <= ANSWERED else "stopped" if np.isnan(errors[who]) else "no answer"
        print(f"| | {who} | {1000 * times[who]:.2f} ms | {handed} | {ratio} | {errors[who]:.0e} | {note} |")
    rivals = [who for who in errors if who not in ("panelcal", "pyfixest") and errors[who] <= ANSWERED]
    result = {
        "of the quickest": ours / min((times[who] for who in rivals), default=np.nan),
        "of the quickest, handed": ours / min((times[who + ", handed"] for who in rivals), default=np.nan),
        "of pyfixest": ours / times["pyfixest"] if "pyfixest" in times else np.nan,
        "proven": found["proven"],
        "proven / true": found["proven"] / max(errors["panelcal"], np.finfo(np.float64).eps * 50),
    }
    with_all = times["panelcal, errors"]
    label = f"all standard errors, {found['standard errors']}"
    result["errors / values before"] = with_all / before if before else np.nan
    result["floor / values before"] = times.get("floor", np.nan) / before if before else np.nan
    result["values / values before"] = ours / before if before else np.nan
    print(f"| | panelcal, {label} | {1000 * with_all:.2f} ms | | | | |", flush=True)
    if "floor" in times:
        ratio = f"{with_all / times['floor']:.2f}"
        print(f"| | floor: LAPACK's own inverse of that size | {1000 * times['floor']:.2f} ms | | {ratio} | | |")
    return result


def goals(results: dict[str, dict[str, float]]) -> None:
    """Print each goal, and which shapes miss it."""
    limits = {
        "of the quickest": OF_QUICKEST_ANYWHERE,
        "of pyfixest": OF_PYFIXEST,
        "proven": CERTIFIED,
        "proven / true": OF_THE_TRUTH,
        "errors / values before": ERRORS_OF_VALUES,
    }
    print("\n| shape | " + " | ".join(next(iter(results.values()))) + " |")
    print("| --- |" + " --- |" * len(next(iter(results.values()))))
    for name, row in results.items():
        cells = [
            "" if np.isnan(x) else f"{x:.2g}" + ("" if x <= limits.get(k, np.inf) else " **miss**")
            for k, x in row.items()
        ]
        print(f"| {name} | {' | '.join(cells)} |")
    slower = [name for name, row in results.items() if row["of the quickest"] > OF_QUICKEST]
    met = "met" if len(slower) <= MISSES_ALLOWED else "missed"
    named = ", ".join(slower) or "none is slower"
    print(f"\nAt most {OF_QUICKEST} of the quickest, {MISSES_ALLOWED} misses allowed: {met} ({named})")


def main() -> None:
    """Print the tables."""
    options = argparse.ArgumentParser()
    options.add_argument("shapes", nargs="*")
    options.add_argument("--rounds", type=int, default=15)
    options.add_argument("--before", default="")
    options.add_argument("--task", default="")
    chosen = options.parse_args()
    if chosen.task:
        print(json.dumps(TASKS[chosen.task](chosen.shapes[0], chosen.rounds)))
        return
    if not importlib.util.find_spec("pyfixest"):
        print("pyfixest is not installed, and is left out.\n")
    print(
        "| shape | who | from rows | handed (ours / theirs) | ours / theirs | largest error | |\n"
        + "| --- |" * 1
        + " --- |" * 6
    )
    results = {}
    for name in SHAPES:
        if chosen.shapes and not any(name.startswith(start) for start in chosen.shapes):
            continue
        before = separately("ours", name, chosen.rounds, chosen.before) if chosen.before else None
        found = separately("measure", name, chosen.rounds)
        if found and importlib.util.find_spec("pyfixest"):
            fixed = separately("pyfixest", name, chosen.rounds)
            found["times"]["pyfixest"] = fixed["seconds"] if fixed else PATIENCE_WITH_PYFIXEST
            found["errors"]["pyfixest"] = fixed["off"] if fixed else float("nan")
        if found:
            results[name] = shown(name, found, before)
    goals(results)


if __name__ == "__main__":
    main()
