"""What came out of a calibration, in the few lines that a terminal or a message box has room for."""

from __future__ import annotations

from panelcal.reporting.results import Results
from panelcal.reporting.wording import counted, number, signed

_NOTICED = 0.05  # half of the one decimal that is shown


def outcome_sentences(results: Results) -> tuple[str, ...]:
    """Say whether calibrating is worthwhile here, how many moved and who most, and which scores do not count."""
    change = results.change
    up, down = int((change > _NOTICED).sum()), int((change < -_NOTICED).sum())
    most = int(abs(change).argmax())
    sentences = [
        results.verdict.sentence,
        f"{counted(up, results.object_noun)} up, {down:,} down; largest change {signed(float(change[most]))} "
        f"({results.panel.objects[most]}: {number(float(results.raw[most]))} to "
        f"{number(float(results.values[most]))}).",
    ]
    if results.method.name != "confidence":
        sentences.insert(0, f"Values by the method {results.method.title}. {results.chosen.note}")
    lone = len(results.network.single_object_assessors)
    if lone and results.is_calibration:
        sentences.append(
            f"{counted(lone, results.assessor_noun)} with one {results.object_noun} only: these marks do not count."
        )
    return tuple(sentences)
