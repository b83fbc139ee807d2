"""Read the Settings sheet back into `Settings`, checking every cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from panelcal.reading.cell_values import Kind, code_key, is_blank, is_percent_format, kind_of, label_text, shown
from panelcal.reading.decisions import About, Decision
from panelcal.reading.grid import Grid, address
from panelcal.reading.patterns import near_miss
from panelcal.reading.policy_rules import POLICY_HEADINGS, PolicyRule, policy_rule
from panelcal.reading.problems import Problems
from panelcal.reading.setting_texts import LINES, ROWS, allowed, hint_at, meaning, text_of, value_in
from panelcal.reading.settings import (
    BAND_HEADINGS,
    CODE_HEADINGS,
    CODE_TREATMENTS,
    CRITERION_HEADINGS,
    DEFAULT_CODES,
    EACH,
    FEATURE_HEADINGS,
    GRADE_HEADINGS,
    SETTING_HEADINGS,
    TOGETHER,
    WORD_HEADINGS,
    Band,
    CodeTreatment,
    Settings,
)

_ROWS = {row.label.casefold(): row for row in ROWS.values()}
_LINES = {label.casefold(): name for name, label in LINES.items()}


def read_settings(grid: Grid) -> tuple[Settings, tuple[Decision, ...]]:
    """Read the sheet of settings.

    Returns
    -------
    settings, decisions
        The settings, and which of them differ from the defaults, where.

    Raises
    ------
    InputRefused
        If a value is not allowed or a label is unknown; every such cell is named, with what to write instead.
    """
    problems = Problems()
    chosen: dict[str, Any] = {}
    cells: list[str] = []
    said: list[str] = []
    headings = {tuple(text.casefold() for text in pair): name for pair, name in _TABLES}
    table = "" if _has_heading(grid) else "settings"
    bands: list[tuple[str, float]] = []
    codes: dict[str, CodeTreatment] = {}
    policy: list[PolicyRule] = []
    numbers: dict[str, dict[str, float]] = {name: {} for name in _NUMBERED}
    lines: dict[str, dict[str, Any]] = {name: {} for name in LINES}
    for number in range(1, grid.n_rows + 1):
        label, value = grid.value(number, 1), grid.value(number, 2)
        pair = (label_text(label).casefold(), label_text(value).casefold())
        if pair in headings:
            table = headings[pair]
            if table == "codes":
                chosen["codes"] = MappingProxyType(codes)
            continue
        if is_blank(label) and is_blank(value):
            table = "settings" if table in ("bands", "codes", "policy", *numbers) else table
        elif table == "bands":
            _read_band(grid, number, bands, problems)
        elif table == "codes":
            _read_code(grid, number, codes, problems)
        elif table == "policy":
            _read_rule(grid, number, policy, problems)
        elif table in numbers:
            _read_named_number(grid, number, numbers[table], _NUMBERED[table], problems, table == "grades")
        elif table == "settings" and label_text(label).rstrip(":").strip().casefold() in _LINES:
            _read_line(grid, number, lines, problems)
        elif table == "settings":
            _read_setting(grid, number, chosen, cells, said, problems)
    for name, held in (("rating_words", "words"), ("feature_weights", "features")):
        chosen[name] = MappingProxyType(numbers[held] | lines[name])
    for name in ("criteria", "grades"):
        chosen[name] = MappingProxyType(numbers[name] | lines[name])
    chosen["same"] = MappingProxyType(lines["same"])
    chosen["codes"] = MappingProxyType({**chosen.get("codes", DEFAULT_CODES), **lines["codes"]})
    chosen["policy"] = tuple(policy)
    chosen["direction_given"] = "higher_is_better" in chosen
    settings = _checked(grid, replace(Settings(), **chosen), bands, problems)
    problems.stop_if_any()
    return settings, _decisions(grid, cells, said, settings)


_TABLES = (
    (SETTING_HEADINGS[:2], "settings"),
    (BAND_HEADINGS, "bands"),
    (CODE_HEADINGS, "codes"),
    (WORD_HEADINGS, "words"),
    (FEATURE_HEADINGS, "features"),
    (CRITERION_HEADINGS, "criteria"),
    (GRADE_HEADINGS, "grades"),
    (POLICY_HEADINGS, "policy"),
)

_NUMBERED = {
    "words": "a rating in words: write the word under Rating word and its level, 0 or more, under Level",
    "features": "a feature: write its heading under Feature and how much it counts, 0 or more, under Weight",
    "criteria": "a criterion: write its heading under Criterion and how much it counts, 0 or more, beside it",
    "grades": "a grade: write it under Grade and the number it counts as under Number",
}


def _has_heading(grid: Grid) -> bool:
    wanted = tuple(text.casefold() for text in SETTING_HEADINGS[:2])
    rows = range(1, grid.n_rows + 1)
    return any(tuple(label_text(grid.value(row, column)).casefold() for column in (1, 2)) == wanted for row in rows)


def _read_line(grid: Grid, number: int, lines: Mapping[str, dict[str, Any]], problems: Problems) -> None:
    """Read a table that is written in one row, as Codes beside "late=exclude, ill=exclude"; several rows are joined."""
    label, value = label_text(grid.value(number, 1)), grid.value(number, 2)
    name = _LINES[label.rstrip(":").strip().casefold()]
    if is_blank(value):
        return
    try:
        lines[name] |= value_in(name, [label_text(value).removeprefix("'")])
    except ValueError as problem:
        cell = address(number, 2)
        problems.say(grid.sheet, f"Cell {cell} on sheet {grid.sheet}, beside {label}: {problem}", [cell])


def _read_setting(
    grid: Grid, number: int, chosen: dict[str, Any], cells: list[str], said: list[str], problems: Problems
) -> None:
    label, value = label_text(grid.value(number, 1)).rstrip(":").strip(), grid.value(number, 2)
    row = _ROWS.get(label.casefold())
    if row is None:
        if not is_blank(value):
            close = near_miss(label, [*LINES.values(), *(row.label for row in ROWS.values())])
            hint = f'; did you mean "{close}"?' if close else "."
            problems.say(
                grid.sheet,
                f'Cell {address(number, 1)} on sheet {grid.sheet} holds "{shown(label)}", which is not a '
                f"setting{hint} Correct "
                "the label or clear the row.",
                [address(number, 1)],
            )
        return
    if is_blank(value):
        return
    if row.field_name in chosen and row.kind != "patterns":
        problems.say(
            grid.sheet,
            f'Cell {address(number, 1)} on sheet {grid.sheet} gives the setting "{row.label}" a second time: keep '
            f"one row.",
            [address(number, 1)],
        )
        return
    accepted, meant = meaning(row, value)
    if not accepted:
        problems.say(
            grid.sheet,
            f'Cell {address(number, 2)} on sheet {grid.sheet} holds "{shown(value)}" for "{row.label}": write '
            f"{allowed(row)}.{hint_at(row, shown(value))}",
            [address(number, 2)],
        )
        return
    if row.kind == "patterns":
        meant = tuple(dict.fromkeys((*chosen.get(row.field_name, ()), *meant)))
    chosen[row.field_name] = meant
    if meant != getattr(Settings(), row.field_name):
        cells.append(address(number, 2))
        said.append(f"{row.label}: {shown(value)}")


def _read_band(grid: Grid, number: int, bands: list[tuple[str, float]], problems: Problems) -> None:
    name, value = label_text(grid.value(number, 1)), grid.value(number, 2)
    kind, lowest = kind_of(value)
    if kind is Kind.PERCENT_TEXT or (
        kind is Kind.NUMBER and is_percent_format(grid.number_formats.get((number, 2), ""))
    ):
        kind, lowest = Kind.NUMBER, lowest * 100
    if not name or kind not in (Kind.NUMBER, Kind.TEXT_NUMBER):
        cell = address(number, 2 if name else 1)
        problems.add(
            grid.sheet,
            "{where} [is|are] not right for a class: write its name under Class and the score where it "
            "begins under From, for example First and 70.",
            cell,
        )
    elif name.casefold() in {other.casefold() for other, _ in bands} or lowest in {other for _, other in bands}:
        problems.add(
            grid.sheet,
            "{where} [repeats|repeat] a class or a boundary: give each class one name and one boundary of its own.",
            address(number, 1),
        )
    else:
        bands.append((name, lowest))


def _read_code(grid: Grid, number: int, codes: dict[str, CodeTreatment], problems: Problems) -> None:
    code, treatment = label_text(grid.value(number, 1)), label_text(grid.value(number, 2)).casefold()
    if not code or (treatment and treatment not in CODE_TREATMENTS):
        cell = address(number, 2 if code else 1)
        problems.add(
            grid.sheet,
            "{where} [is|are] not right for a code: write the code under Code, and exclude, zero or stop "
            "under Treatment.",
            cell,
        )
    elif code_key(code) in {code_key(other) for other in codes}:
        problems.add(grid.sheet, "{where} [repeats|repeat] a code: keep one row for each code.", address(number, 1))
    else:
        codes[code] = treatment or "exclude"


def _read_rule(grid: Grid, number: int, policy: list[PolicyRule], problems: Problems) -> None:
    label, limit = label_text(grid.value(number, 1)), grid.value(number, 2)
    cell = address(number, 1 if label else 2)
    try:
        rule = policy_rule(label, limit)
    except ValueError as error:
        said = shown(grid.value(number, 1)) or shown(limit)
        problems.say(grid.sheet, f'Cell {cell} on sheet {grid.sheet} holds "{said}" under Policy, {error}.', [cell])
        return
    if rule is not None and any(rule.kind == other.kind for other in policy):
        problems.add(grid.sheet, "{where} [repeats|repeat] a rule: keep one row for each.", cell)
    elif rule is not None:
        policy.append(rule)


def _read_named_number(
    grid: Grid, number: int, found: dict[str, float], expected: str, problems: Problems, may_be_negative: bool
) -> None:
    name, value = label_text(grid.value(number, 1)), grid.value(number, 2)
    kind, amount = kind_of(value)
    if expected is _NUMBERED["criteria"] and name.casefold() in (TOGETHER, EACH) and is_blank(value):
        kind, amount = Kind.NUMBER, 1.0
    if not name or kind not in (Kind.NUMBER, Kind.TEXT_NUMBER) or (amount < 0 and not may_be_negative):
        cell = address(number, 2 if name else 1)
        problems.add(grid.sheet, f"{{where}} [is|are] not right for {expected}.", cell)
    elif name.casefold() in {other.casefold() for other in found}:
        problems.add(grid.sheet, "{where} [repeats|repeat] a name: keep one row for each.", address(number, 1))
    else:
        found[name] = amount


def _checked(grid: Grid, settings: Settings, bands: list[tuple[str, float]], problems: Problems) -> Settings:
    """Put the classes in order, best first, and check what only makes sense together."""
    low, high = settings.scale_low, settings.scale_high
    if low is not None and high is not None and low >= high:
        problems.say(
            grid.sheet,
            f"On sheet {grid.sheet} the lowest score ({low:g}) must be below the highest score ({high:g}): "
            f"correct one of them.",
        )
    ordered = sorted(bands, key=lambda band: band[1], reverse=settings.higher_is_better)
    return replace(settings, bands=tuple(Band(name, lowest) for name, lowest in ordered))


def _decisions(grid: Grid, cells: list[str], said: list[str], settings: Settings) -> tuple[Decision, ...]:
    if settings.bands:
        said.append("classes: " + ", ".join(f"{band.name} from {band.lowest:g}" for band in settings.bands))
    for named, numbers in (
        ("rating words", settings.rating_words),
        ("features", settings.feature_weights),
        ("criteria", settings.criteria),
        ("grades", settings.grades),
    ):
        if numbers:
            said.append(f"{named}: " + ", ".join(f"{name} {number:g}" for name, number in numbers.items()))
    if settings.same:
        said.append(f"same names: {text_of('same', settings.same)}")
    if settings.policy:
        said.append("policy: " + ", ".join(rule.label for rule in settings.policy))
    changed = _changed_codes(settings.codes)
    if changed:
        said.append("codes: " + ", ".join(changed))
    sentence = (
        f"Settings that differ from the defaults: {'; '.join(said)}."
        if said
        else f"The sheet {grid.sheet} leaves every setting at its default."
    )
    return (Decision(About.SETTINGS, tuple(cells), sentence, sheet=grid.sheet),)


def _changed_codes(codes: Mapping[str, CodeTreatment]) -> list[str]:
    defaults = Settings().codes
    changed = [f"{code} = {treatment}" for code, treatment in codes.items() if defaults.get(code) != treatment]
    return changed + [f"{code} is no code" for code in defaults if code not in codes]
