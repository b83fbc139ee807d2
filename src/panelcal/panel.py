"""The panel: who assessed what, with which score and which confidence (the paper's set E with s_ao and c_ao)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from panelcal.arrays import Array, Indices, Mask
from panelcal.errors import LARGEST, InvalidPanel, first_few
from panelcal.frozen import dataclass
from panelcal.shown import Tabled

if TYPE_CHECKING:
    import scipy.sparse as sp

_LAST_BITS = 0xFFFF
_DENSE_CELLS = 200_000  # up to here, ordinary arrays are quicker than sparse ones


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Panel(Tabled):
    """Scores that assessors gave to objects, one entry per assessment.

    Build one with `from_records`, `from_matrix` or `from_frame`; each checks what it is given.

    Source: the scores s_ao and confidences c_ao of MacKay, Kenna, Low and Parker (2015), eqs. (1) and (5).

    Attributes
    ----------
    objects, assessors
        Labels, in order of first appearance.
    object_index, assessor_index
        (N,) integers: which object and which assessor each assessment belongs to.
    scores
        (N,) floats in score units, s_ao of eq. (1). Never NaN.
    confidences
        (N,) floats, c_ao = 1/sigma_ao^2 of eq. (5), in 1/(score units)^2 up to a common factor. Always positive.

    Examples
    --------
    >>> Panel.from_records(['A', 'A', 'B'], ['x', 'y', 'x'], [61, 55, 70])
    <Panel: objects 2, assessors 2, assessments 3, scores from 55 to 70, confidences all alike>
    """

    objects: tuple[str, ...]
    assessors: tuple[str, ...]
    object_index: Indices
    assessor_index: Indices
    scores: Array
    confidences: Array

    @classmethod
    def from_records(
        cls,
        objects: Sequence[Any],
        assessors: Sequence[Any],
        scores: ArrayLike,
        confidences: ArrayLike | None = None,
    ) -> Panel:
        """Make a panel from a long list, one assessment per entry.

        A repeated pair of object and assessor stays as two assessments.

        Parameters
        ----------
        objects, assessors
            (N,) labels; they are turned into text.
        scores
            (N,) finite numbers.
        confidences
            (N,) positive numbers, or None for 1 everywhere.

        Raises
        ------
        InvalidPanel
            If the lengths differ, nothing was given, a score is not finite or a confidence not positive, or either is
            beyond all sense (`LARGEST`).
        """
        object_labels, object_index = _index_labels(objects)
        assessor_labels, assessor_index = _index_labels(assessors)
        return cls._checked(object_labels, assessor_labels, object_index, assessor_index, scores, confidences)

    @classmethod
    def from_matrix(
        cls,
        scores: ArrayLike,
        confidences: ArrayLike | None = None,
        *,
        objects: Sequence[Any] | None = None,
        assessors: Sequence[Any] | None = None,
    ) -> Panel:
        """Make a panel from a table of scores, objects down and assessors across.

        Parameters
        ----------
        scores
            (n_objects, n_assessors); NaN or None = not assessed.
        confidences
            Same shape, or (n_assessors,) for one per assessor (credits), or None for 1 everywhere. Only the entries
            that have a score are looked at.
        objects, assessors
            Labels; None gives "1", "2", ...

        Raises
        ------
        InvalidPanel
            As for `from_records`; also if labels repeat or an object or assessor has no score at all.
        """
        table = _floats(scores, ndmin=2)
        if table.ndim != 2:
            raise InvalidPanel("The scores must be a table with objects down and assessors across.")
        n_objects, n_assessors = table.shape
        object_labels = _matrix_labels(objects, n_objects, "object")
        assessor_labels = _matrix_labels(assessors, n_assessors, "assessor")
        assessed = ~np.isnan(table)
        for noun, labels, counts in (
            ("object", object_labels, assessed.sum(axis=1)),
            ("assessor", assessor_labels, assessed.sum(axis=0)),
        ):
            empty = [label for label, count in zip(labels, counts, strict=True) if count == 0]
            if empty:
                raise InvalidPanel(f"No score at all for {noun} {first_few(empty)}: leave it out of the table.")
        object_index, assessor_index = np.nonzero(assessed)
        chosen: Array | None = None
        if confidences is not None:
            given = _floats(confidences)
            if given.shape not in {(n_assessors,), table.shape}:
                raise InvalidPanel(
                    f"The confidences have shape {given.shape}; they must have the shape of the scores {table.shape} "
                    f"or one entry per assessor ({n_assessors},)."
                )
            chosen = np.broadcast_to(given, table.shape)[object_index, assessor_index]
        return cls._checked(
            object_labels, assessor_labels, object_index, assessor_index, table[object_index, assessor_index], chosen
        )

    @classmethod
    def from_frame(cls, data: Any, *, object: str, assessor: str, score: str, confidence: str | None = None) -> Panel:
        """Make a panel from a data frame with a row for each assessment: pandas, polars, pyarrow, or a dict of columns.

        Nothing but the frame's own library is needed. A table with objects down and assessors across is for
        `from_matrix`: ``Panel.from_matrix(df, objects=df.index, assessors=df.columns)``.

        Parameters
        ----------
        data
            The frame.
        object, assessor, score, confidence
            Names of its columns. Labels become text (7.0 becomes "7"); no confidences stand for 1 everywhere.

        Returns
        -------
        Panel
            Objects and assessors in order of first appearance.

        Raises
        ------
        InvalidPanel
            As for `from_records`; also if a column is not there or there twice, something is missing, text and numbers
            are mixed, a score is no number, there are no rows, or the frame's index repeats.
        """
        from panelcal.frame_columns import chosen_columns, labels_of, numbers_of

        names = [object, assessor, score, *([] if confidence is None else [confidence])]
        columns = chosen_columns(data, names)
        objects, assessors = (labels_of(*pair) for pair in zip(columns[:2], names[:2], strict=True))
        scores, *weights = (numbers_of(*pair) for pair in zip(columns[2:], names[2:], strict=True))
        return cls.from_records(objects, assessors, scores, *weights)

    @classmethod
    def from_arrow(cls, data: Any, *, object: str, assessor: str, score: str, confidence: str | None = None) -> Panel:
        """Make a panel from a long list held by any library that speaks Arrow (pyarrow, polars, DuckDB, pandas).

        Parameters
        ----------
        data
            A table with a row for each assessment; anything `pyarrow.table` takes.
        object, assessor, score, confidence
            Names of its columns; labels are turned into text, no confidences stand for 1 everywhere.

        Raises
        ------
        InvalidPanel
            As for `from_records`; also if a column is missing, a label or number is missing, or a score is no number.
        ImportError
            If pyarrow is not installed (``pip install "panelcal[large]"``).
        """
        import pyarrow as pa

        table = pa.table(data)
        names = [name for name in (object, assessor, score, confidence) if name is not None]
        lacking = [name for name in names if name not in table.column_names]
        if lacking:
            raise InvalidPanel(
                f"There is no column {first_few(lacking)}; the columns are {first_few(table.column_names)}."
            )
        empty = [name for name in names if table[name].null_count]
        if empty:
            raise InvalidPanel(f"Something is missing in column {first_few(empty)}: leave such rows out.")
        labels: list[tuple[tuple[str, ...], Indices]] = []
        for name in (object, assessor):
            encoded = table[name].cast(pa.string()).combine_chunks().dictionary_encode()
            labels.append((tuple(encoded.dictionary.to_pylist()), encoded.indices.to_numpy().astype(np.intp)))
        try:
            numbers = [
                table[name].cast(pa.float64()).combine_chunks().to_numpy(zero_copy_only=False) for name in names[2:]
            ]
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as problem:
            raise InvalidPanel(f"A score or confidence is no number ({problem}).") from problem
        (objects, object_index), (assessors, assessor_index) = labels
        weights = numbers[1] if len(numbers) > 1 else None
        return cls._checked(objects, assessors, object_index, assessor_index, numbers[0], weights)

    @classmethod
    def _checked(
        cls,
        objects: tuple[str, ...],
        assessors: tuple[str, ...],
        object_index: Indices,
        assessor_index: Indices,
        scores: ArrayLike,
        confidences: ArrayLike | None,
    ) -> Panel:
        values = _floats(scores)
        if values.ndim != 1 or not len(values) == len(object_index) == len(assessor_index):
            raise InvalidPanel(
                f"There are {len(object_index)} objects, {len(assessor_index)} assessors and {values.size} scores: "
                "each assessment needs one of each."
            )
        if values.size == 0:
            raise InvalidPanel("There are no scores.")
        weights = np.ones(len(values)) if confidences is None else _floats(confidences)
        if weights.shape != values.shape:
            raise InvalidPanel(f"There are {values.size} scores but {weights.size} confidences.")

        def names(mask: Mask) -> str:
            at = np.flatnonzero(mask)
            return first_few([f"{assessors[assessor_index[k]]} for {objects[object_index[k]]}" for k in at])

        not_numbers = ~np.isfinite(values)
        if not_numbers.any():
            raise InvalidPanel(f"Not a finite score: {names(not_numbers)}.")
        not_positive = ~(np.isfinite(weights) & (weights > 0))
        if not_positive.any():
            raise InvalidPanel(f"A confidence must be a positive number, but it is not: {names(not_positive)}.")
        beyond = (np.abs(values) > LARGEST) | (weights > LARGEST) | (weights < 1 / LARGEST)
        if beyond.any():
            raise InvalidPanel(
                f"A score or confidence is too large or too close to zero to compute with: {names(beyond)}."
            )
        for array in (object_index, assessor_index, values, weights):
            array.setflags(write=False)
        return cls(objects, assessors, object_index, assessor_index, values, weights)

    def subset(self, keep: Mask) -> Panel:
        """Return the panel of the assessments where `keep` (N,) is true; labels left without any are dropped."""
        objects, object_index = _in_order_of_appearance(self.object_index[keep])
        assessors, assessor_index = _in_order_of_appearance(self.assessor_index[keep])
        return Panel._checked(
            tuple(self.objects[k] for k in objects.tolist()),
            tuple(self.assessors[k] for k in assessors.tolist()),
            object_index,
            assessor_index,
            self.scores[keep],
            self.confidences[keep],
        )

    def with_confidences(self, confidences: ArrayLike) -> Panel:
        """Return the same panel with other confidences (N,)."""
        return Panel._checked(
            self.objects, self.assessors, self.object_index, self.assessor_index, self.scores, confidences
        )

    def shown_figures(self) -> Iterator[tuple[str, Any]]:
        """Yield what its `repr` tells."""
        yield "objects", self.n_objects
        yield "assessors", self.n_assessors
        yield "assessments", self.n_assessments
        yield "scores", f"from {self.scores.min():g} to {self.scores.max():g}"
        yield "confidences", "all alike" if np.ptp(self.confidences) == 0 else "differing"

    @property
    def n_objects(self) -> int:
        """Number of objects, N_O."""
        return len(self.objects)

    @property
    def n_assessors(self) -> int:
        """Number of assessors, N_A."""
        return len(self.assessors)

    @property
    def n_assessments(self) -> int:
        """Number of assessments, N."""
        return len(self.scores)

    @property
    def is_dense(self) -> bool:
        """Whether tables of objects by assessors are small enough to be ordinary arrays."""
        return self.n_objects * self.n_assessors <= _DENSE_CELLS

    def object_totals(self, amounts: Array) -> Array:
        """Add up `amounts` (N,) per object -> (n_objects,)."""
        return totals_by(self.object_index, amounts, self.n_objects)

    def assessor_totals(self, amounts: Array) -> Array:
        """Add up `amounts` (N,) per assessor -> (n_assessors,)."""
        return totals_by(self.assessor_index, amounts, self.n_assessors)

    def table(self, amounts: Array) -> Array | sp.csr_array:
        """Arrange `amounts` (N,) as a matrix (n_objects, n_assessors), repeated pairs added up; sparse where large."""
        shape = self.n_objects, self.n_assessors
        if not self.is_dense:
            import scipy.sparse as sp  # here, because small panels do without

            return sp.csr_array((amounts, (self.object_index, self.assessor_index)), shape=shape)
        place = self.object_index * shape[1] + self.assessor_index
        return totals_by(place, amounts, shape[0] * shape[1]).reshape(shape)


def panel_of_numbered(
    objects: tuple[tuple[str, ...], Indices],
    assessors: tuple[tuple[str, ...], Indices],
    scores: ArrayLike,
    confidences: ArrayLike | None = None,
) -> Panel:
    """Make a panel from a list whose labels are numbered already, as `Panel.from_records` would number them.

    Parameters
    ----------
    objects, assessors
        The labels, each once, in order of first appearance, and (N,) which of them each assessment has.
    scores, confidences
        As for `Panel.from_records`, with its errors.
    """
    return Panel._checked(objects[0], assessors[0], objects[1], assessors[1], scores, confidences)


def as_dense(matrix: Array | sp.csr_array) -> Array:
    """Return the matrix as an ordinary array."""
    return matrix if isinstance(matrix, np.ndarray) else matrix.toarray()


def totals_by(index: Indices, amounts: Array, count: int) -> Array:
    """Add up `amounts` (N,) by `index` (N,) -> (count,)."""
    return np.bincount(index, amounts, count).astype(np.float64, copy=False)


def by_number(index: Indices, count: int) -> Indices:
    """Return the order (N,) that brings equal numbers below `count` together, each kept in the order given."""
    order = np.argsort((index & _LAST_BITS).astype(np.uint16), kind="stable")  # 16 bits sort in no time
    if count > _LAST_BITS + 1:
        order = order[by_number(index[order] >> 16, (count - 1 >> 16) + 1)]
    return order


def _floats(numbers: ArrayLike, ndmin: int = 0) -> Array:
    """Copy numbers into an array of floats; what is masked becomes NaN."""
    try:
        if isinstance(numbers, np.ma.MaskedArray):
            numbers = np.ma.filled(numbers.astype(np.float64), np.nan)
        return np.array(numbers, dtype=np.float64, ndmin=ndmin)
    except (TypeError, ValueError, OverflowError):
        raise InvalidPanel("Scores and confidences must be numbers, in rows of equal length.") from None


def _index_labels(labels: Sequence[Any]) -> tuple[tuple[str, ...], Indices]:
    """Unique labels as text, in order of first appearance, and for each entry its place among them."""
    numbers: Any = labels
    if isinstance(numbers, np.ndarray) and numbers.ndim == 1 and numbers.dtype.kind in "iu":
        unique, index = _in_order_of_appearance(numbers)
        return tuple(map(str, unique.tolist())), index
    place: defaultdict[str, int] = defaultdict(count().__next__)  # a new label gets the next number
    index = np.fromiter(map(place.__getitem__, map(str, labels)), np.intp, len(labels))
    return tuple(place), index


def _in_order_of_appearance(numbers: NDArray[Any]) -> tuple[NDArray[Any], Indices]:
    """Unique integers in order of first appearance, and for each entry its place among them."""
    unique, first, index = np.unique(numbers, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    place = np.empty(len(order), dtype=np.intp)
    place[order] = np.arange(len(order))
    return unique[order], place[index]


def _matrix_labels(labels: Sequence[Any] | None, count: int, noun: str) -> tuple[str, ...]:
    if labels is None:
        return tuple(str(k + 1) for k in range(count))
    texts = tuple(str(label) for label in labels)
    if len(texts) != count:
        raise InvalidPanel(f"There are {len(texts)} {noun} labels for {count} {noun}s.")
    seen: set[str] = set()
    repeated = [text for text in texts if text in seen or seen.add(text)]  # type: ignore[func-returns-value]
    if repeated:
        raise InvalidPanel(f"The {noun} label {first_few(repeated)} appears more than once.")
    return texts
