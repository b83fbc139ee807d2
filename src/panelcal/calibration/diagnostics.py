"""Habits of assessors that the basic model does not know (the paper's SI): confidence as a bias, and round numbers.

A bias that depends on confidence is one more term, s = v + b + k (log2 c - its mean), tested by the residuals of
log2 c on values and biases. A liking for round numbers shows as scores on multiples of 5 or 10 steps more often than
on their neighbours. Where scores pile up for another reason (ends of the scale, boundaries between classes, zeros) a
multiple and its neighbours are left out.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from panelcal.arrays import Array, Indices, Mask
from panelcal.calibration.least_squares import Calibration, calibrate
from panelcal.errors import MethodNotApplicable
from panelcal.frozen import dataclass
from panelcal.panel import Panel
from panelcal.tails import bdtrc, stdtr

_DOUBT = 0.05
_STEPS = (1.0, 0.5, 0.25, 0.1)
_NEARLY = 1e-9
_MOST = 0.8  # of the scores: a few half marks do not make a scale of half marks
_FEWEST_SCORES = 20
_ROUND = (10, 5)


@dataclass(frozen=True, slots=True, eq=False)
class ConfidenceBias:
    """Whether scores rise or fall with the declared confidence, objects and assessors allowed for.

    Attributes
    ----------
    slope, slope_error
        Score units per doubling of the confidence, and standard error.
    t_statistic, p_value
        Two-sided test of slope 0 with `degrees_of_freedom`.
    degrees_of_freedom
        N - p - 1.
    values
        (n_objects,) values with that slope taken out, at the mean of log2 confidence; gauge as in the calibration.
    sentence
        The finding in words.
    """

    slope: float
    slope_error: float
    t_statistic: float
    p_value: float
    degrees_of_freedom: int
    values: Array
    sentence: str


@dataclass(frozen=True, slots=True, eq=False)
class RoundNumbers:
    """How often scores are round.

    Attributes
    ----------
    step
        The coarsest step of the scale that at least four in five scores keep to, in score units. The others are left
        out of all that follows. So are scores whose nearest multiple of `base` is that of an end of the scores, a zero
        or a boundary, and those around the multiple that stands out most: one pile is no habit.
    base
        What counts as round: multiples of this, in score units (10 steps or 5, whichever is preferred more).
    share, expected_share
        Share of round scores, and what it would be without a liking for them.
    p_value
        Chance of that many or more round scores without a preference.
    assessor_shares, assessor_p_values
        (n_assessors,) the same by assessor; NaN and 1 for one without a score that counts.
    sentence
        The finding in words.
    """

    step: float
    base: float
    share: float
    expected_share: float
    p_value: float
    assessor_shares: Array
    assessor_p_values: Array
    sentence: str


def confidence_bias(calibration: Calibration) -> ConfidenceBias:
    """Test whether the bias depends on confidence.

    Raises
    ------
    MethodNotApplicable
        If confidences do not differ within objects and assessors, or no scores are left to judge by.
    """
    panel = calibration.panel
    logs = np.log2(panel.confidences)
    freedom = calibration.degrees_of_freedom - 1
    if freedom < 1:
        raise MethodNotApplicable("There are too few scores to tell whether bias depends on confidence.")
    logs_fit = calibrate(
        Panel(
            panel.objects,
            panel.assessors,
            panel.object_index,
            panel.assessor_index,
            logs - logs.mean(),
            panel.confidences,
        ),
        gauge="weighted",
    )
    unexplained = logs_fit.residuals
    size = float(panel.confidences @ unexplained**2)
    if size <= _NEARLY * panel.confidences.sum():
        raise MethodNotApplicable(
            "Confidences do not differ beyond objects and assessors, so nothing says whether bias depends on them."
        )
    slope = float(panel.confidences @ (unexplained * calibration.residuals)) / size
    remainder = calibration.weighted_residual_sum - slope**2 * size
    error = float(np.sqrt(max(remainder, 0.0) / freedom / size))
    t = slope / error if error > 0 else float("inf") * np.sign(slope)
    p = float(2 * stdtr(freedom, -abs(t))) if np.isfinite(t) else 0.0
    values = calibration.values - slope * logs_fit.values
    if p >= _DOUBT:
        sentence = f"Scores do not visibly depend on the confidence they were given with ({_chance(p)})."
    else:
        more = "higher" if slope > 0 else "lower"
        sentence = (
            f"The same assessors score the same objects {more} by {abs(slope):.2f} for every doubling of their "
            f"confidence (+/- {error:.2f}, {_chance(p)})."
        )
    return ConfidenceBias(slope, error, t, p, freedom, values, sentence)


def round_numbers(panel: Panel, *, boundaries: Iterable[float] = ()) -> RoundNumbers:
    """Test whether assessors prefer round scores.

    Parameters
    ----------
    panel
        The assessments.
    boundaries
        Scores that draw others to them: boundaries between classes, ends of the scale. Zero and the lowest and the
        highest score are known to.

    Raises
    ------
    MethodNotApplicable
        If the scores lie on no regular steps, or on too few for some of them to be round.
    """
    step, kept = _step(panel.scores)
    places = np.rint(panel.scores[kept] / step).astype(np.intp)
    if len(places) < _FEWEST_SCORES or np.ptp(places) < 2 * max(_ROUND):
        raise MethodNotApplicable("There are too few scores, or too few steps on the scale, to speak of round numbers.")
    magnets = [0.0, *(float(value) / step for value in boundaries)]
    counting = [_counting(places, base, magnets) for base in _ROUND]
    if max(int(counts.sum()) for counts in counting) < _FEWEST_SCORES:
        raise MethodNotApplicable(
            "Too few scores are away from boundaries, zeros and the ends of the scale to speak of round numbers."
        )
    results = [_excess(places[counts], base) for base, counts in zip(_ROUND, counting, strict=True)]
    enough = [k for k, counts in enumerate(counting) if counts.sum() >= _FEWEST_SCORES]
    k = min(enough, key=lambda k: results[k][2])
    base, (share, expected, p) = _ROUND[k], results[k]
    seen, is_round = np.zeros(panel.n_assessments), np.zeros(panel.n_assessments)
    seen[kept] = counting[k]
    is_round[kept] = counting[k] & (places % base == 0)
    given, rounds = panel.assessor_totals(seen), panel.assessor_totals(is_round)
    p_assessors = _at_least(rounds, given, expected)
    found = (
        f"away from boundaries, zeros and the ends of the scale {100 * share:.0f}% of the scores are multiples of "
        f"{base * step:g} where {100 * expected:.0f}% would be"
    )
    sentence = (
        f"Assessors prefer round numbers: {found} expected ({_chance(p)})."
        if p < _DOUBT
        else f"There is no sign of a liking for round numbers: {found} expected."
    )
    shares = np.divide(rounds, given, out=np.full(len(given), np.nan), where=given > 0)
    return RoundNumbers(step, base * step, share, expected, p, shares, p_assessors, sentence)


def _step(scores: Array) -> tuple[float, Mask]:
    """Find the coarsest step that most scores keep to, and which of them (N,) do."""
    slack = _NEARLY * max(1.0, float(np.abs(scores).max()))
    for step in _STEPS:
        kept = np.abs(scores / step - np.rint(scores / step)) < slack
        if kept.mean() >= _MOST:
            return step, kept
    raise MethodNotApplicable("The scores lie on no regular steps, so none of them can be called round.")


def _counting(places: Indices, base: int, magnets: list[float]) -> Mask:
    """Which scores (k,) say something about a liking for multiples of `base`, scores and `magnets` in steps.

    Every score belongs to its nearest multiple. Multiples at the ends and near a magnet are left out with all that
    belongs to them, as scores were moved there from around it, and so is the one that stands out most.
    """
    nearest = np.floor_divide(places + base // 2, base)
    if base % 2 == 0:  # half way between two multiples belongs to both, so to neither
        counts = (places + base // 2) % base != 0
    else:
        counts = np.ones(len(places), dtype=np.bool_)
    ends = [float(places.min()), float(places.max())]
    left_out = {int(np.floor((at + base / 2) / base)) for at in (*ends, *magnets)}
    counts &= ~np.isin(nearest, list(left_out))
    multiples, at = np.unique(nearest[counts], return_inverse=True)
    if len(multiples) == 0:
        return counts
    round_ones = np.bincount(at, places[counts] % base == 0)
    surplus = round_ones - np.bincount(at) * _by_luck(base)
    return np.asarray(counts & (nearest != multiples[np.argmax(surplus)]))


def _by_luck(base: int) -> float:
    """Share of multiples among the scores that count without a liking for them."""
    return 1.0 / (base if base % 2 else base - 1)


def _excess(places: Indices, base: int) -> tuple[float, float, float]:
    """Share of multiples of `base`, the share without a liking for them, and a p-value (either base).

    Were each score moved by chance within half of `base`, one in `base` would be a multiple of it, however the scores
    are spread.
    """
    multiples, total, expected = float((places % base == 0).sum()), float(len(places)), _by_luck(base)
    p = float(_at_least(np.array([multiples]), np.array([total]), expected)[0])
    return multiples / total if total else 0.0, expected, min(1.0, len(_ROUND) * p)


def _at_least(found: Array, tries: Array, chance: float) -> Array:
    """Chance of at least that many successes."""
    return np.where(found > 0, bdtrc(np.maximum(found - 1, 0), tries.astype(np.intp), chance), 1.0)


def _chance(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
