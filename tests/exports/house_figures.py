"""Columns and rows of figures among the scores that look like anybody's: earlier rounds, codes, percentiles."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np

from exports.export_file import Export, grid, number, save_csv, save_xlsx
from exports.truth import Truth, people, simulate, titles

_SURNAMES = "Meier Schulz Weber Koch Wolf Braun".split()


def _panel(seed: int, names: list[str], scale: tuple[float, float] = (1, 10)) -> Truth:
    return simulate(seed, titles(20), names, len(names) - 1, scale=scale)


def _means(truth: Truth) -> dict[str, float]:
    return {o: float(np.mean([s for (t, _), s in truth.scores.items() if t == o])) for o in truth.objects}


def self_assessed(variant: int, folder: Path) -> Export:
    """What people gave themselves, or had in an earlier round, beside what they were given."""
    truth = _panel(1500 + variant, _SURNAMES[:5] if variant == 1 else people(5, 3))
    lot, means, cells = random.Random(variant), _means(truth), grid(truth)
    rows: list[list] = [["Project", ("Self", "Selbsteinschätzung", "Round 1")[variant], *truth.assessors]]
    rows += [[o, min(10, round(means[o]) + lot.choice([0, 1, 1, 2])), *cells[o]] for o in truth.objects]
    path = folder / ("marks.csv" if variant == 1 else "marks.xlsx")
    return Export((save_csv(path, rows) if variant == 1 else save_xlsx(path, {"Marks": rows}),), (truth,))


def far_codes(variant: int, folder: Path) -> Export:
    """Codes of survey programs for what is missing: 999, 99, and -1 in a list."""
    truth = _panel(1510 + variant, people(5, 6), ((0, 100), (0, 20), (1, 10))[variant])
    code = (999, 99, -1)[variant]
    pairs = [(o, a, number(truth.scores.get((o, a), code))) for o in truth.objects for a in truth.assessors]
    if variant == 2:
        return Export((save_csv(folder / "long.csv", [["Entry", "Judge", "Score"], *pairs]),), (truth,))
    width = len(truth.assessors)
    rows = [["Entry", *truth.assessors]]
    rows += [[o, *[s for _, _, s in pairs[k * width : (k + 1) * width]]] for k, o in enumerate(truth.objects)]
    return Export((save_xlsx(folder / "wide.xlsx", {"Data": rows}),), (truth,))


def derived_figures(variant: int, folder: Path) -> Export:
    """Percentiles, numbers of reviews and tables, under names of the house."""
    truth = _panel(1520 + variant, _SURNAMES[:5])
    if variant == 1:
        kept = {pair: s for k, (pair, s) in enumerate(truth.scores.items()) if k % 7 != 3}
        truth = Truth(kept)
    means, cells = _means(truth), grid(truth)
    ordered = sorted(means.values())
    extra = {
        o: (round(100 * ordered.index(means[o]) / 20), sum(s is not None for s in cells[o]), k // 4 + 1)[variant]
        for k, o in enumerate(truth.objects)
    }
    rows: list[list] = [["Wein", *truth.assessors, ("PR", "Bew.", "Tafel")[variant]]]
    rows += [[o, *cells[o], extra[o]] for o in truth.objects]
    return Export((save_xlsx(folder / "wine.xlsx", {"Tabelle1": rows}),), (truth,))


def form_parts(variant: int, folder: Path) -> Export:
    """Answers to a form with two questions about each of several teams, one judge in each row."""
    judges, teams = people(6 + variant, 3), "Alpha Beta Gamma Delta Epsilon".split()
    truth, lot = simulate(1530 + variant, teams, judges, len(judges), scale=(1, 10)), random.Random(variant)
    parts = (("Idea", "Pitch"), ("Taste", "Looks"), ("Form", "Content"))[variant]
    rows: list[list] = [["Timestamp", "Your name", *[f"{team} [{part}]" for team in teams for part in parts]]]
    for k, judge in enumerate(judges):
        given = [value for team in teams for value in (number(truth.scores[team, judge]), lot.randint(1, 10))]
        rows.append([f"2026/05/03 2:0{k} PM", judge, *given])
    spelt = {f"{team} [{parts[0]}]": team for team in teams}
    return Export((save_csv(folder / "answers.csv", rows),), (truth,), objects=spelt, must_ask=True)


def figures_below(variant: int, folder: Path) -> Export:
    """Weights above the marks; the marks of earlier years and quartiles below them."""
    truth = simulate(1540 + variant, [f"Nr {k}" for k in range(1, 21)], people(5, 8), 5)
    columns = np.array([[truth.scores[o, a] for a in truth.assessors] for o in truth.objects])
    body = [[o, *cells] for o, cells in grid(truth).items()]
    head: list = ["Application", *truth.assessors]
    if variant == 0:
        rows = [head, ["Gew.", 0.3, 0.2, 0.2, 0.2, 0.1], *body]
    elif variant == 1:
        rows = [head, *body, ["2025", 61, 58, 66, 63, 59], ["2024", 60, 59, 64, 65, 58]]
    else:
        shares = {"Q1": 0.25, "Q2": 0.5, "Q3": 0.75}
        rows = [head, *body, *[[one, *np.quantile(columns, share, axis=0).tolist()] for one, share in shares.items()]]
    return Export((save_xlsx(folder / "marks.xlsx", {"Marks": rows}),), (truth,))
