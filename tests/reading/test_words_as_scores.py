"""Words of no known scale: the refusal names them, and what it says to type leads to the result."""

import shlex

import pytest

from run_panelcal import run, sheet_rows

GRID = [["Film", "Lee", "Ray", "Moss"], ["A", "huge", "tiny", ""], ["B", "tiny", "", "mid"], ["C", "", "huge", "tiny"]]
GRID += [["D", "mid", "mid", ""]]
LIST = [["Film", "Judge", "Verdict"]]
LIST += [[row[0], name, word] for row in GRID[1:] for name, word in zip(GRID[0][1:], row[1:], strict=True) if word]
COUNTED = {"tiny": 1, "mid": 2, "huge": 3}


def _values(folder, name, rows, *typed):
    (folder / name).write_text("\n".join(",".join(map(str, row)) for row in rows))
    done = run("calibrate", name, *typed, "-o", f"{name}.xlsx", folder=folder)
    assert done.returncode == 0, done.stderr
    return {row["Film"]: row["Calibrated value"] for row in sheet_rows(folder / f"{name}.xlsx", "Cal values")}


@pytest.mark.slow
@pytest.mark.parametrize("rows", [GRID, LIST], ids=["grid", "list"])
def test_what_is_offered_counts_the_words_with_the_users_numbers(tmp_path, rows):
    (tmp_path / "words.csv").write_text("\n".join(",".join(row) for row in rows))
    refused = run("check", "words.csv", folder=tmp_path)
    assert refused.returncode == 1 and "Lee=" not in refused.stderr
    typed = shlex.split(refused.stderr[refused.stderr.index("--grades") : refused.stderr.index(" to the command")])
    assert {one.split("=")[0].strip() for one in typed[1].split(",")} == set(COUNTED)
    mine = ", ".join(f"{word}={number}" for word, number in COUNTED.items())
    numbers = [[COUNTED.get(cell, cell) for cell in row] for row in rows]
    assert _values(tmp_path, "words.csv", rows, "--grades", mine) == _values(tmp_path, "numbers.csv", numbers)


def test_texts_that_do_not_come_again_are_no_scores(tmp_path):
    rows = [["Film", "Lee", "Ray"], *[[f"F{k}", f"remark {k}", f"note {k}"] for k in range(6)]]
    (tmp_path / "texts.csv").write_text("\n".join(",".join(row) for row in rows))
    refused = run("check", "texts.csv", folder=tmp_path)
    assert refused.returncode == 1 and "--grades" not in refused.stderr
