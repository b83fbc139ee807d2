"""Injected faults: nothing may end in a traceback, a changed input, a lost older result or a file left behind.

`python tests/benchmarks/bench_faults.py [CASES] [SEED]` (500 cases by default) damages workbooks, fills the disk, ends
runs at random moments and starts several at once, prints a table of outcomes and fails unless the last five columns are
zeros ("untrue": the run says that nothing was written, and something was). What a failing case said is shown beside the
table. Only POSIX systems can limit the size of files and send signals as this does.
"""

from __future__ import annotations

import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from files.package_checks import check_package
from run_panelcal import digest, run, started

EXAMPLE = Path(__file__).parents[2] / "workbook_templates" / "grant_panel_example.xlsx"
PROGRAM = (sys.executable, "-m", "panelcal")
FAILURES = ("traceback", "untrue", "input changed", "older result lost", "left behind")
A_DAY = 90_000.0


class Case:
    """A folder with an input, an older result where there is one, and what came of a run."""

    def __init__(self, folder: Path, chance: random.Random, older: bool) -> None:
        self.folder, self.chance = folder, chance
        self.input, self.target = folder / "marks.xlsx", folder / "out.xlsx"
        self.input.write_bytes(EXAMPLE.read_bytes())
        self.older = older
        if older:
            self.target.write_bytes(EXAMPLE.read_bytes())
        self.scratch = folder / "scratch"  # the folder for temporary files of what runs in a process of its own
        self.scratch.mkdir()
        self.words = ["calibrate", str(self.input), "-o", str(self.target), *(["--force"] if older else [])]
        self.failures: set[str] = set()
        self.said = ""
        self.given()

    def given(self) -> None:
        """Remember both files as the program is given them, after what a fault has done to them."""
        self._input = digest(self.input)
        self._older = digest(self.target) if self.older else None

    def judge(self, outcomes: list[tuple[int, str]]) -> str:
        """Look at what is there after the runs."""
        said = self.said = " ".join(err for _, err in outcomes)
        if "Traceback" in said or "panelcal-report-" in said or "Exception ignored" in said:
            self.failures.add("traceback")
        if "nothing was written" in said and (digest(self.target) if self.target.exists() else None) != self._older:
            self.failures.add("untrue")
        if digest(self.input) != self._input:
            self.failures.add("input changed")
        if self.older and not self.target.exists():
            self.failures.add("older result lost")
        if self.target.exists() and digest(self.target) != self._older:
            if not _is_whole(self.target) and _is_whole(self.input):
                self.failures.add("older result lost" if self.older else "left behind")
        if {path.name for path in self.folder.rglob("*")} - {"marks.xlsx", "out.xlsx", "scratch"}:
            self.failures.add("left behind")
        statuses = {status for status, _ in outcomes}
        return "done" if statuses == {0} else "refused" if statuses <= {0, 1} else "ended"


def _is_whole(path: Path) -> bool:
    try:
        check_package(path)
    except Exception:  # whatever a broken file raises
        return False
    return True


def in_this_process(case: Case) -> list[tuple[int, str]]:
    case.given()
    done = run(*case.words)
    return [(done.returncode, done.stderr)]


def truncated(case: Case) -> list[tuple[int, str]]:
    data = case.input.read_bytes()
    case.input.write_bytes(data[: case.chance.randrange(len(data))])
    return in_this_process(case)


def bits_flipped(case: Case) -> list[tuple[int, str]]:
    data = bytearray(case.input.read_bytes())
    for _ in range(case.chance.choice((1, 1, 3, 20))):
        data[case.chance.randrange(len(data))] ^= 1 << case.chance.randrange(8)
    case.input.write_bytes(data)
    return in_this_process(case)


def xml_mutated(case: Case) -> list[tuple[int, str]]:
    """Cut, double or swap a piece of one part, which is then packed rightly."""
    with zipfile.ZipFile(case.input) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = case.chance.choice([name for name in parts if name.endswith((".xml", ".rels"))])
    data = parts[name]
    start = case.chance.randrange(len(data))
    end = min(len(data), start + case.chance.choice((1, 5, 50, 500)))
    piece = data[start:end]
    kind = case.chance.randrange(4)
    parts[name] = data[:start] + (b"", piece * 2, piece[::-1], b"<x>&#0;" + piece)[kind] + data[end:]
    if case.chance.random() < 0.1:
        del parts[name]
    with zipfile.ZipFile(case.input, "w", zipfile.ZIP_DEFLATED) as archive:
        for part, content in parts.items():
            archive.writestr(part, content)
    return in_this_process(case)


