"""Templates of judging panels: read as they were made up, calibrated, and closer to the truth."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from panelcal import Panel, calibrate
from panelcal.errors import InputRefused
from panelcal.files.load import load_source
from panelcal.files.run_bytes import run_bytes
from panelcal.reading.read import read_panel
from panelcal.shipped import template_content, templates_folder
from panelcal.systems.calibration.results import compute_results
from panelcal.templates.judging import JudgingPanel, empty_judging
from panelcal.templates.judging_panels import JUDGING_PANELS
from panelcal.templates.made_up_judging import MadeUpJudges, MadeUpScore, made_up_judges

GUIDE = Path(__file__).parents[2] / "docs" / "guide"
QUICK = "job_panel"
EACH = [
    pytest.param(panel, id=panel.name, marks=[] if panel.name == QUICK else [pytest.mark.slow])
    for panel in JUDGING_PANELS
]


def given(line: MadeUpScore, panel: JudgingPanel) -> float | None:
    """The score of a line, the weighted sum of its criteria; None where there is none."""
    if any(score is None or score == panel.drawing.code for score in line.scores):
        return None
    scores = [float(score) for score in line.scores if score is not None]
    weights = panel.settings.criteria_named.values() or [1.0]
    return float(np.dot(scores, list(weights)))


def counted_lines(made_up: MadeUpJudges, panel: JudgingPanel) -> dict[tuple[str, str], float]:
    found = {(line.object, line.assessor): given(line, panel) for line in made_up.lines}
    return {pair: score for pair, score in found.items() if score is not None}


@pytest.mark.parametrize("panel", EACH)
def test_the_example_is_read_as_it_was_made_up(panel: JudgingPanel):
    made_up = made_up_judges(panel.drawing)
    reading = read_panel(load_source(templates_folder() / f"{panel.name}_example.xlsx"))
    read = reading.panel
    found = {
        (read.objects[o], read.assessors[a]): score
        for o, a, score in zip(read.object_index, read.assessor_index, read.scores, strict=True)
    }
    assert found == pytest.approx(counted_lines(made_up, panel))
    kinds = [decision.kind for decision in reading.decisions for _ in decision.cells]
    assert kinds.count("code excluded") == panel.drawing.coded  # of several criteria the first cell is named
    assert kinds.count("text read as number") == 1
    nouns = (reading.nouns.object, reading.nouns.assessor, reading.nouns.score)
    settings = panel.settings
    assert nouns == (settings.object_noun, settings.assessor_noun, settings.score_noun)


@pytest.mark.parametrize("panel", EACH)
def test_the_empty_template_is_refused_in_one_clear_sentence(panel: JudgingPanel):
    with pytest.raises(InputRefused, match=f"Sheet {panel.sheet} holds no numbers"):
        read_panel(load_source(templates_folder() / f"{panel.name}.xlsx"))


@pytest.mark.slow
@pytest.mark.parametrize("panel", JUDGING_PANELS, ids=lambda panel: panel.name)
def test_the_example_calibrates_as_on_the_page(panel: JudgingPanel):
    name = f"{panel.name}_example.xlsx"
    outcome = run_bytes([(name, template_content(f"{panel.name}_example"))])
    names = [sheet.name for sheet in outcome.run.report.sheets]
    assert names[0] == "Cal summary"
    assert ("Cal criteria" in names) == bool(panel.drawing.criteria)


@pytest.mark.slow
@pytest.mark.parametrize("panel", JUDGING_PANELS, ids=lambda panel: panel.name)
def test_calibrating_such_panels_comes_closer_to_the_truth(panel: JudgingPanel):
    errors = []
    for seed in range(30):
        made_up = made_up_judges(dataclasses.replace(panel.drawing, seed=seed))
        lines = counted_lines(made_up, panel)
        objects, assessors = zip(*lines, strict=True)
        found = Panel.from_records(objects, assessors, list(lines.values()))
        weights = list(panel.settings.criteria_named.values()) or [1.0]
        truth = dict(zip(made_up.objects, made_up.true_values @ weights, strict=True))
        true = np.array([truth[name] for name in found.objects])
        count = np.bincount(found.object_index)
        raw = np.bincount(found.object_index, weights=found.scores) / count
        errors.append([np.std(values - true) for values in (raw, calibrate(found).values)])
    mean = np.sqrt(np.mean(np.square(errors), axis=0))
    assert mean[1] < mean[0]


def test_made_up_panels_keep_the_scale_the_tables_and_the_one_who_leans():
    for panel in JUDGING_PANELS:
        drawing, made_up = panel.drawing, made_up_judges(panel.drawing)
        low, high, step = drawing.scale
        scores = np.array([score for line in made_up.lines for score in line.scores if isinstance(score, int | float)])
        assert low <= scores.min() and scores.max() <= high
        np.testing.assert_array_equal(scores, np.round(scores / step) * step)
        assert (panel.settings.scale_low, panel.settings.scale_high) == (low, high)
        sat = {name: [line.assessor for line in made_up.lines if line.object == name] for name in made_up.objects}
        everywhere = [name for name, sitting in sat.items() if len(sitting) == drawing.per_object * drawing.tables]
        assert drawing.tables == 1 or len(everywhere) == drawing.at_every_table
        if drawing.criteria:
            assert made_up.true_biases[0].tolist() == [0.0] * (len(drawing.criteria) - 1) + [-3 * drawing.bias_spread]


@pytest.mark.parametrize("panel", JUDGING_PANELS, ids=lambda panel: panel.name)
def test_each_has_its_page_in_the_guide(panel: JudgingPanel):
    page = (GUIDE / f"{panel.name}.md").read_text("utf-8")
    assert f"panelcal template {panel.name}`" in page and f"panelcal template {panel.name}_example`" in page
    assert f"panelcal calibrate {panel.name}.xlsx" in page and f"sheet {panel.sheet}" in page
    assert f"({panel.name}.md)" in (GUIDE / "README.md").read_text("utf-8")
    start = GUIDE.parents[1] / "src" / "panelcal" / "page" / "web" / "start.js"
    assert f'{panel.name}: "{panel.title}"' in start.read_text("utf-8")


def test_nobody_is_proposed_to_mark_their_own_student():
    """Cells with the code of a conflict of interest are no gaps to be filled: Cal links proposes none of them."""
    name = "music_competition_example.xlsx"
    reading = read_panel(load_source(templates_folder() / name))
    assert len(reading.barred) == 18
    outcome = run_bytes([(name, template_content("music_competition_example"))])
    links = next(sheet for sheet in outcome.run.report.sheets if sheet.name == "Cal links")
    table = next(table for table in links.tables if table.name == "further assessments")
    proposed = {
        (str(row[0]), str(row[2]).partition(" ")[0])
        for row in zip(*(column.cells for column in table.columns), strict=True)
    }
    assert proposed
    assert not proposed & reading.barred


@pytest.mark.parametrize("panel", EACH)
def test_few_changes_are_marked_in_the_example(panel: JudgingPanel):
    """What is marked should stand out: a threshold that marks half of all tells a chair nothing."""
    reading = read_panel(load_source(templates_folder() / f"{panel.name}_example.xlsx"))
    results = compute_results(reading)
    assert np.mean(np.abs(results.change) >= results.marked_from) <= 1 / 3


@pytest.mark.parametrize("panel", JUDGING_PANELS, ids=lambda panel: panel.name)
def test_the_first_sheet_speaks_of_the_panel_s_own_scores_and_constants(panel: JudgingPanel):
    said = dict(empty_judging(panel).lines)
    noun = panel.settings.score_noun
    assert f"{noun}s" in said  # headed by the panel's own word
    assert f"what the {noun.lower()}s would be on a common scale" in said["Who decides"]
    assert ("one constant for each criterion" in said["What it is for"]) == bool(panel.drawing.criteria)
