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
from dataclasses import field
from types import MappingProxyType
from typing import Literal

from panelcal.frozen import dataclass
from panelcal.methods import METHODS, SYSTEMS
from panelcal.reading.policy_rules import PolicyRule

Gauge = Literal["weighted", "equal", "reference", "common"]
CodeTreatment = Literal["exclude", "zero", "stop"]
SeveralInCell = Literal["", "mean", "first", "last", "sum", "percentage", "by name"]
BlankNames = Literal["", "repeat", "leave out"]
DifferentMaxima = Literal["", "percentage", "as they are"]
FurtherTables = Literal["", "join", "first"]
MergedCells = Literal["", "every", "first"]
LoneComma = Literal["", "thousand", "decimal"]

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
    direction_given
        True where somebody said so, or said the contrary, rather than leaving it at the default.
    bands
        Classes, best first; empty = no classes.
    borderline_zone
        Width below a boundary (on its worse side) that counts as borderline, in score units.
    borderline_credit_share
        Flag a borderline object only if at least this share of its confidence was awarded at or above the boundary.
    codes
        Text found in score cells -> what to do with it.
    gauge, reference
        Where the zero of the biases lies; `reference` only for gauge "reference" (None = the mean score). "common" goes
        with common objects or known values, and they with it: the reader sees to that.
    common
        Patterns of labels of objects that everybody assessed first, and that alone fix the zero; empty = none.
    common_ranked
        Whether objects that fix the zero have ranks and classes like the others.
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
    sheet, confidence_sheet
        Names of the sheets with the scores and with the confidences; empty = found.
    layout
        "auto", "objects down", "objects across" or "list".
    object_column, assessor_column, score_column, confidence_column
        Heading (wildcards allowed) of the column that holds the objects, the assessors, the scores, the confidences;
        empty = found by the words of the trades.
    scores
        Patterns of headings: only these columns (or rows) hold scores; empty = whatever looks like it.
    include, exclude
        Patterns of headings and row labels: these count whatever they look like; these are not read.
    criteria
        Headings of columns that are criteria of one score -> how much each counts in the sum; empty = none. "together"
        among them: the criteria, or whatever columns hold scores, are calibrated together. "each" alone: every
        criterion by itself.
    grades
        Words that stand for scores -> the number each counts as; empty = none.
    policy
        Rules that the result is held against; empty = none.
    same
        Names of objects or assessors -> the name that each counts as; empty = every spelling is somebody else.
    names
        Where several files or sheets are one panel: "file", "sheet", or the address of the cell with the assessor's
        name; empty = by the file, or by the sheet.
    hidden
        What to do with hidden or filtered rows and columns.
    repeated
        What to do with a repeated pair in a long list.
    several_in_cell
        Which score counts where a cell holds several ("7, 8"); empty = that is asked.
    blank_names, merged_cells, lone_comma
        What a blank beside a score of a list stands for, which of merged cells hold what they show, and what the comma
        in 1,234 means; empty = that is asked.
    different_maxima, further_tables
        What becomes of scores whose highest possible scores differ, and of a second table of scores on the sheet; empty
        = that is asked.
    alert_threshold
        A change of at least this many score units is marked; None = by the scale (`scale.alert_threshold`).
    order_of_results
        Order of the rows on `Cal values` and `Cal assessors`: cases to decide first, then by rank; or as in the input.
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
    draws
        Method ordinal: how many draws there may be until the chains agree.
    time_limit
        Method ordinal: seconds after which the run ends without a result.
    smallest_group
        Extracts give no bias of an assessor with fewer objects.
    memory_share
        Share of the free memory that a panel may need.
    further, further_each
        How many further assessments to propose, and how many of them an assessor takes at most; None = none, and any
        number.
    """

    heading: str = ""
    object_noun: str = ""
    assessor_noun: str = ""
    score_noun: str = ""
    scale_low: float | None = None
    scale_high: float | None = None
    higher_is_better: bool = True
    direction_given: bool = False
    bands: tuple[Band, ...] = ()
    borderline_zone: float | None = None
    borderline_credit_share: float = 0.5
    codes: Mapping[str, CodeTreatment] = field(default_factory=lambda: DEFAULT_CODES)
    gauge: Gauge = "weighted"
    reference: float | None = None
    common: tuple[str, ...] = ()
    common_ranked: bool = True
    method: str = "confidence"
    compare: tuple[str, ...] = ()
    confidence_form: Literal["auto", "weight", "sd", "word", "range", "plus-minus"] = "auto"
    confidence_p: float = 2.0
    range_halfwidth_sds: float = 1.0
    sheet: str = ""
    confidence_sheet: str = ""
    layout: Literal["auto", "objects down", "objects across", "list"] = "auto"
    object_column: str = ""
    assessor_column: str = ""
    score_column: str = ""
    confidence_column: str = ""
    scores: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    criteria: Mapping[str, float] = field(default_factory=dict)
    grades: Mapping[str, float] = field(default_factory=dict)
    policy: tuple[PolicyRule, ...] = ()
    same: Mapping[str, str] = field(default_factory=dict)
    names: str = ""
    hidden: Literal["include", "exclude"] = "include"
    repeated: Literal["stop", "average", "last", "keep both"] = "stop"
    several_in_cell: SeveralInCell = ""
    blank_names: BlankNames = ""
    merged_cells: MergedCells = ""
    lone_comma: LoneComma = ""
    different_maxima: DifferentMaxima = ""
    further_tables: FurtherTables = ""
    alert_threshold: float | None = None
    order_of_results: Literal["rank", "as on the sheet"] = "rank"
    level: float = 0.95
    rating_words: Mapping[str, float] = field(default_factory=dict)
    feature_weights: Mapping[str, float] = field(default_factory=dict)
    ordinal_level: float = 0.89
    prizes: float = 3.0
    draws: float = 64_000.0
    time_limit: float = 600.0
    smallest_group: float = 5.0
    memory_share: float = 0.8
    further: float | None = None
    further_each: float | None = None

    @property
    def criteria_together(self) -> bool:
        """Whether criteria are calibrated together: `criteria` says so in the place of a heading."""
        return any(name.casefold() == TOGETHER for name in self.criteria)

    @property
    def criteria_each(self) -> bool:
        """Whether every criterion is calibrated by itself, in a run of its own."""
        return [name.casefold() for name in self.criteria] == [EACH]

    @property
    def criteria_named(self) -> Mapping[str, float]:
        """The headings that are criteria, and how much each counts; empty = none, or whatever is a score."""
        return {name: weight for name, weight in self.criteria.items() if name.casefold() != TOGETHER}


TOGETHER = "together"
"""In the place of a heading among the criteria: calibrate them together."""
EACH = "each"
"""In the place of the criteria: calibrate every one of them by itself."""
NO_CONFIDENCES = "none"
"""As the column of confidences: use none."""
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
CRITERION_HEADINGS = ("Criterion", "Weight of criterion")
CRITERION_EXPLANATION = (
    "Where a score is the sum of several columns: heading of each and how much it counts. Or one word: together (all "
    "criteria calibrated together) or each (every one by itself). Empty: one score is read."
)
GRADE_HEADINGS = ("Grade", "Number")
GRADE_EXPLANATION = "Scores that are words or letters: each and the number it counts as, as in A+ 12, A 11, A- 10."
METHOD_NAMES = ("confidence", *(name for name in METHODS if name != "confidence"))
"""The usual one first."""
METHOD_CHOICES = (*METHOD_NAMES, *SYSTEMS)
"""What the setting Method and `--method` take."""
ALL_METHODS = "all"
