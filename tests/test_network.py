"""Connectivity, bridges and weakest links."""

import networkx
import numpy as np
from hypothesis import given

from panelcal import Panel, network
from panelcal.network import find_bridges
from panels import panels
from reference_cases import load_case


@given(panels())
def test_bridges_are_those_networkx_finds(panel):
    graph = networkx.Graph()
    for o, a in zip(panel.object_index, panel.assessor_index, strict=True):
        graph.add_edge(("o", o), ("a", a))
    counts: dict = {}
    for pair in zip(panel.object_index, panel.assessor_index, strict=True):
        counts[pair] = counts.get(pair, 0) + 1
    bridges = {frozenset(edge) for edge in networkx.bridges(graph)}
    expected = [
        frozenset([("o", o), ("a", a)]) in bridges and counts[o, a] == 1
        for o, a in zip(panel.object_index, panel.assessor_index, strict=True)
    ]
    assert find_bridges(panel).tolist() == expected


def test_components_are_named_largest_first():
    panel = Panel.from_records(["p", "a", "b", "b"], ["z", "x", "x", "y"], [1, 2, 3, 4])
    assert network(panel).components == ((("a", "b"), ("x", "y")), (("p",), ("z",)))


def test_shared_objects_and_lonely_ones_are_counted():
    panel = Panel.from_matrix([[1, 2, np.nan], [3, np.nan, np.nan], [4, 5, 6]], objects="pqr", assessors="xyz")
    result = network(panel)
    assert result.links.tolist() == [[3, 2, 1], [2, 2, 1], [1, 1, 1]]
    assert result.single_assessor_objects == ("q",)
    assert result.single_object_assessors == ("z",)


def test_a_repeated_pair_is_one_link():
    panel = Panel.from_records(["p", "p", "q"], ["x", "x", "x"], [1, 2, 3])
    assert network(panel).links.tolist() == [[2]]
    assert network(panel).single_assessor_objects == ("p", "q")


def test_the_one_weak_rating_between_two_blocks_is_the_weakest_link():
    panel = load_case("chain_near_disconnected").panel
    weakest = network(panel).weakest_links[0]
    groups = [{"1", "2", "3", "4", "5"}, {"6", "7", "8", "9", "10"}]
    assert set(weakest.assessors) in groups
    assert len(weakest.through) == 1
    assert weakest.conductance < 2e-6


@given(panels())
def test_weakest_links_carry_what_they_say(panel):
    """The conductance across each cut, added up pair by pair."""
    links = network(panel).links
    many = {k for k in range(panel.n_assessors) if links[k, k] > 1}
    for link in network(panel).weakest_links:
        this_side = {panel.assessors.index(label) for label in link.assessors}
        carried = 0.0
        for o in range(panel.n_objects):
            mine = [k for k in range(panel.n_assessments) if panel.object_index[k] == o]
            here = sum(panel.confidences[k] for k in mine if panel.assessor_index[k] in this_side)
            there = sum(panel.confidences[k] for k in mine if panel.assessor_index[k] in many - this_side)
            carried += here * there / (here + there) if here + there else 0.0
        assert abs(carried - link.conductance) < 1e-9
        assert link.conductance > 0
