"""More of what learning platforms and registries export: letters beside marks, maxima in columns, boards, attempts."""

from __future__ import annotations

from pathlib import Path

import openpyxl

from exports.export_file import Export, grid, number, save_csv, save_xlsx
from exports.truth import Truth, email, people, simulate

_SIZES = ((14, 5), (26, 6), (40, 7))
_ITEMS = "Essay 1;Sources;Essay 2;Report;Methods;Reading;Project".split(";")
_MODULES = "HIST101;HIST102;HIST110;HIST120;HIST130;HIST144;HIST150".split(";")


def _letter(score: float) -> str:
    return next(letter for least, letter in ((70, "A"), (60, "B"), (50, "C"), (40, "D"), (-1, "F")) if score >= least)


def letters_beside(variant: int, folder: Path) -> Export:
    """Moodle with marks as numbers, percentages and letters at once, or with its rows of ranges and averages."""
    count, width = _SIZES[variant]
    ids = [f"{2300000 + 41 * k}" for k in range(count)]
    items = [f"Assignment: {topic} (Real)" for topic in _ITEMS[:width]]
    if variant == 2:
        items = _ITEMS[:width]
    truth = simulate(1010 + variant, ids, items, width - 1)
    cells, names = grid(truth), people(count, 6)
    kinds = (["Real", "Percentage", "Letter"], ["Real", "Letter"], [])[variant]
    heads = [item.replace("Real", kind) for item in truth.assessors for kind in kinds] or list(truth.assessors)
    ends = [f"Course total ({kind})" for kind in kinds] or ["Course total"]
    rows: list[list] = [["First name", "Last name", "ID number", "Email address", *heads, *ends]]
    if variant == 2:
        rows.append(["Range", "", "", "", *["0.00–100.00"] * width, f"0.00–{100 * width}.00"])
    for k, one in enumerate(ids):
        first, last = names[k].split()
        given = [cell for cell in cells[one] if cell is not None]
        total = sum(given) / len(given)
        shown: list = []
        for cell in [*cells[one], total]:
            written = {"Real": "-", "Percentage": "-", "Letter": "-"}
            if cell is not None:
                written = {"Real": f"{cell:.2f}", "Percentage": f"{cell:.2f} %", "Letter": _letter(cell)}
            shown += [written[kind] for kind in kinds] or [written["Real"]]
        rows.append([first, last, one, f"{first}.{last}{k}@example.org".lower(), *shown])
    if variant == 2:
        means = [[truth.scores[t, one] for t in ids if (t, one) in truth.scores] for one in truth.assessors]
        rows.append(
            ["Overall average", "", "", "", *[f"{sum(m) / len(m):.2f} ({len(m)})" for m in means], "58.00 (40)"]
        )
    aliases = {row[3]: row[2] for row in rows[1:] if row[3]}
    path = folder / ("grades.xlsx" if variant == 1 else "grades.csv")
    path = save_xlsx(path, {"Grades": rows}) if variant == 1 else save_csv(path, rows)
    return Export((path,), (truth,), aliases)


def more_canvas(variant: int, folder: Path) -> Export:
    """Canvas with overrides, notes, excused students, muted columns, and once other points possible."""
    count, width = _SIZES[variant]
    names = people(count, 16)
    students = [f"{name.split()[1]}, {name.split()[0]}" for name in names]
    items = [f"{topic} ({51_000 + 13 * k})" for k, topic in enumerate(_ITEMS[:width])]
    truth = simulate(1020 + variant, students, items, width - 1)
    tops = [100.0] * width if variant < 2 else [100.0] * (width - 2) + [20.0, 50.0]
    raw = {(thing, one): round(score * tops[items.index(one)] / 100, 2) for (thing, one), score in truth.scores.items()}
    cells = grid(Truth({(t, one): raw[t, one] for t in students for one in items if (t, one) in raw}))
    order = list(dict.fromkeys(one for t in students for one in items if (t, one) in raw))
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Integration ID", "Section", "Notes", *order]
    head += ["Current Points", "Final Points", "Current Score", "Final Score", "Override Score", "Override Status"]
    rows: list[list] = [
        head,
        ["", "", "", "", "", "", "", *["Muted" if k % 2 else "" for k in range(width)], *[""] * 6],
    ]
    possible = [tops[items.index(one)] for one in order]
    rows.append(["Points Possible", "", "", "", "", "", "", *possible, *["(read only)"] * 6])
    aliases: dict[str, str] = {}
    for k, student in enumerate(students):
        shown = ["EX" if cell is None and k % 3 == 0 else cell for cell in cells[student]]
        points = sum(cell for cell in cells[student] if cell is not None)
        share = round(100 * points / sum(possible), 2)
        ids = [7000 + k, f"9{771000 + k}", email(names[k]).split("@")[0]]
        aliases |= {str(one): student for one in ids}
        override = 75 if k == 3 else ""
        rows.append([student, *ids, "", "HIS101", "late" if k == 2 else "", *shown, points, points, share, share])
        rows[-1] += [override, ""]
    truths = (truth,) if variant < 2 else (truth, Truth(raw), truth.only(items[:-2]))
    path = save_csv(folder / "Grades-HIS101.csv", rows, encoding="utf-8-sig")
    return Export((path,), truths, aliases, must_ask=variant == 2)


