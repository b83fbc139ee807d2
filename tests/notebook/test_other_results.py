"""Tables, texts and charts of what is no calibration: ratings, anchors, rankings, several criteria, plans, tests."""

import re
from dataclasses import replace
from functools import cache
from io import BytesIO

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import t

import panelcal
from panelcal import FacetPanel, MethodNotApplicable, Ratings
from panels import connected_simulated_panel

PANEL = connected_simulated_panel(12, 5, 3, 5)
FIRST = {  # the main table's columns, which docs/programs.md lists
    "curve": ["score", "consensus", "calibrated", "residual"],
    "plan": ["object", "assessor"],
    "differences": ["assessor", "bias", "standard_error", "p_value", "adjusted_p_value", "clearly_off"],
    "comparison": ["object", "simple_average", "weighted_average", "fisher", "confidence"],
    "facets": ["object", "total", "standard_error"],
    "several": ["object", "assessor", "style", "proof", "confidence"],
    "hodge": ["object", "value", "standard_error", "lower", "upper"],
    "signs": ["object", "value"],
    "prior": ["object", "value", "standard_error", "without_prior"],
    "nearness": ["object", "value", "standard_error", "without_nearness"],
    "ratings": ["object", "assessor", "Rating"],
    "unexpected": ["object", "assessor", "score", "statistic", "p_value", "adjusted_p_value", "unexpected"],
    "influence": ["object", "assessor", "score", "leverage", "own_shift", "largest_shift", "confidence_slope"],
    "chances": ["object", "value", "mean", "lower", "upper"],
    "links": ["assessors", "through", "conductance"],
    "drift": ["watched", "alarm", "points"],
    "posterior": [
        *("object", "total_mean", "lower", "upper"),
        *("rank_mean", "rank_lower", "rank_upper", "best_probability"),
    ],
}


@cache
def made(name):
    calibration = panelcal.calibrate(PANEL)
    looks = {
        "unexpected": panelcal.unexpected_scores,
        "influence": panelcal.influence,
        "chances": panelcal.value_posterior,
        "differences": panelcal.assessor_differences,
    }
    if name in looks:
        return looks[name](calibration)
    if name == "curve":
        return panelcal.fit_anchor_curve([20.0, 40, 55, 70, 90], [25.0, 42, 50, 72, 85], kind="linear")
    if name == "drift":
        return panelcal.check_drift(made("curve"), [20.0, 40, 55, 70, 90], [22.0, 45, 55, 79, 91])
    if name == "links":
        return panelcal.network(PANEL)
    if name == "plan":
        return panelcal.plan_assignment(6, 4, 2, conflicts=[(0, 1)])
    if name == "comparison":
        return panelcal.compare(PANEL)
    if name in ("several", "facets"):
        several = FacetPanel.from_records("AAAABBBB", "xxyyxxyy", ["style", "proof"] * 4, [5, 7, 6, 9, 3, 4, 4, 5])
        return several if name == "several" else panelcal.calibrate_facets(several)
    if name in ("hodge", "signs"):
        return panelcal.fit(PANEL, {"signs": "hodge_signs"}.get(name, name))
    if name == "prior":
        return panelcal.calibrate_with_prior(PANEL, {PANEL.assessors[0]: (-5.0, 1.0), PANEL.assessors[1]: (5.0, 1.0)})
    if name == "nearness":
        return panelcal.bias_by_nearness(PANEL, np.arange(PANEL.n_assessments) % 3)
    ratings = Ratings.from_records("AABBCC", "xyxyxy", [2, 3, 1, None, 3, 3], levels=[1, 2, 3])
    return ratings if name == "ratings" else panelcal.fit_ordinal(ratings, draws=500)


def names(*but):
    marks = {"posterior": pytest.mark.slow, "chances": pytest.mark.slow}
    return [pytest.param(name, marks=marks.get(name, ())) for name in FIRST if name not in but]


def table(result, *asked, **options):
    frame = result.to_frame(*asked, library="pandas", **options)
    return {name: frame[name].to_numpy() for name in frame.columns}


@pytest.mark.parametrize("name", names())
def test_the_main_table_is_a_frame_and_stands_in_text_and_html(name):
    pytest.importorskip("pandas")
    result = made(name)
    columns = table(result)
    assert list(columns) == FIRST[name]
    text = str(result.summary(rows=1))
    assert type(result).__name__ in text and all(len(line) <= 78 for line in text.splitlines()), text
    label = str(next(iter(columns.values()))[0])
    assert name == "curve" or label in text
    shown = result._repr_html_()
    assert all(f"<th>{column}</th>" in shown for column in columns)


