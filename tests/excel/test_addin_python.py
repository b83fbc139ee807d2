"""What the add-in's VBA calls in Python is there and takes what it is given."""

import inspect
import re

import pytest

from excel.addin_reading import taken
from panelcal.files.template_names import TEMPLATE_NAMES


def test_each_function_takes_the_arguments_of_its_wrapper():
    functions = pytest.importorskip("panelcal.excel.functions")
    code = taken().source("CalibrateFunctions")
    wrappers = re.findall(r'^    (\w+) = AskPython\("(\w+)", Array\(([^)]*)\)\)\r$', code, re.MULTILINE)
    assert len(wrappers) == len(re.findall(r"^Public Function ", code, re.MULTILINE)) >= 7
    for shown, name, passed in wrappers:
        declared = re.search(rf"^Public Function {shown}\((.*)\) As Variant\r$", code, re.MULTILINE)[1]
        assert re.findall(r"(\w+) As Variant", declared) == passed.split(", ")
        parameters = inspect.signature(getattr(functions, name)).parameters
        assert list(parameters) == passed.split(", "), name
        optional = [key for key, value in parameters.items() if value.default is not inspect.Parameter.empty]
        assert re.findall(r"Optional (\w+) As", declared) == optional, name


def test_each_button_is_there():
    buttons = pytest.importorskip("panelcal.excel.buttons")
    code = taken().source("RibbonCalibrate")
    for name, argument in re.findall(r'^    CallButton "(\w+)\(([^)]*)\)"\r$', code, re.MULTILINE):
        given = (TEMPLATE_NAMES[0],) if argument else ()
        inspect.signature(getattr(buttons, name)).bind("the click", *given)
