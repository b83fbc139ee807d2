"""What differs from the last run whose sheets stand in the workbook: which scores, and who moved because of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from panelcal.frozen import dataclass
from panelcal.reading.grid import Grid
from panelcal.reporting.cell_content import ranks_among
from panelcal.reporting.model import CellValue
from panelcal.reporting.wording import counted, number, signed, some_of
from panelcal.systems.calibration.classes import Classes
from panelcal.systems.calibration.proof import MOST_ROWS
from panelcal.systems.calibration.results import Results

_HEADING_ROW = 4
_SCORES_NAMED, _MOVED_NAMED = 5, 5
_NOTICED = 0.05  # half of the one decimal that is shown

Scores = Mapping[tuple[str, str], list[float]]
Row = tuple[str, CellValue, str]


@dataclass(frozen=True, slots=True)
class LastRun:
    """Values and scores of an earlier run, as its sheets hold them.

    Attributes
    ----------
    sheet
        Name of its values.
    values, ranks, classes
        By label of the object; without those that the sheet leaves blank.
    scores
        (object, assessor) -> its scores; None where its proof is not there or shows a sample only.
    """

    sheet: str
    values: Mapping[str, float]
    ranks: Mapping[str, float]
    classes: Mapping[str, str]
    scores: Scores | None


def last_run_in(sheets: Sequence[Grid]) -> LastRun | None:
    """Read the values and the proof of an earlier run; None where they are not there or were changed in shape."""
    values = next((grid for grid in sheets if grid.sheet.casefold().startswith("cal values")), None)
    places = _headings(values) if values is not None else {}
    if values is None or not {"Calibrated value", "Rank"} <= places.keys():
        return None
    found: dict[str, dict[str, float | str]] = {"Calibrated value": {}, "Rank": {}, "Class after": {}}
    for row in range(_HEADING_ROW + 1, values.n_rows + 1):
        label = values.value(row, 1)
        for heading in found.keys() & places.keys():
            value = values.value(row, places[heading])
            if label is not None and value is not None:
                found[heading][str(label)] = value
    proof = next((grid for grid in sheets if grid.sheet.casefold().startswith("cal proof")), None)
    return LastRun(
        sheet=values.sheet,
        values={label: float(value) for label, value in found["Calibrated value"].items()},
        ranks={label: float(value) for label, value in found["Rank"].items()},
        classes={label: str(value) for label, value in found["Class after"].items()},
        scores=None if proof is None else _scores_in(proof),
    )


def rows_since(results: Results, classes: Classes | None, last: LastRun | None) -> Iterator[Row]:
    """Yield what differs from the last run: one row on the scores, one on who moved."""
    if last is None:
        return
    differing = _differing(results, last)
    asked = f"Since the last run ({last.sheet})"
    if differing is None:
        yield f"{asked}: {results.scores_noun}", "see", "Too many to compare one by one."
    else:
        words = f"{some_of(differing, _SCORES_NAMED)}." if differing else _none(results)
        yield f"{asked}: {results.scores_noun} that differ", len(differing), words
    yield f"{asked}: who moved", *_moved(results, classes, last)


def _headings(grid: Grid) -> dict[str, int]:
    cells = ((grid.value(_HEADING_ROW, column), column) for column in range(1, grid.n_columns + 1))
    found: dict[str, int] = {}
    for heading, column in cells:
        if heading is not None:
            found.setdefault(str(heading), column)
    return found


def _scores_in(proof: Grid) -> Scores | None:
    places = _headings(proof)
    if "Score calibrated" not in places:
        return None
    found: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for row in range(_HEADING_ROW + 1, proof.n_rows + 1):
        labels, score = (proof.value(row, 1), proof.value(row, 2)), proof.value(row, places["Score calibrated"])
        if isinstance(score, int | float) and None not in labels:
            found[str(labels[0]), str(labels[1])].append(float(score))
    whole = sum(map(len, found.values())) < MOST_ROWS  # a longer one may be a sample
    return found if whole else None


def _differing(results: Results, last: LastRun) -> list[str] | None:
    """Name each score that is another, new or gone, with its cell where there is one; None where nothing is known."""
    if last.scores is None:
        return None
    panel = results.panel
    now: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    cells: dict[tuple[str, str], str] = {}
    for k in range(panel.n_assessments):
        pair = (panel.objects[panel.object_index[k]], panel.assessors[panel.assessor_index[k]])
        now[pair].append(float(panel.scores[k]))
        cells[pair] = results.reading.score_cells[k]
    return [
        f"{cells.get(pair) or 'no cell now'} ({', '.join(pair)}): {_list(last.scores.get(pair))}, now "
        f"{_list(now.get(pair))}"
        for pair in dict.fromkeys([*now, *last.scores])
        if sorted(now.get(pair, [])) != sorted(last.scores.get(pair, []))
    ]


def _list(scores: Sequence[float] | None) -> str:
    return " and ".join(f"{score:g}" for score in scores) if scores else "none"


def _none(results: Results) -> str:
    return f"No {results.score_noun} differs; what moved did so by settings, confidences, method or program."


def _moved(results: Results, classes: Classes | None, last: LastRun) -> tuple[str, str]:
    """Return how many values moved, and which, with the classes and ranks that are others."""
    labels = results.panel.objects
    both = [at for at, label in enumerate(labels) if label in last.values]
    count, sentences = _moved_values(results, both, last)
    if classes is not None:
        sentences.append(_moved_classes(results, classes, both, last))
    sentences.append(_moved_ranks(results, both, last))
    came, gone = len(labels) - len(both), len(last.values) - len(both)
    if came or gone:
        sentences.append(f"{came} new, {gone} no longer there.")
    return counted(count, results.object_noun), " ".join(sentences)


def _moved_values(results: Results, both: Sequence[int], last: LastRun) -> tuple[int, list[str]]:
    """Count the values that moved noticeably, and name the first; `both` are the objects of both runs."""
    labels = results.panel.objects
    change = np.array([results.values[at] - last.values[labels[at]] for at in both])
    order = [int(k) for k in np.argsort(-np.abs(change), kind="stable")]
    clearly = [k for k in order if abs(change[k]) >= _NOTICED]
    named = [f"{labels[both[k]]} {signed(float(change[k]))}" for k in clearly[:_MOVED_NAMED]]
    if not named:
        return 0, []
    rest = float(np.abs(change[order[len(named)]])) if len(order) > len(named) else 0.0
    others = f"nobody else by more than {number(np.ceil(rest * 10) / 10)}" if rest >= _NOTICED else "nobody else"
    return len(clearly), [f"{', '.join(named)}; {others}."]


def _moved_classes(results: Results, classes: Classes, both: Sequence[int], last: LastRun) -> str:
    labels, other = results.panel.objects, []
    for at in both:
        now = classes.name(classes.after[at])
        before = last.classes.get(labels[at], now)
        if before != now:
            other.append(f"{labels[at]} ({before} to {now})")
    return f"Of another class: {some_of(other, _MOVED_NAMED)}." if other else "Nobody is of another class."


def _moved_ranks(results: Results, both: Sequence[int], last: LastRun) -> str:
    labels = results.panel.objects
    places = ranks_among(results.values, results.reading.settings.higher_is_better, results.ranked)
    ranked = [(labels[at], place) for at in both if (place := places[at]) is not None]
    by = np.array([place - last.ranks.get(label, place) for label, place in ranked])
    moved = int(np.count_nonzero(by))
    if not moved:
        return "Every rank is the same."
    label, place = ranked[int(np.abs(by).argmax())]
    differ = f"{counted(moved, 'rank')} differ{'s' if moved == 1 else ''}"
    return f"{differ}, most that of {label} ({last.ranks.get(label, place):g} to {place})."
