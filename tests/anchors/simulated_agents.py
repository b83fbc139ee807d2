"""Made-up agents: six scales bent in six ways, looking at the same manuscripts with shared and with own errors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

TIERS = (10.0, 35.0, 62.0, 88.0)


def _power(exponent: float, low: float, high: float):
    return lambda u: low + (high - low) * u**exponent


def _threshold(steepness: float, middle: float, low: float, high: float):
    return lambda u: low + (high - low) / (1 + np.exp(-steepness * (u - middle)))


SCALES = (
    _power(2.6, 15, 100),  # sparing with high scores
    _power(0.35, 0, 98),  # alarmed by everything
    _threshold(8, 0.5, 0, 100),  # black and white
    _power(1.0, 42, 70),  # all in the middle
    _power(3.2, 0, 72),  # lenient
    _threshold(7, 0.25, 22, 99),  # severe from early on
)


@dataclass(frozen=True)
class World:
    """How the made-up agents and humans err.

    Attributes
    ----------
    bend
        0 = agents use the common scale, 1 = their own scale in full.
    shared_error
        SD of what all agents get wrong alike about a manuscript, in points of true severity.
    own_error
        SD of what each agent gets wrong by itself.
    human_error
        SD of each of the three humans behind a consensus.
    tiers
        Whether anchors come in four tiers, or are spread like the new manuscripts.
    """

    bend: float = 0.7
    shared_error: float = 15.0
    own_error: float = 6.0
    human_error: float = 10.0
    tiers: bool = True

    def severities(self, random: np.random.Generator, count: int) -> np.ndarray:
        """True severities of new manuscripts."""
        return 100 * random.beta(1.6, 1.6, count)

    def anchor_severities(self, random: np.random.Generator, count: int) -> np.ndarray:
        """True severities of anchors."""
        if not self.tiers:
            return self.severities(random, count)
        return np.clip(random.choice(TIERS, count) + random.normal(0, 9, count), 0, 100)

    def consensus(self, random: np.random.Generator, severities: np.ndarray) -> np.ndarray:
        """Mean of three humans."""
        return np.clip(severities + random.normal(0, self.human_error, (3, len(severities))), 0, 100).mean(axis=0)

    def as_agents_see(self, random: np.random.Generator, severities: np.ndarray) -> np.ndarray:
        """Severities with what all agents get wrong alike."""
        return severities + random.normal(0, self.shared_error, len(severities))

    def scores(self, random: np.random.Generator, severities: np.ndarray) -> np.ndarray:
        """Scores of the six agents, (6, n), rounded to whole points."""
        shared = self.as_agents_see(random, severities)
        return np.array(
            [self.on_scale(k, shared + random.normal(0, self.own_error, len(shared))) for k in range(len(SCALES))]
        )

    def on_scale(self, agent: int, seen: np.ndarray) -> np.ndarray:
        """What an agent writes down for what it sees."""
        u = np.clip(seen, 0, 100) / 100
        return np.clip(np.round(self.bend * SCALES[agent](u) + (1 - self.bend) * 100 * u), 0, 100)


@dataclass(frozen=True)
class Change:
    """How agents change from week to week.

    Attributes
    ----------
    wander, stretch
        SD, per week, of what is added to an agent's scores and of what multiplies their distance from 50 (its log).
    jump_week
        From this week on `jump_agents` score `jump_shift` higher and `jump_spread` times as spread out; None = no jump.
    """

    wander: float = 0.0
    stretch: float = 0.0
    jump_week: int | None = None
    jump_agents: tuple[int, ...] = (2,)
    jump_shift: float = 12.0
    jump_spread: float = 0.7


def simulate_weeks(
    world: World, change: Change, seed: int, anchors: int = 240, weeks: int = 13, manuscripts: int = 600
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw a venue over some weeks: anchor scores (6, weeks, anchors), consensus, new scores (6, weeks, manuscripts).

    Half of the variance of an agent's own error stays with an anchor, the other half is new each time it is scored.
    """
    random = np.random.default_rng(seed)
    bank = world.anchor_severities(random, anchors)
    seen = world.as_agents_see(random, bank)
    consensus = world.consensus(random, bank)
    agents, half = len(SCALES), world.own_error / np.sqrt(2)
    lasting = random.normal(0, half, (agents, anchors))
    offset, gain = np.zeros(agents), np.ones(agents)
    banked, new = np.empty((agents, weeks, anchors)), np.empty((agents, weeks, manuscripts))
    for week in range(weeks):
        if week:
            offset += random.normal(0, change.wander, agents)
            gain *= np.exp(random.normal(0, change.stretch, agents))
        if week == change.jump_week:
            offset[list(change.jump_agents)] += change.jump_shift
            gain[list(change.jump_agents)] *= change.jump_spread
        fresh = world.as_agents_see(random, world.severities(random, manuscripts))
        for k in range(agents):
            anchor_errors = lasting[k] + random.normal(0, half, anchors)
            for table, looked_at in (
                (banked, seen + anchor_errors),
                (new, fresh + random.normal(0, world.own_error, manuscripts)),
            ):
                moved = 50 + offset[k] + gain[k] * (world.on_scale(k, looked_at) - 50)
                table[k, week] = np.clip(np.round(moved), 0, 100)
    return banked, consensus, new


@dataclass(frozen=True)
class Trial:
    """Anchors and new manuscripts of one simulated venue."""

    anchor_scores: np.ndarray
    consensus: np.ndarray
    new_scores: np.ndarray
    new_consensus: np.ndarray


def simulate(world: World, seed: int, anchors: int = 240, manuscripts: int = 1050) -> Trial:
    """Draw one venue."""
    random = np.random.default_rng(seed)
    bank, new = world.anchor_severities(random, anchors), world.severities(random, manuscripts)
    return Trial(
        anchor_scores=world.scores(random, bank),
        consensus=world.consensus(random, bank),
        new_scores=world.scores(random, new),
        new_consensus=world.consensus(random, new),
    )
