"""LibreOffice, which does not know LAMBDA, still opens the live templates as sound workbooks."""

from __future__ import annotations

from pathlib import Path

import pytest

from office.office import need_office, opened
from panelcal.shipped import templates_folder

pytestmark = pytest.mark.office


@pytest.mark.parametrize("template", ["live_board", "live_board_example"])
def test_libreoffice_opens_a_live_template_without_repair(template: str, tmp_path: Path):
    need_office()
    path = tmp_path / f"{template}.xlsx"
    path.write_bytes((templates_folder() / path.name).read_bytes())
    sheets, (title, heading, name, mark) = opened(
        path, [("Live results", "A1"), ("Live results", "D6"), ("Live results", "J7"), ("Marks", "A5")]
    )
    assert sheets == ["Start here", "Marks", "Live results", "Settings"]
    assert (title, heading) == ("Live results", "Calibrated value")
    # These two need no LAMBDA, so that LibreOffice itself computes the first of them.
    assert (name, mark) == (("CS324", 2104619.0) if "example" in template else ("", None))
