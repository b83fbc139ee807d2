"""What a first and a second click cost in Python, over the test engine: python tests/benchmarks/clicks.py [board].

The first click pays for importing what its button needs; the second finds it in the process that answered the first.
"""

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUTTONS = {1: "Calibrate", 2: "Check data", 3: "Explain this value", 6: "Help"}


def measure(number: int, book: str) -> None:
    """Press one button twice in this process and print the seconds of each."""
    began = time.perf_counter()
    from panelcal.excel.clicks import press

    library = time.perf_counter() - began
    sys.path.insert(0, str(ROOT / "tests"))
    from excel import engine

    app = engine.start()
    opened = app.books.open(str(ROOT / "workbook_templates" / book))
    seconds = []
    for _ in range(2):
        began = time.perf_counter()
        press(number, opened.name)
        seconds.append(time.perf_counter() - began)
    print(f"| {BUTTONS[number]} | {library:.2f} | {seconds[0]:.2f} | {seconds[1]:.2f} |")


if __name__ == "__main__":
    if len(sys.argv) > 2:
        measure(int(sys.argv[1]), sys.argv[2])
    else:
        print(
            "| button | importing xlwings, s | first click, s | second click, s |\n| --- | --- | --- | --- |",
            flush=True,
        )
        for each in BUTTONS:
            subprocess.run([sys.executable, __file__, str(each), "exam_board_example.xlsx"], check=True)
