"""Protocols of sport, debate, wine and music: judges beside difficulty, ages, vintages, sums, places and medals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from exports.export_file import Export, grid, number, save_csv, save_xlsx
from exports.truth import Truth, people, simulate

_SIZES = ((12, 5), (20, 6), (30, 7))


def _mean(given: list[float], trimmed: int = 0) -> float:
    kept = sorted(given)[trimmed : len(given) - trimmed]
    return round(sum(kept) / len(kept), 3)


def _places(totals: dict[str, float]) -> dict[str, int]:
    ordered = sorted(totals.values(), reverse=True)
    return {thing: ordered.index(total) + 1 for thing, total in totals.items()}


def _worked(truth: Truth, rule: Callable[[list[float]], float]) -> dict[str, float]:
    held = {t: [truth.scores[t, one] for one in truth.assessors if (t, one) in truth.scores] for t in truth.objects}
    return {thing: rule(given) for thing, given in held.items()}


def panels_of_seven(variant: int, folder: Path) -> Export:
    """Diving, figure skating and dressage: the panel beside difficulty, trimmed sums, places; judges by letters."""
    count = _SIZES[variant][0]
    things = people(count, 4)
    judges = ([f"J{k}" for k in range(1, 8)], [f"Judge {k}" for k in range(1, 10)], ["K", "E", "H", "C", "M", "B", "F"])
    called = judges[variant]
    scale, step = (((0, 10), 0.5), ((0, 10), 0.25), ((50, 85), 0.5))[variant]
    truth = simulate(970 + variant, things, called, len(called), scale=scale, step=step)
    cells = grid(truth)
    rows: list[list]
    if variant == 0:
        rows = [["Rank", "Diver", "Nat", "Dive", "DD", *called, "Total", "Points"]]
        sums = _worked(truth, lambda given: sum(sorted(given)[2:-2]))
        points = {thing: round(sums[thing] * (2.6 + 0.1 * (k % 9)), 2) for k, thing in enumerate(things)}
        for k, thing in enumerate(things):
            dive, hard = f"{107 + 100 * (k % 4)}B", round(2.6 + 0.1 * (k % 9), 1)
            rows.append([_places(points)[thing], thing, "ABC", dive, hard, *cells[thing], sums[thing], points[thing]])
    elif variant == 1:
        rows = [["Pl.", "Skater", "Club", "Starting No.", *called, "Panel Score", "Factor", "Factored"]]
        panel = _worked(truth, lambda given: _mean(given, 1))
        for k, thing in enumerate(things):
            tail = [panel[thing], 1.33, round(panel[thing] * 1.33, 2)]
            rows.append([_places(panel)[thing], thing, "SC North", k + 1, *cells[thing], *tail])
    else:
        rows = [["Start", "Rider", "Horse", *called, "Total %", "Place"]]
        panel = _worked(truth, _mean)
        for k, thing in enumerate(things):
            rows.append(
                [f"{9 + k // 6}:{k % 6}0", thing, f"Horse {k}", *cells[thing], panel[thing], _places(panel)[thing]]
            )
    path = folder / ("protocol.csv" if variant == 1 else "protocol.xlsx")
    path = save_csv(path, rows, ";") if variant == 1 else save_xlsx(path, {"Protocol": rows})
    return Export((path,), (truth,))


def debates(variant: int, folder: Path) -> Export:
    """Debates: ballots with rounds and rooms, a tab of speakers by rounds, a list of team scores."""
    count, judges = _SIZES[variant]
    things, called = people(count, 8), people(judges, 45)
    rounds = [f"R{k}" for k in range(1, 6)]
    rows: list[list]
    if variant == 1:
        truth = simulate(981, things, rounds, 5, scale=(60, 90))
        total = _worked(truth, sum)
        rows = [
            ["Rank", "Speaker", "Team", "Category", *rounds, "Total", "Average", "Standard deviation", "Trimmed mean"]
        ]
        for thing, cells in grid(truth).items():
            mean = _mean(cells)
            spread = round((sum((one - mean) ** 2 for one in cells) / 5) ** 0.5, 3)
            rows.append(
                [_places(total)[thing], thing, "Oak A", "Open", *cells, total[thing], mean, spread, _mean(cells, 1)]
            )
        return Export((save_csv(folder / "speakers.csv", rows),), (truth,))
    truth = simulate(980 + variant, things, called, 3, scale=(60, 90))
    rows = [["Round", "Venue", "Chair/panellist", "Judge", "Team", "Side", "Speaker name", "Speaks", "Team points"]]
    if variant == 2:
        rows = [["round", "debate", "adjudicator", "speaker", "position", "substantive", "rank"]]
    for k, ((thing, one), score) in enumerate(truth.scores.items()):
        seat = ("OG", "OO", "CG", "CO")[k % 4]
        rows.append(
            [f"Round {1 + k % 3}", f"Room {k % 5}", "Chair", one, "Elm B", seat, thing, number(score), k % 4]
            if variant == 0
            else [1 + k % 3, 100 + k // 4, one, thing, 1 + k % 2, number(score), 1 + k % 4]
        )
    path = folder / ("ballots.xlsx" if variant == 0 else "ballots.csv")
    return Export(((save_xlsx(path, {"Ballots": rows}) if variant == 0 else save_csv(path, rows)),), (truth,))


def tastings(variant: int, folder: Path) -> Export:
    """Wine, cheese and spirits: vintages, strength and price before the judges, medals and spreads behind."""
    count, judges = _SIZES[variant]
    things, called = [f"W{201 + k}" for k in range(count)], people(judges, 26)
    if variant == 2:
        things = [f"Käse {k}" for k in range(1, count + 1)]
    truth = simulate(990 + variant, things, called, judges - 1, scale=((80, 100), (0, 20), (0, 20))[variant], step=0.5)
    cells, mean = grid(truth, comma=variant == 2), _worked(truth, lambda given: round(sum(given) / len(given), 2))
    heads = (
        ["Flight", "Wine no.", "Vintage", "Alcohol %", "Price", *truth.assessors, "Mean", "Medal"],
        ["Sample", "ABV", "Glass", *truth.assessors, "High", "Low", "Range", "Average"],
        ["Nr.", "Probe", "Jahrgang", *truth.assessors, "Mittelwert", "Spannweite", "Prämierung"],
    )[variant]
    rows: list[list] = [heads]
    for k, thing in enumerate(things):
        given = [truth.scores[thing, one] for one in truth.assessors if (thing, one) in truth.scores]
        high, low = max(given), min(given)
        rows.append(
            (
                [1 + k // 6, thing, 2015 + k % 8, 12.5 + k % 5 * 0.5, 9.9 + k, *cells[thing], mean[thing], "Silver"],
                [thing, 40 + k % 7, k + 1, *cells[thing], high, low, high - low, mean[thing]],
                [k + 1, thing, 2018 + k % 5, *cells[thing], str(mean[thing]).replace(".", ","),
                 str(high - low).replace(".", ","), "Gold"],
            )[variant]
        )  # fmt: skip
    path = folder / ("tasting.csv" if variant == 2 else "tasting.xlsx")
    path = save_csv(path, rows, ";", "cp1252") if variant == 2 else save_xlsx(path, {"Tasting": rows})
    return Export((path,), (truth,))


def recitals(variant: int, folder: Path) -> Export:
    """Music: ages and minutes beside the jury, teachers who abstain, the result of an earlier round, votes."""
    count, judges = _SIZES[variant]
    things, called = people(count, 14), people(judges, 36)
    truth = simulate(1000 + variant, things, called, judges - 1, scale=((0, 25), (0, 100), (1, 10))[variant])
    cells = grid(truth)
    for thing, given in cells.items():
        cells[thing] = [("T" if variant == 0 else "abst.") if cell is None else cell for cell in given]
    mean = _worked(truth, lambda given: round(sum(given) / len(given), 2))
    heads = (
        ["No.", "Candidate", "Age", "Duration", *truth.assessors, "Points", "Prize"],
        ["Candidate", "Instrument", "Round 1 result", *truth.assessors, "Yes votes", "Result"],
        ["Order", "Choir", "Singers", *truth.assessors, "Audience", "Result"],
    )[variant]
    rows: list[list] = [heads]
    for k, thing in enumerate(things):
        rows.append(
            (
                [k + 1, thing, 14 + k % 9, 8 + k % 7 / 2, *cells[thing], mean[thing], "2nd" if k % 5 == 0 else ""],
                [thing, "Cello", round(60 + k * 7 % 31 + 0.25, 2), *cells[thing], k % 6, mean[thing]],
                [k + 1, thing, 16 + 3 * (k % 7), *cells[thing], 120 + 13 * (k % 8), mean[thing]],
            )[variant]
        )
    path = folder / ("jury.csv" if variant == 1 else "jury.xlsx")
    return Export(((save_csv(path, rows) if variant == 1 else save_xlsx(path, {"Jury": rows})),), (truth,))
