"""A first column that never changes, slots named by country, forms in other tongues, words for what is missing."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from exports.export_file import Export, grid, number, save_csv, save_xlsx
from exports.truth import email, people, simulate, titles

_COUNTRIES = "Albania Belgium Cyprus Denmark Estonia Finland Georgia Hungary Iceland Latvia Malta Norway".split()


def one_value_first(variant: int, folder: Path) -> Export:
    """The first column says the same in every row, as that of a competition does; the second names the objects."""
    heads, first, last = (
        ("From country", "To country", "Juror"),
        ("Competition", "Entry", "Judge"),
        ("Edition", "Song", "Voter"),
    )[variant]
    judges = [f"{last} {letter}" for letter in "ABCDE"]
    truth = simulate(2100 + variant, _COUNTRIES, judges, 4, scale=(0, 100))
    said = ("Portugal", "Spring Open", 2026)[variant]
    rows: list[list] = [[heads, first, *truth.assessors]]
    rows += [[said, thing, *given] for thing, given in grid(truth).items()]
    return Export((save_csv(folder / "votes.csv", rows),), (truth,))


def slots_by_country(variant: int, folder: Path) -> Export:
    """Every row has six places for judges, each with the judge's country beside the score; a run may come again."""
    nations = "SLO GBR SWE SUI FRA JPN USA".split()
    truth = simulate(2110 + variant, people(14, 3), nations, 5, scale=(0, 100))
    words = (("judge{}_country", "judge{}_score"), ("Judge {} Nation", "Judge {} Mark"), ("J{} NOC", "J{} Score"))
    if variant == 2:
        words = (*words[:2], ("judge{}_noc", "judge{}_points"))
    who, what = words[variant]
    heads = [word.format(k) for k in range(1, 6) for word in (who, what)]
    rows: list[list] = [["competitor", "country", "bib", *heads, "notes"]]
    for k, thing in enumerate(truth.objects):
        given = [(judge, z) for (o, judge), z in truth.scores.items() if o == thing]
        rows.append([thing, nations[k % 7], 3 * k % 14 + 1, *[c for judge, z in given for c in (judge, number(z))], ""])
    return Export((save_csv(folder / "runs.csv", rows),), (truth,))


def forms_of_other_tongues(variant: int, folder: Path) -> Export:
    """A Google form in French, German or Spanish: who answered, and a question with what is judged in brackets."""
    stamp, who, question = (
        ("Horodateur", "Nom du juré", "Note"),
        ("Zeitstempel", "Name der Gutachterin / des Gutachters", "Bewertung"),
        ("Marca temporal", "Nombre del jurado", "Puntuación"),
    )[variant]
    truth = simulate(2120 + variant, titles(8), people(6, 2), 4, scale=(1, 10))
    items = {f"{question} [{thing}]": thing for thing in truth.objects}
    rows: list[list] = [[stamp, who, *items]]
    for k, judge in enumerate(truth.assessors):
        given = [number(truth.scores.get((thing, judge))) for thing in items.values()]
        rows.append([f"2026/05/0{k + 1} 10:01", judge, *given])
    return Export((save_csv(folder / "reponses.csv", rows),), (truth,), items)


def numbers_above(variant: int, folder: Path) -> Export:
    """Judges are numbered 1, 2, 3 above their scores, and the corner is a word for what the rows are."""
    truth = simulate(
        2130 + variant, [str(11 + k) for k in range(15)], list("123456"), 4, scale=((0, 20), (1, 10))[variant == 1]
    )
    corner = ("Bib", "Startnummer", "Dossard")[variant]
    rows: list[list] = [[corner, *map(int, truth.assessors)]]
    rows += [[int(thing), *given] for thing, given in grid(truth).items()]
    return Export((save_xlsx(folder / "scores.xlsx", {"Sheet1": rows}),), (truth,))


