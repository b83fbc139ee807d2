"""Connected groups and lightest spanning forests, beside networkx."""

import networkx
import numpy as np
import pytest

from panelcal.spanning_forest import connected_groups, spanning_forest


def _random_graph(seed):
    """Ends of the edges (n_edges,) of a graph in parts, with loops and repeated pairs, and its number of nodes."""
    random = np.random.default_rng(seed)
    n_nodes = int(random.integers(1, 60))
    one, two = random.integers(0, n_nodes, (2, int(random.integers(0, 2 * n_nodes))))
    return one, two, n_nodes


def _of_networkx(one, two, n_nodes):
    graph = networkx.MultiGraph()
    graph.add_nodes_from(range(n_nodes))
    graph.add_edges_from((a, b, {"weight": k}) for k, (a, b) in enumerate(zip(one.tolist(), two.tolist(), strict=True)))
    return graph


@pytest.mark.parametrize("seeds", [range(k, k + 40) for k in range(0, 200, 40)])
def test_the_forest_and_the_groups_are_those_of_networkx(seeds):
    for seed in seeds:
        one, two, n_nodes = _random_graph(seed)
        forest, group = spanning_forest(one, two, n_nodes)
        graph = _of_networkx(one, two, n_nodes)
        edges = networkx.minimum_spanning_edges(graph, data=True, keys=False)
        assert forest.tolist() == sorted(data["weight"] for *_, data in edges)
        groups = sorted(map(sorted, networkx.connected_components(graph)))
        assert [np.flatnonzero(group == k).tolist() for k in range(group.max() + 1)] == groups


def test_a_long_chain_is_all_forest_and_takes_few_rounds():
    n = 200_000
    forest, group = spanning_forest(np.arange(n - 1), np.arange(1, n), n)
    assert len(forest) == n - 1 and not group.any()


def test_many_edges_have_the_same_groups(monkeypatch):
    few = [_random_graph(seed) for seed in range(20)]
    groups = [spanning_forest(*graph)[1].tolist() for graph in few]
    monkeypatch.setattr("panelcal.spanning_forest._MANY", 0)
    assert [connected_groups(*graph).tolist() for graph in few] == groups


def test_nothing_at_all_has_no_groups():
    none = np.zeros(0, dtype=np.intp)
    forest, group = spanning_forest(none, none, 0)
    assert len(forest) == len(group) == 0
