"""Sheets kept by hand in office programs: pivot tables, hidden rows, signs beside marks, several sheets, text files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import openpyxl

from exports.export_file import Export, grid, number, save_csv, save_xlsx
from exports.truth import Truth, people, simulate, titles

_SIZES = ((12, 5, 3), (20, 6, 4), (32, 7, 4))


def _panel(seed: int, variant: int, label: str = "Entry {}", start: int = 0) -> Truth:
    count, judges, per_object = _SIZES[variant]
    things = [label.format(k) for k in range(1, count + 1)]
    return simulate(seed + variant, things, people(judges, start), per_object)


def _means(truth: Truth) -> tuple[list[float], list[float], float]:
    by_row = [[s for (t, _), s in truth.scores.items() if t == thing] for thing in truth.objects]
    by_column = [[s for (_, j), s in truth.scores.items() if j == judge] for judge in truth.assessors]
    everything = list(truth.scores.values())
    return (
        [sum(row) / len(row) for row in by_row],
        [sum(column) / len(column) for column in by_column],
        sum(everything) / len(everything),
    )


def pivots(variant: int, folder: Path) -> Export:
    """Pivot tables of Excel and LibreOffice with their totals, in English and German."""
    truth = _panel(1100, variant)
    by_row, by_column, whole = _means(truth)
    words = (
        ("Average of Score", "Column Labels", "Row Labels", "Grand Total"),
        ("Mittelwert von Punkte", "Spaltenbeschriftungen", "Zeilenbeschriftungen", "Gesamtergebnis"),
        ("Average - Score", "Judge", "Entry", "Total Result"),
    )[variant]
    width = len(truth.assessors)
    rows: list[list] = [["Filter"], [], []] if variant == 2 else []
    rows += [[words[0], words[1], *[None] * width], [words[2], *truth.assessors, words[3]]]
    rows += [[thing, *cells, mean] for (thing, cells), mean in zip(grid(truth).items(), by_row, strict=True)]
    rows.append([words[3], *by_column, whole])
    return Export((save_xlsx(folder / "pivot.xlsx", {"Tabelle1" if variant == 1 else "Sheet2": rows}),), (truth,))


def merged_down(variant: int, folder: Path) -> Export:
    """Lists whose first column names an entry only once: merged, left blank, or on a row of its own."""
    truth = _panel(1110, variant, "Bid {}", 9)
    rows: list[list] = [["Bid", "Assessor", "Score"]]
    spans = []
    for thing in truth.objects:
        given = [(one, number(score)) for (t, one), score in truth.scores.items() if t == thing]
        spans.append((len(rows) + 1, len(rows) + len(given)))
        if variant == 2:
            rows.append([thing])
        rows += [[thing if k == 0 and variant < 2 else None, one, score] for k, (one, score) in enumerate(given)]
    if variant == 1:
        return Export((save_csv(folder / "bids.csv", rows),), (truth,))
    path = save_xlsx(folder / "bids.xlsx", {"Bids": rows})
    if variant == 0:
        book = openpyxl.load_workbook(path)
        for first, last in spans:
            book.active.merge_cells(start_row=first, end_row=last, start_column=1, end_column=1)
        book.save(path)
    return Export((path,), (truth,))


def filtered(variant: int, folder: Path) -> Export:
    """Hidden columns with working figures, rows that are filtered away, and rows struck out by hand."""
    truth = _panel(1120, variant, "Claim {}", 12)
    cells = grid(truth)
    rows: list[list] = [
        ["Claim", *truth.assessors, "helper"] if variant == 0 else ["Claim", "Status", *truth.assessors]
    ]
    gone = [thing for k, thing in enumerate(truth.objects) if k % 5 == 2 and variant]
    for k, thing in enumerate(truth.objects):
        given = [cell for cell in cells[thing] if cell is not None]
        status = "Withdrawn" if thing in gone else "Active"
        rows.append([thing, *cells[thing], sum(given) * 3 + k % 2] if variant == 0 else [thing, status, *cells[thing]])
    path = save_xlsx(folder / "claims.xlsx", {"Claims": rows})
    book = openpyxl.load_workbook(path)
    sheet = book.active
    if variant == 0:
        sheet.column_dimensions[sheet.cell(1, len(rows[0])).column_letter].hidden = True
    else:
        sheet.auto_filter.ref = sheet.dimensions
        for k in range(2, len(rows) + 1):
            sheet.row_dimensions[k].hidden = rows[k - 1][1] == "Withdrawn"
    book.save(path)
    left = Truth({pair: score for pair, score in truth.scores.items() if pair[0] not in gone})
    return Export((path,), (truth, left) if variant else (truth,))


def signs(variant: int, folder: Path) -> Export:
    """Marks with signs: capped*, (provisional), 56/100, and signs for those who were not there."""
    truth = _panel(1130, variant, "Cand {}", 15)
    rows: list[list] = [["Candidate", *truth.assessors]]
    marked = {pair for k, pair in enumerate(truth.scores) if k % 11 == 4}
    for thing, cells in grid(truth).items():
        shown: list[Any] = []
        for one, cell in zip(truth.assessors, cells, strict=True):
            written: Any = cell
            if cell is None:
                written = (None, None, ("AB", "NA", "-", "DNS")[len(shown) % 4])[variant]
            elif variant == 0 and (thing, one) in marked:
                written = (f"{cell}*", f"({cell})", f"{cell}†")[len(shown) % 3]
            elif variant == 1:
                written = f"{cell}/100"
            shown.append(written)
        rows.append([thing, *shown])
    notes = (["* = capped, () = provisional"], ["All marks out of 100"], ["AB = absent, NA = not applicable"])[variant]
    rows += [[], notes]
    left = Truth({pair: score for pair, score in truth.scores.items() if variant or pair not in marked})
    path = folder / ("marks.csv" if variant == 1 else "marks.xlsx")
    path = save_csv(path, rows) if variant == 1 else save_xlsx(path, {"Marks": rows})
    share = Truth({pair: score / 100 for pair, score in truth.scores.items()})
    return Export((path,), (truth, left) if variant == 0 else (truth, share))


def absent_as_zero(variant: int, folder: Path) -> Export:
    """Nought where somebody was not there, as a note below says."""
    truth = _panel(1140, variant, "Pupil {}", 18)
    rows: list[list] = [["Pupil", *truth.assessors]]
    rows += [[thing, *[0 if cell is None else cell for cell in cells]] for thing, cells in grid(truth).items()]
    note = ("0 = absent", "0 means not marked", "Note: 0 = did not see")[variant]
    rows += [[], [note]]
    path = folder / ("pupils.csv" if variant == 1 else "pupils.xlsx")
    path = save_csv(path, rows) if variant == 1 else save_xlsx(path, {"Pupils": rows})
    return Export((path,), (truth,), must_ask=True)


def text_files(variant: int, folder: Path) -> Export:
    """Text files: a first line sep=;, headings with line ends, blank columns at the end, Latin letters."""
    truth = _panel(1150, variant, "Bücher {}", 21)
    comma = grid(truth, comma=variant != 1)
    path = folder / "scores.csv"
    rows: list[list]
    if variant == 0:
        rows = [["Titel", *truth.assessors, "", ""], *[[thing, *cells, "", ""] for thing, cells in comma.items()]]
        save_csv(path, rows, ";", "cp1252")
        path.write_bytes(b"sep=;\r\n" + path.read_bytes())
    elif variant == 1:
        rows = [["Title", *[one.replace(" ", "\n") for one in truth.assessors], 'Comment, "if any"']]
        rows += [[thing, *cells, 'fine,\n"really"'] for thing, cells in comma.items()]
        save_csv(path, rows, encoding="utf-8-sig")
    else:
        rows = [["Titel", *truth.assessors], *[[thing, *cells] for thing, cells in comma.items()]]
        save_csv(path, rows, "\t", "utf-16")
    return Export((path,), (truth,), assessors={one.replace(" ", "\n"): one for one in truth.assessors})


def same_names(variant: int, folder: Path) -> Export:
    """The same name for two people with ids beside, ids that are numbers, two judges with one name."""
    count, judges, per_object = _SIZES[variant]
    ids = [str(10_001 + 7 * k) for k in range(count)]
    called = people(judges, 24)
    truth = simulate(1160 + variant, ids, called, per_object)
    names = people(count, 30)
    names[3] = names[2]
    rows: list[list] = [["Surname, first name", "Student number", *truth.assessors]]
    if variant == 1:
        rows = [["Name", "Number", *truth.assessors]]
    if variant == 2:
        rows = [["Matrikel-Nr.", "Name", *truth.assessors]]
    for k, (one, cells) in enumerate(grid(truth).items()):
        rows.append([int(one), names[k], *cells] if variant == 2 else [names[k], int(one), *cells])
    path = folder / ("list.csv" if variant == 1 else "list.xlsx")
    return Export(((save_csv(path, rows) if variant == 1 else save_xlsx(path, {"List": rows})),), (truth,))


def turned_square(variant: int, folder: Path) -> Export:
    """As many judges down as titles across, or more, and nothing in the corner."""
    count, judges = ((8, 8), (8, 10), (7, 14))[variant]
    things, called = titles(count), people(judges, 33)
    truth = simulate(1170 + variant, things, called, judges - 3)
    rows: list[list] = [[None, *things]]
    rows += [[one, *[number(truth.scores.get((thing, one))) for thing in things]] for one in called]
    path = folder / ("sheet.csv" if variant == 1 else "sheet.xlsx")
    path = save_csv(path, rows) if variant == 1 else save_xlsx(path, {"Sheet1": rows})
    return Export((path,), (truth,), must_ask=True)


def several_sheets(variant: int, folder: Path) -> Export:
    """A workbook with instructions and a summary, with two rounds, or with a raw list beside its pivot."""
    truth = _panel(1180, variant, "Film {}", 36)
    by_row, by_column, whole = _means(truth)
    rows: list[list] = [["Film", *truth.assessors], *[[thing, *cells] for thing, cells in grid(truth).items()]]
    summary: list[list] = [["Film", "Mean", "Rank"]]
    summary += [[t, m, sorted(by_row, reverse=True).index(m) + 1] for t, m in zip(truth.objects, by_row, strict=True)]
    sheets: dict[str, Sequence[Sequence[Any]]]
    truths: tuple[Truth, ...] = (truth,)
    if variant == 0:
        sheets = {"Read me": [["How to fill this in"], [], ["1. Score each film."]], "Scores": rows, "Summary": summary}
    elif variant == 1:
        other = _panel(1190, variant, "Film {}", 36)
        second = [["Film", *other.assessors], *[[thing, *cells] for thing, cells in grid(other).items()]]
        sheets, truths = {"Round 1": rows, "Round 2": second}, (truth, other)
    else:
        listed = [["Film", "Judge", "Score"], *[[*pair, number(score)] for pair, score in truth.scores.items()]]
        pivot = [["Average of Score", "Column Labels"], ["Row Labels", *truth.assessors, "Grand Total"]]
        pivot += [[thing, *cells, m] for (thing, cells), m in zip(grid(truth).items(), by_row, strict=True)]
        sheets = {"Raw": listed, "Pivot": [*pivot, ["Grand Total", *by_column, whole]]}
    return Export((save_xlsx(folder / "films.xlsx", sheets),), truths)


def between_groups(variant: int, folder: Path) -> Export:
    """Subtotals of groups between the rows, sections by number, and a total at the end, without blank rows."""
    truth = _panel(1200, variant, "E{:03}", 39)
    cells, third = grid(truth), len(truth.objects) // 3
    rows: list[list] = [["Entry", *truth.assessors]]

    def means(label: str, part: Sequence[str]) -> list:
        columns = [[truth.scores[t, one] for t in part if (t, one) in truth.scores] for one in truth.assessors]
        return [label, *[round(sum(c) / len(c), 2) if c else None for c in columns]]

    for k in range(3):
        part = truth.objects[k * third : None if k == 2 else (k + 1) * third]
        rows += [[thing, *cells[thing]] for thing in part]
        rows.append(means((f"Section {k + 1}", f"Category {'ABC'[k]} average", f"Subtotal {k + 1}")[variant], part))
    rows.append(means(("All sections", "Overall average", "Total")[variant], truth.objects))
    path = folder / ("sections.csv" if variant == 1 else "sections.xlsx")
    return Export(((save_csv(path, rows) if variant == 1 else save_xlsx(path, {"Sections": rows})),), (truth,))


def two_headings(variant: int, folder: Path) -> Export:
    """Two or three rows of headings: panel, institution or role above or below the names."""
    truth = _panel(1210, variant, "Poem {}", 42)
    names = truth.assessors
    role = [("Panel A", "Panel B")[k % 2] for k in range(len(names))]
    place = [("Leeds", "Porto", "Kraków")[k % 3] for k in range(len(names))]
    heads = (
        [["Poem", *names], [None, *place]],
        [["", *role], ["", *place], ["Poem", *names]],
        [["Panel", *role], ["Assessor", *names], ["Poem", *["Score"] * len(names)]],
    )[variant]
    rows = [*heads, *[[thing, *cells] for thing, cells in grid(truth).items()]]
    spelt = {f"{one} - {there}": one for one, there in zip(names, place, strict=True)}
    spelt |= {f"{r} - {p} - {one}": one for one, r, p in zip(names, role, place, strict=True)}
    spelt |= {f"{p} - {one}": one for one, p in zip(names, place, strict=True)}
    spelt |= {f"{r} - {one}": one for one, r in zip(names, role, strict=True)}
    spelt |= {f"{one} - Score": one for one in names} | {
        f"{r} - {n} - Score": n for n, r in zip(names, role, strict=True)
    }
    path = folder / ("poems.csv" if variant == 1 else "poems.xlsx")
    return Export(((save_csv(path, rows) if variant == 1 else save_xlsx(path, {"Poems": rows})),), (truth,), {}, spelt)
