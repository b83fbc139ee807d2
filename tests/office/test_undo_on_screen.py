"""Steps of the buttons undone and done again in a real LibreOffice, with its keyboard."""

import pytest

from office.clicking import pressed
from panelcal.reporting.names import MARK

pytestmark = pytest.mark.office


def test_removed_results_come_back_whole_by_undo_and_go_again_by_redo(small):
    pressed(small, "Calibrate")
    decision = small.used("Cal values")["values"][3].index("Board decision")
    small.set("Cal values", f"{chr(ord('A') + decision)}5", "agreed")
    small.set("Sheet1", "G2", "=$'Cal values'.C5+1")
    everything = whole(small)
    before = small.steps()[0]
    small.active("Sheet1")
    small.click("Remove results")
    small.leave("Yes")
    small.wait_until_gone("Cal audit")
    assert small.sheets() == ["Sheet1"]
    assert not [name for name in small.names() if name.startswith(MARK)]
    assert small.used("Sheet1")["errors"] == 1  # it refers to what is gone
    assert small.steps() == [["Remove results", *before], []]
    small.undo()
    assert whole(small) == everything
    small.redo()
    assert small.sheets() == ["Sheet1"]
    small.undo()
    assert whole(small) == everything
    while "Cal audit" in small.sheets():
        small.undo()
    assert small.sheets() == ["Sheet1"]
    small.redo()
    assert "Cal audit" in small.sheets()


def test_steps_on_result_sheets_may_be_undone_and_done_again_with_the_sheets(small):
    pressed(small, "Calibrate")
    everything = whole(small)
    place = small.select_chart("Cal summary", 0)
    small.keys("Left", "Escape")
    moved = small.select_chart("Cal summary", 0)
    assert moved != place
    small.keys("Escape")
    small.undo()
    assert small.select_chart("Cal summary", 0) == place
    small.undo()
    assert small.sheets() == ["Sheet1"]
    assert small.steps()[1] == ["Calibrate"]  # moving the chart is forgotten: LibreOffice 7.4 would end at it
    small.redo()
    assert small.steps()[1] == []
    assert whole(small) == everything


def whole(screen):
    """All that can be compared of a document; rules for formats of two blocks may come back as one."""
    looks = {name: {key: one[key] for key in one if key != "conditions"} for name, one in screen.looks().items()}
    return {name: screen.used(name) for name in screen.sheets()}, screen.charts(), looks, screen.names()
