"""Nobody waits for what a command does not use: what is loaded by when, each in a process of its own."""

import ast
import functools
import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

import panelcal

EXAMPLE = Path(__file__).parents[1] / "workbook_templates" / "exam_board_example.xlsx"
_LOADED = "import json, sys\n{}\nprint('\\n' + json.dumps(sorted(sys.modules)))"
_COMMAND = """
sys.argv = ["panelcal", *{!r}]
from panelcal.cli import main
try:
    main()
except SystemExit as ended:
    assert not ended.code
"""
OTHER_ROOMS = (
    "anchors",
    "facets",
    "ordinal",
    "planning.assignment",
    "planning.worth",
    "excel",
    "reading.anchors",
    "reading.ratings",
    "reading.planning",
    "systems.anchors",
    "systems.planning",
    "systems.ratings",
    "files.build_templates",
    "files.template_data",
    "files.template_sheets",
    "files.made_up",
)


@functools.cache
def _loaded_by(program: str) -> frozenset[str]:
    """The modules that are there when a program has run in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", _LOADED.format(program)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return frozenset(json.loads(done.stdout.splitlines()[-1]))


def _under(modules: frozenset[str], *names: str) -> set[str]:
    return {module for module in modules for name in names if module == name or module.startswith(f"{name}.")}


@pytest.mark.parametrize("asked", [["--version"], ["--help"], ["calibrate", "--help"], ["template", "--help"]])
def test_help_and_version_wait_for_no_numbers_and_no_spreadsheets(asked):
    loaded = _loaded_by(_COMMAND.format(asked))
    assert not _under(loaded, "numpy", "scipy", "openpyxl", "python_calamine", "xlwings")


@pytest.mark.parametrize("command", ["check", "calibrate"])
def test_a_board_waits_for_no_other_system(command, tmp_path):
    output = ["-o", str(tmp_path / "out.xlsx")] if command == "calibrate" else []
    loaded = _loaded_by(_COMMAND.format([command, str(EXAMPLE), *output]))
    assert not _under(loaded, "xlwings", "scipy.optimize", "scipy.stats", *(f"panelcal.{room}" for room in OTHER_ROOMS))
    assert not _under(loaded, "scipy.sparse", "scipy.special")  # the example is small, its tails are our own
    assert "panelcal.reading.read" in loaded


def test_a_board_is_calibrated_on_one_core(monkeypatch, tmp_path):
    """Threads of linear algebra wait for each other where a computer is busy; who asks for them gets them."""
    for asked in (None, "2"):
        monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
        if asked:
            monkeypatch.setenv("OPENBLAS_NUM_THREADS", asked)
        _loaded_by(
            _COMMAND.format(["--version"]) + f"import os\nassert os.environ['OPENBLAS_NUM_THREADS'] == {asked or '1'!r}"
        )


@pytest.mark.slow
def test_a_check_waits_for_nothing_that_computes_reports_or_writes():
    loaded = _loaded_by(_COMMAND.format(["check", str(EXAMPLE)]))
    assert not _under(loaded, "panelcal.calibration", "panelcal.systems.calibration.results", "panelcal.files.write")


def test_a_template_is_handed_out_without_numbers(tmp_path):
    loaded = _loaded_by(_COMMAND.format(["template", "exam_board", "-o", str(tmp_path / "board.xlsx")]))
    assert not _under(loaded, "numpy", "scipy", "openpyxl")


@pytest.mark.slow
def test_the_package_loads_a_name_when_it_is_asked_for():
    loaded = _loaded_by("import panelcal")
    assert not _under(loaded, "numpy", "scipy")
    assert _under(loaded, "panelcal") == {"panelcal"}
    assert "panelcal.ordinal" not in _loaded_by("from panelcal import Panel, calibrate")


def test_editors_complete_what_is_there():
    """The names for type checkers, for `import *` and for loading agree, each where it is at home."""
    tree = ast.parse(Path(panelcal.__file__).read_text(encoding="utf-8"))
    for_checkers = {
        alias.name: node.module
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert sorted(for_checkers) == sorted(panelcal.__all__)
    assert set(panelcal.__all__) <= set(dir(panelcal))
    for name, home in for_checkers.items():
        assert getattr(panelcal, name) is getattr(importlib.import_module(home), name)


def test_a_name_that_is_not_there_is_refused_as_python_does():
    with pytest.raises(AttributeError, match="module 'panelcal' has no attribute 'calibrat'"):
        panelcal.calibrat  # noqa: B018


@pytest.mark.slow
def test_the_network_of_a_panel_is_a_function_whatever_was_imported_before():
    program = "import panelcal.network, panelcal.run, panelcal\nassert callable(panelcal.network)\n"
    program += "from panelcal import network\nassert callable(network)"
    assert "panelcal.network" in _loaded_by(program)


@pytest.mark.parametrize("asked", ["--version", "--help"])
def test_the_version_and_the_list_of_commands_wait_for_no_check_of_options(asked):
    assert not _under(_loaded_by(_COMMAND.format([asked])), "pydantic")


@pytest.mark.slow
def test_a_workbook_is_written_without_what_fetches_pages():
    assert not _under(_loaded_by("import panelcal.files.write"), "urllib.request", "http", "ssl")


@pytest.mark.slow
@pytest.mark.parametrize("door", ["buttons", "functions"])
def test_a_click_in_excel_waits_for_no_system_it_does_not_run(door):
    loaded = _loaded_by(f"import panelcal.excel.{door}")
    assert not _under(loaded, "scipy.optimize", "scipy.stats", "openpyxl", "panelcal.anchors", "panelcal.ordinal")
