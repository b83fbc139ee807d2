"""The benchmark of the paper's case study 1, a few simulations of two cells: the whole runs by hand."""

from pathlib import Path

import numpy as np
import pytest

FOLDER = Path(__file__).parent.parent / "benchmarks"


@pytest.fixture
def case_study(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import case_study_1

    return case_study_1


@pytest.mark.parametrize(("setting", "profile", "readers"), [("literal", "a 1:1:1", 2), ("matched", "d 2:1:1", 6)])
def test_a_cell_agrees_with_the_acceptance_table(case_study, setting, profile, readers):
    cell = case_study.simulate(setting, profile, readers, 12)
    reference = case_study.read_reference()
    for what, runs in (("mean", cell.mean), ("largest", cell.largest)):
        error = runs.std(axis=0, ddof=1) * np.sqrt(1 / 12 + 1 / 100)
        assert np.abs(runs.mean(axis=0) - reference[what, setting, profile, readers]).max() < 4.5 * error.max()


def test_the_table_has_all_cells(case_study):
    assert len(case_study.read_reference()) == 2 * 3 * 28


def test_the_workbook_holds_what_was_measured(case_study, tmp_path):
    import case_study_1_workbook
    import openpyxl

    reference = case_study.read_reference()
    ordered = {key: reference[key] for key in sorted(reference)}
    target = tmp_path / "case.xlsx"
    case_study_1_workbook.write_workbook(ordered, reference, target, 100)
    book = openpyxl.load_workbook(target)
    assert book.sheetnames == [f"Figure {k} {setting}" for setting in ("literal", "matched") for k in (1, 2, 3)]
    sheet = book["Figure 1 literal"]
    assert [cell.value for cell in sheet[5]][:3] == ["a 1:1:1", 2, pytest.approx(10.309)]
    assert len(sheet._charts) == 5
