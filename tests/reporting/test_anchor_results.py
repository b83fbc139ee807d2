"""Calibration by anchors: curves of the right date, values that add up, errors that hold, agents left out."""

from itertools import combinations

import numpy as np
import pytest

from anchor_readings import anchor_reading
from anchors.simulated_agents import World, simulate
from panelcal import disagreement
from panelcal.anchors import ways as anchor_methods
from panelcal.anchors.choice import choose_anchor_curve
from panelcal.errors import MethodNotApplicable
from panelcal.reporting.run_facts import RunFacts
from panelcal.systems.anchors.agents import note_of
from panelcal.systems.anchors.outcome import anchor_sentences
from panelcal.systems.anchors.report import build_anchor_report
from panelcal.systems.anchors.results import compute_anchor_results
from panelcal.systems.anchors.why import explain_items

EXACT = 1e-9
# The share of 1200 known values inside their 95% intervals; four venues, errors shared by six agents.
COVERAGE = (0.92, 0.98)


def venue(seed=1, anchors=80, manuscripts=60, world=World()):  # noqa: B008
    return simulate(world, seed, anchors, manuscripts)


def reading_of(trial, **options):
    return anchor_reading(trial.anchor_scores, trial.consensus, trial.new_scores, **options)


@pytest.fixture(scope="module")
def results():
    trial = venue()
    scores = trial.new_scores.astype(float)
    scores[np.random.default_rng(0).random(scores.shape) < 0.3] = np.nan
    scores[:, 5] = np.nan
    scores[2, 5] = 60
    return compute_anchor_results(anchor_reading(trial.anchor_scores, trial.consensus, scores))


def test_calibrated_scores_are_those_of_the_chosen_curves(results):
    reading = results.reading
    for k in range(6):
        curve = choose_anchor_curve(reading.bank.scores[0, k], reading.bank.consensus).curve
        np.testing.assert_array_equal(results.calibrated.scores[k], curve(reading.scores[k]))


def test_a_value_is_the_weighted_mean_of_calibrated_scores_less_corrections(results):
    np.testing.assert_allclose(results.calibrated.weights.sum(axis=0), 1, atol=EXACT)
    parts = np.where(
        results.calibrated.weights > 0,
        results.calibrated.weights * (results.calibrated.scores - results.calibrated.corrections),
        0,
    )
    np.testing.assert_allclose(parts.sum(axis=0), results.calibrated.values, atol=EXACT)


def test_weights_go_by_the_scatter_about_the_curves(results):
    variance = np.array([agent.curve.residual_sd**2 for agent in results.agents])
    item = int(np.argmax(np.isfinite(results.reading.scores).sum(axis=0)))
    used = results.calibrated.weights[:, item] > 0
    assert results.calibrated.weights[used, item] * variance[used] == pytest.approx(1 / (1 / variance[used]).sum())


def test_the_error_of_one_score_is_the_agent_s_error_on_anchors_left_out(results):
    assert results.calibrated.errors[5] == pytest.approx(results.agents[2].left_out_error, rel=EXACT)


def test_disagreement_of_an_item_is_the_mean_over_pairs(results):
    for table, found in (
        (results.reading.scores, results.calibrated.disagreement_before),
        (results.calibrated.scores, results.calibrated.disagreement_after),
    ):
        for item in range(table.shape[1]):
            known = table[np.isfinite(table[:, item]), item]
            pairs = [abs(a - b) for a, b in combinations(known, 2)]
            if pairs:
                assert found[item] == pytest.approx(np.mean(pairs))
            else:
                assert np.isnan(found[item])


def test_the_table_of_ways_measures_what_the_library_measures(results):
    scores = results.reading.scores
    assert results.ways.way("raw").among.disagreement.value == pytest.approx(disagreement(scores))
    assert results.ways.way("spline").among.disagreement.value == pytest.approx(disagreement(results.calibrated.scores))
    assert results.agreement.after.disagreement.value == pytest.approx(disagreement(results.calibrated.scores))
    assert [way.used_by for way in results.ways.ways] == [0, 0, 0, 0, 0, 6]


