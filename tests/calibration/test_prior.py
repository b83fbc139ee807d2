"""Earlier biases as a prior, against the posterior written out and against what was drawn."""

import numpy as np
import pytest

from panelcal import MethodNotApplicable, Panel, calibrate, calibrate_with_prior, simulate_panel, uncertainty


def _made(seed=1, **options):
    return simulate_panel(14, 6, 2, confidence_levels=(0.5, 1.0, 2.0), seed=seed, **options)


def _earlier(made, errors=(1.0, 2, 0.5, 3), shift=4.0):
    return {str(a + 1): (float(made.biases[a] + shift + 0.3 * a), errors[a]) for a in range(len(errors))}


def test_values_biases_and_errors_are_the_posterior_written_out():
    made = _made()
    panel, earlier = made.panel, _earlier(made)
    found = calibrate_with_prior(panel, earlier)
    n, m, w = panel.n_objects, panel.n_assessors, calibrate(panel).w_unbiased
    # Unknowns v, b and the earlier zero z, all flat; scores and earlier biases are what was seen.
    rows, seen, noise = [], [], []
    for o, a, score, confidence in zip(
        panel.object_index, panel.assessor_index, panel.scores, panel.confidences, strict=True
    ):
        row = np.zeros(n + m + 1)
        row[[o, n + a]] = 1
        rows, seen, noise = [*rows, row], [*seen, score], [*noise, w / confidence]
    for name, (bias, error) in earlier.items():
        row = np.zeros(n + m + 1)
        row[n + panel.assessors.index(name)], row[-1] = 1, -1
        rows, seen, noise = [*rows, row], [*seen, bias], [*noise, error**2]
    rows, precision = np.array(rows), np.diag(1 / np.array(noise))
    covariance = np.linalg.pinv(rows.T @ precision @ rows)
    mean = covariance @ rows.T @ precision @ seen
    share = np.bincount(panel.assessor_index, panel.confidences) / panel.confidences.sum()
    to_gauge = np.eye(n + m + 1)
    to_gauge[:n, n : n + m] += share
    to_gauge[n : n + m, n : n + m] -= share
    in_gauge = to_gauge[: n + m]
    wanted, spread = in_gauge @ mean, np.sqrt(np.diag(in_gauge @ covariance @ in_gauge.T))
    assert np.allclose(found.values, wanted[:n], atol=1e-8)
    assert np.allclose(found.biases, wanted[n:], atol=1e-8)
    assert np.allclose(found.value_errors, spread[:n], rtol=1e-8)
    assert np.allclose(found.bias_errors, spread[n:], rtol=1e-8)


def test_the_earlier_zero_does_not_matter_and_strangers_are_passed_over():
    made = _made()
    one = calibrate_with_prior(made.panel, _earlier(made, shift=0.0))
    other = calibrate_with_prior(made.panel, _earlier(made, shift=40.0) | {"somebody else": (1.0, 1.0)})
    assert np.allclose(one.values, other.values, atol=1e-8)
    assert np.allclose(one.earlier, other.earlier, atol=1e-8, equal_nan=True)
    assert np.isclose(one.chi_square, other.chi_square)


def test_a_vague_prior_changes_nothing_and_a_firm_one_holds_the_differences():
    made = _made()
    plain = calibrate(made.panel)
    vague = calibrate_with_prior(made.panel, {name: (bias, 1e6) for name, (bias, _) in _earlier(made).items()})
    assert np.allclose(vague.values, plain.values, atol=1e-6)
    assert np.allclose(vague.value_errors, uncertainty(plain).value_errors, rtol=1e-6)
    firm = calibrate_with_prior(made.panel, {"1": (3.0, 1e-6), "2": (-4.0, 1e-6)})
    assert np.isclose(firm.biases[made.panel.assessors.index("1")] - firm.biases[made.panel.assessors.index("2")], 7.0)


