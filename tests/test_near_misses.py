"""A typing error in anything that an option takes is answered with what was meant, option by option."""

import openpyxl
import pytest
from typer.main import get_command

from panelcal import cli
from run_panelcal import run

LIST = [
    ["Paper", "Adjudicator", "Originality", "Clarity", "Certainty", "Status"],
    *[
        [f"P{p}", name, 5 + (p * k) % 4, 4 + (p + k) % 3, 1 + k, "Final"]
        for p in range(6)
        for k, name in enumerate("ABC")
    ],
]
MATRIX = [
    ["Student", "Algebra", "Botany", "Chemistry", "Attendance"],
    *[[f"S{k}", 50 + 3 * k % 7, 60 + k % 5, 55 - k % 4, 90 - k] for k in range(8)],
]
FILES = {"list.csv": LIST, "matrix.csv": MATRIX}

TYPED = {
    "--layout": ("matrix.csv", ["--layout", "object down"], "Did you mean objects down?"),
    "--object": (
        "matrix.csv",
        ["--object", "Studnt"],
        "did you mean 'Student'?",
    ),
    "--object of a list": ("list.csv", ["--object", "Papr", "--score", "Clarity"], "did you mean 'Paper'?"),
    "--assessor": ("list.csv", ["--assessor", "Adjudicater", "--score", "Clarity"], "did you mean 'Adjudicator'?"),
    "--score": ("list.csv", ["--assessor", "Adjudicator", "--score", "Clarty"], "did you mean 'Clarity'?"),
    "--confidence": ("list.csv", ["--score", "Clarity", "--confidence", "Certanty"], "did you mean 'Certainty'?"),
    "--confidence of a matrix": ("matrix.csv", ["--confidence", "Atendance"], "did you mean 'Attendance'?"),
    "--scores": ("matrix.csv", ["--scores", "Algbra"], "did you mean Algebra?"),
    "--include": ("matrix.csv", ["--include", "Attendence"], "did you mean Attendance?"),
    "--exclude": ("matrix.csv", ["--exclude", "Attendence"], "did you mean Attendance?"),
    "--exclude by a value": (
        "list.csv",
        ["--score", "Clarity", "--exclude", "Statu=Fnal"],
        "did you mean Status=Fnal?",
    ),
    "--scale": ("matrix.csv", ["--scale", "0-100"], "with a colon between, as in 0:100"),
    "--criteria": ("list.csv", ["--criteria", "Originalty=1,Clarity=1"], "'Originalty': did you mean 'Originality'?"),
    "--criteria of a matrix": ("matrix.csv", ["--criteria", "Algebra=1,Botany=1"], "leave the criteria out"),
    "--common": ("list.csv", ["--score", "Clarity", "--common", "p 1"], "did you mean P1?"),
    "--grades": ("matrix.csv", ["--grades", "A:5"], 'as in "First=2,Second=1"'),
    "--codes": ("matrix.csv", ["--codes", "late=exlude"], "Did you mean late=exclude?"),
    "--same": ("matrix.csv", ["--same", "Algbra=Botany"], "nothing is called Algbra; did you mean Algebra?"),
    "--names": ("matrix.csv", ["--names", "shet"], "Did you mean sheet?"),
    "--set": ("matrix.csv", ["--set", "Alert treshold=3"], "did you mean Alert threshold?"),
    "--set by its first word": ("matrix.csv", ["--set", "Repeated=last"], "did you mean Repeated assessments?"),
    "--set with a value": ("matrix.csv", ["--set", "Hidden rows and columns=exlude"], "Did you mean exclude?"),
    "--set with a method": ("matrix.csv", ["--set", "Methods to compare=fischer"], "Did you mean fisher?"),
    "--set with a table": ("matrix.csv", ["--set", "Rating word=Poor=1"], "did you mean Rating words?"),
    "--method": ("matrix.csv", ["--method", "fischer"], "Did you mean fisher?"),
    "--gauge": ("matrix.csv", ["--gauge", "wieghted"], "is not one of 'weighted', 'equal', 'reference'"),
    "--sheet": ("book.xlsx", ["--sheet", "Mark"], "Did you mean Marks?"),
    "--confidence-sheet": ("book.xlsx", ["--confidence-sheet", "Confidense"], "Did you mean Confidence?"),
    "an option": ("matrix.csv", ["--excldue", "Algebra"], "--exclude"),
}
"""What is typed -> the file, the options, and what is said of it."""

OTHERS = {"--lower-is-better", "--reference", "--prior"}
"""Options that take nothing, a number, or a file, which the system names."""


@pytest.mark.slow
@pytest.mark.parametrize("name", TYPED)
def test_what_was_meant_is_said(name, tmp_path):
    file, options, said = TYPED[name]
    for path, rows in FILES.items():
        (tmp_path / path).write_text("\n".join(",".join(map(str, row)) for row in rows))
    book = openpyxl.Workbook()
    book.active.title = "Marks"
    for row in MATRIX:
        book.active.append(row)
        sheet = book["Confidence"] if "Confidence" in book.sheetnames else book.create_sheet("Confidence")
        sheet.append([1 if isinstance(cell, int) else cell for cell in row])
    book.save(tmp_path / "book.xlsx")
    answer = run("check", str(tmp_path / file), *options)
    assert answer.returncode in (1, 2)
    assert said in " ".join(answer.stderr.split())


def test_every_option_about_reading_is_tried():
    options = {one for parameter in get_command(cli.app).commands["check"].params for one in parameter.opts}
    of_programs = {"--json", "--csv", "--quiet", "--fail-on"}
    assert {one for one in options if one.startswith("--")} - {
        name.split(" ")[0] for name in TYPED
    } == OTHERS | of_programs
