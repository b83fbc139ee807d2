"""The Settings sheet: defaults, validation cell by cell, and the tables of classes and codes."""

import pytest

from panelcal.errors import InputRefused
from panelcal.reading.grid import CellError
from panelcal.reading.setting_rows import SETTING_ROWS, SHEET_ROWS
from panelcal.reading.settings import FEATURE_HEADINGS, METHOD_NAMES, WORD_HEADINGS, Band, Settings
from panelcal.reading.settings_sheet import read_settings


@pytest.fixture
def refusal(settings_grid):
    def build(*args, **options):
        with pytest.raises(InputRefused) as found:
            read_settings(settings_grid(*args, **options))
        return str(found.value)

    return build


def test_a_fresh_sheet_gives_the_defaults(settings_grid):
    shown = {row.label: row.default for row in SETTING_ROWS}
    settings, decisions = read_settings(settings_grid(shown))
    assert settings == Settings()
    assert "default" in decisions[0].sentence


def test_every_setting_is_in_the_table_once():
    fields = [row.field_name for row in (*SETTING_ROWS, *SHEET_ROWS)]
    assert sorted(
        [
            *fields,
            "bands",
            "codes",
            "criteria",
            "direction_given",
            "feature_weights",
            "grades",
            "policy",
            "rating_words",
            "same",
        ]
    ) == sorted(Settings.__dataclass_fields__)


@pytest.mark.parametrize("row", [row for row in SETTING_ROWS if row.kind == "choice"], ids=lambda row: row.label)
def test_every_choice_is_accepted_and_others_refused(settings_grid, refusal, row):
    for shown, value in row.choices.items():
        settings, _ = read_settings(settings_grid({row.label: shown.upper()}))
        assert getattr(settings, row.field_name) == value
    message = refusal({row.label: "whatever"})
    assert "Cell B5" in message and next(iter(row.choices)) in message


@pytest.mark.parametrize("row", [row for row in SETTING_ROWS if row.kind == "number"], ids=lambda row: row.label)
def test_numbers_are_checked_against_their_range(settings_grid, refusal, row):
    inside = row.lowest if row.lowest is not None else 7
    settings, _ = read_settings(settings_grid({row.label: inside}))
    assert getattr(settings, row.field_name) == inside
    assert "Cell B5" in refusal({row.label: "many"})
    if row.lowest is not None:
        assert "Cell B5" in refusal({row.label: row.lowest - 1})
    if row.highest is not None:
        assert "Cell B5" in refusal({row.label: row.highest + 1})


def test_text_numbers_and_percentages_are_accepted(settings_grid):
    settings, _ = read_settings(settings_grid({"Borderline zone": "2,5", "Level of intervals": "90%"}))
    assert (settings.borderline_zone, settings.level) == (2.5, 0.9)


def test_changed_settings_are_listed_with_their_cells(settings_grid):
    _, decisions = read_settings(settings_grid({"Borderline zone": 3, "Alert threshold": None}))
    assert decisions[0].cells == ("B5",)
    assert "Borderline zone: 3" in decisions[0].sentence


def test_an_unknown_setting_stops_with_a_suggestion(refusal):
    message = refusal({"Borderline zome": 3})
    assert "Cell A5" in message and 'did you mean "Borderline zone"?' in message


def test_a_setting_given_twice_stops(grid):
    rows = [["Setting", "Value"], ["Layout", "list"], ["Layout", "auto"]]
    with pytest.raises(InputRefused, match="second time"):
        read_settings(grid(rows, "Settings"))


def test_an_error_cell_stops(refusal):
    assert "Cell B5" in refusal({"Layout": CellError("#REF!")})


def test_all_problems_are_reported_at_once(refusal):
    assert len(refusal({"Layout": "x", "Alert threshold": -1, "Colour": "red"}).splitlines()) == 3


def test_classes_are_put_in_order_best_first(settings_grid):
    bands = {"Third": 40, "First": 70, "Second": "50"}
    settings, _ = read_settings(settings_grid({}, None, bands))
    assert settings.bands == (Band("First", 70), Band("Second", 50), Band("Third", 40))
    settings, _ = read_settings(settings_grid({"Better scores are": "lower"}, None, bands))
    assert [band.name for band in settings.bands] == ["Third", "Second", "First"]


@pytest.mark.parametrize(
    "bands", [{"First": "high"}, {"": 70}, {"First": 70, "Second": 70}, {"First": 70, "first": 60}]
)
def test_classes_that_make_no_sense_stop(refusal, bands):
    assert "class" in refusal({}, None, bands)


def test_the_table_of_codes_replaces_the_default_codes(settings_grid):
    settings, decisions = read_settings(settings_grid({}, {"ABS": "Zero", "X": ""}))
    assert dict(settings.codes) == {"ABS": "zero", "X": "exclude"}
    assert "ABS = zero" in decisions[0].sentence


@pytest.mark.parametrize("codes", [{"ABS": "ignore"}, {"": "zero"}, {"ABS": "zero", "abs": "stop"}])
def test_codes_that_make_no_sense_stop(refusal, codes):
    assert "code" in refusal({}, codes)


def test_rating_words_and_features_are_read_as_they_are_listed(grid):
    words = [list(WORD_HEADINGS), ["Poor", 1], ["Good", "2"], [], ["Alert threshold", 3]]
    settings, _ = read_settings(grid(words, "Settings"))
    assert (dict(settings.rating_words), settings.alert_threshold) == ({"Poor": 1, "Good": 2}, 3)
    features = [["Feature", "Weight"], ["Content", 2], ["Delivery", 0.5]]
    settings, decisions = read_settings(grid(features, "Settings"))
    assert list(settings.feature_weights.items()) == [("Content", 2), ("Delivery", 0.5)]
    assert "features: Content 2, Delivery 0.5" in decisions[0].sentence


@pytest.mark.parametrize("row", [["Poor", None], ["", 2], ["Poor", "two"], ["Poor", -1]])
@pytest.mark.parametrize("heading", [WORD_HEADINGS, FEATURE_HEADINGS])
def test_a_word_or_feature_without_its_number_stops(grid, heading, row):
    with pytest.raises(InputRefused, match=f"Cell {'A' if not row[0] else 'B'}3 on sheet Settings is not right for a"):
        read_settings(grid([["Setting", "Value"], list(heading), row], "Settings"))


def test_a_rating_word_given_twice_stops(grid):
    with pytest.raises(InputRefused, match="Cell A4"):
        read_settings(grid([["Setting", "Value"], list(WORD_HEADINGS), ["Poor", 1], ["poor", 2]], "Settings"))


def test_a_scale_upside_down_stops(refusal):
    assert "below the highest" in refusal({"Lowest score": 100, "Highest score": 0})


def test_a_sheet_without_the_heading_row_is_read(grid):
    settings, _ = read_settings(grid([["Alert threshold", 3]], "Settings"))
    assert settings.alert_threshold == 3


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("bisquare", ("bisquare",)),
        ("Random effects; z-scores,bisquare", ("z_scores", "random_effects", "bisquare")),
        ("ALL", METHOD_NAMES),
        ("", ()),
    ],
)
def test_methods_to_compare_are_named_with_commas_or_all_of_them(settings_grid, written, meant):
    settings, _ = read_settings(settings_grid({"Methods to compare": written}))
    assert settings.compare == meant


def test_an_unknown_method_to_compare_stops_with_the_list(refusal):
    message = refusal({"Methods to compare": "bisquare, magic"})
    assert "Cell B5" in message and "median_polish" in message
