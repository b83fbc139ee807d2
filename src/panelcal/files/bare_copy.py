"""A workbook with another one's sheets by name, their marks and its font, and no cells: what results can refer to."""

from __future__ import annotations

import io

from openpyxl import Workbook
from openpyxl.styles import Font
from openpyxl.workbook.defined_name import DefinedName

from panelcal.files.graft import base_font
from panelcal.files.in_memory import File, FileBytes
from panelcal.files.ownership import defined_names
from panelcal.files.package import read_parts, sheet_elements
from panelcal.reporting.names import MARK


def bare_copy(workbook: File) -> FileBytes:
    """Make a workbook that results can be written into as into `workbook`, however large or unusual that one is.

    Parameters
    ----------
    workbook
        An .xlsx file.
    """
    parts = read_parts(workbook)
    book = Workbook()
    book.remove(book.active)
    for element in sheet_elements(parts):
        sheet = book.create_sheet()
        sheet._WorkbookChild__title = element.attributes.get("name", "")  # as it is there, however long
    for name, reference in defined_names(parts).items():
        if name.startswith(MARK):
            book.defined_names[name] = DefinedName(name, attr_text=reference, hidden=True)
    font = base_font(parts)
    book._named_styles["Normal"].font = Font(name=font.name, size=font.size, scheme=font.scheme, family=font.family)
    stream = io.BytesIO()
    book.save(stream)
    return FileBytes(workbook.name, stream.getvalue())