def test_without_known_items_errors_are_those_of_anchors_left_out(results):
    assert not results.ways.on_items
    mean = np.mean([agent.left_out_error for agent in results.agents])
    assert results.ways.way("spline").error.value == pytest.approx(mean)
    assert results.ways.way("raw").error.value == pytest.approx(np.mean([agent.raw_error for agent in results.agents]))


def test_with_known_items_errors_are_measured_on_them():
    trial = venue()
    known = np.where(np.arange(60) < 40, trial.new_consensus, np.nan)
    results = compute_anchor_results(reading_of(trial, known=known))
    assert (results.ways.on_items, results.ways.n_known) == (True, 40)
    distance = np.sqrt(np.nanmean((trial.new_scores - known) ** 2, axis=1)).mean()
    assert results.ways.way("raw").error.value == pytest.approx(distance)


@pytest.mark.slow
def test_intervals_hold_the_consensus_of_new_items():
    inside = []
    for seed in range(4):
        trial = venue(seed, 120, 300)
        scores = trial.new_scores.astype(float)
        random = np.random.default_rng(seed)
        for item in range(300):
            scores[random.choice(6, random.integers(0, 6), replace=False), item] = np.nan
        results = compute_anchor_results(anchor_reading(trial.anchor_scores, trial.consensus, scores))
        low, high = results.calibrated.intervals.T
        inside.append((low <= trial.new_consensus) & (trial.new_consensus <= high))
    assert COVERAGE[0] < np.mean(inside) < COVERAGE[1]


def test_more_agents_make_a_value_surer_but_not_beyond_what_they_share(results):
    counts = np.isfinite(results.reading.scores).sum(axis=0)
    one, many = results.calibrated.errors[counts == 1].mean(), results.calibrated.errors[counts >= 5].mean()
    assert results.calibrated.shared_sd * 0.9 < many < one


@pytest.fixture(scope="module")
def drifting():
    """Four weeks of anchors; the third agent falls by 12 points in week 3, items come in every week."""
    random, world = np.random.default_rng(3), World(tiers=True)
    severity = world.anchor_severities(random, 150)
    shared = severity + random.normal(0, world.shared_error, 150)
    own = random.normal(0, 6, (6, 150))
    weeks = np.array(
        [[world.on_scale(k, shared + own[k] + random.normal(0, 3, 150)) for k in range(6)] for _ in range(4)]
    )
    weeks[2:, 2] = np.clip(weeks[2:, 2] - 12, 0, 100)
    items = np.repeat(np.arange(4), 50)
    true = world.severities(random, 200)
    scores = world.scores(random, true)
    scores[2, items >= 2] = np.clip(scores[2, items >= 2] - 12, 0, 100)
    dates = np.tile(items, (6, 1))
    reading = anchor_reading(weeks, world.consensus(random, severity), scores, score_dates=dates)
    return compute_anchor_results(reading)


def test_a_jump_is_red_at_its_week_and_at_no_other(drifting):
    alarms = [agent.history.alarms for agent in drifting.agents]
    assert alarms[2] == ("none", "red", "none")
    assert all(set(alarms[k]) == {"none"} for k in (0, 1, 3, 4, 5))
    assert drifting.agents[2].alarm == "none"


def test_each_score_is_mapped_by_the_curve_of_its_week(drifting):
    reading, agent = drifting.reading, drifting.agents[2]
    for week in range(4):
        there = reading.score_dates[2] == week
        curve = agent.in_use[week]
        np.testing.assert_array_equal(drifting.calibrated.scores[2, there], curve(reading.scores[2, there]))
    assert agent.in_use[3](50.0) - agent.in_use[1](50.0) > 5


def test_refitting_takes_the_jump_out(drifting):
    before = drifting.reading.score_dates[0] < 2
    others = [0, 1, 3, 4, 5]
    gap = drifting.calibrated.scores[2] - drifting.calibrated.scores[others].mean(axis=0)
    assert abs(gap[before].mean() - gap[~before].mean()) < 3


def test_items_before_a_red_check_are_told_that_the_agent_may_have_changed(drifting):
    words = explain_items(drifting)
    told = np.array(["G3 had changed by the next check" in text for text in words])
    np.testing.assert_array_equal(told, drifting.reading.score_dates[2] == 1)


