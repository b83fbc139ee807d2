"""What the page asks of panelcal, as text and bytes: open files, say what was understood, calibrate, plan, save.

The page keeps what the reader chose and sends it with every question, so that a Worker that was ended can be replaced.
A refusal is an answer like any other, with the questions in it, never an exception.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from panelcal.each_criterion import asks_for_each, one_by_one
from panelcal.errors import InputRefused, PanelcalError
from panelcal.files.given_file import given_bytes
from panelcal.files.in_memory import FileBytes
from panelcal.files.load import load_source
from panelcal.page.as_data import choices_from, plan_from, question_data, reading_data, require_size
from panelcal.page.sheet_data import rows_data, sheet_data
from panelcal.page.table_rows import chosen_rows
from panelcal.reading.grid import Grid
from panelcal.reading.prior import prior_grid
from panelcal.reading.settings import METHOD_CHOICES
from panelcal.reporting.run_facts import run_versions
from panelcal.run import understand
from panelcal.shipped import TEMPLATE_NAMES, templates_folder
from panelcal.systems.choices import Choices
from panelcal.version import __version__

Telling = Callable[[str], None]
Reply = tuple[dict[str, Any], bytes]

LOADED_BEFOREHAND = (
    "scipy.linalg",
    "scipy.special",
    "openpyxl",
    "panelcal.files.given_file",
    "panelcal.systems.calibration.report",
    "panelcal.systems.calibration.results",
    "panelcal.files.write",
)
"""What the first calibration needs, in steps; scipy.stats and the like, for few, would cost every reader memory."""


class Desk:
    """What lies open: the files, and the last result made of them."""

    def __init__(self) -> None:
        self.files: list[tuple[str, bytes]] = []
        self.prior: Grid | None = None
        self.made: Any = None

    def open(self, ask: Mapping[str, Any], payload: Sequence[bytes], telling: Telling) -> Reply:
        """Take the files; their names stand in the question, their bytes beside it, an earlier result after them."""
        names = ask["names"]
        self.files, self.prior, self.made = list(zip(names, payload[: len(names)], strict=True)), None, None
        if ask.get("prior"):
            self.prior = prior_grid(load_source(FileBytes(ask["prior"], payload[-1])))
        return {}, b""

    def choices(self, ask: Mapping[str, Any]) -> Choices:
        """Read what the reader chose, with the biases of an earlier result where there is one."""
        return replace(choices_from(ask), prior=self.prior)

    def understand(self, ask: Mapping[str, Any], payload: Sequence[bytes], telling: Telling) -> Reply:
        """Say what would be calibrated: one reading, or one of each criterion where each is asked for by itself."""
        choices = self.choices(ask)
        source = given_bytes([FileBytes(*file) for file in self.files], choices).source
        each = one_by_one(source, choices) if asks_for_each(source, choices) else {}
        readings = {name: understand(source, chosen) for name, chosen in (each or {"": choices}).items()}
        for reading in readings.values():
            require_size(reading)
        told = [(name, reading_data(reading, source.notes)) for name, reading in readings.items()]
        return {"each": told} if each else {"reading": told[0][1]}, b""

    def calibrate(self, ask: Mapping[str, Any], payload: Sequence[bytes], telling: Telling) -> Reply:
        """Calibrate, and give an outline of the report."""
        from panelcal.page.outcome import calibrated  # noqa: PLC0415 - loads what computes

        self.made = None  # two results at a time would need twice the memory
        criterion = ask.get("criterion", "")
        self.made = calibrated(self.files, self.choices(ask), criterion, ask.get("created"), telling)
        return self.made.data, b""

    def plan(self, ask: Mapping[str, Any], payload: Sequence[bytes], telling: Telling) -> Reply:
        """Plan who assesses what, from the lists in the file, or what to assess next, from the scores in it."""
        from panelcal.page.outcome import planned  # noqa: PLC0415

        telling("planning")
        self.made = planned(self.files, replace(choices_from(ask), plan=plan_from(ask)), ask.get("created"))
        return self.made.data, b""

    def sheet(self, ask: Mapping[str, Any], payload: Sequence[bytes], telling: Telling) -> Reply:
        """Show one sheet of the result."""
        return {"sheet": sheet_data(self.made.report, int(ask["number"]))}, b""

    def rows(self, ask: Mapping[str, Any], payload: Sequence[bytes], telling: Telling) -> Reply:
        """Show some rows of a table that the page does not hold whole."""
        table = self.made.report.sheets[int(ask["sheet"])].tables[int(ask["table"])]
        chosen = chosen_rows(table, ask["words"], ask["columns"], int(ask["by"]), int(ask["direction"]))
        first = int(ask["first"])
        return {"found": len(chosen), **rows_data(table, chosen[first : first + int(ask["count"])])}, b""

    def save(self, ask: Mapping[str, Any], payload: Sequence[bytes], telling: Telling) -> Reply:
        """Write the workbook, with the decisions that were filled in on the page."""
        telling("writing")
        return {"name": self.made.name}, self.made.workbook(ask.get("decisions") or [])

    def extract(self, ask: Mapping[str, Any], payload: Sequence[bytes], telling: Telling) -> Reply:
        """Write what one object may see of itself, or the feedback for one assessor."""
        from panelcal.page.outcome import extracted  # noqa: PLC0415

        whom = ask["kind"], ask["label"]
        made = extracted(self.files, self.choices(ask), ask.get("criterion", ""), whom, ask.get("created"))
        shown = {"name": made.name, "sheet": sheet_data(made.report, 0), "footer": made.report.footer}
        return shown, made.workbook([])

    def template(self, ask: Mapping[str, Any], payload: Sequence[bytes], telling: Telling) -> Reply:
        """Hand out a ready-made workbook."""
        name = ask["name"]
        if name not in TEMPLATE_NAMES:
            raise InputRefused(f"There is no template called {name}.")
        return {"name": f"{name}.xlsx"}, (templates_folder() / f"{name}.xlsx").read_bytes()


_DESK = Desk()
_TOLD: set[str] = set()
_DEEDS = ("open", "understand", "calibrate", "plan", "sheet", "rows", "save", "extract", "template")


def request(text: str, payload: Any, telling: Telling = lambda doing: None) -> tuple[str, bytes]:
    """Answer one question of the page.

    Parameters
    ----------
    text
        The question as JSON; "do" says what is to be done.
    payload
        Contents of files, where the question brings some.
    telling
        Told what is being done.

    Returns
    -------
    text, content
        The answer as JSON, and the bytes of a file where one was asked for.
    """
    ask = json.loads(text)
    if ask["do"] not in _DEEDS:
        raise ValueError(f"nothing is called {ask['do']}")
    try:
        found, content = getattr(_DESK, ask["do"])(ask, [_as_bytes(one) for one in payload], telling)
    except PanelcalError as problem:
        found, content = {"refused": refusal(problem)}, b""
    except MemoryError:
        words = "There is not enough memory in this browser for a file of this size: use the command line for it."
        found, content = {"refused": {"words": [words], "questions": []}}, b""
    return json.dumps(found, allow_nan=False), content


def refusal(problem: PanelcalError) -> dict[str, Any]:
    """Return a refusal as data: what is wrong, and what only the reader can say."""
    questions = problem.questions if isinstance(problem, InputRefused) else ()
    words = problem.problems if isinstance(problem, InputRefused) and questions else str(problem).split("\n")
    return {"words": [line for line in words if line], "questions": [question_data(one) for one in questions]}


def greeting() -> str:
    """Say what is here: versions, methods, templates."""
    return json.dumps(
        {"version": __version__, "versions": run_versions(), "methods": METHOD_CHOICES, "templates": TEMPLATE_NAMES}
    )


def loaded_beforehand() -> tuple[str, ...]:
    """Name the modules to load while nobody waits."""
    return LOADED_BEFOREHAND


def is_loaded(name: str) -> bool:
    """Tell whether a module is there already."""
    return name in sys.modules


def load(name: str) -> None:
    """Load a module."""
    importlib.import_module(name)


def files_loaded() -> list[str]:
    """Name the files of libraries that were loaded since this was last asked: a browser may forget what is in them."""
    loaded = {str(getattr(module, "__file__", None)) for module in list(sys.modules.values())}
    new = sorted(path for path in loaded - _TOLD if path.endswith((".so", ".pyc")) and "/site-packages/" in path)
    _TOLD.update(new)
    return new


def _as_bytes(content: Any) -> bytes:
    return content.to_bytes() if hasattr(content, "to_bytes") and not isinstance(content, int) else bytes(content)
