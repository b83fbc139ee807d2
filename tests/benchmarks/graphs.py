"""The graphs that panelcal is measured on, from a small board to a full Excel sheet, with made-up scores.

Large sparse graphs are cut down to their largest connected part, since nothing else can be calibrated in one piece.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from panelcal import Panel
from panelcal.network import component_labels

FULL_SHEET = 1_048_575  # rows of an Excel sheet below the headings
Index = NDArray[np.intp]


def case_study(per_object: int) -> Panel:
    """(i) 3,000 objects, 15 assessors, each object seen by `per_object` of them."""
    random = np.random.default_rng([1, per_object])
    assessors = np.argsort(random.random((3000, 15)), axis=1)[:, :per_object].ravel()
    return scored(random, np.repeat(np.arange(3000), per_object), assessors)


def exam_board() -> Panel:
    """(ii) 82 students, 81 modules of very different popularity, credits as confidences."""
    random = np.random.default_rng(2)
    popularity = np.exp(random.normal(0, 1.3, 81))
    popularity /= popularity.sum()
    taken = [random.choice(81, random.integers(8, 13), replace=False, p=popularity) for _ in range(82)]
    objects = np.repeat(np.arange(82), [len(modules) for modules in taken])
    assessors = np.concatenate(taken)
    missing = np.setdiff1d(np.arange(81), assessors)
    objects = np.concatenate([objects, random.integers(0, 82, len(missing))])
    assessors = np.concatenate([assessors, missing])
    credits_of = random.choice([6, 7.5, 12, 15, 18], 81, p=[0.05, 0.05, 0.1, 0.4, 0.4])
    confidences = credits_of[assessors]
    noise = 30 / np.sqrt(confidences) * random.standard_normal(len(objects))
    scores = random.normal(63, 8, 82)[objects] + random.normal(0, 7, 81)[assessors] + noise
    return largest_part(_panel(objects, assessors, np.clip(np.round(scores), 0, 100), confidences))


def lecturers() -> Panel:
    """(iii) as the InstEval data: 73,421 ratings from 1 to 5 of 1,128 lecturers by 2,972 students, unweighted."""
    random = np.random.default_rng(3)
    popularity = np.exp(random.normal(0, 0.9, 1128))
    objects = random.choice(1128, 73_421, p=popularity / popularity.sum())
    assessors = random.integers(0, 2972, 73_421)
    objects[:1128], assessors[-2972:] = np.arange(1128), np.arange(2972)
    wish = 3.2 + random.normal(0, 0.5, 1128)[objects] + random.normal(0, 0.4, 2972)[assessors]
    scores = np.clip(np.round(wish + 1.2 * random.standard_normal(len(objects))), 1, 5)
    return largest_part(_panel(objects, assessors, scores, np.ones(len(objects))))


def random_graph(n_assessments: int = FULL_SHEET, n_objects: int = 200_000, n_assessors: int = 2_000) -> Panel:
    """(iv) every assessor equally likely for every object."""
    random = np.random.default_rng([4, n_assessments])
    objects = _at_least_once(random, n_objects, n_assessments)
    return largest_part(scored(random, objects, random.integers(0, n_assessors, n_assessments)))


def ring() -> Panel:
    """(va) 300,000 objects and 100,000 assessors on a ring; each object is seen only by assessors near it."""
    random = np.random.default_rng(5)
    objects = _at_least_once(random, 300_000, FULL_SHEET)
    return largest_part(scored(random, objects, (objects // 3 + random.integers(-10, 11, FULL_SHEET)) % 100_000))


def communities() -> Panel:
    """(vb) 1,000 communities in a circle; one assessment in a hundred goes to the next one."""
    random = np.random.default_rng(6)
    objects = _at_least_once(random, 300_000, FULL_SHEET)
    community = (objects // 300 + (random.random(FULL_SHEET) < 0.01)) % 1000
    return largest_part(scored(random, objects, community * 100 + random.integers(0, 100, FULL_SHEET)))


def sparse_random() -> Panel:
    """(vc) 300,000 objects and 100,000 assessors at random: too many on either side for a dense factor."""
    random = np.random.default_rng(7)
    objects = _at_least_once(random, 300_000, FULL_SHEET)
    return largest_part(scored(random, objects, random.integers(0, 100_000, FULL_SHEET)))


GRAPHS: dict[str, Callable[[], Panel]] = {
    **{f"(i) 3,000 x 15, {r} each": (lambda r=r: case_study(r)) for r in range(2, 7)},
    "(ii) exam board": exam_board,
    "(iii) lecturers": lecturers,
    "(iv) random 200,000 x 2,000": random_graph,
    "(va) ring": ring,
    "(vb) communities": communities,
    "(vc) sparse random": sparse_random,
}


def largest_part(panel: Panel) -> Panel:
    """Return the largest connected part."""
    count, object_group, _ = component_labels(panel)
    return panel if count == 1 else panel.subset(object_group[panel.object_index] == 0)


def _at_least_once(random: np.random.Generator, n_objects: int, n_assessments: int) -> Index:
    return np.concatenate([np.arange(n_objects), random.integers(0, n_objects, n_assessments - n_objects)])


def scored(random: np.random.Generator, objects: Index, assessors: Index) -> Panel:
    """Values and biases of standard deviation 15; scores good to 5, 10 or 15."""
    values, biases = random.normal(50, 15, objects.max() + 1), random.normal(0, 15, assessors.max() + 1)
    deviation = random.choice([5.0, 10.0, 15.0], len(objects))
    scores = values[objects] + biases[assessors] + deviation * random.standard_normal(len(objects))
    return _panel(objects, assessors, scores, 1 / deviation**2)


def _panel(objects: Index, assessors: Index, scores: NDArray[np.float64], confidences: NDArray[np.float64]) -> Panel:
    return Panel.from_records(objects, assessors, scores, confidences)
