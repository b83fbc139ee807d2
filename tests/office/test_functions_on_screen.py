"""The functions in the cells of a real LibreOffice."""

import re
from pathlib import Path

import pytest

from office.clicking import ODS, XLSX
from panelcal import Panel, calibrate

pytestmark = pytest.mark.office

CREDITS = [["Credits", 20, 40, 10], ["Student", "Maths", "Physics", "Law"], ["Eve", 60, 65, 80], ["Flo", 55, 61, 70]]


def test_functions_give_the_numbers_of_python_and_refusals_in_words_and_survive_both_formats(small, home):
    panel = Panel.from_matrix(
        [[60, 65, None], [55, None, 70], [70, 72, 75], [None, 50, 58]], objects=["Ann", "Bo", "Cy", "Di"]
    )
    calibration = calibrate(panel)
    rows = small.array("Sheet1", "F1:L5", "=CALIBRATE(A1:D5)")
    assert rows[0] == ["Student", "Calibrated value", "Standard error", "Lower", "Upper", "Raw average", "Change"]
    assert [row[0] for row in rows[1:]] == ["Ann", "Bo", "Cy", "Di"]
    assert [row[1] for row in rows[1:]] == pytest.approx(list(calibration.values))
    biases = small.array("Sheet1", "F8:H11", "=CALIBRATE_BIAS(A1:D5)")
    assert [row[1] for row in biases[1:]] == pytest.approx(list(calibration.biases))
    small.set("Sheet1", "B2", 40)
    panel = Panel.from_matrix([[40, 65, None], [55, None, 70], [70, 72, 75], [None, 50, 58]])
    values = list(calibrate(panel).values)
    assert [row[1] for row in small.values("Sheet1", "F2:L5")[0:]] == pytest.approx(values)

    small.set("Sheet1", "F14", "=CALIBRATE_WHY(A1:D5)")
    small.fill("Sheet1", "N1:O3", [[50, 60], [55, "x"], [70, 72]])
    small.set("Sheet1", "F15", "=CALIBRATE(N1:O3;;FALSE())")
    small.set("Sheet1", "F16", '=CALIBRATE_CONFIDENCE("high")')
    small.set("Sheet1", "F17", '=CALIBRATE(A1:D5;1;TRUE();"sideways")')
    small.set("Sheet1", "F18", "=INDEX(CALIBRATE_FIT(B2:D5;;FALSE());5;2)")
    small.set("Sheet1", "F19", "=CALIBRATE(A40:D45)")
    said = [row[0] for row in small.values("Sheet1", "F14:F19")]
    assert said[0] == "All is well: 4 x 3, 9 scores were read."
    assert all(isinstance(said[k], str) and " " in said[k] for k in (1, 3, 5)), said
    assert "B2" in said[1] and 'the text "x"' in said[1]
    assert isinstance(said[2], float)
    assert said[4] == 9.0

    for kind, name in ((ODS, "functions.ods"), (XLSX, "functions.xlsx")):
        small.store(home / name, kind)
    for name in ("functions.ods", "functions.xlsx"):
        small.close()
        small.open(home / name)
        assert "CALIBRATE" in small.formula("Sheet1", "F1")
        small.set("Sheet1", "B2", 60)
        found = [row[1] for row in small.values("Sheet1", "F2:L5")]
        assert found == pytest.approx(list(calibration.values)), name


def test_every_formula_of_the_page_gives_what_the_page_says_and_what_survives_both_formats(small, home):
    page = (Path(__file__).parents[2] / "docs" / "install-libreoffice.md").read_text("utf-8")
    formulas = [one for one in re.findall(r"`(=[A-Z][^`]*)`", page) if "..." not in one]
    everything = small.array("Sheet1", "F1:L5", "=CALIBRATE(A1:D20)")
    biases = small.array("Sheet1", "F7:L10", "=CALIBRATE_BIAS(A1:D20)")
    fit = small.array("Sheet1", "F12:G20", "=CALIBRATE_FIT(A1:D20)")
    expected = {
        "=CALIBRATE(A1:D20)": everything,
        "=CALIBRATE(A4:D20;A3:D3)": None,
        '=CALIBRATE(A1:D20;;;;"value")': [[row[1]] for row in everything],
        '=CALIBRATE(A1:D20;;;;"standard error")': [[row[2]] for row in everything],
        '=CALIBRATE_BIAS(A1:D20;;;;"bias")': [[row[1]] for row in biases],
        '=CALIBRATE_FIT(A1:D20;;;;"mu_2")': [[fit[7][1]]],
        "=INDEX(CALIBRATE(A1:D20);2;2)": [[everything[1][1]]],
        "=INDEX(CALIBRATE(A1:D20);0;2)": [[row[1]] for row in everything],
        "=INDEX(CALIBRATE_FIT(A1:D20);8;2)": [[fit[7][1]]],
    }
    assert set(formulas) == set(expected)
    assert [row[0] for row in everything[1:]] == ["Ann", "Bo", "Cy", "Di"]
    assert fit[7][0] == "mu_2"
    placed = {}
    for number, (formula, rows) in enumerate(expected.items()):
        if rows is not None:
            start = chr(ord("N") + number)
            block = f"{start}1:{chr(ord(start) + len(rows[0]) - 1)}{len(rows)}" if number else "AA1:AG5"
            assert small.array("Sheet1", block, formula) == rows, formula
            placed[block] = (formula, rows)
    small.fill("Sheet1", "A31:D34", CREDITS)
    values = small.array("Sheet1", "AJ1:AJ3", '=CALIBRATE(A32:D40;A31:D31;;;"value")')
    panel = Panel.from_matrix([[60, 65, 80], [55, 61, 70]], confidences=[[20, 40, 10]] * 2)
    assert [row[0] for row in values[1:]] == pytest.approx(list(calibrate(panel).values))
    placed["AJ1:AJ3"] = ("", values)

    small.set("Sheet1", "F25", '=CALIBRATE(A1:D20;;;;"median")')
    small.set("Sheet1", "F26", '=CALIBRATE_WHY(A1:D20;;;;"median")')
    refused, why = (row[0] for row in small.values("Sheet1", "F25:F26"))
    assert "CALIBRATE is name, value, standard error, lower, upper, raw average or change" in refused
    assert "CALIBRATE_BIAS is name, bias" in why
    for kind, name in ((ODS, "what.ods"), (XLSX, "what.xlsx")):
        small.store(home / name, kind)
    for name in ("what.ods", "what.xlsx"):
        small.close()
        small.open(home / name)
        small.set("Sheet1", "B2", 66)
        small.set("Sheet1", "B2", 60)  # so that nothing that was kept in the file is looked at
        for block, (formula, rows) in placed.items():
            assert small.values("Sheet1", block) == rows, (name, formula)
        assert small.formula("Sheet1", "P1").count(";") >= 4