def other_platforms(variant: int, folder: Path) -> Export:
    """Gradescope with its questions, Gradescope with maxima beside, Brightspace with its line ends."""
    count, width = _SIZES[variant]
    sids = [f"{300400 + 19 * k}" for k in range(count)]
    names = people(count, 21)
    things = [
        [f"{k}: Question {k} (20.0 pts)" for k in range(1, width + 1)],
        [f"Homework {k}" for k in range(1, width + 1)],
        [f"{topic} Points Grade <Numeric MaxPoints:100 Weight:10 Category:Essays>" for topic in _ITEMS[:width]],
    ][variant]
    truth = simulate(1030 + variant, sids, things, width, scale=((0, 20), (0, 100), (0, 100))[variant])
    rows: list[list] = []
    for k, (sid, cells) in enumerate(grid(truth).items()):
        first, last = names[k].split()
        total, when = sum(cells), f"2026-03-02 1{k % 9}:05:22 +0000"
        if variant == 0:
            rows.append([first, last, sid, f"s{sid}@example.org", "Sec 1", total, 20 * width, "Graded", 8800 + k, when])
            rows[-1] += ["0:00:00", 1 + k % 4, 1 + k % 2, *cells]
        elif variant == 1:
            beside = [value for cell in cells for value in (cell, 100, when, "0:00:00")]
            rows.append([first, last, sid, f"s{sid}@example.org", *beside])
        else:
            rows.append([f"#{sid}", f"#s{sid}", last, first, *cells, total, 100 * width, total, 100 * width, "#"])
    heads = [
        [
            "First Name",
            "Last Name",
            "SID",
            "Email",
            "Sections",
            "Total Score",
            "Max Points",
            "Status",
            "Submission ID",
            "Submission Time",
            "Lateness (H:M:S)",
            "View Count",
            "Submission Count",
            *things,
        ],
        ["First Name", "Last Name", "SID", "Email"]
        + [
            f"{one}{tail}"
            for one in things
            for tail in ("", " - Max Points", " - Submission Time", " - Lateness (H:M:S)")
        ],
        [
            "OrgDefinedId",
            "Username",
            "Last Name",
            "First Name",
            *things,
            "Calculated Final Grade Numerator",
            "Calculated Final Grade Denominator",
            "Adjusted Final Grade Numerator",
            "Adjusted Final Grade Denominator",
            "End-of-Line Indicator",
        ],
    ][variant]
    aliases = {f"s{sid}@example.org": sid for sid in sids} | {f"#{sid}": sid for sid in sids}
    aliases |= {f"#s{sid}": sid for sid in sids}
    return Export((save_csv(folder / "scores.csv", [heads, *rows]),), (truth,), aliases)


def boards(variant: int, folder: Path) -> Export:
    """Registries: module, mark, grade and result under merged headings; long lists with terms, classes and credits."""
    count, width = _SIZES[variant]
    ids = [f"{2206000 + 31 * k}" for k in range(count)]
    modules = _MODULES[:width]
    truth = simulate(1040 + variant, ids, modules, width - 1)
    names = people(count, 27)
    aliases = {f"{ids[k]}/1": ids[k] for k in range(count)} | dict(zip(names, ids, strict=True))
    if variant == 0:
        book = openpyxl.Workbook()
        sheet = book.active
        sheet.append([None, None, *[cell for one in modules for cell in (one, None, None)], "Stage", None])
        sheet.append(["SPR code", "Name", *["Mark", "Grade", "Result"] * width, "Average", "Decision"])
        for k in range(width):
            sheet.merge_cells(start_row=1, end_row=1, start_column=3 + 3 * k, end_column=5 + 3 * k)
        for k, one in enumerate(ids):
            cells: list = []
            for module in modules:
                mark = truth.scores.get((one, module))
                cells += [None] * 3 if mark is None else [number(mark), _letter(mark), "P" if mark >= 40 else "F"]
            given = [truth.scores[one, m] for m in modules if (one, m) in truth.scores]
            sheet.append([f"{one}/1", names[k], *cells, round(sum(given) / len(given), 1), "Proceed"])
        book.save(folder / "board.xlsx")
        spelt = {f"{one} - Mark": one for one in modules}
        return Export((folder / "board.xlsx",), (truth,), aliases, spelt)
    if variant == 1:
        heads = ["ID", "Name", "Term", "CRN", "Subj Crse", "Attempt", "Credit Hours", "Mark", "Grade", "Marker"]
    else:
        heads = ["EMPLID", "STRM", "CLASS_NBR", "CATALOG_NBR", "UNT_TAKEN", "CRSE_GRADE_INPUT", "GRADE_POINTS"]
    rows: list[list] = [heads]
    for (one, module), score in truth.scores.items():
        k, j = ids.index(one), modules.index(module)
        if variant == 1:
            rows.append([one, names[k], 202601, 41000 + j, module, 1, 3, number(score), _letter(score), ""])
        else:
            rows.append([one, 2261, 11800 + j, module, 3, number(score), (score >= 40) * 3.0])
    spelt = {str((41000, 11800)[variant - 1] + j): module for j, module in enumerate(modules)}
    path = folder / ("grades.csv" if variant == 1 else "grades.xlsx")
    path = save_csv(path, rows) if variant == 1 else save_xlsx(path, {"sheet1": rows})
    return Export((path,), (truth,), aliases, spelt)


