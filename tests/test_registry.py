"""The registry: every method by its name, on one footing, refusing in one sentence where it does not apply."""

import numpy as np
import pytest

import panelcal
from panelcal import MethodNotApplicable, Panel, PanelcalError, calibrate, fit, methods, predictive_errors
from panelcal.ordinal.review_thresholds import review_thresholds
from panels import connected_simulated_panel, simulated_panel
from reference_cases import CONNECTED, load_case

NAMES = [
    "simple_average", "weighted_average", "assessor_centred", "z_scores", "fisher", "confidence", "spread", "bounded",
    "log", "shrunken_biases", "random_effects", "median_polish", "bisquare", "review_thresholds", "hodge",
    "hodge_signs", "kemeny", "prior",
]  # fmt: skip
WITHOUT_ERRORS = {
    "simple_average", "weighted_average", "assessor_centred", "z_scores", "median_polish", "hodge_signs", "kemeny",
}  # fmt: skip


def _ratings() -> Panel:
    """A panel that every method can be used on: whole scores from 1 to 10."""
    panel = simulated_panel(30, 6, 4, seed=1)
    scores = np.clip(np.rint(panel.scores / 10), 1, 10)
    return Panel.from_records(panel.object_index, panel.assessor_index, scores, panel.confidences)


def test_the_names_are_those_that_were_promised():
    assert [entry.name for entry in methods()][: len(NAMES)] == NAMES
    assert len({entry.title for entry in methods()}) == len(methods())
    assert all(entry.note.endswith(".") for entry in methods())
    assert panelcal.fit is fit


@pytest.fixture(autouse=True)
def fewer_sweeps(monkeypatch):
    """Nothing here is about how exactly the sampled method samples."""
    monkeypatch.setitem(review_thresholds.__kwdefaults__, "sweeps", 240)
    monkeypatch.setitem(review_thresholds.__kwdefaults__, "burn_in", 60)


EARLIER = {"earlier": {str(k): (0.2 * k - 0.5, 0.3) for k in range(6)}}
NEEDED = {"prior": EARLIER}


@pytest.mark.parametrize("name", NAMES)
def test_every_method_gives_values_errors_and_a_note(name):
    panel = _ratings()
    result = fit(panel, name, **NEEDED.get(name, {}))
    assert result.method == name
    assert result.values.shape == (30,)
    assert (result.value_errors is None) == (name in WITHOUT_ERRORS)
    if result.value_errors is not None:
        assert (result.value_errors > 0).all()
    assert result.note.endswith(".")
    assert (result.calibration is not None) == (name in {"fisher", "confidence"})
    assert np.corrcoef(result.values, calibrate(panel).values)[0, 1] > 0.6
    assert 3 < result.values.mean() < 8
    if result.biases is not None:
        assert result.biases.shape == (6,)
    if result.predict is not None:
        predicted = result.predict(panel.object_index, panel.assessor_index)
        assert np.corrcoef(predicted, panel.scores)[0, 1] > 0.5


@pytest.mark.parametrize("case", [*CONNECTED, "disconnected_two"])
def test_on_any_panel_a_method_gives_numbers_or_one_sentence(case):
    panel = load_case(case).panel
    for entry in methods():
        try:
            result = entry.run(panel)
        except PanelcalError as problem:
            assert str(problem).endswith(".")
            assert "\n" not in str(problem)
            continue
        assert np.isfinite(result.values).all(), entry.name


def test_options_are_passed_on_and_unknown_ones_named():
    panel = _ratings()
    assert fit(panel, "confidence", gauge="equal").calibration.gauge == "equal"
    assert fit(panel, "bounded", scale=(0, 12)).detail.scale == (0, 12)
    with pytest.raises(MethodNotApplicable, match='spread has no option "gauge": its options are prior_deviation'):
        fit(panel, "spread", gauge="equal")
    with pytest.raises(MethodNotApplicable, match="it has none"):
        fit(panel, "z_scores", gauge="equal")


