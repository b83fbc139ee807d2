"""`Cal criteria` of ordered ratings: read, computed from known draws, shown and said as for calibrated scores."""

import csv

import numpy as np
import openpyxl
import pytest

from panelcal.errors import InputRefused
from panelcal.facets.rated_posterior import RatedDraws, summarise_facets
from panelcal.reading.ratings.read_ratings import read_ratings
from panelcal.reporting.run_facts import RunFacts
from panelcal.systems.choices import Choices
from panelcal.systems.ratings import results as ordinal_results
from panelcal.systems.ratings.as_data import as_data
from panelcal.systems.ratings.report import build_ordinal_report
from panelcal.systems.ratings.words import ordinal_sentences
from reporting.ordinal_case import Grid, Source, grid_of_rows, jury_rows, known_posterior, reading_of_rows
from reporting.test_criteria import _read as read_scores
from reporting.test_criteria import _rows as rows_of_scores
from run_panelcal import run, sheet_rows

TOGETHER = {"criteria": {"together": 1.0}}


def _read(rows, *, settings=(("Method", "ordinal"), ("Lowest score", 1), ("Highest score", 5)), **chosen):
    sheet = Grid("Settings", (("Setting", "Value"), *settings))
    source = Source("prize.xlsx", (grid_of_rows(rows), sheet), "Ratings")
    return read_ratings(source, over=Choices(settings={**TOGETHER, **chosen}).over)


def _known(ratings, *, points, **options):
    """Stand in for the fit: J1 is 1.5 severe on Delivery and nobody else leans, known to a tenth."""
    random = np.random.default_rng(4)
    n, M, K, L = ratings.n_objects, ratings.n_assessors, ratings.n_features, ratings.n_cutpoints
    lean = random.normal(0, 0.1, (300, M, K))
    lean[:, ratings.assessors.index("J1"), 1] += 1.5
    draws = RatedDraws(
        values=np.linspace(1.5, -1.5, n)[:, None] + random.normal(0, 0.3, (300, n, K)),
        cutpoints=np.linspace(-2, 2, L) + np.zeros((300, M, L)),
        difficulties=np.tile([0.4, -0.4], (300, 1)),
        leanings=lean - lean.mean(axis=2, keepdims=True),
        own_spread=np.ones((300, K)),
        leaning_spread=np.full(300, 0.5),
        halo=np.full(300, 0.5),
    )
    return summarise_facets(known_posterior(ratings, **options), draws, np.asarray(points), draws.leanings)


def _results(reading):
    with pytest.MonkeyPatch.context() as patching:
        patching.setattr(ordinal_results, "fit_ordinal_facets", _known)
        patching.setattr(ordinal_results, "_SIMULATIONS", 2)
        return ordinal_results.compute_ordinal_results(reading)


@pytest.fixture(scope="module")
def results():
    return _results(_read(jury_rows()))


@pytest.fixture(scope="module")
def report(results):
    return build_ordinal_report(results, RunFacts(created="2026-01-02T03:04:05"))


def _sheet(report):
    return next(sheet for sheet in report.sheets if sheet.name == "Cal criteria")


def _table(sheet, name):
    return next(table for table in sheet.tables if table.name == name)


def _column(table, heading):
    return list(next(column for column in table.columns if column.heading == heading).cells)


@pytest.mark.slow
def test_the_sheet_is_that_of_calibrated_scores(results, report):
    from panelcal.systems.calibration.report import build_report
    from panelcal.systems.calibration.results import compute_results

    scores = _sheet(build_report(compute_results(read_scores(rows_of_scores())), RunFacts(created="2026-01-02")))
    sheet = _sheet(report)
    assert [table.name for table in sheet.tables] == [table.name for table in scores.tables]
    for own, other in zip(sheet.tables[1:], scores.tables[1:], strict=True):
        assert [column.heading for column in own.columns[1:]] == [column.heading for column in other.columns[1:]]
    assert [chart.title for chart in sheet.charts] == [chart.title for chart in scores.charts]
    values = _table(sheet, "criteria values")
    assert np.allclose(_column(values, "Total"), np.add(_column(values, "Content"), _column(values, "Delivery")))
    assert 1 < min(_column(values, "Content")) < max(_column(values, "Content")) < 5
    levels = _table(sheet, "criteria")
    assert np.allclose(_column(levels, "Raw average"), np.nanmean(results.facets.panel.scores, axis=0))
    assert _column(levels, "Easier (+) or harder (-)")[0] < 0 < _column(levels, "Easier (+) or harder (-)")[1]
    points = _table(sheet, "map")
    marks = zip(_column(points, "On the map"), _column(points, "Fair average"), strict=True)
    judges = [place for kind, place in marks if kind == "Judges"]
    assert np.isclose(np.mean(judges), (results.facets.totals / 2).mean())


