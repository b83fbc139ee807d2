"""Tails of the normal, Student's t, F, chi-squared and binomial distributions, by numpy alone; many tests at once.

They are called as in `scipy.special` and agree with it: loading that, with the linear algebra behind it, takes a fifth
of the time of calibrating one board. It still answers where arrays are large or parameters unusual.

Source: DiDonato and Morris (1992), Algorithm 708, for the incomplete beta function: its continued fraction, and the
powers before it by Stirling's series, which keeps their digits. Gautschi (1979) for the incomplete gamma function.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import scipy  # its parts are loaded when they are used: one board does without
from numpy.typing import ArrayLike

from panelcal.arrays import Array

_MANY = 20_000  # numbers for which scipy is worth waiting for
_LEAST, _MOST = 0.05, 2e4  # parameters beyond need many steps, or lose digits
_FAR = 1e100
_FEW_STEPS, _MOST_STEPS = 24, 3000
_NEWTON_STEPS = 60
_ENOUGH = 2.0**-52
_ALIKE = 1e-15
_SETTLED = 1e-12  # where steps no longer shrink, they are rounding
_STIRLING_FROM = 16.0  # from here on these terms of the series are all that counts
_STIRLING = (1 / 156, -691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12)
_CENTRAL = 0.25  # probabilities so near one half are found by what lies within, others by the tail
_NO_SMALLER = 1e-290
_CERTAIN = 4.0  # of k p: that large, p is still raised to 1 when half of k are left


def ndtr(x: ArrayLike) -> Array:
    """Return the probability that a standard normal deviate is below `x`."""
    x = np.asarray(x, dtype=np.float64)
    if x.size > _MANY:
        return np.asarray(scipy.special.ndtr(x))
    twice = [math.erfc(deviate) for deviate in (x * -math.sqrt(0.5)).ravel().tolist()]
    return 0.5 * np.array(twice).reshape(x.shape)[()]


def ndtri(p: float) -> float:
    """Return the standard normal deviate that lies below with probability `p`."""
    tail, central = min(p, 1 - p), abs(p - 0.5)
    if not tail > _NO_SMALLER:
        return float(scipy.special.ndtri(p))
    root, slope = math.sqrt(0.5), math.sqrt(2 * math.pi)
    deviate = 2.5 * central if central < _CENTRAL else math.sqrt(-2 * math.log(tail))
    for _ in range(_NEWTON_STEPS):  # by what lies within the deviate, or by the tail's logarithm: both bend one way
        if central < _CENTRAL:
            missing = central - 0.5 * math.erf(deviate * root)
        else:
            beyond = 0.5 * math.erfc(deviate * root)
            missing = math.log(beyond / tail) * beyond
        step = missing * slope * math.exp(deviate**2 / 2)
        deviate += step
        if abs(step) <= _ALIKE * deviate:
            break
    return math.copysign(deviate, p - 0.5)


def stdtr(freedom: ArrayLike, t: ArrayLike) -> Array:
    """Return the probability that Student's t with so many degrees of freedom is below `t`."""
    freedom, t = np.asarray(freedom, dtype=np.float64), np.asarray(t, dtype=np.float64)
    if max(freedom.size, t.size) > _MANY or not _usual(freedom / 2) or (np.abs(t) > _FAR).any():
        return np.asarray(scipy.special.stdtr(freedom, t))
    tail = 0.5 * _incomplete_beta(freedom / 2, np.asarray(0.5), *_shares(freedom, t * t))
    return np.where(t > 0, 1 - tail, tail)[()]


