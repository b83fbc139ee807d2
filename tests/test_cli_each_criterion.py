"""Each criterion calibrated by itself, by one command: every file as if that criterion had been the only one."""

import csv

import openpyxl
import pytest

from panelcal.each_criterion import choices_of_each
from panelcal.files.load import load_source
from panelcal.reading.settings import Settings
from panelcal.systems.choices import Choices
from run_panelcal import run, sheet_rows

REVIEWS = [
    ("P1", "Ann", 7, 2), ("P1", "Bob", 5, 3), ("P2", "Ann", 6, 5), ("P2", "Cy", 8, 9), ("P3", "Bob", 4, 1),
    ("P3", "Cy", 9, 6), ("P4", "Ann", 5, 8), ("P4", "Bob", 3, 6), ("P4", "Cy", 7, 9),
]  # fmt: skip
HEAD = ("Project", "Reviewer", "Originality", "Value for money")


def _csv(path, rows):
    with path.open("w", newline="") as stream:
        csv.writer(stream).writerows(rows)
    return path


def _values(path):
    return [(row["Project"], row["Calibrated value"]) for row in sheet_rows(path, "Cal values")]


@pytest.fixture
def rubric(tmp_path):
    return _csv(tmp_path / "rubric.csv", [HEAD, *REVIEWS])


@pytest.mark.slow
def test_the_refusal_names_the_three_ways_and_the_third_leads_on(rubric, tmp_path):
    refused = run("calibrate", str(rubric))
    assert refused.returncode == 1
    assert "To calibrate Originality by itself, add --score Originality to the command" in refused.stderr
    assert '--criteria "Originality=1, Value for money=1"' in refused.stderr
    assert "To calibrate each by itself, with a result each, add --criteria each to the command" in refused.stderr
    done = run("calibrate", str(rubric), "--criteria", "each")
    assert done.returncode == 0, done.stderr
    names = ["rubric-Originality-calibrated.xlsx", "rubric-Value_for_money-calibrated.xlsx"]
    assert f"2 criteria were calibrated, each by itself, into {', '.join(names)}." in done.stdout
    for name, column in zip(names, (2, 3), strict=True):
        alone = _csv(
            tmp_path / f"alone{column}.csv",
            [("Project", "Reviewer", "Score"), *[(*one[:2], one[column]) for one in REVIEWS]],
        )
        assert run("calibrate", str(alone)).returncode == 0
        assert _values(tmp_path / name) == _values(tmp_path / f"alone{column}-calibrated.xlsx")


@pytest.mark.slow
def test_output_may_be_a_folder_or_a_beginning(rubric, tmp_path):
    (tmp_path / "out").mkdir()
    assert run("calibrate", str(rubric), "--criteria", "each", "-o", str(tmp_path / "out")).returncode == 0
    assert (tmp_path / "out" / "rubric-Originality-calibrated.xlsx").exists()
    for name in ("new", "other/"):
        assert run("calibrate", str(rubric), "--criteria", "each", "-o", f"{tmp_path}/{name}").returncode == 0
        assert (tmp_path / name / "rubric-Value_for_money-calibrated.xlsx").exists()
    assert not list(tmp_path.glob("new-*")) + list(tmp_path.glob("other-*"))
    assert run("calibrate", str(rubric), "--criteria", "each", "-o", str(tmp_path / "may.xlsx")).returncode == 0
    assert (tmp_path / "may-Value_for_money-calibrated.xlsx").exists()
    assert not (tmp_path / "may.xlsx").exists()


def test_nothing_is_written_unless_all_can_be_read_and_replaced(rubric, tmp_path):
    rows = [(*one[:3], "soon" if one[0] == "P2" else one[3]) for one in REVIEWS]
    bad = _csv(tmp_path / "bad.csv", [HEAD, *rows])
    refused = run("calibrate", str(bad), "--criteria", "each")
    assert refused.returncode == 1
    assert "Value for money cannot be read by itself" in refused.stderr
    assert not list(tmp_path.glob("*.xlsx"))
    (tmp_path / "rubric-Value_for_money-calibrated.xlsx").write_bytes(b"")
    assert run("calibrate", str(rubric), "--criteria", "each").returncode == 1
    assert not (tmp_path / "rubric-Originality-calibrated.xlsx").exists()


@pytest.mark.slow
def test_criteria_below_the_names_of_judges(tmp_path):
    book = openpyxl.Workbook()
    sheet = book.active
    rows = [("Entry", "Ann", None, "Bob", None), (None, "Taste", "Looks", "Taste", "Looks")]
    rows += [("E1", 7, 2, 5, 3), ("E2", 6, 5, 8, 9), ("E3", 4, 1, 9, 6), ("E4", 5, 8, 3, 7)]
    for row in rows:
        sheet.append(row)
    path = tmp_path / "tasting.xlsx"
    book.save(path)
    assert "--criteria each" in run("check", str(path)).stderr
    checked = run("check", str(path), "--criteria", "each")
    assert checked.returncode == 0, checked.stderr
    assert checked.stdout.index("Taste, by itself:") < checked.stdout.index("Looks, by itself:")
    assert run("calibrate", str(path), "--criteria", "each").returncode == 0
    assert sheet_rows(tmp_path / "tasting-Looks-calibrated.xlsx", "Cal values")


