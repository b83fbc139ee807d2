"""What was typed after the options about reading, as settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import typer

from panelcal.reading.answers import OPTIONS
from panelcal.reading.cell_values import number_in
from panelcal.reading.patterns import did_you_mean
from panelcal.reading.setting_texts import LINES, ROWS, label_of, value_in

_BY_LABEL = {label_of(name).casefold(): name for name in (*ROWS, *LINES)}


def typed_settings(typed: Mapping[str, Any]) -> dict[str, Any]:
    """Turn what was typed into fields of `Settings`.

    Raises
    ------
    typer.BadParameter
        If a value is not one the option takes; the sentence says what it takes.
    """
    chosen: dict[str, Any] = {}
    for name, given in typed.items():
        if name in OPTIONS and given:
            if name in ("scores", "include", "exclude", "common"):
                chosen[name] = tuple(dict.fromkeys(given))  # one heading each, whatever stands in it
            else:
                chosen[name] = _meant(name, [given] if isinstance(given, str) else given, OPTIONS[name])
    if typed.get("scale"):
        chosen |= _scale(typed["scale"])
    if typed.get("lower_is_better"):
        chosen["higher_is_better"] = False
    for text in typed.get("set_") or ():
        chosen |= _further(text)
    return chosen


def _meant(name: str, texts: Sequence[str], option: str) -> Any:
    try:
        return value_in(name, texts)
    except ValueError as problem:
        raise typer.BadParameter(str(problem), param_hint=option) from None


def _scale(text: str) -> dict[str, float]:
    low, colon, high = text.partition(":")
    ends = number_in(low), number_in(high)
    if not colon or ends[0] is None or ends[1] is None or ends[0] >= ends[1]:
        raise typer.BadParameter(
            f"{text!r} is no scale: give the lowest and the highest score with a colon between, as in 0:100.",
            param_hint="--scale",
        )
    return {"scale_low": ends[0], "scale_high": ends[1]}


def _further(text: str) -> dict[str, Any]:
    label, sign, value = text.partition("=")
    name = _BY_LABEL.get(label.strip().casefold())
    if name is None or not sign:
        hint = did_you_mean(label, map(label_of, _BY_LABEL.values())) or "."
        raise typer.BadParameter(f"{label!r} is no setting with a value after an = sign{hint}", param_hint="--set")
    return {name: _meant(name, [value.strip()], "--set")}
