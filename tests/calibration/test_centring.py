"""Per-assessor centring and z-scores: what they are, and what they do to streamed objects."""

import numpy as np
import pytest
from hypothesis import given

from panelcal import MethodNotApplicable, Panel, calibrate, fit
from panelcal.calibration.centring import assessor_centred, z_scores
from panels import panels, simulated_panel


@given(panels())
def test_centring_gives_every_assessor_the_same_mean(panel):
    found = assessor_centred(panel)
    mean = np.average(panel.scores, weights=panel.confidences)
    for a in range(panel.n_assessors):
        mine = panel.assessor_index == a
        own = np.average(panel.scores[mine], weights=panel.confidences[mine])
        assert own - found.biases[a] == pytest.approx(mean, abs=1e-9)
    for o in range(panel.n_objects):
        mine = panel.object_index == o
        moved = panel.scores[mine] - found.biases[panel.assessor_index[mine]]
        assert found.values[o] == pytest.approx(np.average(moved, weights=panel.confidences[mine]), abs=1e-9)


def test_a_complete_table_with_equal_confidences_is_centred_right():
    panel = Panel.from_matrix(np.random.default_rng(1).normal(60, 10, (9, 4)))
    assert assessor_centred(panel).values == pytest.approx(calibrate(panel).values)


def test_z_scores_undo_any_linear_scale_of_an_assessor():
    panel = Panel.from_matrix(np.random.default_rng(2).normal(60, 10, (9, 4)))
    stretched = Panel.from_matrix(panel.scores.reshape(9, 4) * [1, 2, 0.5, 1] + [0, -40, 30, 5])
    order = np.argsort(z_scores(panel).values)
    assert np.argsort(z_scores(stretched).values).tolist() == order.tolist()
    found = z_scores(stretched)
    assert np.average(found.spreads**2) == pytest.approx(1.0)


def test_both_predict_what_they_undo():
    panel = simulated_panel(40, 6, 3, seed=3)
    for found in (assessor_centred(panel), z_scores(panel)):
        predicted = found.predict(panel.object_index, panel.assessor_index)
        means = panel.assessor_totals(panel.confidences * (panel.scores - predicted))
        assert np.corrcoef(predicted, panel.scores)[0, 1] > 0.8
        assert np.abs(means).max() < 10 * panel.assessor_totals(panel.confidences).max()


def test_streamed_objects_are_what_centring_cannot_deal_with():
    """Good objects went to one group of assessors, weak ones to the other."""
    random = np.random.default_rng(4)
    truth = np.concatenate([random.normal(70, 5, 40), random.normal(50, 5, 40)])
    objects = np.repeat(np.arange(80), 3)
    assessors = np.concatenate([random.choice(8, 3, replace=False) + (2 if o < 40 else 0) for o in range(80)])
    panel = Panel.from_records(objects, assessors, truth[objects] + random.normal(0, 3, 240))
    off = {name: np.std(fit(panel, name).values - truth) for name in ("confidence", "assessor_centred", "z_scores")}
    assert off["confidence"] < off["assessor_centred"]
    assert off["confidence"] < off["z_scores"]


@pytest.mark.parametrize(
    ("scores", "word"), [([[1.0, 2.0], [2.0, 3.0]], "at least 3"), ([[1.0, 2.0], [1.0, 3.0], [1.0, 5.0]], "same score")]
)
def test_z_scores_refuse_assessors_without_a_spread(scores, word):
    with pytest.raises(MethodNotApplicable, match=word):
        z_scores(Panel.from_matrix(scores))
