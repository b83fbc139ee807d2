"""The page's questions, asked without a browser: the same code answers them there."""

import io
import json
import subprocess
import sys
from pathlib import Path

import openpyxl
import pytest

import panelcal
from panelcal import Panel
from panelcal.errors import Answer, InputRefused, Question
from panelcal.files.in_memory import FileBytes
from panelcal.files.load import load_source
from panelcal.page import bridge
from panelcal.page.as_data import MOST_SCORES, choices_from, plan_from
from panelcal.reading.planning.read_plan import PlanWanted
from panelcal.reading.settings import Band
from panelcal.run import run
from panelcal.systems.choices import Choices

TEMPLATES = Path(__file__).parents[2] / "workbook_templates"
MOMENT = "2026-01-02T03:04:05"
SEMINARS = "Student,Maths,Physics,Art,Seminar\n" + "".join(
    f"S{k},{50 + 7 * k % 23},{48 + 5 * k % 29},{55 + 11 * k % 19},{3 + k % 4}\n" for k in range(12)
)

MARKS = "Student,Maths,Physics,Art\n" + "".join(
    f"S{k},{50 + 5 * k % 12},{52 + k % 3},{49 + 11 * k % 13}\n" for k in range(12)
)


def ask(*contents, **what):
    text, workbook = bridge.request(json.dumps(what), list(contents))
    return json.loads(text), workbook


def opened(name, content):
    ask(content, do="open", names=[name])


def sheet(made, name):
    """Look at a sheet of a result."""
    number = [one["name"] for one in made["report"]["sheets"]].index(name)
    return ask(do="sheet", number=number)[0]["sheet"]


def rows(by=-1, direction=1, words="", first=0, count=10_000, columns=(0,), at=(1, 0)):
    """Ask for rows of a table."""
    order = {"by": by, "direction": direction, "words": words, "first": first, "count": count}
    return ask(do="rows", sheet=at[0], table=at[1], columns=columns, **order)[0]


def cells(workbook):
    book = openpyxl.load_workbook(io.BytesIO(workbook))
    return {
        (sheet.title, cell.coordinate): cell.value
        for sheet in book
        for row in sheet.iter_rows()
        for cell in row
        if cell.value is not None
    }


def test_an_example_is_understood_calibrated_shown_and_saved():
    content = (TEMPLATES / "grant_panel_example.xlsx").read_bytes()
    opened("grant_panel_example.xlsx", content)
    understood, _ = ask(do="understand")
    assert understood["reading"]["nouns"] == {"assessor": "Reviewer", "object": "Proposal", "score": "Score"}
    made, _ = ask(do="calibrate", created=MOMENT)
    assert made["name"] == "grant_panel_example-calibrated.xlsx"
    values = sheet(made, "Cal values")
    by_python = panelcal.run_bytes([("grant_panel_example.xlsx", content)], created=MOMENT)
    table = next(sheet for sheet in by_python.run.report.sheets if sheet.name == "Cal values").tables[0]
    assert values["tables"][0]["columns"][2]["cells"] == pytest.approx(list(table.columns[2].cells))
    _, saved = ask(do="save")
    assert cells(saved) == cells(by_python.workbook)


RUBRIC = "Project,Reviewer,Originality,Value for money\n" + "".join(
    f"P{k},{judge},{(3 * k + add) % 7 + 2},{(2 * k + 3 * add) % 9 + 1}\n"
    for k in range(8)
    for add, judge in enumerate(("Ann", "Bob", "Cy"))
    if (k + add) % 4
)


@pytest.mark.slow
def test_each_criterion_by_itself_by_a_click():
    opened("rubric.csv", RUBRIC.encode())
    (question,) = ask(do="understand")[0]["refused"]["questions"]
    each = next(one["gives"] for one in question["answers"] if "each by itself" in one["meaning"])
    choices = {"answers": [each]}
    understood = ask(do="understand", choices=choices)[0]["each"]
    assert [name for name, _ in understood] == ["Originality", "Value for money"]
    made = ask(do="calibrate", choices=choices, criterion="Value for money", created=MOMENT)[0]
    assert made["name"] == "rubric-Value_for_money-calibrated.xlsx"
    alone = next(one["gives"] for one in question["answers"] if one["meaning"] == "calibrate Value for money by itself")
    by_itself = ask(do="calibrate", choices={"answers": [alone]}, created=MOMENT)[0]
    assert made["sentences"] == by_itself["sentences"] and made["report"] == by_itself["report"]


