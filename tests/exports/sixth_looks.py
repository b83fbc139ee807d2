"""Reviews as an API gives them, scores of 0 for what nobody saw, somebody called Total, and other late finds."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from exports.export_file import Export, grid, number, save_csv, save_xlsx
from exports.truth import people, simulate, titles

_VERDICTS = {
    2: "reject",
    3: "reject, not good enough",
    4: "borderline reject",
    5: "marginally below",
    6: "marginally above",
    7: "good paper",
    8: "accept, good paper",
    9: "top 15%",
}


def reviews_of_an_api(variant: int, folder: Path) -> Export:
    """OpenReview by its API: criteria such as "3 good" (one called presentation), times, and who by profile."""
    judges, papers = people(6, 3), titles(13)
    truth = simulate(2000 + variant, papers, judges, 3, scale=(2, 9), confidences=(1, 2, 3, 4, 5), middle=0.5)
    lot = np.random.default_rng(variant)
    heads = (
        "number forum title reviewer_profile soundness presentation contribution rating confidence tcdate",
        "number forum title signature soundness presentation contribution recommendation confidence cdate",
        "nr note title reviewer_profile soundness presentation contribution rating confidence tcdate",
    )[variant].split()
    profiles = {name: f"~{name.replace(' ', '_')}1" for name in judges}
    rows: list[list] = [heads]
    for (paper, name), score in truth.scores.items():
        k = papers.index(paper)
        before = [k + 1 if variant != 1 else judges.index(name) + 1, f"aB{k:02}xYz", paper, profiles[name]]
        levels = [
            f"{level} {word}" for level, word in zip(lot.integers(1, 5, 3), ("good", "fair", "good"), strict=True)
        ]
        sure = int((truth.confidences or {})[paper, name])
        after = [f"{score:g}: {_VERDICTS[int(score)]}", f"{sure}: fairly confident", 1_761_000_000_000 + 86_400_123 * k]
        rows.append([*before, *levels, *after])
    aliases = {str(k + 1): paper for k, paper in enumerate(papers)} | {f"aB{k:02}xYz": p for k, p in enumerate(papers)}
    named = {profile: name for name, profile in profiles.items()}
    return Export((save_csv(folder / "reviews.csv", rows),), (truth,), aliases, named, must_ask=variant == 2)


def zeros_for_nothing(variant: int, folder: Path) -> Export:
    """0 wherever an assessor did not see an object, and no word about it."""
    scale, step = (((0, 100), 1), ((1, 10), 0.5), ((0, 20), 1))[variant]
    truth = simulate(2010 + variant, titles(18), people(6, 5), 3, scale=scale, step=step, middle=0.65)
    rows: list[list] = [["Entry", *truth.assessors]]
    rows += [[thing, *[0 if z is None else z for z in given]] for thing, given in grid(truth).items()]
    if variant == 2:
        rows = [["Entry", "Judge", "Score"]]
        rows += [[o, j, number(truth.scores.get((o, j), 0.0))] for o in truth.objects for j in truth.assessors]
    return Export((save_csv(folder / "marks.csv", rows),), (truth,), must_ask=True)


def somebody_called_total(variant: int, folder: Path) -> Export:
    """One of four judges is called as a statistic is, in so few rows that his numbers cannot say whether he is one."""
    judges = ["Meier", "Vogt", "Lang", ("Total", "Sum", "Mean")[variant]]
    truth = simulate(2020 + variant, titles((5, 4, 5)[variant]), judges, 4, scale=(0, 20))
    rows: list[list] = [["Wine", *judges]]
    rows += [[thing, *[number(truth.scores[thing, judge]) for judge in judges]] for thing in truth.objects]
    return Export((save_xlsx(folder / "wines.xlsx", {"Wines": rows}),), (truth,), must_ask=True)


def total_of_few(variant: int, folder: Path) -> Export:
    """A real Total, Mean or Rank beside three columns of few rows: its numbers bear it out beyond chance."""
    judges = people(3, 4)
    truth = simulate(2030 + variant, titles((3, 4, 4)[variant]), judges, 3)
    body = grid(truth)
    totals = {thing: sum(given) for thing, given in body.items()}
    places = {thing: 1 + sum(one > totals[thing] for one in totals.values()) for thing in body}
    last = (totals, {thing: round(z / 3, 1) for thing, z in totals.items()}, places)[variant]
    rows: list[list] = [["Wine", *truth.assessors, ("Total", "Mean", "Rank")[variant]]]
    rows += [[thing, *given, last[thing]] for thing, given in body.items()]
    return Export((save_xlsx(folder / "wines.xlsx", {"Wines": rows}),), (truth,))


def one_column_left(variant: int, folder: Path) -> Export:
    """A list whose headings say who assessed and what the scores are: the one column left is what was assessed."""
    heads = (["Story", "Judge", "Score"], ["Dish", "Scored by", "Points"], ["Statement", "Respondent", "Answer"])[
        variant
    ]
    truth = simulate(2040 + variant, titles(16), people(5, 2), 3, scale=(1, 5), middle=0.5)
    words = "Strongly disagree,Disagree,Neither agree nor disagree,Agree,Strongly agree".split(",")
    rows: list[list] = [heads]
    for (thing, judge), score in truth.scores.items():
        rows.append([thing, judge, words[int(score) - 1] if variant == 2 else number(score)])
    return Export((save_csv(folder / "list.csv", rows),), (truth,), must_ask=variant == 2)


def names_of_a_kind(variant: int, folder: Path) -> Export:
    """Judges by title and name beside a word of the house; a form's grid by reviewer; judges by number in slots."""
    judges = [f"Dr {name.split()[1]}" for name in people(5, 3)]
    truth = simulate(2050 + variant, titles(16), judges, 3, scale=(0, 100))
    if variant == 0:
        rows: list[list] = [["Applicant", *truth.assessors, "Mock"]]
        rows += [[thing, *given, 40 + 7 * k % 45] for k, (thing, given) in enumerate(grid(truth).items())]
        return Export((save_csv(folder / "marks.csv", rows),), (truth,), must_ask=True)
    if variant == 1:
        items = {f"How good is it? [{thing}]": thing for thing in truth.objects}
        rows = [["Timestamp", "Reviewer name", *items]]
        for k, judge in enumerate(truth.assessors):
            given = [number(truth.scores.get((thing, judge))) for thing in items.values()]
            rows.append([f"2026/05/0{k + 1} 10:01:00 AM GMT+1", judge, *given])
        return Export((save_csv(folder / "answers.csv", rows),), (truth,), items)
    numbers = {judge: str(7701 + 13 * k) for k, judge in enumerate(judges)}
    slots = [f"Judge {k} {word}" for k in (1, 2, 3) for word in ("ID", "Score")]
    rows = [["Project", *slots]]
    for thing in truth.objects:
        given = [(judge, z) for (o, judge), z in truth.scores.items() if o == thing]
        rows.append([thing, *[cell for judge, z in given for cell in (int(numbers[judge]), number(z))]])
    named = {one: judge for judge, one in numbers.items()}
    return Export((save_csv(folder / "fair.csv", rows),), (truth,), assessors=named)
