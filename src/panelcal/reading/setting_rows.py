"""The rows of the sheet Settings: label, what may stand beside it, default, and an explanation in one line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType
from typing import Any, Literal

from panelcal.frozen import dataclass
from panelcal.reading.settings import METHOD_CHOICES


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
        "text", "number", "choice", "methods" (names of methods with commas between, or all) or "patterns" (headings
        with semicolons between; * stands for any letters, ? for one), or "heading" (one such).
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
    kind: Literal["text", "number", "choice", "methods", "patterns", "heading"]
    default: str | float | None
    explanation: str
    choices: Mapping[str, Any] = field(default_factory=dict)
    lowest: float | None = None
    highest: float | None = None


def _choices(*shown: str, **renamed: Any) -> Mapping[str, Any]:
    """Map the texts shown to the values of the field: each stands for itself unless renamed (with _ for a blank)."""
    renamings = {text.replace("_", " "): value for text, value in renamed.items()}
    return MappingProxyType({text: text for text in shown} | renamings)


SHEET_ROWS: tuple[SettingRow, ...] = (
    SettingRow("Sheet of scores", "sheet", "text", None, "Name of the sheet that holds the scores."),
    SettingRow(
        "Sheet of confidences", "confidence_sheet", "text", None, "Name of the sheet that holds the confidences."
    ),
)
"""Rows that are understood wherever they stand, and that a fresh sheet does not show."""

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
        None,
        "lower where 1 is best, as for German grades 1.0 to 5.0. Blank: higher, or asked.",
        choices=_choices(higher=True, lower=False),
    ),
    SettingRow(
        "Borderline zone",
        "borderline_zone",
        "number",
        None,
        "How far short of a class boundary still counts as borderline. Blank: 2% of the scale, 2 on 0 to 100.",
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
        "weighted keeps the weighted mean of all scores; equal counts each assessor alike; reference fixes the mean; "
        "common goes by the common objects below.",
        choices=_choices("weighted", "equal", "reference", "common"),
    ),
    SettingRow(
        "Reference score",
        "reference",
        "number",
        None,
        "Only when the zero of the biases is reference: the mean to hold. Blank: the weighted mean of the scores.",
    ),
    SettingRow(
        "Common objects",
        "common",
        "patterns",
        None,
        "Objects that everybody assessed first: they alone fix the zero of the biases. Semicolons between; * for any "
        "letters.",
    ),
    SettingRow(
        "Common objects have ranks",
        "common_ranked",
        "choice",
        "yes",
        "no leaves common objects and those with known values out of ranks and classes.",
        choices=_choices(yes=True, no=False),
    ),
    SettingRow(
        "Method",
        "method",
        "choice",
        "confidence",
        "How values are found; confidence is calibration with confidence. The others are for comparison.",
        choices=_choices(*METHOD_CHOICES),
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
        "Column of objects",
        "object_column",
        "heading",
        None,
        "Heading of the column that names what is assessed. Blank: found by its heading.",
    ),
    SettingRow(
        "Column of assessors",
        "assessor_column",
        "heading",
        None,
        "In a list: heading of the column that names who assessed. Blank: found by its heading.",
    ),
    SettingRow(
        "Column of scores",
        "score_column",
        "heading",
        None,
        "In a list: heading of the column with the scores. Blank: found by its heading.",
    ),
    SettingRow(
        "Column of confidences",
        "confidence_column",
        "heading",
        None,
        "Heading of the column (or row) with the confidences; none = do not use any. Blank: found by its heading.",
    ),
    SettingRow(
        "Only these hold scores",
        "scores",
        "patterns",
        None,
        "Headings of the columns with scores, with semicolons between; * stands for any letters, as in Judge*.",
    ),
    SettingRow(
        "Count in",
        "include",
        "patterns",
        None,
        "Headings or row labels that do count, whatever they look like, with semicolons between; * for any letters.",
    ),
    SettingRow(
        "Leave out",
        "exclude",
        "patterns",
        None,
        "Headings or row labels that are not to be read, with semicolons between; * stands for any letters.",
    ),
    SettingRow(
        "Names of assessors",
        "names",
        "text",
        None,
        "Where each assessor has a file or sheet: file, sheet, or the cell with the name, such as B2.",
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
        "Several scores in one cell",
        "several_in_cell",
        "choice",
        None,
        "What counts where a cell holds more than one, as 7, 8 or 7/8: mean, first, last, sum, percentage (7 of 8), or "
        "by name (Jones: 7; Smith: 8). Blank: it is asked.",
        choices=_choices("mean", "first", "last", "sum", "percentage", "by name"),
    ),
    SettingRow(
        "Blank names in a list",
        "blank_names",
        "choice",
        None,
        "What a blank beside a score stands for: repeat (the name above, written once) or leave out (no score of "
        "anybody, as a mean). Blank: it is asked.",
        choices=_choices("repeat", "leave out"),
    ),
    SettingRow(
        "Merged cells",
        "merged_cells",
        "choice",
        None,
        "What stands in merged cells among the scores: every (in each of them) or first (in the first alone). Blank: "
        "it is asked.",
        choices=_choices("every", "first"),
    ),
    SettingRow(
        "Comma in 1,234",
        "lone_comma",
        "choice",
        None,
        "Whether the comma in 1,234 marks thousands (thousand) or decimals (decimal). Blank: it is asked.",
        choices=_choices("thousand", "decimal"),
    ),
    SettingRow(
        "Different maxima",
        "different_maxima",
        "choice",
        None,
        "Where scores are out of different maxima by the sheet: percentage (of each maximum) or as they are. Blank: it "
        "is asked.",
        choices=_choices("percentage", "as they are"),
    ),
    SettingRow(
        "Further tables on the sheet",
        "further_tables",
        "choice",
        None,
        "Where a second table of scores stands below or beside the first: join (read all as one) or first (that "
        "alone). Blank: it is asked.",
        choices=_choices("join", "first"),
    ),
    SettingRow(
        "Alert threshold",
        "alert_threshold",
        "number",
        None,
        "A change of at least this many points is marked in the results. Blank: 5% of the scale, 5 on 0 to 100.",
        lowest=0.0,
    ),
    SettingRow(
        "Order of results",
        "order_of_results",
        "choice",
        "rank",
        "rank: cases to decide first, then the best; assessors by how generous they are. Or: as on the sheet.",
        choices=_choices("rank", "as on the sheet"),
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
        "Most draws",
        "draws",
        "number",
        64_000.0,
        "Method ordinal: it draws until the result is settled, but no more than this, and says so if it is not.",
        lowest=1_000.0,
        highest=10_000_000.0,
    ),
    SettingRow(
        "Time limit in seconds",
        "time_limit",
        "number",
        600.0,
        "Method ordinal: a run that takes longer is stopped, and nothing of it is reported.",
        lowest=1.0,
        highest=36000.0,
    ),
    SettingRow(
        "Smallest group in extracts",
        "smallest_group",
        "number",
        5.0,
        "Extracts give no bias of an assessor with fewer objects than this, from which somebody's score could be told.",
        lowest=1.0,
        highest=1000.0,
    ),
    SettingRow(
        "Memory to use",
        "memory_share",
        "number",
        0.8,
        "A panel that needs more than this share of the free memory is refused before anything is computed.",
        lowest=0.1,
        highest=100.0,
    ),
    SettingRow(
        "Further assessments to plan",
        "further",
        "number",
        None,
        "How many assessments to propose next, the best single one first, on the sheet Cal next. Blank: none.",
        lowest=1.0,
        highest=1000.0,
    ),
    SettingRow(
        "Most further for each assessor",
        "further_each",
        "number",
        None,
        "With the setting above: how many further ones an assessor takes at most. Blank: any number.",
        lowest=1.0,
        highest=1000.0,
    ),
)
