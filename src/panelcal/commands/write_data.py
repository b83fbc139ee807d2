"""Writing what programs asked for: JSON, CSV files, and the status that stops a pipeline."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import typer

from panelcal.commands.program_options import STANDARD, Wishes, require_alarms, stop
from panelcal.errors import FileProblem
from panelcal.files.saving import check_target, save_bytes
from panelcal.files.saving_folder import check_folder, save_folder
from panelcal.reading.decisions import Decision
from panelcal.run import Run
from panelcal.systems.system import Outcome


def check_data_targets(wishes: Wishes, *, source: Path | None, output: Path | None, overwrite: bool) -> None:
    """Refuse what cannot be written, before any work is done.

    Parameters
    ----------
    wishes, overwrite
        What was asked for, and whether what is there may be replaced.
    source, output
        The input and the workbook to write, neither of which may be the JSON file; None = there is none.

    Raises
    ------
    FileProblem
        If there is something there already, or no such folder.
    """
    if output == STANDARD:
        raise FileProblem("A workbook needs a file of its own: give its name with -o, such as -o result.xlsx.")
    if wishes.json not in (None, STANDARD):
        target = Path(str(wishes.json))
        if output is not None and target.absolute() == output.absolute():
            raise FileProblem(f"{target} is to be the workbook: give another name with --json.")
        check_target(target, source=source, overwrite=overwrite, option="--json")
    if wishes.csv == STANDARD:
        raise FileProblem("CSV files need a folder of their own: give its name with --csv, such as --csv results.")
    if wishes.csv is not None:
        check_folder(wishes.csv, overwrite=overwrite)
    if wishes.html == STANDARD:
        raise FileProblem("A page needs a file of its own: give its name with --html, such as --html result.html.")
    if wishes.html is not None:
        others = [path.absolute() for path in (output, wishes.json) if path is not None]
        if wishes.html.absolute() in others:
            raise FileProblem(f"{wishes.html} is to be another file too: give another name with --html.")
        check_target(wishes.html, source=source, overwrite=overwrite, option="--html")


def judged(outcome: Callable[[], Outcome], wishes: Wishes) -> Outcome | None:
    """Return the outcome where anything was asked of it, once it is sure that it can tell what is asked.

    Raises
    ------
    FileProblem
        If it can not.
    """
    if not wishes.data and not wishes.fail_on:
        return None
    found = outcome()
    require_alarms(wishes.fail_on, found.alarms)
    return found


def write_data(
    outcome: Outcome,
    document: Callable[[], Mapping[str, Any]],
    decisions: Iterable[Decision],
    wishes: Wishes,
    *,
    overwrite: bool,
) -> None:
    """Write the result as JSON and CSV where asked for, and say so."""
    if wishes.json is not None:
        from panelcal.files.as_json import json_bytes  # noqa: PLC0415 - what few ask for

        content = json_bytes(document())
        if wishes.json == STANDARD:
            typer.echo(content, file=wishes.out, nl=False)  # bytes: UTF-8 whatever the terminal takes
        else:
            save_bytes(content, wishes.json, overwrite=overwrite)
            typer.echo(f"Wrote {wishes.json}.")
    if wishes.csv is not None:
        from panelcal.files.as_csv import csv_files  # noqa: PLC0415 - what few ask for

        files = csv_files(outcome, decisions)
        save_folder(files, wishes.csv, overwrite=overwrite)
        typer.echo(f"Wrote {', '.join(files)} into {wishes.csv}.")


def write_html(done: Run, wishes: Wishes, *, overwrite: bool) -> None:
    """Write the result as a page for browsers where asked for, and say so."""
    if wishes.html is None:
        return
    from panelcal.page.libraries import HOW, has_libraries  # noqa: PLC0415 - what few ask for
    from panelcal.page.result_file import result_file  # noqa: PLC0415 - what few ask for

    save_bytes(result_file(done), wishes.html, overwrite=overwrite)
    typer.echo(f"Wrote {wishes.html}. It opens in any browser, and holds names: pass it on to those who may see it.")
    if not has_libraries():
        typer.echo(f"  ! Its charts are told in words: what draws them is not installed here ({HOW} fetches it).")


def stop_on_alarms(outcome: Outcome, wishes: Wishes) -> None:
    """End with status 3 where there is what was asked for, and say what."""
    cases = [f"{reason.capitalize()}: {case}" for reason in wishes.fail_on for case in outcome.alarms[reason]]
    if cases:
        stop(cases)