def test_a_file_with_one_score_or_several_files_are_told(rubric, tmp_path):
    plain = _csv(tmp_path / "plain.csv", [("Project", "Reviewer", "Score"), *[one[:3] for one in REVIEWS]])
    refused = run("check", str(plain), "--criteria", "each")
    assert refused.returncode == 1
    assert "leave out --criteria each" in refused.stderr
    assert run("check", str(plain), str(rubric), "--criteria", "each").returncode == 2


@pytest.mark.slow
def test_all_criteria_together_in_one_file(rubric, tmp_path):
    refused = run("calibrate", str(rubric))
    assert "all calibrated together, add --criteria together to the command" in refused.stderr
    done = run("calibrate", str(rubric), "--criteria", "together", "--criteria", "Originality=2")
    assert done.returncode == 1, "one criterion alone is none"
    two = ("--criteria", "Originality=2", "--criteria", "Value for money=1")
    done = run("calibrate", str(rubric), "--criteria", "together", *two)
    assert done.returncode == 0, done.stderr
    book = openpyxl.load_workbook(tmp_path / "rubric-calibrated.xlsx")
    sheet = book["Cal criteria"]
    headings = [cell.value for cell in sheet[4]]
    assert headings[:4] == ["Project", "Total", "Error of total", "Originality"]
    totals = {row[0]: row[1] for row in sheet.iter_rows(min_row=5, max_row=8, values_only=True)}
    assert run("calibrate", str(rubric), *two, "-o", str(tmp_path / "added.xlsx")).returncode == 0
    assert totals == pytest.approx(dict(_values(tmp_path / "added.xlsx")))
    # The result keeps the answer on its sheet Settings, and is calibrated again in the same way.
    kept = [cell.value for row in book["Settings"].iter_rows() for cell in row]
    assert "together" in kept


def test_together_keeps_the_weights_that_settings_have():
    weighted = Settings(criteria={"Content": 0.5, "Method": 0.25, "Style": 0.25})
    together = Choices(settings={"criteria": {"together": 1.0}})
    assert together.over(weighted).criteria_named == weighted.criteria
    assert together.over(weighted).criteria_together
    assert together.over(together.over(weighted)).criteria_named == weighted.criteria
    # A criterion that was calibrated by itself is not all there is.
    assert not together.over(Settings(criteria={"Content": 1.0})).criteria_named
    others = Choices(settings={"criteria": {"together": 1.0, "Content": 2.0, "Style": 1.0}})
    assert others.over(weighted).criteria_named == {"Content": 2.0, "Style": 1.0}


@pytest.mark.slow
def test_a_workbook_may_ask_for_each_criterion_on_its_settings(tmp_path):
    book = openpyxl.Workbook()
    for row in (HEAD, *REVIEWS):
        book.active.append(row)
    settings = book.create_sheet("Settings")
    for row in (("Setting", "Value"), ("Alert threshold", 1), (), ("Criterion", "Weight of criterion"), ("each",)):
        settings.append(row)
    book.save(tmp_path / "rubric.xlsx")
    looked = run("check", str(tmp_path / "rubric.xlsx"))
    assert looked.returncode == 0, looked.stderr
    assert "Originality, by itself:" in looked.stdout
    done = run("calibrate", str(tmp_path / "rubric.xlsx"))
    assert done.returncode == 0, done.stderr
    alone = _csv(tmp_path / "alone.csv", [("Project", "Reviewer", "Score"), *[(*one[:2], one[3]) for one in REVIEWS]])
    assert run("calibrate", str(alone)).returncode == 0
    kept = tmp_path / "rubric-Value_for_money-calibrated.xlsx"
    assert _values(kept) == _values(tmp_path / "alone-calibrated.xlsx")
    # The copy says which criterion its results are of.
    rows = list(openpyxl.load_workbook(kept)["Settings"].iter_rows(max_col=2, values_only=True))
    assert ("Column of scores", "Value for money") in rows
    assert not any(row[0] == "each" for row in rows)


@pytest.mark.parametrize("heads", [("Content", "Presentation"), ("Presentation", "Content")])
def test_a_criterion_called_by_a_word_for_what_is_assessed_is_one_of_them(tmp_path, heads):
    """It differs within one project, as a number of the project would not."""
    source = load_source(_csv(tmp_path / "rubric.csv", [(*HEAD[:2], *heads), *REVIEWS]))
    assert list(choices_of_each(source, Choices())) == list(heads)


def test_a_number_of_each_project_is_no_criterion(tmp_path):
    numbered = [(one[0], int(one[0][1]), *one[1:]) for one in REVIEWS]
    source = load_source(_csv(tmp_path / "rubric.csv", [("Project", "Paper", "Reviewer", *HEAD[2:]), *numbered]))
    assert list(choices_of_each(source, Choices())) == list(HEAD[2:])
