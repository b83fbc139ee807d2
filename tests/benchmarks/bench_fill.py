"""How full the factor of each of the ten shapes is said to be beforehand, and how full it is.

Run with `python tests/benchmarks/bench_fill.py [shape ...]`; a minute on one core. "Held" are the cells that panelcal's
own choice holds: the triangle where the factor is an ordinary array, the band, the blocks of the envelope, or, for
what is left to SuperLU, the envelope that `worth_factoring` judges by once nodes of one link are gone. "True" are
SuperLU's entries of L in its two orders, minimum degree and COLAMD: its own symbolic fill.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import scipy.sparse as sp
from peer_shapes import SHAPES, by_object
from scipy.sparse.csgraph import reverse_cuthill_mckee
from scipy.sparse.linalg import splu

from panelcal import calibrate, uncertainty
from panelcal.calibration.banded_factor import BandedFactor
from panelcal.calibration.envelope_factor import EnvelopeFactor
from panelcal.calibration.kept_system import KeptSystem
from panelcal.calibration.sparse_factor import _without_twigs


def held(system: KeptSystem) -> tuple[str, int]:
    """Which factor panelcal makes if it makes one, and how many cells it is said to have."""
    n = len(system.kept_confidence)
    if system.is_small:
        return "ordinary array", n * (n - 1) // 2
    if not system.fits_sparse:
        return "none: nearly full", n * (n - 1) // 2
    factor = system.sparse
    if isinstance(factor, BandedFactor):
        return f"band of {factor.order.width}", factor.lower.size
    if isinstance(factor, EnvelopeFactor):
        return "envelope", sum(one.size + two.size for one, two in zip(factor.corners, factor.below, strict=True))
    core = _without_twigs(factor.conductance)
    return "SuperLU", n + factor.conductance.nnz // 2 + (envelope(core) if core.nnz else 0)


def envelope(conductance: sp.csr_array) -> int:
    """Cells between each row's first entry and its diagonal, in the order of reverse Cuthill and McKee."""
    n = conductance.shape[0]
    order = reverse_cuthill_mckee(conductance, symmetric_mode=True)
    place = np.empty(n, dtype=np.intp)
    place[order] = np.arange(n)
    first = np.arange(n)
    np.minimum.at(first, place[np.repeat(np.arange(n), np.diff(conductance.indptr))], place[conductance.indices])
    return int((np.arange(n) - first).sum())


def true_fill(system: KeptSystem) -> list[int]:
    """Entries of SuperLU's L by minimum degree and by COLAMD, the ground left out."""
    conductance = sp.csc_array(system.conductance)
    own = conductance @ np.ones(conductance.shape[0])
    others = np.flatnonzero(np.arange(len(own)) != system.ground)
    matrix = sp.csc_array(sp.diags_array(own) - conductance)[others][:, others]
    options = {"SymmetricMode": True}
    return [splu(matrix, order, diag_pivot_thresh=0.0, options=options).L.nnz for order in ("MMD_AT_PLUS_A", "COLAMD")]


def main() -> None:
    """Print the table."""
    print(
        "| shape | unknowns | values by | factor, if one is asked for | held | true, minimum degree | COLAMD | ratio |"
    )
    print("| --- |" + " --- |" * 7)
    for name, make in SHAPES.items():
        if len(sys.argv) > 1 and not name.startswith(tuple(sys.argv[1:])):
            continue
        fit = calibrate(by_object(make()))
        system = fit.equations.system
        kind, cells = held(system)
        found = [] if kind.startswith("none") else true_fill(system)
        # All who saw one object are linked to each other, so the factor is full between them in any order.
        most = int(np.bincount(system.eliminated.index).max())
        shown = [f"{x:,}" for x in found] or [f"at least {most * (most - 1) // 2:,}", "not made"]
        ratio = f"{cells / min(found):.2g}" if found else ""
        said = uncertainty(fit).method
        print(
            f"| {name} | {len(system.kept_confidence):,} | {system.solver} | {kind}; errors {said} | {cells:,} | "
            f"{' | '.join(shown)} | {ratio} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
