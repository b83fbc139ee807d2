"""Spreads and correlated numbers against the same written out."""

import numpy as np
import pytest

from panelcal.ordinal.correlated_normals import CorrelatedNormals
from panelcal.ordinal.correlations import CorrelationPrior

SIZES = (2, 3)


@pytest.fixture
def normals():
    return CorrelatedNormals(SIZES, (1.0, 0.2), CorrelationPrior((2, 2.0), (3, 2.0)))


def test_spreads_and_their_free_numbers_are_each_others_inverse(normals):
    spread = np.array([1e-6, 0.01, 0.5, 3.0, 400.0])[None] * np.array([1.0, 1.0, 0.2, 0.2, 0.2])[:, None]
    assert normals.spread(normals.free_numbers(spread)) == pytest.approx(spread, rel=1e-9)


def test_small_spreads_are_not_far_out(normals):
    """From a tenth of the prior mean up to ten times it, no step of the free number does nothing or everything."""
    free = normals.free_numbers(np.array([0.1, 1.0, 10.0])[None] * np.array([1.0, 1.0, 0.2, 0.2, 0.2])[:, None])
    near, usual, far = free.T
    assert (np.abs(near) < 2).all()
    assert (np.abs(usual) < 2).all()
    assert far == pytest.approx(20.0)  # units of half the prior mean


def test_groups_stand_side_by_side_and_the_second_has_a_centre(normals):
    random = np.random.default_rng(0)
    free, partials = random.standard_normal((5, 4)), random.standard_normal((4, 4))
    own = [random.standard_normal((2, 7, 4)), random.standard_normal((3, 6, 4))]
    centre = random.standard_normal((3, 4))
    found = normals.varying(free, partials, own, centre)
    first, second = CorrelationPrior((2, 2.0)), CorrelationPrior((3, 2.0))
    lowers = [first.factor(partials[:1]).lower, second.factor(partials[1:]).lower]
    spread = normals.spread(free)
    objects = np.einsum("p,pr,rn->pn", spread[:2, 3], lowers[0][..., 3], own[0][..., 3])
    assessors = centre[:, [3]] + np.einsum("p,pr,rn->pn", spread[2:, 3], lowers[1][..., 3], own[1][..., 3])
    assert found.values[0][3] == pytest.approx(objects)
    assert found.values[1][3] == pytest.approx(assessors)
    assert normals.prior.log_density(found.factor) == pytest.approx(
        first.log_density(first.factor(partials[:1])) + second.log_density(second.factor(partials[1:]))
    )
