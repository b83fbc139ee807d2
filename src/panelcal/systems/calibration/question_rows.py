"""Every question about a run with its answer and words, as rows of `Cal audit`; `Cal summary` says the main ones.

What needs looking at comes first; what only a statistician asks for stands together at the end.
"""

from __future__ import annotations

import numpy as np

from panelcal.calibration.unexpected_scores import FAR
from panelcal.reading.decisions import About
from panelcal.reading.nouns import opening, plural_of, with_article
from panelcal.reporting.audit_rows import Row as AuditRow
from panelcal.reporting.cautions import cautions, codes_left_out, until_slips_are_corrected
from panelcal.reporting.model import CellValue
from panelcal.reporting.wording import at_most, counted, mu2_meaning, number, signed
from panelcal.systems.calibration.assessors import clearly_leaning, leaning_most
from panelcal.systems.calibration.classes import Classes
from panelcal.systems.calibration.confidence_words import confidences_noun, with_confidence
from panelcal.systems.calibration.context import Context
from panelcal.systems.calibration.diagnostics_notes import declared_answer, diagnostic_answers
from panelcal.systems.calibration.filed_run import GAUGE, METHOD, REFERENCE, choices_over_sheet
from panelcal.systems.calibration.front import points
from panelcal.systems.calibration.last_run import last_run_in, rows_since
from panelcal.systems.calibration.outcome import judged_for, set_aside, set_aside_in_words
from panelcal.systems.calibration.policy import policy_rows
from panelcal.systems.calibration.results import Results
from panelcal.systems.calibration.survival import survival_sentence
from panelcal.systems.calibration.true_values import partly_luck, selection_warning
from panelcal.systems.calibration.unexpected import count_unexpected

QUESTION, STATISTICIAN = "Question", "For the statistician"
_LEANING_NAMED = 3

Row = tuple[str, CellValue, str]
"""Question, answer, words."""


def question_rows(context: Context) -> list[AuditRow]:
    """Return the questions, and under a heading of their own the figures for the statistician."""
    results = context.results
    declared = declared_answer(results)
    rows = [
        *_warning_rows(results),
        *_method_rows(results),
        _verdict_row(results),
        *([] if declared is None else [declared]),
        *_change_rows(context),
        *policy_rows(results, context.classes),
        *rows_since(results, context.classes, last_run_in(context.run.earlier)),
        *_set_aside_rows(results),
        *_check_rows(results),
        *diagnostic_answers(results),
    ]
    return [
        *((QUESTION, question, answer, words, None) for question, answer, words in rows),
        *((STATISTICIAN, question, answer, words, None) for question, answer, words in _figure_rows(results)),
    ]


def _warning_rows(results: Results) -> list[Row]:
    """Begin with what somebody should look at in the input, likely slips of the pen before all else."""
    decisions = results.reading.decisions
    found = cautions(decision for decision in decisions if decision.kind != About.CALCULATION)
    rows: list[Row] = []
    if found:
        others = " See below." if len(found) == 1 else " The others stand below."
        rows.append(("Warnings when reading", len(found), f"{'First: ' * (len(found) > 1)}{found[0]}{others}"))
    rows += [
        ("Live formulas", "see", decision.sentence) for decision in decisions if decision.kind == About.CALCULATION
    ]
    return rows


def _method_rows(results: Results) -> list[Row]:
    """Say which method the values are by, unless it is the usual one, and what was chosen over the sheet Settings."""
    method, chosen = results.method, choices_over_sheet(results.reading)
    rows: list[Row] = []
    if method.name != "confidence":
        said = [results.chosen.note, chosen.get(METHOD, "")]
        if not results.is_calibration:
            said.append("Biases, residuals, links and proof are of calibration with confidence; bounds are left blank.")
            if results.reading.settings.gauge != "weighted":
                said.append(
                    "It cannot be told where the zero of the biases lies, so that setting is not used for values."
                )
        rows.append((f"Values by: {method.title}", "chosen", " ".join(sentence for sentence in said if sentence)))
    elif METHOD in chosen:
        rows.append((f"Values by: {method.title}", "chosen", chosen[METHOD]))
    for item in (GAUGE, REFERENCE):
        if item in chosen:
            settings = results.reading.settings
            answer = settings.gauge if item == GAUGE else settings.reference
            rows.append(
                (
                    "Zero of the biases (gauge)" if item == GAUGE else "Reference value",
                    "the mean" if answer is None else answer,
                    chosen[item],
                )
            )
    return rows


