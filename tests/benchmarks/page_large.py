"""Every figure of the page's speed in one run, beside its goal: shell, start, and what 100,000 marks take.

usage: python tests/benchmarks/page_large.py PAGE PARTS MODULES [chromium|firefox]; PARTS and MODULES as .ci/page makes
them. It takes some three minutes. A pause is the time between two frames, so it depends on what else the machine does;
the peak does not, nor does the processor time that the page takes in one go, which is the pause on a machine that
does nothing else. Processor time and the start are measured in Chromium only.
"""

import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parent)]

from page_start import opened_in_turn

from large_panel import PROPOSALS, write_large_panel
from panelcal.page.as_data import MOST_SCORES

EXECUTABLES = {"chromium": "chromium", "firefox": "firefox-esr"}
DRIVER = Path(__file__).parents[1] / "page" / "browser" / "drive_large.mjs"
ROUNDS = "2"
READY, OF_BARE, SHELL, MEMORY, PAUSE = 8.0, 1.4, 0.5, 1000, 500  # s, ratio, s, MB, ms
TOO_MANY = 1.25 * PROPOSALS


def driven(page: str, modules: str, browser: str) -> dict:
    """Drive the page through a large panel, and a larger one, and return what was written down."""
    with tempfile.TemporaryDirectory() as folder:
        file, larger = Path(folder) / "large.csv", Path(folder) / "larger.csv"
        write_large_panel(file)
        write_large_panel(larger, int(TOO_MANY))
        plan = {
            "browser": browser,
            "executable": shutil.which(EXECUTABLES[browser]),
            "page": str(Path(page).resolve()),
            "modules": str(Path(modules).resolve()),
            "folder": folder,
            "file": str(file),
            "tooLarge": str(larger),
            "sampled": ["P00000"],
            "traced": browser == "chromium",
        }
        listed = Path(folder) / "plan.json"
        listed.write_text(json.dumps(plan), encoding="utf-8")
        subprocess.run(["node", str(DRIVER), str(listed)], check=True, stderr=subprocess.DEVNULL)
        seen = json.loads((Path(folder) / "seen.json").read_text(encoding="utf-8"))
    if "failed" in seen:
        raise SystemExit(seen["failed"])
    return seen


def main(page: str, parts: str, modules: str, browser: str = "chromium") -> None:
    """Measure, print a line for each stage, and then each figure beside its goal."""
    started = opened_in_turn(page, parts, modules, ROUNDS) if browser == "chromium" else {}
    seen = driven(page, modules, browser)
    for stage in seen["stages"]:
        peak = f"{stage['peak']:5} MB" if stage["peak"] else "    -"
        own = "" if stage["busiest"] is None else f", in one go {stage['busiest']:4} ms of processor time"
        print(
            f"{stage['name']:24} after {stage['after']:6.1f} s, peak {peak}, longest pause {stage['longest']:5} ms{own}"
        )
    print()
    if started:
        own, bare = (statistics.median(ready for ready, _ in started[name]) for name in ("page", "bare"))
        shell = max(shell for _, shell in started["page"])
        goal = max(READY, OF_BARE * bare)
        told("shell visible, in s", f"{shell:.2f}", f"under {SHELL}", shell < SHELL)
        told(
            "ready, in s", f"{own:.1f}", f"{READY:g} or {OF_BARE} x bare Pyodide ({bare:.1f}): {goal:.1f}", own <= goal
        )
    peak = max(stage["peak"] or 0 for stage in seen["stages"])
    told("memory, in MB", str(peak or "-"), f"under {MEMORY:,}", peak < MEMORY)
    pauses = [stage["longest"] for stage in seen["stages"]]
    told("longest pause on the clock, in ms", str(max(pauses)), f"under {PAUSE}", max(pauses) < PAUSE)
    busiest = [stage["busiest"] for stage in seen["stages"] if stage["busiest"] is not None]
    if busiest:
        told("the same in processor time, in ms", str(max(busiest)), f"under {PAUSE}", max(busiest) < PAUSE)
    told("100,000 marks calibrated and saved", "yes" if seen["saved"] else "no", "yes", seen["saved"])
    refused = "command line" in seen["refusal"]
    told(f"{5 * int(TOO_MANY):,} marks", "refused" if refused else "taken", f"refused above {MOST_SCORES:,}", refused)
    print(f"  in these words: {seen['refusal']}")


def told(what: str, figure: str, goal: str, reached: bool) -> None:
    """Print a figure beside its goal."""
    print(f"{what:36} {figure:>8}   goal: {goal}{'' if reached else '   MISSED'}")


if __name__ == "__main__":
    main(*sys.argv[1:])
