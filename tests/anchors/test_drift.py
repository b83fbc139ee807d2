"""Drift between two dates and over many: sums written out, theory, and alarms in simulations."""

import numpy as np
import pytest
from scipy.stats import linregress, pearsonr
from scipy.stats import t as student

from anchors.simulated_agents import Change, World, simulate, simulate_weeks
from panelcal import MethodNotApplicable, check_drift, fit_anchor_curve
from panelcal.anchors.drift_alarms import jump_level, recursive_checks, slow_limit
from panelcal.anchors.drift_history import follow_drift

GAP = float("nan")


def agent_twice(n=240, agent=0, seed=0, noise=4.0):
    """Scores, the curve fitted to them, and scores of an unchanged agent some time later."""
    trial = simulate(World(), seed, n, 1)
    last = trial.anchor_scores[agent]
    new = last + np.random.default_rng(seed).normal(0, noise, n)
    return fit_anchor_curve(last, trial.consensus), last, new, trial.consensus


def test_shift_and_tilt_are_a_mean_and_a_regression_on_the_middle():
    curve, last, new, _ = agent_twice()
    drift = check_drift(curve, last, new + 2)
    before, after = curve(last), curve(new + 2)
    assert drift.differences == pytest.approx(after - before)
    assert drift.shift == pytest.approx((after - before).mean())
    assert drift.shift_error == pytest.approx((after - before).std(ddof=1) / np.sqrt(240))
    line = linregress((before + after) / 2, after - before)
    assert (drift.tilt, drift.tilt_error) == pytest.approx((line.slope, line.stderr))
    assert drift.tilt_points == pytest.approx(line.slope * ((before + after) / 2).std(ddof=1))


def test_tilt_is_the_change_of_spread_of_pitman_and_morgan():
    random = np.random.default_rng(1)
    last = random.normal(50, 10, 500)
    new = last + random.normal(0, 8, 500)
    curve = fit_anchor_curve([0.0, 50.0, 100.0], [0.0, 50.0, 100.0], kind="linear")
    drift = check_drift(curve, last, new)
    assert drift.tilt == pytest.approx((new.var() - last.var()) / (((new + last) / 2).var() * 2))
    r = pearsonr(new - last, new + last).statistic
    assert drift.tilt / drift.tilt_error == pytest.approx(r * np.sqrt(498 / (1 - r**2)))


def test_an_agent_that_only_scatters_has_no_tilt():
    """A slope on the last score alone would be near -0.35 here: regression to the mean."""
    random = np.random.default_rng(2)
    truth = random.normal(50, 10, 5000)
    last, new = truth + random.normal(0, 7, (2, 5000))
    curve = fit_anchor_curve([0.0, 50.0, 100.0], [0.0, 50.0, 100.0], kind="linear")
    drift = check_drift(curve, last, new)
    assert abs(drift.tilt) < 3 * drift.tilt_error < 0.1
    assert drift.alarm == "none"


@pytest.mark.parametrize(("moved", "colour"), [(0, "none"), (1, "none"), (2, "amber"), (-2, "amber"), (4, "red")])
def test_limits_are_amber_above_one_and_a_half_points_and_red_above_three(moved, colour):
    random = np.random.default_rng(3)
    last = random.uniform(20, 80, 240)
    curve = fit_anchor_curve(last, last, kind="linear")
    drift = check_drift(curve, last, last + moved + random.normal(0, 1, 240))
    assert (drift.shift_alarm, drift.tilt_alarm, drift.alarm) == (colour, "none", colour)
    assert ("No sign of drift" in drift.sentence) == (colour == "none")


def test_few_anchors_that_scatter_raise_no_alarm_over_the_limit():
    curve = fit_anchor_curve([0.0, 50.0, 100.0], [0.0, 50.0, 100.0], kind="linear")
    drift = check_drift(curve, [10, 30, 50, 70], [30, 20, 75, 60])
    assert drift.shift == pytest.approx(6.25)
    assert drift.alarm == "none"


def test_a_change_of_spread_alone_is_flagged():
    curve, last, new, _ = agent_twice()
    drift = check_drift(curve, last, new.mean() + 0.6 * (new - new.mean()))
    assert drift.tilt_alarm == "red"
    assert drift.tilt < -0.2
    assert "shrunk" in drift.sentence