def earlier_results(variant: int, folder: Path) -> Export:
    """Results of other years and of entry beside the marks, or in a row right below them."""
    count, width = _SIZES[variant]
    ids = [f"K{400 + 3 * k}" for k in range(count)]
    truth = simulate(1050 + variant, ids, _MODULES[:width], width - 1)
    cells = grid(truth)
    last = (["2025 average"], [], ["Entry tariff", "GPA"])[variant]
    rows: list[list] = [["Student", *truth.assessors, *last]]
    for k, one in enumerate(ids):
        rows.append([one, *cells[one], *([50 + 7 * k % 23 + 0.4], [], [96 + 8 * (k % 9), 2.1 + k % 17 / 10])[variant]])
    if variant == 1:
        rows.append(["Vorjahr", *[55 + 3 * k for k in range(width)]])
    path = folder / ("marks.csv" if variant == 0 else "marks.xlsx")
    return Export(((save_csv(path, rows) if variant == 0 else save_xlsx(path, {"Marks": rows})),), (truth,))


def credits_below(variant: int, folder: Path) -> Export:
    """Credits or weights at the foot, percentages of weights under the headings, attempts beside."""
    count, width = _SIZES[variant]
    ids = [f"V{500 + 3 * k}" for k in range(count)]
    drawn = simulate(1060 + variant, ids, _MODULES[:width], width - 1)
    weights = dict(
        zip(drawn.assessors, ((20, 10, 20, 30, 40), (10, 20, 15, 15, 25, 15), (10,) * 7)[variant], strict=True)
    )
    truth = Truth(drawn.scores, {pair: float(weights[pair[1]]) for pair in drawn.scores} if variant < 2 else None)
    cells = grid(truth)
    rows: list[list] = [["Candidate", *truth.assessors, *(["Attempts", "Best attempt"] if variant == 2 else [])]]
    if variant == 1:
        rows.append(["Weight", *[f"{weights[one]}%" for one in truth.assessors]])
    for k, one in enumerate(ids):
        tail = [1 + k % 2, max(cell for cell in cells[one] if cell is not None)] if variant == 2 else []
        rows.append([one, *cells[one], *tail])
    if variant == 0:
        rows.append(["Credits", *[weights[one] for one in truth.assessors]])
    path = folder / ("modules.csv" if variant == 1 else "modules.xlsx")
    path = save_csv(path, rows) if variant == 1 else save_xlsx(path, {"Modules": rows})
    return Export((path,), (truth, Truth(truth.scores)))


def standardised(variant: int, folder: Path) -> Export:
    """Marks beside what was made of them: z scores, T scores, adjusted marks."""
    count, width = _SIZES[variant]
    ids = [f"N{600 + 3 * k}" for k in range(count)]
    judges = people(width, 40)
    truth = simulate(1070 + variant, ids, judges, width - 1)
    moments = {}
    for one in truth.assessors:
        given = [score for (_, judge), score in truth.scores.items() if judge == one]
        mean = sum(given) / len(given)
        moments[one] = mean, (sum((score - mean) ** 2 for score in given) / (len(given) - 1)) ** 0.5
    rows: list[list]
    if variant == 2:
        rows = [["Candidate", "Examiner", "Mark", "z", "Adjusted mark"]]
        for (thing, one), score in truth.scores.items():
            z = (score - moments[one][0]) / moments[one][1]
            rows.append([thing, one, number(score), round(z, 3), round(60 + 12 * z, 1)])
    else:
        tail, centre, unit = ((" (z)", 0.0, 1.0), (" standardised", 50.0, 10.0))[variant]
        rows = [["Candidate", *[f"{one}{end}" for one in truth.assessors for end in ("", tail)]]]
        for thing in ids:
            cells: list = []
            for one in truth.assessors:
                score = truth.scores.get((thing, one))
                z = 0.0 if score is None else (score - moments[one][0]) / moments[one][1]
                cells += [None, None] if score is None else [number(score), round(centre + unit * z, 2)]
            rows.append([thing, *cells])
    path = folder / ("marks.csv" if variant == 1 else "marks.xlsx")
    return Export(((save_csv(path, rows) if variant == 1 else save_xlsx(path, {"Marks": rows})),), (truth,))
