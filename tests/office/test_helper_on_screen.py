"""The helper of a real LibreOffice that dies, hangs, is cancelled, or is left while it works."""

import shutil

import pytest

from office import screen as screens
from office.clicking import ODS, SMALL, pressed

pytestmark = pytest.mark.office


def test_the_helper_may_die_or_be_stopped_and_the_document_stays_as_it_was(small):
    for other in small.helpers():  # those of the buttons and of the cells that tests before this one left
        small.kill(other)
    pressed(small, "Check data")
    (helper,) = small.helpers()
    small.kill(helper)
    assert "This can be calibrated" in pressed(small, "Check data")
    (other,) = small.helpers()
    assert other != helper
    small.halt(other)  # it neither answers nor ends: the office must go on, and Cancel must work
    small.click("Calibrate")
    assert small.dialog("Cancel")["buttons"] == ["Cancel"]
    small.leave("Cancel")
    assert small.sheets() == ["Sheet1"]
    assert small.helpers() == []
    pressed(small, "Calibrate")
    assert "Cal summary" in small.sheets()
    (third,) = small.helpers()
    small.halt(third)
    small.click("Calibrate")
    small.dialog("Cancel")
    small.kill(third)
    small.wait_for_words("nothing was changed: click again")
    small.leave("OK")
    assert not [name for name in small.sheets() if name.endswith(" 2")]


@pytest.fixture
def other_home(home):
    """Another user, as LibreOffice starts once for each."""
    with screens.folder_of_a_user() as folder:
        other, left = screens.new_home(folder), shutil.ignore_patterns(".cache", "*.lock")
        shutil.copytree(home, other, dirs_exist_ok=True, symlinks=True, ignore=left)
        yield other


def busy(screen, file):
    """Save and open a document, and calibrate it with a helper that does not get on; return its number."""
    screen.open()
    screen.fill("Sheet1", "A1:D5", SMALL)
    screen.store(file, ODS)
    screen.close()
    screen.open(file)
    pressed(screen, "Check data")
    (helper,) = screen.helpers()
    screen.halt(helper)
    screen.click("Calibrate")
    assert screen.dialog("Cancel")["buttons"] == ["Cancel"]
    return helper


def test_the_window_stays_until_calibrating_is_done_or_cancelled_and_the_file_as_it_was(other_home):
    file = other_home / "mine.ods"
    with screens.on_screen(other_home) as screen:
        helper = busy(screen, file)
        before = file.read_bytes()
        screen.keys("ctrl+q", "alt+F4", "ctrl+w")
        assert screen.close_window() is False
        assert screen.dialog("Cancel")["buttons"] == ["Cancel"]
        assert screen.sheets() == ["Sheet1"]
        screen.go_on(helper)
        screen.wait_for_sheet("Cal audit")
        assert "4 students" in "\n".join(screen.dialog()["words"])
        screen.leave("OK")
        assert screen.used("Cal summary")["errors"] == 0
        screen.halt(helper)
        screen.click("Calibrate")
        screen.leave("Cancel")
        assert not [name for name in screen.sheets() if name.endswith(" 2")]
        pressed(screen, "Check data")
        (helper,) = screen.helpers()
        assert screen.leave_office(helper) == 0
        assert file.read_bytes() == before


def test_the_office_may_be_ended_while_it_calibrates_and_the_helper_ends_with_it(other_home):
    file = other_home / "mine.ods"
    with screens.on_screen(other_home) as screen:
        helper = busy(screen, file)
        before = file.read_bytes()
        screen.go_on(helper)
    # `end` of the driver, which kills the office, waits until every helper is gone.
    assert file.read_bytes() == before
