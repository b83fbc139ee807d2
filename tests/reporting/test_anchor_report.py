"""The sheets of a run by anchors as data: fixed headings, every number where it belongs, charts that point at cells."""

import dataclasses
import itertools
import re

import numpy as np
import pytest

from anchor_readings import anchor_reading
from anchors.simulated_agents import World, simulate
from panelcal.anchors.bands import calibrate_scores
from panelcal.reading.grid import Grid, corners_of
from panelcal.reporting.chart_data import ChartData
from panelcal.reporting.names import result_suffix
from panelcal.reporting.out_of_date import summary_beside
from panelcal.reporting.run_facts import RunFacts
from panelcal.systems.anchors.report import build_anchor_report
from panelcal.systems.anchors.results import compute_anchor_results
from panelcal.systems.anchors.why import explain_items
from questions import questions_of

SHEETS = (
    "Cal summary",
    "Cal values",
    "Cal assessors",
    "Cal curves",
    "Cal drift",
    "Cal anchors",
    "Cal methods",
    "Cal audit",
)
HEADINGS = {
    "Cal values": (
        "Manuscript|Rank|Calibrated value|Lower|Upper|Interval drawn|Change|Why|Board decision|"
        "Assessments|Standard error|Raw average|Rank before|G1|G2|G3|G4|G5|G6|Disagreement before|"
        "Disagreement after|Why, in full"
    ),
    "Cal assessors": (
        "Agent|Status|Anchors|Bias before|Error before|Error after|Drift since last check|Drift since first date|Note|"
        "Assessments|Curve|Residual SD|Correction|Outside the anchors|Order of the anchors"
    ),
    "Cal curves": "Raw score|Unchanged|G1|G2|G3|G4|G5|G6",
    "Cal drift": "Date|G1|G2|G3|G4|G5|G6",
    "Cal anchors": "Anchor|Tier|Consensus|Scored by|Mean miss|Standardised|This quarter|Why",
    "Cal methods": "Way|Disagreement D|D interval|Spread|Error|Error interval|Correlation|Correlation interval",
}
RUN = RunFacts(created="2026-01-02T03:04:05", versions={"panelcal": "test"})


@pytest.fixture(scope="module")
def results():
    trial = simulate(World(), 5, 60, 40)
    later = trial.anchor_scores.astype(float)
    later[2] = np.clip(later[2] - 15, 0, 100)
    scores = trial.new_scores.astype(float)
    scores[4, ::3] = np.nan
    tiers = ["minor" if c < 50 else "major" for c in trial.consensus]
    return compute_anchor_results(
        anchor_reading([trial.anchor_scores, later], trial.consensus, scores, labels=(tiers,), higher_is_better=False)
    )


@pytest.fixture(scope="module")
def report(results):
    return build_anchor_report(results, RUN)


def sheet(report, name):
    return next(sheet for sheet in report.sheets if sheet.name == name)


def column(report, name, heading, table=0):
    columns = sheet(report, name).tables[table].columns
    return list(next(c for c in columns if c.heading == heading).cells)


def test_the_heading_of_the_paper_stands_above_what_was_calibrated():
    trial = simulate(World(), 3, 40, 10)
    reading = anchor_reading(trial.anchor_scores, trial.consensus, trial.new_scores, heading="Spring round")
    page = build_anchor_report(compute_anchor_results(reading), RUN).sheets[0]
    assert page.title == "Spring round" and page.explanation.startswith("Calibration of ")


def test_the_sheets_come_in_order(report):
    assert tuple(sheet.name for sheet in report.sheets) == SHEETS


@pytest.mark.parametrize("name", sorted(HEADINGS))
def test_the_headings_stand_in_their_order(report, name):
    table = sheet(report, name).tables[0]
    assert (table.row, table.column) == (4, 1)
    found = [c.heading for c in table.columns]
    wanted = HEADINGS[name].split("|")
    assert [heading for heading in found if heading in wanted] == wanted
    assert len(set(found)) == len(found)


