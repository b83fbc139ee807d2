"""The AI reviewers' workbooks: the made-up agents are as described, are read back, calibrated and written whole."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from openpyxl import load_workbook

from panelcal.errors import InputRefused
from panelcal.files.load import load_source
from panelcal.files.saving import write_template
from panelcal.files.write import write_report
from panelcal.reading.anchors.read_anchors import read_anchor_study
from panelcal.reporting.run_facts import RunFacts
from panelcal.systems.anchors.report import build_anchor_report
from panelcal.systems.anchors.results import AnchorResults, compute_anchor_results
from panelcal.templates.made_up_agents import (
    AGENTS,
    CLUSTERS,
    DRIFTING,
    KNOWING,
    N_ANCHORS,
    N_WEEKS,
    TIERS,
    reviewer_agents,
)

VENUE = reviewer_agents()


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("agents") / "ai_reviewers_example.xlsx"
    write_template("ai_reviewers_example", target)
    return target


@pytest.fixture(scope="module")
def results(example: Path) -> AnchorResults:
    return compute_anchor_results(read_anchor_study(load_source(example)))


def test_the_example_is_read_as_it_was_made_up(results: AnchorResults):
    reading, bank = results.reading, results.reading.bank
    assert reading.summary == (
        "360 manuscripts in A5:A364 and 6 agents in C4:H4, with 240 anchors on sheet Anchors scored on 4 dates "
        "(week 1 to week 4)"
    )
    assert bank.ids == tuple(anchor.name for anchor in VENUE.anchors)
    assert bank.tiers == tuple(anchor.tier for anchor in VENUE.anchors)
    assert bank.clusters == tuple(anchor.cluster for anchor in VENUE.anchors)
    assert bank.consensus.tolist() == [anchor.consensus for anchor in VENUE.anchors]
    made_up = np.array([anchor.scores for anchor in VENUE.anchors], dtype=float)
    np.testing.assert_array_equal(bank.scores, made_up.transpose(1, 2, 0))
    expected = [
        [np.nan if score in (None, "n/a") else float(score) for score in manuscript.scores]
        for manuscript in VENUE.manuscripts
    ]
    np.testing.assert_array_equal(reading.scores, np.array(expected).T)
    weeks = np.array([manuscript.week - 1 for manuscript in VENUE.manuscripts])
    assert (reading.score_dates == weeks)[np.isfinite(reading.scores)].all()


def test_the_settings_are_those_of_the_sheet(results: AnchorResults):
    settings = results.reading.settings
    assert (settings.method, settings.higher_is_better) == ("anchors", False)
    assert results.reading.bounds == (0, 100)
    assert dataclasses.astuple(results.reading.nouns)[:3] == ("Manuscript", "Agent", "Score")


def test_the_oddities_are_on_record_and_stop_nothing(results: AnchorResults):
    kinds = {decision.kind: decision for decision in results.reading.decisions}
    assert len(kinds["code excluded"].cells) == len(kinds["text read as number"].cells) == 1


def test_calibration_shows_what_start_here_says_one_would_notice(results: AnchorResults):
    red = [agent.name for agent in results.agents if agent.alarm == "red"]
    assert red == [AGENTS[DRIFTING]]
    ids = results.reading.bank.ids
    assert [ids[k] for k in np.flatnonzero(results.review.unlike)] == [VENUE.mistyped]
    assert [(k, ids[j]) for k, j in zip(*np.nonzero(results.review.leaked), strict=True)] == [(KNOWING, VENUE.leaked)]
    before, after = results.agreement.before.disagreement.value, results.agreement.after.disagreement.value
    assert 18 < before < 28 and 4 < after < 8
    assert not any(agent.monotonicity.failed for agent in results.agents)


def test_values_are_nearer_the_made_up_severities_than_raw_means(results: AnchorResults):
    severity = np.array([manuscript.severity for manuscript in VENUE.manuscripts])
    raw, calibrated = (
        np.sqrt(np.mean((x - severity) ** 2)) for x in (results.calibrated.raw, results.calibrated.values)
    )
    assert calibrated < raw
    assert np.corrcoef(results.calibrated.values, severity)[0, 1] > 0.85


@pytest.mark.parametrize("seed", [1961, 1, 2])
def test_the_made_up_venue_has_the_shape_it_is_said_to_have(seed: int):
    venue = reviewer_agents(seed)
    names = [anchor.name for anchor in venue.anchors]
    assert len(set(names)) == N_ANCHORS == 240
    assert {anchor.tier for anchor in venue.anchors} == {name for name, _ in TIERS}
    assert {anchor.cluster for anchor in venue.anchors} == set(CLUSTERS)
    assert {venue.leaked, venue.mistyped} <= set(names) and venue.leaked != venue.mistyped
    assert all(0 <= anchor.consensus <= 100 for anchor in venue.anchors)
    assert all(0 <= s <= 100 for anchor in venue.anchors for week in anchor.scores for s in week)
    assert {manuscript.week for manuscript in venue.manuscripts} == set(range(1, N_WEEKS + 1))
    assert sum(isinstance(s, str) for manuscript in venue.manuscripts for s in manuscript.scores) == 2
    assert all(any(isinstance(s, int) for s in manuscript.scores) for manuscript in venue.manuscripts)


def test_the_page_of_the_guide_explains_every_column(results: AnchorResults):
    page = (Path(__file__).parents[2] / "docs" / "guide" / "ai_reviewers.md").read_text("utf-8")
    report = build_anchor_report(results, RunFacts(created="2026-01-01T00:00:00"))
    for sheet in report.sheets:
        assert sheet.name in page
        if sheet.name in ("Cal summary", "Cal curves", "Cal audit"):
            continue
        for table in sheet.tables[: 2 if sheet.name == "Cal drift" else 1]:
            headings = [column.heading for column in table.columns if column.heading not in AGENTS]
            assert [heading for heading in headings if heading not in page] == []


@pytest.mark.slow
def test_results_go_into_a_copy_of_the_example(example: Path, results: AnchorResults, tmp_path: Path):
    source = load_source(example)
    grid = source.grid("Scores")
    report = build_anchor_report(
        results, RunFacts(created="2026-01-01T00:00:00", versions={"panelcal": "test"}, input_grid=grid)
    )
    write_report(report, tmp_path / "out.xlsx", workbook=example)
    book = load_workbook(tmp_path / "out.xlsx")
    assert book.sheetnames == [
        "Start here",
        "Anchors",
        "Reviews",
        "Scores",
        "Settings",
        *(sheet.name for sheet in report.sheets),
    ]
    values = book["Cal values"]
    assert (values["A4"].value, values["C4"].value) == ("Manuscript", "Calibrated value")
    at = list(results.reading.items).index(values["A5"].value)
    assert values["C5"].value == results.calibrated.values[at]
    assert book["Scores"][values["A5"].hyperlink.location.removeprefix("Scores!")].value == values["A5"].value
    assert len(book["Cal curves"]._charts) == len(book["Cal drift"]._charts) == 1
    again = read_anchor_study(load_source(tmp_path / "out.xlsx"))
    assert again.fingerprint == results.reading.fingerprint


def test_the_empty_template_is_refused_in_one_clear_sentence(tmp_path: Path):
    write_template("ai_reviewers", tmp_path / "empty.xlsx")
    with pytest.raises(InputRefused) as refusal:
        read_anchor_study(load_source(tmp_path / "empty.xlsx"))
    assert str(refusal.value) == "Sheet Anchors has headings for anchors, but no anchor below them: write some."


def test_a_small_study_filled_into_the_empty_template_is_read(tmp_path: Path):
    write_template("ai_reviewers", tmp_path / "filled.xlsx")
    book = load_workbook(tmp_path / "filled.xlsx")
    for k in range(8):
        for column, value in zip("ADFG", (f"A{k}", 10 * k, 8 * k + 3, 100 - 5 * (8 - k)), strict=True):
            book["Anchors"][f"{column}{5 + k}"] = value
        for column, value in zip("ACD", (f"M{k}", 50 + 7 * k % 11, 60 + 5 * k % 13), strict=True):
            book["Scores"][f"{column}{5 + k}"] = value
    book.save(tmp_path / "filled.xlsx")
    reading = read_anchor_study(load_source(tmp_path / "filled.xlsx"))
    assert reading.agents == ("Agent 1", "Agent 2")
    assert (reading.bank.n_anchors, reading.bank.dates, reading.bank.tiers) == (8, ("",), ())
    assert reading.scores.shape == (2, 8)
    assert np.isfinite(compute_anchor_results(reading).calibrated.values).all()
