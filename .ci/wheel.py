"""Says whether the wheel in a folder carries the workbooks and the add-in beside the code."""

import pathlib
import sys
import zipfile

wheel = next(pathlib.Path(sys.argv[1]).glob("panelcal-*.whl"))
names = zipfile.ZipFile(wheel).namelist()
for name in ("workbook_templates/exam_board_example.xlsx", "addin/panelcal.xlam", "addin/panelcal.applescript"):
    if f"panelcal/{name}" not in names:
        sys.exit(f"{name} is not in {wheel.name}")
if any(name.startswith("panelcal/addin/build/") for name in names):
    sys.exit(f"{wheel.name} carries the tool that makes the add-in")
sys.path.insert(0, ".")
from addin.build.make import build_addin  # noqa: E402  found only from here on

if zipfile.ZipFile(wheel).read("panelcal/addin/panelcal.xlam") != build_addin():
    sys.exit(f"The add-in in {wheel.name} is not the one that these texts make")
print(wheel.name, len(names), "files")
