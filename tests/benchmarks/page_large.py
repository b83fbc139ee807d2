"""What the page takes for a list of 100,000 marks: the largest process of the browser, and how long it stands still.

usage: python tests/benchmarks/page_large.py PAGE MODULES [chromium|firefox]; MODULES as .ci/page makes them. A pause is
the time between two frames, so it depends on what else the machine does; the peak does not, nor does the processor time
that the page's thread takes in one go, which is the pause on a machine that does nothing else.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from large_panel import write_large_panel

EXECUTABLES = {"chromium": "chromium", "firefox": "firefox-esr"}
DRIVER = Path(__file__).parents[1] / "page" / "browser" / "drive_large.mjs"


def main(page: str, modules: str, browser: str = "chromium") -> None:
    """Drive the page once and print a line for each stage."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "large.csv"
        write_large_panel(file)
        plan = {
            "browser": browser,
            "executable": shutil.which(EXECUTABLES[browser]),
            "page": str(Path(page).resolve()),
            "modules": str(Path(modules).resolve()),
            "folder": folder,
            "file": str(file),
            "sampled": ["P00000"],
            "traced": browser == "chromium",
        }
        listed = Path(folder) / "plan.json"
        listed.write_text(json.dumps(plan), encoding="utf-8")
        subprocess.run(["node", str(DRIVER), str(listed)], check=True, stderr=subprocess.DEVNULL)
        seen = json.loads((Path(folder) / "seen.json").read_text(encoding="utf-8"))
    if "failed" in seen:
        raise SystemExit(seen["failed"])
    for stage in seen["stages"]:
        peak = f"{stage['peak']:5} MB" if stage["peak"] else "    -"
        own = "" if stage["busiest"] is None else f", in one go {stage['busiest']:4} ms of processor time"
        print(
            f"{stage['name']:24} after {stage['after']:6.1f} s, peak {peak}, longest pause {stage['longest']:5} ms{own}"
        )
    print(f"most elements added in one go: {seen['mostAdded']:,}")


if __name__ == "__main__":
    main(*sys.argv[1:])
