"""`panelcal prior`: the biases of a result, as a sheet Prior for the next panel."""

from __future__ import annotations

from pathlib import Path

import typer

from panelcal.errors import FileProblem
from panelcal.files.load import load_source
from panelcal.files.saving import check_target
from panelcal.files.write import write_report
from panelcal.reading.prior import PRIOR_HEADINGS, PRIOR_SHEET, earlier_biases
from panelcal.reading.problems import Problems
from panelcal.reporting.model import Column, Report, Sheet, Table
from panelcal.reporting.run_facts import run_moment

_RESULTS = "cal assessors"


def prior_file(file: Path, output: Path | None, *, force: bool) -> None:
    """Write the biases of the newest run in a result file as a workbook with a sheet Prior.

    Raises
    ------
    FileProblem
        If the file holds no result of a calibration.
    """
    target = output if output is not None else file.with_name(f"{file.stem}-prior.xlsx")
    check_target(target, source=file, overwrite=force)
    grids = [grid for grid in load_source(file).grids if grid.sheet.casefold().startswith(_RESULTS)]
    problems = Problems()
    newest = max(grids, key=lambda grid: (len(grid.sheet), grid.sheet), default=None)
    earlier = None if newest is None else earlier_biases(newest, problems)
    problems.stop_if_any()
    if newest is None or not earlier:
        raise FileProblem(f"{file.name} holds no biases: give a result of panelcal, with its sheet Cal assessors.")
    names, biases, errors = list(earlier), *([pair[k] for pair in earlier.values()] for k in (0, 1))
    sheet = Sheet(
        name=PRIOR_SHEET,
        title="Earlier biases, as a prior",
        explanation=(
            f"From {file.name}, sheet {newest.sheet}. Move this sheet into the workbook of the next panel; larger "
            "standard errors trust it less."
        ),
        tables=(
            Table(
                (
                    Column(PRIOR_HEADINGS[0], names, "text", 24),
                    Column(PRIOR_HEADINGS[1], biases, "precise", 12),
                    Column(PRIOR_HEADINGS[2], errors, "precise", 14),
                ),
                name="prior",
            ),
        ),
        kept=True,
    )
    write_report(Report((sheet,), "prior", "Earlier biases", run_moment()), target, overwrite=force)
    typer.echo(f"Wrote {target} with the biases of {len(names)}. Move its sheet {PRIOR_SHEET} into the next workbook.")
