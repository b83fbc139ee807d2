"""Responses to forms, debating tabs, and what judges hand in: one file, sheet or row each."""

from __future__ import annotations

from pathlib import Path

from exports.export_file import Export, Rows, grid, number, save_csv, save_ods, save_xlsx
from exports.truth import Truth, email, people, simulate, titles

_SIZES = ((12, 5, 3), (30, 8, 3), (48, 12, 4))


def google_forms(variant: int, folder: Path) -> Export:
    """Google Forms: a row per response; in the third a grid question, so that the objects stand across."""
    objects, assessors, per_object = _SIZES[variant]
    things = [f"Poster {k}" for k in range(1, objects + 1)]
    judges = people(assessors, 6)
    levels = (1.0, 2.0, 3.0, 4.0, 5.0) if variant == 1 else ()
    truth = simulate(300 + variant, things, judges, per_object, scale=(0, 10), spread=0.08, confidences=levels)
    aliases = {email(name): name for name in judges}
    if variant == 2:
        head = [
            "Timestamp",
            "Email Address",
            "Your name",
            *[f"Score each poster you saw (0-10) [{one}]" for one in things],
        ]
        rows: list[list] = [head]
        for k, name in enumerate(judges):
            given = [number(truth.scores.get((one, name))) for one in things]
            rows.append([f"11/20/2026 14:{10 + k}:07", email(name), name, *given])
        spelt = {heading: one for heading, one in zip(head[3:], things, strict=True)}
        return Export((save_csv(folder / "Poster scores (Responses).csv", rows),), (truth,), spelt, aliases)
    head = ["Timestamp", "Email Address", "Your name", "Which poster did you see?", "Score (0-10)"]
    if variant == 1:
        head = ["Timestamp", "Email Address", *head[3:], "How confident are you? (1-5)"]
    rows = [[*head, "Anything else?"]]
    for k, ((thing, name), score) in enumerate(truth.scores.items()):
        stamp = f"11/20/2026 {9 + k // 60}:{k % 60:02d}:31"
        sure = [int((truth.confidences or {})[thing, name])] if variant == 1 else []
        who = [email(name), name] if variant == 0 else [email(name)]
        rows.append([stamp, *who, thing, number(score), *sure, "" if k % 4 else "Great work"])
    return Export((save_csv(folder / "Poster judging (Responses).csv", rows),), (truth,), assessors=aliases)


def microsoft_forms(variant: int, folder: Path) -> Export:
    """Microsoft Forms: a workbook with ids, start and completion times, e-mail and name before the answers."""
    objects, assessors, per_object = _SIZES[variant]
    things = titles(objects)
    judges = people(assessors, 13)
    levels = (1.0, 2.0, 3.0) if variant == 2 else ()
    truth = simulate(310 + variant, things, judges, per_object, scale=(1, 20), spread=0.08, confidences=levels)
    french = variant == 1
    head = ["ID", "Start time", "Completion time", "Email", "Name", "Which talk are you scoring?", "Your score"]
    if french:
        head = ["ID", "Heure de début", "Heure de fin", "Adresse de messagerie", "Nom", "Projet", "Note sur 20"]
    rows: list[list] = [head + (["Your confidence"] if variant == 2 else [])]
    for k, ((thing, name), score) in enumerate(truth.scores.items()):
        times = [45_981.4 + k / 1440, 45_981.4 + (k + 3) / 1440]
        sure = [int((truth.confidences or {})[thing, name])] if variant == 2 else []
        rows.append([k + 1, *times, email(name), name, thing, number(score), *sure])
    path = save_xlsx(folder / "Talk scores(1-60).xlsx", {"Sheet1": rows})
    return Export((path,), (truth,), assessors={email(name): name for name in judges})


