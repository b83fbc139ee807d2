"""Sheets of juries and markers: pairs of columns, panels of judges with trimmed sums, grades, two markers."""

from __future__ import annotations

from pathlib import Path

from exports.export_file import Export, grid, number, save_csv, save_xlsx
from exports.truth import Truth, people, simulate, titles

_SIZES = ((10, 5, 3), (24, 7, 4), (40, 10, 4))


def paired_columns(variant: int, folder: Path) -> Export:
    """Two columns per judge under flat headings: the score, and how sure the judge was."""
    objects, assessors, per_object = _SIZES[variant]
    things = [f"Talk {k}" for k in range(1, objects + 1)]
    judges = people(assessors)
    truth = simulate(400 + variant, things, judges, per_object, confidences=(1, 2, 3, 4, 5))
    score, sure = (("{} score", "{} confidence"), ("{}", "{} (confidence)"), ("{} - mark", "{} - certainty"))[variant]
    head = [heading.format(judge) for judge in truth.assessors for heading in (score, sure)]
    rows: list[list] = [["Talk", *head]]
    for thing in things:
        pairs = [(thing, judge) for judge in truth.assessors]
        cells = [(number(truth.scores.get(p)), number((truth.confidences or {}).get(p))) for p in pairs]
        rows.append([thing, *[cell for both in cells for cell in both]])
    path = folder / ("talks.xlsx" if variant != 1 else "talks.csv")
    path = save_xlsx(path, {"Talks": rows}) if variant != 1 else save_csv(path, rows)
    return Export((path,), (truth,), assessors={score.format(judge): judge for judge in judges})


def gymnastics(variant: int, folder: Path) -> Export:
    """Gymnastics and figure skating: judges J1, J2, ... between difficulty, deductions, trimmed sums and ranks."""
    objects = _SIZES[variant][0]
    judges = [f"J{k}" for k in range(1, (6, 5, 9)[variant] + 1)]
    skating = variant == 2
    entrants = people(objects, 14)
    scale = (0, 60) if skating else (0, 10)
    truth = simulate(
        410 + variant,
        entrants,
        judges,
        len(judges),
        scale=scale,
        step=0.25 if skating else 0.1,
        spread=0.03,
        middle=0.75,
    )
    cells = grid(truth)
    before = (["D score"], ["Bib", "D score"], ["Start No.", "Base value"])[variant]
    after = (
        ["Sum w/o high & low", "Deductions", "Final score", "Rank"],
        ["E score", "ND", "Total", "Place"],
        ["Trimmed mean", "Deductions", "Segment score", "Pl."],
    )[variant]
    found: list[tuple[str, list, float]] = []
    for k, name in enumerate(entrants):
        given = sorted(truth.scores[name, judge] for judge in truth.assessors)
        inner = given[1:-1]
        kept = round(sum(inner) if variant == 0 else sum(inner) / len(inner), 3)
        difficulty = 30 + k % 7 * 1.5 if skating else 4 + k % 5 * 0.3
        off = 1.0 if skating and k % 6 == 5 else 0.1 if k % 6 == 5 else 0.0
        total = round(difficulty + kept - off, 3)
        first = [number(round(difficulty, 1))] if variant == 0 else [k + 101, number(round(difficulty, 1))]
        found.append((name, [*first, *cells[name], number(kept), number(off)], total))
    found.sort(key=lambda item: -item[2])
    rows: list[list] = [["Gymnast" if not skating else "Skater", *before, *truth.assessors, *after]]
    rows += [[name, *body, number(total), place] for place, (name, body, total) in enumerate(found, 1)]
    path = folder / ("results.xlsx" if variant != 1 else "results.csv")
    path = save_xlsx(path, {"Floor": rows}) if variant != 1 else save_csv(path, rows)
    return Export((path,), (truth,))


def across(variant: int, folder: Path) -> Export:
    """Judges down, objects across, and nothing in the corner that says so."""
    objects, assessors, per_object = _SIZES[variant]
    things = (
        titles(objects)
        if variant == 1
        else [f"{('Project', '', 'Applicant')[variant]} {k}" for k in range(1, objects + 1)]
    )
    judges = (
        [f"Judge {k}" for k in range(1, assessors + 1)],
        [f"Prof. {name}" for name in people(assessors, 21)],
        [f"Reviewer {chr(65 + k)}" for k in range(assessors)],
    )[variant]
    truth = simulate(420 + variant, things, judges, per_object, scale=(0, 20) if variant == 2 else (0, 100))
    rows: list[list] = [[None, *things]]
    rows += [[judge, *[number(truth.scores.get((thing, judge))) for thing in things]] for judge in judges]
    path = folder / ("panel.xlsx" if variant != 2 else "panel.csv")
    path = save_xlsx(path, {"Panel": rows}) if variant != 2 else save_csv(path, rows)
    return Export((path,), (truth,))


