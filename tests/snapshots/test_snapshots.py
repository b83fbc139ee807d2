"""Every sheet that panelcal hands out is as it was frozen."""

import pytest

from panelcal.templates.judging_panels import JUDGING_PANELS
from snapshots import frozen
from snapshots.differences import workbook_differences
from snapshots.subjects import SUBJECTS, contents

RENEW = "Meant? Then run `python tests/snapshots/renew.py` and commit what it writes."


LONG = {
    *("ai_reviewers_example-calibrated", "grant_panel_example-calibrated", "live_board_example-calibrated", "plan"),
    # Built in one way, all of them.
    *(f"{panel.name}{which}" for panel in JUDGING_PANELS for which in ("", "_example", "_example-calibrated")),
}


def _marks(name):
    return [pytest.mark.slow] if SUBJECTS[name].sampled or name in LONG else []


@pytest.mark.parametrize("name", [pytest.param(name, marks=_marks(name)) for name in SUBJECTS])
def test_every_sheet_is_as_it_was_frozen(name):
    differences = workbook_differences(name, *contents(name))
    assert not differences, "\n".join([*differences, RENEW])


def test_nothing_is_frozen_that_is_not_made_any_more():
    assert frozen.subjects() == set(SUBJECTS)
