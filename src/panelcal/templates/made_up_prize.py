"""A made-up conference for the example workbook: talks, judges with habits of their own, and the truth behind both.

Everything here is invented. Draws come from `random.Random`, whose stream does not change between versions of Python.
"""

from __future__ import annotations

import math
from random import Random

import numpy as np

from panelcal.arrays import Array
from panelcal.frozen import dataclass

PRIZE_FEATURES = ("Content", "Delivery", "Originality")
PRIZE_CATEGORIES = ("Open", "Student")
_TALKS, _STUDENTS, _JUDGES, _PER_TALK = 42, 15, 14, 4
_USUAL_CUTS = (-2.8, -1.2, 0.6, 2.4)
_TALK_SD, _COMMON_SHARE, _SHIFT_SD, _STRETCH_SD = 1.5, 0.6, 1.1, 0.3


@dataclass(frozen=True, slots=True)
class MadeUpRating:
    """One line of an invented jury; a rating is None where it was left blank, a text where one was typed."""

    talk: str
    category: str
    judge: str
    ratings: tuple[int | str | None, ...]


@dataclass(frozen=True, slots=True, eq=False)
class MadeUpPrize:
    """An invented jury and the truth behind its ratings.

    Attributes
    ----------
    talks, judges
        Names (n_talks), (n_judges).
    lines
        In the order they stand on the sheet.
    true_features
        (n_talks, 3) how good each talk is, on the logit scale.
    true_cuts
        (n_judges, 4) cut-points between the five levels, the same for all features of a judge.
    """

    talks: tuple[str, ...]
    judges: tuple[str, ...]
    lines: tuple[MadeUpRating, ...]
    true_features: Array
    true_cuts: Array


def conference_prize_ratings(seed: int = 2021) -> MadeUpPrize:
    """Invent the jury of `conference_prize_example.xlsx`.

    42 talks, 15 of them by students, 14 judges, 4 judges a talk, three features rated 1 to 5. Features share 60% of
    their variance; judges differ in severity by a standard deviation of 1.1 and in how far apart their levels are.
    """
    random = Random(seed)
    talks = tuple(f"T{number:02d}" for number in range(1, _TALKS + 1))
    judges = tuple(f"J{number:02d}" for number in range(1, _JUDGES + 1))
    students = set(random.sample(range(_TALKS), _STUDENTS))
    common = [random.gauss(0.0, 1.0) for _ in talks]
    features = np.array(
        [
            [
                _TALK_SD * (_COMMON_SHARE**0.5 * one + (1 - _COMMON_SHARE) ** 0.5 * random.gauss(0.0, 1.0))
                for _ in range(3)
            ]
            for one in common
        ]
    )
    cuts = np.array([_cuts_of_one_judge(random) for _ in judges])
    load = [0] * _JUDGES
    lines = []
    for talk, name in enumerate(talks):
        order = sorted(range(_JUDGES), key=lambda judge: (load[judge], random.random()))
        for judge in sorted(order[:_PER_TALK]):
            load[judge] += 1
            given = tuple(_rating(features[talk, q], cuts[judge], random) for q in range(len(PRIZE_FEATURES)))
            lines.append(MadeUpRating(name, PRIZE_CATEGORIES[talk in students], judges[judge], given))
    absent, forgotten, typed = random.sample(range(len(lines)), 3)
    lines[absent] = _with(lines[absent], ("n/a",) * 3)
    lines[forgotten] = _with(lines[forgotten], (*lines[forgotten].ratings[:2], None))
    lines[typed] = _with(lines[typed], (f"{lines[typed].ratings[0]} ", *lines[typed].ratings[1:]))
    return MadeUpPrize(talks, judges, tuple(lines), features, cuts)


def _cuts_of_one_judge(random: Random) -> list[float]:
    """Shift the usual cut-points by how severe the judge is, and stretch them by how sparing of the ends."""
    shift, stretch = random.gauss(0.0, _SHIFT_SD), 2.0 ** random.gauss(0.0, _STRETCH_SD)
    return [shift + stretch * cut for cut in _USUAL_CUTS]


def _rating(score: float, cuts: Array, random: Random) -> int:
    """Draw one rating by the ordered logistic: the level whose cut-points enclose the impression."""
    chance = random.random()
    impression = score + math.log(chance / (1.0 - chance))
    return 1 + int((impression > cuts).sum())


def _with(line: MadeUpRating, ratings: tuple[int | str | None, ...]) -> MadeUpRating:
    return MadeUpRating(line.talk, line.category, line.judge, ratings)
