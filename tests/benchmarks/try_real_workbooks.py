"""Try the program on a folder of real workbooks: `check`, the carry-over, and a look through the package.

`python tests/benchmarks/try_real_workbooks.py FOLDER [MOST]` counts, over at most MOST workbooks (all by default) of
each folder in FOLDER, what `check` said and how the copies with result sheets came out, and lists every flaw. More than
a minute of processor time for a workbook is a flaw too. A workbook whose own package has a flaw is not held against its
copy. `tests/data/real_workbooks.md` names collections and says what came out.
"""

from __future__ import annotations

import random
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from files.package_checks import check_package
from files.sample_report import sample_report
from panelcal.errors import PanelcalError
from panelcal.files.write import carries_whole, write_report
from run_panelcal import digest, run

ENDINGS = (".xlsx", ".xlsm", ".xls", ".xlsb", ".ods")
LIMIT = 60.0  # seconds of processor time for each of the two things done with a workbook


class TooSlow(KeyboardInterrupt):
    """A workbook takes longer than the limit."""


@contextmanager
def limited() -> Iterator[None]:
    def end(_number: int, _frame: object) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, LIMIT)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)


def flaw(path: Path) -> str:
    """What is wrong with a package, empty where nothing is."""
    try:
        check_package(path)
    except Exception as error:  # whatever a broken file raises
        return f"{type(error).__name__}: {str(error)[:120]}"
    return ""


def checked(path: Path) -> str:
    """Run `check` on a workbook; return what it said."""
    with limited():
        done = run("check", str(path))
    if done.returncode == 130:  # as every interruption ends
        raise TooSlow
    if "Traceback" in done.stderr or "panelcal-report-" in done.stderr or done.returncode not in (0, 1):
        return f"FLAW {done.stderr.strip()[:300]}"
    return "accepted" if done.returncode == 0 else "refused"


def carried(path: Path, folder: Path) -> str:
    """Carry a workbook into a copy with result sheets; return how that went."""
    target = folder / "out.xlsx"
    target.unlink(missing_ok=True)
    try:
        with limited():
            if carries_whole(path):
                return "results only"
            write_report(sample_report(), target, workbook=path)
            found = flaw(target)
    except PanelcalError:
        return "refused"
    except Exception as error:  # what a user would see as an unforeseen error
        return f"FLAW {type(error).__name__}: {str(error)[:300]}"
    if not found:
        return "carried"
    return "carried with its own flaw" if flaw(path) else f"FLAW {found}"


def tried(path: Path, scratch: Path) -> Iterator[tuple[str, str]]:
    """What was done with a workbook, and how it went."""
    before = digest(path)
    try:
        yield "check", checked(path)
        if path.suffix.lower() == ".xlsx":
            yield "copy", carried(path, scratch)
    except TooSlow:
        yield "either", "FLAW too slow"
    if digest(path) != before:
        yield "input", "FLAW changed"


def main(folder: str, most: int = 1_000_000) -> int:
    bad: list[str] = []
    with tempfile.TemporaryDirectory() as scratch:
        for collection in sorted(path for path in Path(folder).iterdir() if path.is_dir()):
            files = sorted(path for path in collection.rglob("*") if path.suffix.lower() in ENDINGS)
            random.Random(1).shuffle(files)
            counts: Counter[str] = Counter()
            for path in files[:most]:
                for doing, outcome in tried(path, Path(scratch)):
                    counts[f"{doing}: {outcome.split()[0] if outcome.startswith('FLAW') else outcome}"] += 1
                    if outcome.startswith("FLAW"):
                        bad.append(f"{path.relative_to(folder)}: {doing}: {outcome}")
                        print(bad[-1], file=sys.stderr, flush=True)
            print(f"{collection.name}: {len(files[:most]):,} files")
            print("\n".join(f"{count:8,} {what}" for what, count in sorted(counts.items())), flush=True)
    print("\n".join(bad) or "No traceback, no flaw, no input changed, none too slow.")
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
