"""Every question about a bank of agents with its answer and words, as rows of `Cal audit`."""

from __future__ import annotations

import numpy as np

from panelcal.anchors.agent_curves import AgentCurve
from panelcal.anchors.ways import ComparedWay
from panelcal.reading.nouns import with_article
from panelcal.reporting.audit_rows import Row as AuditRow
from panelcal.reporting.model import CellValue
from panelcal.reporting.wording import counted, number, signed, some_of
from panelcal.systems.anchors.agents import alarming_change
from panelcal.systems.anchors.results import AnchorResults

_BETTER = {"highest": "higher", "lowest": "lower"}

Row = tuple[str, CellValue, str]


def question_rows(results: AnchorResults) -> list[AuditRow]:
    """Return the questions: how far agents agree, what changed, who drifted, and what to do about the anchors."""
    rows = _agreement_rows(results) + _change_rows(results) + _agent_rows(results) + _anchor_rows(results)
    return [("Question", question, answer, words, None) for question, answer, words in rows]


def _agreement_rows(results: AnchorResults) -> list[Row]:
    found, ways = results.agreement, results.ways
    rows: list[Row] = []
    if found is None:
        rows.append(
            (
                "Disagreement",
                "not known",
                f"No two {results.assessors_noun} that count scored the same {results.object_noun}; the anchors alone "
                "put them on one scale.",
            )
        )
    else:
        before, after = found.before.disagreement, found.after.disagreement
        rows.append(
            (
                "Disagreement D",
                f"{number(before.value)} to {number(after.value)}",
                f"{results.assessors_noun.capitalize()} that were {number(before.value)} points apart on average are "
                f"{number(after.value)} apart once calibrated ({number(after.low)} to {number(after.high)}): "
                f"{found.reduction.value:.0%} less. Their scores' standard deviation went from "
                f"{number(found.before.spread.value)} to {number(found.after.spread.value)}; in proportion to it they "
                f"are {found.relative_reduction.value:.0%} less apart.",
            )
        )
    raw, best = ways.way("raw"), _best_way(results)
    if raw.error is not None and best.error is not None:
        where = "known values" if ways.on_items else "anchors, each predicted without it"
        rows.append(
            (
                "Error to the consensus",
                f"{number(raw.error.value)} to {number(best.error.value)}",
                f"Root mean square distance of one {results.assessor_noun} from the consensus, on the {ways.n_known} "
                f"{where}.",
            )
        )
    if raw.with_consensus is not None and best.with_consensus is not None:
        one, mean = raw.with_consensus.best_correlation, best.with_consensus.mean_correlation
        if one is not None and mean is not None:
            rows.append(
                (
                    "Correlation with it",
                    f"{one.value:.2f} to {mean.value:.2f}",
                    f"From the best single {results.assessor_noun} to the mean of all, calibrated ({mean.low:.2f} to "
                    f"{mean.high:.2f}). Calibrating mends scales; it cannot show {results.assessors_noun} what they "
                    "miss.",
                )
            )
    return rows


def _best_way(results: AnchorResults) -> ComparedWay:
    """Return the way that most agents are calibrated in."""
    return max(results.ways.ways, key=lambda way: way.used_by)


def _change_rows(results: AnchorResults) -> list[Row]:
    change = results.change
    known = np.isfinite(change)
    up, down = int((change[known] > 0.05).sum()), int((change[known] < -0.05).sum())
    rows: list[Row] = []
    if known.any():
        largest = int(np.nanargmax(np.abs(change)))
        rows.append(
            (
                "What changed",
                f"{up} up, {down} down",
                f"Largest change {signed(float(change[largest]))}, for {results.reading.items[largest]}; typical "
                f"change {number(float(np.median(np.abs(change[known]))))}.",
            )
        )
        error, alike = float(np.nanmedian(results.calibrated.errors)), results.calibrated.shared_sd
        rows.append(
            (
                "How sure is a value?",
                f"+/- {number(error)}",
                f"Usual standard error as a statement about the consensus. About {number(alike)} points "
                f"of it are what {results.assessors_noun} get wrong alike: more of them would not average it out.",
            )
        )
    better = "highest" if results.reading.settings.higher_is_better else "lowest"
    rows.append(
        ("Rank 1 is", f"the {better} value", f"Better scores are {_BETTER[better]}, as the sheet Settings says.")
    )
    missing = int((~known).sum())
    if missing:
        rows.append(
            ("Without a value", missing, f"{results.objects_noun.capitalize()} that no calibrated agent scored.")
        )
    return rows


