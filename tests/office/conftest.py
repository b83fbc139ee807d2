"""An office with the extension for all tests that click: installed once by the command, in a home of its own."""

from contextlib import closing

import pytest

from office import screen as screens
from office.clicking import SMALL


@pytest.fixture(scope="session")
def home():
    screens.need_screen()
    with screens.folder_of_a_user() as folder:
        home = screens.new_home(folder)
        done = screens.panelcal(home, "install", "--libreoffice")
        assert done.returncode == 0, done.stdout + done.stderr
        yield home


@pytest.fixture(scope="session")
def kept_office(home):
    with closing(screens.KeptOffice(home)) as kept:
        yield kept


@pytest.fixture
def screen(kept_office):
    screen = kept_office.screen()
    yield screen
    if screen.is_free():
        screen.close()


@pytest.fixture
def small(screen):
    """A new document with the scores of four students."""
    screen.open()
    screen.fill("Sheet1", "A1:D5", SMALL)
    return screen
