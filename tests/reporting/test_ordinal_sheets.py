"""The sheets on ratings as data: every number where it belongs, against counting over the draws."""

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import rankdata

from panelcal import calibrate
from panelcal.reporting.chart_data import ChartData
from panelcal.reporting.drawn_intervals import PLACES
from panelcal.reporting.model import Report, Sheet
from panelcal.reporting.names import RESULT_SHEETS
from panelcal.reporting.run_facts import RunFacts
from panelcal.systems.ratings.report import build_ordinal_report
from panelcal.systems.ratings.results import SEED
from reporting.ordinal_case import (
    FEATURES,
    N_TALKS,
    draws_of,
    grid_of_rows,
    jury_rows,
    reading_of_rows,
    results_with_known_draws,
)

SHEETS = ("Cal summary", "Cal values", "Cal assessors", "Cal links", "Cal methods", "Cal audit")
VALUES = (
    "Talk|Category|Place|Expected rank|Rank from|Rank to|Interval drawn|P(best)|P(best of category)|P(top 2)|"
    "Winner set|Why|Board decision|"
    "Assessments|Naive average|Naive rank|Total|Lower|Upper|Above|Below|Content|Delivery|P(beats the next)|"
    "Not reliably below the leader|Why, in full"
)
LEVEL = 0.89


@pytest.fixture(scope="module")
def patch():
    with pytest.MonkeyPatch.context() as patching:
        yield patching


@pytest.fixture(scope="module")
def results(patch):
    return results_with_known_draws(patch, reading_of_rows(jury_rows()))


@pytest.fixture(scope="module")
def report(results) -> Report:
    return build_ordinal_report(
        results,
        RunFacts(created="2026-01-02T03:04:05", versions={"panelcal": "test"}, input_grid=grid_of_rows(jury_rows())),
    )


@pytest.fixture(scope="module")
def totals(results):
    """(draws, n) of the known draws."""
    return draws_of(results.reading.ratings).scores.sum(axis=2)


def sheet(report: Report, name: str) -> Sheet:
    return next(sheet for sheet in report.sheets if sheet.name == name)


def column(report: Report, name: str, heading: str, table: int = 0) -> list:
    return list(next(c for c in sheet(report, name).tables[table].columns if c.heading == heading).cells)


def words(one: Sheet) -> str:
    cells = [str(cell) for table in one.tables for column in table.columns for cell in column.cells]
    return " ".join([one.title, one.explanation, *cells, *(note.text for note in one.notes)])


def test_the_six_sheets_are_a_part_of_those_of_every_report(report):
    assert tuple(sheet.name for sheet in report.sheets) == SHEETS
    assert set(SHEETS) <= set(RESULT_SHEETS)


def test_the_headings_of_cal_values_stand_in_their_order(report):
    assert [column.heading for column in sheet(report, "Cal values").tables[0].columns] == VALUES.split("|")


def test_talks_come_in_the_order_of_the_expected_rank_with_totals_and_intervals_of_the_draws(report, totals):
    ranks = rankdata(-totals, axis=1).mean(axis=0)
    order = np.argsort(ranks)
    assert column(report, "Cal values", "Talk") == [f"T{k + 1}" for k in order]
    assert column(report, "Cal values", "Place") == list(range(1, N_TALKS + 1))
    for heading, expected in (
        ("Total", totals.mean(axis=0)),
        ("Lower", np.quantile(totals, (1 - LEVEL) / 2, axis=0)),
        ("Upper", np.quantile(totals, (1 + LEVEL) / 2, axis=0)),
        ("Expected rank", ranks),
        ("P(best)", (rankdata(-totals, axis=1) == 1).mean(axis=0)),
        ("P(top 2)", (rankdata(-totals, axis=1) <= 2).mean(axis=0)),
    ):
        assert column(report, "Cal values", heading) == pytest.approx(expected[order].tolist()), heading
    upper, middle, lower = (np.array(column(report, "Cal values", name)) for name in ("Upper", "Total", "Lower"))
    assert column(report, "Cal values", "Above") == pytest.approx(upper - middle)
    assert column(report, "Cal values", "Below") == pytest.approx(middle - lower)


