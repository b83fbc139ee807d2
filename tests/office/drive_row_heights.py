"""Measures how high LibreOffice makes wrapped cells; started by `office.py` with a Python that has `uno`.

Each cell is set again on a sheet of its own, as wide as it is with those it is one with, whose heights no office fits.
"""

from bridge import answer, open_document, option

LOOK = ("CharHeight", "CharWeight", "CharFontName", "ParaIndent")
HUNDREDTHS = 35.2778  # of a millimetre in a point


def run(job, desktop):
    document = open_document(desktop, job["file"], option("Hidden", True))
    try:
        sheets = document.Sheets
        sheets.insertNewByName("measured", sheets.Count)
        measured, columns = sheets.getByName("measured"), {}
        for row, (name, address, across) in enumerate(job["cells"]):
            sheet = sheets.getByName(name)
            cell = sheet.getCellRangeByName(address)
            first = cell.CellAddress.Column
            width = sum(sheet.Columns.getByIndex(first + k).Width for k in range(across))
            target = measured.getCellByPosition(columns.setdefault(width, len(columns)), row)
            target.String, target.IsTextWrapped = cell.String, True
            for look in LOOK:
                setattr(target, look, getattr(cell, look))
        for width, column in columns.items():
            measured.Columns.getByIndex(column).Width = width
        count = len(job["cells"])
        measured.getCellRangeByPosition(0, 0, 0, count - 1).Rows.OptimalHeight = True
        return [measured.Rows.getByIndex(k).Height / HUNDREDTHS for k in range(count)]
    finally:
        document.close(True)


answer(run)
