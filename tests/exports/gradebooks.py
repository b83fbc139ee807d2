"""What learning platforms and student systems export: one row per student, a column per assignment or module."""

from __future__ import annotations

import random
from pathlib import Path

from exports.export_file import Export, grid, number, save_csv, save_xlsx
from exports.truth import Truth, email, people, simulate

_SIZES = ((12, 5, 4), (34, 7, 5), (70, 9, 7))


def _marks(seed: int, variant: int, students: list[str], columns: list[str], **scale: object) -> Truth:
    per_object = min(_SIZES[variant][2], len(columns))
    return simulate(seed, students, columns[: _SIZES[variant][1]], per_object, spread=0.07, **scale)  # type: ignore[arg-type]


def moodle(variant: int, folder: Path) -> Export:
    """Moodle: the grader report as CSV or .xlsx, with its course total and the time of the download."""
    count = _SIZES[variant][0]
    ids = [f"{2100000 + 37 * k}" for k in range(count)]
    names = people(count, 3)
    if variant == 2:
        names[5] = names[4]
    kinds = ("Assignment", "Quiz", "Assignment", "Workshop", "Quiz", "Assignment", "Quiz", "Lesson", "Assignment")
    items = [f"{kind}: {topic} (Real)" for kind, topic in zip(kinds, _TOPICS, strict=False)]
    german = variant == 1
    if german:
        items = [
            item.replace("Assignment", "Aufgabe").replace("Quiz", "Test").replace("Real", "Punkte") for item in items
        ]
    truth = _marks(200 + variant, variant, ids, items)
    cells = grid(truth, comma=german)
    head = ["First name", "Surname", "ID number", "Institution", "Department", "Email address"]
    last = ["Course total (Real)", "Last downloaded from this course"]
    if german:
        head = ["Vorname", "Nachname", "ID-Nummer", "Institution", "Abteilung", "E-Mail-Adresse"]
        last = ["Kurs gesamt (Punkte)", "Zuletzt aus diesem Kurs geladen"]
    rows: list[list] = [[*head, *truth.assessors, *last]]
    for k, (student, name) in enumerate(zip(ids, names, strict=True)):
        first, surname = name.split()
        given = [truth.scores.get((student, item)) for item in truth.assessors]
        total = sum(score for score in given if score is not None)
        mail = f"{first}.{surname}{k}@example.org".lower()
        shown = ["-" if cell is None else cell for cell in cells[student]]
        rows.append([first, surname, student, "", "", mail, *shown, number(total), 1_763_790_000])
    aliases = {f"{row[0]}.{row[1]}{k}@example.org".lower(): ids[k] for k, row in enumerate(rows[1:])}
    if variant == 2:
        return Export((save_xlsx(folder / "MA101 Grades.xlsx", {"Grades": rows}),), (truth,), aliases)
    path = save_csv(folder / "MA101 Grades.csv", rows, ";" if german else ",", "utf-8-sig" if german else "utf-8")
    return Export((path,), (truth,), aliases)


_TOPICS = "Essay 1;Sources;Essay 2;Peer review;Methods;Report;Statistics;Reading;Project".split(";")


