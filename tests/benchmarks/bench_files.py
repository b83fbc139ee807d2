"""A full sheet, end to end: the whole command against the bare cost of reading it and writing the result cells.

Run with `python tests/benchmarks/bench_files.py [.xlsx] [.csv] [rows ...]`. For each size a long list is made as .xlsx
(as Excel stores it: shared strings, scores formatted 0.0) and as .csv. Then, each in a process of its own:

- the whole command `panelcal calibrate`, with a copy of the input sheet where there is one to copy;
- the bare cost: every cell read with python-calamine (`csv` for .csv) and nothing made of it, and the result sheets,
  known beforehand, written by panelcal's own writer, which takes half the time of openpyxl's quickest way (write-only).

Times are processor seconds, which other programs disturb little; the two are run in turns, and the least of three
counts for each, as other work only adds to them. Everything is compiled beforehand, as it is where pip has installed
it. Peak memory is that of the whole process.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one core, also where numpy brings threads of its own

import subprocess
import sys
import tempfile
import time
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from openpyxl import Workbook
from python_calamine import CalamineWorkbook

from panelcal import cli
from panelcal.commands import calibrate_file

SIZES = (10_000, 200_000, 1_048_575)
GOAL = 2.0  # times the bare cost
ROUNDS = 3
HEAD = ("Student", "Module", "Mark")
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_STRINGS_TYPE = (
    b'<Override PartName="/xl/sharedStrings.xml" '
    b'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/>'
)
_STRINGS_RELATION = (
    b'<Relationship Id="rIdStrings" Target="/xl/sharedStrings.xml" '
    b'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings"/>'
)


def long_list(count: int) -> tuple[list[str], list[str], list[str], np.ndarray]:
    """Return labels of students and modules, and for each row which of them and the mark; 5.2 marks a student."""
    rng = np.random.default_rng(0)
    n_students, n_modules = round(count / 5.243), max(10, round(count / 524.3))
    one_each = np.arange(n_students) * n_modules + rng.integers(0, n_modules, n_students)
    others = np.setdiff1d(rng.integers(0, n_students * n_modules, 2 * count), one_each)
    pairs = rng.permutation(np.concatenate([one_each, rng.permutation(others)[: count - n_students]]))
    student, module = pairs // n_modules, pairs % n_modules
    noise = 10 * rng.standard_normal(n_students)[student] + 4 * rng.standard_normal(n_modules)[module]
    marks = np.clip(np.round(60 + noise + 5 * rng.standard_normal(count)), 0, 100)
    return (
        [f"S{k:06d}" for k in range(n_students)],
        [f"M{k:04d}" for k in range(n_modules)],
        [f"{mark:.0f}" for mark in marks],
        np.column_stack([student, module]),
    )


def make_csv(path: Path, count: int) -> None:
    """Write the list as text."""
    students, modules, marks, places = long_list(count)
    lines = (f"{students[s]},{modules[m]},{mark}\n" for (s, m), mark in zip(places.tolist(), marks, strict=True))
    path.write_text(",".join(HEAD) + "\n" + "".join(lines))


def make_workbook(path: Path, count: int) -> None:
    """Write the list as Excel would."""
    students, modules, marks, places = long_list(count)
    book, frame = Workbook(), BytesIO()
    book.active.title = "Marks"
    book.active["A1"] = 1
    book.active["A1"].number_format = "0.0"
    book.save(frame)
    texts = [*HEAD, *students, *modules]
    offset = len(HEAD) + len(students)
    headings = "".join(f'<c r="{"ABC"[k]}1" t="s"><v>{k}</v></c>' for k in range(3))
    rows = [f'<row r="1" spans="1:3">{headings}</row>']
    rows += [
        f'<row r="{r}" spans="1:3"><c r="A{r}" t="s"><v>{s + 3}</v></c><c r="B{r}" t="s"><v>{m + offset}</v></c>'
        f'<c r="C{r}" s="1"><v>{mark}</v></c></row>'
        for r, ((s, m), mark) in enumerate(zip(places.tolist(), marks, strict=True), 2)
    ]
    with zipfile.ZipFile(frame) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            part = source.read(name)
            if name == "[Content_Types].xml":
                part = part.replace(b"</Types>", _STRINGS_TYPE + b"</Types>")
            elif name.endswith("workbook.xml.rels"):
                part = part.replace(b"</Relationships>", _STRINGS_RELATION + b"</Relationships>")
            elif name.endswith("sheet1.xml"):
                head, rest = part.split(b"<sheetData>")
                part = head + b"<sheetData>" + "".join(rows).encode() + b"</sheetData>" + rest.split(b"</sheetData>")[1]
            if not name.endswith("sharedStrings.xml"):
                target.writestr(name, part)
        strings = "".join(f"<si><t>{text}</t></si>" for text in texts)
        target.writestr("xl/sharedStrings.xml", f'<sst xmlns="{_MAIN}">{strings}</sst>')


def bare(source: Path, target: Path) -> dict[str, float]:
    """Read the input with nothing made of it, and take the time of writing what a run hands to the writer."""
    start = time.process_time()
    if source.suffix == ".csv":
        with source.open(newline="") as opened:
            read: list[Any] = list(csv.reader(opened))
    else:
        read = CalamineWorkbook.from_path(source).get_sheet_by_index(0).to_python()
    reading = time.process_time() - start
    rows = len(read)
    del read
    write, writing = calibrate_file.write_report, [0.0]

    def timed(*given: Any, **named: Any) -> Any:
        before = time.process_time()
        try:
            return write(*given, **named)
        finally:
            writing[0] = time.process_time() - before

    calibrate_file.write_report = timed
    sys.argv = ["panelcal", "calibrate", str(source), "-o", str(target)]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        cli.main()
    return {"rows": rows, "read": reading, "write": writing[0]}


def environment(folder: Path) -> dict[str, str]:
    """Let Python keep what it compiles in the folder."""
    kept = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPYCACHEPREFIX": str(folder / "compiled")}


def command(source: Path, target: Path) -> tuple[float, float]:
    """Run the whole command; return processor seconds and peak memory in GB."""
    target.unlink(missing_ok=True)
    arguments = [sys.executable, "-m", "panelcal", "calibrate", str(source), "-o", str(target)]
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, env=environment(target.parent)) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"panelcal ended with {process.returncode}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1e6


def bare_cost(source: Path, target: Path) -> tuple[float, float]:
    """Return the processor seconds of bare reading and of bare writing, see `bare`."""
    target.unlink(missing_ok=True)
    arguments = [sys.executable, __file__, "bare", str(source), str(target)]
    told = subprocess.run(arguments, check=True, capture_output=True, env=environment(target.parent))
    found = json.loads(told.stdout)
    return found["read"], found["write"]


def main(sizes: list[int], kinds: set[str]) -> None:
    """Print the table."""
    print("| rows | file | bare: read + write, s | the whole command, s | ratio | peak memory |")
    print("| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for count in sizes:
            for kind, make in ((".xlsx", make_workbook), (".csv", make_csv)):
                if kind not in kinds:
                    continue
                source, target = folder / f"marks{kind}", folder / f"results of {count} {kind[1:]}.xlsx"
                make(source, count)
                command(source, target)  # compiles
                rounds = [(command(source, target), bare_cost(source, folder / "bare.xlsx")) for _ in range(ROUNDS)]
                seconds, memory = min(own[0] for own, _ in rounds), max(own[1] for own, _ in rounds)
                read, write = (min(alone[k] for _, alone in rounds) for k in (0, 1))
                total = read + write
                missed = "" if seconds <= GOAL * total else " (missed)"
                print(
                    f"| {count:,} | {kind} | {read:.2f} + {write:.2f} | "
                    f"{seconds:.2f} | {seconds / total:.2f}{missed} | {memory:.2f} GB |",
                    flush=True,
                )


if __name__ == "__main__":
    if sys.argv[1:2] == ["bare"]:
        print(json.dumps(bare(Path(sys.argv[2]), Path(sys.argv[3]))))
    else:
        chosen = {kind for kind in sys.argv[1:] if kind.startswith(".")}
        main([int(size) for size in sys.argv[1:] if size not in chosen] or list(SIZES), chosen or {".xlsx", ".csv"})
