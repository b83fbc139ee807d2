"""What journals, funders and employers export: lists of reviews, scorecards and forms, with dates, sums and words."""

from __future__ import annotations

from pathlib import Path

from exports.export_file import Export, grid, number, save_csv, save_xlsx
from exports.truth import Truth, email, people, simulate, titles

_SIZES = ((14, 6, 3), (24, 7, 3), (40, 9, 4))


def journals(variant: int, folder: Path) -> Export:
    """ScholarOne, Editorial Manager and OJS: one row per review, with days, rounds and recommendations beside."""
    count, judges, per_object = _SIZES[variant]
    ids = ([f"JOURN-2026-{140 + k}" for k in range(count)], [f"PCAL-D-26-{k:05}" for k in range(11, 11 + count)], None)
    things = ids[variant] or [str(310 + 3 * k) for k in range(count)]
    called = people(judges, 7 + variant)
    truth = simulate(900 + variant, things, called, per_object, scale=((1, 5), (1, 100), (1, 5))[variant], spread=0.09)
    names = dict(zip(things, titles(count), strict=True))
    heads = (
        "Manuscript ID;Manuscript Title;Revision;Reviewer Name;Date Invited;Date Due;Date Completed;Days to Review;"
        "R-Score;Overall Rating;Recommendation",
        "Manuscript Number;Article Title;Revision Number;Reviewer Name;Reviewer ID;Reviewer Recommendation Term;"
        "Overall Manuscript Rating (1-100);Number of Days Reviewer Took;Times Invited",
        "Stage;Round;Submission Title;Submission ID;Reviewer;Given Name;Family Name;Date Assigned;Date Completed;"
        "Days Overdue;Reviewer Rating;Recommendation;Comments On Submission",
    )[variant].split(";")
    rows: list[list] = [heads]
    for k, ((thing, one), score) in enumerate(truth.scores.items()):
        day, given, word = f"{1 + k % 28:02}-Mar-2026", number(score), ("Accept", "Minor Revision", "Reject")[k % 3]
        first, last = one.split()
        rows.append(
            (
                [thing, names[thing], 0, f"{last}, {first}", day, day, day, 6 + k % 25, 2 + k % 3, given, word],
                [thing, names[thing], k % 2, one, 4000 + called.index(one), word, given, 3 + k % 30, 1 + k % 3],
                [
                    "Review",
                    1,
                    names[thing],
                    thing,
                    first[0] + last,
                    first,
                    last,
                    day,
                    day,
                    k % 5,
                    given,
                    word,
                    "ok\nok",
                ],
            )[variant]
        )
    spelt = {f"{one.split()[1]}, {one.split()[0]}": one for one in called} | {
        one.split()[0][0] + one.split()[1]: one for one in called
    }
    spelt |= {str(4000 + k): one for k, one in enumerate(called)}
    path = folder / ("reviews.xlsx" if variant == 1 else "reviews.csv")
    path = save_xlsx(path, {"Report": rows}) if variant == 1 else save_csv(path, rows, encoding="utf-8-sig")
    return Export((path,), (truth,), {title: thing for thing, title in names.items()}, spelt)


def abstracts(variant: int, folder: Path) -> Export:
    """ConfTool, pretalx and a congress system: ids, familiarity and weighted scores beside the criteria."""
    count, judges, per_object = _SIZES[variant]
    things, called = [str(101 + k) for k in range(count)], people(judges, 2 + variant)
    parts = [simulate(910 + 10 * k + variant, things, called, per_object, scale=(0, 10)) for k in range(3)]
    pairs = [pair for pair in parts[0].scores if all(pair in part.scores for part in parts)]
    singles = [Truth({pair: part.scores[pair] for pair in pairs}) for part in parts]
    ids = {one: str(70 + 4 * k) for k, one in enumerate(called)}
    names = dict(zip(things, titles(count), strict=True))
    if variant == 1:
        truth = parts[0]
        rows: list[list] = [["ID", "Proposal title", "Reviewer", "Score", "Weight of reviewer's vote", "Created"]]
        for k, ((thing, one), score) in enumerate(truth.scores.items()):
            rows.append([thing, names[thing], one, number(score), 1, f"2026-02-{1 + k % 28:02}T10:{k % 60:02}:11Z"])
        return Export(
            (save_csv(folder / "talks.csv", rows),), (truth,), {title: thing for thing, title in names.items()}
        )
    weights = (0.5, 0.3, 0.2)
    mean = Truth({p: sum(w * t.scores[p] for w, t in zip(weights, singles, strict=True)) for p in pairs})
    whole = Truth({pair: round(score, 6) for pair, score in mean.scores.items()})
    heads = (
        [
            "paperID",
            "title",
            "reviewerID",
            "reviewer_name",
            "familiarity",
            "originality",
            "quality",
            "relevance",
            "total_points",
            "date",
        ],
        [],
        [
            "Abstract ref",
            "Topic",
            "Reviewer",
            "Q1. Relevance (0-10)",
            "Q2. Methods (0-10)",
            "Q3. Novelty (0-10)",
            "Weighted score",
            "Conflict?",
        ],
    )[variant]
    rows = [heads]
    for k, pair in enumerate(pairs):
        given, total = [number(part.scores[pair]) for part in singles], number(whole.scores[pair])
        if variant == 0:
            rows.append(
                [pair[0], names[pair[0]], ids[pair[1]], pair[1], 1 + k % 3, *given, total, f"2026-03-0{1 + k % 9}"]
            )
        else:
            rows.append([pair[0], "Oncology", pair[1], *given, total, "No"])
    spelt = {number_: one for one, number_ in ids.items()}
    path = folder / ("reviews.csv" if variant == 0 else "abstracts.xlsx")
    path = save_csv(path, rows, ";") if variant == 0 else save_xlsx(path, {"Reviews": rows})
    return Export((path,), (whole, *singles), {title: thing for thing, title in names.items()}, spelt)


