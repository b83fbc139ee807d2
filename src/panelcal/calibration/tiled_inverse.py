"""Cholesky factor and inverse of a large grounded Laplacian, tile by tile.

LAPACK's own routines for triangles (dtrtri, dtrsm) take up to three times as long for as many operations as products of
matrices do. Tiles are put together by products alone, in their places from the start: nothing is copied as a whole.
"""

from __future__ import annotations

import itertools

import numpy as np
from scipy.linalg import blas, lapack

from panelcal.arrays import Array, Indices
from panelcal.frozen import dataclass

_TILE = 256  # rows, about
_SMALL = 96  # rows: triangles up to so many are inverted at once

Tiles = dict[tuple[int, int], Array]


@dataclass(frozen=True, slots=True, eq=False)
class TiledFactor:
    """The Cholesky factor of a grounded Laplacian in tiles, with the inverse of all of it.

    Attributes
    ----------
    cuts
        Where rows are cut, the same as columns.
    tiles
        The lower triangle of the factor, which has a one and zeros at the ground.
    inverse
        (n, n) Z; the ground's own row and column are zero.
    """

    cuts: tuple[slice, ...]
    tiles: Tiles
    inverse: Array

    def factor(self, others: Indices) -> Array:
        """Return the factor (n - 1, n - 1) of all nodes but the ground as a whole."""
        whole = np.zeros_like(self.inverse, order="F")
        for (i, j), tile in self.tiles.items():
            whole[self.cuts[i], self.cuts[j]] = tile
        return np.asfortranarray(whole[np.ix_(others, others)])


def inverse_by_tiles(above: Array, own: Array, ground: int) -> TiledFactor | None:
    """Factor and invert the Laplacian of conductances (n, n), given above the diagonal; None if that breaks down.

    `own` (n,) is what links each node to all others.
    """
    ends = np.linspace(0, len(own), max(1, round(len(own) / _TILE)) + 1).astype(int).tolist()
    cuts = tuple(slice(*pair) for pair in itertools.pairwise(ends))
    tiles: Tiles = {}
    for j, columns in enumerate(cuts):
        for i, rows in list(enumerate(cuts))[j:]:
            tile = np.negative(above[columns, rows]).T  # in the order in memory that LAPACK works on
            if i == j:
                tile.flat[:: len(tile) + 1] = own[rows]
            _hold(tile, ground - rows.start, ground - columns.start)
            tiles[i, j] = tile
    halves = _factor(tiles, len(cuts))
    if halves is None:
        return None
    _invert(halves, tiles, len(cuts))
    inverse = np.empty_like(above)
    for j, columns in enumerate(cuts):
        for i, rows in list(enumerate(cuts))[j:]:
            inverse[rows, columns] = tile = _product(halves, i, j, len(cuts))
            if i > j:
                inverse[columns, rows] = tile.T
    inverse[ground, ground] = 0.0
    return TiledFactor(cuts, tiles, inverse)


def _hold(tile: Array, row: int, column: int) -> None:
    """Part the ground from all others, if its row or its column, counted from the tile's first, is in the tile."""
    if 0 <= row < tile.shape[0]:
        tile[row] = 0.0
    if 0 <= column < tile.shape[1]:
        tile[:, column] = 0.0
        if row == column:
            tile[row, column] = 1.0


def _factor(tiles: Tiles, count: int) -> Tiles | None:
    """Put the factor L in the place of the matrix; return the inverses of its tiles on the diagonal."""
    halves: Tiles = {}
    for j in range(count):
        for k in range(j):
            tiles[j, j] = blas.dsyrk(-1.0, tiles[j, k], 1.0, tiles[j, j], lower=True, overwrite_c=True)
        tiles[j, j], failed = lapack.dpotrf(tiles[j, j], lower=True, clean=True, overwrite_a=True)
        if failed:
            return None
        halves[j, j] = _of_triangle(tiles[j, j])
        for i in range(j + 1, count):
            tile = tiles[i, j]
            for k in range(j):
                tile = blas.dgemm(-1.0, tiles[i, k], tiles[j, k], 1.0, tile, trans_b=True, overwrite_c=True)
            tiles[i, j] = blas.dtrmm(1.0, halves[j, j], tile, side=True, lower=True, trans_a=True, overwrite_b=True)
    return halves


def _invert(halves: Tiles, tiles: Tiles, count: int) -> None:
    """Complete the inverse H of the factor, of which the tiles on the diagonal are there."""
    for i in range(count):
        for j in range(i):
            half = blas.dtrmm(1.0, halves[j, j], tiles[i, j], side=True, lower=True)
            for k in range(j + 1, i):
                half = blas.dgemm(1.0, tiles[i, k], halves[k, j], 1.0, half, overwrite_c=True)
            halves[i, j] = blas.dtrmm(-1.0, halves[i, i], half, lower=True, overwrite_b=True)


def _product(halves: Tiles, i: int, j: int, count: int) -> Array:
    """Return a tile of H'H."""
    if i > j:
        tile = blas.dtrmm(1.0, halves[i, i], halves[i, j], lower=True, trans_a=True)
        for k in range(i + 1, count):
            tile = blas.dgemm(1.0, halves[k, i], halves[k, j], 1.0, tile, trans_a=True, overwrite_c=True)
        return np.asarray(tile)
    tile = blas.dsyrk(1.0, halves[i, i], trans=True, lower=True)
    for k in range(i + 1, count):
        tile = blas.dsyrk(1.0, halves[k, i], 1.0, tile, trans=True, lower=True, overwrite_c=True)
    return np.asarray(np.tril(tile) + np.tril(tile, -1).T)


def _of_triangle(lower: Array) -> Array:
    """Return the inverse of a lower triangle, half by half."""
    n = len(lower)
    if n <= _SMALL:
        return np.asarray(lapack.dtrtri(lower, lower=True)[0])
    first, second = slice(None, n // 2), slice(n // 2, None)
    inverse = np.zeros((n, n), order="F")
    corners = (_of_triangle(np.asfortranarray(lower[part, part])) for part in (first, second))
    inverse[first, first], inverse[second, second] = one, two = tuple(corners)
    across = blas.dtrmm(1.0, one, np.asfortranarray(lower[second, first]), side=True, lower=True, overwrite_b=True)
    inverse[second, first] = blas.dtrmm(-1.0, two, across, lower=True, overwrite_b=True)
    return inverse
