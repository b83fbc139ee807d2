"""Every public name says what it gives, what it refuses and where it comes from, and has an example that runs."""

import doctest
import importlib.util
import inspect
import math
import re
from pathlib import Path

import pytest

import panelcal
from panelcal import Panel

ROOT = Path(__file__).parents[2]

NEEDS = {"LargeCalibration": "duckdb", "calibrate_relation": "duckdb"}
SLOW = {"LargeCalibration", "OrdinalPosterior", "fit_ordinal", "calibrate_relation", "BytesRun", "run_bytes"} | {
    "OrdinalFacets",
    "fit_ordinal_facets",
}
FUNCTIONS = [name for name in panelcal.__all__ if inspect.isfunction(getattr(panelcal, name))]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in panelcal.__all__]
)
def test_the_example_of_a_public_name_runs_and_gives_what_it_says(name, tmp_path, monkeypatch):
    if importlib.util.find_spec(NEEDS.get(name, "panelcal")) is None:
        pytest.skip(f"{NEEDS[name]} is not installed")
    monkeypatch.chdir(tmp_path)
    known = {other: getattr(panelcal, other) for other in panelcal.__all__}
    own = doctest.DocTestParser().get_doctest(getattr(panelcal, name).__doc__, known, name, None, None)
    assert own.examples and any(example.want for example in own.examples)
    said = []
    result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(own, out=said.append)
    assert result.failed == 0, "".join(said)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_public_function_says_what_it_returns(name):
    assert "\nReturns\n-------\n" in inspect.getdoc(getattr(panelcal, name))


def test_what_is_raised_is_documented_where_it_is_raised_at_once():
    for name in FUNCTIONS:
        function = getattr(panelcal, name)
        if "raise " in inspect.getsource(function):
            assert "\nRaises\n------\n" in inspect.getdoc(function), name


CLASSES = [name for name in panelcal.__all__ if name not in FUNCTIONS]
REFUSALS = [name for name in CLASSES if issubclass(getattr(panelcal, name), Exception)]
RAISE_NOTHING = {
    *("assessor_differences", "certify", "declared_confidences", "influence", "methods"),
    *("network", "robustness", "uncertainty", "unexpected_scores"),
}
"""What takes a panel or a calibration, both checked before, and gives an answer for every one."""


@pytest.mark.parametrize("name", [name for name in panelcal.__all__ if name not in REFUSALS])
def test_a_public_name_says_where_it_comes_from(name):
    source = re.search(r"^Source: (\S.+?)\.$\n\n", inspect.getdoc(getattr(panelcal, name)), re.MULTILINE | re.DOTALL)
    assert source and re.search(r"\(\d{4}\)|\d{4}\)|docs/\w+\.md|eq\.|of our own|MacKay", source[1]), name
    for page in re.findall(r"docs/\w+\.md", source[1]):
        assert (ROOT / page).exists()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_public_function_says_what_it_refuses(name):
    told = "\nRaises\n------\n" in inspect.getdoc(getattr(panelcal, name))
    assert told != (name in RAISE_NOTHING)


def test_what_is_said_to_raise_nothing_answers_for_every_panel():
    odd = [Panel.from_matrix(rows) for rows in ([[60.0]], [[1.0, 2.0, 3.0]], [[1.0], [2.0]], [[0.0, 0.0], [0.0, 0.0]])]
    odd += [Panel.from_matrix([[1.0, 2.0], [math.nan, 5.0]]), Panel.from_matrix([[1e-9, 1e9], [1e9, 1e-9], [1.0, 2.0]])]
    for panel in odd:
        assert panelcal.network(panel).components
        calibration = panelcal.calibrate(panel)
        for name in RAISE_NOTHING - {"methods", "network"}:
            assert repr(getattr(panelcal, name)(calibration))


@pytest.mark.parametrize("name", CLASSES)
def test_a_public_class_says_what_it_holds_and_its_methods_what_they_give_and_refuse(name):
    kind = getattr(panelcal, name)
    if getattr(kind, "__dataclass_fields__", None):
        told = inspect.getdoc(kind).partition("\nAttributes\n")[2]
        for field in kind.__dataclass_fields__:
            assert field.startswith("_") or re.search(rf"\b{field}\b", told), field
    for method, function in inspect.getmembers(kind, inspect.isroutine):
        own = getattr(function, "__func__", function)
        if method.startswith("_") or not inspect.isfunction(own) or not own.__module__.startswith("panelcal"):
            continue
        assert own.__doc__, method
        if re.search(r"^ +raise ", inspect.getsource(own), re.MULTILINE):
            assert "Raises\n------\n" in inspect.getdoc(own), f"{name}.{method}"
