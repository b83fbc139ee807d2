"""Entries of the generalised inverse G on a panel's own pairs, which is what errors and leverages are made of.

With Z the inverse between kept nodes, A the shares of the eliminated ones and D their totals,
G = [[1/D + A Z A', -A Z], [-Z A', Z]]. For every assessment, x = e_eliminated + e_kept, only few entries of Z are
needed, and they are gathered without forming A Z. Where Z itself is out of reach, they are estimated from solutions for
random scores.
"""

from __future__ import annotations

import dataclasses as data
from collections.abc import Callable, Iterator
from functools import cached_property, partial

import numpy as np
import scipy  # its parts are loaded when they are used: small panels do without sparse matrices

from panelcal.arrays import Array, Indices
from panelcal.calibration.kept_system import KeptSystem
from panelcal.calibration.shared_pairs import AlikeNodes, SharedPairs, by_node, carried_by_pairs
from panelcal.frozen import dataclass
from panelcal.panel import totals_by

_CELLS_AT_ONCE = 2_000_000
_WHOLE_UP_TO = 4_000_000  # cells of A Z: quicker formed as a whole
_SAMPLES, _SAMPLES_AT_ONCE = 64, 16
_SAMPLE_TOLERANCE = 1e-3
_MANY_ALIKE = 1_000  # nodes with as many scores: worth going from score to score
_WHOLE_AT_LEAST, _OF_A_PAIR = 1_000_000, 16  # cells; products that take as long as gathering an entry


@dataclass(frozen=True, slots=True, eq=False)
class OnAssessments:
    """Entries of G that belong to assessments, x = e_eliminated + e_kept.

    Attributes
    ----------
    eliminated_end, kept_end
        (N,) x' G e_eliminated and x' G e_kept.
    along
        (N,) their sum x' G x, leverage/confidence.
    rounding
        (N,) how large the numbers were that `along` is a difference of.
    """

    eliminated_end: Array
    kept_end: Array
    along: Array
    rounding: Array


@data.dataclass(frozen=True, eq=False)
class InverseEntries:
    """Entries of G that belong to nodes, and when asked for, those of assessments.

    Attributes
    ----------
    eliminated, kept
        (n_eliminated,), (n_kept,) the diagonal of G.
    stated_error
        0 where exact; else the largest relative standard error of a standard error made from these entries.
    method
        How they were obtained, in words.
    work_out
        Works out the entries of assessments.
    """

    eliminated: Array
    kept: Array
    stated_error: float
    method: str
    work_out: Callable[[], OnAssessments]

    @cached_property
    def _on_assessments(self) -> OnAssessments:
        return self.work_out()

    @property
    def eliminated_end(self) -> Array:
        """(N,) x' G e_eliminated for x = e_eliminated + e_kept of every assessment."""
        return self._on_assessments.eliminated_end

    @property
    def kept_end(self) -> Array:
        """(N,) x' G e_kept."""
        return self._on_assessments.kept_end

    @property
    def along(self) -> Array:
        """(N,) the sum of both, x' G x: leverage/confidence."""
        return self._on_assessments.along

    @property
    def rounding(self) -> Array:
        """(N,) how large the numbers were that `along` is a difference of."""
        return self._on_assessments.rounding


def inverse_entries(system: KeptSystem) -> InverseEntries:
    """Find the entries on the panel's own pairs: exact where the structure lets them be, else estimated."""
    if system.is_small:
        return dense_entries(system)
    if system.fits_sparse:
        return exact_entries(system, system.sparse.selected_inverse())
    return sampled_entries(system)


def dense_entries(system: KeptSystem) -> InverseEntries:
    """Take the entries from Z as an ordinary array, or from its half where links are too weak for Z to hold them."""
    if not system.dense.keeps_differences:
        return _entries_by_halves(system)
    inverse = system.dense.inverse
    pairs = (np.bincount(system.eliminated_index).astype(np.float64) ** 2).sum()
    cells = len(system.eliminated_confidence) * len(inverse)
    if cells > _WHOLE_UP_TO or (cells > _WHOLE_AT_LEAST and _OF_A_PAIR * pairs < len(system.share) * len(inverse)):
        return exact_entries(system, inverse)
    carried = (system.shares @ inverse)[system.eliminated_index, system.kept_index]
    return _assembled(system, inverse.diagonal(), carried)


