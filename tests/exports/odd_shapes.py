"""Sheets of unusual shape: turned, with second headings, in groups, merged, surveys, other ways to write numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import openpyxl

from exports.export_file import Export, grid, number, save_csv, save_xlsx
from exports.truth import Truth, email, people, simulate, titles

_SIZES = ((12, 5, 3), (24, 6, 4), (40, 9, 4))


def _saved(folder: Path, name: str, rows: Sequence[Sequence[Any]], variant: int) -> Path:
    """Write a workbook, and a text file for the middle variant."""
    if variant == 1:
        return save_csv(folder / f"{name}.csv", rows)
    return save_xlsx(folder / f"{name}.xlsx", {"Sheet1": rows})


def turned(variant: int, folder: Path) -> Export:
    """Plain names of judges down, titles or codes across, and nothing in the corner."""
    count, judges, per_object = _SIZES[variant]
    things = (titles(count), [f"P-{14 + 3 * k:03}" for k in range(count)], titles(count))[variant]
    called = (people(judges, 3), people(judges, 9), [name.split()[0] for name in people(judges, 17)])[variant]
    truth = simulate(700 + variant, things, called, per_object)
    rows: list[list] = [["" if variant == 1 else None, *things]]
    rows += [[one, *[number(truth.scores.get((thing, one))) for thing in things]] for one in called]
    return Export((_saved(folder, "scores", rows, variant),), (truth,), must_ask=True)


def confidence_first(variant: int, folder: Path) -> Export:
    """Confidences before the scores, in a block of their own, or in other words."""
    count, judges, per_object = _SIZES[variant]
    things, called = [f"Poster {k}" for k in range(1, count + 1)], people(judges, 6)
    truth = simulate(710 + variant, things, called, per_object, confidences=(1, 2, 3))
    sure = truth.confidences or {}
    score, doubt = (("{} score", "{} confidence"), ("{} mark", "{} weight"), ("{}", "{} certainty"))[variant]
    names = truth.assessors
    order = [(text, one) for one in names for text in (doubt, score)]
    if variant == 1:
        order = [(text, one) for text in (score, doubt) for one in names]
    rows: list[list] = [["Poster", *[text.format(one) for text, one in order]]]
    for thing in things:
        held = {score: truth.scores, doubt: sure}
        rows.append([thing, *[number(held[text].get((thing, one))) for text, one in order]])
    spelt = {score.format(one): one for one in called}
    return Export((_saved(folder, "posters", rows, variant),), (truth,), assessors=spelt)


def second_heading(variant: int, folder: Path) -> Export:
    """A second row of headings: what is possible, the units, or first names above surnames."""
    count, judges, per_object = _SIZES[variant]
    things, called = [f"Film {k}" for k in range(1, count + 1)], people(judges, 12)
    truth = simulate(720 + variant, things, called, per_object)
    names = truth.assessors
    if variant == 0:
        heads = [["Film", *names], [None, *["/100"] * len(names)]]
    elif variant == 1:
        heads = [["Film", *names], ["", *["points"] * len(names)]]
    else:
        heads = [[None, *[one.split()[0] for one in names]], ["Film", *[one.split()[1] for one in names]]]
    rows = [*heads, *[[thing, *cells] for thing, cells in grid(truth).items()]]
    spelt = {f"{one.split()[0]} - {one.split()[1]}": one for one in names}
    spelt |= {f"{one} - {unit}": one for one in names for unit in ("/100", "points")}
    return Export((_saved(folder, "films", rows, variant),), (truth,), assessors=spelt)


def groups(variant: int, folder: Path) -> Export:
    """Groups of rows with titles, blank rows between them, and means of each group."""
    count, judges, per_object = _SIZES[variant]
    things, called = [f"T{101 + k}" for k in range(count)], people(judges, 15)
    truth = simulate(730 + variant, things, called, per_object)
    cells, names = grid(truth), truth.assessors
    rows: list[list] = [["Talk", *names]]
    half = count // 2
    for title, part in (("Morning", things[:half]), ("Afternoon", things[half:])):
        rows.append([title] if variant else [f"{title} session"])
        rows += [[thing, *cells[thing]] for thing in part]
        columns = [[truth.scores[t, one] for t in part if (t, one) in truth.scores] for one in names]
        if variant:
            means = [number(round(sum(column) / len(column), 1)) if column else None for column in columns]
            rows.append([f"Average {title.lower()}", *means])
        rows.append([])
    return Export((_saved(folder, "sessions", rows, variant),), (truth,))


def merged_names(variant: int, folder: Path) -> Export:
    """Names of judges merged over their columns: score and comment, score and confidence, or halls over judges."""
    count, judges, per_object = _SIZES[variant]
    things, called = [f"Wine {k}" for k in range(1, count + 1)], people(judges, 18)
    truth = simulate(740 + variant, things, called, per_object, confidences=(1, 2, 3, 4) if variant == 1 else ())
    sure, names = truth.confidences or {}, truth.assessors
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Tasting"
    sheet.append(["Tasting of 12 March 2026"])
    if variant == 2:
        sheet.append([None, "Hall 1", *[None] * 3, "Hall 2", *[None] * (len(names) - 5)])
        sheet.merge_cells(start_row=2, end_row=2, start_column=2, end_column=5)
        sheet.merge_cells(start_row=2, end_row=2, start_column=6, end_column=len(names) + 1)
        sheet.append(["Wine", *names])
        for thing, cells in grid(truth).items():
            sheet.append([thing, *cells])
        spelt = {f"Hall {1 if k < 4 else 2} - {one}": one for k, one in enumerate(names)}
    else:
        beside = "Comment" if variant == 0 else "Confidence"
        sheet.append([None, *[cell for one in names for cell in (one, None)]])
        for k in range(len(names)):
            sheet.merge_cells(start_row=2, end_row=2, start_column=2 + 2 * k, end_column=3 + 2 * k)
        sheet.append(["Wine", *["Score", beside] * len(names)])
        for thing in things:
            row: list[Any] = [thing]
            for one in names:
                given = truth.scores.get((thing, one))
                second = number(sure.get((thing, one))) if variant else (None if given is None else "fruity")
                row += [number(given), second]
            sheet.append(row)
        spelt = {f"{one} - Score": one for one in names}
    book.save(folder / "tasting.xlsx")
    return Export((folder / "tasting.xlsx",), (truth,), assessors=spelt)


def other_numbers(variant: int, folder: Path) -> Export:
    """Decimal commas behind semicolons, tabs in UTF-16 as Excel's Unicode text, percentages as text."""
    count, judges, per_object = _SIZES[variant]
    things, called = [f"Projekt {k}" for k in range(1, count + 1)], people(judges, 20)
    truth = simulate(750 + variant, things, called, per_object, step=0.5)
    comma = grid(truth, comma=True)
    if variant == 0:
        rows = [["Projekt", *truth.assessors, "Mittel"]]
        for thing, cells in comma.items():
            given = [truth.scores[thing, one] for one in truth.assessors if (thing, one) in truth.scores]
            rows.append([thing, *cells, f"{sum(given) / len(given):.2f}".replace(".", ",")])
        path = save_csv(folder / "Jury.csv", rows, ";", "utf-8-sig")
    elif variant == 1:
        rows = [["Project", *truth.assessors], *[[thing, *cells] for thing, cells in grid(truth).items()]]
        path = save_csv(folder / "jury.txt", rows, "\t", "utf-16")
    else:
        rows = [["Projekt", *truth.assessors]]
        rows += [[thing, *[None if cell is None else f"{cell} %" for cell in cells]] for thing, cells in comma.items()]
        path = save_csv(folder / "Prozente.csv", rows, ";")
    return Export((path,), (truth, Truth({pair: score / 100 for pair, score in truth.scores.items()})))


