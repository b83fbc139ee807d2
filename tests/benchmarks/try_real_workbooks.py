"""Try the program on a folder of real workbooks: `check`, the carry-over, and a look through the package.

`python tests/benchmarks/try_real_workbooks.py FOLDER [MOST]` counts, over at most MOST workbooks (all by default), what
`check` said and how the copies with result sheets came out, and lists every flaw. `tests/data/real_workbooks.md` names
public collections. A workbook whose own package has a flaw is not held against its copy.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from files.package_checks import check_package
from files.sample_report import sample_report
from panelcal.errors import PanelcalError
from panelcal.files.write import carries_whole, write_report
from run_panelcal import digest, run


def flaw(path: Path) -> str:
    """What is wrong with a package, empty where nothing is."""
    try:
        check_package(path)
    except Exception as error:  # whatever a broken file raises
        return f"{type(error).__name__}: {str(error)[:120]}"
    return ""


def carried(path: Path, folder: Path) -> str:
    """Carry a workbook into a copy with result sheets; return how that went."""
    target = folder / "out.xlsx"
    target.unlink(missing_ok=True)
    try:
        if carries_whole(path):
            return "results only"
        write_report(sample_report(), target, workbook=path)
    except PanelcalError:
        return "refused"
    found = flaw(target)
    if not found:
        return "carried"
    return "carried with its own flaw" if flaw(path) else f"FLAW {found}"


def main(folder: str, most: int = 1_000_000) -> int:
    files = sorted(path for path in Path(folder).rglob("*") if path.suffix.lower() in (".xlsx", ".xlsm"))
    random.Random(1).shuffle(files)
    counts: Counter[str] = Counter()
    bad: list[str] = []
    with tempfile.TemporaryDirectory() as scratch:
        for path in files[:most]:
            before = digest(path)
            done = run("check", str(path))
            counts[f"check: {'accepted' if done.returncode == 0 else 'refused'}"] += 1
            if "Traceback" in done.stderr or "panelcal-report-" in done.stderr or done.returncode not in (0, 1):
                bad.append(f"{path.name}: {done.stderr.strip()[:200]}")
            if path.suffix.lower() == ".xlsx":
                try:
                    outcome = carried(path, Path(scratch))
                except Exception as error:  # what a user would see as an unforeseen error
                    outcome = f"FLAW {type(error).__name__}: {str(error)[:120]}"
                counts[f"copy: {outcome.split()[0] if outcome.startswith('FLAW') else outcome}"] += 1
                if outcome.startswith("FLAW"):
                    bad.append(f"{path.name}: {outcome}")
            if digest(path) != before:
                bad.append(f"{path.name}: changed")
    print("\n".join(f"{count:6,} {what}" for what, count in sorted(counts.items())))
    print("\n".join(bad) or "No traceback, no flaw, no input changed.")
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