def tabbycat(variant: int, folder: Path) -> Export:
    """Tabbycat: ballots with an adjudicator, a speaker and the speech's score per row."""
    objects, assessors, per_object = _SIZES[variant]
    speakers = people(objects, 2)
    adjudicators = [f"Adj {name}" for name in people(assessors, 17)]
    truth = simulate(320 + variant, speakers, adjudicators, per_object, scale=(60, 85), step=0.5)
    head = ["Round", "Adjudicator", "Team", "Position", "Speaker", "Score"]
    if variant == 1:
        head = ["Round", "Room", "Adjudicator", "Side", "Team", "Speaker", "Speaker score"]
    if variant == 2:
        head = ["Adjudicator", "Speaker", "Team", "Institution", "Speech", "Score", "Margin"]
    rows: list[list] = [head]
    for k, ((speaker, adjudicator), score) in enumerate(truth.scores.items()):
        cells = {
            "Round": f"Round {k % 5 + 1}", "Room": f"Room {k % 7 + 1}", "Adjudicator": adjudicator,
            "Team": f"Team {speakers.index(speaker) // 2 + 1}", "Position": k % 3 + 1,
            "Side": "Aff" if k % 2 else "Neg", "Speaker": speaker, "Score": number(score),
            "Speaker score": number(score), "Institution": "Invented U",
            "Speech": k % 4 + 1, "Margin": (k * 7) % 11 - 5,
        }  # fmt: skip
        rows.append([cells[heading] for heading in head])
    return Export((save_csv(folder / "ballots.csv", rows),), (truth,))


def sheet_per_judge(variant: int, folder: Path) -> Export:
    """One workbook, one sheet per judge: what was seen and what it got."""
    truth, judges = _panel_of_judges(330, variant)
    sheets = {judge: _own_rows(truth, judge, variant) for judge in judges}
    return Export((save_xlsx(folder / "judging day.xlsx", sheets),), (truth,))


def file_per_judge(variant: int, folder: Path) -> Export:
    """A folder with one file per judge, named after the judge."""
    truth, judges = _panel_of_judges(340, variant)
    folder = folder / "judges"
    folder.mkdir()
    for judge in judges:
        rows = _own_rows(truth, judge, variant)
        if variant == 1:
            save_csv(folder / f"{judge}.csv", rows)
        else:
            save_xlsx(folder / f"{judge}.xlsx", {"Scores": rows})
    paths = (folder,) if variant == 0 else tuple(sorted(folder.iterdir()))
    return Export(paths, (truth,))


def _panel_of_judges(seed: int, variant: int) -> tuple[Truth, list[str]]:
    objects, assessors, per_object = _SIZES[variant]
    judges = people(assessors, 10)
    levels = (1.0, 2.0, 3.0) if variant == 2 else ()
    things = [f"Entry {k:02d}" for k in range(1, objects + 1)]
    return simulate(seed + variant, things, judges, per_object, confidences=levels), judges


def _own_rows(truth: Truth, judge: str, variant: int) -> Rows:
    head = ["Entry", "Score", "Comment"] if variant == 1 else ["Entry", "Score"]
    rows: list[list] = [head + (["Confidence"] if variant == 2 else [])]
    for thing in truth.objects:
        score = truth.scores.get((thing, judge))
        if score is None and variant != 0:
            continue
        sure = [int((truth.confidences or {})[thing, judge])] if variant == 2 else []
        rows.append([thing, number(score), *([""] if variant == 1 else []), *sure])
    return rows


def opendocument(variant: int, folder: Path) -> Export:
    """LibreOffice: a mark sheet, a list of reviews and a sheet with credits, saved as .ods."""
    objects, assessors, per_object = _SIZES[variant]
    things = [f"{41000 + k}" for k in range(objects)]
    judges = [f"Module {letter}" for letter in "ABCDEFGHIJKL"[:assessors]]
    truth = simulate(350 + variant, things, judges, per_object)
    cells = grid(truth)
    if variant == 1:
        rows: list[list] = [["Candidate", "Examiner", "Mark"]]
        rows += [[thing, judge, number(score)] for (thing, judge), score in truth.scores.items()]
    else:
        rows = [["Candidate", *truth.assessors]]
        rows += [[thing, *cells[thing]] for thing in truth.objects]
    if variant == 2:
        credits = {judge: (10.0, 20.0, 15.0)[k % 3] for k, judge in enumerate(truth.assessors)}
        rows.insert(1, ["Credits", *[number(credits[judge]) for judge in truth.assessors]])
        truth = Truth(truth.scores, {pair: credits[pair[1]] for pair in truth.scores})
    return Export((save_ods(folder / "marks.ods", {"Marks": rows}),), (truth,))
