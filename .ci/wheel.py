"""Says whether the wheel in a folder carries the workbooks and the add-in beside the code."""

import pathlib
import sys
import zipfile

wheel = next(pathlib.Path(sys.argv[1]).glob("panelcal-*.whl"))
names = zipfile.ZipFile(wheel).namelist()
for folder in ("panelcal/workbook_templates/exam_board_example.xlsx", "panelcal/addin/"):
    if not any(name.startswith(folder) for name in names):
        sys.exit(f"{folder} is not in {wheel.name}")
print(wheel.name, len(names), "files")