def test_the_interval_of_each_rank_is_drawn_where_it_lies(report):
    first, middle, last, drawn = (
        column(report, "Cal values", name) for name in ("Rank from", "Expected rank", "Rank to", "Interval drawn")
    )
    for low, rank, high, line in zip(first, middle, last, drawn, strict=True):
        place = [round((one - 1) / (N_TALKS - 1) * (PLACES - 1)) for one in (low, rank, high)]
        assert abs(line.index("●") - place[1]) <= 1
        if low < high:
            assert abs(len(line) - len(line.lstrip()) - place[0]) <= 1 and abs(len(line) - 1 - place[2]) <= 1


def test_why_is_said_where_a_rank_is_far_from_that_of_plain_averages(report):
    naive, place, why = (column(report, "Cal values", name) for name in ("Naive rank", "Place", "Why"))
    assert any(why) and None in why
    for before, now, words in zip(naive, place, why, strict=True):
        if abs(before - now) < 3:
            assert words is None
        else:
            assert words.startswith(f"{'Up' if now < before else 'Down'} from {before:.0f}")


def test_what_beats_the_next_and_who_cannot_be_told_from_the_leader_is_counted_over_the_draws(report, totals):
    order = np.argsort(rankdata(-totals, axis=1).mean(axis=0))
    pairs = [float((totals[:, one] > totals[:, two]).mean()) for one, two in pairwise(order)]
    assert column(report, "Cal values", "P(beats the next)") == pytest.approx([*pairs, None])
    leader = order[0]
    near = [k == leader or (totals[:, leader] > totals[:, k]).mean() < LEVEL for k in order]
    found = [cell == "yes" for cell in column(report, "Cal values", "Not reliably below the leader")]
    assert found == near
    assert 1 < sum(near) < N_TALKS
    best = (rankdata(-totals, axis=1) == 1).mean(axis=0)
    inside = [str(cell).startswith("yes") for cell in column(report, "Cal values", "Winner set")]
    chosen = [best[k] for k, member in zip(order, inside, strict=True) if member]
    others = [best[k] for k, member in zip(order, inside, strict=True) if not member]
    assert sum(chosen) >= LEVEL and sum(sorted(chosen)[1:]) < LEVEL
    assert min(chosen) >= max(others)


def test_the_best_of_each_category_is_counted_among_its_members(report, results, totals):
    order = results.order
    found = np.array(column(report, "Cal values", "P(best of category)"))
    kinds = column(report, "Cal values", "Category")
    for kind in ("Open", "Student"):
        members = [k for k in range(N_TALKS) if results.reading.categories[k] == kind]
        winners = [members[i] for i in totals[:, members].argmax(axis=1)]
        for place, k in enumerate(order):
            if kinds[place] == kind:
                assert found[place] == pytest.approx(np.mean(np.array(winners) == k))
    assert sum(found) == pytest.approx(2)
    text = words(sheet(report, "Cal summary"))
    assert "Best of Open: " in text and "Best of Student: " in text


def test_averages_and_their_ranks_are_those_of_the_sheet(report, results):
    rows = jury_rows()[1:]
    average = {talk: np.mean([np.mean(row[3:]) for row in rows if row[0] == talk]) for talk in {row[0] for row in rows}}
    labels = column(report, "Cal values", "Talk")
    assert column(report, "Cal values", "Naive average") == pytest.approx([average[label] for label in labels])
    better = [sum(other > average[label] + 1e-9 for other in average.values()) + 1 for label in labels]
    assert column(report, "Cal values", "Naive rank") == better
    assert column(report, "Cal values", "Assessments") == [3] * N_TALKS