def _verdict_row(results: Results) -> Row:
    verdict = results.verdict
    words = f"{until_slips_are_corrected(results.reading.decisions)}{judged_for(results)}{verdict.sentence}"
    if "expected error" in words:
        words += f" Expected error: by how many {points(results)} a figure is typically off."
    what = "calibrating" if results.is_calibration else "calibration with confidence"
    return f"Is {what} worthwhile?", verdict.advice, words


def _change_rows(context: Context) -> list[Row]:
    results = context.results
    change = np.round(results.change, 1)
    up, down = int((change > 0).sum()), int((change < 0).sum())
    same, size = len(change) - up - down, np.abs(results.change)
    largest = int(np.argmax(size))
    threshold = results.alert_threshold
    beyond = int((size >= results.marked_from).sum())
    rows: list[Row] = [
        (
            "What changed",
            f"{up} up, {down} down",
            f"{counted(same, 'value') if same else 'No value'} unchanged to one decimal. Largest change "
            f"{signed(float(results.change[largest]))}, for {results.panel.objects[largest]}; typical change "
            f"{number(float(np.median(size)))}.",
        ),
        (
            f"Changes of {threshold:g} or more",
            beyond,
            "Marked in bold on Cal values." if beyond else "None.",
        ),
    ]
    if context.classes is not None:
        question, crossed, words = _crossings(results, context.classes)
        rows.append((question, crossed, f"{words}{survival_sentence(context)}"))
    if results.is_calibration:
        leaning = int(clearly_leaning(results).sum())
        rows.append(
            (
                f"{plural_of(results.reading.nouns.assessor)} clearly off the rest",
                leaning,
                f"{leaning_most(results, _LEANING_NAMED)}; see Cal assessors." if leaning else "None.",
            )
        )
    return rows


def _crossings(results: Results, classes: Classes) -> Row:
    crossed = int((classes.before != classes.after).sum())
    promoted = int((classes.after < classes.before).sum())
    failing = len(classes.bands) - 1
    new_fails = int(((classes.after == failing) & (classes.before != failing)).sum())
    moved = classes.before != classes.after
    borderline = [bool(phrase) for phrase in classes.borderline]
    among = int(moved[borderline].sum())
    of_these = f" ({among} of them among these)" if among else ""
    return (
        "Class boundaries crossed",
        crossed,
        f"{promoted} to a better class, {crossed - promoted} to a worse one{_moves(classes)}; "
        f"{new_fails} newly in the lowest class ({classes.bands[failing].name}). "
        f"{counted(sum(borderline), results.object_noun)} borderline{of_these}: flagged, never moved."
        f"{_less_likely(results, classes)}",
    )


def _moves(classes: Classes) -> str:
    """Say how many go from which class to which."""
    table = classes.table()
    names = [band.name for band in classes.bands]
    found = [
        f"{table[before, after]} from {names[before]} to {names[after]}"
        for before, after in zip(*np.nonzero(table), strict=True)
        if before != after
    ]
    return f" ({', '.join(found)})" if found else ""


def _less_likely(results: Results, classes: Classes) -> str:
    """Say how many crossings are not likely, since what is far out is partly luck, and what makes that doubtful."""
    count = int(classes.likelier_before.sum())
    warned = selection_warning(results) if results.is_calibration else ""
    said = (
        f"{count} of those who cross {'is' if count == 1 else 'are'} more likely on the side they come from"
        f"{f': {partly_luck(results)}' if results.is_calibration else ''}; see Cal values."
        if count
        else ""
    )
    return "".join(f" {sentence}" for sentence in (said, warned) if sentence)


def _set_aside_rows(results: Results) -> list[Row]:
    """Name the scores that a robust method set aside."""
    aside = set_aside(results)
    if aside is None:
        return []
    return [(f"{plural_of(results.reading.nouns.score)} set aside", len(aside), set_aside_in_words(results) or "None.")]