def test_a_refit_is_the_curve_of_the_new_scores_and_its_changes_are_counted():
    curve, last, new, consensus = agent_twice()
    new = new + 9
    new[:5] = GAP
    drift = check_drift(curve, last, new)
    refitted = fit_anchor_curve(new, consensus)
    at = np.linspace(0, 100, 30)
    assert drift.refitted(at) == pytest.approx(refitted(at))
    changed = np.abs(refitted(new[5:]) - curve(new[5:])) > 5
    assert drift.changed_by_refit == changed.sum() > 0
    assert drift.changed_share == pytest.approx(changed.mean())
    assert drift.n_anchors == 235


def test_consensus_given_is_used_and_without_any_there_is_no_refit():
    curve, last, new, consensus = agent_twice(60)
    given = check_drift(curve, last[:40], new[:40], consensus[:40])
    assert given.refitted.n_anchors == 40
    without = check_drift(curve, last[:40], new[:40])
    assert without.refitted is without.changed_by_refit is without.changed_share is None


def test_an_agent_that_has_become_constant_is_flagged_and_the_sentence_says_why_there_is_no_refit():
    curve, last, _, _ = agent_twice()
    drift = check_drift(curve, last, np.full(240, 70.0))
    assert drift.alarm == "red"
    assert drift.refitted is None
    assert "the same score (70)" in drift.sentence


def test_nothing_at_all_has_changed():
    curve, last, _, _ = agent_twice()
    drift = check_drift(curve, last, last)
    assert (drift.shift, drift.shift_error, drift.tilt, drift.alarm, drift.changed_by_refit) == (0, 0, 0, "none", 0)


@pytest.mark.parametrize(
    ("words", "last", "new"),
    [
        ("Only 2 anchors were scored both times", [1, 2, None, 4], [1, 2, 3, None]),
        ("2 last scores and 3 new scores", [1, 2], [1, 2, 3]),
        ("infinite", [1, 2, 3], [1, 2, float("inf")]),
    ],
)
def test_what_cannot_be_compared_is_refused(words, last, new):
    curve = fit_anchor_curve([0, 50, 100], [0, 50, 100], kind="linear")
    with pytest.raises(MethodNotApplicable, match=words):
        check_drift(curve, last, new)


def test_a_jump_is_flagged_at_the_first_check_after_it_and_hardly_anything_else():
    quiet = []
    for seed in range(4):
        table, consensus, _ = simulate_weeks(World(), Change(jump_week=3), seed, weeks=5, manuscripts=1)
        for agent, scores in enumerate(table):
            history = follow_drift(scores, consensus)
            if agent == 2:
                assert history.alarms[:3] == ("none", "none", "red")
                assert history.first_alarm == 3
                assert "First alarm at date 4" in history.sentence
                quiet.append(history.alarms[3])
            else:
                quiet += history.alarms
    assert set(quiet) == {"none"}


def test_each_check_is_against_the_date_before_by_its_curve():
    table, consensus, _ = simulate_weeks(World(), Change(wander=1.0), 0, weeks=4, manuscripts=1)
    history = follow_drift(table[0], consensus)
    curve = fit_anchor_curve(table[0, 1], consensus)
    assert history.shifts[1] == pytest.approx((curve(table[0, 2]) - curve(table[0, 1])).mean())
    first = fit_anchor_curve(table[0, 0], consensus)
    assert history.since_first[2] == pytest.approx((first(table[0, 3]) - first(table[0, 0])).mean())
    assert (len(history.curves), history.dates, history.skipped) == (4, (0, 1, 2, 3), ())


def test_drift_too_slow_for_an_alarm_shows_in_the_total():
    random = np.random.default_rng(0)
    truth = random.uniform(20, 60, 20)
    table = np.array([truth + 0.3 * week + random.normal(0, 5, 20) for week in range(8)])
    history = follow_drift(table, truth)
    assert history.first_alarm is None
    assert history.since_first[-1] > 1.5
    assert "slow drift" in history.sentence


def _weeks(seed, path, anchors=60, spread=4.2):
    random = np.random.default_rng(seed)
    return random.uniform(20, 80, anchors) + np.asarray(path)[:, None] + random.normal(0, spread, (len(path), anchors))


def test_changes_are_against_the_mean_of_all_earlier_scorings():
    table = _weeks(1, [0, 0, 0, 1])
    table[1, :7] = GAP
    curve = fit_anchor_curve([0, 50, 100], [0, 50, 100], kind="linear")
    drift = check_drift(curve, table[2], table[3], history=table[:3])
    counts = np.isfinite(table[:3]).sum(axis=0)
    weights = counts / (counts + 1)
    apart = table[3] - np.nanmean(table[:3], axis=0)
    assert drift.change == pytest.approx(np.average(apart, weights=weights))
    assert check_drift(curve, table[2], table[3], history=table[:2]).change == pytest.approx(drift.change)
    alone = check_drift(curve, table[2], table[3])
    assert alone.change == pytest.approx(alone.shift)


