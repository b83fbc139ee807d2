"""Sections above names, objects called as weights are, names on judges' files, ids behind blanks, overall scores."""

from __future__ import annotations

from pathlib import Path

from exports.export_file import Export, grid, number, save_csv, save_ods, save_xlsx
from exports.truth import Truth, people, simulate, titles


def sections_above_names(variant: int, folder: Path) -> Export:
    """A merged heading over the judges of each panel, saved as text: blanks follow the name of the panel."""
    truth = simulate(2000 + variant, titles(14), people(6, 3), 4, scale=(30, 100))
    judges = truth.assessors
    over = ("Panel A,,,Panel B,,", "Jury,,,,Gäste,", "Salle 1,,Salle 2,,,")[variant].split(",")
    corner = ("Entry", "Beitrag", "Dossier")[variant]
    rows = [["", *over], [corner, *judges], *[[thing, *given] for thing, given in grid(truth).items()]]
    spelt: dict[str, str] = {}
    section = ""
    for judge, text in zip(judges, over, strict=True):
        section = text or section
        spelt[f"{section} - {judge}"] = judge
    return Export((save_csv(folder / "scores.csv", rows),), (truth,), assessors=spelt)


def called_as_weights(variant: int, folder: Path) -> Export:
    """A band, a film or a horse called so stands amid the others; it has blanks as they have."""
    name = ("The Weights", "Weight", "Credits")[variant]
    things = titles(13)
    things[6] = name
    truth = simulate(2010 + variant, things, people(5, 3), 3, scale=(30, 90))
    rows = [["Band", *truth.assessors], *[[thing, *given] for thing, given in grid(truth).items()]]
    return Export((save_csv(folder / "bands.csv", rows),), (truth,), must_ask=True)


def named_on_the_file(variant: int, folder: Path) -> Export:
    """Each judge returns a form; the name stands on it, the files are numbered."""
    judges = people(5, 9)
    truth = simulate(2020 + variant, titles(12), judges, 3, scale=(0, 20))
    label = ("Judge", "Jurymitglied:", "Examiner")[variant]
    heads = (("Entry", "Points"), ("Beitrag", "Punkte"), ("Thesis", "Mark"))[variant]
    returned = folder / "returned"
    returned.mkdir()
    for k, judge in enumerate(judges, 1):
        own = [[thing, number(score)] for (thing, who), score in truth.scores.items() if who == judge]
        top = [[f"{label}: {judge}"]] if variant == 2 else [[label, judge]]
        save_xlsx(returned / f"form ({k}).xlsx", {"Sheet1": [*top, [], list(heads), *own]})
    return Export((returned,), (truth,))


def gradebook_without_ids(variant: int, folder: Path) -> Export:
    """Moodle, where nobody has an id number and the e-mails stand behind blank columns."""
    truth = simulate(2030 + variant, people(14, 3), [f"Essay {k}" for k in range(1, 6)], 3, scale=(3, 10))
    heads = (
        ["Nombre", "Apellido(s)", "Número de ID", "Institución", "Departamento", "Dirección de correo"],
        ["Vorname", "Nachname", "ID-Nummer", "Institution", "Abteilung", "E-Mail-Adresse"],
        ["First name", "Last name", "ID number", "Institution", "Department", "Email address"],
    )[variant]
    task, total, last = (
        ("Tarea: {} (Real)", "Total del curso (Real)", "Última descarga de este curso"),
        ("Aufgabe: {} (Punkte)", "Kurs gesamt (Punkte)", "Zuletzt aus diesem Kurs geladen"),
        ("Assignment: {} (Real)", "Course total (Real)", "Last downloaded from this course"),
    )[variant]
    spelt = {task.format(name): name for name in truth.assessors}
    rows: list[list] = [[*heads, *spelt, total, last]]
    ids: dict[str, str] = {}
    for k, (thing, given) in enumerate(grid(truth).items()):
        first, _, surname = thing.partition(" ")
        ids[f"s{k}@es.example"] = thing
        scores = [score for score in given if score is not None]
        mean = round(sum(scores) / len(scores), 2)
        shown = ["-" if score is None else score for score in given]
        rows.append([first, surname, "", "", "", f"s{k}@es.example", *shown, mean, 1774012345])
    save = (
        lambda: save_ods(folder / "marks.ods", {"Marks": rows}),
        lambda: save_csv(folder / "marks.csv", rows, delimiter=";"),
        lambda: save_xlsx(folder / "marks.xlsx", {"Marks": rows}),
    )[variant]
    return Export((save(),), (truth,), objects=ids, assessors=spelt)


