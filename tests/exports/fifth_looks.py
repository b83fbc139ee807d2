"""Sheets alike, judges called so by their headings, scores right of names, subtotals by name, credits of a mean."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from exports.export_file import Export, grid, number, save_csv, save_xlsx
from exports.truth import Truth, people, simulate, titles


def sheets_alike(variant: int, folder: Path) -> Export:
    """Another sheet of the workbook has the same headings: a draft, a second round, another day."""
    truth = simulate(1900 + variant, titles(16), people(5, 3), 4, scale=(0, 20))
    lot = np.random.default_rng(variant)
    other = {pair: float(np.clip(score + lot.integers(-2, 3), 0, 20)) for pair, score in truth.scores.items()}
    if variant == 2:
        other = {(f"{thing} (B)", judge): score for (thing, judge), score in other.items()}
    first, second = (("Draft", "Final"), ("Runde 1", "Runde 2"), ("Day 1", "Day 2"))[variant]
    truths = (Truth(other), truth) if variant == 0 else (truth, Truth(other))
    sheets = {
        name: [["Entry", *one.assessors], *[[thing, *given] for thing, given in grid(one).items()]]
        for name, one in ((first, truth), (second, Truth(other)))
    }
    return Export((save_xlsx(folder / "marks.xlsx", sheets),), truths, must_ask=True)


def raters_by_heading(variant: int, folder: Path) -> Export:
    """Columns rater_ann, rater_bob below the corner subject, which is also a word for what assesses."""
    corner, form = (("subject_id", "rater_{}"), ("subject", "rater.{}"), ("Subject", "Judge {}"))[variant]
    judges = [name.split()[0].lower() for name in people(5, 3)]
    truth = simulate(1910 + variant, [f"PT-{k:03}" for k in range(1, 15)], judges, 4, scale=(0, 40))
    spelt = {form.format(judge): judge for judge in truth.assessors}
    rows = [[corner, *spelt], *[[thing, *given] for thing, given in grid(truth).items()]]
    return Export((save_csv(folder / "marks.csv", rows),), (truth,), assessors=spelt)


def scores_right_of_names(variant: int, folder: Path) -> Export:
    """Two markers by initials or name, the mark of each in the next column, their difference and what was settled."""
    judges = [["AO", "BS", "EP", "DL", "CF"], people(5, 3), people(5, 9)][variant]
    truth = simulate(1920 + variant, [str(20260000 + 13 * k) for k in range(16)], judges, 2, scale=(30, 80))
    heads = (
        ["Student number", "First marker", "FM mark", "Second marker", "SM mark", "Difference", "Final"],
        ["Matrikelnr.", "Erstgutachter", "Punkte", "Zweitgutachter", "Punkte", "Differenz", "Endnote"],
        ["Script", "First examiner", "Mark", "Second examiner", "Mark", "Gap", "Total"],
    )[variant]
    rows: list[list] = [heads]
    for thing in truth.objects:
        (one, a), (two, b) = [(judge, score) for (o, judge), score in truth.scores.items() if o == thing]
        rows.append([thing, one, number(a), two, number(b), number(abs(a - b)), number((a + b) / 2)])
    return Export((save_csv(folder / "marks.csv", rows),), (truth,))


def averages_of_heats(variant: int, folder: Path) -> Export:
    """Rows such as "Average heat 1" below the rows of each group."""
    label = ("Average heat {}", "Summe Gruppe {}", "Moyenne poule {}")[variant]
    truth = simulate(1930 + variant, [f"{title} Choir" for title in titles(15)], people(5, 3), 4)
    rows: list[list] = [["Choir", *truth.assessors]]
    body = list(grid(truth).items())
    for group in range(3):
        part = body[5 * group : 5 * group + 5]
        rows += [[thing, *given] for thing, given in part]
        columns = [[z for z in column if z is not None] for column in zip(*[given for _, given in part], strict=True)]
        whole = [sum(z) if variant == 1 else round(sum(z) / len(z), 1) for z in columns]
        rows.append([label.format(group + 1), *whole])
    return Export((save_xlsx(folder / "marks.xlsx", {"Contest": rows}),), (truth,), must_ask=True)


def credits_of_all_but_one(variant: int, folder: Path) -> Export:
    """A row of credits that is blank below a figure that is no module's."""
    modules = ["Álgebra", "Óptica", "Lógica", "Botânica", "Ética"]
    credits = dict(zip(modules, (6, 6, 9, 3, 6), strict=True))
    truth = simulate(1940 + variant, [str(4400 + k) for k in range(18)], modules, 4, scale=(0, 20))
    credits = {module: credits[module] for module in truth.assessors}
    truth = Truth(truth.scores, {(thing, module): float(credits[module]) for thing, module in truth.scores})
    beside = ("Média ponderada", "Klas", "Fascículo")[variant]
    rows: list[list] = [["Aluno", *credits, beside], ["ECTS", *credits.values(), None]]
    for k, (thing, given) in enumerate(grid(truth).items()):
        known = [(z, c) for z, c in zip(given, credits.values(), strict=True) if z is not None]
        mean = round(sum(z * c for z, c in known) / sum(c for _, c in known), 1)
        rows.append([thing, *given, (mean, 6, 7 + k % 5)[variant]])
    return Export((save_xlsx(folder / "marks.xlsx", {"Pauta": rows}),), (truth,), must_ask=variant > 0)


def beyond_all_others(variant: int, folder: Path) -> Export:
    """One of five gives marks out of twice as much as the others."""
    judges = people(5, 3)
    top = (10, 10, 20)[variant]
    truth = simulate(1950 + variant, titles(20), judges, 4, scale=(0, top), step=0.5, middle=0.72)
    longer = {pair: 2 * z if pair[1] == judges[-1] else z for pair, z in truth.scores.items()}
    rows = [["Dish", *truth.assessors], *[[thing, *given] for thing, given in grid(Truth(longer)).items()]]
    alone = Truth(longer).only(judges[:-1])
    return Export((save_csv(folder / "marks.csv", rows),), (alone,), must_ask=True)