def test_values_stand_at_full_precision_by_rank(results, report):
    order = np.argsort(results.calibrated.values, kind="stable")
    assert column(report, "Cal values", "Manuscript") == [results.reading.items[k] for k in order]
    for heading, expected in (
        ("Calibrated value", results.calibrated.values),
        ("Standard error", results.calibrated.errors),
        ("Lower", results.calibrated.intervals[:, 0]),
        ("Change", results.calibrated.values - results.calibrated.raw),
        ("G3", results.calibrated.scores[2]),
        ("Disagreement after", results.calibrated.disagreement_after),
    ):
        np.testing.assert_array_equal(np.array(column(report, "Cal values", heading), dtype=float), expected[order])
    assert column(report, "Cal values", "Board decision") == [None] * 40


def test_the_lowest_value_ranks_first_where_lower_is_better(results, report):
    ranks = column(report, "Cal values", "Rank")
    assert ranks == list(range(1, 41))
    values = column(report, "Cal values", "Calibrated value")
    assert (values[0], values[-1]) == (results.calibrated.values.min(), results.calibrated.values.max())


def test_values_keep_the_order_of_the_sheet_where_the_settings_say_so(results):
    settings = dataclasses.replace(results.reading.settings, order_of_results="as on the sheet")
    reading = dataclasses.replace(results.reading, settings=settings)
    kept = build_anchor_report(dataclasses.replace(results, reading=reading), RUN)
    assert column(kept, "Cal values", "Manuscript") == list(results.reading.items)


def test_why_gives_each_score_what_it_counts_as_and_the_value(results):
    item = 1
    text = explain_items(results)[item]
    for k in range(6):
        raw, counted = results.reading.scores[k, item], results.calibrated.scores[k, item]
        assert f"G{k + 1} {raw:g} counts as {counted:.1f} ({results.calibrated.weights[k, item]:.0%})" in text
    assert f"Calibrated {results.calibrated.values[item]:.1f} +/- {results.calibrated.errors[item]:.1f}." in text
    before, after = results.calibrated.disagreement_before[item], results.calibrated.disagreement_after[item]
    assert f"were {before:.1f} apart and are now {after:.1f}" in text


def test_curves_are_listed_from_0_to_100_in_steps_of_5_with_their_bands(results, report):
    at = column(report, "Cal curves", "Raw score")
    assert at == [5.0 * k for k in range(21)]
    found = calibrate_scores(results.agents[1].curve, at)
    assert column(report, "Cal curves", "G2") == found.values.tolist()
    lower, upper = (np.array(column(report, "Cal curves", f"G2 {end}", 1)) for end in ("lower", "upper"))
    anchors = results.agents[1].curve.anchor_scores
    below, above = np.array(at) < anchors.min(), np.array(at) > anchors.max()
    np.testing.assert_array_equal(lower[~above], found.lower[~above])
    np.testing.assert_array_equal(upper[~below], found.upper[~below])
    assert (lower <= found.values).all() and (found.values <= upper).all()


def test_beyond_the_anchors_the_band_is_bounded_by_its_end_at_the_outermost_anchor():
    """A curve never falls, so what it can reach at the lowest anchor it cannot exceed below it; and so above."""
    consensus = np.linspace(20, 80, 25)
    scores = consensus + 6 * np.sin(np.arange(25))
    report = build_anchor_report(
        compute_anchor_results(anchor_reading([scores, scores + 3], consensus, [[50.0], [50.0]])), RUN
    )
    at = np.array(column(report, "Cal curves", "Raw score"))
    lower, upper = (np.array(column(report, "Cal curves", f"G1 {end}", 1)) for end in ("lower", "upper"))
    inside = (at >= scores.min()) & (at <= scores.max())
    first, last = np.flatnonzero(inside)[[0, -1]]
    assert first >= 2 and last <= len(at) - 3
    assert (upper[:first] <= upper[first]).all() and (lower[last + 1 :] >= lower[last]).all()
    assert "Beyond the anchors" in sheet(report, "Cal curves").notes[0].text


