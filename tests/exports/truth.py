"""What an export file says when it is understood: the panel behind it, with its values by plain least squares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Truth:
    """The panel that a file was made from.

    Attributes
    ----------
    scores
        (object, assessor) -> score.
    confidences
        (object, assessor) -> confidence; None = none are declared.
    """

    scores: Mapping[Pair, float]
    confidences: Mapping[Pair, float] | None = None

    @property
    def objects(self) -> tuple[str, ...]:
        """Everything that has a score."""
        return tuple(dict.fromkeys(thing for thing, _ in self.scores))

    @property
    def assessors(self) -> tuple[str, ...]:
        """Everybody who gave one."""
        return tuple(dict.fromkeys(judge for _, judge in self.scores))

    def only(self, assessors: Sequence[str]) -> Truth:
        """Return the panel of some assessors alone."""
        kept = {pair: score for pair, score in self.scores.items() if pair[1] in assessors}
        return Truth(kept, self.confidences and {pair: self.confidences[pair] for pair in kept})

    def solved(self) -> tuple[dict[str, float], dict[str, float]]:
        """Solve sum of c (s - v - b)^2 -> min with numpy alone, the biases adding up to nothing by confidence."""
        objects, assessors = self.objects, self.assessors
        row_of = {name: i for i, name in enumerate(objects)}
        column_of = {name: len(objects) + j for j, name in enumerate(assessors)}
        design = np.zeros((len(self.scores) + 1, len(objects) + len(assessors)))
        right = np.zeros(len(self.scores) + 1)
        for k, (pair, score) in enumerate(self.scores.items()):
            confidence = self.confidences[pair] if self.confidences else 1.0
            design[k, row_of[pair[0]]] = design[k, column_of[pair[1]]] = np.sqrt(confidence)
            right[k] = np.sqrt(confidence) * score
            design[-1, column_of[pair[1]]] += confidence
        found = np.linalg.lstsq(design, right, rcond=None)[0]
        return (
            {name: float(found[i]) for name, i in row_of.items()},
            {name: float(found[j]) for name, j in column_of.items()},
        )


def simulate(
    seed: int,
    objects: Sequence[str],
    assessors: Sequence[str],
    per_object: int,
    *,
    scale: tuple[float, float] = (0, 100),
    step: float = 1.0,
    spread: float = 0.06,
    confidences: Sequence[float] = (),
    middle: float = 0.6,
) -> Truth:
    """Draw values and biases, let a few assessors see every object, and round what they give to the scale.

    Parameters
    ----------
    scale, step
        Ends of the scale and its smallest step.
    spread
        Standard deviation of the biases as a share of the scale; values spread twice as far.
    confidences
        The levels to draw from; none = no confidences.
    middle
        Where the average value lies on the scale.
    """
    rng = np.random.default_rng(seed)
    low, high = scale
    width = high - low
    values = low + width * (middle + 2 * spread * rng.standard_normal(len(objects)))
    biases = width * spread * rng.standard_normal(len(assessors))
    scores: dict[Pair, float] = {}
    drawn: dict[Pair, float] = {}
    for i, thing in enumerate(objects):
        # Neighbours on a circle, so that the panel hangs together, and the rest by lot.
        sure = [i % len(assessors), (i + 1) % len(assessors)][:per_object]
        rest = [j for j in range(len(assessors)) if j not in sure]
        for j in sorted(sure + list(rng.permutation(rest)[: per_object - len(sure)])):
            given = values[i] + biases[j] + 0.05 * width * rng.standard_normal()
            steps = round(float((np.clip(given, low, high) - low) / step))
            pair = (thing, assessors[j])
            scores[pair] = round(low + steps * step, 6)
            if confidences:
                drawn[pair] = float(confidences[int(rng.integers(len(confidences)))])
    return Truth(scores, drawn or None)


_FIRST = (
    "Iris Amir Chloe Ben Dina Emil Farah Goran Hana Ivo Jana Karim Lena Marco Nadia Oskar Petra Quentin Rosa Sven Tara "
    "Ugo Vera Wim Xenia Yusuf Zoe Alma Boris Clara"
).split()
_LAST = (
    "Jones Okafor Lindqvist Moreau Bianchi Novak Herrera Walsh Petrov Sato Keller Ferreira Dubois Kowalski Haddad "
    "Brandt Nilsen Osei Vargas Quist"
).split()


def people(count: int, start: int = 0) -> list[str]:
    """Make up full names, all different."""
    return [f"{_FIRST[k % len(_FIRST)]} {_LAST[(k * 7 + k // 30) % len(_LAST)]}" for k in range(start, start + count)]


def email(name: str) -> str:
    """Make up an address for a name."""
    return name.lower().replace(" ", ".") + "@example.org"


_ADJECTIVES = "Sparse Robust Quiet Open Local Deep Slow Honest Linear Second Silent Public".split()
_NOUNS = "Graphs Rivers Markets Proteins Voices Archives Glaciers Bridges Grammars Sensors Vaccines Orchards".split()


def titles(count: int) -> list[str]:
    """Make up titles of papers, all different."""
    return [f"{_ADJECTIVES[k % 12]} {_NOUNS[(k // 12 + 5 * k) % 12]} {'I' * (1 + k // 144)}" for k in range(count)]
