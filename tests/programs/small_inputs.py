"""Nine marks, a board with rules, an anchor bank: what the tests of pipelines give to the command."""

import csv
import io

import numpy as np
import openpyxl

from panelcal import Panel

MARKS = [
    ("Ann", "Reed", 61, 1),
    ("Ann", "Shah", 55, 2),
    ("Bo", "Reed", 70, 1),
    ("Bo", "Shah", 66, 2),
    ("Bo", "Toft", 60, 1),
    ("Cy", "Shah", 48, 2),
    ("Cy", "Toft", 41, 1),
    ("Di", "Reed", 58, 1),
    ("Di", "Toft", 52, 1),
]

HEADINGS = ("student", "marker", "mark", "confidence")

COLUMNS = ["--object", "student", "--assessor", "marker", "--score", "mark", "--confidence", "confidence"]


def table(rows=MARKS, headings=HEADINGS):
    stream = io.StringIO()
    csv.writer(stream).writerows([headings, *rows])
    return stream.getvalue()


def same_panel():
    objects, assessors, scores, confidences = zip(*MARKS, strict=True)
    return Panel.from_records(objects, assessors, scores, confidences)


def column(rows, name):
    return [row[name] for row in rows]


def board(path, **policy):
    book = openpyxl.Workbook()
    book.active.title = "Marks"
    for row in [HEADINGS, *MARKS]:
        book.active.append(row)
    sheet = book.create_sheet("Settings")
    sheet.append(["Setting", "Value"])
    for _ in range(2):
        sheet.append([])
    sheet.append(["Policy", "Limit"])
    for rule, limit in policy.items():
        sheet.append([rule.replace("_", " "), limit])
    book.save(path)
    return path


def bank(path, moved):
    """Thirty anchors scored by three agents in two weeks; in the second, agent G2 scores higher by `moved`."""
    random = np.random.default_rng(4)
    consensus = np.linspace(5, 95, 30).round()
    book = openpyxl.Workbook()
    anchors = book.active
    anchors.title = "Anchors"
    anchors.append(["Anchor", "Consensus", "Week", "G1", "G2", "G3"])
    for week in (1, 2):
        for k, level in enumerate(consensus.tolist()):
            own = [level + random.normal(0, 2) + shift for shift in (0, moved if week == 2 else 0, 3)]
            anchors.append([f"A{k}", level, week, *(round(min(max(score, 0), 100), 1) for score in own)])
    scores = book.create_sheet("Scores")
    scores.append(["Manuscript", "Week", "G1", "G2", "G3"])
    for k in range(12):
        scores.append([f"M{k}", 2, *(round(float(x), 1) for x in random.uniform(20, 80) + random.normal(0, 3, 3))])
    book.save(path)
    return path
