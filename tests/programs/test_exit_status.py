"""Silence, and an exit status that stops a pipeline."""

import json
import re
from pathlib import Path

import pytest

from programs.small_inputs import COLUMNS, HEADINGS, bank, board, table
from run_panelcal import run, run_in_process_of_its_own

APART = [("Ann", "Reed", 61), ("Ann", "Shah", 55), ("Bo", "Toft", 48), ("Bo", "Udo", 41)]


def test_a_pipeline_may_want_the_status_alone(piped):
    done = piped(table(), "calibrate", "-", *COLUMNS, "--fail-on", "disconnected", "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("command", ["calibrate", "check"])
def test_groups_that_share_nothing_stop_a_pipeline_that_asks_for_it(piped, command):
    text = table(APART, HEADINGS[:3])
    where = ["--json", "-"] if command == "calibrate" else []
    done = piped(text, command, "-", *COLUMNS[:6], *where, "--fail-on", "disconnected")
    assert done.returncode == 3 and "falls into 2 groups" in done.stderr and done.stdout == ""
    assert piped(text, command, "-", *COLUMNS[:6], *where).returncode == 1
    assert piped(table(), command, "-", *COLUMNS, *where, "--fail-on", "disconnected").returncode == 0


def test_a_broken_rule_stops_a_pipeline_that_asks_for_it(tmp_path):
    strict = board(tmp_path / "strict.xlsx", No_change_above=0.01)
    done = run("calibrate", str(strict), "--fail-on", "policy", "--json", str(tmp_path / "o.json"))
    assert done.returncode == 3
    assert "Policy: No change above 0.01, not kept" in done.stderr
    alarms = json.loads((tmp_path / "o.json").read_text("utf-8"))["alarms"]["policy"]
    assert [f"Policy: {case}" for case in alarms] == done.stderr.splitlines()
    assert (tmp_path / "strict-calibrated.xlsx").exists()
    kept = board(tmp_path / "kept.xlsx", No_change_above=50)
    assert run("calibrate", str(kept), "--fail-on", "policy").returncode == 0


def test_silence_is_no_good_news_where_nothing_can_be_told(marks, tmp_path):
    done = run("calibrate", str(marks), *COLUMNS, "--fail-on", "drift")
    assert done.returncode == 1 and "nothing here can show drift" in done.stderr
    done = run("calibrate", str(marks), *COLUMNS, "--fail-on", "policy")
    assert done.returncode == 1 and "no rules to hold the result against" in done.stderr
    assert not (tmp_path / "marks-calibrated.xlsx").exists()


@pytest.mark.slow
def test_the_documented_pipeline_is_stopped_by_an_agent_that_drifts_and_only_then(tmp_path):
    page = (Path(__file__).parents[2] / "docs" / "programs.md").read_text("utf-8")
    command = re.search(r"^      - run: panelcal (.*--fail-on drift)$", page, re.MULTILINE)
    for moved, status, start in ((0.0, 0, run), (9.0, 3, run_in_process_of_its_own)):
        bank(tmp_path / "bank.xlsx", moved)
        done = start(*command[1].split(), folder=tmp_path)
        assert done.returncode == status, done.stderr
        found = json.loads((tmp_path / "result.json").read_text("utf-8"))
        alarms = {row["assessor"]: row["alarm"] for row in found["agents"]}
        assert alarms == {"G1": "none", "G2": "red" if status else "none", "G3": "none"}
        assert len(done.stderr.splitlines()) == (1 if status else 0) and done.stdout == ""
        assert (tmp_path / "bank-calibrated.xlsx").exists()
    assert done.stderr.startswith("Drift: G2: The agent has changed")
    shift = next(row["shift"] for row in found["checks"] if row["assessor"] == "G2")
    assert 7.0 < shift < 11.0