def test_curves_of_agents_with_scales_of_their_own_cover_these():
    consensus = np.linspace(0, 100, 30)
    reading = anchor_reading([-consensus * 0 + consensus / 50 - 1, consensus / 40 - 1], consensus, [[0.0], [0.5]])
    report = build_anchor_report(compute_anchor_results(reading), RUN)
    at = column(report, "Cal curves", "Raw score")
    assert (at[0], at[-1], len(at)) == (-1, 1.5, 21)
    assert column(report, "Cal curves", "Unchanged") == [None] * 21
    assert all(series.name != "Unchanged" for series in sheet(report, "Cal curves").charts[0].series)


def test_drift_is_listed_by_date_and_by_check(results, report):
    assert column(report, "Cal drift", "Date") == ["week 1", "week 2"]
    shifts = column(report, "Cal drift", "G3")
    assert shifts[0] == 0 and shifts[1] == results.agents[2].history.since_first[0] < -5
    assert column(report, "Cal drift", "Alarm", 1) == [agent.history.alarms[0] for agent in results.agents]
    row = column(report, "Cal assessors", "Agent").index("G3")
    assert column(report, "Cal assessors", "Status")[row] == "red"
    words = column(report, "Cal assessors", "Note")[row]
    assert "Alarms: week 2 (red, -" in words and "A refit would change" in words


def test_the_chart_of_drift_says_how_far_the_others_were_at_any_date_and_in_what_it_is_drawn(results, report):
    (chart,) = sheet(report, "Cal drift").charts
    shifts = [[cell for cell in column(report, "Cal drift", agent.name)] for agent in results.agents]
    steady = [one for one, agent in zip(shifts, results.agents, strict=True) if agent.history.alarms[0] == "none"]
    furthest = max(abs(cell) for one in steady for cell in one)
    assert chart.title.endswith(f"the others stayed within {furthest:.1f} points")
    assert chart.y_title == "Change since week 1, in points"


def test_how_far_the_others_were_counts_dates_at_which_they_came_back():
    random = np.random.default_rng(7)
    consensus = random.uniform(15, 85, 200)
    weeks = [consensus + random.normal(0, 4, (3, 200)) for _ in range(3)]
    weeks[1][0] += 0.9
    weeks[2][1] -= 12
    report = build_anchor_report(
        compute_anchor_results(anchor_reading(weeks, consensus, random.uniform(20, 80, (3, 30)))), RUN
    )
    columns = {c.heading: c.cells for c in sheet(report, "Cal drift").tables[0].columns}
    named = [name for name in columns if name != "Date"]
    furthest = max(abs(cell) for name in named if name != named[1] for cell in columns[name])
    last = max(abs(columns[name][-1]) for name in named if name != named[1])
    assert round(furthest, 1) > round(last, 1)
    assert (
        sheet(report, "Cal drift").charts[0].title
        == f"{named[1]} moved; the others stayed within {furthest:.1f} points"
    )


def test_agents_come_by_how_generous_they_are_unless_the_order_of_the_sheet_is_kept(results, report):
    biases = column(report, "Cal assessors", "Bias before")
    assert biases == sorted(biases)  # lower is better here
    as_given = dataclasses.replace(
        results,
        reading=dataclasses.replace(
            results.reading,
            settings=dataclasses.replace(results.reading.settings, order_of_results="as on the sheet"),
        ),
    )
    kept = build_anchor_report(as_given, RUN)
    assert column(kept, "Cal assessors", "Agent") == [agent.name for agent in results.agents]


def test_each_chart_of_the_summary_has_words_on_how_to_read_it(report):
    summary = sheet(report, "Cal summary")
    beside = {note.row: note.text for note in summary.notes if note.down > 1}
    assert len(summary.charts) == 3
    assert all(beside[chart.row].startswith("One ") for chart in summary.charts)


