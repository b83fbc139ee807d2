"""What conference and grant systems export: one row per review, or one row per submission with slots for reviews."""

from __future__ import annotations

import random
from pathlib import Path

from exports.export_file import Export, number, save_csv, save_xlsx
from exports.truth import Truth, email, people, simulate, titles

_SIZES = ((14, 6, 3), (36, 9, 3), (60, 14, 4))
_DECISIONS = {
    1: "strong reject", 2: "reject", 3: "reject, not good enough", 4: "weak reject", 5: "marginally below threshold",
    6: "marginally above threshold", 7: "weak accept", 8: "accept", 9: "strong accept", 10: "award quality",
}  # fmt: skip
_EXPERTISE = {1: "(none)", 2: "(low)", 3: "(medium)", 4: "(high)", 5: "(expert)"}
_CERTAINTY = {
    1: "educated guess", 2: "willing to defend", 3: "fairly confident", 4: "confident but not absolutely certain",
    5: "absolutely certain",
}  # fmt: skip


def _reviews(seed: int, variant: int, low: float, high: float, levels: tuple[int, ...], start: int = 1) -> Truth:
    objects, assessors, per_object = _SIZES[variant]
    papers = [str(k) for k in range(start, start + objects)]
    return simulate(
        seed, papers, people(assessors, seed % 20), per_object, scale=(low, high), confidences=levels, spread=0.09
    )


def _levels(truth: Truth) -> dict[tuple[str, str], int]:
    return {pair: int(level) for pair, level in (truth.confidences or {}).items()}


def easychair(variant: int, folder: Path) -> Export:
    """EasyChair: the review list of a track, in the three forms chairs have it."""
    truth = _reviews(100 + variant, variant, -3, 3, (1, 2, 3, 4, 5))
    if variant == 2:
        truth = _reviews(102, variant, 1, 10, (1, 2, 3, 4, 5))
    confidence = _levels(truth)
    names = dict(zip(truth.objects, titles(len(truth.objects)), strict=True))
    members = {name: 11 * k + 3 for k, name in enumerate(truth.assessors)}
    if variant == 0:
        head = (
            "#,submission #,member #,member name,number,version,text,scores,total score,reviewer first name,"
            "reviewer last name,reviewer email,reviewer person #,date,time,attachment?"
        )
        rows = [head.split(",")]
        for k, ((paper, member), score) in enumerate(truth.scores.items(), 1):
            scores = f"Overall evaluation: {number(score)}\nReviewer's confidence: {confidence[paper, member]}"
            text = f"The paper is about {names[paper]}.\nI learned, on page {k % 7 + 1}, what it does."
            rows.append([
                k, paper, members[member], member, k % 3 + 1, 1, text, scores, number(score), "", "", "", "",
                f"2026-05-{k % 28 + 1:02d}", f"{k % 24:02d}:{k % 60:02d}", "no",
            ])  # fmt: skip
        # Without the confidences inside the text the panel is right as well: they are no column.
        plain = Truth(truth.scores)
        path = save_csv(folder / "review.csv", rows)
        return Export((path,), (plain, truth), assessors={str(n): name for name, n in members.items()})
    words = _DECISIONS if variant == 2 else {k: w for k, w in zip(range(-3, 4), _DECISIONS.values(), strict=False)}
    head = ["#", "submission", "title", "PC member", "subreviewer", "Overall evaluation", "Reviewer's confidence"]
    rows = [[*head, "Comments for authors", "date"]]
    for k, ((paper, member), score) in enumerate(truth.scores.items(), 1):
        level = confidence[paper, member]
        rows.append([
            k, int(paper), names[paper], member, "", f"{number(score)}: {words[int(score)]}",
            f"{level}: {_EXPERTISE[level]}", "Nice work.", f"{k % 28 + 1} May 2026",
        ])  # fmt: skip
    aliases = {title: paper for paper, title in names.items()}
    if variant == 1:
        return Export((save_csv(folder / "reviews.csv", rows),), (truth,), aliases)
    return Export((save_xlsx(folder / "reviews.xlsx", {"Reviews": rows}),), (truth,), aliases)


def hotcrp(variant: int, folder: Path) -> Export:
    """HotCRP: Download > Reviews (CSV), merit and expertise as numbers, comments with commas and line ends."""
    truth = _reviews(110 + variant, variant, 1, 5, (1, 2, 3, 4), start=21)
    names = dict(zip(truth.objects, titles(len(truth.objects)), strict=True))
    head = ["paper", "title", "review", "reviewername", "email", "Overall merit", "Reviewer expertise"]
    if variant == 1:
        head = ["paper", "title", "review", "reviewername", "email", "reviewround", *head[5:], "Paper summary"]
    if variant == 2:
        head = ["paper", "title", "decision", "review", "reviewername", "email", *head[5:], "Comments for authors"]
    letters: dict[str, int] = {}
    rows = [head]
    for (paper, name), score in truth.scores.items():
        letters[paper] = letters.get(paper, 0) + 1
        cells = {
            "paper": paper, "title": names[paper], "review": f"{paper}{chr(64 + letters[paper])}", "reviewername": name,
            "email": email(name), "reviewround": "R1" if letters[paper] < 3 else "R2", "decision": "Unspecified",
            "Overall merit": number(score), "Reviewer expertise": _levels(truth)[paper, name],
            "Paper summary": 'They measure "it",\nand say so.', "Comments for authors": "Well done, mostly.",
        }  # fmt: skip
        rows.append([cells[column] for column in head])
    path = save_csv(folder / "conf26-reviews.csv", rows)
    return Export(
        (path,),
        (truth, Truth(truth.scores)),
        {title: paper for paper, title in names.items()},
        {email(name): name for name in truth.assessors},
    )


