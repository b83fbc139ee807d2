"""A panel from a table that speaks Arrow is that of the same records."""

from __future__ import annotations

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")

from large.long_tables import made_up  # noqa: E402
from panelcal import Panel  # noqa: E402
from panelcal.errors import InvalidPanel  # noqa: E402

NAMES = {"object": "student", "assessor": "marker", "score": "mark", "confidence": "sure"}


def test_the_same_panel():
    data = made_up(50, 8, 3)
    found, expected = Panel.from_arrow(data.table(), **NAMES), data.panel()
    assert (found.objects, found.assessors) == (expected.objects, expected.assessors)
    for name in ("object_index", "assessor_index", "scores", "confidences"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))


def test_in_chunks_and_without_confidences():
    table = made_up(50, 8, 3).table()
    chunks = pa.concat_tables([table.slice(0, 40), table.slice(40)])
    found = Panel.from_arrow(chunks, object="student", assessor="marker", score="mark")
    assert found.n_assessments == 150
    assert (found.confidences == 1).all()


@pytest.mark.parametrize(
    ("column", "values", "said"),
    [
        ("mark", ["good"] * 6, "no number"),
        ("mark", [1.0, None, 2.0, 3.0, 4.0, 5.0], "missing in column mark"),
        ("marker", ["x", None, "y", "x", "y", "x"], "missing in column marker"),
        ("mark", [1.0, float("inf"), 2.0, 3.0, 4.0, 5.0], "Not a finite score"),
    ],
)
def test_what_is_no_assessment_is_refused(column, values, said):
    table = made_up(2, 3, 3).table()
    at = table.column_names.index(column)
    with pytest.raises(InvalidPanel, match=said):
        Panel.from_arrow(table.set_column(at, column, pa.array(values)), **NAMES)


def test_a_missing_column_is_named():
    with pytest.raises(InvalidPanel, match="no column paper; the columns are student"):
        Panel.from_arrow(made_up(2, 3, 3).table(), object="paper", assessor="marker", score="mark")
