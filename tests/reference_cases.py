"""The certified cases of tests/data: scores in, expected numbers out (exact rational arithmetic where there is any)."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from panelcal import Panel

DATA = Path(__file__).parent / "data"
GAUGES = {"weighted": "gauge_sum_Cb_zero", "equal": "gauge_sum_b_zero", "reference": "gauge_sum_Cb_zero"}


@dataclass(frozen=True)
class Case:
    """One certified case."""

    name: str
    panel: Panel
    expected: dict[str, Any]
    size: float  # what errors are relative to: the spread of the scores, or their size for the huge offset

    def values(self, gauge: str, what: str = "v") -> np.ndarray:
        """Expected numbers by object."""
        return np.array([self.expected[GAUGES[gauge]][what][label] for label in self.panel.objects])

    def biases(self, gauge: str, what: str = "b") -> np.ndarray:
        """Expected numbers by assessor."""
        return np.array([self.expected[GAUGES[gauge]][what][label] for label in self.panel.assessors])


def load_case(name: str) -> Case:
    with (DATA / f"{name}.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    panel = Panel.from_records(
        [row["object"] for row in rows],
        [row["assessor"] for row in rows],
        [float(row["score"]) for row in rows],
        [float(row["confidence"]) for row in rows],
    )
    expected = json.loads((DATA / f"{name}.json").read_text())
    exact = DATA / f"{name}_exact.json"
    if exact.exists():
        expected |= json.loads(exact.read_text())
    size = float(np.ptp(panel.scores)) or 1.0
    return Case(name, panel, expected, max(size, float(np.abs(panel.scores).max()) if name.endswith("1e9") else 0.0))


CONNECTED = sorted(path.stem for path in DATA.glob("*.csv") if path.stem != "disconnected_two")
EXACT = sorted(path.stem.removesuffix("_exact") for path in DATA.glob("*_exact.json"))
