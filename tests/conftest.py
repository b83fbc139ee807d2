"""How the tests run, and the filled exam-board template, read and calibrated once for all of them."""

import os

# Small matrices on a core for each process: threads would only wait for each other. Before anything imports numpy.
for _library in ("OPENBLAS", "OMP", "MKL", "VECLIB_MAXIMUM"):
    os.environ[f"{_library}_NUM_THREADS"] = "1"

import zipfile
from pathlib import Path

import hypothesis
import pytest

from made_up_input import SEARCH, thorough

# However busy the machine is: what takes long is no fault of an example.
hypothesis.settings.register_profile(
    "any machine",
    deadline=None,
    derandomize=not SEARCH,
    max_examples=thorough(100),
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("any machine")

pytest_plugins = ("slow_tests",)

EXAMPLE = Path(__file__).parent.parent / "workbook_templates" / "exam_board_example.xlsx"


@pytest.fixture(scope="session", autouse=True)
def every_workbook_is_whole():
    """Look through the package of every workbook that a test lets the program put in its place."""
    from files.package_checks import check_package
    from panelcal.files import saving

    replace = os.replace

    def looked_through(source, target, **options):
        if str(target).endswith(".xlsx") and zipfile.is_zipfile(source):
            check_package(Path(source))
        replace(source, target, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(saving.os, "replace", looked_through)
        yield


@pytest.fixture(scope="session")
def example() -> Path:
    """The filled exam-board template."""
    return EXAMPLE


@pytest.fixture(scope="session")
def small_board(tmp_path_factory) -> Path:
    """The example with a tenth of its marks, for tests that want sheets and not many numbers: a fifth of the time."""
    import small_example

    return small_example.write(EXAMPLE, tmp_path_factory.mktemp("small") / "board.xlsx")


@pytest.fixture(scope="session")
def calibrated_small_board(small_board) -> Path:
    """The workbook that the command line makes of the small board."""
    import run_panelcal

    target = small_board.with_name("calibrated.xlsx")
    done = run_panelcal.run("calibrate", str(small_board), "-o", str(target))
    assert done.returncode == 0, done.stderr
    return target


@pytest.fixture(scope="session")
def example_results():
    """Everything computed from the example."""
    from panelcal.files.load import load_source
    from panelcal.reading.read import read_panel
    from panelcal.systems.calibration.results import compute_results

    return compute_results(read_panel(load_source(EXAMPLE)))


@pytest.fixture(scope="session")
def calibrated_example(tmp_path_factory) -> Path:
    """The workbook that the command line makes of the example."""
    import run_panelcal

    target = tmp_path_factory.mktemp("calibrated") / "board.xlsx"
    done = run_panelcal.run("calibrate", str(EXAMPLE), "-o", str(target))
    assert done.returncode == 0, done.stderr
    return target
