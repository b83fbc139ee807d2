"""The set of possible winners and its edge, against runs of draws with known chances."""

import numpy as np
import pytest

from panelcal.ordinal.winners import winner_set

LEVEL, CHAINS, DRAWS, RUNS = 0.89, 16, 3200, 100
CHANCES = np.array([0.4, 0.2, 0.13, 0.1, 0.052, 0.05, 0.03, 0.02, 0.01, 0.008])
CERTAIN = {0, 1, 2, 3}  # their chances add up to 0.83: the next one or two are a matter of luck


def _runs(chains_differ):
    """Runs of draws; where chains differ, each chain has chances of its own around the true ones."""
    random = np.random.default_rng(3)
    for _ in range(RUNS):
        own = random.dirichlet(CHANCES * chains_differ, CHAINS) if chains_differ else np.tile(CHANCES, (CHAINS, 1))
        draws = [random.choice(len(CHANCES), DRAWS // CHAINS, p=chances) for chances in own]
        yield winner_set(np.stack(draws, axis=1).ravel(), len(CHANCES), LEVEL, CHAINS)


@pytest.mark.slow
@pytest.mark.parametrize("chains_differ", [None, 300.0], ids=["chains agree", "chains differ"])
def test_runs_agree_on_all_that_are_not_at_the_edge(chains_differ):
    """An object that flips is at the edge in all but 1 of 100 pairs of runs; the certain ones are seldom called so."""
    found = list(_runs(chains_differ))
    pairs = [(found[k], found[k + 1]) for k in range(0, RUNS, 2)]
    beyond = [bool((set(a.members) ^ set(b.members)) - set(a.edge) - set(b.edge)) for a, b in pairs]
    assert sum(beyond) <= 1
    assert np.mean([a.members != b.members for a, b in pairs]) > 0.2
    assert all(set(one.members) >= CERTAIN for one in found)
    if not chains_differ:
        assert not any(set(one.edge) & {0, 1, 2} for one in found)


@pytest.mark.slow
def test_chains_that_differ_widen_the_edge():
    """The same number of draws is worth less when each chain tells its own story."""
    agree, differ = (np.mean([len(one.edge) for one in _runs(spread)]) for spread in (None, 30.0))
    assert differ > agree + 0.5


def test_a_sure_winner_has_no_edge():
    found = winner_set(np.zeros(320, dtype=np.intp), 5, LEVEL, CHAINS)
    assert found.members == (0,)
    assert found.edge == ()
    assert found.chances == pytest.approx([1, 0, 0, 0, 0])


def test_draws_of_one_chain_and_of_few_iterations_do():
    random = np.random.default_rng(0)
    for chains, draws in ((1, 50), (16, 16), (16, 48)):
        found = winner_set(random.integers(0, 3, draws), 3, LEVEL, chains)
        assert found.chances.sum() == pytest.approx(1.0)
        assert set(found.members) <= {0, 1, 2}
