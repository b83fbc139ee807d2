"""Sheets that look like a panel at once and are not quite one: other scales, ends, rounds, tables and spellings."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np

from exports.export_file import Export, Rows, grid, number, save_csv, save_xlsx
from exports.truth import Truth, people, simulate, titles

_GERMAN = "Meier Schulz Weber Koch Wolf Braun".split()
_FRENCH = "Martin Bernard Dubois Petit Moreau Leroy".split()
_SPANISH = "García López Pérez Sánchez Romero".split()


def _book(folder: Path, rows: Rows) -> tuple[Path]:
    return (save_xlsx(folder / "marks.xlsx", {"Marks": rows}),)


def _text(folder: Path, rows: Rows, delimiter: str = ",") -> tuple[Path]:
    return (save_csv(folder / "marks.csv", rows, delimiter),)


def _list(truth: Truth, heads: tuple[str, str, str] = ("Entry", "Judge", "Score")) -> list[list]:
    return [list(heads), *[[thing, judge, number(score)] for (thing, judge), score in truth.scores.items()]]


def averages_by_other_names(variant: int, folder: Path) -> Export:
    """Averages and sums under the short names that offices use: Schnitt, Moy., Promedio jurado."""
    head, names, mean, total = [
        ("Vortrag", _GERMAN[:5], "Schnitt", "Gesamtpkt."),
        ("Candidat", _FRENCH[:5], "Moy.", "Total /100"),
        ("Obra", _SPANISH, "Promedio jurado", "Suma"),
    ][variant]
    truth = simulate(1600 + variant, titles(18), names, 5, scale=(0, 20))
    cells = grid(truth)
    rows: list[list] = [[head, *truth.assessors, total, mean]]
    rows += [[o, *given, sum(given), round(float(np.mean(given)), 2)] for o, given in cells.items()]
    return Export(_book(folder, rows), (truth,))


def facts_among_surnames(variant: int, folder: Path) -> Export:
    """Years, credits and ages on the scale of the scores, among judges who are called by their surnames."""
    lot, names, head = (
        random.Random(variant),
        (_SPANISH, _GERMAN[:5], _GERMAN[:5])[variant],
        ("Años", "LP", "Jg.")[variant],
    )
    truth = simulate(1610 + variant, titles(18), names, 4, scale=(1, 10))
    rows: list[list] = [["Obra" if variant == 0 else "Titel", *truth.assessors, head]]
    rows += [[o, *given, lot.randint(1, 10)] for o, given in grid(truth).items()]
    return Export(_book(folder, rows), (truth,))


def thousands_with_points(variant: int, folder: Path) -> Export:
    """German text files with 1.234 for more than a thousand."""
    truth = simulate(1620 + variant, titles(20), _GERMAN[:5], 4, scale=(0, (2000, 3000, 1500)[variant]))

    def spelt(score: object) -> object:
        return None if score is None else f"{score:,}".replace(",", ".")

    rows: list[list] = [["Projekt", *truth.assessors]]
    rows += [[o, *map(spelt, given)] for o, given in grid(truth).items()]
    if variant == 2:
        listed = _list(truth, ("Projekt", "Jurymitglied", "Punkte"))
        rows = [listed[0], *[[thing, judge, spelt(score)] for thing, judge, score in listed[1:]]]
    return Export(_text(folder, rows, ";"), (truth,))


def maxima_by_row(variant: int, folder: Path) -> Export:
    """Marks out of 20, 40 or 100, as a column beside each of them says."""
    truth, lot = simulate(1630 + variant, titles(18), people(5, 2), 4, scale=(0, 20)), random.Random(variant)
    head = [
        ("Copie", "Correcteur", "Note", "Sur"),
        ("Script", "Marker", "Mark", "Out of"),
        ("Entry", "Judge", "Score", "Max"),
    ]
    rows: list[list] = [list(head[variant])]
    for (thing, judge), score in truth.scores.items():
        times = lot.choice((1, 1, 2, 5))
        rows.append([thing, judge, number(score * times), 20 * times])
    percent = Truth({pair: round(score * 5, 6) for pair, score in truth.scores.items()})
    return Export(_text(folder, rows, ";" if variant == 0 else ","), (percent,), must_ask=True)


def fractions(variant: int, folder: Path) -> Export:
    """7/10 beside 14/20, by judge or anywhere."""
    names, lot = (_GERMAN[:5], _FRENCH[:5], people(5, 1))[variant], random.Random(variant)
    truth = simulate(1640 + variant, titles(15), names, 4, scale=(0, 20), step=2)
    spelt = {p: f"{int(s) // 2}/10" if lot.random() < 0.4 else f"{int(s)}/20" for p, s in truth.scores.items()}
    rows: list[list] = [["Titre", *truth.assessors]]
    rows += [[o, *[spelt.get((o, judge)) for judge in truth.assessors]] for o in truth.objects]
    if variant == 2:
        rows = [["Entry", "Judge", "Score"], *[[*pair, text] for pair, text in spelt.items()]]
    percent = Truth({pair: score * 5 for pair, score in truth.scores.items()})
    return Export(_text(folder, rows), (percent,), must_ask=True)


def other_end(variant: int, folder: Path) -> Export:
    """One judge for whom 1 is the best."""
    names, high = (_GERMAN, people(6, 4), _FRENCH)[variant], (5, 10, 6)[variant]
    truth = simulate(1650 + variant, titles(24), names, 5, scale=(1, high), spread=0.12)
    odd = truth.assessors[(2, 5, 0)[variant]]
    held = Truth({(o, a): 1 + high - s if a == odd else s for (o, a), s in truth.scores.items()})
    rows = (
        _list(held) if variant == 1 else [["Titel", *held.assessors], *[[o, *given] for o, given in grid(held).items()]]
    )
    return Export(_book(folder, rows), (truth.only([a for a in truth.assessors if a != odd]),), must_ask=True)


def rounds_by_name(variant: int, folder: Path) -> Export:
    """Two rounds as Meier and Meier2, as (R1) and (R2) in a list, as Martin and Martin bis."""
    truth = simulate(1660 + variant, titles(18), (_GERMAN[:4], people(4, 3), _FRENCH[:4])[variant], 3, scale=(0, 20))
    lot = random.Random(variant)
    later = Truth({p: min(20, max(0, s + lot.choice((-1, 0, 0, 1, 2)))) for p, s in truth.scores.items()})
    ends = (("", "2"), (" (R1)", " (R2)"), ("", " bis"))[variant]
    called = {f"{one}{end}": one for one in truth.assessors for end in ends}
    first, second = grid(truth), grid(later)
    rows: list[list] = [["Titel", *[f"{one}{end}" for end in ends for one in truth.assessors]]]
    rows += [[o, *first[o], *second[o]] for o in truth.objects]
    if variant == 1:
        both = zip(ends, (truth, later), strict=True)
        rows = [
            ["Entry", "Judge", "Score"],
            *[[o, f"{a}{end}", number(s)] for end, t in both for (o, a), s in t.scores.items()],
        ]
    return Export(_book(folder, rows), (truth, later), assessors=called, must_ask=True)


def second_tables(variant: int, folder: Path) -> Export:
    """The same entries again below, with the other judges; other entries beside, with the same judges."""
    truth = simulate(1670 + variant, titles(12), people(8, 2), 5, scale=(0, 20))
    names, cells = truth.assessors, grid(truth)
    upper = [["Entry", *names[:4]], *[[o, *given[:4]] for o, given in cells.items()]]
    lower = [["Entry", *names[4:]], *[[o, *given[4:]] for o, given in cells.items()]]
    if variant < 2:
        return Export(_book(folder, [*upper, *[[], ["Panel B"]][: 1 + variant], *lower]), (truth,), must_ask=True)
    half = [["Entry", *names], *[[o, *cells[o]] for o in truth.objects[:6]]]
    beside = [["Entry", *names], *[[o, *cells[o]] for o in truth.objects[6:]]]
    return Export(_book(folder, [[*a, None, *b] for a, b in zip(half, beside, strict=True)]), (truth,), must_ask=True)


def rows_without_names(variant: int, folder: Path) -> Export:
    """A row of credits and a row of means without labels, and the mean of each entry within a list."""
    if variant == 2:
        truth = simulate(1682, titles(10), people(5, 2), 4, scale=(0, 20))
        rows: list[list] = [["Entry", "Judge", "Score"]]
        for thing in truth.objects:
            given = [[o, a, number(s)] for (o, a), s in truth.scores.items() if o == thing]
            rows += [*given, [thing, None, round(float(np.mean([s for *_, s in given])), 2)]]
        return Export(_book(folder, rows), (truth,), must_ask=True)
    modules = "Algebra Optics Logic Botany Ethics".split()
    truth = simulate(1680 + variant, [f"S{k}" for k in range(100, 120)], modules, 5)
    cells = grid(truth)
    body = [[o, *given] for o, given in cells.items()]
    means = [None, *np.mean([given for given in cells.values()], axis=0).round(1).tolist()]
    head: list = ["Student", *truth.assessors]
    rows = [head, [None, 20, 10, 10, 20, 20], *body] if variant == 0 else [head, *body, means]
    return Export(_book(folder, rows), (truth,), must_ask=True)


def attempts(variant: int, folder: Path) -> Export:
    """Resits beside some of the exams, and three runs of each competitor before six judges."""
    lot = random.Random(variant)
    if variant == 2:
        names, judges = people(8, 2), [f"judge_{k}" for k in range(1, 7)]
        runs = simulate(1692, [f"{name} {k}" for name in names for k in (1, 2, 3)], judges, 6)
        rows: list[list] = [["competitor_name", "run_number", *judges]]
        rows += [[o[:-2], int(o[-1]), *given] for o, given in grid(runs).items()]
        mean = {(n, j): float(np.mean([runs.scores[f"{n} {k}", j] for k in (1, 2, 3)])) for n in names for j in judges}
        return Export(_text(folder, rows), (Truth(mean),), must_ask=True)
    modules = "Algebra Optics Logic Botany Ethics".split()
    truth = simulate(1690 + variant, [f"S{k}" for k in range(300, 322)], modules, 4)
    end = (" (resit)", " 2nd attempt")[variant]
    rows = [["Student", *truth.assessors, f"Algebra{end}", f"Logic{end}"]]
    again = (lot.randint(40, 60), None, None)
    rows += [[o, *given, lot.choice(again), lot.choice(again)] for o, given in grid(truth).items()]
    return Export(_book(folder, rows), (truth,), must_ask=True)


def signs_for_scores(variant: int, folder: Path) -> Export:
    """Stars, Spanish words, and numbers with a word or a sign around them."""
    truth = simulate(1700 + variant, titles(16), people(5, 3), 4, scale=(1, 5))
    words = "muy malo,malo,regular,bueno,muy bueno".split(",")

    def spelt(score: int | None) -> object:
        about = f"ca. {score}" if score in (2, 3) else score
        return None if score is None else ("★" * score + "☆" * (5 - score), words[score - 1], about)[variant]

    rows: list[list] = [["Entry", *truth.assessors], *[[o, *map(spelt, given)] for o, given in grid(truth).items()]]
    less = Truth({pair: score - 1 for pair, score in truth.scores.items()})
    return Export(_text(folder, rows), (truth, less), must_ask=True)


def limesurvey(variant: int, folder: Path) -> Export:
    """LimeSurvey: responses in rows; codes, questions or both above the items of a grid."""
    posters, judges = [f"Poster {letter}" for letter in "ABCDEFGHIJ"], people(7, 4)
    truth = simulate(1710 + variant, posters, judges, 6, scale=(1, 10))
    codes = [f"Q01[SQ{k:03}]" for k in range(len(posters))]
    heads = [
        (["id. Response ID", "submitdate. Date submitted", "lastpage. Last page", "Q00. Your name"],
         [f"{code}. Please rate each poster [{p}]" for code, p in zip(codes, posters, strict=True)]),
        (["id", "submitdate", "lastpage", "Q00"], codes),
        (["Antwort ID", "Datum Abgeschickt", "Letzte Seite", "Ihr Name"], [f"Bewerten Sie [{p}]" for p in posters]),
    ][variant]  # fmt: skip
    rows: list[list] = [[*heads[0], *heads[1]]]
    for k, judge in enumerate(judges):
        rows.append([k + 11, f"2026-05-0{k + 1} 10:0{k}:00", 2, judge])
        rows[-1] += [number(truth.scores.get((poster, judge))) for poster in posters]
    by_id = {str(k + 11): judge for k, judge in enumerate(judges)}
    return Export(_text(folder, rows), (truth,), dict(zip(heads[1], posters, strict=True)), by_id)


def days_above(variant: int, folder: Path) -> Export:
    """The same judges under Round 1 and Round 2."""
    truth = simulate(1720 + variant, titles(15), (_GERMAN[:4], people(4, 5), _FRENCH[:4])[variant], 4, scale=(1, 10))
    lot, ends = (
        random.Random(variant),
        (("Runde 1", "Runde 2"), ("Saturday", "Sunday"), ("Épreuve A", "Épreuve B"))[variant],
    )
    later = Truth({p: min(10, max(1, s + lot.choice((-1, 0, 1)))) for p, s in truth.scores.items()})
    first, second = grid(truth), grid(later)
    rows: list[list] = [[None, ends[0], None, None, None, ends[1]], ["Titel", *truth.assessors, *truth.assessors]]
    rows += [[o, *first[o], *second[o]] for o in truth.objects]
    called = {f"{end} - {one}": one for end in ends for one in truth.assessors}
    return Export(_book(folder, rows), (truth, later), assessors=called, must_ask=True)
