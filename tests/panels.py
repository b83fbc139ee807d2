"""Made-up panels for the tests, and the slow plain way to the same numbers."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from panelcal import Panel


def simulated_panel(
    n_objects: int, n_assessors: int, per_object: int, seed: int, *, bias_sd: float = 5.0, noise_sd: float = 7.0
) -> Panel:
    """Objects assessed by `per_object` assessors at random, confidences between 6 and 18 as credits are."""
    random = np.random.default_rng(seed)
    objects = np.repeat(np.arange(n_objects), per_object)
    assessors = np.concatenate([random.choice(n_assessors, per_object, replace=False) for _ in range(n_objects)])
    confidences = random.choice([6.0, 7.5, 12.0, 15.0, 18.0], len(objects))
    values, biases = random.normal(60, 9, n_objects), random.normal(0, bias_sd, n_assessors)
    noise = noise_sd * np.sqrt(15 / confidences) * random.standard_normal(len(objects))
    return Panel.from_records(objects, assessors, values[objects] + biases[assessors] + noise, confidences)


def connected_simulated_panel(n_objects: int, n_assessors: int, per_object: int, seed: int) -> Panel:
    """As `simulated_panel`, with one more assessor who sees every third object and everyone's first, so all connect."""
    panel = simulated_panel(n_objects, n_assessors, per_object, seed)
    first_by_assessor = {a: o for o, a in zip(panel.object_index[::-1], panel.assessor_index[::-1], strict=True)}
    chosen = sorted({*range(0, n_objects, 3), *first_by_assessor.values()})
    objects = [panel.objects[k] for k in panel.object_index] + [panel.objects[k] for k in chosen]
    assessors = [panel.assessors[k] for k in panel.assessor_index] + ["link"] * len(chosen)
    random = np.random.default_rng(seed + 1)
    scores = np.concatenate([panel.scores, random.normal(60, 10, len(chosen))])
    confidences = np.concatenate([panel.confidences, random.uniform(5, 20, len(chosen))])
    return Panel.from_records(objects, assessors, scores, confidences)


@st.composite
def panels(draw: st.DrawFn, max_objects: int = 7, max_assessors: int = 6) -> Panel:
    """Small connected panels: a random tree of assessments plus random others, some of them repeated."""
    n_objects, n_assessors = draw(st.integers(1, max_objects)), draw(st.integers(1, max_assessors))
    objects, assessors = [0], [0]
    for o in range(1, n_objects):
        objects.append(o)
        assessors.append(draw(st.integers(0, min(max(assessors), n_assessors - 1))))
    for a in range(1, n_assessors):
        objects.append(draw(st.integers(0, n_objects - 1)))
        assessors.append(a)
    for _ in range(draw(st.integers(0, 12))):
        objects.append(draw(st.integers(0, n_objects - 1)))
        assessors.append(draw(st.integers(0, n_assessors - 1)))
    count = len(objects)
    scores = draw(st.lists(st.integers(0, 200).map(lambda k: k / 2), min_size=count, max_size=count))
    confidences = draw(st.lists(st.sampled_from([0.25, 0.5, 1.0, 3.0, 7.5, 16.0]), min_size=count, max_size=count))
    return Panel.from_records(objects, assessors, scores, confidences)


def bordered_solution(panel: Panel, on_objects: np.ndarray, on_assessors: np.ndarray, target: float):
    """Values, biases and the unit covariance by one dense solve of the normal equations bordered with the gauge."""
    n, m = panel.n_objects, panel.n_assessors
    matrix = np.zeros((n + m + 1, n + m + 1))
    right = np.zeros(n + m + 1)
    for o, a, s, c in zip(panel.object_index, panel.assessor_index, panel.scores, panel.confidences, strict=True):
        matrix[o, o] += c
        matrix[n + a, n + a] += c
        matrix[o, n + a] += c
        matrix[n + a, o] += c
        right[o] += c * s
        right[n + a] += c * s
    gauge = np.concatenate([on_objects, on_assessors])
    matrix[-1, :-1] = matrix[:-1, -1] = gauge
    right[-1] = target
    inverse = np.linalg.inv(matrix)
    solution = inverse @ right
    return solution[:n], solution[n:-1], inverse[:-1, :-1]
