"""Google Classroom, Brightspace, Schoology: rows of dates, columns about the course; confidences told by a word."""

from __future__ import annotations

from pathlib import Path

from exports.export_file import Export, grid, number, save_csv
from exports.truth import people, simulate

_TASKS = ("Poster", "Debate", "Quiz 3", "Lab 2", "Field trip diary")


def _mean(given: list) -> float:
    scores = [score for score in given if score is not None]
    return sum(scores) / len(scores)


def google_classroom(variant: int, folder: Path) -> Export:
    """Rows of dates and points below the headings; an overall grade, the average of the class, or neither."""
    truth = simulate(2200 + variant, people(14, 3), _TASKS, 3, scale=(5, 20))
    overall = ["Overall Grade"] if variant != 2 else []
    rows: list[list] = [["Last Name", "First Name", "Email Address", *overall, *truth.assessors]]
    before = [""] * (len(rows[0]) - len(truth.assessors) - 1)
    rows.append([*before, "Date", *(f"2026-0{k}-12" for k in range(1, 6))])
    rows.append([*before, "Points", *[20] * 5])
    ids = {}
    for k, (thing, given) in enumerate(grid(truth).items()):
        first, _, last = thing.partition(" ")
        ids[f"k{k}@s.example"] = thing
        share = [f"{5 * _mean(given):.2f}%"] if overall else []
        rows.append([last, first, f"k{k}@s.example", *share, *given])
    if variant == 0:
        columns = list(zip(*grid(truth).values(), strict=True))
        rows.append(["Class Average", "", "", "", *(round(_mean(list(column)), 2) for column in columns)])
    return Export((save_csv(folder / "grades.csv", rows),), (truth,), objects=ids)


def brightspace(variant: int, folder: Path) -> Export:
    """Points with their maxima in the headings, subtotals and final grades with numerators and denominators."""
    truth = simulate(2210 + variant, people(14, 3), _TASKS, 3, scale=(30, 100))
    heads = {f"{task} Points Grade <Numeric MaxPoints:100>": task for task in truth.assessors}
    after = (
        ["Coursework Subtotal Numerator", "Coursework Subtotal Denominator", "End-of-Line Indicator"],
        ["Calculated Final Grade Numerator", "Calculated Final Grade Denominator", "End-of-Line Indicator"],
        ["End-of-Line Indicator"],
    )[variant]
    rows: list[list] = [["OrgDefinedId", "Username", "Last Name", "First Name", *heads, *after]]
    ids = {}
    for k, (thing, given) in enumerate(grid(truth).items()):
        first, _, last = thing.partition(" ")
        ids[f"#70{k:02}"] = thing
        scores = [score for score in given if score is not None]
        total = ([number(sum(scores)), 100 * len(scores)], [number(round(_mean(given), 2)), 100], [])[variant]
        rows.append([f"#70{k:02}", f"#u{k}", last, first, *given, *total, "#"])
    return Export((save_csv(folder / "grades.csv", rows),), (truth,), objects=ids, assessors=heads)


def course_in_a_column(variant: int, folder: Path) -> Export:
    """A gradebook whose columns Course and Section say the same in every row, as Schoology has it."""
    truth = simulate(2220 + variant, people(14, 3), _TASKS, 3, scale=(30, 100))
    maxima = " - Max Points: 100" if variant == 0 else ""
    heads = {f"{task}{maxima}": task for task in truth.assessors}
    who = ("Unique User ID", "Student ID", "Matrikelnummer")[variant]
    where = (["Course", "Section"], ["Module", "Group"], ["Kurs"])[variant]
    rows: list[list] = [["First Name", "Last Name", who, *where, *heads, "Overall Grade"]]
    ids = {}
    for k, (thing, given) in enumerate(grid(truth).items()):
        first, _, last = thing.partition(" ")
        ids[f"sch-{k:03}"] = thing
        rows.append([first, last, f"sch-{k:03}", *["Art", "B2"][: len(where)], *given, f"{_mean(given):.2f}%"])
    return Export((save_csv(folder / "grades.csv", rows),), (truth,), objects=ids, assessors=heads)


def confidences_by_word(variant: int, folder: Path) -> Export:
    """Score (Name) beside Conf. (Name); a column conf right of each name; a block of each over the same names."""
    truth = simulate(2230 + variant, people(14, 40), people(5, 3), 3, scale=(30, 90), confidences=(1, 2, 4))
    names = truth.assessors
    score = list(grid(truth).items())
    said = truth.confidences or {}
    sure = [[said.get((thing, name)) for name in names] for thing in truth.objects]
    if variant == 0:
        rows = [["Applicant", *(f"Score ({name})" for name in names), *(f"Conf. ({name})" for name in names)]]
        rows += [[thing, *given, *by] for (thing, given), by in zip(score, sure, strict=True)]
    elif variant == 1:
        rows = [["Poster", *(text for name in names for text in (name, "conf"))]]
        rows += [
            [thing, *(cell for pair in zip(given, by, strict=True) for cell in pair)]
            for (thing, given), by in zip(score, sure, strict=True)
        ]
    else:
        rows = [["", "Punkte", *[""] * 4, "Sicherheit", *[""] * 4], ["Beitrag", *names, *names]]
        rows += [[thing, *given, *by] for (thing, given), by in zip(score, sure, strict=True)]
    return Export((save_csv(folder / "scores.csv", rows),), (truth,))
