"""Pairs of kept nodes that share an eliminated one: what links between kept nodes are made of.

Eliminated nodes of about as many assessments are put side by side, so that whole rows of pairs are worked on at once. A
pair's key is its place in the table (n_kept, n_kept), by which conductances are added up and entries of the inverse are
gathered.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import numpy as np
import scipy  # its parts are loaded when they are used: small panels do without sparse matrices
from numpy.typing import NDArray

from panelcal.arrays import Array, Indices, Mask
from panelcal.calibration.side import Side
from panelcal.frozen import dataclass

_IN_CACHE = 500  # nodes: up to so many, it is no matter on which side of the diagonal a pair stands
_ENOUGH, _MOST_AT_ONCE = 1_000, 20_000  # nodes of one number of assessments: more need no company, and are split
_MORE = 1.5  # times as many assessments as another node beside it

Keys = NDArray[np.int32]
Number = TypeVar("Number", np.float64, np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class AlikeNodes:
    """Eliminated nodes (m) of about as many assessments each, at most `count`.

    Attributes
    ----------
    nodes
        (m,) which ones, those of most assessments first.
    own
        (count, m) their assessments; None where these are all there are, node after node.
    kept
        (count, m) the kept nodes of these.
    widths
        For each k below `count`: how many of the nodes, the first, have more than k assessments.
    missing
        (count, m) where a node has fewer, and the other arrays say nothing; None where all have as many.
    """

    nodes: Indices
    own: Indices | None
    kept: Keys
    widths: tuple[int, ...]
    missing: Mask | None

    @property
    def pairs(self) -> int:
        """How many pairs their assessments make."""
        return sum(k * width for k, width in enumerate(self.widths))

    def of_own(self, amounts: Array) -> Array:
        """Take the amounts (count, m) of their assessments out of those of all (N,); 0 where there is none."""
        if self.own is None:
            return amounts.reshape(-1, len(self.kept)).T.copy()
        found = amounts.take(self.own)
        if self.missing is not None:
            found[self.missing] = 0.0
        return found

    def put(self, amounts: Array, into: Array) -> None:
        """Put amounts (count, m) to those of all assessments (N,)."""
        if self.own is None:
            into.reshape(-1, len(self.kept))[:] = amounts.T
        elif self.missing is None:
            into[self.own] = amounts
        else:
            into[self.own[~self.missing]] = amounts[~self.missing]

    def turns(self, amounts: NDArray[Number]) -> Iterator[tuple[int, int, NDArray[Number]]]:
        """Yield each k, how many nodes have a k-th assessment, and its pairs' (k, .) with all earlier ones."""
        start = 0
        for k, width in enumerate(self.widths):
            yield k, width, amounts[start : start + k * width].reshape(k, width)
            start += k * width


@dataclass(frozen=True, slots=True, eq=False)
class SharedPairs:
    """All pairs of assessments of one eliminated node, for tables of `size` x `size` cells.

    Attributes
    ----------
    size
        How many nodes are kept.
    groups
        The eliminated nodes.
    keys
        (n_pairs,) each pair's place in the table, group after group, in each the second assessment's pairs with the
        first ones, then the third's with all earlier ones. Among many nodes it is the place above the diagonal.
    """

    size: int
    groups: tuple[AlikeNodes, ...]
    keys: Keys

    @property
    def above(self) -> bool:
        """Whether all keys are places above the diagonal, or on it."""
        return self.size > _IN_CACHE

    def parts(self) -> Iterator[tuple[AlikeNodes, slice]]:
        """Each group with the places of its pairs among all."""
        start = 0
        for group in self.groups:
            stop = start + group.pairs
            yield group, slice(start, stop)
            start = stop

    def conductances(self, confidences: Array, eliminated_confidence: Array) -> Array:
        """Add up what links kept nodes (size, size), where the keys say; its diagonal means nothing."""
        each = np.empty(len(self.keys))
        for group, places in self.parts():
            own = group.of_own(confidences)
            shares = own / eliminated_confidence[group.nodes]
            for k, width, pairs in group.turns(each[places]):
                np.multiply(own[k, :width], shares[:k, :width], out=pairs)
        # One long column times one: adds up repeated pairs quicker than by counting.
        ends = np.array([0, len(self.keys)], dtype=np.int32)
        column = scipy.sparse.csc_array((each, self.keys, ends), shape=(self.size**2, 1))
        return np.asarray(column @ np.ones(1)).reshape(self.size, self.size)


def turns_of(side: Side) -> tuple[int, int]:
    """How many turns it takes to go through all pairs of a side, and how many entries a product would go through."""
    of_each = np.bincount(side.counts())
    each, upto = np.arange(len(of_each)), np.cumsum(of_each)
    most = [int(np.searchsorted(upto, last)) for _, last in _cuts(of_each)]
    return sum(most), int((of_each * each**2).sum())


