"""What the first page of `Cal summary` says: the sentence to read aloud, four figures and six checks at most."""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Indices
from panelcal.reading.decisions import About
from panelcal.reading.nouns import opening, with_article
from panelcal.reporting.cautions import cautions, slips
from panelcal.reporting.cell_content import ranks, ranks_among
from panelcal.reporting.criteria_words import leaning_assessors, leaning_in_words
from panelcal.reporting.model import Check, Front, Tile
from panelcal.reporting.wording import compact, counted, mu2_in_words, number, percent, some_of
from panelcal.systems.calibration.classes import Classes
from panelcal.systems.calibration.context import Context
from panelcal.systems.calibration.last_run import last_run_in, rows_since
from panelcal.systems.calibration.outcome import set_aside_in_words
from panelcal.systems.calibration.policy import BROKEN, OPEN, policy_rows
from panelcal.systems.calibration.results import Results
from panelcal.systems.calibration.survival import survival_sentence, survivals
from panelcal.systems.calibration.true_values import selection_warning
from panelcal.systems.calibration.unexpected import count_unexpected, standardised_residuals, unexpected_scores

_WORTH = {
    "calibrate": "it is worth doing",
    "shrink": "it is worth doing, and a gentler method would do better still",
    "average": "plain averages would do as well",
    "no difference": "that makes no real difference",
    "cannot tell": "whether that is an improvement cannot be told",
}
_ONLY_GENTLY = "plain averages are expected to err less, and whoever calibrates should take a gentler method"
_FIRM = 0.1  # mu_2 from which no part of the panel hangs on few links
_NOTICED = 0.05  # half of the one decimal that is shown
_EVEN = 0.5


def front_of(context: Context) -> Front:
    """Say in short what came out, how sure it is and what is to be looked at."""
    results, classes = context.results, context.classes
    checks = _checks(context)
    return Front(
        sentence=_sentence(results, classes),
        tiles=(_changed(results), _crossed(results, classes), _sure(results), _first_look(results, classes, checks)),
        checks=checks,
        lines=tuple(
            f"{asked}: {answer}. {words}"
            for asked, answer, words in rows_since(results, classes, last_run_in(context.run.earlier))
        ),
    )


def points(results: Results) -> str:
    """Word for what values are measured in: marks, or points where the score has a longer name."""
    return results.scores_noun if results.score_noun in ("mark", "point", "grade") else "points"


def _sentence(results: Results, classes: Classes | None) -> str:
    cells = slips(results.reading.decisions)
    look = f"First look at {cells}, for a slip can turn every result. " if cells else ""
    how = "Calibrating" if results.method.name == "confidence" else f"Calibrating by {results.method.title}"
    middle = float(np.median(np.abs(results.change)))
    typical = f"{number(middle) if middle >= _NOTICED else 'less than 0.1'} {points(results)}"
    moves = f"{look}{how} moves a typical {results.object_noun} by {typical}"
    # The verdict is on calibration with confidence, and says nothing of a method without a calibration.
    worth = f"; {_worth(results)}" if results.is_calibration else ""
    if classes is None:
        if middle < _NOTICED and not _places_gained(results).any():
            return f"{moves}, {_leader(results)} and nobody changes rank."
        return f"{moves}, and {_leader(results)}{worth}."
    moved = classes.before != classes.after
    count, total = int(moved.sum()), counted(int(classes.counted.sum()), results.object_noun)
    near = sum(bool(phrase) and not crosses for phrase, crosses in zip(classes.borderline, moved, strict=True))
    crosses = f"changes the class of {count} of {total}" if count else f"changes the class of none of {total}"
    borderline = f" and leaves {near} {'more ' if count else ''}borderline" if near else ""
    return f"{moves}{', ' if near else ' and '}{crosses}{borderline}{worth}."


def _worth(results: Results) -> str:
    """Say whether it is worth doing, which it is not where plain averages are expected to err less."""
    expected = results.verdict.expected_error
    if results.verdict.advice == "shrink" and expected["calibrated"] > expected["raw"]:
        return _ONLY_GENTLY
    return _WORTH[results.verdict.advice]


def _places_gained(results: Results) -> Indices:
    """Return (n_ranked,) how many places each who takes part in the ranking goes up."""
    higher, ranked = results.reading.settings.higher_is_better, np.flatnonzero(results.ranked)
    return np.array(ranks(results.raw[ranked], higher)) - np.array(ranks(results.values[ranked], higher))


def _leader(results: Results) -> str:
    higher, ranked = results.reading.settings.higher_is_better, results.ranked
    before, after = ranks_among(results.raw, higher, ranked), ranks_among(results.values, higher, ranked)
    labels = results.panel.objects
    first, earlier = labels[after.index(1)], labels[before.index(1)]
    return f"{first} stays first" if first == earlier else f"{first} takes the first place from {earlier}"


