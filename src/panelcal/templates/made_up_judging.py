"""Made-up panels of judges for the example workbooks: who assessed what, what was given, and the truth behind it.

One way of drawing serves them all. Everything here is invented. Draws come from `random.Random`, whose stream does not
change between versions of Python.
"""

from __future__ import annotations

from random import Random

import numpy as np

from panelcal.arrays import Array
from panelcal.frozen import dataclass

Cell = float | str | None
_WORDS = ("High", "Medium", "Low")
_SPREAD_OF_WORD = {"High": 0.5, "Medium": 1.0, "Low": 2.0}


@dataclass(frozen=True, slots=True)
class Drawing:
    """How a panel is made up: s = v + b + noise (eq. 3), rounded to a step of the scale and kept within it.

    Attributes
    ----------
    seed
        Of the draws.
    objects, assessors
        First letters of their names, and how many there are.
    per_object
        How many assess an object, of each table where there are several.
    mean, value_spread, bias_spread, noise_spread
        Of the values, in scores; the others are standard deviations.
    scale
        Lowest score, highest score and the step between scores.
    code
        What stands where somebody may not assess.
    coded
        How many such cells there are.
    criteria
        Names of the criteria; empty = one score. The first assessor is severe on the last criterion alone.
    with_confidence
        Whether a confidence in words goes with each score; the noise is half as large at High, twice at Low.
    tables
        At how many tables the assessors sit; each object comes to one of them.
    at_every_table
        How many objects come to all tables.
    """

    seed: int
    objects: tuple[str, int]
    assessors: tuple[str, int]
    per_object: int
    mean: float
    value_spread: float
    bias_spread: float
    noise_spread: float
    scale: tuple[float, float, float]
    code: str = "n/a"
    coded: int = 1
    criteria: tuple[str, ...] = ()
    with_confidence: bool = False
    tables: int = 1
    at_every_table: int = 0


@dataclass(frozen=True, slots=True)
class MadeUpScore:
    """One assessment: a score for each criterion, None where it never came, a text where one was typed."""

    object: str
    assessor: str
    scores: tuple[Cell, ...]
    confidence: str


@dataclass(frozen=True, slots=True, eq=False)
class MadeUpJudges:
    """An invented panel and the truth behind its scores.

    Attributes
    ----------
    objects, assessors
        Names (n_objects), (n_assessors).
    lines
        In the order they stand on the sheet.
    true_values
        (n_objects, n_criteria) in scores.
    true_biases
        (n_assessors, n_criteria) in scores; generous ones positive.
    """

    objects: tuple[str, ...]
    assessors: tuple[str, ...]
    lines: tuple[MadeUpScore, ...]
    true_values: Array
    true_biases: Array


def made_up_judges(drawing: Drawing) -> MadeUpJudges:
    """Invent a panel, with a code, a score that never came and one that was typed as text left in."""
    random = Random(drawing.seed)
    objects, assessors = _names(*drawing.objects), _names(*drawing.assessors)
    n_criteria = max(1, len(drawing.criteria))
    common = [random.gauss(0.0, drawing.value_spread) for _ in objects]
    own = drawing.value_spread / 2 if drawing.criteria else 0.0
    values = np.array([[drawing.mean + one + random.gauss(0.0, own) for _ in range(n_criteria)] for one in common])
    biases = np.array([[random.gauss(0.0, drawing.bias_spread)] * n_criteria for _ in assessors])
    if drawing.criteria:
        biases[0] = 0.0
        biases[0, -1] = -3.0 * drawing.bias_spread
    lines = []
    for at, sitting in enumerate(_assigned(drawing, random)):
        for assessor in sitting:
            word = random.choices(_WORDS, weights=(3, 5, 2))[0] if drawing.with_confidence else ""
            spread = drawing.noise_spread * _SPREAD_OF_WORD.get(word, 1.0)
            raw = [float(values[at, k] + biases[assessor, k]) + random.gauss(0.0, spread) for k in range(n_criteria)]
            given = tuple(_on_scale(one, drawing.scale) for one in raw)
            lines.append(MadeUpScore(objects[at], assessors[assessor], given, word))
    late, typed, *coded = random.sample(range(len(lines)), 2 + drawing.coded)
    changed: dict[int, tuple[Cell, ...]] = {at: (drawing.code,) * n_criteria for at in coded}
    changed[late] = (None,) * n_criteria
    changed[typed] = (f"{lines[typed].scores[0]:g} ", *lines[typed].scores[1:])
    told = (
        MadeUpScore(line.object, line.assessor, changed.get(at, line.scores), line.confidence)
        for at, line in enumerate(lines)
    )
    return MadeUpJudges(objects, assessors, tuple(told), values, biases)


def _names(letters: str, count: int) -> tuple[str, ...]:
    return tuple(f"{letters}{number:02d}" for number in range(1, count + 1))


def _assigned(drawing: Drawing, random: Random) -> list[list[int]]:
    """Say who assesses each object: those at its table with the fewest so far come first, ties by lot."""
    n_objects, n_assessors = drawing.objects[1], drawing.assessors[1]
    seats = [range(table, n_assessors, drawing.tables) for table in range(drawing.tables)]
    everywhere = set(random.sample(range(n_objects), drawing.at_every_table))
    load, assigned = [0] * n_assessors, []
    for at in range(n_objects):
        sitting: list[int] = []
        for seated in seats if at in everywhere else [seats[at % drawing.tables]]:
            order = sorted(seated, key=lambda one: (load[one], random.random()))
            sitting += order[: drawing.per_object]
        for one in sitting:
            load[one] += 1
        assigned.append(sorted(sitting))
    return assigned


def _on_scale(raw: float, scale: tuple[float, float, float]) -> float:
    low, high, step = scale
    rounded = float(min(high, max(low, round(raw / step) * step)))
    return int(rounded) if rounded.is_integer() else rounded