def test_a_refusal_brings_its_questions_and_an_answer_leads_on():
    opened("marks.csv", SEMINARS.encode())
    refused, _ = ask(do="understand")
    (question,) = refused["refused"]["questions"]
    assert "Seminar" in question["sentence"]
    assert "--exclude" not in json.dumps(refused)  # nobody types options on a page
    answer = next(one for one in question["answers"] if "exclude" in one["gives"])
    understood, _ = ask(do="understand", choices={"answers": [answer["gives"]]})
    assert understood["reading"]["assessors"] == ["Maths", "Physics", "Art"]


def test_what_is_wrong_beside_a_question_is_said_too():
    question = Question("Which?", (Answer({"sheet": "A"}, "read A"),))
    problem = InputRefused("B3 is a date.\nWhich?\n- To read A, ...", questions=[question], problems=["B3 is a date."])
    said = bridge.refusal(problem)
    assert said["words"] == ["B3 is a date."]
    assert said["questions"][0]["answers"] == [{"meaning": "read A", "gives": {"sheet": "A"}}]
    assert bridge.refusal(InputRefused("One.\nTwo."))["words"] == ["One.", "Two."]


@pytest.mark.slow
def test_decisions_stand_in_the_saved_workbook():
    opened("exam_board_example.xlsx", (TEMPLATES / "exam_board_example.xlsx").read_bytes())
    made, _ = ask(do="calibrate", created=MOMENT)
    summary = sheet(made, "Cal summary")
    number, table = next(
        (n, t) for n, t in enumerate(summary["tables"]) if any(c["style"] == "input" for c in t["columns"])
    )
    column = next(k for k, c in enumerate(table["columns"]) if c["style"] == "input")
    wanted = {"sheet": summary["name"], "table": number, "column": column, "row": 0, "text": "=1+1"}
    _, saved = ask(do="save", decisions=[wanted])
    before = cells(ask(do="save")[1])
    after = cells(saved)
    new = {key: after[key] for key in after if after[key] != before.get(key)}
    assert [key[0] for key in new] == ["Cal summary"]
    book = openpyxl.load_workbook(io.BytesIO(saved))
    place = next(iter(new))
    assert book[place[0]][place[1]].data_type != "f"  # text, whatever it begins with


@pytest.mark.slow
def test_a_plan_an_extract_and_a_template():
    lists = "Talk,Judge\n" + "".join(f"T{k},{f'J{k}' if k < 5 else ''}\n" for k in range(10))
    opened("lists.csv", lists.encode())
    planned, _ = ask(do="plan", per_object=3, seed=1, created=MOMENT)
    assert planned["name"] == "lists-plan.xlsx"
    assert ask(do="save")[1].startswith(b"PK")
    opened("board.xlsx", (TEMPLATES / "exam_board_example.xlsx").read_bytes())
    extract, workbook = ask(do="extract", kind="object", label="2121806", created=MOMENT)
    assert extract["name"] == "board-2121806.xlsx"
    assert {sheet for sheet, _ in cells(workbook)} == {"Extract"}
    refused, _ = ask(do="extract", kind="object", label="nobody", created=MOMENT)
    assert "nobody" in refused["refused"]["words"][0]
    _, template = ask(do="template", name="grant_panel")
    assert template == (TEMPLATES / "grant_panel.xlsx").read_bytes()


def test_what_is_wanted_of_a_plan():
    assert plan_from({"per_object": "3", "per_judge": "", "minutes": "12.5", "seed": "4"}) == PlanWanted(
        3, 4, None, 12.5
    )
    assert plan_from({"per_object": "", "per_judge": "8"}) == PlanWanted(None, 0, 8)
    assert plan_from({"next": "10", "per_judge": "2"}) == PlanWanted(None, 0, 2, None, 10)
    for wrong in ({"per_object": "3", "per_judge": "8"}, {}, {"per_object": "0"}, {"next": "2.5"}, {"minutes": "-1"}):
        with pytest.raises(InputRefused):
            plan_from(wrong)


@pytest.mark.slow
def test_a_plan_goes_on_from_the_scores_as_on_the_command_line():
    content = (TEMPLATES / "grant_panel_example.xlsx").read_bytes()
    opened("grant_panel_example.xlsx", content)
    made, _ = ask(do="plan", next="5", per_judge="2", created=MOMENT)
    assert made["sentences"][1].startswith("The best single assessment next: reviewer ")
    columns = {one["heading"]: one["cells"] for one in sheet(made, "Next")["tables"][0]["columns"]}
    wanted = Choices(plan=PlanWanted(None, following=5, per_assessor=2))
    done = run(load_source(FileBytes("grant_panel_example.xlsx", content)), wanted, created=MOMENT)
    table = done.report.sheets[0].tables[0]
    assert columns["Proposal"] == list(table.columns[1].cells) and columns["Reviewer"] == list(table.columns[2].cells)