def exact_entries(system: KeptSystem, inverse: Array | scipy.sparse.csr_array) -> InverseEntries:
    """Gather the entries from Z, which need only hold entries of nodes that share an eliminated node."""
    if isinstance(inverse, np.ndarray) and system.pairs is not None:
        return _entries_by_pairs(system, system.pairs, inverse)
    n = len(system.eliminated_confidence)
    carried = _carried(inverse, system.eliminated_index, n, system.kept_index, system.share)
    return _assembled(system, inverse.diagonal(), carried)


def lengths(inverse: Array, vectors: scipy.sparse.csr_array) -> Array:
    """Return x' Z x (n,) for vectors (n, n_kept) with few entries each."""
    n, index = vectors.shape[0], np.repeat(np.arange(vectors.shape[0]), np.diff(vectors.indptr))
    carried = _carried(inverse, index, n, vectors.indices.astype(np.intp), vectors.data)
    return totals_by(index, vectors.data * carried, n)


def quicker_gathered(counts: Indices, n_kept: int) -> bool:
    """Whether x' Z x are sooner gathered from Z than multiplied, for vectors with so many entries each, (n,)."""
    return bool(_OF_A_PAIR * (counts.astype(np.float64) ** 2).sum() < len(counts) * float(n_kept) ** 2)


