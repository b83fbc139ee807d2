"""Workbooks of other kinds: the same cells as .xlsx, at the same addresses, and refusals before memory is spent."""

import os
import shutil
import subprocess
import zipfile

import openpyxl
import pytest

from panelcal.errors import FileProblem
from panelcal.files.load import load_source
from panelcal.reading.grid import CellError
from panelcal.reading.read import read_panel
from run_panelcal import run

ODS = "application/vnd.oasis.opendocument.spreadsheet"
NAMES = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
)
MANIFEST = (
    '<?xml version="1.0"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
    f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{ODS}"/></manifest:manifest>'
)
ROWS = [["Student", "A", "B", "C"], *[[f"S{k}", 50 + k, 61.5 + k, None if k == 2 else 58] for k in range(5)]]


def _cell(value):
    if value is None:
        return "<table:table-cell/>"
    if isinstance(value, str):
        return f'<table:table-cell office:value-type="string"><text:p>{value}</text:p></table:table-cell>'
    return f'<table:table-cell office:value-type="float" office:value="{value}"/>'


def _ods(path, table):
    content = (
        f'<?xml version="1.0"?><office:document-content {NAMES} office:version="1.2"><office:body><office:spreadsheet>'
        f"{table}</office:spreadsheet></office:body></office:document-content>"
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", ODS)
        archive.writestr("content.xml", content)
        archive.writestr("META-INF/manifest.xml", MANIFEST)
    return path


def _table(rows):
    body = "".join(f"<table:table-row>{''.join(map(_cell, row))}</table:table-row>" for row in rows)
    return f'<table:table table:name="Marks">{body}</table:table>'


def test_an_ods_file_is_read_as_the_same_xlsx_file(tmp_path):
    book = openpyxl.Workbook()
    book.active.title = "Marks"
    for row in ROWS:
        book.active.append(row)
    book.save(tmp_path / "marks.xlsx")
    ours = read_panel(load_source(_ods(tmp_path / "marks.ods", _table(ROWS))))
    theirs = read_panel(load_source(tmp_path / "marks.xlsx"))
    assert ours.fingerprint == theirs.fingerprint and ours.score_cells == theirs.score_cells
    assert (ours.panel.scores == theirs.panel.scores).all()
    assert any("Only values can be seen" in decision.sentence for decision in ours.decisions)


def test_results_go_into_a_new_xlsx_file(tmp_path):
    file = _ods(tmp_path / "marks.ods", _table(ROWS))
    done = run("calibrate", str(file))
    assert done.returncode == 0, done.stderr
    assert "Cal values" in openpyxl.load_workbook(tmp_path / "marks-calibrated.xlsx").sheetnames


def test_a_cell_at_the_far_corner_is_refused_before_memory_is_spent(tmp_path):
    far = (
        '<table:table table:name="Marks"><table:table-row table:number-rows-repeated="1000000">'
        f'<table:table-cell table:number-columns-repeated="16000"/>{_cell(1)}</table:table-row></table:table>'
    )
    with pytest.raises(FileProblem, match="delete what is not needed"):
        load_source(_ods(tmp_path / "marks.ods", far))


@pytest.mark.slow
@pytest.mark.office
@pytest.mark.skipif(shutil.which("soffice") is None, reason="needs LibreOffice")
@pytest.mark.parametrize("kind", ["xls", "ods"])
def test_files_saved_by_libreoffice_are_read(tmp_path, kind):
    book = openpyxl.Workbook()
    book.active.title = "Marks"
    for row in ROWS:
        book.active.append(row)
    book.active["D3"] = "=1/0"
    book.save(tmp_path / "marks.xlsx")
    command = ["soffice", "--headless", f"-env:UserInstallation=file://{tmp_path}/profile", "--convert-to", kind]
    subprocess.run([*command, "--outdir", str(tmp_path), str(tmp_path / "marks.xlsx")], check=True, timeout=120)
    grid = load_source(tmp_path / f"marks.{kind}").grids[0]
    assert grid.sheet == "Marks" and grid.value(1, 2) == "A" and grid.value(6, 3) == 65.5
    if kind == "ods":
        assert isinstance(grid.value(3, 4), CellError)


class PanicException(BaseException):
    """As calamine's own, which has no name that could be imported."""


def test_what_makes_calamine_panic_ends_in_a_sentence(tmp_path, monkeypatch, capfd):
    def panic(_stream):
        os.write(2, b"thread '<unnamed>' panicked at cfb.rs:345:44\n")
        raise PanicException("range end index 64 out of range for slice of length 1")

    monkeypatch.setattr("python_calamine.CalamineWorkbook.from_filelike", panic)
    file = tmp_path / "marks.xls"
    file.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    with pytest.raises(FileProblem, match=r"marks\.xls is damaged or of a kind that cannot be read"):
        load_source(file)
    os.write(2, b"heard again\n")
    assert capfd.readouterr().err == "heard again\n"