def canvas(variant: int, folder: Path) -> Export:
    """Canvas: the gradebook with its row of points possible, the test student and four kinds of totals."""
    count = _SIZES[variant][0]
    names = people(count, 7)
    students = [f"{name.split()[1]}, {name.split()[0]}" for name in names]
    items = [f"{topic} ({40_000 + 17 * k})" for k, topic in enumerate(_TOPICS)]
    truth = _marks(210 + variant, variant, students, items)
    cells = grid(truth)
    ends = ("Current Score", "Unposted Current Score", "Final Score", "Unposted Final Score")
    groups = ["Assignments Current Score", "Assignments Final Score"] if variant else []
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *truth.assessors, *groups, *ends]
    rows: list[list] = [head + (["Current Grade"] if variant == 2 else [])]
    width = len(truth.assessors)
    if variant == 2:
        rows.append([None] * 5 + ["Manual Posting"] + [None] * (width - 1 + len(groups) + 5))
    only = [None if variant == 0 else "(read only)"] * (len(groups) + 4)
    rows.append(["    Points Possible", None, None, None, None, *[100.0] * width, *only])
    aliases: dict[str, str] = {}
    for k, student in enumerate(students):
        given = [score for score in cells[student] if score is not None]
        current, final = round(sum(given) / len(given), 2), round(sum(given) / width, 2)
        totals = [current, final] if variant else []
        totals += [current, current, final, final]
        ids = [5000 + k, f"0{771000 + k}", email(names[k]).split("@")[0]]
        aliases |= {str(one): student for one in ids}
        grade = ["B"] if variant == 2 else []
        rows.append([student, *ids, "MA101-01", *cells[student], *totals, *grade])
    if variant:
        blank = [None] * width if variant == 1 else [0] * width
        rows.append(["Student, Test", 9999, None, "a1b2c3d4e5", "MA101-01", *blank, *[0] * (len(groups) + 4)])
    return Export((save_csv(folder / "2026-11-20T1402_Grades-MA101.csv", rows),), (truth,), aliases)


def blackboard(variant: int, folder: Path) -> Export:
    """Blackboard: Work Offline > Download, with points and ids of the columns in their headings."""
    count = _SIZES[variant][0]
    names = people(count, 11)
    logins = [f"u{1004000 + 31 * k}" for k in range(count)]
    items = [f"{topic} [Total Pts: 100 Score] |{60_001 + k}" for k, topic in enumerate(_TOPICS)]
    truth = _marks(220 + variant, variant, logins, items)
    cells = grid(truth)
    top = 100 * len(truth.assessors)
    totals = ["Weighted Total [Total Pts: up to 100 Percentage] |1", f"Total [Total Pts: up to {top} Score] |2"]
    head = ["Last Name", "First Name", "Username", "Student ID", "Last Access", "Availability"]
    rows: list[list] = [[*head, *(totals if variant else totals[1:]), *truth.assessors]]
    for k, (login, name) in enumerate(zip(logins, names, strict=True)):
        given = [score for score in cells[login] if score is not None]
        total = [sum(given)] if variant == 0 else [round(sum(given) / len(given), 5), sum(given)]
        first, last = name.split()
        who = [last, first, login, 20260000 + k, f"2026-11-{k % 20 + 1:02d} 09:15:00", "Yes"]
        rows.append([*who, *total, *cells[login]])
    aliases = {str(20260000 + k): login for k, login in enumerate(logins)}
    path = folder / ("gc_MA101_fullgc_2026.csv" if variant == 0 else "gc_MA101_fullgc_2026.xls")
    path = save_csv(path, rows) if variant == 0 else save_csv(path, rows, "\t", "utf-16")
    return Export((path,), (truth,), aliases)


def student_system(variant: int, folder: Path) -> Export:
    """Student systems: a grid of results with credits above, attempts and results such as 45R, means at the end."""
    count = _SIZES[variant][0]
    students = [f"{2119300 + 13 * k}" for k in range(count)]
    codes = [f"MA{3 + k % 2}{'ABCDEFGHK'[k]}{k}" for k in range(9)]
    truth = _marks(230 + variant, variant, students, codes)
    credits = {code: (15.0, 15.0, 30.0, 7.5)[k % 4] for k, code in enumerate(truth.assessors)}
    truth = Truth(truth.scores, {pair: credits[pair[1]] for pair in truth.scores})
    cells = grid(truth)
    resits = {(students[1], 0), (students[4], 1)}
    head = ["Candidate No", "Programme", "Attempt", *truth.assessors, "Credits taken", "Year mark", "Result"]
    if variant == 1:
        head[0] = "Student ID"
    above = ["CATS" if variant else "Credits", None, None, *[number(credits[code]) for code in truth.assessors]]
    rows: list[list] = []
    if variant == 2:
        rows += [["Board of Examiners 2026"], []]
    rows += [head, above]
    for student in students:
        given = [
            (score, credits[code])
            for code in truth.assessors
            if (score := truth.scores.get((student, code))) is not None
        ]
        taken = sum(weight for _, weight in given)
        shown = [
            f"{cell}R" if (student, j) in resits and cell is not None else cell for j, cell in enumerate(cells[student])
        ]
        mean = round(sum(score * weight for score, weight in given) / taken, 1)
        attempt = 2 if any(student == one for one, _ in resits) else 1
        rows.append([student, "G100", attempt, *shown, number(taken), mean, "Pass" if mean >= 40 else "Fail"])
    path = folder / ("grid.xlsx" if variant != 1 else "grid.csv")
    path = save_xlsx(path, {"Year 3": rows}) if variant != 1 else save_csv(path, rows)
    left = {
        pair: score for pair, score in truth.scores.items() if (pair[0], truth.assessors.index(pair[1])) not in resits
    }
    without = Truth(left, {pair: credits[pair[1]] for pair in left})
    return Export((path,), (truth, without))


