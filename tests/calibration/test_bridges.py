"""Bridges of the assessor-object graph, against networkx."""

import networkx
import numpy as np
from hypothesis import given

from panelcal import Panel
from panelcal.calibration.bridges import find_bridges, hanging_assessments
from panels import panels


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


@given(panels())
def test_what_hangs_on_without_a_circle_is_a_bridge(panel):
    assert not (hanging_assessments(panel) & ~find_bridges(panel)).any()


def test_bridges_are_found_in_every_group_of_a_panel_in_parts():
    """A path of three nodes, and apart from it a circle with one assessment hanging on."""
    objects, assessors = ["p", "p", "q", "q", "r", "r", "r"], ["x", "y", "z", "w", "z", "w", "v"]
    panel = Panel.from_records(objects, assessors, np.ones(7))
    assert find_bridges(panel).tolist() == [True, True, False, False, False, False, True]
    assert hanging_assessments(panel).tolist() == [True, True, False, False, False, False, True]


def test_a_long_chain_is_all_bridges_and_a_ring_has_none():
    chain = np.arange(4000)
    panel = Panel.from_records((chain + 1) // 2, chain // 2, np.ones(4000))
    assert find_bridges(panel).all()
    closed = Panel.from_records((chain + 1) // 2 % 2000, chain // 2, np.ones(4000))
    assert not find_bridges(closed).any()
    assert not hanging_assessments(closed).any()
