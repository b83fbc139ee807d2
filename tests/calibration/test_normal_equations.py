"""The factor of the normal equations: the quick way and the one without subtractions, against exact fractions."""

import math
from fractions import Fraction

import numpy as np
import pytest

from panelcal import Panel, calibrate
from panelcal.calibration import dense_factor as dense
from panelcal.calibration import normal_equations as ne
from panelcal.calibration.side import Side, runs_of, side_in_runs
from panels import connected_simulated_panel
from reference_cases import CONNECTED, load_case
from scale_panels import well_linked


def _random_network(n: int, decades: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    conductance = 10.0 ** random.uniform(-decades, decades, (n, n)) * (random.random((n, n)) < 0.5)
    conductance = np.triu(conductance, 1)
    conductance[range(n - 1), range(1, n)] += 10.0 ** random.uniform(-decades, decades, n - 1)
    return conductance + conductance.T, np.r_[1.0, np.zeros(n - 1)]


def _exact_inverse(conductance: np.ndarray, to_ground: np.ndarray) -> list[list[Fraction]]:
    n = len(to_ground)
    rows = [[-Fraction(float(x)) for x in row] for row in conductance]
    for i in range(n):
        rows[i][i] = Fraction(float(to_ground[i])) + sum(
            Fraction(float(x)) for j, x in enumerate(conductance[i]) if j != i
        )
        rows[i] += [Fraction(int(i == j)) for j in range(n)]
    for k in range(n):
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i in range(n):
            if i != k and rows[i][k]:
                factor = rows[i][k]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k], strict=True)]
    return [row[n:] for row in rows]


@pytest.mark.parametrize("decades", [0, 3, 8])
def test_every_entry_of_the_inverse_is_right_however_wild_the_links(decades):
    conductance, to_ground = _random_network(14, decades, seed=decades)
    whole = np.block([[conductance, to_ground[:, None]], [to_ground[None], np.zeros((1, 1))]])
    inverse = dense.dense_factor(whole, 14).inverse[:14, :14]
    exact = _exact_inverse(conductance, to_ground)
    off = [abs(Fraction(float(inverse[i, j])) / exact[i][j] - 1) for i in range(14) for j in range(14)]
    assert max(off) < Fraction(1, 10**11)


@pytest.mark.slow
def test_large_blocks_agree_with_lapack_on_a_tame_network():
    conductance, to_ground = _random_network(300, 0.3, seed=1)
    laplacian = np.diag(conductance.sum(axis=1) + to_ground) - conductance
    assert dense.grounded_cholesky(conductance, to_ground) == pytest.approx(
        np.linalg.cholesky(laplacian), rel=1e-9, abs=1e-12
    )


@pytest.mark.parametrize("name", CONNECTED)
def test_g_is_a_generalised_inverse(name):
    """L G L = L, with L built entry by entry."""
    panel = load_case(name).panel
    equations = ne.normal_equations(panel)
    n, m = panel.n_objects, panel.n_assessors
    system = np.zeros((n + m, n + m))
    for o, a, c in zip(panel.object_index, panel.assessor_index, panel.confidences, strict=True):
        x = np.zeros(n + m)
        x[o] = x[n + a] = 1
        system += c * np.outer(x, x)
    applied = np.column_stack([np.concatenate(equations.apply_inverse(c[:n], c[n:])) for c in system.T])
    assert system @ applied == pytest.approx(system, rel=1e-7, abs=1e-9 * np.abs(system).max())


@pytest.mark.parametrize("shape", [(20, 7, 3), (7, 20, 9)])
def test_diagonals_and_ends_are_those_of_g(shape):
    panel = connected_simulated_panel(*shape, seed=1)
    equations = ne.normal_equations(panel)
    n = panel.n_objects
    unit = np.eye(n + panel.n_assessors)
    g = np.column_stack([np.concatenate(equations.apply_inverse(e[:n], e[n:])) for e in unit])
    of_objects, of_assessors = equations.diagonals()
    assert np.concatenate([of_objects, of_assessors]) == pytest.approx(np.diag(g), abs=1e-12)
    on_objects, on_assessors = equations.ends()
    objects, assessors = panel.object_index, n + panel.assessor_index
    assert on_objects == pytest.approx(g[objects, objects] + g[assessors, objects], abs=1e-12)
    assert on_assessors == pytest.approx(g[objects, assessors] + g[assessors, assessors], abs=1e-12)