def test_figures_are_those_of_the_result():
    pytest.importorskip("pandas")
    facets, panel = made("facets"), made("several")
    values, biases = table(facets, "values"), table(facets, "biases")
    for k, (label, criterion, value) in enumerate(zip(*list(values.values())[:3], strict=True)):
        assert value == facets.values[panel.objects.index(label), panel.criteria.index(criterion)], k
    for label, criterion, bias in zip(*list(biases.values())[:3], strict=True):
        assert bias == facets.biases[panel.assessors.index(label), panel.criteria.index(criterion)]
    assert list(table(made("plan"), "loads")["objects"]) == made("plan").loads.tolist()
    hodge = made("hodge")
    assert np.array_equal(table(hodge, level=0.5)["lower"], hodge.uncertainty.value_interval(0.5)[:, 0])
    found = panelcal.fit(PANEL, "median_polish")
    assert dict(zip(*table(found, "biases").values(), strict=True)) == dict(
        zip(PANEL.assessors, found.biases, strict=True)
    )
    curve = table(made("curve"))
    assert np.allclose(curve["calibrated"] + curve["residual"], curve["consensus"])
    given = [label for label in table(made("ratings"))["Rating"].tolist() if isinstance(label, str)]
    assert given == ["2", "3", "1", "3", "3"]


def test_scores_are_listed_from_the_most_unexpected_and_the_most_influential_down():
    pytest.importorskip("pandas")
    where = {pair: k for k, pair in enumerate(zip(PANEL.object_index, PANEL.assessor_index, strict=True))}
    pairs = {"unexpected": ("statistic", "statistics"), "influence": ("largest_shift", "largest_shift")}
    for name, (column, of) in pairs.items():
        result, columns = made(name), table(made(name))
        assert np.all(np.diff(np.abs(columns[column])) <= 0)
        for label, assessor, figure in zip(columns["object"], columns["assessor"], columns[column], strict=True):
            assert getattr(result, of)[where[PANEL.objects.index(label), PANEL.assessors.index(assessor)]] == figure


def test_drift_and_links_tell_what_their_fields_say():
    pytest.importorskip("pandas")
    drift, links = made("drift"), made("links")
    assert np.array_equal(table(drift, "anchors")["difference"], drift.differences)
    assert list(table(drift)["points"]) == [drift.change, drift.tilt_points, drift.slow_change]
    assert drift.sentence.split()[0] in str(drift.summary())
    assert [table(links)[name][0] for name in ("assessors", "conductance")] == [
        ", ".join(links.weakest_links[0].assessors),
        links.weakest_links[0].conductance,
    ]
    assert [column.tolist() for column in table(links, "groups").values()] == [[1], [12], [6]]


@pytest.mark.slow
def test_intervals_of_a_mixture_are_its_quantiles():
    found = replace(
        made("chances"),
        weights=np.array([0.3, 0.7]),
        means=np.array([[0.0, -1.0], [5.0, 2.0]]),
        errors=np.array([[1.0, 0.5], [2.0, 0.0001]]),
        degrees_of_freedom=4,
    )
    centre = found.calibration.centre
    for mean, error, ends in zip(found.means.T, found.errors.T, found.interval(0.9) - centre, strict=True):
        for chance, end in zip((0.05, 0.95), ends, strict=True):
            quantile = brentq(lambda x, m=mean, e=error, c=chance: found.weights @ t.cdf((x - m) / e, 4) - c, -99, 99)
            assert end == pytest.approx(quantile, abs=1e-7)
    with pytest.raises(MethodNotApplicable, match="lies between 0 and 1"):
        found.to_frame(level=95)


@pytest.mark.slow
def test_a_long_table_has_its_assessors_and_its_unexpected_scores_as_frames(tmp_path):
    pytest.importorskip("pandas")
    pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    rows = [
        f"{o},{a},{score}" for o, a, score in zip(PANEL.object_index, PANEL.assessor_index, PANEL.scores, strict=True)
    ]
    (tmp_path / "marks.csv").write_text("\n".join(["student,marker,mark", *rows]))
    names = {"object": "student", "assessor": "marker", "score": "mark"}
    found = panelcal.calibrate_relation(tmp_path / "marks.csv", output=tmp_path / "results", **names)
    for name, arrays in (("assessors", found.assessors), ("unexpected", found.unexpected)):
        assert {key: list(column) for key, column in table(found, name).items()} == {
            key: list(column) for key, column in arrays.items()
        }
    assert repr(found).startswith("<LargeCalibration: n_assessments 41, n_objects 12, n_assessors 6")
    assert "assessor  " in str(found.summary()) and "<th>assessor</th>" in found._repr_html_()


