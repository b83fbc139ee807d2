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