@pytest.mark.parametrize(("length", "ratio"), [(8, 0.01), (7, 0.002), (8, 0.002)])
def test_a_chain_of_ever_weaker_links_keeps_its_digits(length, ratio):
    """Each pivot alone looks harmless, but losses compound along the chain; resistors in series give the answer."""
    objects, assessors, confidences = [], [], []
    for k in range(length):
        objects += [f"o{k}"] * 2
        assessors += [f"a{k}", f"a{k + 1}"]
        confidences += [2 * ratio**k] * 2
    scores = [50.0 + 7 * ((3 * k) % 11) for k in range(2 * length + 2)]
    panel = Panel.from_records(
        [*objects, "g", "o0"], [*assessors, f"a{length}", "a0"], scores, [*confidences, 100.0, 2.0]
    )
    fit = calibrate(panel)
    variance = fit.equations.value_differences(np.array([0]), np.array([panel.objects.index("g")]))[0]
    exact = 0.5 + sum(ratio**-k for k in range(1, length)) + 0.01
    assert variance == pytest.approx(exact, rel=1e-10)


def test_differences_of_values_with_few_scores_each_are_gathered_from_the_inverse(monkeypatch):
    """The same numbers as by the factor, without a triangular solution for each pair."""
    fit = calibrate(well_linked(6_000, 90, 4, seed=2))
    first, second = np.random.default_rng(1).integers(0, fit.panel.n_objects, (2, 3_000))
    second[:20] = first[:20]
    with monkeypatch.context() as patch:
        patch.setattr(ne, "quicker_gathered", lambda counts, n_kept: False)
        by_factor = fit.equations.value_differences(first, second)
    monkeypatch.setattr(dense.DenseFactor, "half", None)
    gathered = fit.equations.value_differences(first, second)
    assert np.all(gathered[:20] == 0)
    assert gathered == pytest.approx(by_factor, rel=1e-12)


def test_the_confidence_of_an_assessor_of_many_objects_is_right_to_the_last_digit():
    """Else the zero of all values is off by that times the biases: 1e-13 marks after a hundred thousand scores."""
    confidences = np.random.default_rng(3).uniform(0.1, 3.0, 60_000)
    index = np.where(np.arange(60_000) % 3 > 0, 0, np.arange(60_000) % 7 + 1)
    exact = np.array([math.fsum(confidences[index == k]) for k in range(8)])
    assert np.abs(ne._total_confidence(Side(index, 8), confidences) / exact - 1).max() < 3e-16
    assert np.abs(np.bincount(index, confidences) / exact - 1).max() > 1e-15


def test_the_inverse_of_many_nodes_is_that_of_others():
    random = np.random.default_rng(3)
    half = np.triu(random.random((450, 450)) * (random.random((450, 450)) < 0.2), 1)
    factor = dense.quick_dense_factor(half + half.T, 20)
    laplacian = np.diag((half + half.T).sum(axis=1)) - half - half.T
    others = np.arange(450) != 20
    exact = np.linalg.inv(laplacian[np.ix_(others, others)])
    assert np.abs(factor.inverse[np.ix_(others, others)] / exact - 1).max() < 1e-10
    assert np.array_equal(factor.inverse, factor.inverse.T)
    assert not factor.inverse[20].any()