@pytest.mark.slow
def test_hours_and_the_chart_of_what_more_judges_buy_are_on_the_page():
    lists = "Talk,Judge\n" + "".join(f"T{k},{f'J{k}' if k < 5 else ''}\n" for k in range(10))
    opened("lists.csv", lists.encode())
    made, _ = ask(do="plan", per_object="", per_judge="8", minutes="15", created=MOMENT)
    bought = sheet(made, "What it buys")
    figures = {row[0]: row[1:] for row in zip(*(one["cells"] for one in bought["tables"][0]["columns"]), strict=True)}
    assert figures["Judges for each talk, K"] == (4, "K = J M / N = 8 x 5 / 10 = 4.")
    assert figures["Hours for each judge"][0] == 2.0 and figures["Hours in all"][0] == 10.0
    assert [len(series["y"]) for series in bought["charts"][0]["series"]] == [5, 5, 5]


@pytest.mark.slow
def test_an_earlier_result_brings_its_biases_and_another_file_is_refused():
    content = (TEMPLATES / "grant_panel_example.xlsx").read_bytes()
    earlier = panelcal.run_bytes([("last.xlsx", content)], created=MOMENT).workbook
    ask(content, earlier, do="open", names=["this.xlsx"], prior="last.xlsx")
    made, _ = ask(do="calibrate", created=MOMENT)
    assert "Cal prior" in [one["name"] for one in made["report"]["sheets"]]
    prior = {place: value for (name, place), value in cells(ask(do="save")[1]).items() if name == "Prior"}
    assert prior["A4"] == "Assessor" and "last.xlsx" in prior["A2"]
    refused, _ = ask(content, content, do="open", names=["this.xlsx"], prior="last.xlsx")
    assert "holds no biases" in refused["refused"]["words"][0]
    opened("this.xlsx", content)
    made, _ = ask(do="calibrate", created=MOMENT)
    assert "Cal prior" not in [one["name"] for one in made["report"]["sheets"]]


@pytest.mark.slow
def test_common_objects_chosen_on_the_page_fix_the_zero():
    opened("marks.csv", MARKS.encode())
    chosen = {"settings": {"common": "S1; S2", "common_ranked": "no"}}
    made, _ = ask(do="calibrate", choices=chosen, created=MOMENT)
    biases = {one["heading"]: one["cells"] for one in sheet(made, "Cal assessors")["tables"][0]["columns"]}
    panel = Panel.from_records(*zip(*_records(MARKS), strict=True))
    by_python = panelcal.calibrate(panel, gauge="common", common=["S1", "S2"])
    found = dict(zip(biases["Assessor"] if "Assessor" in biases else biases["Module"], biases["Bias"], strict=True))
    assert found == pytest.approx(dict(zip(panel.assessors, by_python.biases, strict=True)))
    assert "Cal common" in [one["name"] for one in made["report"]["sheets"]]


def _records(text):
    heads, *rows = (line.split(",") for line in text.splitlines())
    return [(row[0], head, float(cell)) for row in rows for head, cell in zip(heads[1:], row[1:], strict=True)]


def test_choices_of_the_page():
    chosen = choices_from(
        {
            "choices": {
                "method": "fisher",
                "gauge": "reference",
                "reference": "60",
                "criteria": "together",
                "settings": {
                    "level": "0.9",
                    "heading": "",
                    "higher_is_better": "higher",
                    "common": "A1; A2",
                    "common_ranked": "no",
                },
                "bands": [["Second", "50"], ["First", "70,5"]],
                "answers": [{"exclude": ["Seminar"]}, {"exclude": ["Total"]}],
            }
        }
    )
    assert (chosen.method, chosen.gauge, chosen.reference) == ("fisher", "reference", 60.0)
    assert chosen.settings["bands"] == (Band("First", 70.5), Band("Second", 50.0))
    assert chosen.settings["exclude"] == ("Seminar", "Total")
    assert "heading" not in chosen.settings
    assert chosen.settings["criteria"] == {"together": 1.0}
    assert "criteria" not in choices_from({"choices": {"criteria": ""}}).settings
    assert chosen.settings["common"] == ("A1", "A2") and chosen.settings["common_ranked"] is False
    with pytest.raises(InputRefused, match="write a number"):
        choices_from({"choices": {"bands": [["First", "high"]]}})
    with pytest.raises(InputRefused, match="Level"):
        choices_from({"choices": {"settings": {"level": "most"}}})