def german(variant: int, folder: Path) -> Export:
    """A German examination office: marks from 1.0 to 5.0 where lower is better, averages and matriculation numbers."""
    count = _SIZES[variant][0]
    ids = [f"{300000 + 719 * k}" for k in range(count)]
    names = people(count, 5)
    modules = "Analysis I;Lineare Algebra;Stochastik;Numerik;Algebra;Logik;Geometrie;Topologie;Optik".split(";")
    truth = _marks(240 + variant, variant, ids, modules, scale=(1, 5), step=0.1, middle=0.35)
    cells = grid(truth, comma=True)
    rows: list[list] = []
    if variant == 2:
        rows.append(["Notenliste Wintersemester 2026/27"])
    last = ["Durchschnitt", "Rang"] if variant else ["Durchschnitt"]
    rows.append(["Matrikelnummer", "Name", "Vorname", *truth.assessors, *last])
    means = {
        one: round(sum(given) / len(given), 2)
        for one in ids
        if (given := [truth.scores[one, module] for module in truth.assessors if (one, module) in truth.scores])
    }
    order = sorted(ids, key=means.__getitem__)
    for one, name in zip(ids, names, strict=True):
        first, surname = name.split()
        rank = [order.index(one) + 1] if variant else []
        rows.append([one, surname, first, *cells[one], number(means[one], comma=True), *rank])
    if variant:
        rows.append(["Mittelwert", None, None, *[_mean_of(truth, module) for module in truth.assessors], None])
    path = folder / "Notenliste.csv"
    if variant == 2:
        plain = [[_plain(cell) for cell in row] for row in rows]
        return Export(
            (save_xlsx(folder / "Notenliste.xlsx", {"Noten": plain}),), (truth,), must_ask=True, lower_is_better=True
        )
    path = save_csv(path, rows, ";", "cp1252")
    return Export((path,), (truth,), must_ask=True, lower_is_better=True)


def french(variant: int, folder: Path) -> Export:
    """A French jury: marks out of 20, coefficients above, decimal commas, semicolons, a column of means."""
    count = _SIZES[variant][0]
    ids = [f"N{220100 + 3 * k}" for k in range(count)]
    names = people(count, 8)
    modules = "Analyse;Algèbre;Physique;Chimie;Anglais;Informatique;Biologie;Histoire;Économie".split(";")
    truth = _marks(250 + variant, variant, ids, modules, scale=(0, 20), step=0.5)
    weights = {module: (3.0, 2.0, 2.0, 1.0)[k % 4] for k, module in enumerate(truth.assessors)}
    plain = truth
    truth = Truth(truth.scores, {pair: weights[pair[1]] for pair in truth.scores})
    cells = grid(truth, comma=True)
    head = ["N° étudiant", "Nom", "Prénom", *truth.assessors, "Moyenne"]
    if variant:
        head += ["Rang"]
    row_of_weights = ["Coefficient", None, None, *[number(weights[module]) for module in truth.assessors]]
    means: dict[str, float] = {}
    for one in ids:
        pairs = [(one, module) for module in truth.assessors if (one, module) in truth.scores]
        taken = sum(weights[module] for _, module in pairs)
        means[one] = round(sum(truth.scores[pair] * weights[pair[1]] for pair in pairs) / taken, 2)
    order = sorted(ids, key=lambda one: -means[one])
    rows: list[list] = [head, row_of_weights]
    for one, name in zip(ids, names, strict=True):
        first, surname = name.split()
        rank = [order.index(one) + 1] if variant else []
        rows.append([one, surname, first, *cells[one], number(means[one], comma=True), *rank])
    if variant:
        rows.append(["Moyenne", None, None, *[_mean_of(truth, module) for module in truth.assessors], None])
    if variant == 2:
        rows = [[_plain(cell) for cell in row] for row in rows]
        return Export((save_xlsx(folder / "Jury.xlsx", {"Notes": rows}),), (truth, plain))
    return Export((save_csv(folder / "jury.csv", rows, ";", "cp1252"),), (truth, plain))


