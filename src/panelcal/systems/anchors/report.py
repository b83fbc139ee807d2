"""From anchors and scores to the whole Report: the sheets of a run by anchors."""

from __future__ import annotations

from panelcal.reading.anchors.anchor_reading import AnchorReading
from panelcal.reporting.model import Report
from panelcal.reporting.run_facts import RunContext, RunFacts
from panelcal.systems.anchors.agents import anchor_agents_sheet, anchor_agents_table
from panelcal.systems.anchors.audit import anchor_audit_sheet
from panelcal.systems.anchors.bank_sheet import bank_sheet
from panelcal.systems.anchors.curves import curves_sheet, curves_table
from panelcal.systems.anchors.drift import drift_sheet
from panelcal.systems.anchors.results import AnchorResults
from panelcal.systems.anchors.summary import Drawn, anchor_summary_sheet
from panelcal.systems.anchors.values import anchor_values_sheet, anchor_values_table
from panelcal.systems.anchors.ways import ways_sheet, ways_table

FOOTER = "Confidential"


def build_anchor_report(results: AnchorResults, run: RunFacts) -> Report:
    """Build the report of one run from what was computed and the facts about the run."""
    context = RunContext(results, run, _options(results.reading))
    curves, ways = curves_table(context), ways_table(results)
    values, drift = anchor_values_table(context), drift_sheet(context)
    sheets = (
        anchor_summary_sheet(context, values, Drawn(curves, ways, drift)),
        anchor_values_sheet(context, values),
        anchor_agents_sheet(context, anchor_agents_table(context)),
        curves_sheet(context, curves),
        drift,
        bank_sheet(context),
        ways_sheet(context, ways),
        anchor_audit_sheet(context),
    )
    return Report(
        sheets=tuple(sheet for sheet in sheets if sheet is not None),
        run_id=context.run_id,
        footer=FOOTER,
        created=run.created,
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