@pytest.mark.parametrize(("size", "ground"), [(40, 39), (250, 0), (600, 599), (600, 300), (901, 450)])
def test_factor_and_inverse_at_once_are_those_of_others(size, ground):
    random = np.random.default_rng(size + ground)
    above = np.triu(random.random((size, size)) * (random.random((size, size)) < 0.3), 1)
    above.flat[:: size + 1] = 7.0  # means nothing
    table = np.triu(above, 1) + np.triu(above, 1).T
    laplacian = np.diag(table.sum(axis=1)) - table
    others = np.arange(size) != ground
    exact = np.linalg.inv(laplacian[np.ix_(others, others)])
    for given, only_above in ((above.copy(), True), (table, False)):
        found = dense.inverted_dense_factor(given, ground, only_above=only_above)
        assert np.array_equal(found.inverse, found.inverse.T)
        assert not found.inverse[ground].any()
        assert np.abs(found.inverse[np.ix_(others, others)] - exact).max() < 1e-13 * exact.max()
        assert found.condition == pytest.approx((exact.diagonal() * laplacian.diagonal()[others]).max(), rel=1e-12)
        assert np.abs(found.factor @ found.factor.T - laplacian[np.ix_(others, others)]).max() < 1e-12 * size
        assert np.array_equal(found.factor, np.tril(found.factor))
        right = random.standard_normal(size)
        solution = found.solve(right)
        assert np.abs((laplacian @ solution - right)[others]).max() < 1e-11
        assert (found.half(right) ** 2).sum() == pytest.approx(right[others] @ exact @ right[others], rel=1e-12)


def test_nodes_that_do_not_hang_together_have_no_inverse_at_once():
    apart = np.zeros((600, 600))
    apart[:300, :300] = apart[300:, 300:] = 1.0
    assert dense.inverted_dense_factor(apart, 5, only_above=False) is None


def test_sums_and_spreads_are_the_same_whether_assessments_come_in_runs_or_not():
    index = np.repeat(np.arange(6), [3, 20, 1, 40, 2, 17])
    amounts, numbers = np.random.default_rng(5).standard_normal(len(index)), np.arange(6.0)
    plain, in_runs = Side(index, 6), Side(index, 6, runs_of(index, 6))
    assert in_runs.runs is not None
    assert in_runs.total(amounts) == pytest.approx(plain.total(amounts), rel=1e-13)
    assert np.array_equal(in_runs.at_each(numbers), plain.at_each(numbers))
    for mixed in (index[::-1], np.append(index, 0), np.delete(index, np.flatnonzero(index == 2))):
        assert runs_of(mixed, 6) is None


def test_sums_where_every_object_has_as_many_assessments_are_those_of_any_others():
    index = np.repeat(np.arange(7), 5)
    amounts = np.random.default_rng(5).standard_normal(35)
    runs = runs_of(index, 7)
    assert runs is not None and runs.tolist() == list(range(0, 35, 5))
    side, plain = side_in_runs(index, 7, runs), Side(index, 7)
    assert side.each == 5
    assert np.array_equal(side.total(amounts), plain.total(amounts))
    assert np.array_equal(side.counts(), plain.counts())
    assert np.array_equal(side.at_each(np.arange(7.0)), plain.at_each(np.arange(7.0)))
    uneven = np.array([0, 0, 0, 1, 1, 1, 1, 2, 2])  # three on average
    assert runs_of(uneven, 3) is not None
    assert side_in_runs(uneven, 3, runs_of(uneven, 3)).each == 0
    swapped = index.copy()
    swapped[[1, 7]] = swapped[[7, 1]]  # the ends of all rows are in place
    assert runs_of(swapped, 7) is None


def test_equal_confidences_are_counted():
    """One by one 1/225 two thousand times is off by 1e-14 of the sum."""
    objects, index = np.arange(36_000) // 3, np.arange(36_000) % 20
    labels = tuple(map(str, range(12_000)))
    panel = Panel(labels, labels[:20], objects, index, np.sin(index), np.full(36_000, 1 / 225))
    equations = ne.normal_equations(panel)
    exact = math.fsum([1 / 225] * 1_800)
    assert np.abs(np.bincount(index, panel.confidences) / exact - 1).max() > 2e-15
    assert equations.assessor_confidence == pytest.approx(np.full(20, exact), rel=2e-16, abs=0)
    assert np.array_equal(equations.object_confidence, np.full(12_000, 3 * (1 / 225)))