def _mean_of(truth: Truth, module: str) -> str:
    given = [score for (_, column), score in truth.scores.items() if column == module]
    return number(round(sum(given) / len(given), 2), comma=True)


def _plain(cell: object) -> object:
    """Turn a number with a decimal comma into the number that a workbook has."""
    if isinstance(cell, str) and cell.replace(",", "").isdigit():
        return float(cell.replace(",", "."))
    return cell


def stray_numbers(variant: int, folder: Path) -> Export:
    """Mark sheets kept by hand, with numbers beside the marks that are none."""
    count = _SIZES[variant][0]
    names = people(count, 2)
    ids = [f"S{1001 + k}" for k in range(count)]
    modules = "Anatomy;Genetics;Ecology;Botany;Zoology;Statistics;Virology;Ethics;Physiology".split(";")
    truth = _marks(260 + variant, variant, ids, modules)
    cells = grid(truth)
    lot = random.Random(variant)
    before = (["Year of birth"], ["Year of entry", "Phone"], ["Age", "Student number"])[variant]
    after = (["Attendance %"], ["Attendance %", "Absences"], ["Days present", "Room"])[variant]
    rows: list[list] = [["Student", "Name", *before, *truth.assessors, *after]]
    for k, (one, name) in enumerate(zip(ids, names, strict=True)):
        left = ([1998 + k % 8], [2021 + k % 4, 7_700_900_000 + 37 * k], [18 + k % 9, 4_400_000 + k])[variant]
        share = lot.randint(55, 100)
        right = ([share], [share, lot.randint(0, 9)], [lot.randint(30, 60), 101 + k % 4])[variant]
        rows.append([one, name, *left, *cells[one], *right])
    path = folder / ("marks.xlsx" if variant != 1 else "marks.csv")
    path = save_xlsx(path, {"Marks": rows}) if variant != 1 else save_csv(path, rows)
    return Export((path,), (truth,), {name: one for one, name in zip(ids, names, strict=True)})


def mixed_scales(variant: int, folder: Path) -> Export:
    """Columns out of 10, 25 and 100 side by side, with the maxima in the headings, in a row, or nowhere."""
    count = _SIZES[variant][0]
    ids = [f"C{701 + k}" for k in range(count)]
    papers = [f"Paper {letter}" for letter in "ABCDE"]
    small = [("Quiz 1", 10.0), ("Lab report", 25.0)]
    truth = _marks(270 + variant, variant, ids, papers)
    percent = simulate(280 + variant, ids, [name for name, _ in small], 2, step=4)
    shares = Truth({**truth.scores, **percent.scores})
    rows: list[list] = []
    columns = [*[(name, 100.0) for name in truth.assessors], *small]
    head = [f"{name} (out of {number(top)})" if variant == 0 else name for name, top in columns]
    rows.append(["Candidate", *head])
    if variant == 1:
        rows.append(["Maximum", *[number(top) for _, top in columns]])
    for one in ids:
        cells = [number(truth.scores.get((one, name))) for name in truth.assessors]
        cells += [number(percent.scores[one, name] * top / 100) for name, top in small]
        rows.append([one, *cells])
    path = folder / ("coursework.xlsx" if variant != 1 else "coursework.csv")
    path = save_xlsx(path, {"Coursework": rows}) if variant != 1 else save_csv(path, rows)
    spelt = {heading: name for heading, (name, _) in zip(head, columns, strict=True)}
    return Export((path,), (truth, shares), assessors=spelt, must_ask=True)
