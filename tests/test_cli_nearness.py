"""Topics and expertise from a workbook to Cal nearness."""

import numpy as np
import openpyxl
import pytest

from panelcal import bias_by_nearness, calibrate, simulate_panel
from panelcal.files.load import load_source
from panelcal.reading.read import read_panel
from run_panelcal import run, sheet_rows

TOPICS = ("Logic", "Optics", "Law")
EXPERTISE = np.random.default_rng(2).integers(0, 3, (6, 3))


def _workbook(path, *, wide=False, expertise=True, wrong=None):
    made = simulate_panel(18, 6, 4, noise_sd=3.0, seed=1).panel
    topic = np.arange(18) % 3
    near = EXPERTISE[made.assessor_index, topic[made.object_index]]
    scores = np.round(made.scores + 4.0 * near, 1)
    book = openpyxl.Workbook()
    sheet = book.active
    names = [f"Judge {name}" for name in made.assessors]
    if wide:
        table = np.full((18, 6), np.nan)
        table[made.object_index, made.assessor_index] = scores
        sheet.append(["Talk", "Topic", *names])
        for o, row in enumerate(table):
            cells = [None if np.isnan(score) else float(score) for score in row]
            sheet.append([f"T{made.objects[o]}", TOPICS[topic[o]], *cells])
    else:
        sheet.append(["Talk", "Topic", "Judge", "Score"])
        for o, a, score in zip(made.object_index, made.assessor_index, scores, strict=True):
            sheet.append([f"T{made.objects[o]}", TOPICS[topic[o]], names[a], float(score)])
    if expertise:
        words = book.create_sheet("Expertise")
        if wide:  # topics down, judges across, numbers
            words.append(["Topic", *names])
            for t in range(3):
                words.append([TOPICS[t], *[int(value) or None for value in EXPERTISE[:, t]]])
        else:
            words.append(["Judge", *TOPICS])
            for a in range(6):
                words.append([names[a], *[("low", "medium", "high")[value] for value in EXPERTISE[a]]])
        for cell, value in (wrong or {}).items():
            words[cell] = value
    book.save(path)
    return path, names


@pytest.mark.slow
@pytest.mark.parametrize("wide", [False, True])
def test_topics_and_expertise_give_the_sheet(tmp_path, wide):
    file, names = _workbook(tmp_path / "a.xlsx", wide=wide)
    done = run("calibrate", str(file))
    assert done.returncode == 0, done.stderr
    assert "depends on how near to their expertise it is (p below 0.001; +2.6" in done.stdout
    reading = read_panel(load_source(file))
    panel = reading.panel
    topic = {label: reading.nearness.topics[o] for o, label in enumerate(panel.objects)}
    assert topic == {f"T{k + 1}": TOPICS[k % 3] for k in range(18)}
    nearness = np.array(
        [
            EXPERTISE[names.index(panel.assessors[a]), TOPICS.index(topic[panel.objects[o]])]
            for o, a in zip(panel.object_index, panel.assessor_index, strict=True)
        ]
    )
    found = bias_by_nearness(panel, nearness)
    noun = "Assessor" if wide else "Judge"
    slopes = {row[noun]: row["Slope"] for row in sheet_rows(tmp_path / "a-calibrated.xlsx", "Cal nearness")}
    assert slopes | dict(zip(panel.assessors, found.slopes, strict=True)) == pytest.approx(slopes)
    rows = list(openpyxl.load_workbook(tmp_path / "a-calibrated.xlsx", data_only=True)["Cal nearness"].values)
    heads = rows[3]
    jump = {row[heads.index("Field")]: row[heads.index("Jump avoided")] for row in rows[4:7]}
    plain = calibrate(panel)
    for name in TOPICS:
        alone = np.array([topic[panel.objects[o]] == name for o in panel.object_index])
        assert jump[name] == pytest.approx(plain.biases[panel.assessor_index[alone]].mean())
    values = {row["Talk"]: row["Calibrated value"] for row in sheet_rows(tmp_path / "a-calibrated.xlsx", "Cal values")}
    assert values == pytest.approx(dict(zip(panel.objects, plain.values, strict=True)))


@pytest.mark.slow
def test_without_expertise_topics_change_nothing(tmp_path):
    file, _ = _workbook(tmp_path / "a.xlsx", expertise=False)
    assert read_panel(load_source(file)).nearness is None


def test_what_is_missing_in_expertise_is_named(tmp_path):
    file, _ = _workbook(tmp_path / "a.xlsx", wrong={"B2": "perhaps", "A4": "Jodge 3", "D1": "Lore"})
    refused = run("check", str(file))
    assert refused.returncode == 1
    assert "Cell B2 on sheet Expertise says nothing about nearness" in refused.stderr
    assert "Sheet Expertise lacks the judge" in refused.stderr
    assert "Sheet Expertise lacks the topic Law" in refused.stderr
