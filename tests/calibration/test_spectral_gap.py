"""lambda_2 by Lanczos' method, against LAPACK's whole spectrum."""

import numpy as np
import pytest

from panelcal import Panel, calibrate
from panelcal.calibration import spectral_gap
from panelcal.calibration.robustness import second_eigenvalues
from scale_panels import communities, ring, well_linked


def _by_singular_values(panel: Panel) -> float:
    table = panel.table(panel.confidences)
    table = table if isinstance(table, np.ndarray) else table.toarray()
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    return float(np.linalg.svd(table / np.sqrt(np.outer(rows, columns)), compute_uv=False)[1] ** 2)


@pytest.mark.parametrize(
    "make",
    [
        lambda: well_linked(900, 620, 5),
        lambda: ring(250),
        lambda: communities(25),
        lambda: Panel.from_matrix(np.random.default_rng(0).normal(50, 9, (260, 230))),
    ],
    ids=["well linked", "ring", "communities", "complete"],
)
def test_lambda2_agrees_with_the_singular_values_of_d(make):
    panel = make()
    lambda2, mu2 = second_eigenvalues(calibrate(panel).equations)
    exact = _by_singular_values(panel)
    assert lambda2 == pytest.approx(exact, abs=1e-10)
    assert mu2 == pytest.approx(1 - np.sqrt(exact), rel=1e-7)


def test_lanczos_and_the_whole_spectrum_agree_where_links_are_weak(monkeypatch):
    panel = ring(120)
    whole = second_eigenvalues(calibrate(panel).equations)[1]
    monkeypatch.setattr(spectral_gap, "_WHOLE_SPECTRUM", 0)
    assert second_eigenvalues(calibrate(panel).equations)[1] == pytest.approx(whole, rel=1e-9)


def test_a_table_of_few_assessors_takes_the_place_of_the_scores(monkeypatch):
    """Lanczos' method multiplies with (n_assessors, n_assessors) numbers then, and not with all scores each time."""
    equations = calibrate(well_linked(4_000, 260, 4, seed=3)).equations
    assert equations.system.has_few_pairs
    found = second_eigenvalues(equations)
    with monkeypatch.context() as patch:
        patch.setattr(type(equations.system), "has_few_pairs", property(lambda system: False))
        by_scores = calibrate(well_linked(4_000, 260, 4, seed=3)).equations
        assert found == pytest.approx(second_eigenvalues(by_scores), rel=1e-9)
    assert found[0] == pytest.approx(_by_singular_values(well_linked(4_000, 260, 4, seed=3)), rel=1e-9)
