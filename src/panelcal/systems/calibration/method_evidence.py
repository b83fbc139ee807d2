"""Which method predicts left-out scores best, in a table, a chart and words; and when to use which."""

from __future__ import annotations

import dataclasses

import numpy as np

from panelcal.arrays import Indices
from panelcal.calibration.cross_validation import PredictiveError
from panelcal.calibration.preferences import reversed_share
from panelcal.reading.nouns import with_article
from panelcal.reporting.cell_content import places_of
from panelcal.reporting.model import CellRange, CellValue, Chart, Column, Note, Series, Table
from panelcal.reporting.wording import number, some_of
from panelcal.systems.calibration.confidence_words import confidence_noun, confidences_noun
from panelcal.systems.calibration.method_results import ComparedMethods, MethodResult
from panelcal.systems.calibration.results import Results

ABOVE, ABOVE_ERROR = "Above the best (%)", "+/- (%)"
_TOLD_APART = 2.0
_LINES_IN_A_CELL = 6
_SAME = 1e-9  # of an error: with equal confidences Fisher's method is calibration with confidence


def finding(results: Results, compared: ComparedMethods) -> str:
    """Say which method predicts best where one clearly does, otherwise that this gives nothing to choose by."""
    if compared.prediction is None:
        return compared.how
    best, *others = [entry for entry in compared.prediction.errors if not entry.refused]
    titles = _titles(compared)
    close = [titles[entry.method] for entry in others if _is_close(entry)]
    if close and len(close) == len(others):
        return (
            f"Nothing to choose by: no method guesses a single left-out {results.score_noun} clearly better than "
            f"another (typical error {' to '.join(dict.fromkeys(number(e.error, 2) for e in (best, others[-1])))})."
        )
    same = [titles[entry.method] for entry in others if abs(entry.error - best.error) <= _SAME * best.error]
    first, *more = titles[best.method], *same
    leading = f"{first} and {some_of(more, 12)}, the same here, predict" if more else f"{first} predicts"
    said = f"{leading} left-out {results.scores_noun} best, with a typical error of {number(best.error, 2)}"
    close = [title for title in close if title not in same]
    if not close:
        return f"{said}, and clearly so."
    return f"{said}; not to be told from {'them' if more else 'it'}: {some_of(close, 12)}."


def evidence_table(results: Results, compared: ComparedMethods, *, row: int) -> Table:
    """Build the table of all methods: those that predict, best first, then the others, those that do not apply last."""
    rows = _ordered(compared)
    known = [compared.predictive_error(result.method.name) for result in rows]
    clear = all(not _is_close(entry) for entry in known[1:] if entry is not None)
    places = places_of(compared.reference.values, True)
    return Table(
        (
            Column("Method", [result.method.title for result in rows], "text"),
            Column(
                "Typical error",
                [entry.error if entry else None for entry in known],
                "precise",
                explanation=(
                    f"Root mean square error of predicted {results.scores_noun}, weighted by "
                    f"{confidence_noun(results)}."
                ),
            ),
            Column(
                ABOVE,
                [100 * entry.worse_than_best if entry else None for entry in known],
                "score",
                explanation="By how much the mean square error exceeds that of the best method.",
            ),
            Column(
                ABOVE_ERROR,
                [100 * entry.standard_error if entry else None for entry in known],
                "score",
                explanation="Standard error of that: up to twice this, there is nothing to choose.",
            ),
            Column(
                "Largest change",
                [_largest_change(compared, result) for result in rows],
                "score",
                explanation="Largest difference of any value from calibration with confidence.",
            ),
            Column(
                "Largest rank change",
                [_largest_rank_change(places, result) for result in rows],
                "integer",
                explanation="Most places that anyone gains or loses against calibration with confidence.",
            ),
            Column(
                "Preferences reversed",
                [_reversed(results, result) for result in rows],
                "percent",
                explanation=(
                    f"Share of all cases in which {with_article(results.reading.nouns.assessor)} scored one of two "
                    f"{results.objects_noun} higher, and the method ranks the other above it."
                ),
            ),
            Column("Remark", [_remark(compared, result, clear=clear) for result in rows], "wrapped", 16),
        ),
        row=row,
        name="evidence",
    )


def evidence_chart(results: Results, compared: ComparedMethods, table: Table) -> Chart | None:
    """Draw how far the methods are above the best; None where there are not two to compare."""
    count = sum(compared.predictive_error(result.method.name) is not None for result in compared.shown())
    if count < 2:
        return None

    def cells(heading: str) -> CellRange:
        return dataclasses.replace(table.cell_range(heading), last_row=table.row + count)

    return Chart(
        kind="column",
        title=finding_in_short(results, compared),
        x_title="Method, best first",
        y_title="Mean square error above the best, %",
        series=(
            Series(
                "Above the best",
                y=cells(ABOVE),
                x=cells("Method"),
                plus=cells(ABOVE_ERROR),
                minus=cells(ABOVE_ERROR),
                colour=5,
            ),
        ),
        alt_text=(
            f"Predictive errors of {count} methods above that of the best, with standard errors. A bar of less than "
            "two standard errors says nothing."
        ),
        row=1,
        column=1,
        height_cm=7.0,
        legend=False,
    )


def finding_in_short(results: Results, compared: ComparedMethods) -> str:
    """Name the method that guesses clearly best, or say that there is none: short enough for a title or a line."""
    if compared.prediction is None:
        return compared.how.removesuffix(".")
    best, *others = [entry for entry in compared.prediction.errors if not entry.refused]
    close = [entry for entry in others if _is_close(entry)]
    if close and len(close) == len(others):
        return f"No method guesses a left-out {results.score_noun} clearly best"
    if close:
        return f"{1 + len(close)} of {1 + len(others)} methods guess a left-out {results.score_noun} best, equally well"
    return f"{_titles(compared)[best.method]} guesses a left-out {results.score_noun} best"


