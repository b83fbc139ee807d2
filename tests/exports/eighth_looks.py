"""Shares of attendance, confidences by other words, forms with questions of their own, a Total beside full names."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from exports.export_file import Export, grid, number, save_csv, save_xlsx
from exports.truth import Truth, people, simulate, titles


def shares_in_percent(variant: int, folder: Path) -> Export:
    """A column in percent beside scores that are none: attendance by its word, and by another that nobody lists."""
    truth = simulate(2200 + variant, [str(55012 + 38 * k) for k in range(20)], _MODULES, 4)
    head = ("Assiduité (%)", "Anwesenheit in %", "Forum posts read, %")[variant]
    lot = np.random.default_rng(variant)
    rows: list[list] = [[("N° étudiant", "Matrikelnr.", "Student ID")[variant], *truth.assessors, head]]
    rows += [[int(thing), *given, int(lot.integers(60, 100))] for thing, given in grid(truth).items()]
    return Export((save_csv(folder / "marks.csv", rows, ";"),), (truth,), must_ask=variant == 2)


_MODULES = ["Statics", "Dynamics", "Thermo", "Materials", "Drawing", "Workshop"]
_SURNAMES = ["Thornbury", "Qureshi", "Delacroix", "Volkov", "Nakamura", "Conti"]


def confidences_by_other_words(variant: int, folder: Path) -> Export:
    """Beside each assessor's scores the familiarity with the field, a weight "w_NAME", or words below "how sure?"."""
    levels = (1, 2, 3, 4, 5) if variant < 2 else (0.25, 1, 4)
    truth = simulate(2210 + variant, [f"P{11 + k}" for k in range(20)], _SURNAMES, 3, confidences=levels)
    said = {0.25: "low", 1: "medium", 4: "high"}
    form = ("{}: familiarity with the field (1-5)", "w_{}", "how sure?")[variant]
    rows: list[list] = [["Proposal", *[h for name in truth.assessors for h in (name, form.format(name))]]]
    for thing in truth.objects:
        cells: list = []
        for name in truth.assessors:
            sure = (truth.confidences or {}).get((thing, name))
            cells += [number(truth.scores.get((thing, name))), said.get(sure or 0) if variant == 2 else number(sure)]
        rows.append([thing, *cells])
    return Export((save_csv(folder / "panel.csv", rows),), (truth,))


def deviations_beside_names(variant: int, folder: Path) -> Export:
    """A standard deviation beside each score, by a sign, as a standard error, or below a name that stands over both."""
    spread = simulate(2220 + variant, [f"P{11 + k}" for k in range(20)], _SURNAMES, 3, confidences=(2, 3, 5, 8))
    given = dict(spread.confidences or {})
    truth = Truth(spread.scores, given if variant == 2 else {pair: 1 / sd**2 for pair, sd in given.items()})
    form = ("± {}", "{} std. error", "Conf.")[variant]
    heads = ["Proposal", *[h for name in truth.assessors for h in (name, form.format(name))]]
    rows: list[list] = [heads]
    if variant == 2:
        rows = [["", *[h for name in truth.assessors for h in (name, "")]], ["Proposal", *["Score", "Conf."] * 6]]
    for thing in truth.objects:
        pairs = [(thing, name) for name in truth.assessors]
        cells = [c for pair in pairs for c in (number(truth.scores.get(pair)), number(given.get(pair)))]
        rows.append([thing, *cells])
    return Export((save_csv(folder / "panel.csv", rows),), (truth,))


def answers_in_own_words(variant: int, folder: Path) -> Export:
    """A form with questions that are nobody's words: who you are, which pitch you saw, points."""
    truth = simulate(2230 + variant, [title.capitalize() for title in titles(16)], people(7, 3), 3)
    heads = (
        ("Who are you?", "Which pitch did you see?", "Points out of 100"),
        ("Wer bist du?", "Welchen Film hast du gesehen?", "Punkte von 100"),
        ("You", "What you saw", "How many points?"),
    )[variant]
    rows: list[list] = [["ID", "Start time", "Completion time", "Email", "Name", *heads, "Anything else?"]]
    for k, ((thing, judge), z) in enumerate(truth.scores.items()):
        rows.append(
            [k + 1, f"2026-05-02 9:{k % 60:02}", "2026-05-02 10:00", "anonymous", None, judge, thing, number(z), None]
        )
    return Export((save_csv(folder / "form.csv", rows),), (truth,), must_ask=True)


