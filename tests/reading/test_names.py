"""Names that look the same: one person where only the spelling in bytes differs, a warning where letters do."""

import pytest

SCORES = [[61, 70], [55, 62], [48, 71], [72, 69]]


def panel_of(names):
    return [["Student", "A", "B"], *[[name, *row] for name, row in zip(names, SCORES, strict=True)]]


@pytest.mark.parametrize("twin", ["Zoe\u0308", "Zoë\u200b", "\u200eZoë\u200f", "\u2068Zoë\u2069"])
def test_accents_and_unseen_marks_make_no_other_name(read, twin):
    rows = [["Student", "Judge", "Mark"], ["S1", "Zoë", 61], ["S2", twin, 70], ["S1", "Ben", 50], ["S2", "Ben", 66]]
    assert read(rows).panel.assessors == ("Zoë", "Ben")


@pytest.mark.parametrize("twin", ["\u0410nna", "An\uff4e\uff41", "Ann\u03b1", "ANNA", "An na"])
def test_letters_that_look_the_same_are_warned_about_and_kept_apart(read, said, twin):
    reading = read(panel_of(["Anna", twin, "Ben", "Cem"]))
    assert reading.panel.n_objects == 4
    assert f'"Anna" and "{twin}"' in said(reading, "near match").sentence


def test_names_in_another_alphabet_are_not_alike(read, said):
    assert said(read(panel_of(["Анна", "Борис", "Σοφία", "Νίκος"])), "near match") is None