def criteria_and_overall(variant: int, folder: Path) -> Export:
    """Several criteria of each judge beside an overall score: the sum of all, of all and another one, or of its own."""
    heads = (
        ["Entry", "Judge", "Aroma", "Flavor", "Overall", "Total (50)"],
        ["Proposal", "Panellist", "Novelty", "Clarity", "Overall"],
        ["Beitrag", "Juror", "Technik", "Ausdruck", "Summe"],
    )[variant]
    things, judges = titles(13), people(5, 3)
    parts = [simulate(2040 + 10 * variant + k, things, judges, 5, scale=(0, 20)).scores for k in range(3)]
    rows: list[list] = [heads]
    meant: dict[tuple[str, str], float] = {}
    for pair in parts[0]:
        marks = [part[pair] for part in parts[: (3, 3, 2)[variant]]]
        total = sum(marks)
        rows.append([*pair, *map(number, marks), *([] if variant == 1 else [number(total)])])
        meant[pair] = marks[-1] if variant == 1 else total
    return Export((save_csv(folder / "scores.csv", rows),), (Truth(meant),), must_ask=True)


def answered_by_reviewers(variant: int, folder: Path) -> Export:
    """What is rated stands across, and the column of those who answered is headed Reviewer name or the like."""
    truth = simulate(2080 + variant, titles(9), people(8, 3), 3, scale=(0, 10))
    head = ("Reviewer name", "Judge name", "Name of judge")[variant]
    asked = ("How do you rate these talks? [{}]", "{}", "{}")[variant]
    spelt = {asked.format(thing): thing for thing in truth.objects}
    stamp = variant == 0
    rows: list[list] = [[*(["Timestamp"] if stamp else []), head, *spelt]]
    for k, judge in enumerate(truth.assessors):
        given = [number(truth.scores.get((thing, judge))) for thing in truth.objects]
        rows.append([*([f"2026/05/{k + 1:02} 10:00:00 AM"] if stamp else []), judge, *given])
    return Export((save_csv(folder / "answers.csv", rows),), (truth,), objects=spelt)


def mock_beside_doctors(variant: int, folder: Path) -> Export:
    """One column beside those of Dr Abel, Dr Beck is called after no person."""
    surnames = ["Abel", "Beck", "Cole", "Dorn", "Epp"]
    title, other = (("Dr {}", "Mock"), ("Prof. {}", "Probe"), ("Mme {}", "Simulation"))[variant]
    truth = simulate(2090 + variant, people(16, 40), [title.format(one) for one in surnames], 3, scale=(30, 90))
    rows: list[list] = [["Applicant", *truth.assessors, other]]
    for k, (thing, given) in enumerate(grid(truth).items()):
        rows.append([thing, *given, 41 + (k * 37) % 43])
    return Export((save_csv(folder / "marks.csv", rows),), (truth,), must_ask=True)


def subtotals_of_a_list(variant: int, folder: Path) -> Export:
    """A list with a spreadsheet program's subtotals: a row such as "Boats that think Average" below each entry."""
    truth = simulate(2110 + variant, titles(12), people(5, 3), 3, scale=(40, 90))
    heads = (["Entry", "Judge", "Score"], ["Beitrag", "Juror", "Punkte"], ["Candidat", "Juré", "Note"])[variant]
    of_each = ("{} Average", "{} Mittelwert", "{} - Moyenne")[variant]
    of_all = ("Grand Average", "Gesamtmittelwert", "Moyenne")[variant]
    rows: list[list] = [heads]
    for thing in truth.objects:
        own = {judge: score for (other, judge), score in truth.scores.items() if other == thing}
        rows += [[thing, judge, number(score)] for judge, score in own.items()]
        rows.append([of_each.format(thing), None, sum(own.values()) / len(own)])
    rows.append([of_all, None, sum(truth.scores.values()) / len(truth.scores)])
    return Export((save_xlsx(folder / "scores.xlsx", {"L": rows}),), (truth,))
