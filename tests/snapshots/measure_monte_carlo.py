"""Measures by how much sampled figures differ between seeds: `python tests/snapshots/measure_monte_carlo.py`.

For each column of each sheet, the largest standard deviation of a cell over the seeds. Takes a minute; needed only
when the sampler or the sheets of a sampled system change.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from unittest import mock

os.environ["OPENBLAS_NUM_THREADS"] = "1"
sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np

from panelcal.systems.ratings import results
from snapshots.frozen import MONTE_CARLO
from snapshots.sheets import SheetContents, workbook_contents
from snapshots.subjects import SUBJECTS, mask_of

SEEDS = (1, 2, 3, 4, 5)


def main() -> None:
    """Measure every sampled workbook."""
    errors: dict[str, dict[str, float]] = {}
    for name in (name for name, subject in SUBJECTS.items() if subject.sampled):
        drawn = [_sheets(name, seed) for seed in SEEDS]
        for sheet in drawn[0]:
            errors[sheet] = _column_errors([sheets[sheet] for sheets in drawn])
    lines = [f' "{sheet}": {json.dumps(columns)}' for sheet, columns in errors.items() if columns]
    MONTE_CARLO.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _sheets(name: str, seed: int) -> dict[str, SheetContents]:
    with tempfile.TemporaryDirectory() as folder, mock.patch.object(results, "SEED", seed):
        path = Path(folder) / f"{name}.xlsx"
        said = SUBJECTS[name].make(path)
        print(said, flush=True)
        return workbook_contents(path, mask_of(path, said))[1]


def _column_errors(drawn: list[SheetContents]) -> dict[str, float]:
    found: dict[str, float] = {}
    for row, cells in drawn[0].rows.items():
        for column in cells:
            values = [_number(sheet.rows.get(row, {}).get(column)) for sheet in drawn]
            error = float(np.nanstd(values, ddof=1)) if np.isfinite(values).sum() > 1 else 0.0
            if error:
                found[column] = max(found.get(column, 0.0), float(f"{error:.2g}"))
    return found


def _number(cell: object) -> float:
    value = cell[1] if isinstance(cell, list) else cell
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else float("nan")


if __name__ == "__main__":
    main()
