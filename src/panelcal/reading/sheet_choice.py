"""Choose the sheet with the scores by the rule of the house, and read the settings that bear on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from panelcal.errors import Answer, InputRefused, Question, SheetUnclear
from panelcal.frozen import dataclass
from panelcal.reading.answers import Way, question_in_words
from panelcal.reading.cell_values import is_blank, label_text
from panelcal.reading.decisions import About, Decision
from panelcal.reading.exports import recognised
from panelcal.reading.exports.easychair import BESIDE_REVIEWS, REVIEWS
from panelcal.reading.grid import Grid, Source, address
from panelcal.reading.headings import Role, role_of
from panelcal.reading.known_values import KNOWN_SHEET
from panelcal.reading.patterns import near_miss
from panelcal.reading.prior import PRIOR_SHEET
from panelcal.reading.problems import listed
from panelcal.reading.setting_rows import SHEET_ROWS
from panelcal.reading.settings import SETTINGS_SHEET, Settings
from panelcal.reading.settings_sheet import read_settings
from panelcal.reading.table import table_of
from panelcal.reading.words_as_scores import how_to_count_words

_NEVER_READ = (
    SETTINGS_SHEET.casefold(),
    PRIOR_SHEET.casefold(),
    KNOWN_SHEET.casefold(),
    "start here",
    "live results",
)
_RESULTS = "cal "
_NAMES_OF_SHEETS = frozenset(row.label for row in SHEET_ROWS)

Layout = TypeVar("Layout")
Over = Callable[[Settings], Settings]
"""Puts what was chosen for one run over the settings of a workbook."""


def as_they_are(settings: Settings) -> Settings:
    """Choose nothing over the settings of a workbook."""
    return settings


def settings_of(source: Source) -> tuple[Settings, tuple[Decision, ...], Grid | None]:
    """Read the settings of a workbook, what is said about them, and the sheet they stand on (None without one)."""
    grid = source.grid(SETTINGS_SHEET)
    if grid is None:
        sentence = "There is no sheet Settings, so every setting has its default; to choose, "
        if source.kind == "text":
            sentence += 'add options to the command, such as --method fisher or --set "Level of intervals=0.9".'
        else:
            sentence += "copy that sheet into your file from a template."
        return Settings(), (Decision(About.SETTINGS, (), sentence),), None
    return *read_settings(grid), grid


def settings_cells(grid: Grid | None) -> list[tuple[str, str, Any]]:
    """Return (sheet, address, value) of every cell of the settings, for the fingerprint."""
    if grid is None:
        return []
    return [
        (grid.sheet, address(i, j), value)
        for i, row in enumerate(grid.rows, start=1)
        if label_text(row[0]) not in _NAMES_OF_SHEETS  # what they hold is in the fingerprint, under their names
        for j, value in enumerate(row[:2], start=1)
        if not is_blank(value)
    ]


def is_ours(sheet: str) -> bool:
    """Tell whether a sheet is one of the program's own, which never holds scores."""
    name = sheet.casefold()
    return name in _NEVER_READ or name.startswith(_RESULTS)


@dataclass(frozen=True, slots=True)
class Sought(Generic[Layout]):
    """What a sheet is looked for.

    Attributes
    ----------
    what
        "scores", for the question which of several sheets it is.
    layout_of
        Tells how it is laid out on a sheet, None if there is none.
    why_not
        Says why a sheet that was named, or the only one there is, does not hold any.
    nowhere
        Says of the sheets that were looked at that none does.
    preferred
        Tells layouts that go before the others.
    likely
        Tells names of sheets that go before the others, where nothing else decides.
    """

    what: str
    layout_of: Callable[[Grid], Layout | None]
    why_not: Callable[[Grid], str]
    nowhere: Callable[[Sequence[Grid]], str]
    preferred: Callable[[Layout], bool] = lambda _: True
    likely: Callable[[str], bool] = lambda _: False


def chosen_sheet(
    source: Source, sheet: str | None, candidates: Sequence[Grid], sought: Sought[Layout]
) -> tuple[Grid, Layout]:
    """Choose a sheet: the one that is named, else the active one if it holds what is sought, else the only one.

    Parameters
    ----------
    candidates
        The sheets to look at where none is named.

    Raises
    ------
    InputRefused
        If no sheet, or more than one, could be it.
    """
    if sheet is not None:
        grid = sheet_called(source, sheet)
        if (layout := sought.layout_of(grid)) is None:
            raise InputRefused(sought.why_not(grid))
        return grid, layout
    found: list[tuple[Grid, Layout]] = []
    # The active sheet first: where it is the one, the others need not be looked at.
    for grid in sorted(candidates, key=lambda grid: grid.sheet != source.active):
        if (layout := sought.layout_of(grid)) is not None:
            if grid.sheet == source.active and sought.preferred(layout):
                return grid, layout
            found.append((grid, layout))
    found = [one for one in found if sought.preferred(one[1])] or found
    active = [one for one in found if one[0].sheet == source.active]
    likely = [one for one in found if sought.likely(one[0].sheet)]
    for only in (active, found, likely):
        if len(only) == 1:
            return only[0]
    if found:
        names = listed([grid.sheet for grid in candidates if any(grid is other for other, _ in found)])
        sentence = f"Several sheets could hold the {sought.what} ({names})"
        answers = [Answer({"sheet": grid.sheet}, f"read {grid.sheet}") for grid, _ in found]
        question = Question(f"{sentence}.", tuple(answers))
        said = f"{sentence}: bring the right one to the front."
        if source.kind == "workbook":
            on_sheet, _, settings_grid = settings_of(source)
            said = question_in_words(question, Way(source.kind, on_sheet, settings_grid))
        raise SheetUnclear(said, questions=[question])
    raise InputRefused(sought.nowhere(candidates))


