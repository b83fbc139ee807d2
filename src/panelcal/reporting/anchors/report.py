"""From anchors and scores to the whole Report: the sheets of a run by anchors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from panelcal.reading.anchors.anchor_reading import AnchorReading
from panelcal.reading.grid import Grid
from panelcal.reporting.anchors.agents import anchor_agents_sheet, anchor_agents_table
from panelcal.reporting.anchors.audit import anchor_audit_sheet
from panelcal.reporting.anchors.bank_sheet import bank_sheet
from panelcal.reporting.anchors.context import AnchorContext
from panelcal.reporting.anchors.curves import curves_sheet, curves_table
from panelcal.reporting.anchors.drift import drift_sheet
from panelcal.reporting.anchors.results import AnchorResults
from panelcal.reporting.anchors.summary import anchor_summary_sheet
from panelcal.reporting.anchors.values import anchor_values_sheet, anchor_values_table
from panelcal.reporting.anchors.ways import ways_sheet, ways_table
from panelcal.reporting.model import Report
from panelcal.reporting.run_facts import run_identifier_of

FOOTER = "Confidential"


def build_anchor_report(
    results: AnchorResults,
    *,
    created: str,
    versions: Mapping[str, str],
    suffix: str = "",
    input_grid: Grid | None = None,
    outdated: Sequence[str] = (),
) -> Report:
    """Build the report of one run.

    Parameters
    ----------
    results
        What was computed.
    created
        Date and time of the run, ISO format. The same input, versions and date give the same report.
    versions
        Program and library versions, for the audit.
    suffix
        What the names of the result sheets end in, see `names.result_suffix`.
    input_grid
        The input sheet, when the result sheets will stand in the same workbook: links then point at it.
    outdated
        Names of the summaries of earlier runs in this workbook that are out of date now.
    """
    options = _options(results.reading)
    context = AnchorContext(
        results=results,
        suffix=suffix,
        linked=input_grid is not None,
        created=created,
        run_id=run_identifier_of(results.reading.fingerprint, options, versions),
        versions=versions,
        options=options,
        outdated=tuple(outdated),
    )
    curves, ways = curves_table(context), ways_table(results)
    sheets = (
        anchor_summary_sheet(context, curves, ways),
        anchor_values_sheet(context, anchor_values_table(context)),
        anchor_agents_sheet(context, anchor_agents_table(context)),
        curves_sheet(context, curves),
        drift_sheet(context),
        bank_sheet(context),
        ways_sheet(context, ways),
        anchor_audit_sheet(context),
    )
    return Report(
        sheets=tuple(sheet for sheet in sheets if sheet is not None),
        run_id=context.run_id,
        footer=FOOTER,
        created=created,
    )


def _options(reading: AnchorReading) -> dict[str, str]:
    settings = reading.settings
    low, high = reading.bounds
    return {
        "Method": "anchors",
        "Scale of the consensus": f"{low:g} to {high:g}",
        "Level of intervals": f"{settings.level:.0%}",
        "Better is": "higher" if settings.higher_is_better else "lower",
    }
