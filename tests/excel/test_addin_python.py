"""What the add-in's VBA calls in Python is there and takes what it is given."""

import inspect
import re
import sys
from subprocess import run

import pytest
import xlwings as xw

from excel.addin_reading import taken
from panelcal.excel.clicks import PRESSES, press


def test_each_function_takes_the_arguments_of_its_wrapper():
    functions = pytest.importorskip("panelcal.excel.functions")
    code = taken().source("CalibrateFunctions")
    wrappers = re.findall(r'^    (\w+) = inner\.AskPython\("(\w+)", Array\(([^)]*)\)\)\r$', code, re.MULTILINE)
    assert len(wrappers) == len(re.findall(r"^Public Function ", code, re.MULTILINE)) >= 7
    for shown, name, passed in wrappers:
        declared = re.search(rf"^Public Function {shown}\((.*)\) As Variant\r$", code, re.MULTILINE)[1]
        assert re.findall(r"(\w+) As Variant", declared) == passed.split(", ")
        parameters = inspect.signature(getattr(functions, name)).parameters
        assert list(parameters) == passed.split(", "), name
        optional = [key for key, value in parameters.items() if value.default is not inspect.Parameter.empty]
        assert re.findall(r"Optional (\w+) As", declared) == optional, name


def test_each_number_is_a_button_that_is_there():
    buttons = pytest.importorskip("panelcal.excel.buttons")
    for action, *given in PRESSES.values():
        inspect.signature(getattr(buttons, action)).bind("the click", *given)


def test_a_number_presses_its_button_on_the_workbook_that_is_named(small, monkeypatch):
    told = []
    monkeypatch.setattr(xw.Book, "_mock_caller", None, raising=False)
    monkeypatch.setattr(xw.App, "alert", lambda app, words, **_: told.append((app.books.active.name, words)))
    assert press(2, small.name) == ""
    assert "This can be calibrated" in told[0][1]
    assert xw.Book._mock_caller == small


@pytest.mark.parametrize("number", [0, 8, 10, 33, -1])
def test_another_number_does_nothing_and_says_so(small, number):
    assert press(number, small.name).startswith("This button belongs to another version")


def test_without_a_workbook_the_reason_comes_back(app):
    for book in list(app.books):
        book.close()
    assert press(1, "gone.xlsx") == "Open a workbook first, then click again."


@pytest.mark.slow
def test_each_click_on_a_mac_is_a_program_of_its_own():
    done = run(
        [sys.executable, "-P", "-B", "-m", "panelcal.excel.clicks", "99", "marks $(id).xlsx"],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1 and done.stderr.startswith("This button belongs to another version")