def total_typed_by_hand(variant: int, folder: Path) -> Export:
    """A last column headed Total or Average beside full names, whose numbers are not worked out from the others."""
    truth = simulate(2240 + variant, [str(160000 + 38 * k) for k in range(24)], people(6, 4), 3)
    lot = np.random.default_rng(variant)
    rows: list[list] = [["Candidate", *truth.assessors, ("Total", "Average", "Sum")[variant]]]
    rows += [[int(thing), *given, int(lot.integers(40, 80))] for thing, given in grid(truth).items()]
    return Export((save_xlsx(folder / "marks.xlsx", {"Marks": rows}),), (truth,), must_ask=True)


def ranked_first(variant: int, folder: Path) -> Export:
    """Rank and average stand before the candidates' ids and the scores."""
    truth = simulate(2250 + variant, [str(616325 + 341 * k) for k in range(18)], people(6, 4), 3)
    corner = ("Candidate", "Bewerber", "Applicant ID")[variant]
    rows: list[list] = []
    for thing, given in grid(truth).items():
        held = [z for z in given if z is not None]
        rows.append([round(sum(held) / len(held), 2), int(thing), *given])
    rows.sort(key=lambda row: -row[0])
    heads = [[("Rank", "Rang", "Place")[variant], ("Avg", "Mittelwert", "Mean")[variant], corner, *truth.assessors]]
    return Export((save_csv(folder / "list.csv", [*heads, *[[k, *row] for k, row in enumerate(rows, 1)]]),), (truth,))


def slots_in_brackets(variant: int, folder: Path) -> Export:
    """Slots whose words stand in brackets: "R1 (name)", "R1 (score)", "R1 (conf)"."""
    truth = simulate(2260 + variant, [str(515151 + 38 * k) for k in range(16)], people(7, 4), 3, confidences=(1, 2, 3))
    slot, words = (
        ("R{}", ("name", "score", "conf")),
        ("Reviewer {}", ("name", "mark", "confidence")),
        ("Ref {}", ("Name", "Points", "Conf.")),
    )[variant]
    rows: list[list] = [["Ref", *[f"{slot.format(k)} ({word})" for k in (1, 2, 3) for word in words]]]
    for thing in truth.objects:
        pairs = [pair for pair in truth.scores if pair[0] == thing]
        cells = [
            c for pair in pairs for c in (pair[1], number(truth.scores[pair]), number((truth.confidences or {})[pair]))
        ]
        rows.append([thing, *cells])
    return Export((save_csv(folder / "reviews.csv", rows),), (truth,))


def points_row_of_other_tongues(variant: int, folder: Path) -> Export:
    """Canvas in other languages: the columns are English, the row of points possible is not."""
    points, only = (
        ("Mögliche Punkte", "(schreibgeschützt)"),
        ("Points possibles", "(lecture seule)"),
        ("Puntos posibles", "(solo lectura)"),
    )[variant]
    truth = simulate(
        2270 + variant, [str(88120 + 38 * k) for k in range(18)], [f"Task {k} ({4411 + k})" for k in range(6)], 4
    )
    heads = [
        "Student",
        "ID",
        "SIS User ID",
        "SIS Login ID",
        "Section",
        *truth.assessors,
        "Current Score",
        "Final Score",
    ]
    rows: list[list] = [heads, [f"    {points}", *[None] * 4, *["100,00"] * 6, only, only]]
    for (thing, given), name in zip(grid(truth).items(), people(18, 3), strict=True):
        held = [z for z in given if z is not None]
        mean = f"{sum(held) / len(held):.2f}".replace(".", ",")
        cells = [None if z is None else f"{z:.2f}".replace(".", ",") for z in given]
        rows.append(
            [", ".join(reversed(name.split())), int(thing) % 997, thing, f"u{thing}", "HIST 201", *cells, mean, mean]
        )
    test = ("Teilnehmer, Test", "Étudiant, Test", "Estudiante, Prueba")[variant]
    rows.append([test, 99, None, "a9f", "HIST 201", *["55,00"] * 8])
    return Export((save_csv(folder / "grades.csv", rows, ";", "utf-8-sig"),), (truth,))