def _carried(
    inverse: Array | scipy.sparse.csr_array, index: Indices, n_vectors: int, kept_index: Indices, share: Array
) -> Array:
    """Z x at each entry (N,) of vectors x: entry k is `share[k]` at node `kept_index[k]` of vector `index[k]`."""
    carried = np.empty(len(share))
    order = by_node(index, n_vectors)
    counts = np.bincount(index, minlength=n_vectors)
    starts = np.cumsum(counts) - counts
    for count in np.unique(counts[counts > 0]):
        nodes = np.flatnonzero(counts == count)
        at_once = max(1, _CELLS_AT_ONCE // int(count) ** 2)
        for first in range(0, len(nodes), at_once):
            some = nodes[first : first + at_once]
            own = order[starts[some, None] + np.arange(count)]
            at = kept_index[own]
            if isinstance(inverse, np.ndarray) and len(own) >= _MANY_ALIKE:
                group = AlikeNodes(some, own.T, at.T.astype(np.int32), (len(some),) * int(count), None)
                carried[own] = carried_by_pairs(inverse, group, share[own].T.copy()).T
                continue
            for part in _parts(int(count)):
                gathered = _at(inverse, at[:, part, None], at[:, None, :])
                carried[own[:, part]] = np.einsum("mij,mj->mi", gathered, share[own])
    return carried


def _entries_by_pairs(system: KeptSystem, pairs: SharedPairs, inverse: Array) -> InverseEntries:
    """Gather each pair's entry once, for both of the pair."""
    eliminated, carried = 1 / system.eliminated_confidence, np.empty(len(system.confidences))
    for group, places in pairs.parts():
        shares = group.of_own(system.confidences) / system.eliminated_confidence[group.nodes]
        own = carried_by_pairs(inverse, group, shares, pairs.keys[places])
        eliminated[group.nodes] += np.einsum("km,km->m", shares, own)
        group.put(own, carried)
    return _finished(system, eliminated, inverse.diagonal(), carried)


def _at(inverse: Array | scipy.sparse.csr_array, rows: Indices, columns: Indices) -> Array:
    """Entries of the inverse at rows x columns, broadcast."""
    if isinstance(inverse, np.ndarray):
        # Symmetric, so either order in memory will do, and none is copied.
        return inverse.ravel(order="K").take(rows * len(inverse) + columns)
    rows, columns = np.broadcast_arrays(rows, columns)
    return np.asarray(inverse[rows.ravel(), columns.ravel()]).reshape(rows.shape)


def _parts(count: int) -> Iterator[slice]:
    step = max(1, _CELLS_AT_ONCE // count)
    return (slice(first, first + step) for first in range(0, count, step))


def _assembled(system: KeptSystem, kept: Array, carried: Array) -> InverseEntries:
    """Put together from the diagonal of Z (n_kept,) and A Z at each assessment (N,)."""
    n = len(system.eliminated_confidence)
    eliminated = 1 / system.eliminated_confidence + totals_by(system.eliminated_index, system.share * carried, n)
    return _finished(system, eliminated, kept, carried)


def _finished(system: KeptSystem, eliminated: Array, kept: Array, carried: Array) -> InverseEntries:
    """Put together from the diagonal of G and A Z at each assessment (N,)."""
    kept = np.array(kept)
    return InverseEntries(eliminated, kept, 0.0, "exact", partial(_on_assessments, system, eliminated, kept, carried))


def _on_assessments(system: KeptSystem, eliminated: Array, kept: Array, carried: Array) -> OnAssessments:
    at_eliminated, at_kept = eliminated[system.eliminated_index], kept[system.kept_index]
    ends = at_eliminated - carried, at_kept - carried
    return OnAssessments(*ends, ends[0] + ends[1], np.maximum(at_eliminated, at_kept))


def _itself(found: OnAssessments) -> OnAssessments:
    return found


def _entries_by_halves(system: KeptSystem) -> InverseEntries:
    """Form x' G e as products of H x and H e, whose entries are the square roots of Z's in size (H'H = Z)."""
    own = 1 / system.eliminated_confidence
    eliminated, kept = np.empty(len(own)), np.empty(len(system.kept_confidence))
    eliminated_end, kept_end, along = (np.empty(len(system.share)) for _ in range(3))
    for part, at_eliminated, at_kept in halves(system):
        one, two = system.eliminated_index[part], system.kept_index[part]
        apart = at_eliminated - at_kept
        eliminated[one] = own[one] + np.einsum("ek,ek->e", at_eliminated, at_eliminated)
        kept[two] = np.einsum("ek,ek->e", at_kept, at_kept)
        eliminated_end[part] = own[one] + np.einsum("ek,ek->e", apart, at_eliminated)
        kept_end[part] = -np.einsum("ek,ek->e", apart, at_kept)
        along[part] = own[one] + np.einsum("ek,ek->e", apart, apart)
    largest = np.maximum(eliminated[system.eliminated_index], kept[system.kept_index])
    rounding = np.sqrt(largest * along)
    found = OnAssessments(eliminated_end, kept_end, along, rounding)
    return InverseEntries(eliminated, kept, 0.0, "exact", partial(_itself, found))


def along_assessments(system: KeptSystem, on_eliminated: Array, on_kept: Array) -> Array:
    """Return x' G u (N,) for every assessment, x = e_eliminated + e_kept, and a vector u given by its two parts."""
    one, two = system.eliminated_index, system.kept_index
    own = on_eliminated / system.eliminated_confidence
    right = on_kept - system.shares.T @ on_eliminated
    if system.solver != "dense" or system.dense.keeps_differences:
        kept = system.solve(right)
        return (own - system.shares @ kept)[one] + kept[two]
    half = system.dense.half(right)
    along = own[one]
    for part, at_eliminated, at_kept in halves(system):
        along[part] -= (at_eliminated - at_kept) @ half
    return along


def halves(system: KeptSystem) -> Iterator[tuple[slice, Array, Array]]:
    """H A' e_eliminated and H e_kept of some assessments at a time, each (k, n_kept - 1)."""
    half = system.dense.half(np.eye(len(system.kept_confidence))).T.copy()
    step = max(1, _CELLS_AT_ONCE // len(half))
    for first in range(0, len(system.share), step):
        part = slice(first, first + step)
        yield part, np.asarray(system.shares[system.eliminated_index[part]] @ half), half[system.kept_index[part]]


def sampled_entries(system: KeptSystem) -> InverseEntries:
    """Estimate the entries from solutions for random scores, whose covariance is G.

    Given the eliminated nodes' values, the kept ones are independent with variances 1/C', so only the variance of their
    conditional means is estimated; that part of the covariance, and no more, has a sampling error (Rao-Blackwell; Siden
    et al. 2018). Everything is centred by the kept nodes' confidences and moved to the ground's zero at the end.
    """
    n_kept, total = len(system.kept_confidence), float(system.kept_confidence.sum())
    kept_own, eliminated_own = 1 / system.kept_confidence, 1 / system.eliminated_confidence
    shares = scipy.sparse.csr_array(system.shares)
    squares = scipy.sparse.csr_array((shares.data**2, shares.indices, shares.indptr), shape=shares.shape)
    pair_share = np.asarray(shares[system.eliminated_index, system.kept_index]).ravel()
    beyond_own = squares @ kept_own - 1 / total

    kept, eliminated = np.zeros(n_kept), np.zeros(len(eliminated_own))
    along = np.zeros(len(system.share))
    for seed in range(_SAMPLES // _SAMPLES_AT_ONCE):
        means = _conditional_means(system, np.random.default_rng(seed))
        kept += (means**2).sum(axis=1)
        through = shares @ means
        eliminated += (through**2).sum(axis=1)
        for column in range(_SAMPLES_AT_ONCE):
            along += (through[system.eliminated_index, column] - means[system.kept_index, column]) ** 2
    sampled = kept / _SAMPLES, eliminated / _SAMPLES, along / _SAMPLES
    kept = kept_own - 1 / total + sampled[0]
    eliminated = eliminated_own + beyond_own + sampled[1]
    apart = beyond_own[system.eliminated_index] + 1 / total + (1 - 2 * pair_share) * kept_own[system.kept_index]
    apart += sampled[2]  # variance of A_eliminated b - b_kept

    one, two = system.eliminated_index, system.kept_index
    spread = eliminated - eliminated_own
    eliminated_end = eliminated_own[one] + (spread[one] - kept[two] + apart) / 2
    kept_end = (kept[two] - spread[one] + apart) / 2
    to_ground, from_eliminated = _to_ground(system)
    found = OnAssessments(
        # n' x = 0, so only the other node's part of the change shows.
        eliminated_end=eliminated_end + from_eliminated[one] - to_ground[two],
        kept_end=kept_end + to_ground[two] - from_eliminated[one],
        along=eliminated_own[one] + apart,
        rounding=np.maximum(eliminated[one], kept[two]),
    )
    return InverseEntries(
        eliminated=eliminated + 2 * from_eliminated,
        kept=kept + 2 * to_ground,
        stated_error=float(np.sqrt(2 / _SAMPLES) / 2 * max((sampled[0] / kept).max(), (sampled[1] / eliminated).max())),
        method=f"estimated from {_SAMPLES} random solutions",
        work_out=partial(_itself, found),
    )


def _conditional_means(system: KeptSystem, random: np.random.Generator) -> Array:
    """Means of the kept nodes given the eliminated ones (n_kept, samples), for random scores, centred."""
    n_eliminated, n_kept = len(system.eliminated_confidence), len(system.kept_confidence)
    on_eliminated, on_kept = np.empty((n_eliminated, _SAMPLES_AT_ONCE)), np.empty((n_kept, _SAMPLES_AT_ONCE))
    root = np.sqrt(system.share * system.eliminated_confidence[system.eliminated_index])
    for column in range(_SAMPLES_AT_ONCE):
        noise = root * random.standard_normal(len(root))
        on_eliminated[:, column] = totals_by(system.eliminated_index, noise, n_eliminated)
        on_kept[:, column] = totals_by(system.kept_index, noise, n_kept)
    solution = system.solve(on_kept - system.shares.T @ on_eliminated, tolerance=_SAMPLE_TOLERANCE)
    values = on_eliminated / system.eliminated_confidence[:, None] - system.shares @ solution
    means = (system.links.T @ values) / system.kept_confidence[:, None]
    return means - system.kept_confidence @ means / system.kept_confidence.sum()


def _to_ground(system: KeptSystem) -> tuple[Array, Array]:
    """Half of what diagonals gain, kept (n_kept,) and eliminated, from the centred gauge to the ground's zero."""
    weights = system.kept_confidence / system.kept_confidence.sum()
    moved = system.solve(weights)
    to_ground = moved - weights @ moved / 2
    return to_ground, np.asarray(system.shares @ to_ground)