_LETTERS = ("F", "D", "D+", "C-", "C", "C+", "B-", "B", "B+", "A-", "A", "A+")
_POINTS = (0.0, 1.0, 1.3, 1.7, 2.0, 2.3, 2.7, 3.0, 3.3, 3.7, 4.0, 4.3)
_CLASSES = ("Fail", "Third", "2:2", "2:1", "First")


def grades(variant: int, folder: Path) -> Export:
    """Grades instead of numbers: letters with signs, stars, degree classes."""
    objects, assessors, per_object = _SIZES[variant]
    things = [f"Essay {k}" for k in range(1, objects + 1)]
    judges = people(assessors, 4)
    if variant == 0:
        drawn = simulate(430, things, judges, per_object, scale=(0, 11))
        words = {pair: _LETTERS[int(score)] for pair, score in drawn.scores.items()}
        steps = Truth({pair: score for pair, score in drawn.scores.items()})
        points = Truth({pair: _POINTS[int(score)] for pair, score in drawn.scores.items()})
        capped = Truth({pair: min(4.0, score) for pair, score in points.scores.items()})
        truths = (points, capped, steps)
    elif variant == 1:
        drawn = simulate(431, things, judges, per_object, scale=(1, 4))
        words = {pair: f"{int(score)}*" for pair, score in drawn.scores.items()}
        truths = (drawn,)
    else:
        drawn = simulate(432, things, judges, per_object, scale=(0, 4))
        words = {pair: _CLASSES[int(score)] for pair, score in drawn.scores.items()}
        middles = (35.0, 45.0, 55.0, 65.0, 75.0)
        ordered = Truth({pair: score + 1 for pair, score in drawn.scores.items()})
        truths = (Truth({pair: middles[int(score)] for pair, score in drawn.scores.items()}), drawn, ordered)
    if variant == 2:
        rows: list[list] = [["Essay", "Marker", "Mark"], *[[*pair, word] for pair, word in words.items()]]
    else:
        rows = [["Essay", *drawn.assessors]]
        rows += [[thing, *[words.get((thing, judge)) for judge in drawn.assessors]] for thing in things]
    path = folder / ("grades.xlsx" if variant != 1 else "grades.csv")
    path = save_xlsx(path, {"Grades": rows}) if variant != 1 else save_csv(path, rows)
    return Export((path,), truths, must_ask=True)


def double_marking(variant: int, folder: Path) -> Export:
    """Two markers per script and the mark they agreed on, as slots, with names, and for a few modules."""
    scripts = (20, 32, 40)[variant]
    things = [f"{500 + 3 * k}" for k in range(scripts)]
    judges = ["Marker 1", "Marker 2"] if variant == 0 else people(5 + variant, 3)
    truth = simulate(440 + variant, things, judges, 2, spread=0.05)
    rows: list[list] = []
    if variant == 0:
        rows.append(["Candidate", "Marker 1", "Marker 2", "Agreed mark"])
    elif variant == 1:
        rows.append(["Candidate", "First marker", "First mark", "Second marker", "Second mark", "Agreed mark"])
    else:
        rows.append(
            ["Script", "Marker 1 name", "Marker 1 mark", "Marker 2 name", "Marker 2 mark", "Agreed mark", "Moderated"]
        )
    for k, thing in enumerate(things):
        given = [(judge, truth.scores[thing, judge]) for judge in truth.assessors if (thing, judge) in truth.scores]
        given = given[::-1] if k % 2 and variant else given
        agreed = number(float(round(sum(score for _, score in given) / 2 + (k % 3 - 1))))
        if variant == 0:
            scores = dict(given)
            rows.append([int(thing), *[number(scores[judge]) for judge in judges], agreed])
        else:
            cells = [cell for judge, score in given for cell in (judge, number(score))]
            rows.append([int(thing), *cells, agreed, *([agreed if k % 9 else None] if variant == 2 else [])])
    path = folder / ("double marking.xlsx" if variant != 1 else "double marking.csv")
    path = save_xlsx(path, {"Marks": rows}) if variant != 1 else save_csv(path, rows)
    return Export((path,), (truth,))
