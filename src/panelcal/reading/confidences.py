"""What people write to say how sure an assessor is, turned into confidences c = 1/sigma^2 (eq. 5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from panelcal.arrays import Array
from panelcal.confidence import confidence_from_deviation, confidence_from_word
from panelcal.errors import LARGEST
from panelcal.frozen import dataclass
from panelcal.reading.cell_values import Kind, kind_of, label_text, leading_number, shown, spread_in
from panelcal.reading.headings import Role
from panelcal.reading.problems import Problems
from panelcal.reading.settings import Settings

CONFIDENCE_WORDS = frozenset({"high", "h", "medium", "med", "m", "low", "l"})
_SPOKEN = {
    "weight": "a weight",
    "sd": "a standard deviation",
    "word": "high, medium or low",
    "range": "a range such as 60-70",
    "plus-minus": "a value such as 65 +/- 5",
}


@dataclass(frozen=True, slots=True)
class DeclaredCells:
    """Cells in which confidences are written, one for each entry they are wanted for.

    Attributes
    ----------
    values, cells
        What is written, and where (addresses on `sheet`).
    sheet
        The sheet they are on.
    role
        What their heading says: weights or standard deviations.
    heading
        The heading itself, for the word to use ("Credits").
    """

    values: Sequence[Any]
    cells: Sequence[str]
    sheet: str
    role: Role = Role.WEIGHT
    heading: str = "Confidence"


def confidences_from(declared: DeclaredCells, settings: Settings, problems: Problems) -> tuple[Array, str]:
    """Turn declared confidences into numbers.

    Returns
    -------
    confidences, form
        (K,) positive numbers (1 where a problem was noted), and the form they were written in.
    """
    # Many assessments share a few confidences, so each is looked at once.
    places: dict[Any, int] = {}
    index = [places.setdefault((type(value), value), len(places)) for value in declared.values]
    different = [value for _, value in places]
    forms = [_form_of(value) for value in different]
    form = settings.confidence_form
    if form == "auto":
        counted = Counter(forms[k] for k in index if forms[k] not in ("blank", "unknown"))
        most = counted.most_common(1)[0][0] if counted else "number"
        form = {"number": "sd" if declared.role is Role.DEVIATION else "weight"}.get(most, most)  # type: ignore[assignment]
    wanted = "number" if form in ("weight", "sd") else form
    numbers = np.array(
        [
            _confidence(value, form, settings) if found == wanted else 0.0
            for value, found in zip(different, forms, strict=True)
        ]
    )
    result = numbers[index] if index else np.ones(0)
    for k in np.flatnonzero(~(result > 0)).tolist():
        _refuse(declared, k, forms[index[k]], wanted, form, problems)
        result[k] = 1.0
    return result, form


def _form_of(value: Any) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "number" if kind_of(value)[0] is Kind.NUMBER else "unknown"
    if value is None:
        return "blank"
    if isinstance(value, str):
        if value.strip().casefold() in CONFIDENCE_WORDS:
            return "word"
        if spread := spread_in(value):
            return spread.form
        if leading_number(value) is not None:
            return "number"
        return {Kind.TEXT_NUMBER: "number", Kind.PERCENT_TEXT: "number", Kind.BLANK: "blank"}.get(
            kind_of(value)[0], "unknown"
        )
    return "unknown"


def _confidence(value: Any, form: str, settings: Settings) -> float:
    """One confidence; 0 where it would not be positive."""
    if form == "word":
        return confidence_from_word(value, settings.confidence_p)
    if form in ("range", "plus-minus"):
        spread = spread_in(value)
        sigma = spread.half_width / settings.range_halfwidth_sds if spread else 0.0
    else:
        led = leading_number(value)
        number = kind_of(value)[1] if led is None else led
        if form == "weight":
            return number if number >= 1 / LARGEST else 0.0
        sigma = number
    with np.errstate(over="ignore", under="ignore"):
        confidence = float(confidence_from_deviation(sigma)) if sigma > 0 else 0.0
    return confidence if 1 / LARGEST <= confidence <= LARGEST else 0.0


def _refuse(declared: DeclaredCells, k: int, found: str, wanted: str, form: str, problems: Problems) -> None:
    sheet, cell, value = declared.sheet, declared.cells[k], shown(declared.values[k])
    if found == "blank":
        problems.add(
            sheet,
            "{where} [is|are] blank but a confidence is needed there: write "
            + _SPOKEN[form]
            + ", or remove all confidences.",
            cell,
        )
    elif found == wanted:
        problems.add(
            sheet,
            "{where} [holds|hold] {values}, but a confidence must be more than zero: correct it, or clear the "
            "score if it "
            "should not count.",
            cell,
            value,
        )
    elif found == "unknown":
        problems.add(
            sheet,
            "{where} [holds|hold] {values} where a confidence is expected: write " + _SPOKEN[form] + ".",
            cell,
            value,
        )
    else:
        problems.add(
            sheet,
            "{where} [holds|hold] {values} while the other confidences are of another kind: write "
            + _SPOKEN[form]
            + " everywhere.",
            cell,
            value,
        )


def confidences_from_spreads(half_widths: Sequence[float] | Array, settings: Settings) -> Array:
    """Turn the half-widths of scores written as "65 +/- 5" or 60-70 into confidences."""
    return confidence_from_deviation(np.asarray(half_widths) / settings.range_halfwidth_sds)


def declared_texts(declared: DeclaredCells) -> tuple[str, ...]:
    """Spell the confidences as they were written."""
    spelt: dict[Any, str] = {}
    texts = []
    for value in declared.values:
        text = spelt.get((type(value), value))
        if text is None:
            text = spelt[type(value), value] = label_text(value)
        texts.append(text)
    return tuple(texts)