CASES = {
    "constant": lambda x, y: np.full(len(x), 50.0),
    "decreasing": lambda x, y: 100 - x,
    "two anchors": lambda x, y: np.where(np.arange(len(x)) < 2, x, np.nan),
}


@pytest.mark.parametrize(
    "case", ["constant", *(pytest.param(name, marks=pytest.mark.slow) for name in CASES if name != "constant")]
)
def test_an_agent_that_says_nothing_is_left_out_with_its_reason(case):
    trial = venue()
    anchors = trial.anchor_scores.astype(float)
    anchors[1] = CASES[case](anchors[1], trial.consensus)
    scores = trial.new_scores.astype(float)
    scores[[0, 2, 3, 4, 5], 7] = np.nan
    results = compute_anchor_results(anchor_reading(anchors, trial.consensus, scores))
    assert not results.agents[1].usable and results.agents[1].obstacle.endswith(".")
    assert np.isnan(results.calibrated.scores[1]).all() and (results.calibrated.weights[1] == 0).all()
    assert np.isnan(
        [results.calibrated.values[7], results.calibrated.errors[7], *results.calibrated.intervals[7]]
    ).all()
    assert "No value: G2 cannot be calibrated" in explain_items(results)[7]
    assert np.isfinite(np.delete(results.calibrated.values, 7)).all()
    assert any(sentence.startswith("Left out: G2") for sentence in anchor_sentences(results))
    rest = np.delete(np.arange(6), 1)
    without = compute_anchor_results(anchor_reading(anchors[rest], trial.consensus, scores[rest][:, :7]))
    np.testing.assert_allclose(results.calibrated.scores[rest][:, :7], without.calibrated.scores, atol=EXACT)


def test_scores_of_a_week_in_which_an_agent_says_nothing_are_left_out_alone():
    trial = venue()
    broken = trial.anchor_scores.astype(float)
    broken[4] = 100 - broken[4]
    weeks = np.tile([0, 1, 2], (6, 20))
    reading = anchor_reading(
        [trial.anchor_scores, broken, trial.anchor_scores], trial.consensus, trial.new_scores, score_dates=weeks
    )
    results = compute_anchor_results(reading)
    np.testing.assert_array_equal(np.isnan(results.calibrated.scores[4]), weeks[0] == 1)
    assert (
        np.isfinite(results.calibrated.scores[[0, 1, 2, 3, 5]]).all() and np.isfinite(results.calibrated.values).all()
    )
    assert results.agents[4].usable and results.agents[4].silent_dates() == (1,)
    assert "Scores of week 2 are left out" in note_of(results, results.agents[4])
    assert "left out (G5)" in explain_items(results)[1] and "left out" not in explain_items(results)[2]


def test_no_usable_agent_at_all_is_refused_with_every_reason():
    with pytest.raises(MethodNotApplicable, match=r"G1: .*same score.*G2: Only 2 anchors"):
        compute_anchor_results(
            anchor_reading([[5, 5, 5, 5], [1, 2, np.nan, np.nan]], [0, 30, 60, 90], [[5, 5], [1, 2]])
        )


def test_five_anchors_ties_and_agents_that_fit_exactly_will_do():
    consensus = [10, 30, 50, 70, 90]
    reading = anchor_reading([[1, 3, 5, 7, 9], [20, 20, 40, 40, 80]], consensus, [[2, 8], [30, 90]])
    results = compute_anchor_results(reading)
    assert results.calibrated.scores[0] == pytest.approx([20, 80])
    assert np.isfinite(results.calibrated.values).all() and (results.calibrated.errors > 0).all()
    assert results.calibrated.weights[0, 0] > 0.9
    assert results.calibrated.outside.tolist() == [[False, False], [False, True]]


def test_one_agent_alone_is_calibrated_and_has_nobody_to_disagree_with():
    trial = venue()
    results = compute_anchor_results(anchor_reading(trial.anchor_scores[:1], trial.consensus, trial.new_scores[:1]))
    assert results.agreement is None and results.ways.way("raw").among is None
    np.testing.assert_allclose(
        results.calibrated.values, results.calibrated.scores[0] - results.calibrated.corrections[0], atol=EXACT
    )
    assert np.abs(results.calibrated.corrections).max() < 0.01
    assert np.isnan(results.calibrated.disagreement_after).all()
    assert len(anchor_sentences(results)) == 1


