"""`panelcal prior`: the biases of a result, as a sheet Prior for the next panel."""

from __future__ import annotations

from pathlib import Path

import typer

from panelcal.files.load import load_source
from panelcal.files.saving import check_workbook_target
from panelcal.files.write import write_report
from panelcal.reading.prior import prior_grid
from panelcal.reporting.given_sheets import prior_sheet
from panelcal.reporting.model import Report
from panelcal.reporting.run_facts import run_moment


def prior_file(file: Path, output: Path | None, *, force: bool) -> None:
    """Write the biases of the newest run in a result file as a workbook with a sheet Prior.

    Raises
    ------
    InputRefused
        If the file holds no result of a calibration.
    """
    target = output if output is not None else file.with_name(f"{file.stem}-prior.xlsx")
    check_workbook_target(target, source=file, overwrite=force)
    sheet = prior_sheet(prior_grid(load_source(file)))
    write_report(Report((sheet,), "prior", "Earlier biases", run_moment()), target, overwrite=force)
    who = sheet.tables[0].n_rows
    typer.echo(f"Wrote {target} with the biases of {who}. Move its sheet {sheet.name} into the next workbook.")
