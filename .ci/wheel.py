"""Says whether the wheel in a folder carries the workbooks, the add-in and the documentation site beside the code."""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import urllib.request
import zipfile

wheel = next(pathlib.Path(sys.argv[1]).glob("panelcal-*.whl"))
names = zipfile.ZipFile(wheel).namelist()
for name in (
    "workbook_templates/exam_board_example.xlsx",
    "addin/panelcal.xlam",
    "addin/panelcal.applescript",
    "addin/icons/calibrate.png",
    "files/panelcal-1.schema.json",
    "office/extension/functions.rdb",
    "page/libraries/d3-7.9.2.min.js",
    "page/libraries/plot-0.6.17.umd.min.js",
):
    if f"panelcal/{name}" not in names:
        sys.exit(f"{name} is not in {wheel.name}")
if any(name.startswith("panelcal/addin/build/") for name in names):
    sys.exit(f"{wheel.name} carries the tool that makes the add-in")
if "panelcal/site/index.html" not in names:
    sys.exit(f"{wheel.name} carries no documentation site: .ci/site builds it")
sys.path.insert(0, ".")
from addin.build.make import build_addin  # noqa: E402  found only from here on

if zipfile.ZipFile(wheel).read("panelcal/addin/panelcal.xlam") != build_addin():
    sys.exit(f"The add-in in {wheel.name} is not the one that these texts make")


def serve_site() -> None:
    """Install the wheel by itself, let `panelcal docs` show the site, and compare every page with that in the wheel."""
    with tempfile.TemporaryDirectory() as home:
        install = [
            "-m",
            "pip",
            "install",
            "-q",
            "--disable-pip-version-check",
            "--no-deps",
            "--target",
            home,
            str(wheel),
        ]
        subprocess.run([sys.executable, *install], check=True)
        command = [sys.executable, "-m", "panelcal", "docs", "--no-browser"]
        shown = subprocess.Popen(
            command, cwd=home, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": home}
        )
        try:
            address = re.search(r"http://\S+/", shown.stdout.readline())[0]
            for name in names:
                if name.startswith("panelcal/site/"):
                    got = urllib.request.urlopen(address + name.removeprefix("panelcal/site/"), timeout=30).read()
                    if got != zipfile.ZipFile(wheel).read(name):
                        sys.exit(f"panelcal docs does not show {name}")
        finally:
            shown.send_signal(signal.SIGINT)
        if shown.wait(30):
            sys.exit("panelcal docs did not end well")


serve_site()
print(wheel.name, len(names), "files")
