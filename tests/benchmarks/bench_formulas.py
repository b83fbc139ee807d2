"""How long the formulas take to recalculate, in the spreadsheet engines that run here: 82 x 81 in under 0.3 s.

Run with `python tests/benchmarks/bench_formulas.py` after `pip install "panelcal[formulas]"`; medians on one core.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import formulon
import ironcalc
import numpy as np

from files.formula_engines import SOURCES, cell_by_cell
from files.random_panels import SheetPanel, random_panel
from panelcal.shipped import templates_folder

ROUNDS, GOAL = 15, 0.3
CALLS = ("VALUES", "BIASES", "ERRORS", "FIT")
WITHOUT_MINVERSE = {name: formula.replace("MINVERSE(matrix)", "NA()") for name, formula in SOURCES.items()}


def median_seconds(change: Callable[[float], None], recalculate: Callable[[], None]) -> float:
    """Return the median of recalculating after a change of one mark, after two rounds to warm up."""
    times = []
    for k in range(ROUNDS + 2):
        change(50.0 + k)
        start = time.perf_counter()
        recalculate()
        times.append(time.perf_counter() - start)
    return statistics.median(times[2:])


def in_formulon(sheet: SheetPanel, call: str, sources: dict[str, str]) -> float:
    """Time one formula in formulon."""
    with formulon.Workbook.create_default() as book:
        book.rename_sheet(0, "Scores")
        book.add_sheet("Conf")
        book.add_sheet("Out")
        for name, formula in sources.items():
            book.set_defined_name(name, f"={formula}")
        for at, cells in enumerate((sheet.cells, sheet.confidence_cells)):
            for (row, column), value in np.ndenumerate(np.array(cells, dtype=object)):
                if isinstance(value, str):
                    book.set_text(at, row, column, value)
                elif value is not None:
                    book.set_number(at, row, column, float(value))
        book.set_formula(2, 0, 0, f"={call}")
        row, column = map(int, np.argwhere(~np.isnan(sheet.scores))[0])
        return median_seconds(lambda mark: book.set_number(0, row, column, mark), book.recalc)


def in_ironcalc(sheet: SheetPanel, call: str, sources: dict[str, str]) -> float:
    """Time one formula in ironcalc."""
    model = ironcalc.create("panel", "en", "UTC", "en")
    model.rename_sheet(0, "Scores")
    model.new_sheet()
    model.rename_sheet(1, "Conf")
    model.new_sheet()
    for name, formula in sources.items():
        model.new_defined_name(name, None, cell_by_cell(formula))
    for at, cells in enumerate((sheet.cells, sheet.confidence_cells)):
        for (row, column), value in np.ndenumerate(np.array(cells, dtype=object)):
            if isinstance(value, str):
                model.update_cell_with_text(at, row + 1, column + 1, value)
            elif value is not None:
                model.update_cell_with_number(at, row + 1, column + 1, float(value))
    model.set_user_input(2, 1, 1, f"={call}")
    row, column = (int(at) + 1 for at in np.argwhere(~np.isnan(sheet.scores))[0])
    return median_seconds(lambda mark: model.update_cell_with_number(0, row, column, mark), model.evaluate)


def whole_sheet() -> float:
    """Time the whole sheet Live results of the example, all formulas of it, in formulon."""
    with formulon.Workbook.load((templates_folder() / "live_board_example.xlsx").read_bytes()) as book:
        book.recalc()
        return median_seconds(lambda mark: book.set_number(1, 4, 5, mark), book.recalc)


def main() -> None:
    """Print the table."""
    board = random_panel(np.random.default_rng(1), (82, 81), 0.12, "row")
    print(f"{board.description}\n{'seconds':44}{'formulon':>10}{'ironcalc':>10}")
    for name in CALLS:
        times = [time_in(board, board.call(name), dict(SOURCES)) for time_in in (in_formulon, in_ironcalc)]
        print(f"{f'CALIBRATE.{name}':44}{times[0]:10.3f}{times[1]:10.3f}   {'ok' if max(times) < GOAL else 'SLOW'}")
    times = [time_in(board, board.call("VALUES"), WITHOUT_MINVERSE) for time_in in (in_formulon, in_ironcalc)]
    print(f"{'CALIBRATE.VALUES without MINVERSE':44}{times[0]:10.3f}{times[1]:10.3f}")
    print(f"{'the sheet Live results, all 14 formulas':44}{whole_sheet():10.3f}")


if __name__ == "__main__":
    main()
