"""Ratings that say little still end in a whole report, whose every number is finite and every heading its own."""

import math

import pytest

from panelcal.reporting.cell_content import stored
from panelcal.reporting.run_facts import RunFacts
from panelcal.systems.ratings.report import build_ordinal_report
from panelcal.systems.ratings.words import explain_objects, ordinal_sentences
from reporting.ordinal_case import reading_of_rows, results_with_known_draws

SCALE = (("Setting", "Value"), ("Lowest score", 1), ("Highest score", 5))
HEADINGS = ["Talk", "Judge", "Content", "Delivery"]
CASES = {
    "one judge a talk": [[f"T{k}", f"J{k % 3}", 1 + k % 5, 3 + k % 2] for k in range(9)],
    "one talk per judge": [[f"T{k}", f"J{k}", 1 + k % 5, 3] for k in range(6)],
    "all top marks": [[f"T{k}", f"J{j}", 5, 5] for k in range(6) for j in range(3)],
    "a single talk": [["T1", f"J{j}", 3 + j % 2, 4] for j in range(3)],
    "a single judge": [[f"T{k}", "J1", 1 + k % 5, 4 - k % 3] for k in range(7)],
    "extremes only": [[f"T{k}", f"J{j}", 1 + 4 * ((k + j) % 2), 1 + 4 * (k % 2)] for k in range(6) for j in range(3)],
    "more judges than curves": [
        [f"T{k}", f"J{j}", 1 + k * j % 5, 1 + (k + 2 * j) % 5] for j in range(40) for k in range(4)
    ],
    "judges named like columns": [
        [f"T{k}", name, 1 + k * k * j % 5, 1 + (k * k + 2 * j) % 5]
        for j, name in enumerate(["All together", "Why", "T1"])
        for k in range(5)
    ],
}


@pytest.mark.parametrize("name", CASES)
def test_the_report_is_whole(name, monkeypatch):
    results = results_with_known_draws(monkeypatch, reading_of_rows([HEADINGS, *CASES[name]], SCALE))
    report = build_ordinal_report(results, RunFacts(created="2026-01-01T00:00:00"))
    assert len(report.sheets) == 6
    for sheet in report.sheets:
        for table in sheet.tables:
            headings = [column.heading for column in table.columns]
            assert len(set(headings)) == len(headings)
            assert {len(column.cells) for column in table.columns} == {table.n_rows}
            for column in table.columns:
                cells = [cell.item() if hasattr(cell, "item") else cell for cell in column.cells]
                assert all(not isinstance(cell, float) or math.isfinite(cell) for cell in cells), column.heading
                assert all(stored(cell) is None or "nan" not in str(stored(cell)).split() for cell in cells)
    for sentence in (*ordinal_sentences(results), *explain_objects(results)):
        assert sentence.endswith(".") and "nan" not in sentence.split()