def _changed(results: Results) -> Tile:
    change = results.change
    up, down = int((change > _NOTICED).sum()), int((change < -_NOTICED).sum())
    largest = int(np.argmax(np.abs(change)))
    if not up + down:
        return Tile(number(0.0), f"{points(results)}: the typical change. Nobody moves.")
    middle = float(np.median(np.abs(change)))
    return Tile(
        number(middle) if middle >= _NOTICED else "<0.1",
        f"{points(results)}: the typical change. {up} up, {down} down; most of all {results.panel.objects[largest]}, "
        f"{'up' if change[largest] > 0 else 'down'} {number(abs(float(change[largest])))}.",
    )


def _crossed(results: Results, classes: Classes | None) -> Tile:
    if classes is None:
        by = _places_gained(results)
        most = int(np.argmax(np.abs(by)))
        name = results.panel.objects[np.flatnonzero(results.ranked)[most]]
        words = f"change rank; most of all {name}, by {counted(abs(int(by[most])), 'place')}."
        return Tile(f"{np.count_nonzero(by)} of {len(by)}", words if by.any() else "change rank.")
    moved = classes.before != classes.after
    up = int((classes.after < classes.before).sum())
    count = int(moved.sum())
    words = f"change class: {up} to a better one, {count - up} to a worse one." if count else "change class."
    doubtful = int(classes.likelier_before.sum())
    if doubtful:
        words += f" For {doubtful} of them the class before is likelier."
    return Tile(f"{count} of {int(classes.counted.sum())}", words)


def _sure(results: Results) -> Tile:
    level = results.reading.settings.level
    half = np.diff(results.value_interval(level))[:, 0] / 2
    if results.chosen.uncertainty is None:
        return Tile("not said", f"is how sure a value is: {results.method.title} does not tell.")
    if not np.isfinite(half).any():
        return Tile(
            "not known", "is how sure a value is: there is too little to tell, or the method does not say.", True
        )
    return Tile(
        f"\N{PLUS-MINUS SIGN}{number(float(np.nanmedian(half)))}",
        f"{points(results)}: how far off a value may be, with {level:.0%}. Two that are closer can hardly be told "
        "apart.",
    )


def _first_look(results: Results, classes: Classes | None, checks: tuple[Check, ...]) -> Tile:
    """Name the one thing to look at before all others."""
    reading = results.reading
    cells = slips(reading.decisions)
    if cells:
        return Tile(
            cells.partition(",")[0].partition(" ")[0], f"to look at first: perhaps a slip. In all: {cells}.", True
        )
    if count_unexpected(results):
        return _most_unexpected(results)
    asking = next((check for check in checks if not check.fine and check.name.startswith(("Policy", "Links"))), None)
    if asking is not None:
        return Tile(asking.name, f"to look at first. {asking.words}", True)
    leaning = _leaning(results)
    if leaning is not None:
        return leaning
    if classes is not None and (classes.before != classes.after).any():
        distance = np.abs(classes.reaches_crossed - _EVEN)
        if np.isfinite(distance).any():
            at = int(np.nanargmin(distance))
            reached = percent(float(classes.reaches_crossed[at]))
            side = "above" if reading.settings.higher_is_better else "below"
            boundary = compact(float(classes.crossed[at]))
            said = f"to look at first: the most open case, {reached} likely to be at or {side} {boundary}."
            return Tile(results.panel.objects[at], said)
    return Tile("Nothing", f"stands out: no slip and no unexpected {results.score_noun}.")


def _leaning(results: Results) -> Tile | None:
    """Name who clearly leans on one criterion, where criteria are calibrated together: the total may hide it."""
    if results.facets is None:
        return None
    from panelcal.systems.calibration.criteria import criteria_figures

    figures = criteria_figures(results, results.facets)
    found = leaning_assessors(figures)
    if not found:
        return None
    more = f" {counted(len(found) - 1, 'other')} on Cal criteria." if len(found) > 1 else ""
    said = f"to look at first. {leaning_in_words(results, figures, found[0])}{more}"
    return Tile(figures.assessors[found[0]], said, True)


def _most_unexpected(results: Results) -> Tile:
    panel, count = results.panel, count_unexpected(results)
    size = np.where(unexpected_scores(results), np.nan_to_num(np.abs(standardised_residuals(results))), -1.0)
    k = int(np.argmax(size))
    others = f" {counted(count - 1, 'other')} on Cal residuals." if count > 1 else ""
    return Tile(
        results.reading.score_cells[k],
        f"to look at first: {compact(float(panel.scores[k]))} for {panel.objects[panel.object_index[k]]} by "
        f"{panel.assessors[panel.assessor_index[k]]}, where {number(float(results.calibration.fitted[k]))} would "
        f"fit.{others}",
        True,
    )