def test_the_list_says_that_the_lowest_value_comes_first_where_lower_is_better(report):
    headings = [note.text for note in sheet(report, "Cal summary").notes if note.style == "heading"]
    assert any(text.startswith("Ranked list, the lowest value first") for text in headings)


def test_slow_drift_alarms_by_the_history_that_the_sheet_of_anchors_keeps():
    """One agent of two rises by half a point a week: no week shows it, all together do."""
    random = np.random.default_rng(3)
    consensus = random.uniform(15, 85, 60)
    weeks = [consensus + np.array([[0.5 * week], [0.0]]) + random.normal(0, 4, (2, 60)) for week in range(13)]
    results = compute_anchor_results(anchor_reading(weeks, consensus, random.uniform(20, 80, (2, 30))))
    report = build_anchor_report(results, RUN)
    table = sheet(report, "Cal drift").tables[1]
    columns = {c.heading: c.cells for c in table.columns}
    alarmed = [k for k, alarm in enumerate(columns["Alarm"]) if alarm != "none"]
    assert {columns["Agent"][k] for k in alarmed} == {results.agents[0].name}
    assert max(abs(columns["Shift"][k]) for k in alarmed) < 4
    assert any("slowly risen by" in columns["In words"][k] and columns["Slow drift"][k] > 1 for k in alarmed)
    (check,) = (check for check in sheet(report, "Cal summary").front.checks if check.name == "Drift")
    for words in (check.words, questions_of(report)["Drift"][1]):
        assert results.agents[0].name in words and results.agents[1].name not in words
    assert not check.fine


def test_anchors_to_replace_come_first_and_none_is_lost(results, report):
    names = column(report, "Cal anchors", "Anchor")
    assert sorted(names) == sorted(results.reading.bank.ids)
    retire = [results.reading.bank.ids[k] for k in results.rotation.retire]
    assert names[: len(retire)] == retire and len(retire) == 6
    assert column(report, "Cal anchors", "This quarter") == ["replace"] * 6 + [None] * 54
    assert sheet(report, "Cal anchors").notes[0].text.startswith(results.cost.sentence)


def test_the_chart_of_ways_draws_the_table_of_ways(results, report):
    chart = sheet(report, "Cal summary").charts[0]
    drawn = ChartData(report).values(chart.series[0].y)
    assert list(drawn) == column(report, "Cal methods", "Disagreement D")
    change = results.agreement
    before, after = change.before.disagreement.value, change.after.disagreement.value
    assert chart.title.endswith(f": from {before:.1f} to {after:.1f} points apart")
    row = column(report, "Cal methods", "Way").index("Monotone spline")
    estimate = results.ways.way("spline").among.disagreement
    assert column(report, "Cal methods", "Disagreement D")[row] == estimate.value
    assert column(report, "Cal methods", "D interval")[row] == f"{estimate.low:.1f} to {estimate.high:.1f}"


def test_the_summary_answers_with_the_figures_of_the_other_sheets(results, report):
    answers = {question: answer for question, (answer, _) in questions_of(report).items()}
    change = results.agreement
    assert (
        answers["Disagreement D"] == f"{change.before.disagreement.value:.1f} to {change.after.disagreement.value:.1f}"
    )
    assert answers["Drift"] == "red"
    assert answers["Cost of the anchors"] == (
        f"{60 * 6 * 2 / np.isfinite(results.reading.scores).sum():.1f} for each review"
    )
    assert answers["Rank 1 is"] == "the lowest value"
    said = {question: words for question, (_, words) in questions_of(report).items()}
    assert "G3 changed between week 1 and week 2 (-" in said["Drift"] and "nothing to do here" in said["Drift"]
    assert answers["Cells left out"] == 2
    typical = report.sheets[0].front.tiles[1].figure
    assert said["What changed"].endswith(f"typical change {typical}.")