@pytest.mark.slow
def test_it_brings_values_closer_to_the_truth():
    apart = {"plain": 0.0, "with": 0.0}
    for seed in range(30):
        made = _made(seed)
        random = np.random.default_rng(seed)
        earlier = {name: (made.biases[k] + random.normal(0, 1.0), 1.0) for k, name in enumerate(made.panel.assessors)}
        found = calibrate_with_prior(made.panel, earlier)
        for name, values in (("plain", found.plain.values), ("with", found.values)):
            apart[name] += float(np.var(values - made.values))
    assert apart["with"] < 0.9 * apart["plain"]


def test_two_years_that_disagree_are_told_and_by_whom():
    made = simulate_panel(60, 6, 3, noise_sd=4.0, seed=2)
    panel = made.panel
    same = {name: (float(made.biases[k]), 1.0) for k, name in enumerate(panel.assessors)}
    assert calibrate_with_prior(panel, same).p_value > 0.05
    other = same | {panel.assessors[2]: (same[panel.assessors[2]][0] + 9.0, 1.0)}
    found = calibrate_with_prior(panel, other)
    assert found.p_value < 1e-3
    assert int(np.argmin(found.adjusted_p)) == 2
    assert found.changes[2] < -5


def test_where_no_bias_changed_one_panel_in_twenty_says_they_disagree():
    disagree, base = 0, simulate_panel(30, 6, 3, seed=1).panel
    for seed in range(200):
        random = np.random.default_rng(seed)
        biases = random.normal(0, 5, 6)
        scores = random.normal(60, 10, 30)[base.object_index] + biases[base.assessor_index] + random.normal(0, 5, 90)
        panel = Panel.from_records(base.object_index, base.assessor_index, scores)
        earlier = {name: (biases[int(name)] + random.normal(0, 1.5), 1.5) for name in panel.assessors}
        disagree += calibrate_with_prior(panel, earlier).p_value < 0.05
    assert 2 <= disagree <= 22  # 10 are expected at a level of 5%


def test_what_no_prior_can_be_used_on_is_refused():
    made = _made()
    with pytest.raises(MethodNotApplicable, match="Fewer than two"):
        calibrate_with_prior(made.panel, {"1": (0.0, 1.0)})
    with pytest.raises(MethodNotApplicable, match="earlier bias of 2"):
        calibrate_with_prior(made.panel, {"1": (0.0, 1.0), "2": (0.0, 0.0)})
    tree = Panel.from_matrix([[60.0, 50.0, np.nan], [np.nan, 55.0, 45.0], [np.nan, np.nan, 65.0]])
    with pytest.raises(MethodNotApplicable, match="noise"):
        calibrate_with_prior(tree, {"1": (0.0, 1.0), "2": (0.0, 1.0)})


def test_everybody_keeps_their_own_figures_whatever_order_the_panel_has_them_in():
    """A sheet names assessors by its columns, a list by who comes first: the same figures belong to the same names."""
    made = _made(3)
    panel, earlier = made.panel, _earlier(made)
    by_row, by_column = np.argsort(panel.objects), np.argsort(panel.assessors)
    turned = Panel(
        tuple(panel.objects[o] for o in by_row[::-1]),
        tuple(panel.assessors[a] for a in by_column[::-1]),
        np.argsort(by_row[::-1])[panel.object_index],
        np.argsort(by_column[::-1])[panel.assessor_index],
        panel.scores,
        panel.confidences,
    )
    first_met = list(dict.fromkeys(turned.assessor_index.tolist()))
    assert first_met != sorted(first_met)  # else this proves nothing
    one, other = calibrate_with_prior(panel, earlier), calibrate_with_prior(turned, earlier)
    for name in ("biases", "bias_errors", "earlier", "changes", "adjusted_p"):
        figures = dict(zip(turned.assessors, getattr(other, name), strict=True))
        assert [figures[a] for a in panel.assessors] == pytest.approx(getattr(one, name), abs=1e-8, nan_ok=True), name
    for name in ("values", "value_errors", "value_changes"):
        figures = dict(zip(turned.objects, getattr(other, name), strict=True))
        assert [figures[o] for o in panel.objects] == pytest.approx(getattr(one, name), abs=1e-8), name