def sheet_called(source: Source, sheet: str) -> Grid:
    """Return the sheet of that name, or refuse with the nearest one."""
    grid = source.grid(sheet)
    if grid is None:
        names, hint = listed([grid.sheet for grid in source.grids]), nearest_sheet(sheet, source)
        raise InputRefused(f"There is no sheet called {sheet} in {source.name}; its sheets are {names}.{hint}")
    return grid


def nearest_sheet(sheet: str, source: Source) -> str:
    """Spell which sheet may be meant: " Did you mean Marks?", or "" where none is called nearly so."""
    close = near_miss(sheet, [grid.sheet for grid in source.grids])
    return f" Did you mean {close}?" if close else ""


def scores_sheet(
    source: Source,
    sheet: str | None,
    confidence_sheet: str | None,
    layout_of: Callable[[Grid], Layout | None],
    preferred: Callable[[Layout], bool] = lambda _: True,
) -> tuple[Grid, Layout]:
    """Choose the sheet with the scores of a panel; one of confidences looks like it and is passed over.

    `preferred` tells layouts that go before the others, also before the one in front.

    Raises
    ------
    InputRefused
        If no sheet, or more than one, could be it.
    """
    ours = [grid for grid in source.grids if not is_ours(grid.sheet)]
    if confidence_sheet is not None:
        ours = [grid for grid in ours if grid.sheet.casefold() != confidence_sheet.casefold()]
    if len(ours) > 1:
        # Without any marks beside it, a sheet of confidences must not be taken for a panel.
        ours = [grid for grid in ours if not is_about_confidence(grid.sheet)] or ours

    ours = _reviews_of_a_conference(source, ours)

    def why_not(grid: Grid) -> str:
        on_sheet, _, settings_grid = settings_of(source)
        return _why_not(grid, Way(source.kind, on_sheet, settings_grid))

    def nowhere(looked_at: Sequence[Grid]) -> str:
        if len(looked_at) == 1:
            return why_not(looked_at[0])
        if not looked_at:
            return (
                f"{source.name} has no sheet for scores (sheets called Settings, Start here or Cal ... are not read): "
                "add one."
            )
        names = listed([grid.sheet for grid in looked_at])
        return (
            f"None of the sheets {names} holds a panel: put ids in the first column, names of assessors above, and "
            "numbers below them, or a list with columns such as Student, Module and Mark."
        )

    return chosen_sheet(source, sheet, ours, Sought("scores", layout_of, why_not, nowhere, preferred))


def _reviews_of_a_conference(source: Source, candidates: list[Grid]) -> list[Grid]:
    """Look at the reviews alone where another sheet of a whole conference by EasyChair is in front."""
    by_name = {grid.sheet.casefold(): grid for grid in candidates}
    reviews = by_name.get(REVIEWS)
    if reviews is None or "submissions" not in by_name or source.active.casefold() not in BESIDE_REVIEWS:
        return candidates
    return [reviews] if recognised(table_of(reviews)) is not None else candidates


def _why_not(grid: Grid, way: Way) -> str:
    """Say why a sheet is no panel."""
    table = table_of(grid)
    if not table.n_rows:
        return f"Sheet {grid.sheet} is empty: put ids in the first column, names of assessors above, scores below them."
    if not any(table.numeric(i, j) for i in range(table.n_rows) for j in range(table.n_columns)):
        said = f"Sheet {grid.sheet} holds no numbers where scores are expected: type the scores below the headings."
        return " ".join(filter(None, [said, how_to_count_words(table, way)]))
    return (
        f"Sheet {grid.sheet} has no headings that could be read: write the names of the assessors in a row above "
        f"the scores and "
        "the ids in the first column, or give a list the headings Student, Module and Mark (or your words for them)."
    )


def is_about_confidence(sheet: str) -> bool:
    """Tell whether the name of a sheet says that it holds confidences."""
    words = set(label_text(sheet).casefold().replace("_", " ").split())
    return role_of(sheet) in (Role.WEIGHT, Role.DEVIATION) or bool(
        words & {"confidence", "confidences", "credits", "weights", "uncertainty", "uncertainties", "deviations"}
    )