def words_of_absence(variant: int, folder: Path) -> Export:
    """Where nothing was assessed stands a word or a sign for it: in a jury's grid and in a list of reviews."""
    said = (("nb", "n.v.", "k.A."), (".", "NA", "not reviewed"), ("assente", "non valutato", "N.A."))[variant]
    truth = simulate(2140 + variant, titles(14), people(6, 4), 4, scale=(0, 20))
    rows: list[list] = [[("Wein", "Poster", "Progetto")[variant], *truth.assessors]]
    missing = 0
    for thing, given in grid(truth).items():
        cells = list(given)
        for k, cell in enumerate(cells):
            if cell is None:
                cells[k] = said[missing % 3]
                missing += 1
        rows.append([thing, *cells])
    if variant == 1:
        rows = [["Poster", "Judge", "Score"]]
        lot = np.random.default_rng(1)
        for thing, judge in ((o, j) for o in truth.objects for j in truth.assessors):
            z = truth.scores.get((thing, judge))
            rows.append([thing, judge, said[int(lot.integers(3))] if z is None else number(z)])
    return Export((save_csv(folder / "jury.csv", rows),), (truth,))


def absent_from_an_exam(variant: int, folder: Path) -> Export:
    """A word says that a student was absent, which a board may count as zero: nobody can know without asking."""
    corner, word = (("Student", "absent"), ("Matrikelnummer", "nicht erschienen"), ("Estudiante", "no presentado"))[
        variant
    ]
    truth = simulate(2150 + variant, [f"20260{k:02}" for k in range(16)], ["ENG201", "ARC101", "MAT150", "PHY110"], 3)
    rows: list[list] = [[corner, *truth.assessors]]
    blanks = 0
    for thing, given in grid(truth).items():
        cells = list(given)
        for k, cell in enumerate(cells):
            if cell is None:
                blanks += 1
                cells[k] = word if blanks % 4 == 0 else None
        rows.append([thing, *cells])
    return Export((save_csv(folder / "marks.csv", rows),), (truth,), must_ask=True)


def levels_with_dots(variant: int, folder: Path) -> Export:
    """HotCRP and others write a score as a number, a full stop and what it means: "2. Weak reject"."""
    levels = {1: "Reject", 2: "Weak reject", 3: "Weak accept", 4: "Accept", 5: "Strong accept"}
    truth = simulate(2160 + variant, titles(15), people(6, 1), 3, scale=(1, 5), middle=0.5)
    heads = (
        ["paper", "title", "review", "reviewername", "email", "OveMer"],
        ["Paper", "Reviewer", "Overall merit"],
        ["Submission", "Referee", "Recommendation"],
    )[variant]
    rows: list[list] = [heads]
    for k, ((thing, judge), z) in enumerate(truth.scores.items()):
        said = f"{z:g}. {levels[int(z)]}"
        nr = 1 + titles(15).index(thing)
        rows.append(
            [nr, thing, f"{nr}{'ABC'[k % 3]}", judge, email(judge), said] if variant == 0 else [thing, judge, said]
        )
    numbers = {str(1 + k): thing for k, thing in enumerate(titles(15))}
    addresses = {email(judge): judge for judge in truth.assessors}
    return Export((save_csv(folder / "reviews.csv", rows),), (truth,), numbers, addresses)


def jurors_below_a_name(variant: int, folder: Path) -> Export:
    """The corner says Name and each row is one juror; what is judged stands across, by title."""
    works = [title.replace(" I", "").capitalize() for title in titles(8 + variant)]
    truth = simulate(2170 + variant, works, people(7, 2), 4, scale=(1, 10))
    rows: list[list] = [[("Name", "Nome", "Naam")[variant], *truth.objects]]
    rows += [
        [judge, *[number(truth.scores.get((thing, judge))) for thing in truth.objects]] for judge in truth.assessors
    ]
    return Export((save_csv(folder / "marks.csv", rows),), (truth,), must_ask=True)


def a_noun_among_surnames(variant: int, folder: Path) -> Export:
    """One column beside the judges' surnames is headed by a common noun for something else that was marked."""
    noun = ("Interview", "Portfolio", "Homework")[variant]
    truth = simulate(2180 + variant, people(14, 5), ["Abel", "Beck", "Cole", "Dorn", "Epp"], 3)
    lot = np.random.default_rng(variant)
    rows: list[list] = [["Applicant", *truth.assessors, noun]]
    for thing, given in grid(truth).items():
        held = [z for z in given if z is not None]
        rows.append([thing, *given, int(np.clip(round(float(np.mean(held) + lot.normal(3, 4))), 0, 100))])
    return Export((save_xlsx(folder / "marks.xlsx", {"Marks": rows}),), (truth,), must_ask=True)
