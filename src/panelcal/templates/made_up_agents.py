"""Made-up reviewer agents for the example workbook: six scales bent in six ways, 240 anchors, 360 manuscripts.

Everything here is invented. Agents see a manuscript's severity with an error that all share and one of their own, and
write it down on a scale of their own. One agent changes in the last week, one anchor looks leaked, and what the
adjudicator said of one is mistyped. Draws come from `random.Random`, whose stream does not change between versions of
Python.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

from panelcal.frozen import dataclass

AGENTS = ("G1", "G2", "G3", "G4", "G5", "G6")
TIERS = (("none", 10.0), ("minor", 35.0), ("major", 62.0), ("reject", 88.0))
CLUSTERS = ("Algorithms", "Biology", "Economics", "Language", "Physics", "Statistics", "Vision")
N_ANCHORS, N_MANUSCRIPTS, N_WEEKS = 240, 360, 4
DRIFTING, KNOWING = 2, 1
"""Numbers of the agent that changes in the last week, and of the one that knows an anchor."""

_BEND = 0.72
_SHARED, _OWN, _HUMAN = 11.0, 6.0, 8.0
_PERSISTENT = 0.75  # share of the own variance that an agent repeats when it scores an anchor again
_MISSED = 0.08  # of the scores of manuscripts
_MISTYPED_BY = 72  # 94 typed as 22
ADJUDICATED_FROM = 20
_FOOLED = 45.0  # by how much all agents but one overrate the anchor that this one knows


@dataclass(frozen=True, slots=True)
class MadeUpAnchor:
    """An anchor: name, labels, three people's reviews, the adjudicator's word as typed, and `scores[week][agent]`."""

    name: str
    tier: str
    cluster: str
    reviews: tuple[int, ...]
    adjudicated: int | None
    scores: tuple[tuple[int, ...], ...]

    @property
    def consensus(self) -> float:
        """What the reviews come to."""
        return sum(self.reviews) / len(self.reviews) if self.adjudicated is None else float(self.adjudicated)


@dataclass(frozen=True, slots=True)
class MadeUpManuscript:
    """A manuscript: name, the week it came, the agents' scores (None = none came, text where one was typed)."""

    name: str
    week: int
    severity: float
    scores: tuple[int | str | None, ...]


@dataclass(frozen=True, slots=True)
class MadeUpVenue:
    """Anchors and manuscripts, with the names of the anchor that is leaked and of the one whose consensus is wrong."""

    anchors: tuple[MadeUpAnchor, ...]
    manuscripts: tuple[MadeUpManuscript, ...]
    leaked: str
    mistyped: str


def _power(exponent: float, low: float, high: float) -> Callable[[float], float]:
    return lambda u: low + (high - low) * u**exponent


def _threshold(steepness: float, middle: float, low: float, high: float) -> Callable[[float], float]:
    return lambda u: low + (high - low) / (1 + math.exp(-steepness * (u - middle)))


_SCALES = (
    _power(2.6, 15, 100),  # sparing with high scores
    _power(0.35, 0, 98),  # alarmed by everything
    _threshold(8, 0.5, 0, 100),  # black and white
    _power(1.0, 42, 70),  # all in the middle
    _power(3.2, 0, 72),  # lenient
    _threshold(7, 0.25, 22, 99),  # severe from early on
)


def reviewer_agents(seed: int = 1961) -> MadeUpVenue:
    """Invent the venue of `ai_reviewers_example.xlsx`."""
    random = Random(seed)
    numbers = sorted(random.sample(range(1001, 2000), N_ANCHORS))
    drawn, reviews = [], {}
    for k, number in enumerate(numbers):
        tier, level = TIERS[k % len(TIERS)]
        severity = min(100.0, max(0.0, random.gauss(level, 9.0)))
        humans = [min(100.0, max(0.0, random.gauss(severity, _HUMAN))) for _ in range(3)]
        consensus = round(sum(humans) / 3)
        reviews[f"A{number}"] = _reviews(humans, consensus)
        drawn.append((f"A{number}", tier, random.choice(CLUSTERS), severity, consensus, _shared(random)))
    leaked = min(range(1, N_ANCHORS, len(TIERS)), key=lambda k: abs(drawn[k][3] - 35))
    mistyped = min(range(N_ANCHORS), key=lambda k: abs(drawn[k][3] - 85) + abs(drawn[k][5]))
    anchors = []
    for k, (name, tier, cluster, severity, consensus, shared) in enumerate(drawn):
        fooled = _FOOLED if k == leaked else shared
        seen = [severity + fooled + _own(random, _PERSISTENT) for _ in AGENTS]
        if k == leaked:
            seen[KNOWING] = float(consensus)
        weeks = tuple(
            tuple(
                _written(agent, seen[agent] + _own(random, 1 - _PERSISTENT) * (k != leaked or agent != KNOWING), week)
                for agent in range(len(AGENTS))
            )
            for week in range(1, N_WEEKS + 1)
        )
        apart = max(reviews[name]) - min(reviews[name]) >= ADJUDICATED_FROM
        adjudicated = max(0, consensus - _MISTYPED_BY) if k == mistyped else consensus if apart else None
        anchors.append(MadeUpAnchor(name, tier, cluster, reviews[name], adjudicated, weeks))
    return MadeUpVenue(tuple(anchors), _manuscripts(random), drawn[leaked][0], drawn[mistyped][0])


def _reviews(humans: list[float], consensus: int) -> tuple[int, ...]:
    """Round three people's severities so that their mean is the consensus."""
    reviews = [round(one) for one in humans]
    left = len(reviews) * consensus - sum(reviews)
    step = 1 if left > 0 else -1
    for _ in range(abs(left)):
        k = next(k for k in (0, 1, 2) if 0 <= reviews[k] + step <= 100)
        reviews[k] += step
    return tuple(reviews)


def _manuscripts(random: Random) -> tuple[MadeUpManuscript, ...]:
    found = []
    for k in range(N_MANUSCRIPTS):
        week = 1 + k * N_WEEKS // N_MANUSCRIPTS
        severity = 100 * random.betavariate(1.6, 1.6)
        shared = _shared(random)
        scores: list[int | str | None] = [
            _written(agent, severity + shared + _own(random, 1.0), week) for agent in range(len(AGENTS))
        ]
        scores = [None if random.random() < _MISSED else score for score in scores]
        found.append(MadeUpManuscript(f"M{26001 + k}", week, severity, tuple(scores)))
    refused, typed = random.sample(range(N_MANUSCRIPTS), 2)
    found[refused] = _with_score(found[refused], 3, "n/a")
    found[typed] = _with_score(found[typed], 0, "64 ")
    return tuple(found)


def _with_score(manuscript: MadeUpManuscript, agent: int, score: str) -> MadeUpManuscript:
    scores = tuple(score if k == agent else old for k, old in enumerate(manuscript.scores))
    return MadeUpManuscript(manuscript.name, manuscript.week, manuscript.severity, scores)


def _shared(random: Random) -> float:
    return random.gauss(0.0, _SHARED)


def _own(random: Random, share: float) -> float:
    return random.gauss(0.0, _OWN * math.sqrt(share))


def _written(agent: int, seen: float, week: int) -> int:
    """What an agent writes down for what it sees; the one that changes is milder and more alike from the last week."""
    u = min(1.0, max(0.0, seen / 100))
    score = _BEND * _SCALES[agent](u) + (1 - _BEND) * 100 * u
    if agent == DRIFTING and week == N_WEEKS:
        score = 50 + 0.75 * (score - 50) - 10
    return round(min(100.0, max(0.0, score)))
