"""The sheet Prior: what the biases of assessors were before, with their standard errors.

The same rows stand on `Cal assessors` of an earlier result, from which `prior_grid` takes them for every way in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from panelcal.errors import InputRefused
from panelcal.reading.cell_values import Kind, kind_of, label_text
from panelcal.reading.decisions import About, Decision
from panelcal.reading.grid import Grid, Source, address
from panelcal.reading.problems import Problems, listed

PRIOR_SHEET = "Prior"
PRIOR_HEADINGS = ("Assessor", "Bias", "Standard error")
PRIOR_TITLE = "Earlier biases, as a prior"
PRIOR_HEADING_ROW = 4
_RESULTS = "cal assessors"
_SEARCHED = 20

Earlier = Mapping[str, tuple[float, float]]
"""Label of an assessor -> bias and standard error, in score units."""


def holds_biases(sheet: str) -> bool:
    """Tell by its name whether a sheet of a result holds biases."""
    return sheet.casefold().startswith(_RESULTS)


def prior_grid(source: Source) -> Grid:
    """Make the sheet Prior from the newest result in a workbook, or from a sheet Prior of its own.

    Raises
    ------
    InputRefused
        If it holds no biases, or some that are no numbers.
    """
    results = [grid for grid in source.grids if holds_biases(grid.sheet)]
    own = source.grid(PRIOR_SHEET)
    newest = max(results, key=lambda grid: (len(grid.sheet), grid.sheet), default=own)
    problems = Problems()
    found = None if newest is None else earlier_biases(newest, problems)
    problems.stop_if_any()
    if newest is None or not found:
        raise InputRefused(f"{source.name} holds no biases: give a result of panelcal, with its sheet Cal assessors.")
    origin = (
        f"From {source.name}, sheet {newest.sheet}. This sheet belongs in the workbook of the next panel. The larger a "
        "standard error, the less its bias counts."
    )
    rows = [(PRIOR_TITLE, None, None), (origin, None, None), (None,) * 3, PRIOR_HEADINGS]
    return Grid(PRIOR_SHEET, (*rows, *((name, bias, error) for name, (bias, error) in found.items())))


def with_prior(source: Source, prior: Grid | None) -> Source:
    """Add earlier biases to a workbook that has none.

    Raises
    ------
    InputRefused
        If it has a sheet Prior already.
    """
    if prior is None:
        return source
    if source.grid(PRIOR_SHEET) is not None:
        raise InputRefused(
            f"{source.name} has a sheet {PRIOR_SHEET} already: remove it, or leave out the earlier result."
        )
    return replace(source, grids=(*source.grids, prior))


def earlier_biases(grid: Grid, problems: Problems) -> Earlier | None:
    """Read names, biases and standard errors below their headings; None where there are no such headings.

    What cannot be read is noted as a problem with its cell; rows without a bias are passed over.
    """
    head = _heading_row(grid)
    if head is None:
        return None
    row, who, bias, error = head
    found: dict[str, tuple[float, float]] = {}
    for i in range(row + 1, grid.n_rows + 1):
        name = label_text(grid.value(i, who))
        if not name or grid.value(i, bias) is None:
            continue
        numbers = [_number(grid.value(i, j)) for j in (bias, error)]
        for j, number in zip((bias, error), numbers, strict=True):
            if number is None or (j == error and number <= 0):
                wanted = "a bias" if j == bias else "a standard error above 0"
                problems.say(
                    grid.sheet,
                    f"Cell {address(i, j)} on sheet {grid.sheet} needs {wanted} for {name}: write a number, or clear "
                    "the whole row.",
                    [address(i, j)],
                )
        if name in found:
            problems.say(
                grid.sheet,
                f"{name} is on sheet {grid.sheet} more than once ({address(i, who)}): keep one of the rows.",
                [address(i, who)],
            )
        if None not in numbers:
            found[name] = (float(numbers[0] or 0.0), float(numbers[1] or 0.0))
    return found


def decision_on_prior(grid: Grid, earlier: Earlier, assessors: Sequence[str], plural: str) -> Decision:
    """Say whose earlier biases are used, and who on the sheet is not in this panel."""
    known = [name for name in earlier if name in set(assessors)]
    strangers = [name for name in earlier if name not in set(assessors)]
    sentence = (
        f"Sheet {grid.sheet} has earlier biases of {len(known)} of these {plural}; what they change is on Cal prior."
    )
    if strangers:
        sentence += f" Not in this panel: {listed(strangers)}."
    return Decision(About.PRIOR, (), sentence, "warning" if strangers else "note", grid.sheet)


def _heading_row(grid: Grid) -> tuple[int, int, int, int] | None:
    """Find the row of headings and the columns of names, biases and errors."""
    for i in range(1, min(grid.n_rows, _SEARCHED) + 1):
        heads = [label_text(grid.value(i, j)).casefold() for j in range(1, grid.n_columns + 1)]
        if {"bias", "standard error"} <= set(heads):
            named = next(j for j, head in enumerate(heads, 1) if head)
            return i, named, heads.index("bias") + 1, heads.index("standard error") + 1
    return None


def _number(value: object) -> float | None:
    kind, number = kind_of(value)
    return float(number) if kind in (Kind.NUMBER, Kind.TEXT_NUMBER) else None
