"""Sheets written down in tests: rows of cells in, a reading or the sentence of a refusal out."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from panelcal.errors import InputRefused
from panelcal.reading.grid import Grid, Source
from panelcal.reading.read import read_panel
from panelcal.reading.reading import Reading

Rows = Sequence[Sequence[Any]]


def _grid(rows: Rows, sheet: str = "Marks", **facts: Any) -> Grid:
    width = max(map(len, rows), default=0)
    return Grid(sheet, tuple(tuple(row) + (None,) * (width - len(row)) for row in rows), **facts)


def _settings(values: dict[str, Any], codes: dict[str, str] | None, bands: dict[str, Any] | None) -> Grid:
    rows: list[list[Any]] = [["Settings"], ["Change column B"], [], ["Setting", "Value", "Explanation"]]
    rows += [[label, value] for label, value in values.items()]
    if bands is not None:
        rows += [[], ["Class", "From"], *([name, lowest] for name, lowest in bands.items())]
    if codes is not None:
        rows += [[], ["Code", "Treatment"], *([code, treatment] for code, treatment in codes.items())]
    return _grid(rows, "Settings")


def _checked(reading: Reading) -> Reading:
    """Every reading in these tests must account for every cell it found."""
    excluded = sum(decision.excluded_scores for decision in reading.decisions)
    assert reading.cells_found == reading.panel.n_assessments + excluded
    return reading


@pytest.fixture(scope="session")
def grid() -> Callable[..., Grid]:
    """Make a grid from rows; short rows are filled up with blanks."""
    return _grid


@pytest.fixture(scope="session")
def settings_grid() -> Callable[..., Grid]:
    """Make a Settings sheet from label -> value, and optionally code -> treatment and class -> lowest score."""

    def build(values: dict[str, Any], codes: dict[str, str] | None = None, bands: dict[str, Any] | None = None) -> Grid:
        return _settings(values, codes, bands)

    return build


@pytest.fixture(scope="session")
def read() -> Callable[..., Reading]:
    """Read rows as the active sheet "Marks", with more sheets, settings and facts about the grid as wanted."""

    def build(
        rows: Rows,
        *,
        sheet: str = "Marks",
        more: Sequence[Grid] = (),
        settings: dict[str, Any] | None = None,
        codes: dict[str, str] | None = None,
        choose: dict[str, str] | None = None,
        **facts: Any,
    ) -> Reading:
        grids = [_grid(rows, sheet, **facts), *more]
        if settings is not None or codes is not None:
            grids.append(_settings(settings or {}, codes, None))
        return _checked(read_panel(Source("board.xlsx", tuple(grids), sheet), **(choose or {})))

    return build


@pytest.fixture(scope="session")
def refused_by(read: Callable[..., Reading]) -> Callable[..., InputRefused]:
    """Read rows that must be refused and return the refusal, with its questions."""

    def build(rows: Rows, **options: Any) -> InputRefused:
        with pytest.raises(InputRefused) as refusal:
            read(rows, **options)
        return refusal.value

    return build


@pytest.fixture(scope="session")
def refused(read: Callable[..., Reading]) -> Callable[..., str]:
    """Read rows that must be refused and return the message."""

    def build(rows: Rows, **options: Any) -> str:
        with pytest.raises(InputRefused) as refusal:
            read(rows, **options)
        return str(refusal.value)

    return build


@pytest.fixture(scope="session")
def said() -> Callable[[Reading, str], Any]:
    """Return the one decision of a kind, or None."""

    def find(reading: Reading, kind: str) -> Any:
        found = [decision for decision in reading.decisions if decision.kind == kind]
        assert len(found) <= 1
        return found[0] if found else None

    return find
