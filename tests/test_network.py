"""Connectivity, bridges and weakest links."""

import importlib

import numpy as np
import pytest
from hypothesis import given

from panelcal import Panel, network
from panelcal.network import is_connected
from panels import panels
from reference_cases import load_case
from scale_panels import well_linked

MODULE = importlib.import_module("panelcal.network")  # the package's attribute of that name is the function


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


@given(panels())
def test_whether_a_panel_is_connected_agrees_with_its_components(panel):
    assert is_connected(panel)
    apart = Panel.from_records([*panel.object_index, "alone"], [*panel.assessor_index, "alone"], [*panel.scores, 1.0])
    assert not is_connected(apart)
    assert len(network(apart).components) == 2


def test_a_long_chain_is_connected_and_a_broken_one_is_not():
    chain = np.arange(400)
    whole = Panel.from_records((chain + 1) // 2, chain // 2, np.ones(400))
    assert is_connected(whole)
    assert not is_connected(whole.subset(chain != 201))


def test_part_of_the_assessments_may_answer_for_all(monkeypatch):
    monkeypatch.setattr(MODULE, "_PART_LEAST", 100)
    monkeypatch.setattr(MODULE, "_BLOCK", 2)
    panel = well_linked(500, 20, 4)
    assert is_connected(panel)
    assert not is_connected(load_case("disconnected_two").panel)


def test_links_are_sparse_and_the_same_with_many_assessors(monkeypatch):
    panel = well_linked(60, 12, 3)
    dense = network(panel)
    monkeypatch.setattr(MODULE, "_DENSE_LINKS", 5)
    monkeypatch.setattr("panelcal.panel._DENSE_CELLS", 0)
    sparse = network(panel)
    assert sparse.links.toarray().tolist() == dense.links.tolist()
    assert [link.conductance for link in sparse.weakest_links] == pytest.approx(
        [link.conductance for link in dense.weakest_links]
    )


def test_only_cuts_that_may_be_the_weakest_are_taken_through_all_scores(monkeypatch):
    """The same links as when every cut is, to the last digit."""
    panel = well_linked(3_000, 120, 3, seed=5)
    quick = network(panel, most=4).weakest_links
    seen = []
    weakest_of = MODULE._weakest_of
    monkeypatch.setattr(MODULE, "_weakest_of", lambda *given: seen.append(len(weakest_of(*given))) or given[0])
    assert network(panel, most=4).weakest_links == quick
    assert seen == [4]