_QUALTRICS = (
    "StartDate EndDate Status IPAddress Progress Duration_(in_seconds) Finished RecordedDate ResponseId "
    "RecipientLastName RecipientFirstName RecipientEmail LocationLatitude LocationLongitude UserLanguage"
).split()


def survey(variant: int, folder: Path) -> Export:
    """Survey systems: a respondent per row, what is assessed across, once under three rows of headings."""
    count, judges, _ = ((10, 6, 0), (14, 8, 0), (18, 9, 0))[variant]
    things, called = titles(count), people(judges, 22)
    truth = simulate(760 + variant, things, called, 4 + variant, scale=(1, 10))
    held = {one: [number(truth.scores.get((thing, one))) for thing in things] for one in called}
    rows: list[list]
    if variant == 0:
        codes = [f"Q1_{k}" for k in range(1, count + 1)]
        texts = [f"Please rate each project. - {thing}" for thing in things]
        own = [text.replace("_", " ") for text in _QUALTRICS]
        about = [re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text) for text in own]
        rows = [[*own, *codes], [*about, *texts]]
        rows.append([f'{{"ImportId":"{code}"}}' for code in [*own, *codes]])
        for k, one in enumerate(called):
            first, last = one.split()
            day = f"2026-03-{10 + k:02} 09:1{k % 10}:00"
            rows.append(
                [day, day, "IP Address", "192.0.2.7", "100", str(200 + 17 * k), "True", day, f"R_{k}x", last, first,
                 email(one), "51.5", "-0.12", "EN", *held[one]]
            )  # fmt: skip
        path = save_csv(folder / "survey.csv", rows)
        spelt = {email(one): one for one in called} | {f"R_{k}x": one for k, one in enumerate(called)}
        spelt |= {one.split()[1]: one for one in called} | {one.split()[0]: one for one in called}
        codes_for = dict(zip(codes, things, strict=True)) | dict(zip(texts, things, strict=True))
        joined = {f"{code} - {text}": thing for code, text, thing in zip(codes, texts, things, strict=True)}
        return Export((path,), (truth,), objects={**codes_for, **joined}, assessors=spelt)
    if variant == 1:
        rows = [["Respondent ID", "Collector ID", "Start Date", "End Date", "Email Address", *things]]
        for k, one in enumerate(called):
            rows.append([118_000_100_000 + 73 * k, 430_011, "03/04/2026", "03/05/2026", email(one), *held[one]])
    else:
        rows = [["Submission Date", "Judge's name", *[f"Scores >> {thing}" for thing in things], "Anything else?"]]
        rows += [[f"2026-04-{1 + k:02} 10:00", one, *held[one], "no"] for k, one in enumerate(called)]
    path = save_xlsx(folder / "survey.xlsx", {"Sheet": rows}) if variant == 2 else save_csv(folder / "survey.csv", rows)
    spelt = {email(one): one for one in called} | {str(118_000_100_000 + 73 * k): one for k, one in enumerate(called)}
    return Export((path,), (truth,), objects={f"Scores >> {thing}": thing for thing in things}, assessors=spelt)


