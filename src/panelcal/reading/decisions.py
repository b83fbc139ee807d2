"""What the reader decided, cell by cell: the rows of `Cal audit`."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from panelcal.frozen import dataclass
from panelcal.reading.grid import Source

Weight = Literal["note", "warning"]


class About(StrEnum):
    """What a decision is about, as `Cal audit` shows it; braces stand for the user's nouns."""

    # The file and its settings.
    ABOUT_THE_FILE = "about the file"
    SETTINGS = "settings"
    KNOWN_EXPORT = "known export"
    CALCULATION = "how the workbook calculates"
    FORMULA = "formula"
    OTHER_SHEETS_ALIKE = "other sheets alike"

    # Which cells are scores.
    OUTSIDE_THE_BLOCK = "outside the block"
    NOT_READ = "not read"
    ONLY_SPACES = "only spaces"
    COLUMN_NOT_READ = "column not read"
    NAMES_BESIDE_THE_IDS = "names beside the ids"
    COLUMN_ABOUT_OBJECTS = "column about objects"
    TEXT_COLUMN = "text column"
    TEXT_WITHOUT_HEADING = "text without heading"
    TOTAL_OR_STATISTIC = "total or statistic"
    STATISTICS_ROW = "statistics row"
    STATISTICS = "statistics"
    CALLED_LIKE_A_STATISTIC = "called like a statistic"
    LEFT_OUT_BY_NAME = "left out by name"
    NOTE = "note"
    REPEATED_HEADINGS = "repeated headings"
    HEADINGS_SHIFTED = "headings shifted"
    BLANK_ROWS_BRIDGED = "blank rows bridged"
    BLANK_COLUMNS_BRIDGED = "blank columns bridged"
    TABLES_JOINED = "tables joined"
    IDS_BEHIND_THE_SCORES = "ids behind the scores"
    HIDDEN_INCLUDED = "hidden included"
    HIDDEN_EXCLUDED = "hidden excluded"

    # Whose they are.
    SLOTS_WITH_NAMES = "slots with names"
    SLOTS_WITHOUT_NAMES = "slots without names"
    FULL_NAMES = "full names"
    OBJECTS_BY_VALUES = "objects by their values"
    SCORES_BY_NAME = "scores by name"
    NAMES_OF_PEOPLE = "names of people"
    NEAR_MATCH = "near match"
    DUPLICATE_ROW = "duplicate row"
    DUPLICATE_COLUMN = "duplicate column"
    REPEATED_ROW_AVERAGE = "repeated row: average"
    REPEATED_COLUMN_AVERAGE = "repeated column: average"
    REPEATED_PAIR_AVERAGE = "repeated pair: average"
    REPEATED_PAIR_LAST = "repeated pair: last"
    REPEATED_PAIR_KEEP_BOTH = "repeated pair: keep both"
    OBJECT_WITHOUT_SCORE = "{object} without score"
    ASSESSOR_WITHOUT_SCORE = "{assessor} without score"
    NOT_ASSESSED = "not assessed"

    # What they mean.
    CODE_EXCLUDED = "code excluded"
    CODE_COUNTED_AS_ZERO = "code counted as zero"
    TEXT_READ_AS_NUMBER = "text read as number"
    GRADE_READ_AS_NUMBER = "grade read as number"
    SEVERAL_SCORES_IN_ONE_CELL = "several scores in one cell"
    SCORES_WITH_UNCERTAINTY = "scores with uncertainty"
    PERCENTAGES_MULTIPLIED_BY_100 = "percentages multiplied by 100"
    PERCENTAGES_OF_MAXIMA = "percentages of maxima"
    CRITERIA_ADDED_UP = "criteria added up"
    CRITERIA_IN_ROWS = "criteria in rows"
    CRITERIA_BELOW_NAMES = "criteria below names"
    CRITERIA_MISSING = "criteria missing"

    # What looks odd.
    NEGATIVE_SCORE = "negative score"
    ABOVE_THE_SCALE = "above the scale"
    FAR_ABOVE = "far above the scale"
    FAR_OFF = "far from the others"
    MANY_ZEROS = "many zeros"
    UNEVEN_SCALE = "uneven scale"
    LOWER_HALF_OF_THE_SCALE = "lower half of the scale"
    LOWER_IS_BETTER = "lower is better"
    DIRECTION_BY_LABELS = "direction by labels"
    DIRECTION_NOT_SAID = "direction not said"
    NO_CROSS_CHECK = "no cross-check"
    NO_EFFECT_ON_OTHERS = "no effect on others"

    # What stands beside scores.
    CONFIDENCES = "confidences"
    CONFIDENCES_BESIDE_SCORES = "confidences beside scores"
    CONFIDENCES_IN_A_ROW = "confidences in a row"
    CONFIDENCES_MATCHED_BY_NAME = "confidences matched by name"
    CONFIDENCES_NOT_USED = "confidences not used"
    CONFIDENCE_COLUMN_NOT_USED = "confidence column not used"
    COMMON_OBJECTS = "common objects"
    NEARNESS = "nearness"
    PRIOR = "prior"
    CONFLICTS = "conflicts"

    # Ratings.
    LEVELS_OF_THE_SCALE = "levels of the scale"
    RATING_WORDS = "rating words"
    FEATURES_NOT_RATED = "features not rated"
    CATEGORIES = "categories"

    # Anchors.
    ANCHORS_BY_DATE = "anchors by date"
    LATEST_ANCHORS = "latest anchors"
    BEFORE_THE_FIRST_ANCHORS = "before the first anchors"
    DATES_NOT_USED = "dates not used"
    BLOCKS = "blocks"
    ANCHOR_NOT_SCORED = "anchor not scored"
    AGENT_WITHOUT_SCORES = "agent without scores"
    CONSENSUS_OF_ITEMS = "consensus of items"
    CONSENSUS_OF_REVIEWS = "consensus of reviews"
    REVIEWED_ONLY = "reviewed only"
    NOT_ADJUDICATED = "not adjudicated"


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision about some cells.

    Attributes
    ----------
    kind
        What it is about.
    cells
        Addresses within `sheet`: single cells ("C7") or ranges ("A90:CD92").
    sentence
        What was found and what was done, in words, ending with how to have it otherwise where there is a choice.
    weight
        "warning" when somebody should look at it, else "note".
    sheet
        The sheet the cells are on.
    excluded_scores
        How many non-empty cells inside the block of scores this decision kept out of the panel.
    found
        What the cells hold, where it is the same code in all of them, or the words that were read as numbers.
    noun
        The user's word for the object or assessor that it is about, where its kind has a place for one.
    """

    kind: About
    cells: tuple[str, ...]
    sentence: str
    weight: Weight = "note"
    sheet: str = ""
    excluded_scores: int = 0
    found: str = ""
    noun: str = ""

    @property
    def title(self) -> str:
        """Its kind in a few words: "code excluded", "student without score"."""
        return self.kind.value.format(object=self.noun, assessor=self.noun)


def about_the_file(source: Source) -> list[Decision]:
    """Put on record what the loader saw, and what it could not see."""
    notes = [Decision(About.ABOUT_THE_FILE, (), note) for note in source.notes]
    return notes + [Decision(About.ABOUT_THE_FILE, (), caution, "warning") for caution in source.cautions]