@pytest.mark.slow
def test_who_leans_is_said_on_the_sheet_the_first_page_and_the_terminal(results, report):
    said = [text for text in _column(_table(_sheet(report), "leanings"), "In words") if text]
    assert len(said) == 1 and said[0].startswith("Judge J1 is ")
    assert "severe on Delivery" in said[0] and "generous on Content" in said[0]
    assert said[0] in ordinal_sentences(results)
    assert said[0] in report.sheets[0].front.lines
    assert "criteria together" in next(
        str(table.columns) for sheet in report.sheets if sheet.name == "Cal audit" for table in sheet.tables
    )


@pytest.mark.slow
def test_where_lower_is_better_who_gives_more_is_severe():
    rows = jury_rows()
    found = _results(_read(rows, higher_is_better=False))
    assert list(found.facets.points) == [5, 4, 3, 2, 1]
    line = next(text for text in ordinal_sentences(found) if text.startswith("Judge J1"))
    assert "severe on Delivery" in line
    assert found.facets.biases[found.facets.panel.assessors.index("J1"), 1] > 0


@pytest.mark.slow
def test_programs_get_the_same_figures(results):
    told = as_data(results).tables
    assert told["fair_averages"]["value"] == results.facets.values.ravel().tolist()
    assert told["leanings"]["assessor"][:2] == ["J1", "J1"] and told["criteria"]["weight"] == [1, 1]
    assert set(as_data(_plain()).tables) == {"values"}


def _plain():
    with pytest.MonkeyPatch.context() as patching:
        from reporting.ordinal_case import results_with_known_draws

        return results_with_known_draws(patching, reading_of_rows(jury_rows()))


@pytest.mark.slow
def test_without_together_there_is_no_such_sheet():
    plain = _plain()
    assert plain.facets is None
    report = build_ordinal_report(plain, RunFacts(created="2026-01-02T03:04:05"))
    assert "Cal criteria" not in [sheet.name for sheet in report.sheets]


def test_criteria_that_are_named_are_the_features_and_their_weights():
    reading = _read(jury_rows(), criteria={"together": 1.0, "delivery": 3.0, "Content": 1.0})
    assert reading.ratings.features == ("Delivery", "Content")
    assert reading.feature_weights.tolist() == [3, 1]
    with pytest.raises(InputRefused, match="no heading for the criterion Wit of the settings"):
        _read(jury_rows(), criteria={"together": 1.0, "Wit": 1.0})
    with pytest.raises(InputRefused, match=r"only Content is read as a rating, so that there are no criteria"):
        _read(jury_rows(), criteria={"together": 1.0, "Content": 1.0})
    with pytest.raises(InputRefused, match=r"must each count more than 0 in the total: Content does not"):
        _read(jury_rows(), criteria={"together": 1.0, "Content": 0.0, "Delivery": 1.0})


def test_a_criterion_may_be_called_like_what_is_assessed():
    rows = [[*row[:4], "Presentation" if k == 0 else row[4]] for k, row in enumerate(jury_rows())]
    assert _read(rows).ratings.features == ("Content", "Presentation")


def test_criteria_may_stand_below_the_names_of_judges():
    rows = [["Talk", "Ann", None, "Bob", None], [None, "Content", "Style", "Content", "Style"]]
    rows += [["T1", 1, 2, 3, 4], ["T2", 2, 2, 5, 1], ["T3", 3, None, 4, 4], ["T4", 5, 5, 2, 3]]
    reading = _read(rows)
    assert reading.ratings.features == ("Content", "Style") and reading.ratings.assessors == ("Ann", "Bob")
    assert reading.n_ratings == 15 and reading.cells_found == 15
    assert any("Each name stands over several criteria" in one.sentence for one in reading.decisions)


@pytest.mark.slow
def test_a_rubric_of_ratings_from_the_command_line(tmp_path):
    path = tmp_path / "rubric.csv"
    rows = [[row[0], *row[2:]] for row in jury_rows()]
    with path.open("w", newline="") as stream:
        csv.writer(stream).writerows(rows)
    done = run("calibrate", str(path), "--method", "ordinal", "--criteria", "together", "--criteria", "Content=2",
               "--criteria", "Delivery=1", "--scale", "1:5")  # fmt: skip
    assert done.returncode == 0, done.stderr
    values = sheet_rows(tmp_path / "rubric-calibrated.xlsx", "Cal criteria")
    first = values[0]
    assert first["Total"] == pytest.approx(2 * first["Content"] + first["Delivery"])
    kept = openpyxl.load_workbook(tmp_path / "rubric-calibrated.xlsx")["Settings"].values
    assert {("together", 1), ("Content", 2), ("Delivery", 1)} <= {
        row[k : k + 2] for row in kept for k in range(len(row))
    }
