"""How long a click and a cell function take in Python, over the test engine, on the 82 x 81 example.

Run with `python tests/benchmarks/bench_excel.py`. It counts the time of the processor, so that other work on the
computer does not show. What is spent in the engine stands for Excel's own and is left out. The aims: 0.5 s of Python
for a click beyond the writing, and 1 ms for a cached call.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one core, also where numpy brings threads of its own

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from excel import engine
from excel.engine_native import Clock
from excel.udf_server import served
from panelcal.excel import buttons
from panelcal.excel.read_sheet import read_workbook
from panelcal.excel.write_sheets import write_report
from panelcal.reading.read import read_panel
from panelcal.reporting.run_facts import RunFacts, run_moment, run_versions
from panelcal.systems.calibration.report import build_report
from panelcal.systems.calibration.results import compute_results

EXAMPLE = Path(__file__).resolve().parents[2] / "workbook_templates" / "exam_board_example.xlsx"
REPEATS = 5


def timed(work: Callable[[], object]) -> tuple[float, object]:
    """Seconds that some work takes in Python, without the engine, and what it returns."""
    Clock.seconds = 0.0
    start = time.process_time()
    result = work()
    return time.process_time() - start - Clock.seconds, result


def click() -> dict[str, float]:
    """Seconds that each part of a click takes."""
    app = engine.start()
    book = app.books.open(str(EXAMPLE))
    parts: dict[str, float] = {}
    parts["reading cells"], source = timed(lambda: read_workbook(book))
    parts["understanding them"], reading = timed(lambda: read_panel(source))
    parts["calibrating and all numbers"], results = timed(lambda: compute_results(reading))
    parts["report"], report = timed(
        lambda: build_report(
            results, RunFacts(created=run_moment(), versions=run_versions(), input_grid=source.grid(reading.sheet))
        )
    )
    parts["writing"], _ = timed(lambda: write_report(report, book))
    return parts


def whole_click() -> float:
    """Seconds that the button takes, engine included."""
    app = engine.start()
    app.books.open(str(EXAMPLE))
    start = time.process_time()
    buttons.calibrate()
    return time.process_time() - start


def starting() -> float:
    """Seconds of the processor until a click has its libraries, which it pays for anew, for each starts its own Python.

    What only developers have installed is kept from xlwings, which would load it.
    """
    bare = "import sys; sys.modules['pandas'] = sys.modules['matplotlib'] = None; from panelcal.excel import buttons"
    before = os.times()
    subprocess.run([sys.executable, "-c", bare], check=True)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def functions() -> dict[str, float]:
    """Seconds for the first and for a repeated call, with and without handing the cells over."""
    app = engine.start()
    book = app.books.open(str(EXAMPLE))
    marks = book.sheets["Marks"].range("A4:CD86")
    raw = marks.raw_value
    from panelcal.excel.cells_argument import Cells

    with served() as call:
        import panelcal.excel.functions as module

        missing = engine.MISSING
        first, _ = timed(lambda: call("calibrate", raw, missing, missing, missing))
        module.calibrate(Cells(raw))
        own = [timed(lambda: module.calibrate(Cells(raw)))[0] for _ in range(200)]
        whole = [timed(lambda: call("calibrate", raw, missing, missing, missing))[0] for _ in range(200)]
    return {
        "first call": first,
        "cached, function": statistics.median(own),
        "cached, with xlwings": statistics.median(whole),
    }


def main() -> None:
    """Print the medians."""
    runs = [click() for _ in range(REPEATS)]
    for part in runs[0]:
        print(f"{part:32s}{1000 * statistics.median(run[part] for run in runs):9.1f} ms")
    beyond = [sum(seconds for part, seconds in run.items() if part != "writing") for run in runs]
    print(f"{'click beyond the writing':32s}{1000 * statistics.median(beyond):9.1f} ms   (aim 500)")
    print(f"{'whole click, engine included':32s}{1000 * whole_click():9.1f} ms   {sum(engine.calls.values())} calls")
    print(f"{'starting Python, each click':32s}{1000 * statistics.median(starting() for _ in range(REPEATS)):9.1f} ms")
    for name, seconds in functions().items():
        print(f"{name:32s}{1000 * seconds:9.2f} ms{'   (aim 1)' if name.startswith('cached') else ''}")


if __name__ == "__main__":
    main()
