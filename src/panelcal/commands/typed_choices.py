"""What was typed about a run, as the choices that win over the sheet Settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Any

import typer

from panelcal.commands.typed_settings import typed_settings
from panelcal.reading.patterns import near_miss
from panelcal.reading.settings import METHOD_CHOICES, Gauge
from panelcal.systems.choices import Choices


def typed_choices(
    sheet: str | None,
    confidence_sheet: str | None,
    method: str | None,
    gauge: StrEnum | None,
    reference: float | None,
    typed: Mapping[str, Any],
) -> Choices:
    """Put together what was typed.

    Parameters
    ----------
    sheet, confidence_sheet, method, gauge, reference
        As the options of these names.
    typed
        The options about reading.

    Raises
    ------
    typer.BadParameter
        If there is no such method, or a value is not one that an option takes.
    """
    _check_method(method)
    zero: Gauge | None = None if gauge is None else gauge.value  # type: ignore[assignment]
    # Among the settings too, so that the result keeps them for the next run.
    sheets = {"sheet": sheet, "confidence_sheet": confidence_sheet}
    settings = typed_settings(typed) | {name: value for name, value in sheets.items() if value is not None}
    return Choices(sheet, confidence_sheet, method, zero, reference, settings)


def with_earlier(choices: Choices, earlier: Path | None) -> Choices:
    """Add the biases of an earlier result, where one was named.

    Raises
    ------
    PanelcalError
        If it holds none.
    """
    if earlier is None:
        return choices
    from panelcal.files.load import load_source  # noqa: PLC0415 - most runs have none and need not load what reads it
    from panelcal.reading.prior import prior_grid  # noqa: PLC0415

    return replace(choices, prior=prior_grid(load_source(earlier)))


def _check_method(method: str | None) -> None:
    if method is not None and method not in METHOD_CHOICES:
        close = near_miss(method.replace(" ", "_"), METHOD_CHOICES)
        hint = f" Did you mean {close}?" if close else ""
        raise typer.BadParameter(
            f"there is no method {method!r}: choose one of {', '.join(METHOD_CHOICES)}.{hint}", param_hint="--method"
        )
