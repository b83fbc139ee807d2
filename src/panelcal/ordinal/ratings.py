"""Ratings on a scale of a few ordered levels, of one or several features: who rated what, and how.

The data y_ijq of McElreath (2021): judge j's rating of feature q of talk i, as a level number from 0 (lowest) upwards.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from panelcal.arrays import Indices, Mask
from panelcal.errors import InvalidPanel, first_few
from panelcal.frozen import dataclass
from panelcal.network import components
from panelcal.panel import Panel
from panelcal.shown import Tabled

FEWEST_LEVELS, MOST_LEVELS = 2, 11
_NOT_AMONG_LEVELS = -2


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Ratings(Tabled):
    """Ratings that assessors gave to objects, one row per assessment, one column per feature.

    Build one with `from_records`, which checks what it is given.

    Source: the data of McElreath (2021), Rating conference presentations when judges vary.

    Attributes
    ----------
    objects, assessors
        Labels, in order of first appearance.
    features
        (Q,) labels of what was rated.
    levels
        (L + 1,) labels of the scale, lowest first; between 2 and 11.
    object_index, assessor_index
        (N,) integers: which object and which assessor each row belongs to.
    ratings
        (N, Q) integers 0..L: places in `levels`; -1 = not rated. Every row has at least one rating.

    Examples
    --------
    >>> ratings = Ratings.from_records(['A', 'A', 'B', 'B'], ['x', 'y', 'x', 'y'], [2, 3, 1, 1], levels=[1, 2, 3])
    >>> (ratings.n_objects, ratings.n_assessors, ratings.n_cutpoints)
    (2, 2, 2)
    """

    objects: tuple[str, ...]
    assessors: tuple[str, ...]
    features: tuple[str, ...]
    levels: tuple[str, ...]
    object_index: Indices
    assessor_index: Indices
    ratings: NDArray[np.int8]

    @classmethod
    def from_records(
        cls,
        objects: Sequence[Any],
        assessors: Sequence[Any],
        ratings: Sequence[Any] | NDArray[Any],
        *,
        levels: Sequence[Any] | None = None,
        features: Sequence[Any] | None = None,
    ) -> Ratings:
        """Make ratings from a long list, one assessment per entry.

        A repeated pair of object and assessor stays as two assessments; an entry without any rating is left out.

        Parameters
        ----------
        objects, assessors
            (N,) labels; they are turned into text.
        ratings
            (N,) or (N, Q): numbers or texts from `levels`; NaN, None or "" = not rated.
        levels
            The scale, lowest first: numbers or texts in any order that is meant. None = the numbers that occur, and
            where these are whole numbers, those between them too.
        features
            (Q,) labels of what was rated; None gives "Rating", or "Feature 1", "Feature 2", ...

        Raises
        ------
        InvalidPanel
            If the lengths differ, nothing was rated, a rating is not on the scale, the scale has fewer than 2 or more
            than 11 levels or is unknown, or an object, assessor or feature has no rating at all.
        """
        object_names, assessor_names = [str(label) for label in objects], [str(label) for label in assessors]
        rows = [_row(entry) for entry in ratings]
        if not len(object_names) == len(assessor_names) == len(rows):
            raise InvalidPanel(
                f"There are {len(object_names)} objects, {len(assessor_names)} assessors and {len(rows)} ratings: each "
                "assessment needs one of each."
            )
        if not any(_is_given(cell) for row in rows for cell in row):
            raise InvalidPanel("There are no ratings.")
        width = len(rows[0])
        if any(len(row) != width for row in rows):
            raise InvalidPanel("Every assessment needs the same number of features; leave those not rated empty.")
        feature_labels = _feature_labels(features, width)
        scale = _scale(rows, levels)
        place = {_key(level): k for k, level in enumerate(scale)}
        codes = np.array(
            [[place.get(_key(c), _NOT_AMONG_LEVELS) if _is_given(c) else -1 for c in row] for row in rows],
            dtype=np.int8,
        )
        _refuse_off_scale(codes, rows, object_names, assessor_names, scale)
        rated = codes.max(axis=1) >= 0
        object_labels, object_index = _index_rated(object_names, rated, "object")
        assessor_labels, assessor_index = _index_rated(assessor_names, rated, "assessor")
        codes = codes[rated]
        empty = [label for label, highest in zip(feature_labels, codes.max(axis=0), strict=True) if highest < 0]
        if empty:
            raise InvalidPanel(f"No rating at all of {first_few(empty)}: leave it out.")
        for array in (object_index, assessor_index, codes):
            array.setflags(write=False)
        return cls(
            object_labels,
            assessor_labels,
            feature_labels,
            tuple(_text(level) for level in scale),
            object_index,
            assessor_index,
            codes,
        )

    @property
    def n_objects(self) -> int:
        """Number of objects, the document's N."""
        return len(self.objects)

    @property
    def n_assessors(self) -> int:
        """Number of assessors, the document's M."""
        return len(self.assessors)

    @property
    def n_features(self) -> int:
        """Number of features rated, Q."""
        return len(self.features)

    @property
    def n_cutpoints(self) -> int:
        """Number of cut-points between the levels, L."""
        return len(self.levels) - 1

    def panel(self, feature_weights: ArrayLike | None = None) -> Panel:
        """Return the ratings as scores, for plain averages and additive calibration.

        Levels count 1, 2, ..., L + 1. The score of an assessment is the weighted sum over features; where some were not
        rated, the weighted mean of the others stands in for them; assessments without any that counts are left out.

        Parameters
        ----------
        feature_weights
            (Q,); None = 1 each.
        """
        weights = np.ones(self.n_features) if feature_weights is None else np.asarray(feature_weights, dtype=np.float64)
        rated = self.ratings >= 0
        present = rated @ np.abs(weights)
        sums = np.where(rated, self.ratings + 1.0, 0.0) @ weights
        use = present > 0
        scores = sums[use] * np.abs(weights).sum() / present[use]
        return Panel.from_records(
            [self.objects[k] for k in self.object_index[use]],
            [self.assessors[k] for k in self.assessor_index[use]],
            scores,
        )

    def components(self) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
        """Return the connected groups as ``(objects, assessors)`` pairs of label tuples, largest first."""
        return components(self.panel())