def cmt_reviews(variant: int, folder: Path) -> Export:
    """Microsoft CMT: the export of reviews with the answers to the questions of the form."""
    truth = _reviews(120 + variant, variant, 1, 6, (1, 2, 3), start=101)
    names = dict(zip(truth.objects, titles(len(truth.objects)), strict=True))
    merit = ["Strong Reject", "Reject", "Weak Reject", "Weak Accept", "Accept", "Strong Accept"]
    sure = ["Not confident", "Somewhat confident", "Very confident"]
    rating, confident = "Q1 (Overall Rating)", "Q2 (Confidence)"
    valued = [f"{column[:-1]} - Value)" for column in (rating, confident)]
    head = ["Paper ID", "Paper Title", "Track Name", "Reviewer Number", "Reviewer Name", "Reviewer Email"]
    head += [rating, valued[0], confident, valued[1]] if variant else [*valued]
    rows = [[*head, "Q3 (Detailed comments)"]]
    counted: dict[str, int] = {}
    for (paper, name), score in truth.scores.items():
        counted[paper] = counted.get(paper, 0) + 1
        level = _levels(truth)[paper, name]
        cells = [number(score), level]
        if variant:
            cells = [merit[int(score) - 1], number(score), sure[level - 1], level]
        who = ["", name, email(name)] if variant == 2 else [counted[paper], name, email(name)]
        rows.append([int(paper), names[paper], "Main track", *who, *cells, "Clear, and sound."])
    path = folder / ("Reviews.xlsx" if variant == 2 else "Reviews.csv")
    path = save_xlsx(path, {"Reviews": rows}) if variant == 2 else save_csv(path, rows)
    return Export(
        (path,),
        (truth,),
        {title: paper for paper, title in names.items()},
        {email(name): name for name in truth.assessors},
    )


def cmt_slots(variant: int, folder: Path) -> Export:
    """Microsoft CMT: one row per paper with "Reviewer #1", ... and no names; here three people read everything."""
    objects = (18, 30, 45)[variant]
    slots = [f"Reviewer #{k}" for k in range(1, (3, 3, 4)[variant] + 1)]
    papers = [str(k) for k in range(1, objects + 1)]
    truth = simulate(130 + variant, papers, slots, len(slots), scale=(1, 6), spread=0.1)
    head = ["Paper ID", "Paper Title", *slots, "Average", "Spread"]
    rows: list[list] = [["Paper ID", "Paper Title", *slots] if variant == 0 else head]
    for paper, title in zip(papers, titles(objects), strict=True):
        given = [truth.scores[paper, slot] for slot in slots]
        extra = [] if variant == 0 else [round(sum(given) / len(given), 2), number(max(given) - min(given))]
        rows.append([int(paper), title, *map(number, given), *extra])
    path = folder / ("papers.csv" if variant != 2 else "papers.xlsx")
    path = save_csv(path, rows) if variant != 2 else save_xlsx(path, {"Papers": rows})
    return Export((path,), (truth,), must_ask=True)


def openreview(variant: int, folder: Path) -> Export:
    """OpenReview: notes of official reviews, one row each, as its CSV buttons and the usual scripts write them."""
    truth = _reviews(140 + variant, variant, 1, 10, (1, 2, 3, 4, 5))
    names = dict(zip(truth.objects, titles(len(truth.objects)), strict=True))
    lot = random.Random(variant)
    forums = {paper: "".join(lot.choices("abcdefghkmnpqrstuvwxyzABCDEFGHJK23456789", k=10)) for paper in truth.objects}
    profiles = {name: f"~{name.replace(' ', '_')}1" for name in truth.assessors}
    heads = (
        ["number", "forum", "title", "reviewer", "rating", "confidence", "review"],
        ["id", "forum", "number", "signature", "cdate", "rating", "confidence", "summary"],
        ["Submission Number", "Submission Title", "Forum", "Reviewer", "Rating", "Confidence", "Review Link"],
    )
    rows: list[list] = [heads[variant]]
    for k, ((paper, name), score) in enumerate(truth.scores.items()):
        level = _levels(truth)[paper, name]
        worded = variant != 2
        rating = f"{number(score)}: {_DECISIONS[int(score)]}" if worded else number(score)
        sure = f"{level}: You are {_CERTAINTY[level]} in your assessment" if worded else level
        if variant == 0:
            row = [paper, forums[paper], names[paper], profiles[name], rating, sure, "A good read, overall."]
        elif variant == 1:
            note = f"N{k:05d}xy"
            row = [note, forums[paper], paper, profiles[name], 1_760_000_000_000 + 7919 * k, rating, sure, "It works."]
        else:
            link = f"https://openreview.net/forum?id={forums[paper]}&noteId=N{k}"
            row = [paper, names[paper], forums[paper], profiles[name], rating, sure, link]
        rows.append(row)
    aliases = {**{forum: paper for paper, forum in forums.items()}, **{t: p for p, t in names.items()}}
    return Export(
        (save_csv(folder / "reviews.csv", rows),),
        (truth,),
        aliases,
        {profile: name for name, profile in profiles.items()},
    )