def _checks(context: Context) -> tuple[Check, ...]:
    results, classes = context.results, context.classes
    found = (
        _reading(results),
        _links(results),
        _unexpected(results),
        _rules(results, classes),
        None if classes is None else _open_changes(context, classes),
        _counting(results),
    )
    return tuple(check for check in found if check is not None)


def _reading(results: Results) -> Check:
    decisions = results.reading.decisions
    found = cautions(decision for decision in decisions if decision.kind != About.CALCULATION)
    live = [decision.sentence for decision in decisions if decision.kind == About.CALCULATION]
    if not found:
        return Check("Reading", not live, " ".join(["Nothing odd was found in the sheet.", *live]))
    first = f"{'First: ' * (len(found) > 1)}{found[0]}"
    others = " See Cal audit." if len(found) == 1 else f" {counted(len(found) - 1, 'other')} on Cal audit."
    return Check("Reading", False, " ".join([f"{first}{others}", *live]))


def _links(results: Results) -> Check:
    firm = results.robustness.mu2 >= _FIRM
    words = mu2_in_words(results.robustness.mu2, links_listed=not firm, where="on Cal links")
    return Check("Links", firm, words)


def _unexpected(results: Results) -> Check:
    count, scores = count_unexpected(results), results.scores_noun
    aside = set_aside_in_words(results)
    if not count:
        tested = int((results.unexpected.alike >= 0).sum())
        words = f"None among the {tested:,} that can be tested." if tested else f"Too few {scores} to test any."
        return Check(f"Unexpected {scores}", not aside, f"{words} {aside}".strip())
    size = np.nan_to_num(np.abs(standardised_residuals(results)))
    found = np.flatnonzero(unexpected_scores(results))
    order = found[np.argsort(-size[found], kind="stable")].tolist()
    cells = some_of([results.reading.score_cells[k] for k in order], 3)
    words = f"{counted(count, results.score_noun)} to look at before deciding: {cells}; see Cal residuals. {aside}"
    return Check(f"Unexpected {scores}", False, words.strip())


def _rules(results: Results, classes: Classes | None) -> Check | None:
    """Hold the result against the policy, by name where a rule is broken; without one, against the order kept."""
    rows = list(policy_rows(results, classes))
    if not rows:
        if not results.is_calibration:
            return None
        words = f"Every {results.score_noun} of {with_article(results.assessor_noun)} moves by the same amount."
        return Check(f"Order within {results.assessors_noun}", True, words)
    broken = [(rule, words) for rule, answer, words in rows if answer == BROKEN]
    open_rules = [rule for rule, answer, _ in rows if answer == OPEN]
    said = [f"{opening(rule.removeprefix('Policy: '))}: {words}" for rule, words in broken]
    if open_rules:
        said.append(f"Cannot tell: {some_of([rule.removeprefix('Policy: ') for rule in open_rules])}.")
    if said:
        return Check("Policy not kept" if broken else "Policy", False, " ".join(said))
    names = "; ".join(rule.removeprefix("Policy: ") for rule, _, _ in rows)
    return Check("Policy kept", True, f"{opening(names)}.")


def _open_changes(context: Context, classes: Classes) -> Check | None:
    """Say whether other methods agree on who changes class, and whether chances are to be taken with care."""
    results = context.results
    warned = selection_warning(results) if results.is_calibration else ""
    name = "Changes of class"
    if not (classes.before != classes.after).any():
        return Check(name, not warned, f"There are none. {warned}".strip())
    survives = survivals(context)
    if survives is None:
        return Check(name, False, warned) if warned else None
    words = survival_sentence(context).strip()
    return Check(name, all(survives) and not warned, f"{words} {warned}".strip())


def _counting(results: Results) -> Check:
    """Say which scores move nothing and how many cells were left out."""
    lone = len(results.network.single_object_assessors) if results.is_calibration else 0
    excluded = sum(decision.excluded_scores for decision in results.reading.decisions)
    left = f" {counted(excluded, 'cell')} left out: see Cal audit." if excluded else ""
    name = f"{opening(results.scores_noun)} that count"
    total = results.panel.n_assessments
    if not lone:
        return Check(name, True, f"All {total:,}.{left}")
    alone = f"{results.assessors_noun} with one {results.object_noun} only"
    words = f"{total - lone:,} of {total:,}. {lone:,} stand alone ({alone}): look at these by hand, see Cal links."
    return Check(name, False, f"{words}{left}")
