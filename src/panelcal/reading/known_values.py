"""Which objects fix the zero of the biases: those that a setting names, or those on the sheet "Known values"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from panelcal.reading.cell_values import Kind, is_blank, kind_of, label_text
from panelcal.reading.decisions import About, Decision
from panelcal.reading.grid import Grid, address
from panelcal.reading.nouns import in_sentence, plural
from panelcal.reading.patterns import did_you_mean, places_of
from panelcal.reading.problems import Problems, listed
from panelcal.reading.reading import CommonRead, Reading
from panelcal.reading.setting_texts import ROWS
from panelcal.reading.settings import Settings

KNOWN_SHEET = "Known values"
KNOWN_HEADING = "Known value"
_SEARCHED = 20


def with_zero(settings: Settings, known: Grid | None) -> Settings:
    """Say in the settings that common objects fix the zero, where they do and nothing else was chosen."""
    if settings.gauge == "weighted" and (settings.common or known is not None):
        return replace(settings, gauge="common")
    return settings


def known_values_cells(grid: Grid | None) -> list[tuple[str, str, Any]]:
    """Return every cell of the sheet, for the fingerprint."""
    if grid is None:
        return []
    filled = [(i, j, value) for i, row in enumerate(grid.rows, 1) for j, value in enumerate(row, 1)]
    return [(grid.sheet, address(i, j), value) for i, j, value in filled if not is_blank(value)]


def common_of(found: Reading, settings: Settings, known: Grid | None, problems: Problems) -> CommonRead | None:
    """Find the objects that fix the zero; None where the settings leave it to all.

    Whatever does not fit together is noted as a problem.
    """
    if settings.gauge != "common" and not settings.common and known is None:
        return None
    label = ROWS["gauge"].label
    if settings.gauge != "common":
        problems.say(
            found.sheet,
            f'{label} is set to "{settings.gauge}", and {_source(known)} would fix it, too: leave one of the two out.',
        )
    elif settings.common and known is not None:
        problems.say(
            found.sheet,
            f"Both the setting {ROWS['common'].label} and the sheet {known.sheet} say what fixes the zero of the "
            "biases: leave one of the two out.",
        )
    elif found.criteria is not None:
        problems.say(
            found.sheet,
            "Criteria are calibrated together with the zero of the biases at their mean: leave out "
            f"{_source(known)}, or calibrate one score.",
        )
    elif known is not None:
        return _known(found, known, problems)
    elif settings.common:
        return _named(found, settings.common, problems)
    else:
        problems.say(
            found.sheet,
            f'{label} is "common", but nothing says which objects fix it: name them beside {ROWS["common"].label} on '
            f"the sheet Settings, or add a sheet {KNOWN_SHEET}."
            if problems.way.kind != "text"
            else f'{label} is "common", but nothing says which objects fix it: add --common with the label of each to '
            "the command.",
        )
    return None


def decision_on_common(found: Reading, common: CommonRead) -> Decision:
    """Say which objects fix the zero, and which assessors saw none of them."""
    panel, chosen = found.panel, set(common.labels)
    inside = [panel.objects[o] in chosen for o in panel.object_index.tolist()]
    saw = {a for a, there in zip(panel.assessor_index.tolist(), inside, strict=True) if there}
    none = [name for a, name in enumerate(panel.assessors) if a not in saw]
    whose = "its" if len(chosen) == 1 else "their"
    scores = f"{whose} {in_sentence(plural(found.nouns.score))}"
    by = scores if common.known is None else f"the values on sheet {KNOWN_SHEET}"
    what = found.nouns.object if len(chosen) == 1 else plural(found.nouns.object)
    sentence = f"{len(chosen)} {in_sentence(what)} fix{'es' * (len(chosen) == 1)} the zero of the biases by {by}: "
    sentence += f"{listed(common.labels)}; see Cal common."
    if none:
        theirs = "its bias follows" if len(none) == 1 else "their biases follow"
        sentence += f" Seen by all but {listed(none)}; {theirs} from what else was assessed."
    cells = tuple(found.object_cells[k] for k, label in enumerate(panel.objects) if label in chosen)
    return Decision(About.COMMON_OBJECTS, cells, sentence, "warning" if none else "note", found.sheet)


def _source(known: Grid | None) -> str:
    return f"the sheet {KNOWN_SHEET}" if known is not None else f"the setting {ROWS['common'].label}"


def _named(found: Reading, patterns: Sequence[str], problems: Problems) -> CommonRead | None:
    labels, chosen = found.panel.objects, set[int]()
    for pattern in patterns:
        places = places_of(pattern, labels, found.object_cells)
        if not places:
            problems.say(
                found.sheet,
                f"{ROWS['common'].label}: there is no {in_sentence(found.nouns.object)} {pattern}"
                f"{did_you_mean(pattern, labels) or '.'}",
            )
        chosen |= set(places)
    return CommonRead(tuple(labels[k] for k in sorted(chosen))) if chosen else None


def _known(found: Reading, grid: Grid, problems: Problems) -> CommonRead | None:
    """Read labels and values below their headings; rows without a value are passed over."""
    head = _heading(grid)
    if head is None:
        problems.say(
            grid.sheet,
            f"Sheet {grid.sheet} needs a row of headings, the {in_sentence(found.nouns.object)} first and "
            f'"{KNOWN_HEADING}" beside it.',
        )
        return None
    row, who, at = head
    labels, values = found.panel.objects, dict[str, float]()
    for i in range(row + 1, grid.n_rows + 1):
        name, cell = label_text(grid.value(i, who)), grid.value(i, at)
        if not name or is_blank(cell):
            continue
        kind, number = kind_of(cell)
        places = places_of(name, labels)
        where = f"Cell {address(i, at)} on sheet {grid.sheet}"
        if kind not in (Kind.NUMBER, Kind.TEXT_NUMBER):
            problems.say(grid.sheet, f"{where} is no number: write the known value of {name}, or clear it.")
        elif not places:
            noun = in_sentence(found.nouns.object)
            problems.say(
                grid.sheet,
                f"{address(i, who)} on sheet {grid.sheet}: there is no {noun} {name}"
                f"{did_you_mean(name, labels) or '.'} Clear the row if nobody assessed it.",
            )
        elif labels[places[0]] in values:
            problems.say(grid.sheet, f"{where}: {name} has a known value already; keep one of the two rows.")
        else:
            values[labels[places[0]]] = float(number)
    if not values and not problems.kinds:
        problems.say(grid.sheet, f"Sheet {grid.sheet} has no values: fill them in, or delete the sheet.")
    return CommonRead(tuple(values), tuple(values.values())) if values else None


def _heading(grid: Grid) -> tuple[int, int, int] | None:
    """Return the row of the headings, the first column and the one of the known values."""
    for i in range(1, min(grid.n_rows, _SEARCHED) + 1):
        heads = [label_text(grid.value(i, j)).casefold() for j in range(1, grid.n_columns + 1)]
        if KNOWN_HEADING.casefold() in heads:
            at = heads.index(KNOWN_HEADING.casefold())
            who = next((j for j, head in enumerate(heads) if head and j != at), None)
            return None if who is None else (i, who + 1, at + 1)
    return None
