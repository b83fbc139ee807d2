"""Made-up panels for the example workbooks, with the truth behind them for tests and benchmarks.

The exam board has the size and shape of the paper's case study 2 (82 students, 81 modules, credits 6 to 18 as
confidences); the grant panel is a long list with confidences in words. Everything here is invented: no number comes
from a real board. Draws come from `random.Random`, whose stream does not change between versions of Python.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random

import numpy as np

from panelcal.arrays import Array, Mask
from panelcal.frozen import dataclass

_PURE, _APPLIED, _STATISTICS, _OUTSIDE = "pure", "applied", "statistics", "outside"

# Programme -> (students on it, their mean ability above the board's, the mean bias of its modules): options are chosen
# by programme, so that who sits which module is not random and raw averages are not fair.
_PROGRAMMES: Mapping[str, tuple[int, float, float]] = {
    _PURE: (27, 2.5, -2.0),
    _APPLIED: (24, -0.5, 0.0),
    _STATISTICS: (20, 0.0, 0.5),
    _OUTSIDE: (11, -4.0, 3.5),
}

# Programme of a module -> "code:credits:students", with as many students as are first placed on it.
_MODULES: Mapping[str, str] = {
    _PURE: (
        "MA3A6:18:44 MA3B8:18:19 MA3D5:15:50 MA3D9:15:14 MA3E1:18:14 MA3F1:15:31 MA3G1:18:11 MA3G6:15:9 MA3H2:18:8 "
        "MA3H3:15:10 MA3H5:15:7 MA3H6:18:7 MA3J2:15:13 MA3K3:12:6 MA426:15:3 MA433:18:2 MA448:15:1 MA453:15:4 "
        "MA467:18:1 MA473:18:2 MA4A5:15:1 MA4E0:15:5 MA4H4:18:1 MA4J7:15:1 MA4L9:18:3"
    ),
    _APPLIED: (
        "MA390:18:33 MA398:18:17 MA3D1:15:57 MA3D4:15:12 MA3E7:15:38 MA3H0:18:8 MA3H7:15:9 MA3J4:15:11 MA3K1:18:6 "
        "MA4G4:15:3 MA4H7:18:2 MA4L2:15:1 PX366:7.5:10 PX370:7.5:7 PX384:7.5:8 PX387:15:4 PX390:15:3 PX408:7.5:2 "
        "PX436:15:1 CS324:15:5 CS341:15:6 CS349:15:2 CS409:15:1"
    ),
    _STATISTICS: (
        "ST301:15:15 ST305:18:20 ST318:18:16 ST323:15:11 ST333:15:40 ST337:15:9 ST339:15:12 ST343:18:9 ST346:18:10 "
        "ST349:15:4 ST350:15:6 ST402:15:2 ST405:18:1 ST411:15:3 ST412:15:1 ST415:18:1"
    ),
    _OUTSIDE: (
        "EC301:15:7 EC306:15:3 EC319:15:9 EC331:18:2 EC341:15:1 IB313:12:8 IB320:12:12 IB349:12:4 IB352:12:1 "
        "IB3A7:12:2 PH340:15:3 PH342:15:1 LL207:6:3 LL213:6:1 LL230:6:2 EN329:18:1 HI3T2:18:1"
    ),
}

# Credits of a year: everybody takes at least the first and at most one of the others, by lot.
_CREDITS_WANTED, _CREDITS_AT_MOST = 120.0, (138.0, 141.0, 145.5, 150.0)
_LARGE, _SMALL = 30, 5
_CODES = ("ABS", "ABS", "ABS", "ABS", "MC", "MC", "n/a", "n/a")
_DEFERRED = 3


@dataclass(frozen=True, slots=True, eq=False)
class MadeUpBoard:
    """An invented exam board and the truth behind its marks, s = v + b + sigma eta (eq. 3).

    Attributes
    ----------
    students, modules
        Candidate numbers, 7 digits, ascending (n_students) and module codes, ascending (n_modules).
    credits
        (n_modules,) credits (CATS), the confidence of every mark in that module.
    marks
        (n_students, n_modules) whole marks 0-100; NaN = not taken, or a code stands there instead.
    cell_texts
        (student, module) -> text for the cells that hold text: codes, and marks stored as text.
    real_zero
        (student, module) whose mark is a true 0, whatever `noise` says there.
    true_values
        (n_students,) v in marks.
    true_biases
        (n_modules,) b in marks.
    noise
        (n_students, n_modules) sigma eta in marks before rounding, NaN where there is no mark.
    """

    students: tuple[str, ...]
    modules: tuple[str, ...]
    credits: Array
    marks: Array
    cell_texts: Mapping[tuple[int, int], str]
    real_zero: tuple[int, int]
    true_values: Array
    true_biases: Array
    noise: Array


@dataclass(frozen=True, slots=True)
class MadeUpReview:
    """One line of an invented grant panel; `score` is None where the review never came, a text where one was typed."""

    proposal: str
    reviewer: str
    score: float | str | None
    confidence: str


@dataclass(frozen=True, slots=True, eq=False)
class MadeUpGrantPanel:
    """An invented grant panel and the truth behind its scores.

    Attributes
    ----------
    proposals, reviewers
        Names (n_proposals), (n_reviewers).
    reviews
        Lines in the order they stand on the sheet.
    true_values
        (n_proposals,) v in points of the 1-10 scale.
    true_biases
        (n_reviewers,) b in points; generous reviewers positive.
    """

    proposals: tuple[str, ...]
    reviewers: tuple[str, ...]
    reviews: tuple[MadeUpReview, ...]
    true_values: Array
    true_biases: Array


@dataclass(frozen=True, slots=True)
class _Module:
    code: str
    programme: str
    credits: float
    students: int


def exam_board_marks(seed: int = 2026) -> MadeUpBoard:
    """Invent the board of `exam_board_example.xlsx`.

    Abilities are N(63, 9) and a little different by programme, module biases have a standard deviation of about 5
    with some small modules easier, and a mark's noise has a standard deviation of 7 at 15 credits and a variance
    inversely proportional to the credits.
    """
    random = Random(seed)
    modules = sorted(_modules(), key=lambda module: module.code)
    programmes = [name for name, (count, _, _) in _PROGRAMMES.items() for _ in range(count)]
    random.shuffle(programmes)
    taken = _choose_modules(programmes, modules, random)
    credits_ = np.array([module.credits for module in modules])

    values = np.array([random.gauss(63.0 + _PROGRAMMES[name][1], 8.7) for name in programmes])
    biases = np.array([_module_bias(module, random) for module in modules])
    noise = np.full(taken.shape, np.nan)
    for student, module in np.argwhere(taken):
        noise[student, module] = random.gauss(0.0, 7.0 * math.sqrt(15.0 / credits_[module]))
    marks = np.clip(np.round(values[:, None] + biases + noise), 0.0, 100.0)

    well_filled = [(int(i), int(j)) for i, j in np.argwhere(taken) if taken[:, j].sum() > _SMALL]
    random.shuffle(well_filled)
    texts: dict[tuple[int, int], str] = {}
    for code in _CODES:
        texts[well_filled.pop()] = code
    deferred = next(i for i, _ in well_filled if not any(i == student for student, _ in texts))
    for cell in [cell for cell in well_filled if cell[0] == deferred][:_DEFERRED]:
        texts[cell] = "EXT"
    for cell in texts:
        marks[cell] = noise[cell] = np.nan
    free = (cell for cell in well_filled if cell not in texts)
    real_zero = next(free)
    marks[real_zero] = 0.0
    for ending in (" ", "  "):
        cell = next(free)
        texts[cell] = f"{marks[cell]:.0f}{ending}"

    numbers = sorted(random.sample(range(2_104_000, 2_139_000), len(programmes)))
    return MadeUpBoard(
        students=tuple(str(number) for number in numbers),
        modules=tuple(module.code for module in modules),
        credits=credits_,
        marks=marks,
        cell_texts=texts,
        real_zero=real_zero,
        true_values=values,
        true_biases=biases,
        noise=noise,
    )


def grant_panel_reviews(seed: int = 1986) -> MadeUpGrantPanel:
    """Invent the panel of `grant_panel_example.xlsx`.

    40 proposals and 15 reviewers, 3 or 4 reviews a proposal, scores 1-10 in half points. The noise has a standard
    deviation of 0.45, 0.9 and 1.8 points at high, medium and low confidence: the ratio p = 2 between words.
    """
    random = Random(seed)
    proposals = tuple(f"GP-{number:03d}" for number in sorted(random.sample(range(101, 199), 40)))
    reviewers = tuple(f"R{number:02d}" for number in range(1, 16))
    values = np.array([random.gauss(6.0, 1.2) for _ in proposals])
    biases = np.array([random.gauss(0.0, 1.0) for _ in reviewers])
    deviations = {"High": 0.45, "Medium": 0.9, "Low": 1.8}

    load = [0] * len(reviewers)
    reviews = []
    for proposal, name in enumerate(proposals):
        # Those with the fewest reviews so far come first, ties by lot: an even load that still links everybody.
        order = sorted(range(len(reviewers)), key=lambda reviewer: (load[reviewer], random.random()))
        for reviewer in sorted(order[: random.choice((3, 4, 4))]):
            load[reviewer] += 1
            word = random.choices(("High", "Medium", "Low"), weights=(3, 5, 2))[0]
            raw = values[proposal] + biases[reviewer] + random.gauss(0.0, deviations[word])
            score = min(10.0, max(1.0, round(2.0 * raw) / 2.0))
            reviews.append(MadeUpReview(name, reviewers[reviewer], score, word))

    conflict, late, typed = random.sample(range(len(reviews)), 3)
    reviews[conflict] = _with_score(reviews[conflict], "n/a")
    reviews[late] = _with_score(reviews[late], None)
    reviews[typed] = _with_score(reviews[typed], f"{reviews[typed].score:g} ")
    return MadeUpGrantPanel(proposals, reviewers, tuple(reviews), values, biases)


def _with_score(review: MadeUpReview, score: str | None) -> MadeUpReview:
    return MadeUpReview(review.proposal, review.reviewer, score, review.confidence)


def _modules() -> list[_Module]:
    modules = []
    for programme, line in _MODULES.items():
        for entry in line.split():
            code, credits_, students = entry.split(":")
            modules.append(_Module(code, programme, float(credits_), int(students)))
    return modules


def _module_bias(module: _Module, random: Random) -> float:
    """Large modules are marked alike; among the small ones some are easier (the paper's explanation of its shift)."""
    usual = _PROGRAMMES[module.programme][2]
    if module.students >= _LARGE:
        return random.gauss(usual, 3.5)
    easier = module.students <= 2 * _SMALL and random.random() < 0.25
    return random.gauss(7.0, 2.5) if easier else random.gauss(usual, 4.0)


def _choose_modules(programmes: Sequence[str], modules: Sequence[_Module], random: Random) -> Mask:
    """Who takes what (n_students, n_modules): mostly from the own programme, 120 to 150 credits each."""
    taken = np.zeros((len(programmes), len(modules)), dtype=bool)
    ceiling = [random.choice(_CREDITS_AT_MOST) for _ in programmes]
    load = [0.0] * len(programmes)

    def interest(student: int, module: _Module) -> float:
        return 8.0 if programmes[student] == module.programme else 1.0

    def place(student: int, at: int) -> None:
        taken[student, at] = True
        load[student] += modules[at].credits

    # Everybody's year has room for so much: each module finds a few students first, then the core fills, then the rest.
    few = [(at, min(module.students, _SMALL)) for at, module in enumerate(modules)]
    core = [(at, module.students - _SMALL) for at, module in enumerate(modules) if module.students >= _LARGE]
    rest = [(at, module.students - _SMALL) for at, module in enumerate(modules) if _SMALL < module.students < _LARGE]
    for at, students in (*few, *core, *sorted(rest, key=lambda pair: pair[1])):
        room = [most - modules[at].credits - credits_ for most, credits_ in zip(ceiling, load, strict=True)]
        weights = [
            interest(i, modules[at]) * (1.0 + space) if space >= 0 and not taken[i, at] else 0.0
            for i, space in enumerate(room)
        ]
        for student in _draw(weights, students, random):
            place(student, at)
    for student in range(len(programmes)):
        while load[student] < _CREDITS_WANTED:
            weights = [
                interest(student, module) * module.students
                if module.students > _SMALL and not taken[student, at]
                else 0.0
                for at, module in enumerate(modules)
            ]
            place(student, _draw(weights, 1, random)[0])
    return taken


def _draw(weights: Sequence[float], count: int, random: Random) -> list[int]:
    """Draw `count` different places with chances proportional to their weights (Efraimidis and Spirakis)."""
    keys = [(random.random() ** (1.0 / weight), place) for place, weight in enumerate(weights) if weight > 0]
    return [place for _, place in sorted(keys, reverse=True)[:count]]
