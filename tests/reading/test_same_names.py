"""Names that look alike are kept apart with a warning that says how to count them as one, which then is done."""

import shlex

import openpyxl
import pytest

from panelcal.errors import InputRefused
from panelcal.files.load import load_source
from panelcal.reading.grid import Grid, Source
from panelcal.reading.read import read_panel
from panelcal.reading.settings_sheet import read_settings
from panelcal.reading.spellings import other_spellings, spelt_alike
from panelcal.systems.choices import Choices
from run_panelcal import run

FULL_WIDTH, CYRILLIC = "Ａnn Lee", "Аnn Lee"
SPELT = ["Ann Lee", "Ann  Lee", FULL_WIDTH, CYRILLIC]
LIST = [
    ["Paper", "Reviewer", "Score"],
    *[[f"P{k}", SPELT[k % 4], 3 + k % 5] for k in range(8)],
    *[
        ["p 3" if k == 3 else f"P{k}", other, 4 + (k * len(other)) % 4]
        for k in range(8)
        for other in ("Bob Roy", "Cy Fox")
    ],
]


def _source(rows, kind="text"):
    return Source("marks", (Grid("Marks", tuple(map(tuple, rows))),), "Marks", kind=kind)


def _warned(reading):
    return [one.sentence for one in reading.decisions if one.kind == "near match"]


def test_the_warning_says_how_they_are_counted_as_one():
    papers, reviewers = _warned(read_panel(_source(LIST)))
    assert papers.endswith('spell them alike, or add --same "p 3=P3" to the command.')
    assert f'add --same "Ann  Lee=Ann Lee" --same "{FULL_WIDTH}=Ann Lee" --same "{CYRILLIC}=Ann Lee" to' in reviewers
    in_cells = _warned(read_panel(_source(LIST, "workbook")))[0]
    assert "or write Same names in cell A1 and p 3=P3 in cell B1 of a new sheet called Settings." in in_cells


def test_they_are_one_then_objects_and_assessors():
    same = dict.fromkeys(SPELT[1:], "Ann Lee") | {"p 3": "P3"}
    reading = read_panel(_source(LIST), over=Choices(settings={"same": same}).over)
    assert sorted(reading.panel.assessors) == ["Ann Lee", "Bob Roy", "Cy Fox"]
    assert reading.panel.n_objects == 8 and reading.panel.n_assessments == 24
    assert sorted(reading.panel.scores) == sorted(row[2] for row in LIST[1:])
    assert not _warned(reading)


def test_a_column_of_a_table_too_and_no_score_is_touched():
    rows = [["Talk", "Ann Lee", "5"], *[[f"T{k}", 4 + k, 5] for k in range(4)], ["T 3", None, 8]]
    reading = read_panel(_source(rows), over=Choices(settings={"same": {"5": "Bob Roy"}, "repeated": "average"}).over)
    assert reading.panel.assessors == ("Ann Lee", "Bob Roy")
    assert reading.panel.scores.tolist().count(5) == 5


def test_a_name_that_stands_nowhere_is_refused_with_the_nearest():
    with pytest.raises(InputRefused, match="Same names: nothing is called Bob Roi; did you mean Bob Roy"):
        read_panel(_source(LIST), over=Choices(settings={"same": {"Bob Roi": "Ann Lee"}}).over)


def test_the_usual_spelling_is_the_one_to_go_by():
    assert other_spellings([["ANN LEE", "ann lee", "Ann Lee"]]) == {"ANN LEE": "Ann Lee", "ann lee": "Ann Lee"}
    assert spelt_alike(["007", "7", "8"]) == [["007", "7"]]


def test_a_name_unlike_the_others_is_offered_as_another_spelling_first():
    rows = [[one if one not in SPELT[1:] else "ann lee" for one in row] for row in LIST]
    with pytest.raises(InputRefused) as refused:
        read_panel(_source(rows))
    assert dict(refused.value.answers[0].gives) == {"same": {"ann lee": "Ann Lee"}}
    reading = read_panel(_source(rows), over=Choices().answered(refused.value.answers[0]).over)
    assert reading.panel.n_assessors == 3


@pytest.mark.slow
def test_it_is_kept_and_repeated_by_the_next_run(tmp_path):
    book = openpyxl.Workbook()
    for row in LIST:
        book.active.append(row)
    book.save(tmp_path / "marks.xlsx")
    typed = shlex.split(
        f'--same "Ann  Lee=Ann Lee" --same "{FULL_WIDTH}=Ann Lee" --same "{CYRILLIC}=Ann Lee" --same "p 3=P3"'
    )
    first = run("calibrate", str(tmp_path / "marks.xlsx"), *typed)
    assert first.returncode == 0 and "almost alike" not in first.stdout, first.stderr
    kept = tmp_path / "marks-calibrated.xlsx"
    assert len(read_settings(load_source(kept).grid("Settings"))[0].same) == 4
    again = run("calibrate", str(kept), "-o", str(tmp_path / "again.xlsx"))
    assert again.returncode == 0 and "3 reviewers" in again.stdout
    assert "out of date" not in again.stdout and "almost alike" not in again.stdout


def test_names_that_part_the_panel_into_groups_are_said_before_further_scores_are(tmp_path):
    rows = [["Paper", "Reviewer", "Score"]]
    rows += [[f"P{k}", name.upper() if k > 4 else name, 3 + k % 5] for k in range(9) for name in ("Ann Lee", "Bob Roy")]
    file = tmp_path / "marks.csv"
    file.write_text("\n".join(",".join(map(str, row)) for row in rows))
    refused = run("check", str(file))
    said, groups = refused.stderr.splitlines()[:2]
    assert refused.returncode == 1 and "falls into 2 groups" in groups
    typed = shlex.split(said[said.index("--same") : said.index(" to the command")])
    done = run("check", str(file), *typed)
    assert done.returncode == 0 and "2 reviewers: Ann Lee, Bob Roy" in done.stdout
