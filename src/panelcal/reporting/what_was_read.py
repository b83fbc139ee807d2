"""What was read of a workbook, in lines for a message box."""

from __future__ import annotations

from panelcal.reading.understood import Understood
from panelcal.reporting.cautions import cautions

_DECISIONS_SHOWN = 8


def understood_lines(reading: Understood) -> list[str]:
    """Say who assesses what, on which range, and what is not read, in a few lines."""
    understood = reading.understood
    return [*understood.sentences(), *(one.sentence for one in understood.not_read[:_DECISIONS_SHOWN])]


def what_was_read(reading: Understood) -> str:
    """Say that a workbook can be calibrated, how it was read, and what should be looked at."""
    understood = reading.understood
    lines = [*understood_lines(reading), ""]
    lines += [f"Read {reading.summary} on sheet {reading.sheet}: {reading.counts}. This can be calibrated.", ""]
    others = [decision for decision in reading.decisions if decision not in understood.not_read]
    warnings = cautions(others)
    notes = [decision.sentence for decision in others if decision.weight == "note"]
    told = [f"Look at this: {sentence}" for sentence in warnings] + notes
    lines += told[:_DECISIONS_SHOWN]
    if len(told) > _DECISIONS_SHOWN:
        lines.append(f"... and {len(told) - _DECISIONS_SHOWN} more; Cal audit lists them all.")
    return "\n".join(lines)
