"""Drives one headless LibreOffice through its own Python bridge; started by `office.py` with a Python that has `uno`.

Reads one job as JSON from standard input and answers with JSON on standard output.
"""

from pathlib import Path

from bridge import answer, open_document, option


def value_of(cell):
    """The cell's value as a plain JSON value; an error as "#error N"."""
    if cell.getError():
        return f"#error {cell.getError()}"
    kind = cell.Type.value
    if kind == "FORMULA":
        kind = "VALUE" if cell.FormulaResultType2 == 1 else "TEXT"
    if kind == "TEXT":
        number_format, cell.NumberFormat = cell.NumberFormat, 0  # its own text, not what a number format adds to it
        text, cell.NumberFormat = cell.String, number_format
        return text
    return cell.Value if kind == "VALUE" else None


def run(job, desktop):
    document = open_document(desktop, job["file"], option("Hidden", True))
    try:
        sheets = document.Sheets
        for sheet, address, value in job.get("edits", ()):
            cell = sheets.getByName(sheet).getCellRangeByName(address)
            if isinstance(value, str):
                cell.setFormula(value)
            elif value is None:
                cell.setFormula("")
            else:
                cell.setValue(value)
        if job.get("calculate"):
            document.calculateAll()
        values = [value_of(sheets.getByName(sheet).getCellRangeByName(address)) for sheet, address in job["reads"]]
        only = job.get("sheet")
        if only:
            sheets.getByName(only).IsVisible = True
            for name in sheets.ElementNames:
                if name != only:
                    sheets.getByName(name).IsVisible = False
                    sheets.getByName(name).setPrintAreas(())  # with a print area even a hidden sheet is printed
        for path, kind in job.get("stores", ()):
            document.storeToURL(Path(path).as_uri(), (option("FilterName", kind),))
        return {"values": values, "sheets": list(sheets.ElementNames)}
    finally:
        document.close(True)


answer(run)
