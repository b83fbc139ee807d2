"""Debian's own browsers, driven by scripts, and the small files that they are given.

They need a built page and node modules, which `.ci/page` prepares: it sets PANELCAL_PAGE and PANELCAL_PAGE_MODULES.
"""

import itertools
import json
import math
import os
import random
import re
import subprocess
from pathlib import Path

import pytest

from run_panelcal import run

HERE = Path(__file__).parent
TEMPLATES = HERE.parents[1] / "workbook_templates"
EXAMPLES = [
    TEMPLATES / f"{name}_example.xlsx" for name in ("exam_board", "grant_panel", "conference_prize", "ai_reviewers")
]
BROWSERS = {"chromium": "chromium", "firefox": "firefox-esr"}
PATIENCE = 900.0
HOSTILE = "<img src=x onerror=globalThis.alarmed=true>"
PROVEN = re.compile(r"\b\de-1[2-7]\b")  # a bound on rounding errors, which are not the same with other routines
FIGURE = re.compile(r"\d+\.\d+(?:e-?\d+)?")


def needed(name):
    place = os.environ.get(name)
    if not place and not os.environ.get("PANELCAL_REQUIRE_BROWSERS"):
        pytest.skip("needs a built page and browsers, which .ci/page prepares")
    assert place, f"{name} is not set"
    return Path(place)


def result_of(file, *options):
    """Write a result as a file for browsers, and the workbook beside it."""
    made = file.with_suffix(".html")
    done = run("calibrate", str(file), *options, "-o", str(made.with_suffix(".out.xlsx")), "--html", str(made))
    assert done.returncode == 0, done.stderr
    return str(made)


def driven(driver, plan):
    """Let a script drive a browser by a plan, and return what it wrote down."""
    folder = Path(plan["folder"])
    listed = folder / "plan.json"
    listed.write_text(json.dumps(plan), encoding="utf-8")
    subprocess.run(["node", str(HERE / "browser" / driver), str(listed)], timeout=PATIENCE, check=True)
    found = json.loads((folder / "seen.json").read_text(encoding="utf-8"))
    assert "failed" not in found, found["failed"]
    return found | {"folder": folder}


def made_up(folder):
    """Write the small files that the browser is given."""
    marks = [(50 + 7 * k % 23, 48 + 5 * k % 29, 55 + 11 * k % 19) for k in range(12)]
    rows = [f"S{k},{','.join(map(str, mark))}" for k, mark in enumerate(marks)]
    contents = {
        "question.csv": "Student,Maths,Physics,Art,Seminar\n"
        + "".join(f"{row},{3 + k % 4}\n" for k, row in enumerate(rows)),
        "hostile.csv": f"Student,Maths,{HOSTILE},Art\n" + "".join(f"{row}\n" for row in rows),
        "lists.csv": "Talk,Judge\n" + "".join(f"T{k},{f'J{k}' if k < 5 else ''}\n" for k in range(10)),
    }
    # Confidences by chance, and no two projects with the same judges: of ties a browser may take the other.
    chance, judges = random.Random(5), ("Ann", "Bob", "Cy", "Di")
    contents["rubric.csv"] = "Project,Reviewer,Confidence,Originality,Value for money\n" + "".join(
        f"P{k},{judge},{chance.uniform(1, 3):.2f},{chance.uniform(2, 9):.1f},{chance.uniform(1, 9):.1f}\n"
        for k, group in enumerate([*itertools.combinations(judges, 2), *itertools.combinations(judges, 3)])
        for judge in group
    )
    for judge, add in (("Ann", 0), ("Ben", 1), ("Cleo", 2)):
        contents[f"{judge}.csv"] = "Talk,Score\n" + "".join(f"T{k},{3 + (k * 2 + add) % 5}\n" for k in range(6))
    for name, content in contents.items():
        (folder / name).write_text(content, encoding="utf-8")
    (folder / "old.xls").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    return {
        "question": str(folder / "question.csv"),
        "hostile": str(folder / "hostile.csv"),
        "lists": str(folder / "lists.csv"),
        "rubric": str(folder / "rubric.csv"),
        "criteria": ["Originality", "Value for money"],
        "notRead": str(folder / "old.xls"),
        "judges": [str(folder / f"{judge}.csv") for judge in ("Ann", "Ben", "Cleo")],
    }


def same(one, other):
    if isinstance(one, int | float) and isinstance(other, int | float) and not isinstance(one, bool):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
    one, other = (PROVEN.sub("#", text) if isinstance(text, str) else text for text in (one, other))
    if str(one).startswith("=") and str(other).startswith("="):  # a formula may hold a sum that it compares with
        figures = [[float(figure) for figure in FIGURE.findall(text)] for text in (one, other)]
        return FIGURE.sub("#", one) == FIGURE.sub("#", other) and all(map(same, *figures))
    return one == other