def grants(variant: int, folder: Path) -> Export:
    """Grant systems: amounts requested and awarded, conflicts, standard deviations, and scales with 1 as the best."""
    count, judges, per_object = _SIZES[variant]
    things, called = [f"R-2026-{1000 + 17 * k}" for k in range(count)], people(judges, 11 + variant)
    low, high = ((0, 100), (0, 10), (1, 9))[variant]
    truth = simulate(930 + variant, things, called, per_object, scale=(low, high), step=(1, 0.5, 1)[variant])
    cells = grid(truth)
    rows: list[list]
    if variant == 0:
        rows = [["Request ID", "Organization", "Amount Requested", "Reviewer", "Total Score", "Recommended Amount"]]
        for k, ((thing, one), score) in enumerate(truth.scores.items()):
            asked = 5000 * (1 + things.index(thing) % 9)
            rows.append([thing, f"Org {things.index(thing)}", asked, one, number(score), asked - 500 * (k % 3)])
        return Export((save_csv(folder / "reviews.csv", rows),), (truth,))
    if variant == 1:
        head = [
            "Application #",
            "Applicant",
            "Requested ($)",
            *truth.assessors,
            "Avg",
            "Std Dev",
            "Rank",
            "Awarded ($)",
        ]
        rows = [head]
        for k, thing in enumerate(things):
            given = [truth.scores[thing, one] for one in truth.assessors if (thing, one) in truth.scores]
            mean = sum(given) / len(given)
            spread = (sum((one - mean) ** 2 for one in given) / (len(given) - 1)) ** 0.5
            shown = ["COI" if cell is None and k % 7 == 0 else cell for cell in cells[thing]]
            tail = [round(mean, 2), round(spread, 2), 1 + k, 1000 * (k % 4)]
            rows.append([thing, f"Applicant {k}", 12000 + 731 * k, *shown, *tail])
        aliases = {f"Applicant {k}": thing for k, thing in enumerate(things)}
        return Export((save_xlsx(folder / "applications.xlsx", {"Scores": rows}),), (truth,), aliases)
    rows = [["Preliminary scores (1 = exceptional, 9 = poor)"], []]
    rows.append(["Application", "PI", *truth.assessors, "Impact Score", "Percentile"])
    for k, thing in enumerate(things):
        given = [truth.scores[thing, one] for one in truth.assessors if (thing, one) in truth.scores]
        rows.append([thing, people(1, k)[0], *cells[thing], round(10 * sum(given) / len(given)), 3 + k * 2])
    path = save_xlsx(folder / "section.xlsx", {"Roster": rows})
    return Export((path,), (truth,), {people(1, k)[0]: t for k, t in enumerate(things)}, lower_is_better=True)


