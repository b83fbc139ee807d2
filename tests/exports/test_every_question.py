"""Every place in the code that asks what a sheet means is met, by an export file or here, and its answers lead on.

The export files show that a literal answer gives the truth; the small sheets here do the same for what is left, by the
sum of the scores that count.
"""

import ast
import datetime
import importlib
import pkgutil
import shlex
import sys
from pathlib import Path
from unittest import mock

import openpyxl
import pytest

import panelcal.reading
from exports.catalogue import all_files, make
from exports.reading_as_typed import read_as_typed
from exports.test_exports import MUST_ASK
from panelcal.errors import InputRefused, PanelcalError, Question, SheetUnclear
from panelcal.reading.answers import options_for
from panelcal.reading.problems import Problems

HEAD = ["Talk", "Ann Lee", "Bob Roy", "Cy Fox"]
ROWS = [["T1", 6, 5, 7], ["T2", 4, 5, 6], ["T3", 8, 6, 5], ["T4", 7, 6, 6]]
LIST = [[row[0], judge, score] for row in ROWS for judge, score in zip(HEAD[1:], row[1:], strict=True)]
SUM = 71
NAMESAKES = [
    [f"T{k % 6}", 11 + k, judge, 3 + (5 * k + 2 * j) % 7] for k in range(7) for j, judge in enumerate(HEAD[1:])
]


def _with(value):
    return [HEAD, ["T1", value, 5, 7], *ROWS[1:]]


def _slots(parts):
    heads = ["Talk", *[f"Reviewer {k} {part}" for k in (1, 2) for part in ("name", *parts)]]
    rows = [[row[0], HEAD[1], *row[1:2] * len(parts), HEAD[2], *row[2:3] * len(parts)] for row in ROWS]
    return [heads, *rows]


CASES = {
    "confidences in other words": (
        [["Talk", "Judge", "Score", "Confidence"], *[[*row, "rather"] for row in LIST]],
        {},
        SUM,
    ),
    "confidences in two places": (
        [["Credits", 1, 2, 3], HEAD, *ROWS],
        {"Confidence": [HEAD, *[[row[0], 1, 2, 1] for row in ROWS]]},
        SUM,
    ),
    "the same assessment twice": ([["Talk", "Judge", "Score"], *LIST, ["T1", "Ann Lee", 8]], {}, SUM + 1),
    "one heading three times": (
        [[*HEAD, "Extra", "Extra", "Extra"], *[[*row, 5, k, 9 - k] for k, row in enumerate(ROWS, 3)]],
        {},
        SUM,
    ),
    "a second block without a title": ([HEAD, *ROWS, [], HEAD, *[[row[0], 1, 2, 1] for row in ROWS]], {}, SUM),
    "a date": (_with(datetime.datetime(2026, 12, 11)), {}, SUM - 6),
    "an error": (_with("#DIV/0!"), {}, SUM - 6),
    "a formula never calculated": (_with("=5+1"), {}, SUM - 6),
    "true": (_with(True), {}, SUM - 6),
    "some in percent": (_with("6%"), {}, SUM),
    "some as ranges": (_with("5-7"), {}, SUM),
    "one heading twice": ([[*HEAD, "Ann Lee"], *[[*row, k] for k, row in enumerate(ROWS, 3)]], {}, SUM + 18),
    "one row twice": ([HEAD, *ROWS, ["T1", 1, 2, 1]], {}, SUM + 4),
    "repeated rows by a column of their own": (
        [["Talk", "Judge", "Turn", "Score"], *[[a, b, k, c] for a, b, c in LIST for k in ("one", "two")]],
        {},
        SUM,
    ),
    "criteria in a list": (
        [["Talk", "Judge", "Criterion", "Score"], *[[a, b, k, c] for a, b, c in LIST for k in ("Depth", "Style")]],
        {},
        2 * SUM,
    ),
    "criteria beside the objects": (
        [["Talk", "Criterion", *HEAD[1:]], *[[row[0], k, *row[1:]] for row in ROWS for k in ("Depth", "Style")]],
        {},
        2 * SUM,
    ),
    "many dates": (
        [HEAD, *ROWS, *[[f"U{k}", datetime.datetime(2026, k, 1), 5, 7] for k in range(1, 11)]],
        {},
        SUM + 120,
    ),
    "many remarks": ([HEAD, *ROWS, *[[f"U{k}", f"remark {chr(96 + k)}", 5, 7] for k in range(1, 11)]], {}, SUM + 120),
    "several sheets": ([["Notes", "see the other sheets"]], {"One": [HEAD, *ROWS], "Two": [HEAD, *ROWS[:3]]}, SUM),
    "criteria of reviewers in places": (_slots(["Depth", "Style"]), {}, 47),
    "two of one name": (
        [["Talk", "No.", "Judge", "Score"], *NAMESAKES],
        {},
        sum(row[3] for row in NAMESAKES),
    ),
    "numbers that start again": (
        [["Talk", "Reviewer", "Score"], *[[a, f"#{1 + HEAD.index(b) - 1}", c] for a, b, c in LIST]],
        {},
        SUM,
    ),
}
"""What a small sheet asks -> (rows of its first sheet, further sheets, sum of the scores after the first answers)."""
CRITERIA = [["Talk", "Judge", "Depth", "Style"], *[[*row, row[-1] - 1] for row in LIST[:-1]], [*LIST[-1], None]]


