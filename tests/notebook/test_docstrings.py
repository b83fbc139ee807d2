"""Every public name says what it returns and has an example that runs."""

import doctest
import importlib.util
import inspect

import pytest

import panelcal

NEEDS = {"LargeCalibration": "duckdb", "calibrate_relation": "duckdb"}
SLOW = {"LargeCalibration", "OrdinalPosterior"}  # shown again by the functions that make them
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
