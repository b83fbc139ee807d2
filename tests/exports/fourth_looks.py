"""Names that come twice, criteria in rows of their own, dates and remarks where scores should be."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from itertools import cycle
from pathlib import Path

import numpy as np

from exports.export_file import Export, Rows, grid, number, save_csv, save_xlsx
from exports.truth import Truth, people, simulate, titles

_JUDGES, _OTHERS = people(5, 3), people(5, 30)
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def _file(variant: int, folder: Path, rows: Rows) -> tuple[Path]:
    if variant == 1:
        return (save_csv(folder / "marks.csv", rows),)
    return (save_xlsx(folder / "marks.xlsx", {"Marks": rows}),)


def one_heading_twice(variant: int, folder: Path) -> Export:
    """Two assessors of one name; one assessor with a second column, whose mean or whose later scores count."""
    truth = simulate(1800 + variant, titles(16), _JUDGES, 4, scale=(0, 20))
    heads, rows = list(truth.assessors), [[thing, *given] for thing, given in grid(truth).items()]
    if variant == 0:
        again, other = heads[1], heads[3]
        heads[3] = again
        names = {f"{again} (C1)": again, f"{again} (E1)": other}
        return Export(_file(0, folder, [["Entry", *heads], *rows]), (truth,), assessors=names, must_ask=True)
    lot, scores = np.random.default_rng(variant), dict(truth.scores)
    for row in rows:
        first = row[2]
        second = None if first is None else int(np.clip(first + lot.integers(-2, 3), 0, 20))
        row.append(second)
        if first is not None and second is not None:
            scores[row[0], heads[1]] = (first + second) / 2 if variant == 1 else float(second)
    rows = [["Entry", *heads, heads[1]], *rows]
    return Export(_file(variant, folder, rows), (Truth(scores),), must_ask=True)


def one_surname_twice(variant: int, folder: Path) -> Export:
    """Surnames alone, of which one is that of two people."""
    persons = people(16, 3)
    truth = simulate(1810 + variant, persons, _OTHERS, 4, scale=(0, 20))
    surnames = [person.split()[1] for person in persons]
    surnames[8] = surnames[2]
    often = Counter(surnames)
    spelt = {(f"{s} (A{k})" if often[s] > 1 else s): persons[k - 2] for k, s in enumerate(surnames, 2)}
    rows = [[surname, *given] for surname, given in zip(surnames, grid(truth).values(), strict=True)]
    return Export(
        _file(variant, folder, [["Surname", *truth.assessors], *rows]), (truth,), objects=spelt, must_ask=True
    )


def first_and_last_names(variant: int, folder: Path) -> Export:
    """First and last names in two columns and nothing else to tell people apart, in a matrix and in a list."""
    persons = people(16, 3)
    truth = simulate(1820 + variant, persons, _OTHERS, 4, scale=(0, 20))
    parts = {person: person.split() for person in persons}
    parts[persons[8]][1], parts[persons[5]][0] = parts[persons[2]][1], parts[persons[11]][0]
    spelt = {" ".join(names): person for person, names in parts.items()}
    if variant == 0:
        rows = [["Surname", "First name", *truth.assessors]]
        rows += [[*reversed(parts[o]), *given] for o, given in grid(truth).items()]
    elif variant == 1:
        rows = [["First name", "Last name", "Judge", "Score"]]
        rows += [[*parts[o], a, number(score)] for (o, a), score in truth.scores.items()]
    else:
        rows = [["Nom", "Prénom", *truth.assessors]]
        rows += [[*reversed(parts[o]), *given] for o, given in grid(truth).items()]
    return Export(_file(variant, folder, rows), (truth,), objects=spelt)


def decimals_as_dates(variant: int, folder: Path) -> Export:
    """Decimals that a spreadsheet made dates of: 4.1 is the fourth of January; in a CSV "04-Jan"."""
    truth = simulate(1830 + variant, titles(16), _JUDGES, 4, scale=(1, 9), step=0.5 if variant == 0 else 0.1)

    def cell(given: float | None) -> float | str | datetime | None:
        if given is None or float(given).is_integer():
            return given
        day, month = map(int, str(given).split("."))
        return f"{day:02}-{_MONTHS[month - 1]}" if variant == 1 else datetime(2026, month, day)

    rows = [[thing, *map(cell, given)] for thing, given in grid(truth).items()]
    return Export(_file(variant, folder, [["Entry", *truth.assessors], *rows]), (truth,), must_ask=True)


_REMARKS = (
    "ill that day;conflict of interest, see mail;did not hand in;knows the author;left early;no file;wrong file;"
    "a very long remark about why this could not be assessed by anybody at all;to follow;see chair;asked for time",
    "krank;befangen;nicht abgegeben;kennt die Autorin;ging früher;keine Datei;leer;falsche Datei;folgt;siehe Vorsitz",
    "krank;{} (spät);fehlt;{} Punkte;{}?;befangen",
)


def remarks_among_scores(variant: int, folder: Path) -> Export:
    """Remarks of all kinds where nothing was assessed; in the third file some of them hold the score as well."""
    truth = simulate(1840 + variant, titles(24), _JUDGES, 3, scale=(1, 10))
    remarks = cycle(_REMARKS[variant].split(";"))

    def cell(given: float | None, k: int) -> float | str | None:
        remark = next(remarks) if given is None or k % 3 == 0 else ""
        if given is None:
            return remark if "{" not in remark else None
        return remark.format(given) if "{" in remark else given

    rows = [[o, *[cell(z, k + i) for k, z in enumerate(given)]] for i, (o, given) in enumerate(grid(truth).items())]
    return Export(_file(variant, folder, [["Entry", *truth.assessors], *rows]), (truth,), must_ask=True)


def criteria_in_rows(variant: int, folder: Path) -> Export:
    """A score for each criterion in a row of its own: in a list, in a list with weights, between columns of judges."""
    names = (("Depth", "Style", "Form"), ("Inhalt", "Form"), ("Fond", "Forme"))[variant]
    truth = simulate(1850 + variant, titles(14), _JUDGES, 4, scale=(2, 9))
    lot = np.random.default_rng(variant)
    parts = {
        pair: [int(score), *np.clip(int(score) + lot.integers(-1, 2, len(names) - 1), 1, 9).tolist()]
        for pair, score in truth.scores.items()
    }
    if variant == 2:
        rows = [["Dossier", "Critère", *truth.assessors]]
        for o in truth.objects:
            given = [parts.get((o, a), [None, None]) for a in truth.assessors]
            rows += [[o if k == 0 else None, name, *[z[k] for z in given]] for k, name in enumerate(names)]
    else:
        heads = (["Talk", "Judge", "Criterion", "Score"], ["Antrag", "Gutachter", "Kriterium", "Gewicht", "Punkte"])
        rows = [heads[variant]]
        for pair, given in parts.items():
            beside = [[2], [1]] if variant else [[], [], []]
            rows += [[*pair, name, *beside[k], given[k]] for k, name in enumerate(names)]
    weights = (1, 1, 1) if variant != 1 else (2, 1)
    whole = {pair: float(sum(w * z for w, z in zip(weights, given, strict=False))) for pair, given in parts.items()}
    single = [{pair: float(given[k]) for pair, given in parts.items()} for k in range(len(names))]
    return Export(_file(variant, folder, rows), tuple(map(Truth, (whole, *single))), must_ask=True)