def test_agents_that_share_no_item_are_joined_by_the_anchors():
    trial = venue()
    scores = trial.new_scores.astype(float)
    scores[:3, :30], scores[3:, 30:] = np.nan, np.nan
    results = compute_anchor_results(anchor_reading(trial.anchor_scores, trial.consensus, scores))
    assert np.isfinite(results.calibrated.values).all()
    error = np.sqrt(np.mean((results.calibrated.values - trial.new_consensus) ** 2))
    assert error < 1.3 * results.calibrated.errors.mean()


def test_an_agent_with_anchors_but_no_items_has_its_curve_only():
    trial = venue()
    results = compute_anchor_results(anchor_reading(trial.anchor_scores, trial.consensus, trial.new_scores[:4]))
    assert len(results.agents) == 6 and results.agents[5].curve is not None
    assert results.calibrated.scores.shape == (4, 60)


def test_a_doubtful_consensus_and_a_leaked_anchor_are_proposed_for_replacement_first():
    trial = venue(world=World(shared_error=8))
    anchors, consensus = trial.anchor_scores.astype(float), trial.consensus.copy()
    low = int(np.argmin(np.abs(consensus - 15)))
    consensus[low] = 95
    middle = int(np.argmin(np.abs(consensus - 50)))
    anchors[:, middle] = [World().on_scale(k, np.array([99.0]))[0] for k in range(6)]
    anchors[3, middle] = World().on_scale(3, np.array([50.0]))[0]
    results = compute_anchor_results(anchor_reading(anchors, consensus, trial.new_scores))
    assert results.review.unlike[low] and results.review.leaked[3, middle]
    assert {low, middle} <= set(results.rotation.retire[:2])
    report = build_anchor_report(results, RunFacts(created="2026-01-02T03:04:05"))
    bank = next(sheet for sheet in report.sheets if sheet.name == "Cal anchors").tables[0]
    why = {column.heading: column.cells for column in bank.columns}
    said = dict(zip(why["Anchor"], why["Why"], strict=True))[results.reading.bank.ids[low]]
    assert said.startswith("All agents score it far off its consensus, ") and " points too low on average" in said
    assert len(results.rotation.retire) == 8


def test_cost_counts_anchors_agents_and_dates(drifting):
    assert drifting.cost.scorings == 150 * 6 * 4
    assert drifting.cost.share == pytest.approx(150 * 6 * 4 / 1200)


def test_progress_is_told():
    told = []
    compute_anchor_results(reading_of(venue()), progress=told.append)
    assert told[0] == "fitting the curves" and len(told) == 4


def test_the_scale_of_the_settings_is_kept_to():
    consensus = np.linspace(1, 5, 25)
    anchors = np.array([consensus * 20, 6 - 5 / consensus])
    reading = anchor_reading(anchors, consensus, [[15, 110], [0, 5.5]], scale_low=1.0, scale_high=5.0)
    results = compute_anchor_results(reading)
    assert np.nanmin(results.calibrated.scores) >= 1 and np.nanmax(results.calibrated.scores) <= 5
    assert results.calibrated.intervals.min() >= 1 and results.calibrated.intervals.max() <= 5


def test_what_comes_out_is_said_in_a_few_lines(drifting):
    sentences = anchor_sentences(drifting)
    before, after = drifting.agreement.before.disagreement.value, drifting.agreement.after.disagreement.value
    assert sentences[0] == (
        f"Agents were {before:.1f} points apart on average; calibrated by their anchors they are {after:.1f} apart."
    )
    assert sentences[1].startswith("Largest change ")
    assert len(sentences) <= 5


def test_very_many_items_are_compared_on_a_sample_and_that_is_said(monkeypatch):
    monkeypatch.setattr(anchor_methods, "_MOST_ITEMS", 20)
    results = compute_anchor_results(reading_of(venue()))
    chosen = np.linspace(0, 59, 20).round().astype(int)
    assert results.ways.n_items == 20
    expected = disagreement(results.reading.scores[:, chosen])
    assert results.ways.way("raw").among.disagreement.value == pytest.approx(expected)
    assert results.agreement.before.disagreement.value == pytest.approx(expected)