@lru_cache(maxsize=256)
def stdtrit(freedom: float, p: float) -> float:
    """Return the value that Student's t with so many degrees of freedom is below with probability `p`."""
    tail, central = min(p, 1 - p), abs(p - 0.5)
    if not (tail > _NO_SMALLER and _LEAST < freedom / 2 < _MOST):
        return float(scipy.special.stdtrit(freedom, p))
    a, half = np.asarray(freedom / 2), np.asarray(0.5)
    t = 2.5 * central if central < _CENTRAL else -ndtri(tail)
    last = math.inf
    for _ in range(_NEWTON_STEPS):  # Newton's steps: by the tail's logarithm, or by what lies within t
        if t == 0.0 or t > _FAR:
            break
        near, far = _shares(np.asarray(freedom), np.asarray(t * t))
        slope = float(_powers(a, half, near, far))  # density times t
        if central < _CENTRAL:
            step = (central - 0.5 * float(_incomplete_beta(half, a, far, near))) / slope
        else:
            beyond = 0.5 * float(_incomplete_beta(a, half, near, far))
            if beyond == 0.0:
                t = math.inf
                break
            step = math.expm1(math.log(beyond / tail) * beyond / slope)
        t *= 1 + step
        if abs(step) <= _ALIKE or (abs(step) < _SETTLED and abs(step) >= last):
            break
        last = abs(step)
    return math.copysign(t, p - 0.5) if t <= _FAR else float(scipy.special.stdtrit(freedom, p))


def fdtr(between: ArrayLike, within: ArrayLike, f: ArrayLike) -> Array:
    """Return the probability that F with these degrees of freedom is below `f`."""
    between, within, f = (np.asarray(given, dtype=np.float64) for given in (between, within, f))
    if f.size > _MANY or not _usual(between / 2, within / 2) or ((f < 0) | (f > _FAR)).any():
        return np.asarray(scipy.special.fdtr(between, within, f))
    return _incomplete_beta(between / 2, within / 2, *_shares(between * f, within))[()]


def fdtrc(between: ArrayLike, within: ArrayLike, f: ArrayLike) -> Array:
    """Return the probability that F with these degrees of freedom is above `f`."""
    between, within, f = (np.asarray(given, dtype=np.float64) for given in (between, within, f))
    if f.size > _MANY or not _usual(between / 2, within / 2) or ((f < 0) | (f > _FAR)).any():
        return np.asarray(scipy.special.fdtrc(between, within, f))
    return _incomplete_beta(within / 2, between / 2, *_shares(within, between * f))[()]


def bdtrc(successes: ArrayLike, trials: ArrayLike, chance: ArrayLike) -> Array:
    """Return the probability of more than so many successes, 0 <= successes <= trials."""
    successes, trials = np.asarray(successes), np.asarray(trials)
    chance = np.asarray(chance, dtype=np.float64)
    some = successes < trials
    a, b = successes + 1.0, np.where(some, trials - successes, 1.0)
    if successes.size > _MANY or not _usual(a, b) or ((successes > trials) | (chance < 0) | (chance > 1)).any():
        return np.asarray(scipy.special.bdtrc(successes, trials, chance))
    return np.where(some, _incomplete_beta(a, b, chance, 1 - chance), 0.0)[()]


def chdtrc(freedom: float, x: float) -> float:
    """Return the probability that chi-squared with so many degrees of freedom is above `x`."""
    a, x = freedom / 2, x / 2
    if not (_LEAST < a < _MOST and 0 <= x < _FAR):
        return float(scipy.special.chdtrc(freedom, 2 * x))
    bent = float(_bends(np.asarray((x - a) / a), np.asarray(x / a)))
    power = math.sqrt(a / (2 * math.pi)) * math.exp(a * bent - _stirling(a))
    if x < a + 1:
        total = term = 1 / a
        n = a
        while term > _ENOUGH * total:
            n += 1
            term *= x / n
            total += term
        return 1 - power * total
    denominator = x + 1 - a
    c, d = denominator, 0.0
    for k in range(1, _MOST_STEPS):
        numerator, partial = -k * (k - a), x + 2 * k + 1 - a
        d = 1 / (partial + numerator * d)
        c = partial + numerator / c
        denominator *= c * d
        if abs(c * d - 1) <= _ENOUGH:
            break
    return power / denominator


def _usual(*parameters: Array) -> bool:
    return all(bool(((_LEAST < parameter) & (parameter < _MOST)).all()) for parameter in parameters)


def _shares(one: Array, other: Array) -> tuple[Array, Array]:
    """Return the shares of the one and the other in their sum."""
    whole = one + other
    return one / whole, other / whole


