"""What somebody should look at in the input before the results: most urgent first, and codes in one sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from panelcal.reading.decisions import About, Decision
from panelcal.reporting.wording import some_of

_CELLS_NAMED = 5
_SLIPS = (About.FAR_ABOVE, About.FAR_OFF)


def cautions(decisions: Iterable[Decision]) -> tuple[str, ...]:
    """Return a sentence for each thing to look at: likely slips of the pen, everything else, codes left out."""
    warnings = [decision for decision in decisions if decision.weight == "warning"]
    codes = [decision for decision in warnings if decision.kind == About.CODE_EXCLUDED]
    others = [decision for decision in warnings if decision.kind != About.CODE_EXCLUDED]
    ordered = sorted(others, key=lambda decision: decision.kind not in _SLIPS)
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
