"""The Settings sheet as data: what a user may choose, its defaults, and how each choice is explained.

How the sheet looks (a template builder writes it from the tables below, `settings_sheet` reads it back):

- title in A1, one line of explanation in A2;
- row 4 has the headings of `SETTING_HEADINGS`; from row 5 one row for each entry of `SETTING_ROWS`: label in column A,
  value in column B, explanation in column C; a blank value means the default;
- below, after a blank row, the classes: a row with `BAND_HEADINGS` in A and B, then one class per row, to the first
  blank row (no classes: nothing below the headings);
- below, after a blank row, the codes: a row with `CODE_HEADINGS` in A and B, then one code per row, to the first blank
  row. This table replaces the default codes: a code that is deleted from it is unknown text.

Only the headings matter: all three tables are found by them, wherever they stand, and the order of rows is free.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

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
    heading
        What stands at the top of `Cal summary`; empty = the name of the file.
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
    compare
        Names of the methods that stand on `Cal methods` beside the paper's four.
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
    rating_words
        Method ordinal: words for ratings -> the level each stands for; empty = ratings are numbers.
    feature_weights
        Method ordinal: headings of the columns that are features -> how much each counts in the total; empty = every
        column of ratings, all alike.
    ordinal_level
        Method ordinal: share of the posterior that intervals and winner sets hold.
    prizes
        Method ordinal: how many places there are to award.
    time_limit
        Method ordinal: seconds after which sampling stops.
    """

    heading: str = ""
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
    compare: tuple[str, ...] = ()
    confidence_form: Literal["auto", "weight", "sd", "word", "range", "plus-minus"] = "auto"
    confidence_p: float = 2.0
    range_halfwidth_sds: float = 1.0
    layout: Literal["auto", "objects down", "objects across", "list"] = "auto"
    hidden: Literal["include", "exclude"] = "include"
    repeated: Literal["stop", "average", "last", "keep both"] = "stop"
    alert_threshold: float = 5.0
    level: float = 0.95
    rating_words: Mapping[str, float] = field(default_factory=dict)
    feature_weights: Mapping[str, float] = field(default_factory=dict)
    ordinal_level: float = 0.89
    prizes: float = 3.0
    time_limit: float = 60.0