def older_result_damaged(case: Case) -> list[tuple[int, str]]:
    if case.older:
        data = bytearray(case.target.read_bytes())
        for _ in range(5):
            data[case.chance.randrange(len(data))] ^= 0xFF
        case.target.write_bytes(data)
    return in_this_process(case)


def disk_full(case: Case) -> list[tuple[int, str]]:
    """A limit on the size of files, as a full disk would set one at some moment of the writing."""
    limit = case.chance.randrange(1, 60_000)

    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    done = subprocess.run(
        [*PROGRAM, *case.words],
        capture_output=True,
        text=True,
        preexec_fn=limited,
        env={**os.environ, "TMPDIR": str(case.scratch)},
        check=False,
    )
    return [(done.returncode, done.stderr)]


def ended_by(*numbers: signal.Signals) -> Callable[[Case], list[tuple[int, str]]]:
    """End a run at a random moment, half of the time while it writes; several signals come close together."""

    def ended(case: Case) -> list[tuple[int, str]]:
        with started(*case.words, TMPDIR=str(case.scratch)) as process:
            if case.chance.random() < 0.5:
                while process.poll() is None and not list(case.folder.glob(".panelcal-*.tmp")):
                    time.sleep(0.001)
                time.sleep(case.chance.uniform(0.0, 0.1))
            else:
                time.sleep(case.chance.uniform(0.0, 3.0))
            for number in numbers:
                if process.poll() is None:
                    process.send_signal(number)
                    time.sleep(case.chance.choice((0.0, 0.001, 0.01)))
            _, err = process.communicate(timeout=120)
        if signal.SIGKILL in numbers:  # nobody can tidy up then: the next run, a day later, does
            for path in case.folder.glob(".panelcal-*.tmp"):
                os.utime(path, (time.time() - A_DAY,) * 2)
            run("calibrate", str(case.input), "-o", str(case.target), "--force")
        words = err.decode(errors="replace")
        # Until a line of ours has run nobody can catch a signal, and Python says where it was.
        by_python = "KeyboardInterrupt" in words and not re.search(r"panelcal/(?!__init__)\w+(/\w+)*\.py", words)
        return [(process.returncode, "" if by_python else words)]

    return ended


def three_at_once(case: Case) -> list[tuple[int, str]]:
    running = [
        subprocess.Popen([*PROGRAM, *case.words], stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(3)
    ]
    return [(process.wait(), process.communicate()[1].decode(errors="replace")) for process in running]


FAULTS: dict[str, tuple[Callable[[Case], list[tuple[int, str]]], int]] = {
    "input cut short": (truncated, 65),
    "bits flipped": (bits_flipped, 120),
    "XML changed": (xml_mutated, 150),
    "older result damaged": (older_result_damaged, 60),
    "disk full": (disk_full, 30),
    "Ctrl-C": (ended_by(signal.SIGINT), 20),
    "Ctrl-C twice": (ended_by(signal.SIGINT, signal.SIGINT), 10),
    "ended from outside": (ended_by(signal.SIGTERM), 15),
    "window closed": (ended_by(signal.SIGHUP, signal.SIGTERM), 10),
    "killed": (ended_by(signal.SIGKILL), 15),
    "three runs at once": (three_at_once, 5),
}


def main(cases: int = 500, seed: int = 1) -> int:
    chance = random.Random(seed)
    whole = sum(weight for _, weight in FAULTS.values())
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for name, (fault, weight) in FAULTS.items():
        for _ in range(max(1, round(cases * weight / whole))):
            with tempfile.TemporaryDirectory() as folder:
                case = Case(Path(folder), chance, older=chance.random() < 0.5)
                counts[name]["cases"] += 1
                counts[name][case.judge(fault(case))] += 1
                if case.failures:
                    print(f"{name}: {sorted(case.failures)}: {case.said}", file=sys.stderr)
                for failure in case.failures:
                    counts[name][failure] += 1
    columns = ("cases", "done", "refused", "ended", *FAILURES)
    print("| fault | " + " | ".join(columns) + " |\n| --- |" + " --- |" * len(columns))
    for name, found in counts.items():
        print(f"| {name} | " + " | ".join(str(found[column]) for column in columns) + " |")
    total = sum((counts[name] for name in counts), Counter())
    print("| all | " + " | ".join(str(total[column]) for column in columns) + " |")
    return int(any(total[failure] for failure in FAILURES))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
