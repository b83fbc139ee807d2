"""Made-up long tables, as files and as panels."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from panelcal import Panel

NAMES: dict[str, Any] = {"object": "student", "assessor": "marker", "score": "mark", "confidence": "sure"}


@dataclass(frozen=True)
class MadeUp:
    """Columns of a made-up table."""

    student: np.ndarray
    marker: np.ndarray
    mark: np.ndarray
    sure: np.ndarray

    def table(self) -> pa.Table:
        """Return it with whole numbers for students and text for markers."""
        markers = pa.array([f"m{k:05d}" for k in self.marker.tolist()])
        return pa.table({"student": self.student, "marker": markers, "mark": self.mark, "sure": self.sure})

    def panel(self) -> Panel:
        """Return it as the program holds a panel."""
        markers = np.array([f"m{k:05d}" for k in range(int(self.marker.max()) + 1)])[self.marker]
        return Panel.from_records(self.student.astype(str).tolist(), markers.tolist(), self.mark, self.sure)


def made_up(students: int, markers: int, each: int, *, seed: int = 1) -> MadeUp:
    """Every student has `each` different markers, in an order that tells nothing."""
    random = np.random.default_rng(seed)
    student = np.repeat(np.arange(students), each)
    step = random.integers(1, max(2, markers // each), students)
    marker = (random.integers(0, markers, students)[:, None] + step[:, None] * np.arange(each)) % markers
    marker = marker.ravel()
    mark = 60 + random.normal(0, 8, students)[student] + random.normal(0, 5, markers)[marker]
    mark = np.round(mark + random.normal(0, 4, len(student)), 1)
    order = random.permutation(len(student))
    return MadeUp(student[order], marker[order], mark[order], random.choice([0.25, 1.0, 4.0], len(student)))


def filed(table: pa.Table, folder: Path, name: str = "marks.parquet") -> Path:
    """Write it to a file."""
    path = folder / name
    pq.write_table(table, path)
    return path


def read(folder: Path, name: str) -> dict[str, list[Any]]:
    """Read a table of results."""
    columns: dict[str, list[Any]] = pq.read_table(folder / f"{name}.parquet").to_pydict()
    return columns
