"""One run, from the cells of a workbook to a Report, by whichever system its settings ask for.

Every door goes through `run`: the command line, the page, Excel, LibreOffice and `run_bytes`, so that they choose,
compute and say the same. A door hands over what it has: the content of a file, or the sheets of an open workbook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Protocol

from panelcal.errors import InputRefused
from panelcal.frozen import dataclass
from panelcal.methods import SYSTEMS
from panelcal.reading.answers import Way
from panelcal.reading.collecting import ask_whether_one_each, sheets_as_one
from panelcal.reading.grid import Grid, Source
from panelcal.reading.prior import with_prior
from panelcal.reading.settings import SETTINGS_SHEET
from panelcal.reading.understood import Understood
from panelcal.reporting.model import Note, Report, Sheet
from panelcal.reporting.names import result_suffix
from panelcal.reporting.out_of_date import outdated_notes, outdated_summaries
from panelcal.reporting.run_facts import RunFacts, run_moment, run_versions
from panelcal.systems.choices import Choices, Found
from panelcal.systems.system import Outcome, Progress, chosen_settings, system_for

_FEWEST_SHEETS = 2  # that may belong together


class Given(Protocol):
    """What a run starts from: the content of a file (`files.given_file`), or what lies open (`GivenSheets`)."""

    @property
    def source(self) -> Source:
        """The sheets, with the name of the file."""

    @property
    def carried(self) -> bool:
        """Whether the result sheets will stand in the same workbook as the input."""

    @property
    def earlier(self) -> Iterable[Grid]:
        """Sheets of earlier runs in this workbook: each `Cal audit`, and `Cal values` and `Cal proof` of the newest."""


@dataclass(frozen=True, slots=True, eq=False)
class GivenSheets:
    """Sheets that are held already, as by a spreadsheet program, with whatever is not saved in any file yet.

    Attributes
    ----------
    source, carried, earlier
        As `Given` has them.
    """

    source: Source
    carried: bool = False
    earlier: tuple[Grid, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """What came out of a run.

    Attributes
    ----------
    report
        The result sheets.
    reading
        What they are made from: `Understood`, or `PlanLists` for a plan.
    sentences
        What came out, in a few lines for a terminal or a message box.
    outdated
        Name of a sheet of an earlier run -> the note that marks it as out of date.
    outcome
        Gives what came out as data for programs.
    """

    report: Report
    reading: Any
    sentences: tuple[str, ...]
    outdated: Mapping[str, Note]
    outcome: Callable[[], Outcome]


def understand(source: Source, choices: Choices) -> Understood:
    """Read a workbook in the way of the system that its settings, or the caller, ask for.

    Raises
    ------
    InputRefused
        If it cannot be read without guessing.
    DisconnectedPanel
        If it falls into groups that share nothing, and the system cannot do with that.
    """
    source = _with_prior(_as_one(source, choices), choices)
    _require_its_gauge(source, choices)
    system = system_for(source, choices)
    reading: Understood = system.read(source, choices)
    system.check(reading)
    return reading


def run(
    given: Given | Source,
    choices: Choices | None = None,
    *,
    created: str | None = None,
    versions: Mapping[str, str] | None = None,
    carried: bool = False,
    kept: bool = True,
    progress: Progress = lambda doing: None,
) -> Run:
    """Read a workbook, calibrate it, or plan from it, and build the report.

    Parameters
    ----------
    given
        The content of a file or sheets that lie open; a bare `Source` stands for its sheets.
    choices
        What wins over its settings; None = nothing.
    created, versions
        Date and time of the run and versions of program and libraries, for the audit; None = now, and those there are.
    carried
        With a bare `Source`: whether the result sheets will stand in the same workbook.
    kept
        Whether the result keeps what was chosen on a sheet Settings, for the next run.
    progress
        Told what is being done.

    Raises
    ------
    PanelcalError
        If the input cannot be read without guessing, or the method cannot be used on it.
    """
    choices, created = choices or Choices(), created or run_moment()
    given = GivenSheets(given, carried) if isinstance(given, Source) else given
    carried, earlier = given.carried, tuple(given.earlier)
    _require_its_gauge(given.source, choices)
    source = _with_prior(_as_one(given.source, choices), choices)
    system = system_for(source, choices)
    progress("reading")
    if kept and choices.sets_something:
        from panelcal.systems.kept_choices import read_as_kept

        found = read_as_kept(system, source, choices, carried=carried)
    else:
        found = Found(source, system.read(source, choices))
    source, reading = found.source, found.reading
    system.check(reading)
    progress("planning" if choices.plan else "calibrating")
    results = system.compute(reading, progress)
    progress("explaining")
    outdated = outdated_notes(earlier, reading.fingerprint, created)
    facts = RunFacts(
        created=created,
        versions=run_versions() if versions is None else versions,
        suffix=result_suffix(grid.sheet for grid in source.grids) if carried else "",
        input_grid=source.grid(reading.sheet) if carried or reading.sheet == source.collected else None,
        other_grids=source.grids if carried else (),
        outdated=outdated_summaries(outdated),
        earlier=earlier,
    )
    report = system.build(results, facts)
    following, more = _following(source, choices, reading, facts)
    sentences = (*system.say(results), *more, *found.sentences)
    sheets = (*report.sheets, *following, *_copied(source, choices), *found.sheets)
    report = replace(report, sheets=sheets, edits=found.edits)
    return Run(report, reading, sentences, outdated, lambda: system.tell(results))


def _require_its_gauge(source: Source, choices: Choices) -> None:
    """Refuse a reference value beside a zero of the biases that knows none."""
    if choices.reference is not None and chosen_settings(source, choices).gauge != "reference":
        raise InputRefused("A reference value goes with the zero of the biases called reference: choose that as well.")


def _as_one(source: Source, choices: Choices) -> Source:
    """Put the sheets of a workbook together where each is one assessor's or one criterion, or ask."""
    if choices.plan or choices.sheet is not None or source.collected or len(source.grids) < _FEWEST_SHEETS:
        return source
    settings = chosen_settings(source, choices)
    if settings.sheet:
        return source
    if settings.criteria_together and settings.method != "anchors":
        from panelcal.reading.criteria_sheets import criteria_sheets_as_one

        if (made := criteria_sheets_as_one(source, settings)) is not None:
            return made
    if settings.method in SYSTEMS:
        return source
    if settings.names:
        made = sheets_as_one(source, settings)
        if made is None and choices.settings.get("names") == "sheet":
            raise InputRefused(
                f"No two sheets of {source.name} hold a column of names and one of scores, so each cannot be one "
                "assessor's: leave the choice sheet for the names out."
            )
        return made or source
    refusal = ask_whether_one_each(source, settings, Way(source.kind, settings, source.grid(SETTINGS_SHEET)))
    if refusal is not None:
        raise refusal
    return source


