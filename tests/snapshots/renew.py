"""Freezes what panelcal writes now, and prints how it differs from what was frozen: `python tests/snapshots/renew.py`.

Names of workbooks (folders in `frozen`) renew these only; `--look` prints and renews nothing.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"
sys.path.insert(0, str(Path(__file__).parents[1]))

from snapshots import frozen
from snapshots.differences import workbook_differences
from snapshots.subjects import SUBJECTS, contents


def main(*arguments: str) -> None:
    """Renew the snapshots named, or all."""
    named = [name for name in arguments if name != "--look"] or list(SUBJECTS)
    changed = 0
    for name in named:
        about, sheets = contents(name)
        lines = workbook_differences(name, about, sheets)
        print("\n".join(lines) if lines else f"{name}: as before", flush=True)
        changed += bool(lines)
        if lines and "--look" not in arguments:
            frozen.write(name, about, sheets)
    print(f"\n{changed} of {len(named)} workbooks differ from their snapshots.")


if __name__ == "__main__":
    main(*sys.argv[1:])
