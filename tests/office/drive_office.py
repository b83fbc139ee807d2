"""Drives one headless LibreOffice through its own Python bridge; started by `office.py` with a Python that has `uno`.

Reads one job as JSON from standard input and answers with JSON on standard output.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException


def option(name, value):
    prop = PropertyValue()
    prop.Name, prop.Value = name, value
    return prop


def connect(profile, patience=60.0):
    """Start an office with its own profile and return (process, desktop)."""
    pipe = "panelcal" + uuid.uuid4().hex[:12]
    switches = ["--headless", "--norestore", "--nologo", "--nodefault", "--nolockcheck", "--nofirststartwizard"]
    command = [shutil.which("soffice"), "-env:UserInstallation=" + Path(profile).as_uri()]
    process = subprocess.Popen(
        [*command, f"--accept=pipe,name={pipe};urp;", *switches],
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
    start = time.monotonic()
    while True:
        try:
            context = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
            return process, context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
        except NoConnectException:
            if time.monotonic() - start > patience:
                os.killpg(process.pid, signal.SIGKILL)
                raise
            time.sleep(0.05)


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
    document = desktop.loadComponentFromURL(Path(job["file"]).as_uri(), "_blank", 0, (option("Hidden", True),))
    if document is None:
        raise SystemExit("LibreOffice could not open the file")
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


def main():
    job = json.load(sys.stdin)
    process, desktop = connect(job["profile"])
    try:
        json.dump(run(job, desktop), sys.stdout)
    finally:
        try:
            desktop.terminate()
            process.wait(20)
        except Exception:
            os.killpg(process.pid, signal.SIGKILL)


main()
