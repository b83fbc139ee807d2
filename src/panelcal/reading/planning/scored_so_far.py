"""Read what a plan that goes on needs: the scores so far, who has none yet, and who must not meet whom."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from panelcal.errors import InputRefused
from panelcal.frozen import dataclass
from panelcal.reading.cell_values import label_text
from panelcal.reading.decisions import About, Decision
from panelcal.reading.grid import Grid, Source, address, corners_of
from panelcal.reading.nouns import counted, plural
from panelcal.reading.planning.plan_conflicts import KnownNames, NamedList, conflicts_on_sheet, sheets_of_conflicts
from panelcal.reading.planning.read_plan import PlanWanted
from panelcal.reading.problems import Problems
from panelcal.reading.read import read_panel
from panelcal.reading.reading import Reading
from panelcal.reading.settings import TOGETHER, Settings
from panelcal.reading.sheet_choice import settings_of
from panelcal.reading.table import table_of
from panelcal.reading.understood import Header

Place = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ScoredSoFar(Header):
    """The scores so far, and what goes on from them.

    Attributes
    ----------
    scored
        The scores as they are read for a calibration.
    objects, assessors
        Names: those with scores first, in the order of the panel, then those who have none yet.
    barred
        Pairs (object, assessor), counted from 0, that must not be proposed: conflicts of interest, and cells that hold
        a code.
    wanted
        What was asked for.
    """

    scored: Reading
    objects: tuple[str, ...]
    assessors: tuple[str, ...]
    barred: frozenset[tuple[int, int]]
    wanted: PlanWanted


def read_scored_so_far(
    source: Source, *, sheet: str | None, wanted: PlanWanted, over: Callable[[Settings], Settings]
) -> ScoredSoFar:
    """Read the scores, the names that stand there without a score, and conflicts of interest.

    Raises
    ------
    InputRefused
        If the scores or the conflicts cannot be read without guessing.
    """
    conflicts = sheets_of_conflicts(source.grids)
    scored = _scores(source, sheet, over)
    grid = source.grid(scored.sheet)
    if grid is None:
        raise InputRefused(f"{scored.source_name} holds several assessors' sheets: a plan goes on from one sheet.")
    names = _Names(grid, scored)
    unscored = [place for decision in scored.decisions for place in names.without_score(decision)]
    objects, assessors = _with_more(scored.panel.objects, unscored, 0), _with_more(scored.panel.assessors, unscored, 1)
    at = [{name: k for k, name in enumerate(known)} for known in (objects, assessors)]
    barred = {(at[0][o], at[1][a]) for o, a in scored.barred if o in at[0] and a in at[1]}
    problems, decisions = Problems(), list(scored.decisions)
    lists = [_listed(noun, known) for noun, known in ((scored.nouns.object, at[0]), (scored.nouns.assessor, at[1]))]
    for other in conflicts:
        pairs = conflicts_on_sheet(table_of(other), KnownNames(scored.sheet, *lists), scored.settings, problems)
        barred |= pairs
        said = f"{counted(len(pairs), 'pair')} must not meet, by sheet {other.sheet}."
        decisions.append(Decision(About.CONFLICTS, (), said, "note", other.sheet))
    problems.stop_if_any()
    return ScoredSoFar(
        settings=scored.settings,
        nouns=scored.nouns,
        source_name=scored.source_name,
        sheet=scored.sheet,
        summary=scored.summary,
        decisions=tuple(decisions),
        scored=scored,
        objects=objects,
        assessors=assessors,
        barred=frozenset(barred),
        wanted=wanted,
    )


def _scores(source: Source, sheet: str | None, over: Callable[[Settings], Settings]) -> Reading:
    """Read scores, or ratings: their features added up, of which some may be missing, or the one there is."""
    try:
        return read_panel(source, sheet=sheet, over=lambda settings: _features_added_up(over(settings)))
    except InputRefused as refusal:
        if not _is_ratings(over(settings_of(source)[0])):
            raise
        try:
            return read_panel(source, sheet=sheet, over=lambda settings: _one_feature(over(settings)))
        except InputRefused:
            raise refusal from None


def _is_ratings(settings: Settings) -> bool:
    return settings.method == "ordinal" and not settings.criteria


def _features_added_up(settings: Settings) -> Settings:
    return (
        replace(settings, criteria={TOGETHER: 1.0, **settings.feature_weights}) if _is_ratings(settings) else settings
    )


def _one_feature(settings: Settings) -> Settings:
    """Read the only feature that is named as the scores, or the only column that can be."""
    (name, *others) = tuple(settings.feature_weights) or ("",)
    return settings if others or settings.score_column else replace(settings, score_column=name)


class _Names:
    """What object and assessor a cell among the scores belongs to."""

    def __init__(self, grid: Grid, scored: Reading) -> None:
        self.grid, self.nouns = grid, scored.nouns
        objects, assessors = ([corners_of(cell)[:2] for cell in cells] for cells in _label_cells(scored))
        self.object_row, self.object_column = objects[0]
        self.assessor_row, self.assessor_column = assessors[0]
        down = len({column for _, column in objects}) == 1
        self.is_list = down and len({column for _, column in assessors}) == 1 and len(assessors) > 1
        self.down = down and len(objects) > 1

    def at(self, place: Place) -> tuple[str, str]:
        """Name the object and the assessor of a cell."""
        row, column = place
        if self.is_list:
            return self._label(row, self.object_column), self._label(row, self.assessor_column)
        if self.down:
            return self._label(row, self.object_column), self._label(self.assessor_row, column)
        return self._label(self.object_row, column), self._label(row, self.assessor_column)

    def without_score(self, decision: Decision) -> list[tuple[str, str]]:
        """Name who was left out because there is no score, as (object, assessor) with "" for neither."""
        is_object = decision.kind == About.OBJECT_WITHOUT_SCORE
        is_assessor = decision.kind == About.ASSESSOR_WITHOUT_SCORE
        found: list[tuple[str, str]] = []
        for cell in decision.cells if is_object or is_assessor or decision.kind == About.NOT_ASSESSED else ():
            top, left, bottom, right = corners_of(cell)
            for row, column in ((i, j) for i in range(top, bottom + 1) for j in range(left, right + 1)):
                thing, judge = self.at((row, column))
                found.append((thing, judge) if self.is_list else (thing * is_object, judge * is_assessor))
        return found

    def _label(self, row: int, column: int) -> str:
        return label_text(self.grid.value(row, column))


def _label_cells(scored: Reading) -> tuple[Sequence[str], Sequence[str]]:
    return scored.object_cells, scored.assessor_cells


def _with_more(names: Sequence[str], unscored: Sequence[tuple[str, str]], side: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*names, *(pair[side] for pair in unscored if pair[side])]))


def _listed(noun: str, places: dict[str, int]) -> NamedList:
    return NamedList(plural(noun, 1), dict.fromkeys(places, address(1, 1)), places, {}, "")