def submittable(variant: int, folder: Path) -> Export:
    """Submittable and its kin: one row per submission, slots with the reviewer's name beside the score."""
    objects, assessors, per_object = _SIZES[variant]
    ids = [f"SUB-{k:04d}" for k in range(1, objects + 1)]
    scale = ((0, 100), (0, 10), (1, 5))[variant]
    truth = simulate(150 + variant, ids, people(assessors, 4), per_object, scale=scale, spread=0.08)
    slots = range(1, per_object + 1)
    name_of, score_of = (
        ("Reviewer {} name", "Reviewer {} score"),
        ("Reviewer {}", "Score {}"),
        ("Judge {} Name", "Judge {} Score"),
    )[variant]
    slot_heads = [heading.format(k) for k in slots for heading in (name_of, score_of)]
    head = ["Submission ID", "Title", "Status", *slot_heads]
    rows: list[list] = [head + (["Average Score"] if variant == 2 else [])]
    lot = random.Random(variant)
    for thing, title in zip(ids, titles(objects), strict=True):
        given = [(name, score) for (paper, name), score in truth.scores.items() if paper == thing]
        lot.shuffle(given)
        cells = [cell for name, score in given for cell in (name, number(score))]
        average = [round(sum(score for _, score in given) / len(given), 2)] if variant == 2 else []
        rows.append([thing, title, "In Progress", *cells, *average])
    path = folder / ("submissions.csv" if variant != 1 else "submissions.xlsx")
    path = save_csv(path, rows) if variant != 1 else save_xlsx(path, {"Submissions": rows})
    return Export((path,), (truth,))


def reviewer_lists(variant: int, folder: Path) -> Export:
    """Lists of reviews from systems of one's own, the reviewer under a heading of the house."""
    truth = _reviews(160 + variant, variant, 0, 100, ())
    heads = (
        ["Proposal", "member name", "Score", "Comments"],
        ["Poster ID", "Judge name", "Points", "Round"],
        ["Application No.", "Reader", "Rating", "Recommendation"],
    )
    rows: list[list] = [heads[variant]]
    for k, ((paper, name), score) in enumerate(truth.scores.items()):
        last = ("Fine.", 1, "Fund" if score > 60 else "Do not fund")[variant]
        rows.append([f"P{paper}", name, number(score), last if k % 5 else None])
    path = folder / ("reviews.csv" if variant != 1 else "judging.xlsx")
    path = save_csv(path, rows, ";" if variant == 2 else ",") if variant != 1 else save_xlsx(path, {"Export": rows})
    return Export((path,), (truth,), {f"P{paper}": paper for paper in truth.objects})


def criteria(variant: int, folder: Path) -> Export:
    """A rubric: several criteria per review, without an overall score (or with one)."""
    objects, assessors, per_object = _SIZES[variant]
    ids = [f"G{k:03d}" for k in range(1, objects + 1)]
    names = people(assessors, 9)
    headings = (
        ["Originality", "Significance", "Clarity"],
        ["Impact", "Feasibility", "Team", "Budget"],
        ["Novelty", "Rigour"],
    )[variant]
    lot = random.Random(170 + variant)
    base = simulate(170 + variant, ids, names, per_object, scale=(0, 10), spread=0.09)
    by_criterion = [
        Truth({pair: min(10.0, max(0.0, score + lot.randint(-2, 2))) for pair, score in base.scores.items()})
        for _ in headings
    ]
    pairs = list(base.scores)
    total = Truth({pair: sum(one.scores[pair] for one in by_criterion) for pair in pairs})
    average = Truth({pair: score / len(headings) for pair, score in total.scores.items()})
    head = ["Project", "Reviewer", *headings, *(["Comments"] if variant == 1 else [])]
    rows: list[list] = [head]
    for pair in pairs:
        cells = [number(one.scores[pair]) for one in by_criterion]
        rows.append([*pair, *cells, *(["Good."] if variant == 1 else [])])
    path = folder / ("rubric.csv" if variant != 2 else "rubric.xlsx")
    path = save_csv(path, rows) if variant != 2 else save_xlsx(path, {"Reviews": rows})
    return Export((path,), (*by_criterion, total, average), must_ask=True)
