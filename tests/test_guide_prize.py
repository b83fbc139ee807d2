"""The guide's page on prizes keeps to the facts: it explains every column, and its example of a plan runs."""

import re
from pathlib import Path

import pytest

from panelcal.reporting.run_facts import RunFacts
from panelcal.systems.ratings.report import build_ordinal_report
from reporting.ordinal_case import jury_rows, reading_of_rows, results_with_known_draws

PAGE = (Path(__file__).parent.parent / "docs" / "guide" / "prize.md").read_text("utf-8")
OF_THE_JURY = {"Talk", "Category", "Content", "Delivery"}
EXPLAINED_ONCE = {"Assessments", "Objects shared", "Judge"}


@pytest.mark.parametrize("name", ["Cal values", "Cal assessors"])
def test_the_page_explains_every_column(name, monkeypatch):
    settings = (("Setting", "Value"), ("Lowest score", 1), ("Highest score", 5), ("Places to award", 3))
    results = results_with_known_draws(monkeypatch, reading_of_rows(jury_rows(), settings))
    report = build_ordinal_report(results, RunFacts(created="2026-01-01T00:00:00"))
    sheet = next(sheet for sheet in report.sheets if sheet.name == name)
    for column in sheet.tables[0].columns:
        if column.heading not in OF_THE_JURY | EXPLAINED_ONCE and ": to " not in column.heading:
            assert column.heading in PAGE, column.heading


@pytest.mark.slow
def test_the_plan_in_the_guide_can_be_made(tmp_path, monkeypatch):
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "guide", "exec"), {})
    assert (tmp_path / "plan.xlsx").stat().st_size > 5000