def evidence_notes(
    results: Results, compared: ComparedMethods, *, above: int, below: int, summary: str
) -> tuple[Note, ...]:
    """Head the table in rows `above` and the next three, and say when to use which method from row `below` on.

    `summary` names the sheet on which it stands whether calibrating is worthwhile.
    """
    lines = [
        f"{result.method.title}: {result.method.note if result.fitted is None else result.fitted.note}"
        for result in compared.shown()
    ]
    # Lines in one cell leave no gap where letters are narrower than Excel's; a row may not be too high for so many.
    together = [lines[k : k + _LINES_IN_A_CELL] for k in range(0, len(lines), _LINES_IN_A_CELL)]
    notes = [
        Note(
            row=above, text=f"Which method predicts left-out {results.scores_noun} best on this panel", style="heading"
        ),
        Note(
            row=above + 1,
            text=(
                f"This asks which method guesses a single hidden {results.score_noun} best. That is mostly noise, so "
                f"methods look much alike; it is no answer to whether averages are fair. That stands on {summary}."
            ),
        ),
        Note(row=above + 2, text=finding(results, compared), style="strong"),
        Note(row=below, text="When to use which, and when not", style="heading"),
        *(Note(row=below + 1 + k, text="\n".join(some)) for k, some in enumerate(together)),
        Note(
            row=below + 2 + len(together),
            text=_ADVICE.format(score=results.score_noun, object=results.object_noun),
            style="strong",
        ),
    ]
    if compared.prediction is not None:
        notes.append(Note(row=above + 3, text=compared.how, style="small"))
    zero = _without_choice_of_zero(results, compared)
    if zero:
        notes.append(Note(row=below + 3 + len(together), text=zero, style="small"))
    doubt = _if_confidences_were_wrong(results)
    if doubt:
        notes.append(Note(row=below + 4 + len(together), text=doubt, style="small"))
    return tuple(notes)


_ADVICE = (
    "What predicts a single {score} best is not always fairest. Decide on the method before looking at whom it helps, "
    "and never choose the better of two, {object} by {object}."
)


def _without_choice_of_zero(results: Results, compared: ComparedMethods) -> str:
    gauge = results.reading.settings.gauge
    apart = [r.method.title for r in compared.named if r.fitted is not None and "gauge" not in r.method.options]
    if gauge == "weighted" or not apart:
        return ""
    return (
        f'The zero of the biases is set to "{gauge}"; {some_of(apart, 12)} cannot be told and may lie higher or lower '
        "throughout: compare ranks."
    )


def _if_confidences_were_wrong(results: Results) -> str:
    """Say how much hangs on the confidences, beside what a value's standard error is; empty where it is not known."""
    doubt = results.confidence_doubt
    if doubt is None or not results.calibration.degrees_of_freedom:
        return ""
    moves, errors = (float(np.median(sizes)) for sizes in (doubt.typical_moves, results.uncertainty.value_errors))
    wrong = (
        f"If the {confidences_noun(results)} of all {results.scores_noun} were wrong by a factor of {doubt.factor:g}, "
        "each by itself"
        if results.reading.nouns.confidence
        else f"All {results.scores_noun} count alike. If each ought to count for more or less, by a factor of "
        f"{doubt.factor:g}"
    )
    return (
        f"{wrong}, a calibrated value would typically move by {number(moves)}; its standard error is {number(errors)}."
    )


def _titles(compared: ComparedMethods) -> dict[str, str]:
    return {result.method.name: result.method.title for result in compared.shown()}


def _ordered(compared: ComparedMethods) -> list[MethodResult]:
    shown = compared.shown()
    places = {} if compared.prediction is None else {e.method: k for k, e in enumerate(compared.prediction.errors)}
    last = len(places)
    return sorted(shown, key=lambda result: (result.fitted is None, places.get(result.method.name, last)))


def _is_close(entry: PredictiveError) -> bool:
    return not entry.worse_than_best > _TOLD_APART * entry.standard_error


_NOT_PREDICTED = {
    "hodge": "the same values as calibration with confidence",
    "kemeny": "not predicted: a ranking only",
    "review_thresholds": "not predicted: refitting it many times would take too long",
}


def _remark(compared: ComparedMethods, result: MethodResult, *, clear: bool) -> str:
    if result.fitted is None:
        return result.refusal
    if compared.prediction is None:
        return ""
    known = {entry.method: entry for entry in compared.prediction.errors}
    entry = known.get(result.method.name)
    if entry is None:
        return _NOT_PREDICTED.get(result.method.name, "")
    if entry.refused:
        return f"Cannot be used once some are left out: {entry.refused}"
    if entry is compared.prediction.errors[0]:
        return "predicts best" if clear else "lowest here"
    best = compared.prediction.errors[0]
    if abs(entry.error - best.error) <= _SAME * best.error:
        return "the same here"
    return "may be as low" if _is_close(entry) else "clearly higher"


def _largest_change(compared: ComparedMethods, result: MethodResult) -> CellValue:
    if result.fitted is None or result.method.name == "confidence":
        return None
    return float(np.abs(result.fitted.values - compared.reference.values).max())


def _reversed(results: Results, result: MethodResult) -> CellValue:
    if result.fitted is None:
        return None
    share = reversed_share(results.reading.panel, result.fitted.values)
    return None if np.isnan(share) else share


def _largest_rank_change(reference: Indices, result: MethodResult) -> CellValue:
    if result.fitted is None or result.method.name == "confidence":
        return None
    return int(np.abs(places_of(result.fitted.values, True) - reference).max())