def _row(entry: Any) -> list[Any]:
    if isinstance(entry, (list, tuple, np.ndarray)) and np.ndim(entry) > 0:
        return list(entry)
    return [entry]


def _is_given(cell: Any) -> bool:
    if cell is None or (isinstance(cell, str) and not cell.strip()):
        return False
    return not (isinstance(cell, Real) and math.isnan(float(cell)))


def _number(cell: Any) -> float | None:
    """The number a cell holds, also where it is written as text; None where it holds none."""
    try:
        value = float(cell)
    except (TypeError, ValueError):
        return None
    return value if math.isfinite(value) else None


def _key(cell: Any) -> float | str:
    """What makes two levels the same: the number, else the text without regard to case and outer blanks."""
    value = _number(cell)
    return str(cell).strip().casefold() if value is None else value


def _text(level: Any) -> str:
    value = _number(level)
    return str(level).strip() if value is None or isinstance(level, str) else f"{value:g}"


def _scale(rows: list[list[Any]], levels: Sequence[Any] | None) -> list[Any]:
    """Levels of the scale, lowest first, as given or as found."""
    if levels is not None:
        scale = list(levels)
        if not all(_is_given(level) for level in scale):
            raise InvalidPanel("A level of the scale is empty: list the levels lowest first, each with its name.")
        if len({_key(level) for level in scale}) < len(scale):
            raise InvalidPanel("A level of the scale is listed twice: list each level once, lowest first.")
    else:
        found = {_key(cell) for row in rows for cell in row if _is_given(cell)}
        words = sorted(level for level in found if isinstance(level, str))
        if words:
            raise InvalidPanel(
                f"Ratings such as {first_few(words[:3])} are words: say which levels the scale has, lowest first."
            )
        scale = sorted(found)
        whole = all(float(level).is_integer() for level in scale)
        if whole and scale[-1] - scale[0] < MOST_LEVELS:
            scale = [float(level) for level in range(int(scale[0]), int(scale[-1]) + 1)]
        if len(scale) < FEWEST_LEVELS:
            raise InvalidPanel(
                "All ratings are alike, so nothing tells the objects apart; if the scale has more levels, list them."
            )
    if len(scale) < FEWEST_LEVELS:
        raise InvalidPanel("A scale needs at least two levels, lowest first.")
    if len(scale) > MOST_LEVELS:
        raise InvalidPanel(
            f"The scale has {len(scale)} levels, but judges' own cut-points are for at most {MOST_LEVELS}: for finer "
            "scales calibrate the scores instead, or group them into fewer levels."
        )
    return scale


def _refuse_off_scale(
    codes: NDArray[np.int8], rows: list[list[Any]], objects: list[str], assessors: list[str], scale: list[Any]
) -> None:
    off = np.argwhere(codes == _NOT_AMONG_LEVELS)
    if len(off):
        named = [f"{rows[n][q]} by {assessors[n]} for {objects[n]}" for n, q in off]
        raise InvalidPanel(
            f"Not on the scale {first_few([_text(level) for level in scale])}: {first_few(named)}. Correct the rating "
            "or add the level."
        )


def _index_rated(names: list[str], rated: Mask, noun: str) -> tuple[tuple[str, ...], Indices]:
    """Labels in order of first appearance, and the place of each rated row's label among them."""
    place = {name: k for k, name in enumerate(dict.fromkeys(names))}
    index = np.array([place[name] for name, some in zip(names, rated, strict=True) if some], dtype=np.intp)
    counts = np.bincount(index, minlength=len(place))
    empty = [name for name, count in zip(place, counts, strict=True) if count == 0]
    if empty:
        raise InvalidPanel(f"No rating at all for {noun} {first_few(empty)}: leave it out.")
    return tuple(place), index


def _feature_labels(features: Sequence[Any] | None, width: int) -> tuple[str, ...]:
    if width == 0:
        raise InvalidPanel("There are no ratings.")
    if features is None:
        return ("Rating",) if width == 1 else tuple(f"Feature {q}" for q in range(1, width + 1))
    labels = tuple(str(label) for label in features)
    if len(labels) != width:
        raise InvalidPanel(f"There are {len(labels)} feature names for {width} columns of ratings.")
    if len(set(labels)) < width:
        raise InvalidPanel("Two features have the same name: give each its own.")
    return labels