def _check_rows(results: Results) -> list[Row]:
    network = results.network
    excluded = sum(decision.excluded_scores for decision in results.reading.decisions)
    lone = len(network.single_object_assessors)
    strength, links = mu2_meaning(results.robustness.mu2, where="on Cal links")
    of_calibration: list[Row] = [
        (
            f"{plural_of(results.reading.nouns.score)} that do not count",
            lone,
            f"{counted(lone, results.assessor_noun)} assessed one {results.object_noun} only; see Cal links."
            if lone
            else "None.",
        ),
        (
            f"Order within each {results.assessor_noun}",
            "kept",
            f"Every {results.score_noun} of {with_article(results.assessor_noun)} moves by the same amount, so the "
            "order of merit stays as it was.",
        ),
    ]
    return [
        (
            "Connected?",
            "yes" if len(network.components) == 1 else "no",
            f"Every {results.object_noun} can be compared with every other.",
        ),
        ("Links strong enough?", strength.lower(), opening(links)),
        *(of_calibration if results.is_calibration else []),
        (
            f"Unexpected {results.scores_noun}",
            count_unexpected(results),
            _unexpected_in_words(results),
        ),
        (
            "Cells left out",
            excluded,
            f"{codes_left_out(results.reading.decisions) or 'Codes and the like'}: taken as not assessed, each with "
            "its cell below."
            if excluded
            else "None.",
        ),
    ]


def _unexpected_in_words(results: Results) -> str:
    found, panel = results.unexpected, results.panel
    tested = int((found.alike >= 0).sum())
    if not tested:
        return f"No {results.score_noun} can be tested: there are too few beyond the unknowns."
    cannot = panel.n_assessments - tested
    tested_words = (
        f"{tested:,} tested{f' ({cannot:,} cannot be: nothing else says what they should be)' if cannot else ''}"
    )
    far = (
        f"{found.n_far:,} {'is' if found.n_far == 1 else 'are'} {FAR:.1f} standardised or more, where luck alone would "
        f"give about {number(found.n_far_by_luck)}."
    )
    if not count_unexpected(results):
        return f"None clearly so, of {tested_words}. {far}"
    tied = int((np.bincount(found.alike[found.unexpected]) > 1).sum())
    pairs = f" For {tied} of them the fault may lie in either of two or more {results.scores_noun}." if tied else ""
    return f"Clearly so, of {tested_words}; see Cal residuals.{pairs} {far}"


def _figure_rows(results: Results) -> list[Row]:
    calibration = results.calibration
    freedom = calibration.degrees_of_freedom
    unknowns = results.panel.n_assessments - freedom
    typical = float(np.median(results.panel.confidences))
    deviation = np.sqrt(calibration.w_unbiased / typical)
    mark = (
        f"{opening(with_article(results.score_noun))} {with_confidence(results, typical)} scatters by "
        f"{number(float(deviation))} around "
        "value + bias."
        if freedom
        else ""
    )
    return [
        (
            "N - p (degrees of freedom)",
            freedom,
            f"N = {unknowns + freedom:,} {results.scores_noun}; p = {unknowns:,} unknowns in the rows of w. "
            "Further up, p is the chance of such a finding by luck alone.",
        ),
        (
            "R (weighted residual sum)",
            calibration.weighted_residual_sum,
            f"Sum of {confidences_noun(results)} x residual squared.",
        ),
        ("w = R/N", calibration.w_ml, "Maximum likelihood, eq. (38); too small where N - p is small."),
        (
            "w = R/(N - p)",
            calibration.w_unbiased if freedom else None,
            f"Used for standard errors. {mark}"
            if freedom
            else f"No more {results.scores_noun} than unknowns: there are no standard errors.",
        ),
        (
            "Links (mu_2, 0 to 1)",
            results.robustness.mu2,
            "Strength of the links: 0 = falls apart, 1 = as firm as can be.",
        ),
        (
            "Proven error of the values",
            at_most(results.certificate.solution_error),
            "How far any value can be from the exact solution of the equations; Cal proof checks them by formulas.",
        ),
    ]
