"""What a run on a long table wrote, compared with the same panel in memory."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from large.long_tables import read
from panelcal import Panel, calibrate, certify, robustness, uncertainty
from panelcal.calibration.averages import weighted_average
from panelcal.calibration.verdict import verdict


def by_label(labels, values):
    return dict(zip(map(str, labels), np.asarray(values, dtype=float).tolist(), strict=True))


def in_order(labels, objects, values):
    found = by_label(objects, values)
    return [found[str(label)] for label in labels]


def compare(folder: Path, panel: Panel, *, gauge: str = "weighted", reference: float | None = None) -> None:
    fit = calibrate(panel, gauge=gauge, reference=reference)
    sure = uncertainty(fit)
    values, assessors = read(folder, "values"), read(folder, "assessors")
    interval = sure.value_interval(0.95)
    for column, expected in (
        ("value", fit.values),
        ("standard_error", sure.value_errors),
        ("lower", interval[:, 0]),
        ("upper", interval[:, 1]),
        ("average", weighted_average(panel)),
        ("assessments", np.bincount(panel.object_index)),
    ):
        found, wanted = by_label(values["object"], values[column]), by_label(panel.objects, expected)
        assert found.keys() == wanted.keys()
        np.testing.assert_allclose([found[k] for k in wanted], list(wanted.values()), rtol=1e-9, atol=1e-9)
    for column, expected in (("bias", fit.biases), ("standard_error", sure.bias_errors)):
        found, wanted = by_label(assessors["assessor"], assessors[column]), by_label(panel.assessors, expected)
        np.testing.assert_allclose([found[k] for k in wanted], list(wanted.values()), rtol=1e-9, atol=1e-9)
    summary = json.loads((folder / "summary.json").read_text())
    assert summary["w"] == [pytest.approx(fit.w_unbiased, rel=1e-9)]
    assert summary["degrees_of_freedom"] == [fit.degrees_of_freedom]
    assert summary["mu2"] == [pytest.approx(robustness(fit).mu2, rel=1e-6)]
    judged = verdict(panel, calibration=fit)
    assert summary["f_statistic"] == pytest.approx(judged.f_statistic, rel=1e-8)
    assert summary["p_value"] == pytest.approx(judged.p_value, rel=1e-6, abs=1e-300)
    assert summary["largest_change"] == pytest.approx(judged.largest_change, rel=1e-8)
    assert summary["solution_proven"]
    off = max(
        abs(a - b) for a, b in zip(values["value"], in_order(values["object"], panel.objects, fit.values), strict=True)
    )
    assert off - certify(fit).solution_error <= summary["solution_error"] < 1e-7
    if panel.n_objects < panel.n_assessors:  # only the F test says something
        assert summary["advice"] is None
        return
    assert summary["advice"] == judged.advice
    assert summary["sentences"][1] == judged.sentence
    for name, error in judged.expected_error.items():
        assert summary["expected_error"][name] == pytest.approx(error, rel=1e-7)