def test_the_p_value_is_that_of_an_analysis_of_variance():
    """Scorings x anchors: the last scoring against all others, on the scatter that both leave unexplained."""
    table = _weeks(2, [0, 0, 0, 0, 1.5], anchors=12)
    found = recursive_checks(table)
    design = np.zeros((60, 4 + 12))
    row, column = np.divmod(np.arange(60), 12)
    design[np.arange(60), 4 + column] = 1
    for k in range(1, 5):
        design[:, k - 1] = (row == k) - (row < k) / k  # each scoring against all before it
    solution, squares, *_ = np.linalg.lstsq(design, table.ravel(), rcond=None)
    freedom = 60 - 16
    error = np.sqrt(squares[0] / freedom * np.linalg.inv(design.T @ design)[3, 3])
    assert found.p_values[-1] == pytest.approx(2 * student.sf(abs(solution[3] / error), freedom))


def test_slow_drift_alarms_by_what_has_added_up():
    """0.4 a week: no two neighbouring weeks differ visibly."""
    curve = fit_anchor_curve([0, 50, 100], [0, 50, 100], kind="linear")
    table = _weeks(3, 0.4 * np.arange(20))
    alone = [check_drift(curve, table[k], table[k + 1]).alarm for k in range(19)]
    assert set(alone) == {"none"}
    found = [check_drift(curve, table[k], table[k + 1], history=table[: k + 1]) for k in range(19)]
    first = next(k for k, drift in enumerate(found) if drift.alarm != "none")
    assert first < 12
    assert "slowly risen" in found[first].sentence or "risen" in found[first].sentence
    assert follow_drift(table, table[0] - 1.0, kind="linear").first_alarm is not None


def test_the_more_agents_the_stronger_the_proof_that_an_alarm_needs():
    random = np.random.default_rng(4)
    last = random.uniform(20, 80, 20)
    new = last + 5.1 * 1.6 + random.normal(0, 6, 20)
    curve = fit_anchor_curve([0, 50, 100], [0, 50, 100], kind="linear")
    assert check_drift(curve, last, new, agents=1).alarm == "red"
    assert check_drift(curve, last, new, agents=10**9).alarm == "none"
    assert slow_limit(50) > slow_limit(6) > slow_limit(1) > 6


def test_a_year_of_a_steady_fleet_hardly_ever_alarms():
    """With one 0.4% test a week, 6 agents alarm in 7 of 10 years; here 40 years, at most 5% by design."""
    alarmed = 0
    for year in range(40):
        for agent in range(6):
            found = recursive_checks(_weeks([year, agent], np.zeros(53), anchors=20))
            alarmed += bool((found.p_values <= jump_level(6)).any() or (found.sums > slow_limit(6)).any())
    assert alarmed <= 6


def test_after_an_alarm_the_agent_counts_as_a_new_one():
    table = _weeks(5, [0, 0, 0, 20, 20, 20, 20])
    history = follow_drift(table, table[0], kind="linear")
    assert [alarm != "none" for alarm in history.alarms] == [False, False, True, False, False, False]


def test_a_history_of_other_anchors_is_refused():
    curve = fit_anchor_curve([0, 50, 100], [0, 50, 100], kind="linear")
    with pytest.raises(MethodNotApplicable, match="The history has 3 anchors, the last scores 4"):
        check_drift(curve, [1, 2, 3, 4], [1, 2, 3, 5], history=[[1, 2, 3]])


def test_empty_dates_are_skipped_and_rotated_anchors_compared_on_what_is_common():
    table, consensus, _ = simulate_weeks(World(), Change(), 1, anchors=60, weeks=5, manuscripts=1)
    scores = table[0]
    scores[0] = GAP
    scores[2, 2:] = GAP
    scores[3, :10] = GAP
    history = follow_drift(scores, consensus)
    assert (history.dates, history.skipped) == ((1, 3, 4), (0, 2))
    assert [check.n_anchors for check in history.checks] == [50, 50]


def test_one_date_is_not_enough_and_no_date_is_refused():
    table, consensus, _ = simulate_weeks(World(), Change(), 1, anchors=30, weeks=1, manuscripts=1)
    assert "only one date" in follow_drift(table[0], consensus).sentence
    with pytest.raises(MethodNotApplicable, match="Only 0 anchors"):
        follow_drift(np.full((2, 30), GAP), consensus)
    with pytest.raises(MethodNotApplicable, match="30 anchors but 29"):
        follow_drift(table[0], consensus[1:])
