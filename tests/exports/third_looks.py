"""Lists with nobody's headings, criteria in one heading with a name, reviews never handed in, labels elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from pathlib import Path

import numpy as np

from exports.export_file import Export, Rows, grid, number, save_csv, save_xlsx
from exports.truth import Pair, Truth, email, people, simulate, titles

_GERMAN = "Meier Schulz Weber Koch Wolf Braun".split()
_CODES = [f"R1-{k:03}" for k in range(1, 17)]


def _book(folder: Path, rows: Rows) -> tuple[Path]:
    return (save_xlsx(folder / "marks.xlsx", {"Marks": rows}),)


def _text(folder: Path, rows: Rows, delimiter: str = ",") -> tuple[Path]:
    return (save_csv(folder / "marks.csv", rows, delimiter),)


def _parts(truth: Truth, count: int, most: int, seed: int) -> dict[Pair, list[int]]:
    """Draw further criteria near the score of each pair."""
    lot = np.random.default_rng(seed)
    return {
        pair: [int(score), *np.clip(int(score) + lot.integers(-1, 2, count - 1), 1, most).tolist()]
        for pair, score in truth.scores.items()
    }


def _of(parts: Mapping[Pair, Sequence[int]], what: Callable[[Sequence[int]], float]) -> Truth:
    return Truth({pair: float(what(given)) for pair, given in parts.items()})


def criteria_in_headings(variant: int, folder: Path) -> Export:
    """Every judge by every criterion under one row of headings: "J1 Ta", "Taste (Iris Jones)", "Project A: Pitch"."""
    if variant == 2:
        return _projects_by_criteria(folder)
    judges, criteria = ((["J1", "J2", "J3", "J4", "J5"], ["A", "Ta", "Te"]), (people(5, 1), ["Taste", "Look"]))[variant]
    form = ("{judge} {part}", "{part} ({judge})")[variant]
    truth = simulate(1700 + variant, titles(14), judges, 5, scale=(2, 9))
    parts = _parts(truth, len(criteria), 9, variant)
    names = {form.format(judge=judge, part=part): judge for judge in truth.assessors for part in criteria}
    rows: list[list] = [["Team", *names]]
    rows += [[thing, *chain(*[parts[thing, judge] for judge in truth.assessors])] for thing in truth.objects]
    single = [_of(parts, lambda given, k=k: given[k]) for k in range(len(criteria))]
    return Export(_book(folder, rows), (_of(parts, sum), *single), assessors=names, must_ask=True)


def _projects_by_criteria(folder: Path) -> Export:
    judges, projects = people(6, 1), [f"Project {letter}" for letter in "ABCDEFG"]
    truth = simulate(1702, projects, judges, 5, scale=(1, 7))
    parts = _parts(truth, 2, 7, 2)
    heads = {f"{project}: {part}": project for project in projects for part in ("Novelty", "Pitch")}
    rows: list[list] = [["Timestamp", "Your name", *heads]]
    for judge in judges:
        given = [parts.get((project, judge), [None, None]) for project in projects]
        rows.append(["2026-05-01 10:00", judge, *chain(*given)])
    single = [_of(parts, lambda given, k=k: given[k]) for k in range(2)]
    return Export(_text(folder, rows), tuple(single), objects=heads, must_ask=True)


def never_handed_in(variant: int, folder: Path) -> Export:
    """Reviews that were not finished, or taken back, with a score all the same."""
    truth = simulate(1710 + variant, titles(18), people(6, 2), 4, scale=(1, 10))
    pairs = list(truth.scores)
    out = {pair for k, pair in enumerate(pairs) if k % 9 == 4}
    kept = Truth({pair: score for pair, score in truth.scores.items() if pair not in out})
    heads = (
        ("Entry", "Judge", "Status", "Score"),
        ("submission", "reviewer", "state", "score", "deleted_at"),
        ("Antrag", "Gutachter", "Status", "Punkte"),
    )[variant]
    rows: list[list] = [list(heads)]
    for k, (pair, score) in enumerate(truth.scores.items()):
        late, given = pair in out, number(score)
        if variant == 1:
            rows.append([*pair, "submitted", given, f"2026-05-02 10:{k % 60:02}" if late else None])
        else:
            word = (("Not started", "Completed"), ("Entwurf", "Abgegeben"))[variant // 2][not late]
            rows.append([*pair, word, 0 if late and variant == 0 else given])
    truths = (kept,) if variant == 0 else (kept, truth)
    return Export(_text(folder, rows), truths, must_ask=True)


def nobodys_headings(variant: int, folder: Path) -> Export:
    """Lists from databases: keys of users and films, a record of its own in each row, from one country to another."""
    truth = simulate(1720 + variant, titles(16), people(6, 4), 3, scale=(1, 10))
    things = {thing: 100 + 7 * k for k, thing in enumerate(truth.objects)}
    judges = {judge: 1 + k for k, judge in enumerate(truth.assessors)}
    rows: list[list] = [
        [
            ["userId", "movieId", "rating", "timestamp"],
            ["Title", "Parent record", "Created by", "Created", "Rating (0-10)"],
            ["pk", "fk_work", "fk_juror", "points", "weight", "lang"],
        ][variant]
    ]
    for k, ((thing, judge), score) in enumerate(truth.scores.items()):
        given = number(score)
        rows.append(
            [
                [judges[judge], things[thing], given, 1112486027 + 997 * k],
                [f"REV-{k:04}", thing, judge, "2026-05-01", given],
                [k + 1, things[thing], judges[judge], given, 1, "en"],
            ][variant]
        )
    if variant == 1:
        return Export(_text(folder, rows), (truth,), must_ask=True)
    spelt = ({str(key): name for name, key in keys.items()} for keys in (things, judges))
    return Export(_text(folder, rows), (truth,), *spelt, must_ask=True)


def two_figures_each(variant: int, folder: Path) -> Export:
    """Pivot tables with two figures below every name, and marks weighted beside the marks."""
    truth = simulate(1730 + variant, _CODES, people(5, 4) if variant else _GERMAN[:5], 4, scale=(1, 10))
    cells = grid(truth)
    figures = (
        ("Average of Score", "Count of Score", 1),
        ("Sum of Score", "StdDev of Score", 0),
        ("", " weighted", None),
    )[variant]
    if variant == 2:
        weights = (4, 3, 2, 1, 5)
        rows: list[list] = [["Paper", *chain(*[(judge, f"{judge}{figures[1]}") for judge in truth.assessors])]]
        for thing, given in cells.items():
            beside = [(z, None if z is None else z * w) for z, w in zip(given, weights, strict=True)]
            rows.append([thing, *chain(*beside)])
        return Export(_book(folder, rows), (truth,), must_ask=True)
    rows = [[None, *chain(*[(judge, None) for judge in truth.assessors])], ["Row Labels", *figures[:2] * 5]]
    rows += [
        [o, *chain(*[(None, None) if z is None else (z, figures[2]) for z in given])] for o, given in cells.items()
    ]
    return Export(_book(folder, rows), (truth,))


def scores_with_names(variant: int, folder: Path) -> Export:
    """All scores of an entry in one cell with the names, or the names in one cell and the scores in the next."""
    truth = simulate(1740 + variant, titles(15), _GERMAN if variant == 0 else people(6, 2), 3, scale=(1, 10))
    rows: list[list] = [["Entry", *(["Reviews"] if variant < 2 else ["Reviewers", "Scores"])]]
    for thing in truth.objects:
        given = [(judge, number(score)) for (one, judge), score in truth.scores.items() if one == thing]
        if variant == 2:
            rows.append([thing, "; ".join(judge for judge, _ in given), "; ".join(str(score) for _, score in given)])
        else:
            form, sign = (("{}: {}", "; "), ("{} ({})", ", "))[variant]
            rows.append([thing, sign.join(form.format(*one) for one in given)])
    return Export(_text(folder, rows), (truth,), must_ask=True)


def labels_elsewhere(variant: int, folder: Path) -> Export:
    """Ids in the last column, headings one place to the left as R writes them, surnames that come twice."""
    truth = simulate(1750 + variant, people(16, 3) if variant == 2 else titles(16), people(5, 9), 4, scale=(0, 20))
    cells, judges = grid(truth), truth.assessors
    if variant == 0:
        return Export(_book(folder, [[*judges, "Entry"], *[[*given, o] for o, given in cells.items()]]), (truth,))
    if variant == 1:
        return Export(_text(folder, [list(judges), *[[o, *given] for o, given in cells.items()]]), (truth,))
    rows: list[list] = [["Last Name", "First Name", "Email Address", *judges]]
    rows += [[*reversed(o.split()), email(o), *given] for o, given in cells.items()]
    rows[3][0] = rows[9][0]
    return Export(_text(folder, rows), (truth,), objects={email(o): o for o in truth.objects})
