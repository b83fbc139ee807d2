"""What a first and a second click cost in Python, over the test engine: python tests/benchmarks/clicks.py.

The first click pays for importing what its button needs; the second finds it in the process that answered the first.
Seconds are of the processor, so that other programs do not count; each figure is the least of several runs.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time

ROOT = Path(__file__).parents[2]
BUTTONS = {
    1: "Calibrate",
    2: "Check data",
    3: "Explain this value",
    4: "Settings",
    5: "Remove results",
    6: "Help",
    11: "New from template",
}
RUNS = 3


def measure(number: int, file: str) -> None:
    """Press one button twice in this process; print the seconds of importing, of the first and of the second click."""
    began = process_time()
    from panelcal.excel.clicks import press

    seconds = [process_time() - began]
    sys.path.insert(0, str(ROOT / "tests"))
    from excel import engine

    app = engine.start()
    book = app.books.open(file)
    book.sheets["Marks"].activate()
    book.sheets["Marks"].range("A20").select()
    for _ in range(2):
        engine.answers.append("yes")
        began = process_time()
        press(number, book.name)
        seconds.append(process_time() - began)
    print(*seconds)


def table(folder: Path) -> None:
    """Measure every button on the filled example, those for results on its calibrated copy, and print a table."""
    example, finished = ROOT / "workbook_templates" / "exam_board_example.xlsx", folder / "finished.xlsx"
    (folder / "Documents").mkdir()
    panelcal = [sys.executable, "-m", "panelcal"]
    subprocess.run([*panelcal, "calibrate", example, "-o", finished], check=True, stdout=subprocess.DEVNULL)
    print("| button | importing xlwings, s | first click, s | second click, s |\n| --- | --- | --- | --- |")
    for number, name in BUTTONS.items():
        book = finished if number in (3, 5) else example
        command = [sys.executable, __file__, str(number), str(book)]
        home = {**os.environ, "HOME": str(folder)}
        runs = [
            subprocess.run(command, check=True, env=home, capture_output=True, text=True).stdout for _ in range(RUNS)
        ]
        least = [min(figures) for figures in zip(*(map(float, run.split()) for run in runs), strict=True)]
        print(f"| {name} | " + " | ".join(f"{seconds:.2f}" for seconds in least) + " |", flush=True)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        measure(int(sys.argv[1]), sys.argv[2])
    else:
        with tempfile.TemporaryDirectory() as place:
            table(Path(place))
