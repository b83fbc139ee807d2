"""Opens one add-in in a headless LibreOffice, which compiles its VBA, and calls procedures and formulas in it.

Started with a Python that has `uno`; reads a job as JSON from standard input and answers with JSON on standard output.
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

LIBRARY = "PanelcalAddin"


def option(name, value):
    prop = PropertyValue()
    prop.Name, prop.Value = name, value
    return prop


def connect(profile, patience=60.0):
    """Start an office with its own profile and return (process, desktop)."""
    pipe = "panelcal" + uuid.uuid4().hex[:12]
    switches = ["--headless", "--norestore", "--nologo", "--nodefault", "--nolockcheck", "--nofirststartwizard"]
    process = subprocess.Popen(
        [
            shutil.which("soffice"),
            "-env:UserInstallation=" + Path(profile).as_uri(),
            f"--accept=pipe,name={pipe};urp;",
            *switches,
        ],
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


def run(job, desktop):
    """Do what the job says, step by step, and return one answer for each step."""
    document = desktop.loadComponentFromURL(
        Path(job["file"]).as_uri(),
        "_blank",
        0,
        (option("MacroExecutionMode", 4), option("FilterName", "Calc MS Excel 2007 VBA XML")),
    )
    if document is None:
        raise SystemExit("LibreOffice could not open the file")
    scripts = document.getScriptProvider()
    sheet = document.Sheets.getByIndex(0)

    def call(name, arguments=()):
        where = f"vnd.sun.star.script:{LIBRARY}.{name}?language=Basic&location=document"
        try:
            return scripts.getScript(where).invoke(tuple(arguments), (), ())[0]
        except Exception as error:
            return f"failed: {error}"

    answers = []
    try:
        for step in job["steps"]:
            if "call" in step:
                answers.append(call(step["call"], step.get("arguments", ())))
            else:
                cell = sheet.getCellRangeByName(step["cell"])
                cell.setFormula(step["formula"])
                answers.append([cell.String, cell.getError()])
        return answers
    finally:
        document.close(True)


def main():
    """Read the job, do it, answer."""
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
