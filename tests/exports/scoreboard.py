"""Prints how panelcal reads every export file: at once, after one answer, not at all, or wrongly.

python tests/exports/scoreboard.py [NAME ...]
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from exports.catalogue import all_files, make
from exports.reading_as_typed import Outcome, outcome

_WIDTH = 170


def scored(name: str, variant: int) -> Outcome:
    """Make one file, read it, and say how that went."""
    with tempfile.TemporaryDirectory() as folder:
        made = make(name, variant, Path(folder))
        try:
            return outcome(made, Path(folder))
        except Exception as problem:
            return Outcome("crash", f"{type(problem).__name__}: {problem}")


def main(names: list[str]) -> None:
    """Print one line per file (in full where layouts are named), and how many came out in each way."""
    counts: Counter[str] = Counter()
    for name, variant in all_files():
        if names and name not in names:
            continue
        found = scored(name, variant)
        counts[found.kind] += 1
        said = " | ".join(found.said.splitlines())
        typed = f"[{'  '.join(found.typed)}] " if found.typed else ""
        print(f"{name + '-' + str(variant + 1):20} {found.kind:8} {typed}{said if names else said[:_WIDTH]}")
    print(", ".join(f"{count} {kind}" for kind, count in counts.most_common()), f"of {counts.total()}")


if __name__ == "__main__":
    main(sys.argv[1:])
