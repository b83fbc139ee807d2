"""Results of the method ordinal in sentences: for the summary, for each object, and for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from panelcal.reading.answers import how_to_set
from panelcal.reporting.wording import counted, number, some_of
from panelcal.systems.ratings.criteria import criteria_sentences
from panelcal.systems.ratings.results import OrdinalResults

_NOTICED = 0.1  # levels: less is not worth a word
_NAMED = 8
_MOST_DRAWS = 10_000_000.0
_LIKELY = 0.5
_FEW_PLACES, _MUCH = 3, 0.1  # places, and share of all places, that a rank may differ without a word


def percent(share: float) -> str:
    """Spell a probability so that neither certainty nor impossibility is claimed: "under 1%", "31%", "over 99%"."""
    if share < 0.01:
        return "under 1%"
    return "over 99%" if share > 0.99 else f"{share:.0%}"


def ordinal_sentences(results: OrdinalResults) -> tuple[str, ...]:
    """Say what came out in the few lines that a terminal or a message box has room for, warnings first."""
    return (
        *warning_sentences(results),
        winners_sentence(results),
        leader_sentence(results),
        against_averages_sentence(results),
        *criteria_sentences(results),
        f"{settled_sentence(results)} It took {results.posterior.seconds:.1f} seconds.",
    )


def warning_sentences(results: OrdinalResults) -> tuple[str, ...]:
    """What must be read before anything else: not converged, not linked, features that say nothing."""
    posterior = results.posterior
    if posterior.converged:
        return posterior.warnings
    draws = results.reading.settings.draws
    remedy = (
        f"To be sure, allow more than {draws:,.0f} draws and calibrate again: "
        f"{how_to_set({'draws': min(4 * draws, _MOST_DRAWS)}, results.reading.kind)}."
    )
    return (*posterior.warnings, remedy)


def winners_sentence(results: OrdinalResults) -> str:
    """Say who could be the best."""
    posterior = results.posterior
    place = {label: k for k, label in enumerate(posterior.objects)}
    named = [f"{label} ({percent(posterior.best_probability[place[label]])})" for label in posterior.winner_set]
    count = len(named)
    if count == 1:
        who = f"The best {results.object_noun} is {named[0]}, by these ratings."
    else:
        who = (
            f"With {posterior.level:.0%} probability ({_in_so_many(posterior.level)}) the best {results.object_noun} "
            f"is one of these {count}: {some_of(named, _NAMED)}."
        )
    return who + _edge_words(posterior.winner_set, posterior.winner_set_edge)


def _edge_words(inside: Sequence[str], edge: Sequence[str]) -> str:
    """Say who is at the edge of a set of possible winners; nothing where nobody is."""
    leaving = [label for label in edge if label in inside]
    joining = [label for label in edge if label not in inside]
    could = [
        *([f"leave out {some_of(leaving, _NAMED)}"] if leaving else []),
        *([f"take in {some_of(joining, _NAMED)}"] if joining else []),
    ]
    return f" At its edge: other draws could {' or '.join(could)}." if could else ""


def _in_so_many(probability: float) -> str:
    """Spell a probability above one half as a count: "about 8 times in 9"."""
    times = max(1, round(probability / (1 - probability)))
    return f"about {counted(times, 'time')} in {times + 1}"


def category_sentence(results: OrdinalResults, category: str) -> str:
    """Say who could be the best of a category."""
    winners, objects = results.winners_of(category), results.posterior.objects
    named = [f"{objects[k]} ({percent(results.best_in_category[k])})" for k in winners.members]
    if len(named) == 1:
        who = f"{named[0]}, by these ratings."
    else:
        who = f"With {results.posterior.level:.0%} probability one of these {len(named)}: {some_of(named, _NAMED)}."
    return who + _edge_words([objects[k] for k in winners.members], [objects[k] for k in winners.edge])


def leader_sentence(results: OrdinalResults) -> str:
    """Say who leads, and from how many the leader cannot be told."""
    posterior = results.posterior
    leader = int(results.order[0])
    low, high = posterior.rank_interval[leader]
    near = [label for label in posterior.not_reliably_below_leader if label != posterior.objects[leader]]
    told = (
        f"{counted(len(near), results.object_noun)} {'is' if len(near) == 1 else 'are'} not reliably below it: "
        f"{some_of(near, _NAMED)}."
        if near
        else "All others are reliably below it."
    )
    return (
        f"{posterior.objects[leader]} leads: expected rank {number(posterior.rank_mean[leader])}, "
        f"{posterior.level:.0%} interval {low} to {high}. {told}"
    )


def near_leader(results: OrdinalResults) -> str:
    """Name the leader and say how many are not reliably below it."""
    posterior = results.posterior
    leader, near = posterior.objects[int(results.order[0])], len(posterior.not_reliably_below_leader) - 1
    return f"{leader} and {near} more" if near else leader


def likely_placed(results: OrdinalResults) -> tuple[str, str]:
    """Name those that are more likely than not among the places to award; and give the chances of the likeliest."""
    objects = results.posterior.objects
    order = np.argsort(-results.top, kind="stable")
    likely = [objects[k] for k in order if results.top[k] > _LIKELY]
    named = [f"{objects[k]} ({percent(results.top[k])})" for k in order[: max(results.places, len(likely))]]
    return (
        some_of(likely, results.places) if likely else "nobody for sure",
        f"Likely = with a chance above {_LIKELY:.0%}. The chances to be truly among them: {some_of(named)}. Places to "
        "award is a setting.",
    )


def cuts_answer(results: OrdinalResults) -> str:
    """Name the places after which the list can be cut."""
    cuts = results.posterior.clean_cuts
    if not cuts:
        return "nowhere"
    return f"only after {' and '.join(str(cut) for cut in cuts)}" if len(cuts) < 3 else f"in {len(cuts)} places"


def cuts_sentence(results: OrdinalResults) -> str:
    """Say whether the list can be cut anywhere."""
    cuts = results.posterior.clean_cuts
    if not cuts:
        return (
            f"Nowhere in the list does every {results.object_noun} above reliably beat every one below. That is usual: "
            "a line drawn between two neighbours is a decision of yours, not a finding."
        )
    return (
        f"After place {' and after place '.join(str(cut) for cut in cuts)} every {results.object_noun} above reliably "
        "beats every one below; nowhere else."
    )


def against_averages_sentence(results: OrdinalResults) -> str:
    """Say how the ranking differs from that of plain averages, and for whom most."""
    ranks, naive = results.posterior.rank_mean, results.naive_rank
    known = np.isfinite(naive)
    if known.sum() < 3 or np.ptp(naive[known]) == 0:
        return "Plain averages do not tell them apart."
    places = np.argsort(np.argsort(ranks)) + 1
    correlation = float(np.corrcoef(places[known], naive[known])[0, 1])
    moved = np.where(known, np.abs(places - naive), -1)
    most = int(np.argmax(moved))
    return (
        f"Against plain averages the ranks correlate {number(correlation, 2)}; {results.posterior.objects[most]} moves "
        f"most, from rank {naive[most]:.0f} to {places[most]}."
    )


def settled_sentence(results: OrdinalResults) -> str:
    """Say how sure the sampling itself is; without the time it took, which would differ in each filed workbook."""
    posterior = results.posterior
    if not np.isfinite(posterior.rhat):
        return "A quick approximation, too short to check whether it is settled."
    return (
        f"Sampled: R-hat {number(posterior.rhat, 3)} for totals and "
        f"{number(posterior.scale_rhat, 3)} for spreads, {posterior.effective_sample_size:,.0f} effective draws."
    )


def explain_objects(results: OrdinalResults) -> list[str]:
    """Say for each object why it stands where it does, and from whom it cannot be told."""
    posterior = results.posterior
    ratings = posterior.ratings
    counts = np.bincount(ratings.object_index, minlength=ratings.n_objects)
    lean = (
        np.bincount(ratings.object_index, results.posterior.severity[ratings.assessor_index], ratings.n_objects)
        / counts
    )
    place = np.empty(ratings.n_objects, dtype=int)
    place[results.order] = np.arange(1, ratings.n_objects + 1)
    return [_explain(results, k, int(counts[k]), float(lean[k]), int(place[k])) for k in range(ratings.n_objects)]


def explain_cases(results: OrdinalResults) -> list[str]:
    """Say in a few words where a rank differs much from that by plain averages, or one assessor decides; else ""."""
    ratings = results.posterior.ratings
    counts = np.bincount(ratings.object_index, minlength=ratings.n_objects)
    lean = np.bincount(ratings.object_index, results.posterior.severity[ratings.assessor_index], ratings.n_objects)
    place = np.empty(ratings.n_objects, dtype=int)
    place[results.order] = np.arange(1, ratings.n_objects + 1)
    much = max(_FEW_PLACES, ratings.n_objects * _MUCH)
    return [_case(results, k, int(counts[k]), float(lean[k]), int(place[k]), much) for k in range(ratings.n_objects)]


def _case(results: OrdinalResults, k: int, count: int, lean: float, place: int, much: float) -> str:
    parts = []
    gained = results.naive_rank[k] - place
    if np.isfinite(gained) and abs(gained) >= much:
        severe = lean / count
        who = results.assessor_noun if count == 1 else results.assessors_noun
        kind = "severe" if severe > 0 else "generous"
        why = f": {kind} {who}" if abs(severe) >= _NOTICED else ""
        parts.append(f"{'Up' if gained > 0 else 'Down'} from {results.naive_rank[k]:.0f}{why}")
    if count == 1:
        parts.append(f"One {results.assessor_noun} only: nothing checks it")
    return "; ".join(parts)


def _explain(results: OrdinalResults, k: int, count: int, lean: float, place: int) -> str:
    posterior = results.posterior
    judged = counted(count, results.assessor_noun, results.assessors_noun)
    parts = []
    if np.isfinite(results.naive[k]):
        parts.append(
            f"Average {number(results.naive[k], 2)} from {judged}, rank {results.naive_rank[k]:.0f} by averages."
        )
    whose = f"The {results.assessor_noun if count == 1 else results.assessors_noun}"
    verb = "was" if count == 1 else "were"
    if abs(lean) < _NOTICED:
        parts.append(f"{whose} {verb} neither severe nor generous on balance.")
    else:
        kind, way = ("severe", "more") if lean > 0 else ("generous", "less")
        parts.append(
            f"{whose} {verb} {kind} by {number(abs(lean))} levels on balance, so the same ratings count for {way}."
        )
    if count == 1:
        parts.append("Nobody else rated it: no cross-check.")
    low, high = posterior.rank_interval[k]
    parts.append(f"Expected rank {number(posterior.rank_mean[k])}, {posterior.level:.0%} interval {low} to {high}.")
    beaten = posterior.beats[k]
    others = np.arange(len(beaten)) != k
    unsure = int(((beaten < posterior.level) & (beaten > 1 - posterior.level) & others).sum())
    if place == 1:
        parts.append(f"It leads; it is the best with probability {percent(posterior.best_probability[k])}.")
    else:
        leader = int(results.order[0])
        parts.append(f"It beats the leader, {posterior.objects[leader]}, with probability {percent(beaten[leader])}.")
    parts.append(
        f"It cannot be reliably told from {counted(unsure, 'other')}."
        if unsure
        else f"It can be reliably told from every other {results.object_noun}."
    )
    return " ".join(parts)
