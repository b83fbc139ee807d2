"""Choices, questions and readings as plain data for the page, and back; and how large a reading the page takes on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from panelcal.errors import Answer, InputRefused, PanelTooLarge, Question
from panelcal.reading.cell_values import number_in
from panelcal.reading.decisions import About, Decision
from panelcal.reading.planning.read_plan import PlanWanted
from panelcal.reading.setting_texts import ROWS, value_in
from panelcal.reading.settings import EACH, TOGETHER, Band
from panelcal.reading.understood import Understood
from panelcal.reporting.cautions import cautions
from panelcal.systems.choices import Choices

MOST_SCORES = 120_000
"""That a page takes on: a browser gives it much less memory than a program has."""
_OWN = ("sheet", "confidence_sheet", "method", "gauge", "reference")


def choices_from(ask: Mapping[str, Any]) -> Choices:
    """Read what the reader chose: fields of `Choices`, "settings" in words, "bands", and answers to questions.

    Raises
    ------
    InputRefused
        If a setting cannot mean what was written; the sentence says what could.
    """
    given = ask.get("choices") or {}
    own = {name: given[name] for name in _OWN if given.get(name) not in (None, "")}
    if "reference" in own:
        own["reference"] = _setting("reference", own["reference"])
    settings = {name: _setting(name, text) for name, text in (given.get("settings") or {}).items() if text != ""}
    if given.get("criteria") in (TOGETHER, EACH):
        settings["criteria"] = {given["criteria"]: 1.0}
    bands = given.get("bands") or []
    if bands:
        settings["bands"] = _bands(bands, settings.get("higher_is_better", True))
    answers = [Answer(_gives(gives), "") for gives in given.get("answers") or []]
    return Choices(**own, settings=settings).answered(*answers)


def plan_from(ask: Mapping[str, Any]) -> PlanWanted:
    """Read what the reader wants of a plan; a field that was left blank is not there or "".

    Raises
    ------
    InputRefused
        If a number is none, or it is not clear how many assess each object.
    """
    each, most, following, seed = (_whole(ask, name) for name in ("per_object", "per_judge", "next", "seed"))
    minutes = None if ask.get("minutes") in (None, "") else number_in(str(ask["minutes"]))
    if ask.get("minutes") not in (None, "") and (minutes is None or minutes <= 0):
        raise InputRefused("The minutes for each assessment must be a number above 0.")
    if following is None and (each is None) == (most is None):
        raise InputRefused("Say either how many assess each one, or how many each assessor takes, and leave one blank.")
    if following is not None:
        each = None
    return PlanWanted(each, seed or 0, most, minutes, following)


def _whole(ask: Mapping[str, Any], name: str) -> int | None:
    given = ask.get(name)
    if given in (None, ""):
        return None
    number = number_in(str(given))
    if number is None or number != int(number) or number < (name != "seed"):
        raise InputRefused(f"{given} is no whole number that a plan could go by.")
    return int(number)


def _setting(name: str, text: str) -> Any:
    try:
        return value_in(name, [str(text)])
    except ValueError as problem:
        raise InputRefused(f"{ROWS[name].label}: {problem}") from None


def _bands(pairs: Sequence[Sequence[Any]], higher_is_better: bool) -> tuple[Band, ...]:
    bands = []
    for name, lowest in pairs:
        try:
            bands.append(Band(str(name).strip(), float(str(lowest).replace(",", "."))))
        except ValueError:
            raise InputRefused(f'"{lowest}" is not the score where a class begins: write a number.') from None
    return tuple(sorted(bands, key=lambda band: band.lowest, reverse=bool(higher_is_better)))


def _gives(gives: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in gives.items()}


def question_data(question: Question) -> dict[str, Any]:
    """Return a question with its answers, each of which the page gives back as it is."""
    answers = [{"meaning": answer.meaning, "gives": plain(answer.gives)} for answer in question.answers]
    return {"sentence": question.sentence, "cells": list(question.cells), "answers": answers}


def reading_data(reading: Understood, notes: Sequence[str]) -> dict[str, Any]:
    """Return what was understood: who, what, on which range, what was not read, and what to look at."""
    known = reading.understood
    return {
        "file": reading.source_name,
        "sheet": reading.sheet,
        "summary": reading.summary,
        "counts": reading.counts,
        "rows": [[str(cell) for cell in row] for row in known.rows()],
        "assessors": list(known.assessors),
        "objects": list(known.objects),
        "nouns": {"assessor": known.assessor_noun, "object": known.object_noun, "score": known.score_noun},
        "method": reading.settings.method,
        "gauge": reading.settings.gauge,
        "level": reading.settings.level,
        "bands": [[band.name, band.lowest] for band in reading.settings.bands],
        "notes": list(notes),
        "cautions": list(cautions(reading.decisions)),
        "decisions": [_decision(decision) for decision in reading.decisions if not _offered_here(decision)],
    }


def _offered_here(decision: Decision) -> bool:
    """Tell whether a decision is that nothing was chosen, which the page asks for by its fields."""
    return decision.kind == About.SETTINGS and not decision.cells


def _decision(decision: Decision) -> dict[str, Any]:
    return {"sentence": decision.sentence, "cells": list(decision.cells), "look": decision.weight == "warning"}


def plain(value: Any) -> Any:
    """Return what JSON can hold; a figure that is not finite becomes the word that a cell would show."""
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if value is None or isinstance(value, str | bool | int):
        return value
    if hasattr(value, "item") and not hasattr(value, "__len__"):
        value = value.item()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, int | bool | str):
        return value
    return [plain(one) for one in value]


def require_size(reading: Understood) -> None:
    """Do nothing if a browser can calibrate what was read.

    Raises
    ------
    PanelTooLarge
        Otherwise, with the way that can.
    """
    count = scores_in(reading)
    if count > MOST_SCORES:
        raise PanelTooLarge(
            f"There are {count:,} {reading.settings.score_noun or 'score'}s here, and a page in a browser has room for "
            f"{MOST_SCORES:,}: install panelcal and calibrate this file on the command line."
        )


def scores_in(reading: Understood) -> int:
    """Count the scores that were read."""
    panel = getattr(reading, "panel", None)
    return 0 if panel is None else int(panel.n_assessments)
