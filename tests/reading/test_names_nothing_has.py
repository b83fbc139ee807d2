"""A column that the settings name and a table has nowhere is refused, also where it would be read without it."""

import pytest

from panelcal.errors import InputRefused
from panelcal.reading.grid import Grid, Source
from panelcal.reading.read import read_panel
from panelcal.systems.choices import Choices

ROWS = (("Student", "Algebra", "Botany"), *((f"S{k}", 50 + k, 61 - k) for k in range(5)), ("Credits", 2, 1))


def _read(**settings):
    return read_panel(Source("marks.xlsx", (Grid("Marks", ROWS),), "Marks"), over=Choices(settings=settings).over)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            {"object_column": "Studnt"},
            "Column of objects: nothing on sheet Marks is called Studnt; did you mean Student?",
        ),
        ({"confidence_column": "Credts"}, "Column of confidences: .* did you mean Credits?"),
        ({"score_column": "Grade"}, "Column of scores: nothing on sheet Marks is called Grade."),
        (
            {"criteria": {"Algebra": 1.0, "Botany": 1.0}},
            "one column for each assessor, and no criteria such as Algebra",
        ),
    ],
)
def test_a_name_that_a_table_has_nowhere_is_refused(settings, said):
    with pytest.raises(InputRefused, match=said):
        _read(**settings)


def test_names_that_are_there_in_any_way_are_not():
    for name in ("Student", "stud*", "A1"):
        assert _read(object_column=name).panel.n_objects == 5
    assert _read(confidence_column="Credits").panel.confidences[0] == 2
    assert (_read(confidence_column="none").panel.confidences == 1).all()