def hiring(variant: int, folder: Path) -> Export:
    """Scorecards of interviews: words with numbers, numbers with words, and stages."""
    count, judges, per_object = ((12, 5, 3), (18, 6, 3), (24, 6, 4))[variant]
    things, called = people(count, 50), people(judges, 13 + variant)
    truth = simulate(940 + variant, things, called, per_object, scale=(1, 4 + variant // 2), spread=0.1)
    words = {1: "Definitely Not", 2: "No", 3: "Yes", 4: "Strong Yes"}
    rows: list[list]
    if variant == 0:
        rows = [["Candidate", "Job", "Stage", "Interviewer", "Overall Recommendation", "Submitted At"]]
        for k, ((thing, one), score) in enumerate(truth.scores.items()):
            rows.append([thing, "Engineer", "Onsite", one, words[int(score)], f"2026-03-{1 + k % 28:02} 09:00"])
        return Export((save_csv(folder / "scorecards.csv", rows),), (truth,), must_ask=True)
    if variant == 1:
        rows = [["Candidate", "Stage", *truth.assessors]]
        shown = {1: "1 - Strong No Hire", 2: "2 - No Hire", 3: "3 - Hire", 4: "4 - Strong Hire"}
        for thing, cells in grid(truth).items():
            rows.append([thing, "Onsite", *[None if cell is None else shown[cell] for cell in cells]])
        return Export((save_xlsx(folder / "feedback.xlsx", {"Feedback": rows}),), (truth,))
    rows = [["Role: Lecturer", None, "Closing date:", "12/04/2026"], ["Candidate", "Years of experience"]]
    rows[1] += [*truth.assessors, "Total", "Appointable?"]
    for k, (thing, cells) in enumerate(grid(truth).items()):
        total = sum(cell for cell in cells if cell is not None)
        rows.append([thing, k % 12, *cells, total, "Y" if total > 12 else "N"])
    return Export((save_xlsx(folder / "shortlist.xlsx", {"Shortlist": rows}),), (truth,))


def answered_forms(variant: int, folder: Path) -> Export:
    """Forms with one answer per row: other spellings of time, other languages, several marks or one."""
    count, judges, per_object = _SIZES[variant]
    things, called = [f"Poster {k}" for k in range(1, count + 1)], people(judges, 19 + variant)
    truth = simulate(950 + variant, things, called, per_object, scale=((0, 50), (1, 10), (1, 7))[variant])
    heads = (
        ["Timestamp", "Your name", "Which entry are you scoring?", "Total marks (out of 50)", "Any comments?"],
        ["Marca temporal", "Nombre del juez", "Póster", "Puntuación (1-10)", "Observaciones"],
        ["Horodateur", "Adresse e-mail", "Nom du jury", "Poster évalué", "Note globale", "Durée (min)"],
    )[variant]
    rows: list[list] = [heads]
    for k, ((thing, one), score) in enumerate(truth.scores.items()):
        given = number(score)
        rows.append(
            (
                [f"2026/03/02 {9 + k % 9}:{k % 60:02}:04 AM GMT+1", one, thing, given, "" if k % 3 else "Good, mostly"],
                [f"{1 + k % 28}/3/2026 {9 + k % 9}:{k % 60:02}:04", one, thing, given, ""],
                [f"{1 + k % 28}/03/2026 10:{k % 60:02}:04", email(one), one, thing, given, 3 + k % 12],
            )[variant]
        )
    path = folder / ("answers.xlsx" if variant == 2 else "answers.csv")
    path = save_xlsx(path, {"Réponses au formulaire 1": rows}) if variant == 2 else save_csv(path, rows)
    return Export((path,), (truth,), assessors={email(one): one for one in called})


def respondents(variant: int, folder: Path) -> Export:
    """Forms with one judge per row and a question for each entry, under one row of headings or two."""
    count, judges, _ = ((9, 7, 0), (12, 10, 0), (16, 12, 0))[variant]
    things, called = [f"Project {chr(65 + k)}" for k in range(count)], people(judges, 23)
    truth = simulate(960 + variant, things, called, 5 + variant, scale=(1, 10))
    held = {one: [number(truth.scores.get((thing, one))) for thing in things] for one in called}
    rows: list[list]
    if variant == 0:
        rows = [["Timestamp", "Email Address", *[f"Please rate [{thing}]" for thing in things], "Remarks"]]
        rows += [[f"3/{2 + k}/2026 10:00:01", email(one), *held[one], ""] for k, one in enumerate(called)]
    elif variant == 1:
        rows = [["Respondent ID", "Collector ID", "Start Date", "End Date", "IP Address", "What is your name?"]]
        rows[0] += ["Please rate each project from 1 to 10.", *[""] * (count - 1)]
        rows.append(["", "", "", "", "", "Open-Ended Response", *things])
        for k, one in enumerate(called):
            rows.append([118_000_100 + 73 * k, 430_011, "03/04/2026", "03/05/2026", "192.0.2.9", one, *held[one]])
    else:
        rows = [
            ["ID", "Start time", "Completion time", "Email", "Name", *[f"{t} (1 = weak, 10 = strong)" for t in things]]
        ]
        rows += [
            [k + 1, "3/4/26 9:00:00", "3/4/26 9:12:00", "anonymous", one, *held[one]] for k, one in enumerate(called)
        ]
    path = folder / ("form.xlsx" if variant == 2 else "form.csv")
    path = save_xlsx(path, {"Form1": rows}) if variant == 2 else save_csv(path, rows)
    spelt = {email(one): one for one in called} | {str(118_000_100 + 73 * k): one for k, one in enumerate(called)}
    spelt |= {str(k + 1): one for k, one in enumerate(called)}
    aliases = {f"Please rate [{thing}]": thing for thing in things}
    aliases |= {f"{thing} (1 = weak, 10 = strong)": thing for thing in things}
    aliases |= {f"Please rate each project from 1 to 10. - {thing}": thing for thing in things}
    return Export((path,), (truth,), aliases, spelt)
