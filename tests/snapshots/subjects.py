"""The workbooks that are frozen: each template, what `calibrate` makes of it, a plan and two extracts."""

from __future__ import annotations

import functools
import re
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import openpyxl

import run_panelcal
from panelcal.reporting.run_facts import run_versions
from panelcal.shipped import TEMPLATE_NAMES, templates_folder
from panelcal.templates.judging_panels import JUDGING_PANELS
from snapshots.sheets import Mask, SheetContents, workbook_contents

FIXED_DATE = {"SOURCE_DATE_EPOCH": "1767322800"}
_DATE = "2026-01-02"
_RUN = re.compile(r"(?:Run identifier(?:<[^>]*>)+|of the run )([0-9a-f]{8})\b")


@dataclass(frozen=True, slots=True)
class Subject:
    """A workbook that panelcal hands out.

    Attributes
    ----------
    make
        Writes the workbook to a path and returns what was said; nothing is written where the command refuses.
    sampled
        Whether its figures come from random draws, so that another processor has slightly different ones.
    """

    make: Callable[[Path], str]
    sampled: bool = False


def _command(*arguments: str) -> Callable[[Path], str]:
    def make(target: Path) -> str:
        done = run_panelcal.run(*arguments, "-o", str(target), folder=templates_folder(), **FIXED_DATE)
        assert "Traceback" not in done.stderr, done.stderr
        return f"{done.stdout}{done.stderr}".replace(str(target), "FILE") + f"exit status {done.returncode}"

    return make


def _planned(target: Path) -> str:
    lists = target.with_name("lists.xlsx")
    book = openpyxl.Workbook()
    book.active.append(["Talk", "Judge"])
    for k in range(12):
        book.active.append([f"T{k + 1:02d}", f"J{k + 1}" if k < 6 else None])
    conflicts = book.create_sheet("Conflicts")
    for row in (("Talk", "Judge"), ("T01", "J1"), ("T04", "J2"), ("T07", "J3")):
        conflicts.append(row)
    book.save(lists)
    return _command("plan", str(lists), "--per-object", "3")(target)


_JUDGING = tuple(f"{panel.name}{ending}" for panel in JUDGING_PANELS for ending in ("", "_example"))
CALIBRATED = tuple(
    name for name in TEMPLATE_NAMES if name not in _JUDGING or name in ("star_panel_example", "rubric_example")
)
"""Templates whose results are frozen: of the judging panels those that read words, and several criteria."""

SUBJECTS: dict[str, Subject] = {
    **{name: Subject(_command("template", name)) for name in TEMPLATE_NAMES},
    **{
        f"{name}-calibrated": Subject(_command("calibrate", f"{name}.xlsx"), sampled=name == "conference_prize_example")
        for name in CALIBRATED
    },
    "plan": Subject(_planned),
    "extract_object": Subject(_command("extract", "exam_board_example.xlsx", "--object", "2121806")),
    "extract_assessor": Subject(_command("extract", "exam_board_example.xlsx", "--assessor", "CS324")),
}


@functools.cache
def made(name: str) -> tuple[Path, str]:
    """The workbook, made once in each process, and what was said of it."""
    path = Path(tempfile.mkdtemp(prefix="panelcal-made-")) / f"{name}.xlsx"
    return path, SUBJECTS[name].make(path)


def mask_of(path: Path, said: str) -> Mask:
    """Cover what differs between versions and runs: versions, dates, the run, how long it took, rounding."""
    runs = _RUN.findall(said)
    if path.exists():
        with zipfile.ZipFile(path) as archive:
            sheets = [archive.read(part).decode() for part in archive.namelist() if part.startswith("xl/worksheets/s")]
        runs += [run for sheet in sheets for run in _RUN.findall(sheet)]
    run = "|".join(sorted(set(runs))) or "no run"
    version = "|".join(sorted(map(re.escape, set(run_versions().values())), key=len, reverse=True))
    covers = (
        (rf"\b(?:{run})\b", "RUN"),
        (r"\{[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}\}", "IDENTIFIER"),  # of data bars, made from the run's
        (rf"^(?:{version})$|(?<=panelcal )(?:{version})\b", "VERSION"),
        (rf"{_DATE}(?:[T ][\d:]+Z?)?", "DATE"),
        (r"\d[\d.,]* seconds?\b", "SECONDS"),
        (r"\b\d(?:\.\d+)?e-1\d\b", "ROUNDING"),
    )

    def mask(text: str) -> str:
        for pattern, cover in covers:
            text = re.sub(pattern, cover, text)
        return text

    return mask


def contents(name: str) -> tuple[list[str], dict[str, SheetContents]]:
    """What the workbook holds and what was said of it, masked; no sheets where the command refuses."""
    path, said = made(name)
    mask = mask_of(path, said)
    about, sheets = workbook_contents(path, mask) if path.exists() else ([], {})
    return [*mask(said).splitlines(), *about], sheets
