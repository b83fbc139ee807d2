"""Make the sample data of the documentation: `python docs/make_data.py`. Everything in it is made up."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np

from panelcal import plan_assignment, simulate_panel

TARGET = Path(__file__).parent / "data"
SEED = 2015
CRITERIA = {"idea": 0.0, "method": -0.5, "writing": 0.8}  # how much easier than the others


def marks() -> str:
    """Return 36 scripts, three markers each of eight, as CSV: a whole mark and a confidence."""
    panel = simulate_panel(
        36, 8, 3, mean=60, value_sd=9, bias_sd=6, noise_sd=3, confidence_levels=(1.0, 2.0, 4.0), seed=SEED
    ).panel
    rows = zip(panel.object_index, panel.assessor_index, panel.scores, panel.confidences, strict=True)
    lines = [
        (f"S{o + 1:02}", f"M{a + 1}", round(min(max(score, 0), 100)), f"{sure:g}")
        for o, a, score, sure in sorted(rows, key=lambda row: row[:2])
    ]
    return _csv(("student", "marker", "mark", "confidence"), lines)


def criteria() -> str:
    """Return 24 proposals, three reviewers each of eight, a score in each of three criteria, as CSV."""
    random = np.random.default_rng(SEED)
    plan = plan_assignment(24, 8, 3, seed=SEED)
    values, biases = random.normal(6, 1.2, 24), random.normal(0, 0.8, 8)
    leanings = random.normal(0, 0.5, (8, len(CRITERIA)))
    lines = []
    for o, a in zip(plan.object_index, plan.assessor_index, strict=True):
        for k, (criterion, easier) in enumerate(CRITERIA.items()):
            score = values[o] + biases[a] + leanings[a, k] + easier + random.normal(0, 0.5)
            lines.append((f"P{o + 1:02}", f"R{a + 1}", criterion, f"{min(max(score, 1), 10):.1f}"))
    return _csv(("proposal", "reviewer", "criterion", "score"), lines)


def _csv(headings: tuple[str, ...], lines: list[tuple[object, ...]]) -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows([headings, *lines])
    return stream.getvalue()


FILES = {"marks.csv": marks, "criteria.csv": criteria}

if __name__ == "__main__":
    TARGET.mkdir(exist_ok=True)
    for name, make in FILES.items():
        (TARGET / name).write_text(make(), encoding="utf-8")