@pytest.mark.slow
def test_tables_of_a_posterior_are_in_the_order_of_their_labels():
    pytest.importorskip("pandas")
    found = made("posterior")
    steps = table(found, "cutpoints")
    assert list(steps["step"][:2]) == ["1 | 2", "2 | 3"] and list(steps["assessor"]) == ["x", "x", "y", "y"]
    assert np.array_equal(steps["mean"], found.cutpoints[:, 0, :].ravel())
    assert np.array_equal(table(found, "features")["mean"], found.feature_mean[:, 0])
    assert np.array_equal(table(found, "assessors")["upper"], found.severity_interval[:, 1])
    assert table(found, level=found.level)
    assert found.warnings and " ".join(found.warnings[0].split()) in " ".join(str(found.summary()).split())
    for asked in (found.to_frame, found.summary):
        with pytest.raises(MethodNotApplicable, match="hold 89%: give the level to fit_ordinal"):
            asked(level=0.5)


def test_what_a_method_does_not_have_is_said():
    with pytest.raises(MethodNotApplicable, match="hodge_signs has no biases"):
        made("signs").to_frame("biases")
    with pytest.raises(MethodNotApplicable, match="no table 'value': choose one of values, biases"):
        made("hodge").to_frame("value")
    for level in (0, 1.0, 95):
        for result in (made("hodge"), panelcal.calibrate(PANEL)):
            with pytest.raises(MethodNotApplicable, match="lies between 0 and 1"):
                result.to_frame(level=level)
    with pytest.raises(MethodNotApplicable, match="use fit"):
        panelcal.methods()[0].run(PANEL).to_frame()
    assert "bias" in str(panelcal.fit(PANEL, "median_polish").summary())
    assert not re.search(r"\bbias\b", str(made("signs").summary()))


CHARTS = {
    "curve": ("curve", "residuals"),
    "plan": ("assignment", "loads"),
    "differences": ("biases",),
    "comparison": ("values",),
    "facets": ("totals", "severities", "leanings"),
    "hodge": ("values",),
    "signs": ("values",),
    "posterior": ("values", "ranks", "best", "severities"),
    "unexpected": ("scores",),
    "chances": ("values",),
}


@pytest.fixture
def axes():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    yield pyplot.figure().add_subplot()
    pyplot.close("all")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kind"), [(name, kind) for name, kinds in CHARTS.items() for kind in kinds])
def test_each_chart_has_a_title_and_named_axes(axes, name, kind):
    assert made(name).plot(kind, axes=axes) is axes
    assert axes.get_title() and (axes.get_xlabel() or axes.get_xticklabels())
    made(name).plot(kind).figure.savefig(BytesIO())


@pytest.mark.slow
def test_points_stand_where_the_figures_say(axes):
    found = made("posterior")
    found.plot("ranks", axes=axes)
    (points,) = [line.get_xdata() for line in axes.lines]
    assert np.array_equal(points, np.sort(-found.rank_mean))
    axes.clear()
    made("comparison").plot(axes=axes)
    drawn = sorted(tuple(line.get_ydata()) for line in axes.lines)
    assert drawn == sorted(zip(*(getattr(made("comparison"), name) for name in FIRST["comparison"][1:]), strict=True))
    axes.clear()
    plan = made("plan")
    plan.plot(axes=axes)
    assert {tuple(pair) for pair in axes.lines[0].get_xydata()} == set(
        zip(plan.assessor_index, plan.object_index, strict=True)
    )
    assert [tuple(pair) for pair in axes.lines[1].get_xydata()] == [(1, 0)]
    axes.clear()
    off = panelcal.assessor_differences(
        panelcal.calibrate(panelcal.Panel.from_matrix([[50, 60.0, 55], [55, 65, 61], [70, 82, 75], [60, 71, 64.5]]))
    )
    off.plot(axes=axes)
    orange = [line.get_xdata() for line in axes.lines if line.get_color() == "#D55E00"]
    assert off.clearly_off.any() and sorted(orange[0]) == sorted(off.biases[off.clearly_off])


def test_a_chart_that_is_not_there_is_answered_with_those_that_are():
    with pytest.raises(MethodNotApplicable, match="no chart 'load': choose one of assignment, loads"):
        made("plan").plot("load")
