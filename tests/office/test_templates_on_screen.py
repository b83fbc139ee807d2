"""Every template by its button in a real LibreOffice, each filled example calibrated there, and what the bar says."""

import pytest

from office.clicking import pressed
from panelcal.shipped import TEMPLATE_NAMES

pytestmark = pytest.mark.office

READS_OTHER_SHEETS = "ai_reviewers_example"
"""An example whose charts on the summary show cells of other sheets."""

TAKES_LONG = "conference_prize_example"
"""An example of ratings, which is sampled for some seconds and says how far it is."""


def made_from(screen, name):
    """Have a template copied and opened by clicks."""
    screen.open()  # the button is there where a document is
    screen.click("New from template")
    screen.choose(name.replace("_", " ").capitalize())
    screen.leave("OK")
    assert "Begin with the sheet Start here" in screen.dialog()["words"][0]
    screen.leave("OK")
    screen.close()
    assert screen.last_window().startswith(name)


@pytest.mark.parametrize("name", TEMPLATE_NAMES)
def test_a_template_is_opened_and_its_example_calibrated(name, screen):
    made_from(screen, name)
    before = screen.sheets()
    assert before[0] == "Start here"
    if not name.endswith("_example"):
        return
    said = pressed(screen, "Calibrate")
    added = screen.sheets()[len(before) :]
    assert {"Cal summary", "Cal audit"} <= set(added), said
    assert screen.sheets()[: len(before)] == before
    assert screen.active() == "Cal summary"
    for sheet in map(screen.used, added):
        assert sheet["errors"] == sheet["elsewhere"] == 0
    charts = screen.charts()  # they read cells, also those of other sheets, rather than tables of their own
    assert not any(inside for _, inside, _ in charts)
    assert all(numbers > 0 for _, _, series in charts for _, _, numbers in series)
    assert screen.links() == []
    if name == READS_OTHER_SHEETS:
        assert any(sheet not in place for sheet, _, series in charts for place, _, _ in series)
        screen.undo()
        assert screen.sheets() == before
        screen.redo()
        assert screen.charts() == charts


def test_the_status_bar_says_what_is_being_done_as_the_window_does(screen, home):
    made_from(screen, TAKES_LONG)
    pressed(screen, "Check data")
    helpers = screen.helpers()  # cells may have one of their own
    at_rest = screen.status_bar()
    for helper in helpers:
        screen.halt(helper)
    screen.click("Calibrate")
    seen = {}
    for _ in range(60):
        (words,) = screen.dialog("Cancel")["words"]
        screen.idle()
        if (words,) == tuple(screen.dialog("Cancel")["words"]):  # else the last ones had not come through
            seen[words] = screen.status_bar()
        if len(seen) > 3:
            break
        for helper in helpers:
            screen.go_on(helper)
        screen.pause(0.2)
        for helper in helpers:
            screen.halt(helper)
    screen.leave("Cancel")
    for helper in set(helpers) & set(screen.helpers()):
        screen.go_on(helper)
    assert next(iter(seen)) == "Calibrate: reading ..."
    assert len(seen) > 3, seen
    assert seen == {words: screen.status_bar_saying(words) for words in seen}
    assert len({at_rest, *seen.values()}) == len(seen) + 1
    assert screen.status_bar() == at_rest