def _incomplete_beta(a: Array, b: Array, x: Array, y: Array) -> Array:
    """Return I_x(a, b), the share of a beta variable below x, where y is 1 - x with its own digits.

    The side of the smaller parameter needs few steps to somewhat above its mean, and loses two digits there at most.
    """
    before = _powers(a, b, x, y)
    beyond = np.where(b < a, y < _reach(b, a + b), x >= _reach(a, a + b))
    a, b, x, y = np.where(beyond, b, a), np.where(beyond, a, b), np.where(beyond, y, x), np.where(beyond, x, y)
    fraction = _fraction(*(given.ravel() for given in (a, b, x, a * y - b * x)))
    below = before / fraction.reshape(before.shape)
    return np.where(beyond, 1 - below, below)


def _reach(smaller: Array, sum_of_both: Array) -> Array:
    mean = smaller / sum_of_both
    return np.maximum(mean, np.minimum(mean + 2 / sum_of_both, 0.3))


def _powers(a: Array, b: Array, x: Array, y: Array) -> Array:
    """Return x^a y^b / B(a, b)."""
    n = a + b
    off = np.where(x < y, n * x - a, b - n * y)
    bent = a * _bends(off / a, x * n / a) + b * _bends(-off / b, y * n / b)
    return np.sqrt(a * b / (2 * math.pi * n)) * np.exp(bent + _corrections(n) - _corrections(a) - _corrections(b))


def _fraction(a: Array, b: Array, x: Array, apart: Array) -> Array:
    """Return the continued fraction (n,) that powers are divided by; `apart` is a y - b x."""
    steps = _FEW_STEPS
    total, before = _convergent(a, b, x, apart, steps), _convergent(a, b, x, apart, steps // 2)
    left = np.abs(total - before) > _ALIKE * np.abs(total)
    while left.any() and steps < _MOST_STEPS:
        before, steps = total[left], 2 * steps
        total[left] = _convergent(a[left], b[left], x[left], apart[left], steps)
        left[left] = np.abs(total[left] - before) > _ALIKE * np.abs(total[left])
    return total


def _convergent(a: Array, b: Array, x: Array, apart: Array, steps: int) -> Array:
    """Return the fraction cut off after so many steps, from its end."""
    m = np.arange(1.0, steps + 1)[:, None]
    last = a + 2 * m - 1
    left = m * (b - m) * x / last
    numerators = left * (a + m - 1) * (a + b + m - 1) * x / last
    partials = m + left + (a + m) * (apart + 1 + m * (2 - x)) / (last + 2)
    total = partials[-1]
    for numerator, partial in zip(numerators[:0:-1], partials[-2::-1], strict=True):
        total = partial + numerator / total
    return a * (apart + 1) / (a + 1) + numerators[0] / total


def _bends(share: Array, ratio: Array) -> Array:
    """Return log(1 + share) - share, where `ratio` is 1 + share, with its own digits."""
    with np.errstate(divide="ignore"):  # the logarithm of 0 is what it should be
        return np.where(ratio < 0.5, np.log(ratio), np.log1p(share)) - share


def _corrections(z: Array) -> Array:
    return np.array([_stirling(one) for one in z.ravel().tolist()]).reshape(z.shape)


@lru_cache(maxsize=4096)
def _stirling(z: float) -> float:
    """Return log Gamma(z) less Stirling's formula, (z - 1/2) log z - z + log(2 pi)/2."""
    passed = 0.0
    while z < _STIRLING_FROM:
        passed += (z + 0.5) * math.log1p(1 / z) - 1
        z += 1
    correction = 0.0
    for term in _STIRLING:
        correction = correction / (z * z) + term
    return passed + correction / z


def holm(p_values: Array) -> Array:
    """Return p-values (k,) adjusted so that any of them falls below a level, by chance, no more often than the level.

    Holm (1979), which is valid however the tests depend on each other. The j-th smallest of k is multiplied by
    k - j + 1, and none may be smaller than one before it. NaN stays NaN and is not counted.
    """
    adjusted = np.full(p_values.shape, np.nan)
    known = np.flatnonzero(~np.isnan(p_values))
    count = len(known)
    small = known[p_values[known] * count < _CERTAIN]
    if 2 * len(small) <= count:  # all others are 1, which need not be put in order
        adjusted[known] = 1.0
        known = small
    order = known[np.argsort(p_values[known], kind="stable")]
    raised = p_values[order] * np.arange(count, count - len(order), -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(raised), 1.0)
    return adjusted
