"""Which tests are left out of a plain `pytest`, how many processes share the rest, and what a failure shows."""

import gc
import os
import sys
from types import SimpleNamespace

import pytest

LEFT_OUT = "slow tests left out"
_LEFT_OUT = pytest.StashKey[int]()
_MOST_PROCESSES = 8


def pytest_configure(config):
    config.stash[_LEFT_OUT] = 0
    if config.option.markexpr == "not slow" and config.args and all("::" in name for name in config.args):
        config.option.markexpr = ""  # whoever names a test wants it to run
    if _is_of_all_tests(config):
        _take_asserts_as_they_are(config)


def _is_of_all_tests(config) -> bool:
    return config.args_source is config.ArgsSource.TESTPATHS


def _take_asserts_as_they_are(config):
    """Rewriting thousands of asserts, to show both sides of one that fails, costs each process nine seconds.

    A run of all tests shows the values of local names instead; whoever names a file or a test sees both.
    """
    if config.pluginmanager.rewrite_hook in sys.meta_path:
        sys.meta_path.remove(config.pluginmanager.rewrite_hook)
    config.option.showlocals = True


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config):
    """All tests share the cores; a few files are done before a second process has started."""
    if not _is_of_all_tests(config):
        return 0
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, _MOST_PROCESSES)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    for item in items:
        if item.get_closest_marker("office"):
            item.add_marker("slow")
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker("thorough")


def pytest_collection_finish():
    """Look for garbage seldom, and not among what was loaded: as it is, a twentieth of the time goes there."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)


def pytest_deselected(items):
    if items:
        items[0].config.stash[_LEFT_OUT] += sum(item.get_closest_marker("slow") is not None for item in items)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput[LEFT_OUT] = session.config.stash[_LEFT_OUT]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    # Every process collects, and leaves out, the same tests.
    node.config.stash[_LEFT_OUT] = node.workeroutput.get(LEFT_OUT, 0) if hasattr(node, "workeroutput") else 0


def pytest_terminal_summary(terminalreporter, config):
    if terminalreporter.stats.get("failed") and _is_of_all_tests(config):
        terminalreporter.write_line("Name a test that failed (pytest FILE::TEST) to see both sides of its assert.")
    count = config.stash[_LEFT_OUT]
    if not count:
        return
    # Counted in the closing line, as in one process.
    terminalreporter.stats.setdefault("deselected", [SimpleNamespace() for _ in range(count)])
    terminalreporter.write_line(
        f"{count} {LEFT_OUT} (simulations, formula engines, LibreOffice). They run with: pytest -m slow"
    )