def footnotes(variant: int, folder: Path) -> Export:
    """Titles above, keys, dates and signatures below, and signs for marks that are not there."""
    count, judges, per_object = _SIZES[variant]
    things, called = [f"Entry {k}" for k in range(1, count + 1)], people(judges, 25)
    truth = simulate(770 + variant, things, called, per_object)
    sign = ("-", "n/a", "–")[variant]
    rows: list[list] = [["Prize 2026: scores of the jury"], ["Printed on", "21/11/2026"], []]
    rows.append(["Entry", *truth.assessors])
    rows += [[thing, *[sign if cell is None else cell for cell in cells]] for thing, cells in grid(truth).items()]
    rows += [[], [f"{sign} = not seen"], ["Page 1 of 1"], ["Signed: the chair", None, "Date: 21/11/2026"]]
    return Export((_saved(folder, "prize", rows, variant),), (truth,))


def workers(variant: int, folder: Path) -> Export:
    """Ratings from a crowd: one row per rating, with times, batches and rates of approval beside them."""
    count, judges, per_object = ((20, 6, 3), (30, 8, 3), (50, 12, 4))[variant]
    things, called = [f"img_{k:04}" for k in range(count)], [f"A{3 * k + 11}QZX" for k in range(judges)]
    truth = simulate(780 + variant, things, called, per_object, scale=(1, 7))
    heads = (
        ["HITId", "WorkerId", "Input.item_id", "WorkTimeInSeconds", "LifetimeApprovalRate", "Answer.rating"],
        ["task_id", "item", "annotator", "rating", "lead_time", "agreement"],
        ["_unit_id", "_worker_id", "_trust", "item", "rating", "_created_at"],
    )[variant]
    rows: list[list] = [heads]
    for k, ((thing, one), score) in enumerate(truth.scores.items()):
        given, share = number(score), round(0.8 + k % 19 / 100, 2)
        rows.append(
            (
                [f"3HIT{k:05}", one, thing, 12 + k % 40, f"{90 + k % 9}% ({100 + k}/{110 + k})", given],
                [9000 + k, thing, one, given, round(3 + k % 17 * 0.73, 2), share],
                [70_000 + k, one, share, thing, given, f"3/{1 + k % 28}/2026 08:{k % 60:02}"],
            )[variant]
        )
    return Export((_saved(folder, "batch", rows, variant),), (truth,))