def _with_prior(source: Source, choices: Choices) -> Source:
    """Add the earlier biases that were given beside a workbook, for a method that knows what to do with them."""
    if choices.prior is not None:
        method = chosen_settings(source, choices).method
        if method in SYSTEMS:
            raise InputRefused(f"Earlier biases are for calibrated scores: the method {method} takes none.")
    return with_prior(source, choices.prior)


def _copied(source: Source, choices: Choices) -> Iterator[Sheet]:
    """Make the sheets with a copy of what came from other files: the scores collected, and the earlier biases."""
    grid = source.grid(source.collected) if source.collected else None
    if grid is not None:
        from panelcal.reporting.given_sheets import collected_sheet

        yield collected_sheet(grid)
    if choices.prior is not None:
        from panelcal.reporting.given_sheets import prior_sheet

        yield prior_sheet(choices.prior)


def _following(
    source: Source, choices: Choices, reading: Any, facts: RunFacts
) -> tuple[tuple[Sheet, ...], tuple[str, ...]]:
    """Return the sheet of what to assess next, and what is said of it, where the settings ask for that."""
    if choices.plan or reading.settings.further is None:
        return (), ()
    from panelcal.reading.planning.plan_conflicts import sheets_of_conflicts
    from panelcal.systems.continuing import what_comes_next
    from panelcal.systems.continuing.report import continuing_sentences, next_sheet

    found = what_comes_next(source, choices, reading.settings)
    if found is None:
        return (), ()
    conflicts, day = sheets_of_conflicts(facts.other_grids), facts.created[:10]
    return (next_sheet(found, f"Cal next{facts.suffix}", conflicts, day),), continuing_sentences(found)
