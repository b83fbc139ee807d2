"""`panelcal extract`."""

from __future__ import annotations

import re
from pathlib import Path

import typer

from panelcal.commands.what_was_read import check_reference
from panelcal.files.load import check_source, load_source
from panelcal.files.out_of_date import earlier_sheets
from panelcal.files.ownership import own_sheets
from panelcal.files.saving import check_workbook_target
from panelcal.files.write import write_report
from panelcal.reporting.run_facts import run_moment, run_versions
from panelcal.systems.calibration.as_filed import calibrated_as_filed
from panelcal.systems.calibration.extracts import assessor_feedback, object_extract
from panelcal.systems.choices import Choices

_WORKBOOKS = frozenset({".xlsx", ".xlsm"})


def extract_from_file(
    file: Path, output: Path | None, choices: Choices, *, object_label: str | None, assessor_label: str, force: bool
) -> None:
    """Write the extract of one object, or of one assessor where no object is named.

    Raises
    ------
    PanelcalError
        If it cannot be made; nothing is written then.
    """
    label = object_label if object_label is not None else assessor_label
    plain = re.sub(r"[^\w.-]+", "_", label)
    target = output if output is not None else file.with_name(f"{file.stem}-{plain}.xlsx")
    check_source(file)
    check_workbook_target(target, source=file, overwrite=force)
    source, created = load_source(file), run_moment()
    carried = file.suffix.lower() in _WORKBOOKS
    earlier = earlier_sheets(source, own_sheets(file)) if carried else ()
    if not earlier:
        check_reference(source, choices)
    versions = run_versions()
    made = calibrated_as_filed(source, choices, created=created, versions=versions, earlier=earlier, carried=carried)
    build = object_extract if object_label is not None else assessor_feedback
    extracted = build(made.results, label, created=created, run_id=made.run_id, calibrated=made.date)
    write_report(extracted, target, labelled=file, overwrite=force)
    typer.echo(f"Wrote {target}, of the run {made.run_id} of {made.date}.")
