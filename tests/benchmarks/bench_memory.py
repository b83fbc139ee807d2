"""The memory that calibrating a file takes at its peak, beside what `panel_size` estimates before anything is computed.

`python tests/benchmarks/bench_memory.py [SHAPE ...]` makes files of several shapes, calibrates each in a process of its
own, and prints the peak that the system kept of it (`getrusage`) beyond what the program takes for a board, which
is there before the estimate is asked for. The estimate should not be below that, nor several times above. POSIX only.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from panelcal.files.load import load_source
from panelcal.panel_size import memory_needed
from panelcal.reading.read import read_panel
from run_panelcal import PROGRAM

LONG = "A remark on this piece of work, as long as those that assessors write when they are asked for reasons. " * 3
MEGA = 1e6
PROGRAM_ITSELF = 118e6  # the peak of a board of 82 x 81


def a_list(objects: int, assessors: int, each: int, *, text: str = "") -> Iterator[str]:
    """Lines of a list: every object is assessed by so many, chosen by chance."""
    chance = random.Random(1)
    yield "Student,Module,Mark" + (",Remark" if text else "")
    for k in range(objects):
        for a in chance.sample(range(assessors), each):
            yield f"S{k:06d},M{a:05d},{chance.randrange(30, 90)}" + (f",{text} {k} {a}" if text else "")


def a_matrix(objects: int, assessors: int, share: float) -> Iterator[str]:
    """Lines of a matrix of which a share is filled."""
    chance = random.Random(1)
    yield "Student," + ",".join(f"M{a:05d}" for a in range(assessors))
    for k in range(objects):
        cells = (str(chance.randrange(30, 90)) if chance.random() < share else "" for _ in range(assessors))
        yield f"S{k:06d}," + ",".join(cells)


SHAPES = {
    "tall: 100,000 x 5 matrix, half filled": lambda: a_matrix(100_000, 5, 0.5),
    "full: 400 x 400 matrix, all filled": lambda: a_matrix(400, 400, 1.0),
    "wide: 300 x 2,500 matrix, a fifth filled": lambda: a_matrix(300, 2_500, 0.2),
    "sparse list: 50,000 objects, 3 of 4,000 each": lambda: a_list(50_000, 4_000, 3),
    "dense list: 10,000 objects, 20 of 100 each": lambda: a_list(10_000, 100, 20),
    "list with long texts: 10,000 objects, 4 of 60 each": lambda: a_list(10_000, 60, 4, text=LONG),
}


def peak_of(file: Path, folder: Path) -> tuple[int, float]:
    """Calibrate a file in a process of its own; return the exit status and the peak in bytes."""
    words = ["calibrate", str(file), "-o", str(folder / "out.xlsx"), "--force"]
    with open(os.devnull, "w") as nothing:
        actions = [(os.POSIX_SPAWN_DUP2, nothing.fileno(), 1), (os.POSIX_SPAWN_DUP2, nothing.fileno(), 2)]
        process = os.posix_spawn(PROGRAM[0], [*PROGRAM, *words], dict(os.environ), file_actions=actions)
    _, status, usage = os.wait4(process, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_maxrss * (1.0 if sys.platform == "darwin" else 1024.0)


def main(*wanted: str) -> None:
    print("| shape | scores | peak beyond the program, MB | estimate, MB | ratio |\n| --- | --- | --- | --- | --- |")
    for name, lines in SHAPES.items():
        if wanted and not any(name.startswith(word) for word in wanted):
            continue
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "marks.csv"
            file.write_text("\n".join(lines()), encoding="utf-8")
            panel = read_panel(load_source(file)).panel
            needed = memory_needed(panel).total
            status, peak = peak_of(file, Path(folder))
            beyond = peak - PROGRAM_ITSELF
        ended = "" if status == 0 else f" (exit status {status})"
        figures = (f"{beyond / MEGA:,.0f}{ended}", f"{needed / MEGA:,.0f}", f"{needed / beyond:.2f}")
        print(f"| {name} | {panel.n_assessments:,} | {' | '.join(figures)} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
