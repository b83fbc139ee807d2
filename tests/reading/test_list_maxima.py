"""A column beside the scores of a list that could say what was possible in each row."""

from run_panelcal import run

SCORES = [
    [f"P{k}", name, 50 + (7 * k + 11 * j) % 30] for k in range(8) for j, name in enumerate(["Lee", "Ray", "Moss"])
]


def _check(folder, heads, rows):
    file = folder / "marks.csv"
    file.write_text("\n".join(",".join(map(str, row)) for row in [heads, *rows]))
    return run("check", str(file))


def test_how_high_a_score_could_be_is_no_maximum(tmp_path):
    rows = [[*row, row[2] - 3, row[2] + 2 + k % 3] for k, row in enumerate(SCORES)]
    done = _check(tmp_path, ["Proposal", "Reviewer", "Score", "Low", "High"], rows)
    assert done.returncode == 0, done.stderr
    assert "percentage" not in done.stdout


def test_the_maximum_of_each_proposal_is_asked_about(tmp_path):
    rows = [[*row, 80 + 10 * int(row[0][1:])] for row in SCORES]
    done = _check(tmp_path, ["Proposal", "Reviewer", "Score", "Max"], rows)
    assert done.returncode == 1 and "not all on one scale" in done.stderr
