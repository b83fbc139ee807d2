"""The ten shapes on which speed is compared, each with its scores listed object by object, as a sheet lists them."""

from __future__ import annotations

from collections.abc import Callable

import graphs
import numpy as np
from numpy.typing import NDArray

from panelcal import Panel

Index = NDArray[np.intp]


def star(n_assessors: int = 40_000, per_assessor: int = 3) -> Panel:
    """One moderator sees every object; everybody else sees a few that nobody else has."""
    random = np.random.default_rng(8)
    objects = np.repeat(np.arange(n_assessors * per_assessor), 2)
    assessors = np.where(np.arange(len(objects)) % 2 == 0, 0, 1 + objects // per_assessor)
    return graphs.scored(random, objects, assessors)


def chain(n_objects: int = 150_000) -> Panel:
    """Every object is seen by two neighbours in a row of assessors, and links each to the next."""
    random = np.random.default_rng(9)
    objects = np.repeat(np.arange(n_objects), 2)
    return graphs.scored(random, objects, objects + np.arange(len(objects)) % 2)


def power_law(n_objects: int = 100_000, n_assessors: int = 20_000, n_assessments: int = 500_000) -> Panel:
    """Few objects and few assessors have most of the scores: popularity falls as one over rank."""
    random = np.random.default_rng(10)
    objects = np.minimum(n_objects ** random.random(n_assessments) - 1, n_objects - 1).astype(np.intp)
    assessors = np.minimum(n_assessors ** random.random(n_assessments) - 1, n_assessors - 1).astype(np.intp)
    pairs = np.unique(objects * n_assessors + assessors)  # popular ones meet once
    spread = np.setdiff1d(np.arange(n_objects), pairs // n_assessors)
    more = np.stack([spread, random.integers(0, n_assessors, len(spread))])
    objects, assessors = np.hstack([np.stack([pairs // n_assessors, pairs % n_assessors]), more])
    return graphs.largest_part(graphs.scored(random, objects, np.unique(assessors, return_inverse=True)[1]))


def medium() -> Panel:
    """20,000 objects, 300 assessors, five scores each."""
    random = np.random.default_rng(11)
    return graphs.scored(random, np.repeat(np.arange(20_000), 5), random.integers(0, 300, 100_000))


def by_object(panel: Panel) -> Panel:
    """Return the same panel with its scores listed object by object."""
    order = np.argsort(panel.object_index, kind="stable")
    return Panel(
        panel.objects,
        panel.assessors,
        panel.object_index[order],
        panel.assessor_index[order],
        panel.scores[order],
        panel.confidences[order],
    )


def shuffled(panel: Panel) -> Panel:
    """Return the same panel with its scores in no order."""
    order = np.random.default_rng(12).permutation(panel.n_assessments)
    return Panel(
        panel.objects,
        panel.assessors,
        panel.object_index[order],
        panel.assessor_index[order],
        panel.scores[order],
        panel.confidences[order],
    )


SHAPES: dict[str, Callable[[], Panel]] = {
    "board, 82 x 81": graphs.exam_board,
    "case study, 3,000 x 15": lambda: graphs.case_study(6),
    "20,000 x 300": medium,
    "InstEval-like, 1,128 x 2,972": graphs.lecturers,
    "full sheet, 200,000 x 2,000": graphs.random_graph,
    "ring": graphs.ring,
    "communities": graphs.communities,
    "star": star,
    "chain": chain,
    "power law": power_law,
}