def _agent_rows(results: AnchorResults) -> list[Row]:
    agents = results.agents
    checked = [agent for agent in agents if agent.checked]
    red = [agent.name for agent in checked if agent.alarm == "red"]
    amber = [agent.name for agent in checked if agent.alarm == "amber"]
    past = [
        agent.name
        for agent in checked
        if agent.alarm == "none" and agent.history is not None and agent.history.first_alarm is not None
    ]
    rows: list[Row] = []
    if not checked:
        rows.append(("Drift", "not checked", "The anchors were scored once; score them again, weekly at best."))
    else:
        answer = "red" if red else "amber" if amber else "no alarm"
        parts = [changed_in_words(results, agent) for agent in checked if agent.alarm == "red"]
        parts += [f"Amber: {some_of(amber)}." if amber else ""]
        parts.append(f"Earlier alarms, since refitted: {some_of(past)}." if past else "")
        said = " ".join(part for part in parts if part)
        dates = results.reading.bank.dates
        rows.append(("Drift", answer, f"{said or 'Nobody has moved.'} Last check: {dates[-1]}; see Cal drift."))
    failing = [agent.name for agent in agents if agent.monotonicity is not None and agent.monotonicity.failed]
    rows.append(
        (
            "Contradicts the consensus?",
            some_of(failing, 3) if failing else "nobody",
            "Scores fall where the consensus rises, at least on some anchors; no curve mends that. See Cal assessors."
            if failing
            else f"Every {results.assessor_noun}'s scores rise with the consensus, in each part looked at.",
        )
    )
    out = [agent.name for agent in agents if not agent.usable]
    if out:
        rows.append((f"{results.assessors_noun.capitalize()} left out", some_of(out, 3), "See Cal assessors for why."))
    outside = int(results.calibrated.outside.sum())
    if outside:
        rows.append(
            (
                "Outside the anchors",
                outside,
                f"Scores beyond those {with_article(results.assessor_noun)} gave to any anchor: the curve is only "
                "carried on there.",
            )
        )
    return rows


def changed_in_words(results: AnchorResults, agent: AgentCurve) -> str:
    """Say since when an agent with a red alarm has been another, and what is to be done."""
    history, dates = agent.history, results.reading.bank.dates
    assert history is not None
    before, after = (dates[date] for date in history.dates[-2:])
    check = history.checks[-1]
    points = f"({signed(alarming_change(check))} points)"
    if check.shift_alarm == check.tilt_alarm == "none":
        text = f"Red: {agent.name} has drifted slowly until {after} {points}."
    else:
        text = f"Red: {agent.name} changed between {before} and {after} {points}."
    if history.checks[-1].refitted is None or agent.in_use[history.dates[-1]] is None:
        return f"{text} Its curve could not be refitted: do not use its later scores."
    return (
        f"{text} Its scores from {after} on are already mapped by its new curve; nothing to do here. Ask the vendor "
        "what changed."
    )


def _anchor_rows(results: AnchorResults) -> list[Row]:
    review = results.review
    doubtful, leaked = int(review.unlike.sum()), int(review.leaked.any(axis=0).sum())
    decisions = results.reading.decisions
    excluded = sum(decision.excluded_scores for decision in decisions)
    warnings = sum(decision.weight == "warning" for decision in decisions)
    return [
        (
            "Anchors to look at",
            doubtful + leaked,
            f"{doubtful} with a doubtful consensus, {leaked} perhaps leaked; {len(results.rotation.retire)} are "
            "proposed for replacement this quarter, see Cal anchors.",
        ),
        (
            "Cost of the anchors",
            f"{results.cost.share:.1%}" if results.cost.share < 1 else f"{results.cost.share:.1f} for each review",
            f"{results.cost.sentence} Less where this sheet holds only a part of what they review.",
        ),
        (
            "Cells left out",
            excluded,
            f"Codes and the like, each with its cell below, beside {counted(warnings, 'warning')}.",
        ),
    ]
