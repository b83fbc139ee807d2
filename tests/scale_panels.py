"""Smaller versions of the benchmark's graphs, and solutions refined in longdouble to compare with."""

from __future__ import annotations

import numpy as np

from panelcal import Panel
from panelcal.calibration.normal_equations import normal_equations
from panelcal.network import component_labels

LONGDOUBLE_IS_LONGER = np.finfo(np.longdouble).eps < 1e-18


def ring(n_assessors: int, reach: int = 3, seed: int = 0) -> Panel:
    """Three objects per assessor, each seen only by assessors within `reach` places."""
    random = np.random.default_rng(seed)
    objects = np.repeat(np.arange(3 * n_assessors), 4)
    return _scored(random, objects, (objects // 3 + random.integers(-reach, reach + 1, len(objects))) % n_assessors)


def communities(count: int, seed: int = 0) -> Panel:
    """Circle of communities of ten assessors and thirty objects; one assessment in fifty goes to the next one."""
    random = np.random.default_rng(seed)
    objects = np.repeat(np.arange(30 * count), 4)
    community = (objects // 30 + (random.random(len(objects)) < 0.02)) % count
    return _scored(random, objects, community * 10 + random.integers(0, 10, len(objects)))


def well_linked(n_objects: int, n_assessors: int, per_object: int, seed: int = 0) -> Panel:
    """Every assessor equally likely for every object."""
    random = np.random.default_rng(seed)
    objects = np.repeat(np.arange(n_objects), per_object)
    return _scored(random, objects, random.integers(0, n_assessors, len(objects)))


def _scored(random: np.random.Generator, objects: np.ndarray, assessors: np.ndarray) -> Panel:
    values, biases = random.normal(50, 15, objects.max() + 1), random.normal(0, 15, assessors.max() + 1)
    deviation = random.choice([5.0, 10.0, 15.0], len(objects))
    scores = values[objects] + biases[assessors] + deviation * random.standard_normal(len(objects))
    panel = Panel.from_records(objects, assessors, scores, 1 / deviation**2)
    count, group, _ = component_labels(panel)
    return panel if count == 1 else panel.subset(group[panel.object_index] == 0)


def longdouble_values(panel: Panel) -> np.ndarray:
    """Values in gauge (36), with residuals and sums in longdouble; the last step is below 1e-15."""
    wide, equations = np.longdouble, normal_equations(panel)
    values, biases = np.zeros(panel.n_objects, wide), np.zeros(panel.n_assessors, wide)
    confidences = panel.confidences.astype(wide)
    for _ in range(20):
        left = confidences * (panel.scores - values[panel.object_index] - biases[panel.assessor_index])
        on_objects, on_assessors = np.zeros(panel.n_objects, wide), np.zeros(panel.n_assessors, wide)
        np.add.at(on_objects, panel.object_index, left)
        np.add.at(on_assessors, panel.assessor_index, left)
        step = equations.apply_inverse(on_objects.astype(float), on_assessors.astype(float))
        values, biases = values + step[0], biases + step[1]
        if np.abs(step[0]).max() < 1e-15:
            weights = np.zeros(panel.n_assessors, wide)
            np.add.at(weights, panel.assessor_index, confidences)
            return values + weights @ biases / weights.sum()
    raise AssertionError("the longdouble refinement did not settle")
