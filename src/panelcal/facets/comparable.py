"""Whether a common scale exists for a panel with criteria, and if not, which parts hang apart, by name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from panelcal.arrays import Array, Indices
from panelcal.errors import DisconnectedPanel, InvalidPanel, first_few
from panelcal.facets.design import Design
from panelcal.facets.facet_panel import FacetPanel
from panelcal.network import components

_NAMED = 4
_ROUNDING = 1e-9


def require_each_criterion_comparable(panel: FacetPanel) -> None:
    """Do nothing if every object has a score in every criterion and each criterion hangs together by itself.

    Raises
    ------
    InvalidPanel
        If an object has no score at all in a criterion.
    DisconnectedPanel
        If the scores of one criterion fall into groups that share nothing.
    """
    count = panel.n_criteria
    for k in range(count):
        there = np.zeros(len(panel.objects), dtype=np.bool_)
        there[panel.object_index[~np.isnan(panel.scores[:, k])]] = True
        if not there.all():
            without = [panel.objects[o] for o in np.flatnonzero(~there).tolist()]
            raise InvalidPanel(
                f"Nobody scored {first_few(without, _NAMED)} in {panel.criteria[k]}, so the total would lack it: have "
                "it scored, or leave that criterion out."
            )
        groups = components(panel.in_criterion(k))
        if len(groups) > 1:
            raise DisconnectedPanel(
                f"In {panel.criteria[k]} the panel falls into {len(groups)} groups with nothing in common "
                f"({_described(groups)}), so nothing says how their scores compare: leave that criterion out, or have "
                f"{groups[0][1][0]} score {groups[1][0][0]} in it.",
                groups,
            )


def require_one_scale(panel: FacetPanel, layout: Design, normal: Array) -> None:
    """Do nothing if the conditions on biases and levels are all that the scores leave open.

    Raises
    ------
    DisconnectedPanel
        Otherwise, naming the parts of the panel that can move against each other without any score telling.
    """
    values, vectors = np.linalg.eigh(normal)
    free = vectors[:, values <= _ROUNDING * max(float(values[-1]), 1.0)]
    if free.shape[1] == layout.conditions.shape[1]:
        return
    # What moves no score and is not just a shift of the zeros: parts are those that move alike.
    kept = np.linalg.svd(layout.conditions.T @ free)[2][layout.conditions.shape[1] :]
    moves = free @ kept.T
    groups = _grouped(panel, _parts(moves, layout.value_cell), _parts(moves, layout.bias_cell))
    said = _described([(objects, _with_criteria(panel, assessors)) for objects, assessors in groups])
    raise DisconnectedPanel(
        f"The scores do not join all criteria into one scale: {len(groups)} parts could move against each other "
        f"without any score telling ({said}). Leave a criterion out, or have somebody score across the parts.",
        groups,
    )


def _with_criteria(panel: FacetPanel, assessors: tuple[str, ...]) -> tuple[str, ...]:
    """Add to each assessor the criteria used, where not all are."""
    said = []
    for name in assessors:
        rows = panel.assessor_index == panel.assessors.index(name)
        used = np.flatnonzero(~np.isnan(panel.scores[rows]).all(axis=0))
        in_these = " and ".join(panel.criteria[k] for k in used.tolist())
        said.append(name if len(used) == panel.n_criteria else f"{name} in {in_these}")
    return tuple(said)


def _parts(moves: Array, cells: Indices) -> list[tuple[float, ...]]:
    """How each object or assessor moves, in all its criteria; those that move alike belong together."""
    padded = np.vstack([moves, np.zeros(moves.shape[1])])  # the last row is for cells that are not there
    return [tuple(np.round(padded[row], 6).ravel().tolist()) for row in cells]


def _grouped(
    panel: FacetPanel, objects: Sequence[tuple[float, ...]], assessors: Sequence[tuple[float, ...]]
) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """Name the parts: objects that move alike, and the assessors who met them most."""
    kinds = list(dict.fromkeys(objects))
    if len(kinds) == 1:  # it is assessors alone that hang apart, by the criteria they use
        kinds = list(dict.fromkeys(assessors))
        return tuple(
            ((), tuple(name for name, kind in zip(panel.assessors, assessors, strict=True) if kind == one))
            for one in kinds
        )
    met = np.zeros((len(panel.assessors), len(kinds)))
    np.add.at(met, (panel.assessor_index, np.array([kinds.index(objects[o]) for o in panel.object_index])), 1)
    nearest = met.argmax(axis=1)
    return tuple(
        (
            tuple(name for name, kind in zip(panel.objects, objects, strict=True) if kind == one),
            tuple(panel.assessors[a] for a in np.flatnonzero(nearest == k).tolist()),
        )
        for k, one in enumerate(kinds)
    )


def _described(groups: Sequence[tuple[tuple[str, ...], tuple[str, ...]]]) -> str:
    said = [
        f"group {k}: {' by '.join(first_few(part, _NAMED) for part in (objects, assessors) if part)}"
        for k, (objects, assessors) in enumerate(groups[:_NAMED], 1)
    ]
    more = f"; and {len(groups) - _NAMED} more groups" if len(groups) > _NAMED else ""
    return "; ".join(said) + more