def test_every_decision_is_on_the_audit_with_every_cell(results, report):
    kinds = column(report, "Cal audit", "Item")
    assert kinds.count("code excluded") == 2 and kinds.count("settings") == 1
    assert {"B7", "C9"} <= set(column(report, "Cal audit", "Cell or figure"))
    assert "0" * 64 in column(report, "Cal audit", "Cell or figure")
    assert set(column(report, "Cal audit", "Kind")) == {"Run", "Program", "Option", "Count", "Estimate", "Curve",
                                                        "Warning", "Decision", "Understood", "Question"}  # fmt: skip


def test_links_point_at_the_input_only_where_it_stands_beside(results, report):
    links = [link for s in report.sheets for t in s.tables for c in t.columns for link in c.links if link]
    assert all(link.startswith("#'Cal values'!") for link in links)
    linked = build_anchor_report(results, dataclasses.replace(RUN, input_grid=Grid("Scores", ())))
    table = sheet(linked, "Cal values").tables[0]
    best = np.argsort(results.calibrated.values, kind="stable")[:2]
    assert list(table.columns[0].links[:2]) == [f"#Scores!A{k + 2}" for k in best]
    first = results.rotation.retire[0]
    anchor, _, consensus = sheet(linked, "Cal anchors").tables[0].columns[:3]
    assert (anchor.links[0], consensus.links[0]) == (f"#Anchors!A{first + 2}", f"#Anchors!B{first + 2}")
    agents = sheet(linked, "Cal assessors").tables[0].columns[0]
    assert dict(zip(agents.cells, agents.links, strict=True)) == {
        f"G{k + 1}": f"#Scores!{'BCDEFG'[k]}1" for k in range(6)
    }
    assert "#Anchors!B7" in next(c for c in sheet(linked, "Cal audit").tables[0].columns if c.links).links


def test_every_chart_draws_cells_of_the_report_and_says_what_it_shows(report):
    data = ChartData(report)
    count = 0
    for page in report.sheets:
        for chart in page.charts:
            assert chart.alt_text and chart.x_title and chart.y_title
            for series in chart.series:
                for block in (series.x, series.y, series.plus, series.minus):
                    if block is not None:
                        values = data.values(block if block.sheet else block.on(page.name))
                        assert values is not None and any(value is not None for value in values)
                        count += 1
    assert count > 40


def test_columns_are_equally_long_and_hold_plain_values(report):
    for page in report.sheets:
        for table in page.tables:
            for c in table.columns:
                assert len(c.cells) == table.n_rows
                for cell in c.cells:
                    assert cell is None or type(cell) in (str, int, float, bool)
                    assert not isinstance(cell, float) or np.isfinite(cell)


def test_the_same_input_gives_the_same_report_and_another_run_its_own_names(results, report):
    again = build_anchor_report(results, RUN)
    assert again.run_id == report.run_id
    second = build_anchor_report(results, dataclasses.replace(RUN, suffix=" 2"))
    assert [page.name for page in second.sheets] == [f"{name} 2" for name in SHEETS]
    blocks = [s.y.sheet for page in second.sheets for chart in page.charts for s in chart.series if s.y.sheet]
    assert blocks and all(name.endswith(" 2") for name in blocks)
    reading = dataclasses.replace(results.reading, fingerprint="1" * 64)
    assert build_anchor_report(dataclasses.replace(results, reading=reading), RUN).run_id != report.run_id


@pytest.mark.parametrize("name", ["Cal curves", "cal drift", "Cal anchors", "Cal summary"])
def test_a_sheet_of_that_name_makes_the_next_run_a_second_one(name):
    assert result_suffix(["Scores", name]) == " 2"


def test_a_later_run_finds_the_summary_of_this_one(report):
    assert summary_beside("Cal audit") == "Cal summary"
    assert sheet(report, "Cal summary").notes[0].row == 3
    assert "SHA-256 of the cells read" in column(report, "Cal audit", "Item")


