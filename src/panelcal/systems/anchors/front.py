"""What the first page of `Cal summary` says of a bank of agents: how far they agree now, who changed, the checks."""

from __future__ import annotations

import numpy as np

from panelcal.reporting.cautions import cautions
from panelcal.reporting.model import Check, Front, Tile
from panelcal.reporting.wording import counted, number, percent, some_of
from panelcal.systems.anchors.agents import alarming_change
from panelcal.systems.anchors.question_rows import changed_in_words
from panelcal.systems.anchors.results import AnchorResults

_NOTICED = 0.05


def front_of(results: AnchorResults) -> Front:
    """Say in short what the anchors have done, who changed, and what is to be looked at."""
    return Front(
        sentence=_sentence(results),
        tiles=(_agreement(results), _changed(results), _sure(results), _first_look(results)),
        checks=_checks(results),
    )


def _sentence(results: AnchorResults) -> str:
    found, red = results.agreement, _alarmed(results, "red")
    drift = f"{some_of(red, 3)} changed and {'needs' if len(red) == 1 else 'need'} a look" if red else _steady(results)
    if found is None:
        return f"By {results.reading.bank.n_anchors} anchors the {results.assessors_noun} are on one scale; {drift}."
    before, after = found.before.disagreement.value, found.after.disagreement.value
    return (
        f"Two {results.assessors_noun} that scored the same {results.object_noun} {number(before)} points apart are "
        f"{number(after)} apart once calibrated; {drift}."
    )


def _steady(results: AnchorResults) -> str:
    checked = any(agent.checked for agent in results.agents)
    return "none of them has drifted" if checked else "whether any has drifted is not known yet"


def _alarmed(results: AnchorResults, alarm: str) -> list[str]:
    return [agent.name for agent in results.agents if agent.checked and agent.alarm == alarm]


def _agreement(results: AnchorResults) -> Tile:
    found = results.agreement
    if found is None:
        words = f"how far the {results.assessors_noun} are apart: no two scored the same {results.object_noun}."
        return Tile("not known", words)
    before, after = found.before.disagreement.value, found.after.disagreement.value
    return Tile(
        percent(found.reduction.value), f"less apart: {number(after)} points on average, where it was {number(before)}."
    )


def _changed(results: AnchorResults) -> Tile:
    change = results.change[np.isfinite(results.change)]
    if not len(change):
        return Tile("nothing", f"changed: no {results.object_noun} has a value.")
    up, down = int((change > _NOTICED).sum()), int((change < -_NOTICED).sum())
    largest = int(np.nanargmax(np.abs(results.change)))
    size = float(results.change[largest])
    return Tile(
        number(float(np.median(np.abs(change)))),
        f"points: the typical change. {up} up, {down} down; most of all {results.reading.items[largest]}, "
        f"{'up' if size > 0 else 'down'} {number(abs(size))}.",
    )


def _sure(results: AnchorResults) -> Tile:
    half = np.diff(results.calibrated.intervals)[:, 0] / 2
    if not np.isfinite(half).any():
        return Tile("not known", "is how sure a value is.")
    return Tile(
        f"\N{PLUS-MINUS SIGN}{number(float(np.nanmedian(half)))}",
        f"points: how far off a value may be, with {results.reading.settings.level:.0%}. Most of it is what "
        f"{results.assessors_noun} get wrong alike.",
    )


def _first_look(results: AnchorResults) -> Tile:
    for agent in results.agents:
        if agent.checked and agent.alarm == "red" and agent.history is not None:
            since = results.reading.bank.dates[agent.history.dates[-1]]
            moved = alarming_change(agent.history.checks[-1])
            way = "up" if moved > 0 else "down"
            words = f"to look at first: {way} {number(abs(moved))} points on the anchors by {since}."
            return Tile(agent.name, words, asks=True)
    doubtful = int(results.review.unlike.sum())
    if doubtful:
        return Tile(str(doubtful), "to look at first: anchors with a doubtful consensus, named on Cal anchors.", True)
    return Tile("Nothing", f"stands out: no {results.assessor_noun} has drifted and no anchor looks wrong.")


def _checks(results: AnchorResults) -> tuple[Check, ...]:
    failing = [a.name for a in results.agents if a.monotonicity is not None and a.monotonicity.failed]
    outside = int(results.calibrated.outside.sum())
    rises = f"Every {results.assessor_noun}'s scores rise with the consensus, in each part looked at."
    falls = f"Scores of {some_of(failing)} fall where the consensus rises; no curve mends that. See Cal assessors."
    far = f"{counted(outside, 'score')} beyond any that was given to an anchor: the curve is only carried on there."
    return (
        _reading(results),
        _drift(results),
        Check("Order", not failing, falls if failing else rises),
        _anchors(results),
        Check("Within the anchors", not outside, far if outside else "Every score lies where anchors were scored."),
        Check("Cost", True, results.cost.sentence),
    )


def _reading(results: AnchorResults) -> Check:
    decisions = results.reading.decisions
    found = cautions(decisions)
    excluded = sum(decision.excluded_scores for decision in decisions)
    left = f" {counted(excluded, 'cell')} left out: see Cal audit." if excluded else ""
    more = f" {counted(len(found) - 1, 'other')} on Cal audit." if len(found) > 1 else ""
    return Check("Reading", not found, f"{found[0] if found else 'Nothing odd was found in the sheet.'}{more}{left}")


def _drift(results: AnchorResults) -> Check:
    checked = [agent for agent in results.agents if agent.checked]
    if not checked:
        return Check("Drift", False, "Not checked: the anchors were scored once; score them again, weekly at best.")
    red = [changed_in_words(results, agent) for agent in checked if agent.alarm == "red"]
    amber = _alarmed(results, "amber")
    words = " ".join([*red, *([f"Amber: {some_of(amber)}."] if amber else [])])
    return Check("Drift", not words, words or "Nobody has moved.")


def _anchors(results: AnchorResults) -> Check:
    doubtful, leaked = int(results.review.unlike.sum()), int(results.review.leaked.any(axis=0).sum())
    replaced = f"{counted(len(results.rotation.retire), 'anchor')} to replace this quarter: see Cal anchors."
    if not doubtful + leaked:
        return Check("Anchors", True, f"None looks wrong. {replaced}")
    return Check("Anchors", False, f"{doubtful} with a doubtful consensus, {leaked} perhaps leaked. {replaced}")
