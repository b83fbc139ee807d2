"""Objects that fix the zero of the biases, from a setting or a sheet of known values, to the sheets."""

import numpy as np
import openpyxl
import pytest

from panelcal import calibrate, simulate_panel
from panelcal.files.load import load_source
from panelcal.reading.read import read_panel
from run_panelcal import run, sheet_rows

KNOWN = {"T3": 60.0, "T7": 45.5, "T9": 52.0}


def _workbook(path, *, known=None):
    book = openpyxl.Workbook()
    book.active.title = "Marks"
    book.active.append(["Talk", "Judge", "Score"])
    panel = simulate_panel(12, 4, 3, seed=4).panel
    for o, a, score in zip(panel.object_index, panel.assessor_index, panel.scores, strict=True):
        book.active.append([f"T{panel.objects[o]}", f"Judge {panel.assessors[a]}", round(float(score), 1)])
    if known is not None:
        sheet = book.create_sheet("Known values")
        sheet.append(["Talk", "Known value"])
        for row in known:
            sheet.append(row)
    book.save(path)
    return path


@pytest.mark.slow
def test_known_values_fix_the_scale_and_stay_out_of_the_ranking_if_wished(tmp_path):
    file = _workbook(tmp_path / "a.xlsx", known=[*KNOWN.items(), ("T5", None)])
    done = run("calibrate", str(file), "--set", "Common objects have ranks=no")
    assert done.returncode == 0, done.stderr
    assert (
        "3 talks fix the zero of the biases by their known values. Warning: the known values do not fit" in done.stdout
    )
    found = calibrate(read_panel(load_source(file)).panel, gauge="common", common=KNOWN)
    rows = sheet_rows(tmp_path / "a-calibrated.xlsx", "Cal values")
    values = dict(zip(found.panel.objects, found.values, strict=True))
    assert {row["Talk"]: row["Calibrated value"] for row in rows} == pytest.approx(values)
    assert [row["Talk"] for row in rows if row["Rank"] is None] == [row["Talk"] for row in rows][-3:]
    assert {row["Talk"] for row in rows[-3:]} == set(KNOWN)
    ranked = sorted((row["Calibrated value"] for row in rows[:-3]), reverse=True)
    assert [row["Rank"] for row in rows[:-3]] == list(range(1, 10)) and ranked == [
        row["Calibrated value"] for row in rows[:-3]
    ]
    assert max(row["Rank to"] for row in rows[:-3]) <= 9
    common = sheet_rows(tmp_path / "a-calibrated.xlsx", "Cal common")
    weights, at = np.array([row["Confidence"] for row in common]), [row["Calibrated value"] for row in common]
    assert weights @ at == pytest.approx(weights @ [row["Held at"] for row in common])
    assert [row["Held at"] for row in common] == list(KNOWN.values())
    again = run("calibrate", str(tmp_path / "a-calibrated.xlsx"), "-o", str(tmp_path / "b.xlsx"))
    assert again.returncode == 0, again.stderr
    assert [row["Rank"] for row in sheet_rows(tmp_path / "b.xlsx", "Cal values 2")] == [row["Rank"] for row in rows]
    extract = run("extract", str(tmp_path / "a-calibrated.xlsx"), "--object", "T3", "-o", str(tmp_path / "t3.xlsx"))
    assert extract.returncode == 0, extract.stderr


@pytest.mark.slow
def test_objects_named_fix_the_zero_by_their_scores(tmp_path):
    file = _workbook(tmp_path / "a.xlsx")
    done = run("calibrate", str(file), "--common", "T3", "--common", "T1?")
    assert done.returncode == 0, done.stderr
    found = calibrate(read_panel(load_source(file)).panel, gauge="common", common=["T3", "T10", "T11", "T12"])
    rows = sheet_rows(tmp_path / "a-calibrated.xlsx", "Cal assessors")
    biases = dict(zip(found.panel.assessors, found.biases, strict=True))
    assert {row["Judge"]: row["Bias"] for row in rows} == pytest.approx(biases)
    proof = openpyxl.load_workbook(tmp_path / "a-calibrated.xlsx", data_only=True)["Cal proof"]
    assert any("weighted mean of the common objects" in str(cell.value) for cell in proof[3])


def test_what_cannot_fix_the_zero_is_refused_by_name(tmp_path):
    file = _workbook(tmp_path / "a.xlsx", known=[("T3", "high"), ("T99", 3), ("T4", 4), ("T4", 5)])
    refused = run("check", str(file))
    assert refused.returncode == 1
    assert "Cell B2 on sheet Known values is no number: write the known value of T3" in refused.stderr
    assert "A3 on sheet Known values: there is no talk T99; did you mean T9?" in refused.stderr
    assert "Cell B5 on sheet Known values: T4 has a known value already" in refused.stderr
    both = run("check", str(file), "--common", "T3")
    assert both.returncode == 1 and "leave one of the two out" in both.stderr
    other = run("check", str(_workbook(tmp_path / "b.xlsx")), "--common", "T3", "--gauge", "equal")
    assert other.returncode == 1 and "would fix it, too" in other.stderr
    stranger = run("check", str(tmp_path / "b.xlsx"), "--common", "Z3")
    assert stranger.returncode == 1 and "there is no talk Z3" in stranger.stderr