def test_methods_stand_side_by_side_and_additive_calibration_is_that_of_the_library(report, results):
    by_hand = calibrate(results.panel)
    assert column(report, "Cal methods", "Additive calibration") == pytest.approx(by_hand.values.tolist())
    assert column(report, "Cal methods", "Shared cut-points, total") == pytest.approx(results.shared.total_mean)
    assert results.shared.shared_cutpoints and results.shared.approximate
    gained = np.array(column(report, "Cal methods", "Naive rank")) - column(
        report, "Cal methods", "Own cut-points, rank"
    )
    assert column(report, "Cal methods", "Rank change") == gained.tolist()


def test_each_ranking_says_how_many_preferences_it_turns_round(report, results):
    panel = results.panel
    found = dict(
        zip(
            *(column(report, "Cal methods", heading, 1) for heading in ("Ranking", "Preferences reversed")), strict=True
        )
    )
    talks = column(report, "Cal methods", "Talk")
    for name, heading in (("Naive average", "Naive rank"), ("Additive", "Additive, rank")):
        rank = dict(zip(talks, column(report, "Cal methods", heading), strict=True))
        turned = stated = 0.0
        for o, a, score in zip(panel.object_index, panel.assessor_index, panel.scores, strict=True):
            for other, judge, lower in zip(panel.object_index, panel.assessor_index, panel.scores, strict=True):
                if judge == a and score > lower:
                    places = rank[panel.objects[o]], rank[panel.objects[other]]
                    stated += 1
                    turned += 1.0 if places[0] > places[1] else 0.5 if places[0] == places[1] else 0.0
        assert found[name] == pytest.approx(turned / stated)
    assert set(found) == {"Naive average", "Shared cut-points", "Additive", "Own cut-points"}


def test_severity_is_how_many_levels_lower_a_judge_rates_an_average_talk(report, results):
    drawn = draws_of(results.reading.ratings).cutpoints
    expected_level = 1 + (1 / (1 + np.exp(drawn))).sum(axis=3).mean(axis=2)  # of a talk with score 0, draw by draw
    severity = expected_level.mean(axis=1, keepdims=True) - expected_level
    order = np.argsort(-severity.mean(axis=0), kind="stable")  # the most severe first
    severity, drawn = severity[:, order], drawn[:, order]
    assert column(report, "Cal assessors", "Judge") == [results.posterior.assessors[k] for k in order]
    assert column(report, "Cal assessors", "Severity") == pytest.approx(severity.mean(axis=0).tolist())
    tail = (1 - results.posterior.level) / 2
    ends = np.quantile(severity, [tail, 1 - tail], axis=0)
    assert column(report, "Cal assessors", "From") == pytest.approx(ends[0].tolist())
    assert column(report, "Cal assessors", "To") == pytest.approx(ends[1].tolist())
    notes = column(report, "Cal assessors", "Note")
    shown = np.round(ends, 1)  # so that nobody is clearly generous whose To reads 0.0
    assert [note.startswith("Clearly") for note in notes] == [low > 0 or high < 0 for low, high in shown.T]
    assert any(note.startswith("Clearly") for note in notes)
    cuts = drawn.mean(axis=0)
    ends = (1 / (1 + np.exp(-cuts[:, :, 0])) + 1 / (1 + np.exp(cuts[:, :, -1]))).mean(axis=1)
    assert column(report, "Cal assessors", "Ends used") == pytest.approx(ends.tolist())
    rows = jury_rows()[1:]
    given = [
        np.mean([np.mean(row[3:]) for row in rows if row[2] == name])
        for name in column(report, "Cal assessors", "Judge")
    ]
    assert column(report, "Cal assessors", "Average rating") == pytest.approx(given)


def test_nobody_is_clearly_generous_or_severe_whose_interval_reads_as_ending_at_zero(results):
    interval = np.array([[-0.5, -0.04], [0.04, 0.5], [-0.5, -0.06], [0.06, 0.5], [-0.5, 0.5]])
    posterior = replace(results.posterior, severity=interval.mean(axis=1), severity_interval=interval)
    report = build_ordinal_report(replace(results, posterior=posterior), RunFacts(created="2026-01-02"))
    page = sheet(report, "Cal assessors")
    names, notes = page.tables[0].columns[0], page.tables[0].columns[6]
    said = dict(zip(names.cells, notes.cells, strict=True))
    assert [said[name].partition(",")[0] for name in posterior.assessors] == [
        "", "", "Clearly generous", "Clearly severe", "",
    ]  # fmt: skip