def test_an_unknown_method_is_refused_with_the_list():
    with pytest.raises(MethodNotApplicable, match="simple_average"):
        fit(load_case("one_object").panel, "magic")


def test_every_note_says_when_to_use_the_method_and_when_not():
    for entry in methods():
        assert entry.note.count(".") >= 2, entry.name
        assert any(
            word in entry.note for word in ("not ", "otherwise", "worse", "noise", "needs", "better", "generous")
        ), entry.name


def _panel(scores, **changed) -> Panel:
    base = connected_simulated_panel(12, 5, 3, seed=4)
    return Panel.from_records(
        changed.get("objects", base.object_index), changed.get("assessors", base.assessor_index), scores(base.scores)
    )


def _with_zero(scores):
    return np.concatenate([[0.0], scores[1:]])


GROUPS = Panel.from_matrix([[60.0, 50, np.nan, np.nan], [55, 52, np.nan, np.nan], [np.nan, np.nan, 70, 61]])
ONE_ASSESSOR = Panel.from_matrix([[60.0], [50.0], [71.0]])
TREE = Panel.from_matrix([[60.0, 50.0, np.nan], [np.nan, 55.0, 45.0], [np.nan, np.nan, 65.0]])
ALIKE = Panel.from_matrix(np.full((8, 8), 50.0))
ADDITIVE = Panel.from_matrix(np.add.outer([40.0, 50, 61, 77, 58, 66, 49, 71], [-3.0, 0, 2, 5, -4, 1]))

DOES_NOT_APPLY = {
    "too few scores for z-scores": ("z_scores", TREE, "at least 3 scores"),
    "no spread for z-scores": ("z_scores", ALIKE, "the same score"),
    "too few objects for spreads": ("spread", TREE, "at least 6 objects"),
    "no noise to tell spreads from": ("spread", ADDITIVE, "no residuals"),
    "scores off the usual scales": ("bounded", _panel(lambda s: s * 10), "none of the usual scales"),
    "zero for logarithms": ("log", _panel(_with_zero), "scores above 0"),
    "tiny panel for shrinkage": ("shrunken_biases", ONE_ASSESSOR, "cannot be estimated from 1 assessor:"),
    "no residuals for shrinkage": ("shrunken_biases", ADDITIVE, "no residuals"),
    "tiny panel for variance components": ("random_effects", TREE, "cannot be estimated from 3 objects"),
    "all alike for variance components": ("random_effects", ALIKE, "alike"),
    "no scores to spare for the bisquare": ("bisquare", TREE, "too few to tell"),
    "too many levels for review thresholds": ("review_thresholds", _panel(lambda s: s), "at most 20"),
    "all alike for review thresholds": ("review_thresholds", ALIKE, "alike"),
    "nothing to rank by": ("hodge_signs", ALIKE, "nothing to rank by"),
    **{
        f"disconnected for {name}": (name, GROUPS, "group")
        for name in (
            "fisher", "confidence", "bounded", "log", "shrunken_biases", "median_polish", "hodge", "hodge_signs",
        )
    },
}  # fmt: skip


@pytest.mark.parametrize(("name", "panel", "said"), DOES_NOT_APPLY.values(), ids=DOES_NOT_APPLY)
def test_a_method_where_it_does_not_apply_says_so_in_a_sentence(name, panel, said):
    with pytest.raises(PanelcalError, match=said) as refused:
        fit(panel, name)
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value)


def test_options_that_several_methods_share_reach_those_that_have_them_when_predicting():
    panel = simulated_panel(30, 6, 4, seed=1)
    apart = predictive_errors(panel, ["bounded", "median_polish"], options={"scale": (-400.0, 900.0)})
    taken = predictive_errors(panel, ["bounded", "median_polish"])
    error = {entry.method: entry.error for entry in apart.errors}
    usual = {entry.method: entry.error for entry in taken.errors}
    assert error["median_polish"] == usual["median_polish"]
    assert error["bounded"] != usual["bounded"]
