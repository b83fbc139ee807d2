"""What somebody should look at in the input before the results: most urgent first, and codes in one sentence.

What was read of a workbook stands here, too, in lines for a message box.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from panelcal.reading.decisions import About, Decision
from panelcal.reading.understood import Understood
from panelcal.reporting.wording import some_of

_CELLS_NAMED = 5
_DECISIONS_SHOWN = 8
_SLIPS = (About.FAR_ABOVE, About.FAR_OFF)


def cautions(decisions: Iterable[Decision]) -> tuple[str, ...]:
    """Return a sentence for each thing to look at: likely slips of the pen, everything else, codes left out.

    That criteria are added up is as the settings ask, so it comes after what nobody asked for.
    """
    warnings = [decision for decision in decisions if decision.weight == "warning"]
    codes = [decision for decision in warnings if decision.kind == About.CODE_EXCLUDED]
    others = [decision for decision in warnings if decision.kind != About.CODE_EXCLUDED]
    ordered = sorted(others, key=lambda one: (one.kind not in _SLIPS, one.kind == About.CRITERIA_ADDED_UP))
    if len(codes) <= 1:
        return tuple(decision.sentence for decision in [*ordered, *codes])
    named = ", ".join(f'"{code.found}" in {some_of(code.cells, _CELLS_NAMED)}' for code in codes)
    together = (
        f"Taken as not assessed: {named}. Where your rules count an absence as zero, Cal audit says beside "
        "each what to do."
    )
    return (*(decision.sentence for decision in ordered), together)


def codes_left_out(decisions: Iterable[Decision]) -> str:
    """Name the codes that were left out and how often each stands in the sheet: "ABS" (4), "MC" (2)."""
    counts: Counter[str] = Counter()
    for decision in decisions:
        if decision.kind == About.CODE_EXCLUDED:
            counts[decision.found] += decision.excluded_scores
    return some_of([f'"{code}" ({count:,})' for code, count in counts.items()])


def slips(decisions: Iterable[Decision]) -> str:
    """Name the cells with likely slips of the pen, a few at most; empty where there are none."""
    return some_of([cell for decision in decisions if decision.kind in _SLIPS for cell in decision.cells], _CELLS_NAMED)


def until_slips_are_corrected(decisions: Iterable[Decision]) -> str:
    """Say that a verdict is provisional while likely slips stand in the sheet; it then opens the sentence."""
    cells = slips(decisions)
    return f"First look at {cells}: until then this says little. " if cells else ""


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
