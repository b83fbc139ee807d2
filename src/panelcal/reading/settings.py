"""The Settings sheet: what a user may choose, its defaults, and how each choice is explained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

Gauge = Literal["weighted", "equal", "reference"]
CodeTreatment = Literal["exclude", "zero", "stop"]

DEFAULT_CODES: Mapping[str, CodeTreatment] = MappingProxyType(
    {code: "exclude" for code in ("ABS", "AB", "NS", "DNA", "EXT", "MC", "DEF", "WD", "-", "n/a")}
)


@dataclass(frozen=True, slots=True)
class Band:
    """A class: everything from `lowest` up to the next band (in the direction that is better)."""

    name: str
    lowest: float


@dataclass(frozen=True, slots=True)
class Settings:
    """Choices for one run. The defaults are what a sheet without settings gets.

    Attributes
    ----------
    object_noun, assessor_noun, score_noun
        Singular words for the three; empty = taken from the sheet's own headings, else object, assessor, score.
    scale_low, scale_high
        Ends of the declared scale, None = none declared.
    higher_is_better
        False for scales such as the German 1.0-5.0.
    bands
        Classes, best first; empty = no classes.
    borderline_zone
        Width below a boundary (on its worse side) that counts as borderline, in score units.
    borderline_credit_share
        Flag a borderline object only if at least this share of its confidence was awarded at or above the boundary.
    codes
        Text found in score cells -> what to do with it.
    gauge, reference
        Where the zero of the biases lies; `reference` only for gauge "reference" (None = the mean score).
    method
        Name of the method whose values go to `Cal values`.
    confidence_form
        "auto", "weight" (credits, c itself), "sd" (standard deviation), "word", "range" or "plus-minus".
    confidence_p
        The paper's p: high, medium, low -> p^2, 1, p^-2.
    range_halfwidth_sds
        How many standard deviations the half-width of a range such as 60-70 stands for.
    layout
        "auto", "objects down", "objects across" or "list".
    hidden
        What to do with hidden or filtered rows and columns.
    repeated
        What to do with a repeated pair in a long list.
    alert_threshold
        A change of at least this many score units is marked.
    level
        Confidence level of intervals.
    """

    object_noun: str = ""
    assessor_noun: str = ""
    score_noun: str = ""
    scale_low: float | None = None
    scale_high: float | None = None
    higher_is_better: bool = True
    bands: tuple[Band, ...] = ()
    borderline_zone: float = 2.0
    borderline_credit_share: float = 0.5
    codes: Mapping[str, CodeTreatment] = field(default_factory=lambda: DEFAULT_CODES)
    gauge: Gauge = "weighted"
    reference: float | None = None
    method: str = "confidence"
    confidence_form: Literal["auto", "weight", "sd", "word", "range", "plus-minus"] = "auto"
    confidence_p: float = 2.0
    range_halfwidth_sds: float = 1.0
    layout: Literal["auto", "objects down", "objects across", "list"] = "auto"
    hidden: Literal["include", "exclude"] = "include"
    repeated: Literal["stop", "average", "last", "keep both"] = "stop"
    alert_threshold: float = 5.0
    level: float = 0.95