def list_on_its_side(variant: int, folder: Path) -> Export:
    """A list that lies on its side: one row each for what is assessed, who assesses and the scores."""
    truth = simulate(2280 + variant, titles(14), people(6, 2), 3)
    heads = (("Candidate", "Examiner", "Mark"), ("Entry", "Judge", "Score"), ("Beitrag", "Gutachter", "Punkte"))[
        variant
    ]
    columns = [heads, *[(thing, judge, number(z)) for (thing, judge), z in truth.scores.items()]]
    return Export((save_csv(folder / "scores.csv", list(zip(*columns, strict=True))),), (truth,))


def who_before_what(variant: int, folder: Path) -> Export:
    """A list in nobody's words, in which those who assess stand first."""
    heads = (
        ("#", "Who", "What", "How good"),
        ("#", "Person", "Thing", "Value"),
        ("#", "Teacher", "Recipe", "Value"),
    )[variant]
    truth = simulate(2290 + variant, titles(20), people(6, 4), 3)
    pairs = sorted(truth.scores.items(), key=lambda item: item[0][1])
    rows: list[list] = [list(heads)]
    rows += [[k, judge, thing, number(z)] for k, ((thing, judge), z) in enumerate(pairs, 1)]
    return Export((save_csv(folder / "list.csv", rows),), (truth,), must_ask=True)


def a_row_on_top(variant: int, folder: Path) -> Export:
    """Above the first student, among ids that are all numbers, stands a row of something else."""
    truth = simulate(2300 + variant, [str(5001 + 37 * k) for k in range(18)], _MODULES, 4)
    lot = np.random.default_rng(variant)
    rows: list[list] = [["Student", *truth.assessors]]
    rows.append([("Model answer", "Benchmark", "Average")[variant], *map(int, lot.integers(50, 90, 6))])
    rows += [[int(thing), *given] for thing, given in grid(truth).items()]
    return Export((save_csv(folder / "marks.csv", rows),), (truth,), must_ask=True)


def rows_by_day(variant: int, folder: Path) -> Export:
    """Every candidate has a row for each day; who sat on the first day has no score in the rows of the second."""
    truth = simulate(2310 + variant, [str(515151 + 38 * k) for k in range(16)], people(6, 4), 4)
    days = (("Mon", "Tue"), ("Montag", "Dienstag"), ("AM", "PM"))[variant]
    rows: list[list] = [["Candidate", ("Day", "Tag", "Session")[variant], *truth.assessors]]
    for thing, given in grid(truth).items():
        rows += [[int(thing), days[0], *given[:3], *[None] * 3], [int(thing), days[1], *[None] * 3, *given[3:]]]
    return Export((save_csv(folder / "days.csv", rows),), (truth,), must_ask=True)


def places_and_ids(variant: int, folder: Path) -> Export:
    """A place, a long reference number and a name stand before the scores."""
    truth = simulate(2320 + variant, [str(717171 + 341 * k) for k in range(18)], people(6, 4), 3)
    heads = (("Pos.", "Ref.", "Applicant"), ("Rang", "Nr.", "Bewerber"), ("Rank", "ID", "Candidate"))[variant]
    rows: list[list] = [[*heads, *truth.assessors]]
    named = dict(zip(truth.objects, people(18, 11), strict=True))
    for k, (thing, given) in enumerate(grid(truth).items(), 1):
        rows.append([k, int(thing), named[thing], *given])
    return Export(
        (save_xlsx(folder / "list.xlsx", {"List": rows}),), (truth,), {name: thing for thing, name in named.items()}
    )
