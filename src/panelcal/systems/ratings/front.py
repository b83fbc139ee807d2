"""What the first page of `Cal summary` says of ratings: who leads and how surely, four figures, the checks."""

from __future__ import annotations

import numpy as np

from panelcal.reporting.cautions import cautions
from panelcal.reporting.model import Check, Front, Tile
from panelcal.reporting.wording import counted, number, some_of
from panelcal.systems.ratings.criteria import criteria_sentences
from panelcal.systems.ratings.results import OrdinalResults
from panelcal.systems.ratings.words import category_sentence, percent, settled_sentence, warning_sentences

_NAMED = 6


def front_of(results: OrdinalResults) -> Front:
    """Say in short who leads, who else could be the best, and how far that can be trusted."""
    return Front(
        sentence=_sentence(results),
        tiles=(_leader(results), _winners(results), _ranks(results), _undecided(results)),
        checks=_checks(results),
        lines=(
            *(f"Best of {category}: {category_sentence(results, category)}" for category in results.categories),
            *criteria_sentences(results),
        ),
        warnings=warning_sentences(results),
    )


def _near(results: OrdinalResults) -> list[str]:
    leader = results.posterior.objects[int(results.order[0])]
    return [label for label in results.posterior.not_reliably_below_leader if label != leader]


def _sentence(results: OrdinalResults) -> str:
    posterior = results.posterior
    at = int(results.order[0])
    chance = percent(posterior.best_probability[at])
    near = len(_near(results))
    told = (
        f"{counted(near, results.object_noun)} cannot be told from it reliably"
        if near
        else "all others are reliably below it"
    )
    return f"{posterior.objects[at]} leads and is truly the best with a chance of {chance}; {told}."


def _leader(results: OrdinalResults) -> Tile:
    posterior = results.posterior
    at = int(results.order[0])
    naive = results.naive_rank
    first = posterior.objects[int(np.nanargmin(naive))] if np.isfinite(naive).any() else posterior.objects[at]
    by_averages = (
        "It leads by plain averages, too." if first == posterior.objects[at] else f"By plain averages {first} would."
    )
    return Tile(
        posterior.objects[at], f"leads; truly the best with {percent(posterior.best_probability[at])}. {by_averages}"
    )


def _winners(results: OrdinalResults) -> Tile:
    winners = results.posterior.winner_set
    count = len(results.posterior.objects)
    if len(winners) == 1:
        return Tile(f"1 of {count}", f"can be the best, with {results.posterior.level:.0%}: {winners[0]}.")
    named = some_of(list(winners), _NAMED)
    return Tile(f"{len(winners)} of {count}", f"could be the best, with {results.posterior.level:.0%}: {named}.")


def _ranks(results: OrdinalResults) -> Tile:
    low, high = results.posterior.rank_interval[int(results.order[0])]
    wide = results.posterior.rank_interval[:, 1] - results.posterior.rank_interval[:, 0] + 1
    typical = int(np.median(wide))
    return Tile(
        f"{low} to {high}",
        f"is the true rank of the leader, with {results.posterior.level:.0%}. A typical {results.object_noun} could "
        f"have one of {typical} ranks.",
    )


def _undecided(results: OrdinalResults) -> Tile:
    near = _near(results)
    if not near:
        return Tile("Nothing", "is open at the top: all others are reliably below the leader.")
    named = some_of([results.posterior.objects[int(results.order[0])], *near], _NAMED)
    return Tile(
        str(len(near) + 1),
        f"to look at first: the {results.scores_noun} do not settle the order of {named}.",
        asks=True,
    )


def _checks(results: OrdinalResults) -> tuple[Check, ...]:
    posterior, reading = results.posterior, results.reading
    found = cautions(reading.decisions)
    excluded = sum(decision.excluded_scores for decision in reading.decisions)
    left = f" {counted(excluded, 'cell')} left out: see Cal audit." if excluded else ""
    more = f" {counted(len(found) - 1, 'other')} on Cal audit." if len(found) > 1 else ""
    read = f"{found[0]}{more}" if found else "Nothing odd was found in the sheet."
    groups = len(posterior.components)
    every = f"Every {results.object_noun} can be compared with every other."
    return (
        Check("Reading", not found, f"{read}{left}"),
        Check("Linked", groups == 1, every if groups == 1 else f"{groups} groups share nobody; see Cal links."),
        _settled(results),
        _cut(results),
        _judges(results),
    )


def _settled(results: OrdinalResults) -> Check:
    """Say whether other draws would tell the same; the figures of it are for Cal audit."""
    if not results.posterior.converged or not np.isfinite(results.posterior.rhat):
        return Check("Settled", bool(results.posterior.converged), settled_sentence(results))
    return Check("Settled", True, "More draws would hardly change a figure; see Cal audit.")


def _cut(results: OrdinalResults) -> Check:
    """Say whether a line below the places to award would be a finding or a decision."""
    places = results.places
    if places in results.posterior.clean_cuts:
        words = f"Every {results.object_noun} above a line after place {places} reliably beats every one below."
        return Check("Where to cut", True, words)
    clean = some_of([str(cut) for cut in results.posterior.clean_cuts])
    drawn = f"only after place {clean}" if clean else "nowhere"
    words = (
        f"A line after place {places} is your decision: by the {results.scores_noun}, some below it may be better than "
        f"some above. They themselves draw a line {drawn}."
    )
    return Check("Where to cut", False, words)


def _judges(results: OrdinalResults) -> Check:
    severity, names = results.posterior.severity, results.posterior.assessors
    low, high = int(np.argmin(severity)), int(np.argmax(severity))
    words = (
        f"{names[low]} is the most generous and {names[high]} the most severe, "
        f"{number(float(severity[high] - severity[low]))} levels apart; that is taken out."
    )
    return Check(f"{results.assessors_noun.capitalize()} differ", True, words)
