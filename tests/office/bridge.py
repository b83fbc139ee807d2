"""Starts one headless LibreOffice and reaches it through its own Python bridge, for the drivers beside this file."""

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


HEADLESS = ("--headless", "--norestore", "--nologo", "--nodefault", "--nolockcheck", "--nofirststartwizard")


def connect(profile, patience=60.0):
    """Start an office with its own profile and return (process, desktop)."""
    process, context = started(profile, patience, HEADLESS)
    return process, context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)


def started(profile, patience, switches):
    """Start an office with its own profile and return (process, context)."""
    pipe = "panelcal" + uuid.uuid4().hex[:12]
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
            return process, resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
        except NoConnectException:
            if time.monotonic() - start > patience:
                os.killpg(process.pid, signal.SIGKILL)
                raise
            time.sleep(0.05)


def open_document(desktop, file, *options):
    """Open a workbook; an office that cannot is the end."""
    document = desktop.loadComponentFromURL(Path(file).as_uri(), "_blank", 0, options)
    if document is None:
        raise SystemExit("LibreOffice could not open the file")
    return document


def answer(run):
    """Read a job as JSON from standard input, have `run(job, desktop)` do it, and write its answer as JSON."""
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
