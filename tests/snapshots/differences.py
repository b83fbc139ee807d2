"""All differences of a workbook from its snapshot, sheet by sheet, as lines for a reader."""

from __future__ import annotations

import json
from collections.abc import Mapping

from snapshots import frozen
from snapshots.comparison import Tolerance, compare, compare_lines, told
from snapshots.sheets import SheetContents
from snapshots.subjects import SUBJECTS


def workbook_differences(subject: str, about: list[str], sheets: Mapping[str, SheetContents]) -> list[str]:
    """Return the lines; none where all is as frozen."""
    old_about, old_sheets = frozen.read(subject)
    sampled = SUBJECTS[subject].sampled
    errors = json.loads(frozen.MONTE_CARLO.read_text(encoding="utf-8")) if sampled else {}
    lines: list[str] = []
    differences = compare_lines("line about the workbook", old_about, about, sampled=sampled)
    if differences:
        lines += ["  the workbook as a whole, or what was said of it", *told(differences)]
    for name in dict.fromkeys((*old_sheets, *sheets)):
        if name not in old_sheets or name not in sheets:
            lines.append(f"  {name}: {'a new sheet' if name in sheets else 'this sheet is gone'}")
            continue
        differences = compare(old_sheets[name], sheets[name], Tolerance(errors.get(name, {}) if sampled else None))
        if differences:
            lines += [f"  {name}", *told(differences)]
    if lines:
        lines.insert(0, f"{subject}" if old_about else f"{subject}: not frozen before")
    elif list(old_sheets) != list(sheets):
        lines = [subject, f"  the sheets stand in another order: {', '.join(sheets)}"]
    return lines
