"""Extracts on request: what one object may see of itself, and what one assessor may see of its own marking.

Neither holds another object's data: the object's extract has its own marks only, the assessor's feedback has its own
marks and no other assessor's name.
"""

from __future__ import annotations

import dataclasses
import textwrap
from collections.abc import Sequence

import numpy as np

from panelcal.errors import InputRefused
from panelcal.reporting.cell_content import numbers
from panelcal.reporting.model import Column, Highlight, Note, Report, Sheet, Table
from panelcal.reporting.wording import compact, counted, named, number, signed, some_of
from panelcal.systems.calibration.classes import Classes, classify
from panelcal.systems.calibration.results import Results
from panelcal.systems.calibration.unexpected import standardised_residuals
from panelcal.systems.calibration.why import explain_value

_DIFFERENT = 2.0
_DECIMALS = 1
_OTHERS = "other"
_LINE_WIDTH = 92


def object_extract(results: Results, label: str, *, created: str, run_id: str = "", calibrated: str = "") -> Report:
    """Report what one object may see: its marks, how each was adjusted, its value and the reason.

    Who is borderline is for the Board to weigh, and left out.

    Parameters
    ----------
    created
        Date and time of the extract, ISO format.
    run_id, calibrated
        Identifier and date of the run that it is of; empty where there is no other than this.

    Raises
    ------
    InputRefused
        If there is no such object.
    """
    at = _place(label, results.panel.objects, results.object_noun)
    own = np.flatnonzero(results.panel.object_index == at)
    taken_off = results.biases_taken_off
    hidden = _hidden(results, own) if taken_off is not None else frozenset()
    table = _own_scores(results, own, hidden)
    level = results.reading.settings.level
    interval = results.value_interval(level)[at]
    reasons = explain_value(results, _without_borderline(classify(results)), at, unnamed=hidden)
    lines = [
        f"Raw average {number(results.raw[at])}, calibrated value {number(results.values[at])}"
        + (
            f", between {number(interval[0])} and {number(interval[1])} with {level:.0%} confidence."
            if np.isfinite(interval[0])
            else "."
        ),
        *_sentences(reasons)[1:],  # the first gives the raw average again
    ]
    if taken_off is not None:
        lines.append(
            f"Each {results.assessor_noun}'s {results.scores_noun} are shifted by one amount, the same for every "
            f"{results.object_noun}; the order within it is unchanged."
        )
    if hidden:
        least = results.reading.settings.smallest_group
        lines.append(
            f"Of {_OTHERS} {results.assessors_noun} only the sum is given: at least one of them has fewer than "
            f"{compact(least)} {results.objects_noun}, whose {results.scores_noun} could be worked out otherwise."
        )
    lines.append(_provenance(results, run_id, calibrated or created))
    sheet = Sheet(
        name="Extract",
        title=named(results.reading.nouns.object, label),
        explanation=(
            f"Own {results.scores_noun} and how they were calibrated. Nothing here is about any other "
            f"{results.object_noun}."
        ),
        tables=(table,),
        notes=_notes(lines, below=table),
        frozen=None,
        portrait=True,
    )
    return Report((sheet,), run_id, f"Confidential: for {named(results.object_noun, label)}", created)


def _hidden(results: Results, own: np.ndarray) -> frozenset[int]:
    """Of an object's assessments, those whose bias is not to be told: never exactly one, so that none is the rest."""
    panel = results.panel
    pairs = np.unique(np.stack([panel.assessor_index, panel.object_index]), axis=1)
    behind = np.bincount(pairs[0], minlength=panel.n_assessors)[panel.assessor_index[own]]
    small = int((behind < results.reading.settings.smallest_group).sum())
    if small == 0:
        return frozenset()
    smallest_first = own[np.argsort(behind, kind="stable")]
    return frozenset(smallest_first[: max(small, 2)].tolist())


def _own_scores(results: Results, own: np.ndarray, hidden: frozenset[int]) -> Table:
    """List an object's scores and what was taken off each, as exactly as the sheets show it; the hidden in one row."""
    panel, reading, taken_off = results.panel, results.reading, results.biases_taken_off
    shown = np.array([k for k in own if k not in hidden], dtype=np.intp)
    kept_back = np.array([k for k in own if k in hidden], dtype=np.intp)
    listed = np.concatenate([shown, kept_back])
    blank: list[str | float] = [""] * len(kept_back)
    sums = [""] if len(kept_back) else []
    names = [panel.assessors[k] for k in panel.assessor_index[listed]]
    declared = [_number_or_words(reading.declared[k]) for k in listed] if reading.declared else [""] * len(listed)
    together = [f"{_OTHERS} {results.assessors_noun}".capitalize()] if len(kept_back) else []
    columns = [
        Column(reading.nouns.assessor, [*names, *together], "text", 22),
        Column(reading.nouns.score, [*numbers(panel.scores[listed]), *sums], "given", 10),
        Column(reading.nouns.confidence or "Confidence", [*declared, *sums], "given", 12),
    ]
    if taken_off is not None:
        biases = taken_off[panel.assessor_index[shown]]
        effects = -panel.confidences[own] / panel.confidences[own].sum() * taken_off[panel.assessor_index[own]]
        effect_of = dict(zip(own.tolist(), effects.tolist(), strict=True))
        rest = [_rounded(sum(effect_of[k] for k in kept_back))] if len(kept_back) else []
        columns += [
            Column("Scored high (+) or low (-) by", [*map(_rounded, biases), *blank, *sums], "signed", 16),
            Column(
                f"Adjusted {results.score_noun}",
                [*map(_rounded, panel.scores[shown] - biases), *blank, *sums],
                "score",
                16,
            ),
            Column("Effect on the value", [*(_rounded(effect_of[k]) for k in shown), *blank, *rest], "signed", 12),
        ]
    return Table(tuple(columns), name="marks")