def test_the_heading_of_the_paper_stands_above_what_was_rated(patch):
    settings = (("Setting", "Value"), ("Method", "ordinal"), ("Heading of the paper", "Jury of 2026"))
    page = sheet(
        build_ordinal_report(
            results_with_known_draws(patch, reading_of_rows(jury_rows(), settings)), RunFacts(created="2026-01-02")
        ),
        "Cal summary",
    )
    assert page.title == "Jury of 2026" and page.explanation.startswith("Ratings of ")


def test_the_curves_rise_to_one_and_the_chart_of_severity_names_its_ends(report, results):
    table = sheet(report, "Cal assessors").tables[-1]
    for one in table.columns[1:]:
        assert list(one.cells) == sorted(one.cells) and one.cells[-1] == 1.0
    chart = sheet(report, "Cal summary").charts[-1]
    severity, names = results.posterior.severity, results.posterior.assessors
    apart = severity.max() - severity.min()
    assert chart.title == (
        f"{names[severity.argmax()]} is the most severe and {names[severity.argmin()]} the most generous, "
        f"{apart:.1f} levels apart"
    )
    drawn = ChartData(report)
    assert list(drawn.values(chart.series[0].x.on("Cal summary"))) == [names[k] for k in np.argsort(-severity)]


def test_the_cut_points_of_each_feature_have_a_table_of_their_own(report, results):
    tables = sheet(report, "Cal assessors").tables[1:-1]
    posterior = results.posterior
    assert len(tables) == len(posterior.features) == 2
    for q, table in enumerate(tables):
        order = np.argsort(-posterior.severity)  # as in the table above it
        assert list(table.columns[0].cells) == [posterior.assessors[a] for a in order]
        assert np.array([one.cells for one in table.columns[1:]]).T == pytest.approx(posterior.cutpoints[order, q])
        assert all(one.heading.startswith(f"{posterior.features[q]}: to ") for one in table.columns[1:])


def test_every_chart_draws_on_cells_that_are_there(report):
    charts = [chart for one in report.sheets for chart in one.charts]
    assert len(charts) == 3
    for one in report.sheets:
        for chart in one.charts:
            for series in chart.series:
                for block in filter(None, (series.x, series.y, series.plus, series.minus)):
                    target = sheet(report, block.sheet or one.name)
                    assert any(
                        table.column <= block.first_column < table.column + len(table.columns)
                        and (table.row + 1, table.last_row) == (block.first_row, block.last_row)
                        for table in target.tables
                    )


def test_links_say_what_holds_together_and_what_more_judges_would_buy(report, results):
    text = words(sheet(report, "Cal links"))
    assert "K = J M / N with M = 5 and N = 9" in text
    table = sheet(report, "Cal links").tables[1]
    assert list(table.columns[0].cells) == ["1", "2", "3", "4", "5"]
    assert "Each judge has 6 talks." in table.columns[2].cells[2]  # 3 x 9 / 5 = 5.4


def test_the_audit_holds_seed_time_convergence_versions_options_and_every_decision(report, results):
    items = dict(zip(column(report, "Cal audit", "Item"), column(report, "Cal audit", "Cell or figure"), strict=True))
    assert items["Seed"] == str(SEED) or items["Seed"] == SEED
    assert items["R-hat of the totals"] == 1.004 and items["Effective sample size"] == 4321.0
    assert items["Converged"] == "yes" and items["panelcal"] == "test"
    assert items["Features and weights"] == "Content 1, Delivery 1"
    assert items["SHA-256 of the cells read"] == results.reading.fingerprint
    done = column(report, "Cal audit", "What was done")
    assert all(decision.sentence in done for decision in results.reading.decisions)


