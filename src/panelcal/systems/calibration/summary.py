"""`Cal summary`: one page that a chair reads in a minute, and beside it the charts, which print as the second page."""

from __future__ import annotations

import numpy as np

from panelcal.reporting.front_page import FrontPage, front_sheet
from panelcal.reporting.model import Sheet, Table
from panelcal.reporting.wording import counted, headed
from panelcal.systems.calibration.cases import case_list, order_of_merit
from panelcal.systems.calibration.confidence_words import confidences_noun
from panelcal.systems.calibration.context import Context
from panelcal.systems.calibration.front import front_of
from panelcal.systems.calibration.pictures import summary_pictures
from panelcal.systems.calibration.up_to_date import panel_up_to_date

_TO_FILL_IN = (
    f"Corrected or looked at: {'_' * 70}",
    f"Decided on {'_' * 14}    Chair {'_' * 24}    Secretary {'_' * 24}",
)


def summary_sheet(context: Context, values: Table) -> Sheet:
    """Build the sheet; its lists repeat cells of the table of `Cal values`."""
    results, classes = context.results, context.classes
    reading = results.reading
    # Of one criterion or column among several, page one says which: papers of all of them lie on one table.
    column = f", {reading.settings.score_column}" if reading.settings.score_column else ""
    what = f"Calibration of {reading.source_name}, sheet {reading.sheet}{column}"
    title, opening = headed(reading.settings.heading, what)
    cases = (results, classes, values, context.sheet("Cal values"))
    headed_only = Sheet(
        name=context.sheet("Cal summary"),
        title=title,
        explanation=(
            f"{opening}Read {reading.summary}: {counted(results.panel.n_assessments, results.score_noun)}. "
            f"{_averages_in_words(context)}"
        ),
    )
    return front_sheet(
        headed_only,
        panel_up_to_date(context),
        FrontPage(
            front=front_of(context),
            cases=case_list(*cases),
            ranked=order_of_merit(*cases),
            rest="The rest stands on Cal values",
            advice="People decide: nothing is promoted, moved or rounded by itself",
            signing=_TO_FILL_IN,
        ),
        summary_pictures(context),
    )


def _averages_in_words(context: Context) -> str:
    """Say what a raw average is, for a board that knows another one."""
    results = context.results
    if not np.ptp(results.panel.confidences):
        return f"Raw averages count all {results.scores_noun} alike."
    return f"Raw averages are weighted by {confidences_noun(results)}."
