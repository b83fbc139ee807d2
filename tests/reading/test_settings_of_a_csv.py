"""A text file has no sheet Settings: nothing that stops or warns about one may send its user there."""

import pytest

from run_panelcal import run

HEAD = ["Talk", "Ann Lee", "Bob Roy", "Cy Fox"]
LEVELS = [HEAD, *[[f"T{k}", 1 + k % 4, 2 + k % 3, 1 + (2 * k) % 5] for k in range(9)]]
WORDS = [HEAD, *[[f"T{k}", *(("Poor", "Fair", "Good")[(k + j) % 3] for j in range(3))] for k in range(6)]]
LIST = [["Talk", "Judge", "Rating"], *[[f"T{k}", j, 1 + (k + len(j)) % 4] for k in range(6) for j in ("Ann", "Bob")]]
FEATURES = [["Talk", "Judge", "Depth", "Style"], *[[f"T{k}", j, 1 + k % 4, 1 + k % 3] for k in range(6) for j in "AB"]]
ORDINAL = ["--method", "ordinal"]

MET = {
    "levels by the ratings": (LEVELS, ORDINAL, "add --scale 1:5 to the command"),
    "a rating above the scale": (LEVELS, [*ORDINAL, "--scale", "1:4"], "or add --scale 1:5 to the command"),
    "a rating above its end": (LEVELS, [*ORDINAL, "--set", "Highest score=4"], 'add --set "Highest score=5" to'),
    "one level": ([HEAD, *[[f"T{k}", 3, 3, 3] for k in range(5)]], ORDINAL, "nothing tells one from another"),
    "words": (WORDS, ORDINAL, 'add --grades "Good=3, Fair=2, Poor=1" to the command'),
    "unknown words": (
        [HEAD, *[["T" + str(k), "blue", "red", "red"] for k in range(5)]],
        ORDINAL,
        'add --set "Rating words=Poor=1, Fair=2, Good=3" to the command, with your words',
    ),
    "the same rating twice": ([*LIST, LIST[1]], ORDINAL, 'add --set "Repeated assessments=last" to the command'),
    "a mean of levels": (
        [*LIST, LIST[1]],
        [*ORDINAL, "--set", "Repeated assessments=average"],
        'add --set "Repeated assessments=last" to the command',
    ),
    "a feature that is none": (FEATURES, [*ORDINAL, "--criteria", "Deth=1"], "did you mean 'Depth'?"),
    "features that count nothing": (FEATURES, [*ORDINAL, "--set", "Features=Depth=0"], "a weight above 0"),
    "features of a matrix": (LEVELS, [*ORDINAL, "--set", "Features=Depth=1, Style=1"], "leave the features out"),
    "a word that is a code": (WORDS, [*ORDINAL, "--set", "Rating words=Poor=1, ABS=2"], "keep one of them"),
    "a word that is a name": (
        [*WORDS, ["Poor", "Good", "Good", "Fair"]],
        [*ORDINAL, "--set", "Rating words=Poor=1, Fair=2, Good=3"],
        "change the name",
    ),
    "no common objects": (LEVELS, ["--set", "Zero of the biases=common"], "add --common with the label of each to"),
    "a reference without its zero": (LEVELS, ["--reference", "3"], "called reference"),
    "a score below the scale": (LEVELS, ["--scale", "2:5"], "below 2"),
    "a score above the scale": (LEVELS, ["--scale", "1:4"], "Above 4"),
    "1 is best": (LEVELS, ["--lower-is-better"], "Lower scores are better"),
    "memory": (LEVELS, ["--set", "Memory to use=0.05"], "number from 0.1"),
}
"""What a text file can meet -> its rows, the options, and what is said instead."""


@pytest.mark.slow
@pytest.mark.parametrize("name", MET)
def test_nothing_sends_a_text_file_to_the_sheet_settings(name, tmp_path):
    rows, options, said = MET[name]
    (tmp_path / "talks.csv").write_text("\n".join(",".join(map(str, row)) for row in rows))
    done = run("check", str(tmp_path / "talks.csv"), *options)
    loud = [line for line in done.stdout.splitlines() if line.strip().startswith("!")]
    words = " ".join(" ".join([*loud, done.stderr]).split())
    assert "sheet Settings" not in words
    assert said in words or said in done.stdout


@pytest.mark.slow
def test_the_scale_that_is_offered_ends_the_warning(tmp_path):
    (tmp_path / "talks.csv").write_text("\n".join(",".join(map(str, row)) for row in LEVELS))
    done = run("check", str(tmp_path / "talks.csv"), *ORDINAL, "--scale", "1:5")
    assert done.returncode == 0 and "This would be accepted. Nothing was written." in done.stdout


@pytest.mark.slow
def test_words_are_levels_after_the_answer_that_is_offered(tmp_path):
    (tmp_path / "talks.csv").write_text("\n".join(",".join(map(str, row)) for row in WORDS))
    done = run("check", str(tmp_path / "talks.csv"), *ORDINAL, "--grades", "Good=3, Fair=2, Poor=1")
    assert done.returncode == 0 and "18 ratings are words and count as the settings say" in done.stdout
