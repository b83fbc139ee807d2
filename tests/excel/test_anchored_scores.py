"""CALIBRATE_ANCHORED through xlwings' own conversion of arguments: what it takes, what it spills, how it refuses."""

import numpy as np
import pytest

from excel.engine import MISSING
from panelcal import fit_anchor_curve
from panelcal.excel import anchored_scores

CONSENSUS = np.linspace(2, 97, 30)
SCORES = np.round(100 * (CONSENSUS / 100) ** 2 + 5 * np.sin(np.arange(30)), 1)


def column(values, heading=None):
    cells = [[None if value is None else value] for value in values]
    return [[heading], *cells] if heading else cells


@pytest.fixture
def bank(put):
    return put("A1", column(SCORES.tolist())), put("B1", column(CONSENSUS.tolist()))


def refused():
    from panelcal.excel import functions

    return pytest.raises(functions.FunctionRefused)


def test_scores_keep_their_shape_and_blanks_stay_blank(call, put, bank):
    spill = call("calibrate_anchored", put("D1", [[10.0, None], [55.0, "n/a"], [" 80 ", 400.0]]), *bank, MISSING)
    curve = fit_anchor_curve(SCORES, CONSENSUS, kind="spline")
    assert [len(row) for row in spill] == [2, 2, 2]
    assert (spill[0][1], spill[1][1]) == ("", "")
    found = [spill[0][0], spill[1][0], *spill[2]]
    assert found == pytest.approx([curve(10.0), curve(55.0), curve(80.0), curve(400.0)], abs=1e-12)


@pytest.mark.parametrize("kind", ["spline", "isotonic", "linear", "min_max", "mean_sd"])
@pytest.mark.parametrize("spelt", [str, str.upper, lambda kind: kind.replace("_", "-")])
def test_the_kind_is_that_of_the_library(call, bank, kind, spelt):
    ((value,),) = call("calibrate_anchored", 40.0, *bank, spelt(kind))
    assert value == fit_anchor_curve(SCORES, CONSENSUS, kind=kind)(40.0)


def test_below_20_anchors_the_curve_is_a_line(call, put):
    few = put("A1", column(SCORES[::2].tolist())), put("B1", column(CONSENSUS[::2].tolist()))
    ((value,),) = call("calibrate_anchored", 40.0, *few, MISSING)
    assert value == fit_anchor_curve(SCORES[::2], CONSENSUS[::2], kind="linear")(40.0)


def test_headings_gaps_and_blank_cells_below_are_no_anchors(call, put):
    scored, known = [*SCORES.tolist(), None, None], [*CONSENSUS.tolist(), None, None]
    scored[3], known[7] = None, "n/a"
    cells = put("A1", column(scored, "G1")), put("B1", column(known, "Consensus"))
    ((value,),) = call("calibrate_anchored", 40.0, *cells, MISSING)
    kept = np.ones(30, bool)
    kept[[3, 7]] = False
    assert value == fit_anchor_curve(SCORES[kept], CONSENSUS[kept])(40.0)


def test_a_row_of_anchors_beside_a_column_will_do(call, put):
    cells = put("A1", column(SCORES.tolist())), put("C5", [CONSENSUS.tolist()])
    ((value,),) = call("calibrate_anchored", 40.0, *cells, MISSING)
    assert value == fit_anchor_curve(SCORES, CONSENSUS)(40.0)


def test_a_thousand_cells_fit_one_curve(call, bank, monkeypatch):
    fitted = []

    def counting(*arguments, **options):
        fitted.append(1)
        return fit_anchor_curve(*arguments, **options)

    monkeypatch.setattr(anchored_scores, "fit_anchor_curve", counting)
    anchored_scores._curves.clear()
    for score in range(20):
        call("calibrate_anchored", float(score), *bank, MISSING)
    assert fitted == [1]


def test_no_more_than_16_curves_are_kept(call, put):
    anchored_scores._curves.clear()
    for k in range(20):
        cells = put("A1", column((SCORES + k).tolist())), put("B1", column(CONSENSUS.tolist()))
        call("calibrate_anchored", 40.0, *cells, MISSING)
    assert len(anchored_scores._curves) == 16


@pytest.mark.parametrize(
    ("cell", "value", "said"),
    [("A4", "good", "A4"), ("B6", "soon", "B6"), ("B7", 130.0, "outside the scale"), ("A9", "60-70", "A9")],
)
def test_what_is_no_anchor_is_refused_by_its_cell(call, put, bank, cell, value, said):
    put(cell, [[value]])
    with refused() as problem:
        call("calibrate_anchored", 40.0, *bank, MISSING)
    assert said in str(problem.value)


def test_a_score_that_is_text_is_refused_by_its_cell(call, put, bank):
    with refused() as problem:
        call("calibrate_anchored", put("D2", [[10.0], ["fine"]]), *bank, MISSING)
    assert "D3" in str(problem.value)


@pytest.mark.parametrize(
    ("kind", "said"), [("cubic", "spline, isotonic"), (3.0, "spline, isotonic"), ("", None), (None, None)]
)
def test_a_kind_is_one_of_the_words(call, bank, kind, said):
    if said is None:
        assert call("calibrate_anchored", 40.0, *bank, kind)
        return
    with refused() as problem:
        call("calibrate_anchored", 40.0, *bank, kind)
    assert said in str(problem.value)


def test_anchors_must_pair_up_and_say_something(call, put, bank):
    with refused() as problem:
        call("calibrate_anchored", 40.0, bank[0], put("B1", column(CONSENSUS[:29].tolist())), MISSING)
    assert "30 cells" in str(problem.value) and "29" in str(problem.value)
    with refused() as problem:
        call("calibrate_anchored", 40.0, put("A1", column([50.0] * 30)), bank[1], MISSING)
    assert "same score" in str(problem.value)
    with refused() as problem:
        call("calibrate_anchored", 40.0, MISSING, bank[1], MISSING)
    assert "scores of the anchors" in str(problem.value)


def test_it_is_registered_for_excel(call):
    from panelcal.excel import functions

    registered = functions.calibrate_anchored.__xlfunc__
    assert (registered["name"], registered["category"]) == ("calibrate_anchored", "Calibrate")