SETTINGS_SHEET = "Settings"
SETTINGS_TITLE = "Settings"
SETTINGS_EXPLANATION = "Change column B only; a blank cell means the default. The tables of classes and codes may grow."
SETTING_HEADINGS = ("Setting", "Value", "Explanation")
SETTING_HEADING_ROW = 4
BAND_HEADINGS = ("Class", "From")
BAND_EXPLANATION = "Classes and the score where each begins, for example First 70. Leave empty for no classes."
CODE_HEADINGS = ("Code", "Treatment")
CODE_EXPLANATION = (
    "What text in a score cell means: exclude = not assessed, zero = a score of 0, stop = refuse the sheet."
)
CODE_TREATMENTS: tuple[CodeTreatment, ...] = ("exclude", "zero", "stop")
WORD_HEADINGS = ("Rating word", "Level")
WORD_EXPLANATION = (
    "Method ordinal, for ratings written in words: each word and the level it stands for, as in Poor 1, Fair 2, Good 3."
)
FEATURE_HEADINGS = ("Feature", "Weight")
FEATURE_EXPLANATION = (
    "Method ordinal: headings of the columns of ratings and how much each counts. Empty: every such column, all alike."
)
METHOD_NAMES = (
    "confidence",
    "simple_average",
    "weighted_average",
    "fisher",
    "assessor_centred",
    "z_scores",
    "spread",
    "bounded",
    "log",
    "shrunken_biases",
    "random_effects",
    "median_polish",
    "bisquare",
    "review_thresholds",
    "hodge",
    "hodge_signs",
)
ALL_METHODS = "all"


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One row of the Settings sheet.

    Attributes
    ----------
    label
        Text in column A.
    field_name
        The field of `Settings` it sets.
    kind
        "text", "number", "choice" or "methods" (names of methods with commas between, or all).
    default
        What column B shows in a fresh sheet; None = blank.
    explanation
        One line in plain words for column C.
    choices
        For "choice": what may stand in the cell (the drop-down, in order) -> the value of the field.
    lowest, highest
        For "number": the range allowed, for data validation; None = no limit.
    """

    label: str
    field_name: str
    kind: Literal["text", "number", "choice", "methods"]
    default: str | float | None
    explanation: str
    choices: Mapping[str, Any] = field(default_factory=dict)
    lowest: float | None = None
    highest: float | None = None


def _choices(*shown: str, **renamed: Any) -> Mapping[str, Any]:
    """Map the texts shown to the values of the field: each stands for itself unless renamed (with _ for a blank)."""
    renamings = {text.replace("_", " "): value for text, value in renamed.items()}
    return MappingProxyType({text: text for text in shown} | renamings)


SETTING_ROWS: tuple[SettingRow, ...] = (
    SettingRow(
        "Heading of the paper",
        "heading",
        "text",
        None,
        "What stands at the top of Cal summary, such as board, degree and year. Blank: the name of the file.",
    ),
    SettingRow(
        "Word for an object",
        "object_noun",
        "text",
        None,
        "What is assessed, in the singular: Student, Talk, Proposal. Blank: the sheet's own heading.",
    ),
    SettingRow(
        "Word for an assessor",
        "assessor_noun",
        "text",
        None,
        "Who or what assesses: Module, Judge, Reviewer. Blank: the sheet's own heading.",
    ),
    SettingRow(
        "Word for a score",
        "score_noun",
        "text",
        None,
        "What is given: Mark, Score, Rating. Blank: the sheet's heading.",
    ),
    SettingRow(
        "Lowest score",
        "scale_low",
        "number",
        None,
        "Lower end of the scale; a score below it stops the run. Blank: no scale is checked.",
    ),
    SettingRow(
        "Highest score",
        "scale_high",
        "number",
        None,
        "Upper end of the scale; a score above it is warned about (extra credit exists). Blank: no scale is checked.",
    ),
    SettingRow(
        "Better scores are",
        "higher_is_better",
        "choice",
        "higher",
        "lower for scales on which 1 is best, such as German grades 1.0 to 5.0.",
        choices=_choices(higher=True, lower=False),
    ),
    SettingRow(
        "Borderline zone",
        "borderline_zone",
        "number",
        2.0,
        "How far short of a class boundary still counts as borderline, in score points.",
        lowest=0.0,
    ),
    SettingRow(
        "Borderline share at or above",
        "borderline_credit_share",
        "number",
        0.5,
        "Borderline only if at least this share of the credits was marked at or above the boundary; 0.5 is half.",
        lowest=0.0,
        highest=1.0,
    ),
    SettingRow(
        "Zero of the biases",
        "gauge",
        "choice",
        "weighted",
        "weighted keeps the weighted mean of all scores; equal counts each assessor alike; reference fixes the mean.",
        choices=_choices("weighted", "equal", "reference"),
    ),
    SettingRow(
        "Reference score",
        "reference",
        "number",
        None,
        "Only when the zero of the biases is reference: the mean to hold. Blank: the weighted mean of the scores.",
    ),
    SettingRow(
        "Method",
        "method",
        "choice",
        "confidence",
        "How values are found; confidence is calibration with confidence. The others are for comparison.",
        choices=_choices(*METHOD_NAMES, "ordinal", "anchors"),
    ),
    SettingRow(
        "Methods to compare",
        "compare",
        "methods",
        None,
        "Shown on Cal methods beside the usual four: names from the list above with commas between, or all. Blank: the "
        "four only.",
    ),
    SettingRow(
        "Confidences are",
        "confidence_form",
        "choice",
        "auto",
        "auto goes by the headings: weights (credits), standard deviations, words (high, medium, low), "
        "ranges (60-70) or plus-minus (65 +/- 5).",
        choices=_choices(
            "auto", "plus-minus", weights="weight", standard_deviations="sd", words="word", ranges="range"
        ),
    ),
    SettingRow(
        "Ratio p between confidence words",
        "confidence_p",
        "number",
        2.0,
        "high, medium and low confidence count as p squared, 1 and 1 over p squared.",
        lowest=1.01,
        highest=100.0,
    ),
    SettingRow(
        "Half-width of a range in standard deviations",
        "range_halfwidth_sds",
        "number",
        1.0,
        "For confidences written as ranges or plus-minus: 1 means about two thirds of the cases, 2 means 95%.",
        lowest=0.01,
        highest=100.0,
    ),
    SettingRow(
        "Layout",
        "layout",
        "choice",
        "auto",
        "auto goes by the headings; objects down = one row per object; objects across = one column per object; "
        "list = one row per score.",
        choices=_choices("auto", "objects down", "objects across", "list"),
    ),
    SettingRow(
        "Hidden rows and columns",
        "hidden",
        "choice",
        "include",
        "include reads hidden and filtered cells like any other; exclude leaves them out.",
        choices=_choices("include", "exclude"),
    ),
    SettingRow(
        "Repeated assessments",
        "repeated",
        "choice",
        "stop",
        "When a list has the same object and assessor twice: stop, average, last (keep the lower row) or keep both.",
        choices=_choices("stop", "average", "last", "keep both"),
    ),
    SettingRow(
        "Alert threshold",
        "alert_threshold",
        "number",
        5.0,
        "A change of at least this many score points is marked in the results.",
        lowest=0.0,
    ),
    SettingRow(
        "Level of intervals",
        "level",
        "number",
        0.95,
        "How sure the intervals are: 0.95 is 95%.",
        lowest=0.5,
        highest=0.999,
    ),
    SettingRow(
        "Places to award",
        "prizes",
        "number",
        3.0,
        "Method ordinal: how many places there are, for the chance to be among them.",
        lowest=1.0,
        highest=1000.0,
    ),
    SettingRow(
        "Level of ordinal intervals",
        "ordinal_level",
        "number",
        0.89,
        "Method ordinal: how sure its intervals and its set of possible winners are; 0.89 is 89%.",
        lowest=0.5,
        highest=0.999,
    ),
    SettingRow(
        "Time limit in seconds",
        "time_limit",
        "number",
        60.0,
        "Method ordinal: it stops after this time and says so if the result is not settled by then.",
        lowest=1.0,
        highest=36000.0,
    ),
)