@pytest.mark.slow
def test_more_than_a_browser_can_hold_is_sent_to_the_command_line():
    objects = MOST_SCORES // 100 + 2
    rows = ["Student," + ",".join(f"M{k}" for k in range(100))]
    rows += [f"S{k}," + ",".join(str(40 + (k * 7 + j * 3) % 50) for j in range(100)) for k in range(objects)]
    opened("large.csv", "\n".join(rows).encode())
    refused, _ = ask(do="understand")
    assert "command line" in refused["refused"]["words"][0]


def test_names_reach_the_page_as_they_are_written():
    name = "<img src=x onerror=alert(1)>"
    rows = f"Student,Maths,{name},Art\n" + "".join(
        f"S{k},{50 + 5 * k % 12},{52 + k % 3},{49 + 11 * k % 13}\n" for k in range(6)
    )
    opened("names.csv", rows.encode())
    understood, _ = ask(do="understand")
    assert name in understood["reading"]["assessors"]


def test_every_module_loaded_beforehand_exists():
    for name in bridge.loaded_beforehand():
        bridge.load(name)
        assert bridge.is_loaded(name)


def test_a_result_begins_as_an_outline_and_no_sheet_is_told_before_it_is_asked_for():
    opened("names.csv", MARKS.encode())
    made, _ = ask(do="calibrate", created=MOMENT)
    assert {tuple(one) for one in made["report"]["sheets"]} == {("name", "title")}
    assert "S11" not in json.dumps(made["report"])
    assert "S11" in json.dumps(sheet(made, "Cal values"))


@pytest.mark.slow
def test_of_a_long_table_rows_come_when_asked_for_and_decisions_keep_their_rows(monkeypatch):
    monkeypatch.setattr("panelcal.page.sheet_data.WHOLE", 30)
    monkeypatch.setattr("panelcal.page.sheet_data.AT_FIRST", 10)
    opened("grant_panel_example.xlsx", (TEMPLATES / "grant_panel_example.xlsx").read_bytes())
    made, _ = ask(do="calibrate", created=MOMENT)
    table = sheet(made, "Cal values")["tables"][0]
    assert table["total"] == 40 and table["rows"] == list(range(10))
    assert {len(column["cells"]) for column in table["columns"]} == {10}
    headings = [column["heading"] for column in table["columns"]]
    best = rows(headings.index("Rank"), 1, first=2, count=3)
    assert best["found"] == 40
    assert best["columns"][headings.index("Rank")]["cells"] == [3, 4, 5]
    last = rows(headings.index("Rank"), -1)
    assert last["columns"][headings.index("Rank")]["cells"] == list(range(40, 0, -1))
    assert rows()["columns"][0]["cells"][:10] == table["columns"][0]["cells"]
    column = headings.index("Board decision")
    wanted = {"sheet": "Cal values", "table": 0, "column": column, "row": best["rows"][1], "text": "Agreed"}
    book = openpyxl.load_workbook(io.BytesIO(ask(do="save", decisions=[wanted])[1]))
    (row,) = [one for one in book["Cal values"].iter_rows(values_only=True) if one[column] == "Agreed"]
    assert row[0] == best["columns"][0]["cells"][1]


def test_files_of_libraries_are_told_once_they_are_loaded(monkeypatch):
    monkeypatch.setattr(bridge, "_TOLD", set())
    told = bridge.files_loaded()
    assert any("/numpy/" in path and path.endswith(".so") for path in told)
    assert not any(path.endswith(".py") for path in told)  # a page has compiled ones only
    assert bridge.files_loaded() == []


@pytest.mark.slow
def test_what_a_board_needs_is_loaded_beforehand_and_what_few_need_is_not():
    board = TEMPLATES / "exam_board_example.xlsx"
    script = f"""
import json, pathlib, sys
from panelcal.files.in_memory import FileBytes
from panelcal.files.load import load_source
from panelcal.page import bridge
for name in bridge.loaded_beforehand():
    bridge.load(name)
before = set(sys.modules)
content = pathlib.Path({str(board)!r}).read_bytes()
for what in ({{"do": "open", "names": ["board.xlsx"]}}, {{"do": "calibrate"}}, {{"do": "save"}}):
    text, _ = bridge.request(json.dumps(what), [content])
    assert "refused" not in json.loads(text), text
print(json.dumps([sorted(before), sorted(set(sys.modules) - before)]))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    before, later = json.loads(done.stdout.splitlines()[-1])
    assert not {"scipy.stats", "scipy.optimize", "scipy.sparse.linalg"} & set(before)
    assert not [name for name in later if name.startswith("scipy.")]