def criteria_with_total(variant: int, folder: Path) -> Export:
    """A list of reviews with marks for criteria and their total."""
    count, judges, per_object = ((16, 6, 3), (24, 8, 3), (30, 9, 4))[variant]
    things, called = [f"{200 + k}" for k in range(count)], people(judges, 30)
    parts = [simulate(790 + 10 * k + variant, things, called, per_object, scale=(0, 10)) for k in range(3)]
    pairs = [pair for pair in parts[0].scores if all(pair in part.scores for part in parts)]
    whole = Truth({pair: sum(part.scores[pair] for part in parts) for pair in pairs})
    heads = (
        ["Submission", "Reviewer", "Originality", "Quality", "Clarity", "Total"],
        ["Application ID", "Assessor", "Feasibility", "Impact", "Team", "Total score"],
        ["Abstract no.", "Reviewer name", "Novelty", "Methods", "Writing", "Sum"],
    )[variant]
    rows: list[list] = [heads]
    for pair in pairs:
        given = [number(part.scores[pair]) for part in parts]
        rows.append([int(pair[0]), pair[1], *given, number(whole.scores[pair])])
    singles = tuple(Truth({pair: part.scores[pair] for pair in pairs}) for part in parts)
    return Export((_saved(folder, "reviews", rows, variant),), (whole, *singles))


def criteria_across(variant: int, folder: Path) -> Export:
    """Names of judges above, their criteria below them."""
    count, judges = ((14, 4), (20, 5), (30, 6))[variant]
    things, called = [f"Cake {k}" for k in range(1, count + 1)], people(judges, 33)
    parts = [simulate(820 + 10 * k + variant, things, called, judges, scale=(0, 20)) for k in range(2 + variant % 2)]
    whole = Truth({pair: sum(part.scores[pair] for part in parts) for pair in parts[0].scores})
    words = ["Taste", "Looks", "Craft"][: len(parts)]
    rows: list[list] = [[None, *[cell for one in called for cell in (one, *[None] * (len(parts) - 1))]]]
    rows.append(["Cake", *words * judges])
    for thing in things:
        rows.append([thing, *[number(part.scores[thing, one]) for one in called for part in parts]])
    if variant == 1:
        rows[0] = ["", *[one for one in called for _ in parts]]
    spelt = {f"{one} - {word}": one for one in called for word in words}
    return Export((_saved(folder, "cakes", rows, variant),), (whole, *parts), assessors=spelt, must_ask=True)


def joined_scores(variant: int, folder: Path) -> Export:
    """Several scores in one cell, as mail merges and pivot tables of text leave them."""
    count, judges, per_object = _SIZES[variant]
    things, called = [f"Bid {k}" for k in range(1, count + 1)], people(judges, 36)
    parts = [simulate(850 + 10 * k + variant, things, called, per_object, scale=(1, 10)) for k in range(2)]
    first = parts[0].scores
    second = {pair: parts[1].scores.get(pair, 5.0) for pair in first}
    sign = (", ", "; ", " / ")[variant]
    rows: list[list] = [["Bid", *parts[0].assessors]]
    for thing in things:
        cells = []
        for one in parts[0].assessors:
            pair = (thing, one)
            cells.append(f"{number(first[pair])}{sign}{number(second[pair])}" if pair in first else None)
        rows.append([thing, *cells])
    mean = Truth({pair: (score + second[pair]) / 2 for pair, score in first.items()})
    whole = Truth({pair: score + second[pair] for pair, score in first.items()})
    truths = (mean, whole, Truth(dict(first)), Truth(second))
    return Export((_saved(folder, "bids", rows, variant),), truths, must_ask=True)
