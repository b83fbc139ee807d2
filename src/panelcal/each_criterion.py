"""Every criterion of a file calibrated by itself: the choices for each, and runs whose results stand side by side."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping

from panelcal.errors import Answer, InputRefused, Question
from panelcal.frozen import dataclass
from panelcal.reading.grid import Grid, Source
from panelcal.reading.settings import EACH
from panelcal.reporting.cautions import what_was_read
from panelcal.reporting.model import Note
from panelcal.reporting.out_of_date import outdated_notes
from panelcal.reporting.run_facts import run_moment
from panelcal.run import Given, GivenSheets, Run, run, understand
from panelcal.systems.choices import Choices
from panelcal.systems.system import Progress, chosen_settings

_PLAIN = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, slots=True, eq=False)
class SideBySide:
    """Runs whose results go into one workbook.

    Attributes
    ----------
    runs
        Name of a criterion -> its run. No two have a sheet of the same name, and each title names its criterion. Of a
        run that is not for one criterion of several, "" -> that run.
    outdated
        Name of a sheet from before -> the note that marks it as out of date.
    """

    runs: Mapping[str, Run]
    outdated: Mapping[str, Note]

    @property
    def sentences(self) -> tuple[str, ...]:
        """What came out, criterion by criterion."""
        if len(self.runs) == 1:
            return self.only.sentences
        return tuple(f"{name}: {' '.join(done.sentences)}" for name, done in self.runs.items())

    @property
    def only(self) -> Run:
        """The run, or the first of several."""
        return next(iter(self.runs.values()))


def asks_for_each(source: Source, choices: Choices) -> bool:
    """Tell whether the caller, or else the sheet Settings, asks for each criterion by itself."""
    return chosen_settings(source, choices).criteria_each


def named_in_file(stem: str, name: str) -> str:
    """Spell the name of a file for one criterion, or one person: "rubric", "Ann Lee" -> "rubric-Ann_Lee"."""
    return f"{stem}-{_PLAIN.sub('_', name)}"


def one_by_one(source: Source, choices: Choices) -> Mapping[str, Choices]:
    """Return the criteria of a file, in its order, with the choices that read each by itself.

    Raises
    ------
    InputRefused
        If there are not several criteria, or one of them cannot be read: nothing is to be written then.
    """
    each = choices_of_each(source, choices)
    for name, chosen in each.items():
        try:
            understand(source, chosen)
        except InputRefused as refusal:
            sentence = f"The criterion {name} cannot be read by itself.\n{refusal}"
            raise InputRefused(sentence, refusal.cells, refusal.questions, refusal.problems) from None
    return each


def choices_of_each(source: Source, choices: Choices) -> Mapping[str, Choices]:
    """Return the same without looking whether each can be read.

    Raises
    ------
    InputRefused
        If there are not several criteria.
    """
    plain = dataclasses.replace(choices, settings={**choices.settings, "criteria": {}, "score_column": ""})
    try:
        understand(source, plain)
    except InputRefused as refusal:
        answers = next((found for one in refusal.questions if (found := _single(one))), {})
        if not answers:
            raise
    else:
        raise InputRefused(
            f"{source.name} has no several criteria to choose from: leave out --criteria {EACH} (or that choice, or "
            f"{EACH} on the sheet Settings), or name the column of each run with --score."
        )
    return {name: plain.answered(answer) for name, answer in answers.items()}


def read_in_words(source: Source, choices: Choices) -> str:
    """Say what would be read, of each criterion where each is asked for by itself.

    Raises
    ------
    PanelcalError
        If it would not.
    """
    if not asks_for_each(source, choices):
        return what_was_read(understand(source, choices))
    readings = {name: understand(source, one) for name, one in one_by_one(source, choices).items()}
    return "\n\n".join(f"{name}, by itself:\n{what_was_read(one)}" for name, one in readings.items())


def run_in_place(given: Given, choices: Choices, progress: Progress = lambda doing: None) -> SideBySide:
    """Run for results that go into the workbook of the input: once, or for each criterion where each is asked for.

    Raises
    ------
    PanelcalError
        If one of them cannot be calibrated: nothing is to be written then.
    """
    if not asks_for_each(given.source, choices):
        done = run(given, choices, progress=progress)
        return SideBySide({"": done}, done.outdated)
    moment, runs, grids = run_moment(), {}, given.source.grids
    for name, chosen in one_by_one(given.source, choices).items():
        source = dataclasses.replace(given.source, grids=grids)
        # The sheet Settings goes on asking for each, so that nothing is to be kept on it.
        done = run(GivenSheets(source, carried=True), chosen, created=moment, kept=False, progress=progress)
        there = {grid.sheet for grid in grids}  # what is kept for the next run is there after the first
        made = [one for one in done.report.sheets if one.name not in there]
        sheets = tuple(dataclasses.replace(one, title=f"{one.title}: {name}") for one in made)
        runs[name] = dataclasses.replace(done, report=dataclasses.replace(done.report, sheets=sheets))
        grids = (*grids, *(Grid(sheet.name, ()) for sheet in sheets))
    earlier = tuple(given.earlier)
    notes = [outdated_notes(earlier, done.reading.fingerprint, moment) for done in runs.values()]
    # What one of the runs has found unchanged is up to date.
    outdated = {name: note for name, note in notes[0].items() if all(name in others for others in notes)}
    return SideBySide(runs, outdated)


def _single(question: Question) -> dict[str, Answer]:
    """Return the answers to a question about criteria that choose one of them, by its name; empty for any other."""
    sums = [list(one.gives["criteria"]) for one in question.answers if len(one.gives.get("criteria", ())) > 1]
    if not sums:
        return {}
    ways = [{"score_column": name} for name in sums[0]] + [{"criteria": {name: 1.0}} for name in sums[0]]
    chosen = [one for one in question.answers if dict(one.gives) in ways]
    return {next(iter(one.gives.get("criteria", (one.gives.get("score_column"),)))): one for one in chosen}
