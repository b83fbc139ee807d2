"""The sheet Settings that a run leaves behind is read back as the settings of that run."""

from panelcal.reading.grid import Grid
from panelcal.reading.settings import Settings
from panelcal.reading.settings_sheet import read_settings
from panelcal.reporting.settings_form import settings_form


def grid_of(sheet) -> Grid:
    """Lay the tables of a sheet out as cells."""
    cells = {}
    for table in sheet.tables:
        for j, column in enumerate(table.columns, table.column):
            cells[table.row, j] = column.heading
            cells |= {(i, j): value for i, value in enumerate(column.cells, table.row + 1)}
    last = max(row for row, _ in cells)
    return Grid("Settings", tuple(tuple(cells.get((i, j)) for j in (1, 2, 3)) for i in range(1, last + 1)))


def test_features_and_rating_words_are_kept():
    chosen = Settings(
        method="ordinal", feature_weights={"Content": 2.0, "Delivery": 0.5}, rating_words={"Poor": 1.0, "Good": 2.0}
    )
    settings, _ = read_settings(grid_of(settings_form(chosen)))
    assert dict(settings.feature_weights) == chosen.feature_weights
    assert dict(settings.rating_words) == chosen.rating_words
    assert settings.method == "ordinal"


def test_a_fresh_form_has_no_features_and_no_words():
    settings, _ = read_settings(grid_of(settings_form()))
    assert settings == Settings()
