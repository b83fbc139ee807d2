"""What known systems export: each layout is recognised by its headings and told to the ordinary readers.

To add one: write a module with a `KnownList`, a `KnownGradebook` or a function of its own from `Headed` to the settings
that say which column is which, and put it into the table `KNOWN`. Nothing here reads a score.
"""

from __future__ import annotations

from panelcal.reading.exports.blackboard import BLACKBOARD
from panelcal.reading.exports.brightspace import BRIGHTSPACE
from panelcal.reading.exports.canvas import CANVAS
from panelcal.reading.exports.cmt import CMT
from panelcal.reading.exports.easychair import EASYCHAIR
from panelcal.reading.exports.google_classroom import GOOGLE_CLASSROOM
from panelcal.reading.exports.google_forms import GOOGLE_FORMS
from panelcal.reading.exports.gradescope import GRADESCOPE
from panelcal.reading.exports.hotcrp import HOTCRP
from panelcal.reading.exports.jotform import JOTFORM
from panelcal.reading.exports.judging_sheet import JUDGING_SHEET
from panelcal.reading.exports.known import ASIDE, Headed, Known, Recognised
from panelcal.reading.exports.limesurvey import LIMESURVEY
from panelcal.reading.exports.microsoft_forms import MICROSOFT_FORMS
from panelcal.reading.exports.moodle import MOODLE
from panelcal.reading.exports.openreview import OPENREVIEW
from panelcal.reading.exports.qualtrics import QUALTRICS
from panelcal.reading.exports.schoology import SCHOOLOGY
from panelcal.reading.exports.student_grid import STUDENT_GRID
from panelcal.reading.exports.surveymonkey import SURVEYMONKEY
from panelcal.reading.exports.tabbycat import TABBYCAT
from panelcal.reading.table import Table

__all__ = ["KNOWN", "Recognised", "recognised"]

_SEARCHED = 20
_LEAST_HEADINGS = 3
_MOST_HEADINGS = 2_000

KNOWN: tuple[Known, ...] = (
    *EASYCHAIR,
    HOTCRP,
    CMT,
    *OPENREVIEW,
    *MOODLE,
    CANVAS,
    BLACKBOARD,
    BRIGHTSPACE,
    SCHOOLOGY,
    GRADESCOPE,
    GOOGLE_CLASSROOM,
    GOOGLE_FORMS,
    MICROSOFT_FORMS,
    QUALTRICS,
    SURVEYMONKEY,
    JOTFORM,
    LIMESURVEY,
    TABBYCAT,
    STUDENT_GRID,
    JUDGING_SHEET,
)
"""Every layout that is recognised; the first that fits a sheet counts."""


def recognised(table: Table) -> Recognised | None:
    """Tell which known export a sheet is, None when it is none."""
    for i in range(min(table.n_rows - 1, _SEARCHED)):
        if not _LEAST_HEADINGS <= sum(isinstance(value, str) for value in table.cells[i]) <= _MOST_HEADINGS:
            continue
        headed = Headed(table, i)
        for known in KNOWN:
            gives = known.recognise(headed)
            if gives is not None:
                told = {name: value for name, value in gives.items() if name != ASIDE}
                return Recognised(known.name, i, told, tuple(gives.get(ASIDE, ())))
    return None
