"""Sparse, banded and envelope factors and selected inverses, against ordinary ones."""

import numpy as np
import pytest
import scipy.sparse as sp

from panelcal.calibration.banded_factor import NarrowOrder, banded_factor, narrow_order
from panelcal.calibration.envelope_factor import envelope_factor
from panelcal.calibration.sparse_factor import sparse_factor, worth_factoring


def _network(kind: str, n: int, seed: int) -> sp.csr_array:
    random = np.random.default_rng(seed)
    if kind == "ring":
        one = np.repeat(np.arange(n), 3)
        two = (one + np.tile([1, 2, 3], n)) % n
    elif kind == "tree":
        two = np.arange(1, n)
        one = (random.random(n - 1) * two).astype(int)
    else:
        one, two = np.concatenate([[np.arange(n - 1), np.arange(1, n)], random.integers(0, n, (2, 3 * n))], axis=1)
        one, two = one[one != two], two[one != two]
    entries = 10.0 ** random.uniform(-2, 2, len(one))
    half = sp.coo_array((entries, (one, two)), shape=(n, n)).tocsr()
    whole = sp.csr_array(half + half.T)
    whole.sort_indices()
    return whole


@pytest.mark.parametrize("kind", ["ring", "tree", "random"])
@pytest.mark.parametrize("n", [2, 9, 150])
@pytest.mark.parametrize("way", ["sparse", "banded", "envelope"])
def test_the_selected_inverse_holds_the_entries_of_the_inverse_where_nodes_are_connected(kind, n, way):
    if kind == "ring" and n < 9:
        kind = "tree"
    conductance = _network(kind, n, seed=n)
    ground = n // 2
    dense = conductance.toarray()
    laplacian = np.diag(dense.sum(axis=1)) - dense
    others = np.arange(n) != ground
    exact = np.zeros((n, n))
    exact[np.ix_(others, others)] = np.linalg.inv(laplacian[np.ix_(others, others)])
    if way == "sparse":
        factor = sparse_factor(conductance, ground)
    else:
        make = banded_factor if way == "banded" else envelope_factor
        factor = make(conductance, ground, narrow_order(conductance))
    found = factor.selected_inverse()
    pattern = (dense > 0) | np.eye(n, dtype=bool)
    assert found.toarray()[pattern] == pytest.approx(exact[pattern], rel=1e-9, abs=1e-12 * exact.max())
    right = np.random.default_rng(0).standard_normal((n, 3))
    assert factor.solve(right) == pytest.approx(exact @ right, rel=1e-8, abs=1e-10 * exact.max())


@pytest.mark.parametrize("ground", [0, 1, 7])
def test_the_selected_inverse_of_a_star_is_told_by_its_links(ground):
    """Held at zero in the middle, nobody is linked to anybody; else all hang on the middle, and it on the ground."""
    links = np.random.default_rng(ground).uniform(0.1, 9.0, 39)
    middle = sp.csr_array((links, (np.zeros(39, dtype=int), np.arange(1, 40))), shape=(40, 40))
    found = sparse_factor(sp.csr_array(middle + middle.T), ground).selected_inverse().toarray()
    to_middle = 0.0 if ground == 0 else 1 / links[ground - 1]
    own = np.append(to_middle, to_middle + 1 / links)
    own[ground] = 0.0
    assert found.diagonal() == pytest.approx(own, rel=1e-13)
    assert found[0, 1:] == pytest.approx(np.where(np.arange(1, 40) == ground, 0.0, to_middle), rel=1e-13)


def test_a_ring_is_worth_factoring_and_a_large_random_network_is_not():
    assert worth_factoring(_network("ring", 40_000, seed=0))
    assert not worth_factoring(_network("random", 40_000, seed=0))


def test_a_ring_has_a_narrow_order_and_a_star_has_none(monkeypatch):
    assert narrow_order(_network("ring", 40_000, seed=0)).width <= 12
    hub = sp.csr_array((np.ones(20_000), (np.zeros(20_000, dtype=int), np.arange(1, 20_001))), shape=(20_001, 20_001))
    assert narrow_order(sp.csr_array(hub + hub.T)) is None


def test_where_rounding_leaves_no_banded_factor_that_is_said():
    conductance = sp.csr_array(np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 1e-30], [0.0, 1e-30, 0.0]]))
    for factor in (banded_factor, envelope_factor):
        assert factor(conductance, 2, narrow_order(conductance)) is None


def test_an_envelope_holds_what_rows_reach_back_to_and_no_more():
    """Three hundred narrow rows and one wide place: a band would be that wide everywhere."""
    conductance = _network("ring", 300, seed=0).tolil()
    conductance[120, 250] = conductance[250, 120] = 3.0
    conductance = sp.csr_array(conductance.tocsr())
    order = NarrowOrder(np.arange(300, dtype=np.int32), 299)
    factor = envelope_factor(conductance, 5, order)
    reach = [corner.shape[0] + below.shape[0] for corner, below in zip(factor.corners, factor.below, strict=True)]
    assert reach[0] == 300  # the ring closes in the first block, and its last row is filled from there on
    dense = conductance.toarray()
    laplacian = np.diag(dense.sum(axis=1)) - dense
    others = np.arange(300) != 5
    exact = np.zeros((300, 300))
    exact[np.ix_(others, others)] = np.linalg.inv(laplacian[np.ix_(others, others)])
    right = np.random.default_rng(0).standard_normal(300)
    assert factor.solve(right) == pytest.approx(exact @ right, rel=1e-9)
    chain = sp.csr_array(np.diag(np.ones(299), 1) + np.diag(np.ones(299), -1))
    assert max(len(below) for below in envelope_factor(chain, 5, order).below) == 1


def test_a_star_and_a_tree_are_worth_factoring():
    n = 40_000
    hub = sp.csr_array((np.ones(n), (np.zeros(n, dtype=int), np.arange(1, n + 1))), shape=(n + 1, n + 1))
    assert worth_factoring(sp.csr_array(hub + hub.T))
    assert worth_factoring(_network("tree", 2_000, seed=0))
    assert worth_factoring(_network("tree", 2, seed=0))