def alike_nodes(side: Side, kept_index: Indices) -> Iterator[AlikeNodes]:
    """Put eliminated nodes of about as many assessments side by side, those of few first."""
    if side.each:
        kept = kept_index.reshape(-1, side.each).T.astype(np.int32, order="C")
        yield AlikeNodes(np.arange(side.count), None, kept, (side.count,) * side.each, None)
        return
    in_order = side.runs is not None or bool((side.index[1:] >= side.index[:-1]).all())
    order = None if in_order else by_node(side.index, side.count)
    counts = side.counts()
    starts = np.cumsum(counts) - counts
    short = counts.astype(np.uint16) if counts.max() < 65_536 else counts  # 16 bits sort in no time
    by_count = np.argsort(short, kind="stable")
    for first, last in _cuts(np.bincount(counts)):
        nodes = by_count[first:last][::-1]
        numbers, most = counts[nodes], int(counts[nodes[0]])
        own = starts[nodes] + np.arange(most)[:, None]
        missing = None
        if numbers[-1] < most:
            missing = np.arange(most)[:, None] >= numbers
            own[missing] = 0
        own = own if order is None else order.take(own)
        widths = len(nodes) - np.searchsorted(numbers[::-1], np.arange(most), side="right")
        yield AlikeNodes(nodes, own, kept_index.take(own).astype(np.int32), tuple(widths.tolist()), missing)


def _cuts(of_each: Indices) -> Iterator[tuple[int, int]]:
    """Yield where groups start and end among nodes in the order of their numbers of assessments.

    Given how many nodes have each number. Where these are few, nodes of more assessments join them.
    """
    first, last, least = 0, 0, 0
    for count in np.flatnonzero(of_each).tolist():
        number = int(of_each[count])
        if last > first and (last - first + number > _MOST_AT_ONCE or number > _ENOUGH or count > _MORE * least):
            yield first, last
            first = last
        least = count if last == first else least
        last += number
        while last - first >= _ENOUGH:
            yield first, min(first + _MOST_AT_ONCE, last)
            first = min(first + _MOST_AT_ONCE, last)
    if last > first:
        yield first, last


def shared_pairs(groups: Iterator[AlikeNodes], size: int) -> SharedPairs:
    """Work out the places of all pairs in a table of `size` nodes."""
    found = tuple(groups)
    pairs = SharedPairs(size, found, np.empty(sum(group.pairs for group in found), dtype=np.int32))
    for group, places in pairs.parts():
        _place(group, size, pairs.keys[places])
    return pairs


def _place(group: AlikeNodes, size: int, keys: Keys) -> None:
    """Fill in the places (pairs,) of a group's pairs."""
    kept, side = group.kept, np.int32(size)
    # Above the diagonal alone, half as much memory is gone through.
    turn = size > _IN_CACHE and not ((kept[1:] >= kept[:-1]) | _none(group)[1:]).all()
    for k, width, pairs in group.turns(keys):
        later, earlier = kept[k, :width], kept[:k, :width]
        if turn:
            np.minimum(later, earlier, out=pairs)
            np.multiply(pairs, side - np.int32(1), out=pairs)
            np.add(pairs, earlier, out=pairs)
            np.add(pairs, later, out=pairs)
        else:
            np.multiply(earlier, side, out=pairs)
            np.add(pairs, later, out=pairs)


def _none(group: AlikeNodes) -> Mask:
    return np.zeros((len(group.kept), 1), dtype=np.bool_) if group.missing is None else group.missing


def carried_by_pairs(inverse: Array, group: AlikeNodes, shares: Array, keys: Keys | None = None) -> Array:
    """Sums (count, m) of inverse x share over the assessments of each node; an entry serves both of its pair."""
    if keys is None:
        keys = np.empty(group.pairs, dtype=np.int32)
        _place(group, len(inverse), keys)
    carried = inverse.diagonal().take(group.kept)
    carried *= shares
    for k, width, between in group.turns(inverse.ravel(order="K").take(keys)):  # symmetric
        carried[k, :width] += np.einsum("km,km->m", between, shares[:k, :width])
        carried[:k, :width] += np.multiply(between, shares[k, :width], out=between)
    return carried


def by_node(index: Indices, n_nodes: int) -> Indices:
    """Order (N,) that brings the entries of every node together: a counting sort, by way of a sparse table."""
    table = scipy.sparse.coo_array((np.arange(len(index)), (index, np.zeros_like(index))), shape=(n_nodes, 1))
    table.has_canonical_format = True
    return np.asarray(table.tocsr().data)
