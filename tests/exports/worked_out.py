"""Mark sheets with columns and rows that are worked out from the marks, or stand among them, under any names."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from exports.export_file import Export, grid, number, save_csv, save_xlsx
from exports.truth import Truth, people, simulate

_SIZES = ((12, 5), (24, 6), (40, 7))
_MODULES = "Anatomy;Botany;Cell biology;Drama;Ecology;French;Genetics".split(";")


def _saved(folder: Path, name: str, rows: Sequence[Sequence[Any]], variant: int) -> Path:
    """Write a workbook, and a text file for the middle variant."""
    if variant == 1:
        return save_csv(folder / f"{name}.csv", rows)
    return save_xlsx(folder / f"{name}.xlsx", {"Marks": rows})


def _panel(seed: int, variant: int, *, step: float = 1.0, missing: int = 0) -> Truth:
    """Simulate marks of students in modules; `missing` = how many modules nobody in particular has not taken."""
    count, modules = _SIZES[variant]
    students = [f"S{1040 + 7 * k}" for k in range(count)]
    return simulate(seed + variant, students, _MODULES[:modules], modules - missing, step=step)


def _beside(
    truth: Truth,
    variant: int,
    folder: Path,
    heading: str,
    worked_out: Callable[[list[float]], float],
    first: bool = False,
) -> Export:
    """Put one column that is worked out from the marks behind them, or before them."""
    cells = grid(truth)
    rows: list[list] = [["Student", *([heading] if first else []), *truth.assessors, *([] if first else [heading])]]
    for thing in truth.objects:
        given = [truth.scores[thing, one] for one in truth.assessors if (thing, one) in truth.scores]
        extra = [number(worked_out(given))]
        rows.append([thing, *(extra if first else []), *cells[thing], *([] if first else extra)])
    return Export((_saved(folder, "marks", rows, variant),), (truth,))


def best_of(variant: int, folder: Path) -> Export:
    """The mean, or the sum, of the best marks."""
    heading, best, mean = (("Best 4", 4, True), ("Best 4 of 6", 4, False), ("Top 3 average", 3, True))[variant]

    def worked_out(given: list[float]) -> float:
        kept = sorted(given)[-best:]
        return round(sum(kept) / len(kept), 2) if mean else sum(kept)

    return _beside(_panel(500, variant), variant, folder, heading, worked_out)


def dropped(variant: int, folder: Path) -> Export:
    """The marks without the lowest, the highest or both, under names of the house."""
    heading = ("Counting", "Drop lowest", "Without extremes")[variant]

    def worked_out(given: list[float]) -> float:
        kept = sorted(given)[1 : None if variant < 2 else -1]
        return round(sum(kept) / len(kept), (1, 2, 2)[variant])

    return _beside(_panel(510, variant, missing=variant and 1), variant, folder, heading, worked_out)


def weighted_whole(variant: int, folder: Path) -> Export:
    """A weighted mean written to whole marks, as the marks are, under a name that does not say so."""
    weights = (30.0, 10.0, 20.0, 25.0, 15.0, 40.0, 20.0)

    def worked_out(given: list[float]) -> float:
        used = weights[: len(given)]
        return float(round(sum(w * s for w, s in zip(used, given, strict=True)) / sum(used)))

    return _beside(_panel(520, variant), variant, folder, ("Year", "Stage 1", "Programme")[variant], worked_out)


def rounded_mean(variant: int, folder: Path) -> Export:
    """A mean in whole marks under a name nobody knows, behind the marks or before them."""
    heading = ("Board", "Agreed for board", "Standing")[variant]

    def worked_out(given: list[float]) -> float:
        return float(round(sum(given) / len(given) + 1e-9))

    return _beside(_panel(530, variant, missing=1), variant, folder, heading, worked_out, first=variant == 2)


def penalties(variant: int, folder: Path) -> Export:
    """Marks taken off for late work, and what is left."""
    truth = _panel(540, variant)
    cells, lot = grid(truth), random.Random(variant)
    heads = (["Late penalty"], ["Penalty points", "After penalty"], ["Deducted", "Net mean"])[variant]
    rows: list[list] = [["Student", *truth.assessors, *heads]]
    for thing in truth.objects:
        off = lot.choice([0, 0, 0, 0, 5, 10])
        mean = sum(cells[thing]) / len(cells[thing])
        rows.append([thing, *cells[thing], off, *([] if variant == 0 else [number(round(mean - off, 1))])])
    return Export((_saved(folder, "late work", rows, variant),), (truth,))


def rows_of_statistics(variant: int, folder: Path) -> Export:
    """Statistics of the class below the marks, some under names of the house."""
    truth = _panel(550, variant, missing=1)
    cells = grid(truth)
    rows: list[list] = [["Student", *truth.assessors], *[[thing, *cells[thing]] for thing in truth.objects]]

    def below(label: str, worked_out: Callable[[list[float]], float]) -> list:
        columns = [[truth.scores[t, m] for t in truth.objects if (t, m) in truth.scores] for m in truth.assessors]
        return [label, *[number(round(worked_out(column), 2)) for column in columns]]

    def mean(column: list[float]) -> float:
        return sum(column) / len(column)

    rows += ([], [[]], [[], []])[variant]
    rows.append(below(("Class average", "Mean of all", "Cohort mean")[variant], mean))
    rows.append(below(("Highest in class", "Top mark", "Best")[variant], max))
    rows.append(below(("Number sat", "Sat", "Entries")[variant], len))
    if variant == 2:
        rows.append(below("Last year", lambda column: mean(column) - 2.5))
    return Export((_saved(folder, "class list", rows, variant),), (truth,))


def subtotals(variant: int, folder: Path) -> Export:
    """Means of the semesters between the modules, and of the year behind them."""
    truth = _panel(560, variant)
    cells = grid(truth)
    half = len(truth.assessors) // 2
    names = (("Semester 1", "Semester 2", "Year"), ("S1 average", "S2 average", "Overall"), ("Autumn", "Spring", "All"))
    one, two, year = names[variant]
    rows: list[list] = [["Student", *truth.assessors[:half], one, *truth.assessors[half:], two, year]]
    for thing in truth.objects:
        first, second = cells[thing][:half], cells[thing][half:]
        means = [round(sum(part) / len(part), 1) for part in (first, second, [*first, *second])]
        rows.append([thing, *first, number(means[0]), *second, number(means[1]), number(means[2])])
    return Export((_saved(folder, "year", rows, variant),), (truth,))


def ranks_beside(variant: int, folder: Path) -> Export:
    """Every judge's points with that judge's ranking beside them, and the sum of the rankings."""
    count = (12, 20, 30)[variant]
    things, judges = people(count, 5), people(5, 40)
    truth = simulate(570 + variant, things, judges, 5, scale=(0, 100), step=0.5)
    score, rank = (("{}", "{} rank"), ("{} points", "{} place"), ("{} (points)", "{} (rank)"))[variant]
    rows: list[list] = [["Couple", *[text.format(one) for one in judges for text in (score, rank)], "Rank sum"]]
    ordered = {one: sorted((truth.scores[thing, one] for thing in things), reverse=True) for one in judges}
    for thing in things:
        places = [ordered[one].index(truth.scores[thing, one]) + 1 for one in judges]
        given = [number(truth.scores[thing, one]) for one in judges]
        rows.append([thing, *[cell for both in zip(given, places, strict=True) for cell in both], sum(places)])
    spelt = {score.format(one): one for one in judges}
    return Export((_saved(folder, "ballroom", rows, variant),), (truth,), assessors=spelt)


def rankings(variant: int, folder: Path) -> Export:
    """Judges who rank: 1 is the best, and nothing but the numbers says so."""
    count = (8, 12, 20)[variant]
    things, judges = [f"Design {k}" for k in range(1, count + 1)], people(6, 11)
    drawn = simulate(580 + variant, things, judges, 6, step=0.001)
    scores: dict[tuple[str, str], float] = {}
    for one in judges:
        order = sorted(things, key=lambda thing: -drawn.scores[thing, one])
        scores |= {(thing, one): float(order.index(thing) + 1) for thing in things}
    truth = Truth({(thing, one): scores[thing, one] for thing in things for one in judges})
    rows: list[list] = [["Design", *judges], *[[thing, *cells] for thing, cells in grid(truth).items()]]
    return Export((_saved(folder, "ranking", rows, variant),), (truth,), must_ask=True, lower_is_better=True)


def registers(variant: int, folder: Path) -> Export:
    """Numbers about the students: years, telephones, seats, dates of the last access, hours."""
    truth = _panel(590, variant)
    cells, lot = grid(truth), random.Random(variant)
    before = (["Started"], ["Mobile no.", "Seat no."], ["Cohort", "Exam seat"])[variant]
    after = (["Last access"], ["Last login", "Hours online"], ["Submitted on", "Minutes"])[variant]
    rows: list[list] = [["Student", *before, *truth.assessors, *after]]
    for k, thing in enumerate(truth.objects):
        left = ([2019 + k % 5], [f"+44 7700 900{100 + k}", 11 + k], [2021 + k % 3, 200 + 3 * k])[variant]
        access = 1_760_000_000 + lot.randint(0, 5_000_000)
        right = (
            [access],
            [f"{1 + k % 28:02}/03/2026 {9 + k % 9:02}:{k % 60:02}", lot.randint(3, 120) / 2],
            [45_990 + lot.randint(0, 60), lot.randint(20, 180)],
        )[variant]
        rows.append([thing, *left, *cells[thing], *right])
    return Export((_saved(folder, "register", rows, variant),), (truth,))


def both_units(variant: int, folder: Path) -> Export:
    """Each paper in raw points and as a percentage of what was possible."""
    count = _SIZES[variant][0]
    things, papers = [f"C{300 + k}" for k in range(count)], [f"Paper {letter}" for letter in "ABCDE"]
    truth = simulate(600 + variant, things, papers, 5, step=2.5)
    raw, share = (("{} raw", "{} %"), ("{} /40", "{} %"), ("{} points", "{} percent"))[variant]
    rows: list[list] = [["Candidate", *[text.format(one) for one in papers for text in (raw, share)]]]
    for thing in things:
        pairs = [(number(truth.scores[thing, one] * 0.4), number(truth.scores[thing, one])) for one in papers]
        rows.append([thing, *[cell for both in pairs for cell in both]])
    points = Truth({pair: round(score * 0.4, 6) for pair, score in truth.scores.items()})
    spelt = {text.format(one): one for one in papers for text in (raw, share)}
    return Export((_saved(folder, "papers", rows, variant),), (truth, points), assessors=spelt, must_ask=True)