def _save(folder, rows, more):
    book = openpyxl.Workbook()
    for k, (name, cells) in enumerate({"Marks": rows, **more}.items()):
        sheet = book.active if k == 0 else book.create_sheet()
        sheet.title = name
        for row in cells:
            sheet.append(row)
    book.save(folder / "marks.xlsx")
    return (folder / "marks.xlsx",)


def _answered(paths, options=()):
    """Refuse a file, type the first answer to each question, and return the reading."""
    with pytest.raises(InputRefused) as refusal:
        read_as_typed(paths, options)
    assert refusal.value.questions
    typed = [options_for(question.answers[0]) for question in refusal.value.questions]
    # Several sheets are listed; the ways to name one are added by the command.
    assert isinstance(refusal.value, SheetUnclear) or all(one in str(refusal.value) for one in typed)
    return read_as_typed(paths, [*options, *shlex.split(" ".join(typed))])


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_the_first_answer_leads_to_the_scores_that_are_meant(name, tmp_path):
    rows, more, total = CASES[name]
    assert _answered(_save(tmp_path, rows, more)).panel.scores.sum() == pytest.approx(total)


@pytest.mark.slow
def test_a_blank_criterion_is_missing_where_all_are_calibrated_together(tmp_path):
    reading = _answered(_save(tmp_path, CRITERIA, {}), ["--criteria", "Depth=1,Style=1"])
    assert reading.criteria is not None
    assert reading.panel.n_assessors == 3


@pytest.mark.slow
def test_every_place_that_asks_is_met(tmp_path):
    met = set()

    def noted(frame):
        met.add((Path(frame.f_code.co_filename).stem, frame.f_code.co_name))

    plainly = Problems.ask

    def asking(self, *arguments):
        noted(sys._getframe(1))
        plainly(self, *arguments)

    def made(*arguments):
        noted(sys._getframe(1))
        return Question(*arguments)

    names = [one.name for one in pkgutil.walk_packages(panelcal.reading.__path__, "panelcal.reading.")]
    modules = [importlib.import_module(name) for name in names if not name.endswith(".problems")]
    patches = [
        mock.patch.object(one, "Question", made) for one in modules if getattr(one, "Question", None) is Question
    ]
    patches.append(mock.patch.object(Problems, "ask", asking))
    asked = [(name, k) for name, k in all_files() if {name, f"{name}-{k + 1}"} & MUST_ASK]
    files = [make(*file, _folder(tmp_path, *map(str, file))).paths for file in asked]
    files += [_save(_folder(tmp_path, name), *case[:2]) for name, case in CASES.items()]
    for patch in patches:
        patch.start()
    try:
        for paths in files:
            _look(paths)
        _look(_save(_folder(tmp_path, "a blank criterion"), CRITERIA, {}), ["--criteria", "Depth=1,Style=1"])
    finally:
        mock.patch.stopall()
    assert _places(modules) - met == set()


def _folder(path, *names):
    folder = path.joinpath(*names)
    folder.mkdir(parents=True)
    return folder


def _look(paths, options=()):
    try:
        read_as_typed(paths, options)
    except PanelcalError:
        pass


def _places(modules):
    """Functions that ask, or make a question, as (module, name)."""
    found = set()
    for module in modules:
        for function in ast.walk(ast.parse(Path(module.__file__).read_text("utf-8"))):
            calls = [one.func for one in ast.walk(function) if isinstance(one, ast.Call)]
            asks = [one for one in calls if isinstance(one, ast.Attribute) and one.attr == "ask"]
            asks += [one for one in calls if isinstance(one, ast.Name) and one.id == "Question"]
            if isinstance(function, ast.FunctionDef) and asks:
                found.add((Path(module.__file__).stem, function.name))
    return found