def test_the_same_input_gives_the_same_run_id_and_another_setting_another(patch, results, report):
    again = build_ordinal_report(results, RunFacts(created="2027-01-01T00:00:00", versions={"panelcal": "test"}))
    assert again.run_id == report.run_id
    settings = (("Setting", "Value"), ("Lowest score", 1), ("Highest score", 5), ("Places to award", 4))
    other = results_with_known_draws(patch, reading_of_rows(jury_rows(), settings))
    assert (
        build_ordinal_report(other, RunFacts(created="2026-01-01T00:00:00", versions={"panelcal": "test"})).run_id
        != report.run_id
    )
    assert "P(top 4)" in [
        c.heading
        for c in sheet(build_ordinal_report(other, RunFacts(created="2026-01-01")), "Cal values").tables[0].columns
    ]


def test_a_second_run_takes_its_suffix_into_every_name_and_every_chart(results):
    report = build_ordinal_report(
        results, RunFacts(created="2026-01-02T03:04:05", suffix=" 2", outdated=("Cal summary",))
    )
    assert [sheet.name for sheet in report.sheets] == [f"{name} 2" for name in SHEETS]
    blocks = {series.y.sheet for one in report.sheets for chart in one.charts for series in chart.series}
    assert blocks <= {"", *(f"{name} 2" for name in SHEETS)}
    assert "Cal summary" in column(report, "Cal audit 2", "Cell or figure")


def test_the_summary_sees_by_formula_whether_ratings_have_changed(report, results):
    (note,) = (note for note in sheet(report, "Cal summary").notes if note.formula)
    block = "Ratings!D2:E28"
    ratings = [cell for row in jury_rows()[1:] for cell in row[3:]]
    placed = sum(cell * (1 + place / len(ratings)) for place, cell in enumerate(ratings))
    assert f"COUNT({block})={len(ratings)}" in note.formula and f"LEN({block})>0))={len(ratings)}" in note.formula
    assert float(re.search(r"/[0-9]+\)-([0-9.]+)\)<=", note.formula)[1]) == pytest.approx(placed, rel=1e-12)
    apart = build_ordinal_report(results, RunFacts(created="2026-01-02T03:04:05"))
    assert not any(note.formula for note in sheet(apart, "Cal summary").notes)


def test_links_lead_to_the_cells_of_the_input(report):
    links = next(c for c in sheet(report, "Cal values").tables[0].columns if c.heading == "Talk").links
    labels = column(report, "Cal values", "Talk")
    grid = grid_of_rows(jury_rows())
    for label, link in zip(labels, links, strict=True):
        assert grid.value(int(link.removeprefix("#Ratings!A")), 1) == label


def test_one_feature_one_category_and_two_levels_still_make_a_report(patch):
    rows = [["Talk", "A", "B", "C"], ["T1", 1, 2, None], ["T2", 2, None, 2], ["T3", None, 1, 1], ["T4", 1, 1, 2]]
    reading = reading_of_rows(rows, (("Setting", "Value"), ("Method", "ordinal")))
    report = build_ordinal_report(results_with_known_draws(patch, reading), RunFacts(created="2026-01-01T00:00:00"))
    headings = [c.heading for c in sheet(report, "Cal values").tables[0].columns]
    assert "Category" not in headings and "P(best of category)" not in headings and "Rating" not in headings
    assert len(sheet(report, "Cal summary").charts) == 3


def test_a_feature_named_like_a_column_gets_a_name_of_its_own(patch):
    rows = [["Talk", "Category", "Judge", "Total impression", "Place"], *jury_rows()[1:]]
    reading = reading_of_rows(
        rows,
        (
            *(("Setting", "Value"), ("Lowest score", 1), ("Highest score", 5)),
            (),
            ("Feature", "Weight"),
            ("Place", 1),
            ("Total impression", 2),
        ),
    )
    report = build_ordinal_report(results_with_known_draws(patch, reading), RunFacts(created="2026-01-01T00:00:00"))
    headings = [c.heading for c in sheet(report, "Cal values").tables[0].columns]
    assert "Feature Place" in headings and len(set(headings)) == len(headings)
    assert set(FEATURES).isdisjoint(headings)