def _rounded(value: float) -> float:
    """Round to what the sheets show: further digits would tell of others."""
    return round(float(value), _DECIMALS) + 0.0


def assessor_feedback(results: Results, label: str, *, created: str, run_id: str = "", calibrated: str = "") -> Report:
    """Report to one assessor: its bias with interval, its consistency, and where it differed most from the panel.

    Parameters
    ----------
    created, run_id, calibrated
        As for `object_extract`.

    Raises
    ------
    InputRefused
        If there is no such assessor.
    """
    at = _place(label, results.panel.assessors, results.assessor_noun)
    panel, calibration = results.panel, results.calibration
    own = np.flatnonzero(panel.assessor_index == at)
    standardised = standardised_residuals(results)[own]
    order = np.argsort(-np.nan_to_num(np.abs(standardised), nan=-1.0), kind="stable")
    own, standardised = own[order], standardised[order]
    expected = calibration.values[panel.object_index[own]]
    table = Table(
        (
            Column(results.reading.nouns.object, [panel.objects[k] for k in panel.object_index[own]], "text", 18),
            Column(f"Your {results.reading.nouns.score.lower()}", numbers(panel.scores[own]), "given", 12),
            Column("Panel's value", numbers(expected), "score", 12),
            Column("Difference", numbers(panel.scores[own] - expected), "signed", 11),
            Column(
                "Beyond your usual difference",
                numbers(calibration.residuals[own]),
                "signed",
                16,
                explanation="Difference less your bias: what is particular to this one.",
            ),
            Column(
                "Standardised", numbers(standardised), "signed", 13, highlight=Highlight("beyond", limit=_DIFFERENT)
            ),
        ),
        name="feedback",
    )
    lines = [*_feedback_lines(results, at, own, standardised), _provenance(results, run_id, calibrated or created)]
    sheet = Sheet(
        name="Feedback",
        title=named(results.reading.nouns.assessor, label),
        explanation=f"Own {results.scores_noun} against the panel's calibrated values. No other assessor is named.",
        tables=(table,),
        notes=_notes(lines, below=table),
        frozen=None,
        portrait=True,
    )
    return Report((sheet,), run_id, f"Confidential: for {named(results.assessor_noun, label)}", created)


def _feedback_lines(results: Results, at: int, own: np.ndarray, standardised: np.ndarray) -> list[str]:
    bias = results.calibration.biases[at]
    interval = results.uncertainty.bias_interval(results.reading.settings.level)[at]
    direction = "higher" if bias > 0 else "lower"
    sure = np.isfinite(interval[0]) and (interval[0] > 0 or interval[1] < 0)
    lines = [
        f"You scored {number(abs(bias))} {direction} than the panel on the same {results.objects_noun}"
        + (f" (between {signed(interval[0])} and {signed(interval[1])})" if np.isfinite(interval[0]) else "")
        + (": a clear difference." if sure else ": within what chance alone could do."),
    ]
    factor = results.declared.assessor_factors[at]
    if np.isfinite(factor):
        lines.append(
            f"Consistency: your {results.scores_noun} scatter {number(factor)} times as much (in variance) as their "
            "confidence promises; 1 is as expected."
        )
    beyond = int((np.nan_to_num(np.abs(standardised)) > _DIFFERENT).sum())
    lines.append(
        f"{counted(beyond, results.score_noun)} of {len(own)} {'differs' if beyond == 1 else 'differ'} by more than "
        f"{_DIFFERENT:g} standardised; about 1 in 20 would by chance."
    )
    return lines


def _provenance(results: Results, run_id: str, date: str) -> str:
    settings = results.reading.settings
    reference = "" if settings.reference is None else f" {compact(settings.reference)}"
    run = f"run {run_id} of " if run_id else ""
    return f"Made by {results.method.title} (gauge: {settings.gauge}{reference}), {run}{date[:10]}."


def _without_borderline(classes: Classes | None) -> Classes | None:
    return None if classes is None else dataclasses.replace(classes, borderline=("",) * len(classes.borderline))


def _number_or_words(declared: str) -> str | float:
    try:
        return float(declared)
    except ValueError:
        return declared


def _place(label: str, labels: tuple[str, ...], noun: str) -> int:
    if label in labels:
        return labels.index(label)
    raise InputRefused(f'There is no {noun} "{label}": there are {some_of(labels, 6)}.')


def _sentences(paragraph: str) -> list[str]:
    """Split a paragraph after each sentence."""
    return [part.strip() + "." for part in paragraph.replace(". ", ".\n").rstrip(".").split(".\n")]


def _notes(lines: Sequence[str], *, below: Table) -> tuple[Note, ...]:
    """Put lines below a table, broken where they would run off the page."""
    broken = [part for line in lines for part in textwrap.wrap(line, _LINE_WIDTH, subsequent_indent="    ")]
    return tuple(Note(row=below.last_row + 2 + k, text=line) for k, line in enumerate(broken))
