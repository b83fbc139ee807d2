"""A workbook that calculates by hand only: the live proof follows a changed mark when it is asked to, as is said."""

import re
import zipfile
from pathlib import Path

import openpyxl
import pytest

from office.office import _ask, need_office
from run_panelcal import run

EXAMPLE = Path(__file__).parents[2] / "workbook_templates" / "exam_board_example.xlsx"

pytestmark = pytest.mark.office


def by_mode(path, attributes):
    """The example with other settings of calculation."""
    with zipfile.ZipFile(EXAMPLE) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    book = re.sub(rb"<calcPr[^>]*/>", b"", parts["xl/workbook.xml"])
    parts["xl/workbook.xml"] = book.replace(b"</workbook>", b"<calcPr %s/></workbook>" % attributes)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return path


@pytest.mark.parametrize(("attributes", "follows"), [(b'calcId="191029"', True), (b'calcMode="manual"', False)])
def test_the_proof_follows_a_change_by_itself_only_where_the_workbook_does(tmp_path, attributes, follows):
    need_office()
    target = tmp_path / "out.xlsx"
    done = run("calibrate", str(by_mode(tmp_path / "in.xlsx", attributes)), "-o", str(target))
    assert done.returncode == 0, done.stderr
    assert ("calculates by hand only" in done.stdout) is not follows
    book = openpyxl.load_workbook(target)
    proof = book["Cal proof"]
    row = next(r for r in range(5, 100) if str(proof[f"F{r}"].value).startswith("="))
    mark = proof[f"F{row}"].value.split("!")[1]
    said = any("F9" in str(cell.value) for line in book["Cal summary"].iter_rows() for cell in line)
    assert said is not follows
    job = {"reads": [("Cal summary", "A3")], "edits": [["Marks", mark, 3]]}
    left_alone = _ask(target, **job)["values"][0]
    asked = _ask(target, **job, calculate=True)["values"][0]
    assert "OUT OF DATE" in asked
    assert ("OUT OF DATE" in left_alone) is follows


def test_figures_as_displayed_are_warned_of_and_the_proof_notices_them(tmp_path):
    need_office()
    target = tmp_path / "out.xlsx"
    done = run("calibrate", str(by_mode(tmp_path / "in.xlsx", b'fullPrecision="0"')), "-o", str(target))
    assert done.returncode == 0, done.stderr
    assert "calculates with figures as displayed" in done.stdout
    said = _ask(target, reads=[("Cal proof", "A3")], calculate=True)["values"][0]
    assert "NOT ZERO" in said, "values rounded to what is displayed cannot solve the equations"