def test_anchors_scored_once_have_no_sheet_on_drift_and_say_so():
    trial = simulate(World(), 6, 40, 20)
    report = build_anchor_report(
        compute_anchor_results(anchor_reading(trial.anchor_scores, trial.consensus, trial.new_scores)), RUN
    )
    assert "Cal drift" not in [page.name for page in report.sheets]
    assert set(column(report, "Cal assessors", "Status")) == {"not checked"}
    assert "scored once" in questions_of(report)["Drift"][1]


def test_agents_left_out_and_contradicting_are_named_on_the_summary():
    trial = simulate(World(), 7, 60, 20)
    anchors = trial.anchor_scores.astype(float)
    anchors[0] = 50
    high = trial.consensus > 50
    anchors[2, high] = 60 + 0.8 * (100 - trial.consensus[high])
    report = build_anchor_report(
        compute_anchor_results(
            anchor_reading(anchors, trial.consensus, trial.new_scores, labels=(np.where(high, "major", "minor"),))
        ),
        RUN,
    )
    answers = {question: answer for question, (answer, _) in questions_of(report).items()}
    assert answers["Agents left out"] == "G1"
    assert answers["Contradicts the consensus?"] == "G3"
    names = column(report, "Cal assessors", "Agent")
    assert "tier major" in column(report, "Cal assessors", "Note")[names.index("G3")]
    assert column(report, "Cal assessors", "Status")[names.index("G1")] == "left out"
    assert column(report, "Cal assessors", "Curve")[names.index("G1")] == "none"
    assert re.search(r"G1 lower", "|".join(c.heading for c in sheet(report, "Cal curves").tables[1].columns)) is None


def test_the_summary_sees_by_formula_whether_scores_and_anchors_have_changed(results):
    def rows(cells, n_rows):
        n_columns = max(column for _, column, *_ in map(corners_of, cells))
        return tuple((3.5,) * n_columns for _ in range(n_rows))

    reading = results.reading
    scores = Grid(reading.sheet, rows(reading.agent_cells, len(reading.items) + 1))
    anchors = Grid(reading.bank.sheet, rows(reading.bank.agent_cells, reading.bank.n_anchors + 1))
    run = dataclasses.replace(RUN, input_grid=scores, other_grids=(scores, anchors))
    (note,) = (note for note in sheet(build_anchor_report(results, run), "Cal summary").notes if note.formula)
    assert note.text.startswith("Up to date") and note.highlight.starts == "OUT OF DATE"
    for name, grid in (("scores", scores), ("anchors", anchors)):
        assert f"{name} have changed since; calibrate again." in note.formula
        assert f"COUNT({grid.sheet}!" in note.formula
    assert not any(note.formula for note in sheet(build_anchor_report(results, RUN), "Cal summary").notes)


def test_the_rankings_say_how_many_preferences_they_turn_round(report, results):
    shown = dict(zip(column(report, "Cal audit", "Item"), column(report, "Cal audit", "Cell or figure"), strict=True))
    scores = results.reading.scores
    for name, values in (("calibrated values", results.calibrated.values), ("raw averages", results.calibrated.raw)):
        turned = stated = 0.0
        for own in scores:
            for i, j in itertools.permutations(np.flatnonzero(np.isfinite(own) & np.isfinite(values)), 2):
                if own[i] > own[j]:
                    stated += 1
                    turned += 1.0 if values[i] < values[j] else 0.5 if values[i] == values[j] else 0.0
        assert shown[f"Preferences reversed by the {name}"] == pytest.approx(turned / stated)


def test_an_agent_that_scored_only_what_has_no_value_prefers_nothing(results):
    scores, values = results.reading.scores.copy(), results.calibrated.values.copy()
    scores[0, 1:], values[0] = np.nan, np.nan
    silent = dataclasses.replace(results, reading=dataclasses.replace(results.reading, scores=scores))
    without = dataclasses.replace(results, reading=dataclasses.replace(results.reading, scores=scores[1:]))
    share = silent.reversed_preferences(values)
    assert 0.0 <= share == without.reversed_preferences(values)
