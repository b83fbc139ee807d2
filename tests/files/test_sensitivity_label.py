"""An organisation's label on a workbook stays on whatever is made from it."""

import zipfile
from pathlib import Path

import openpyxl
import pytest

from files.package_checks import check_package
from run_panelcal import run

EXAMPLE = Path(__file__).parents[2] / "workbook_templates" / "exam_board_example.xlsx"

INFO = (
    b'<clbl:labelList xmlns:clbl="http://schemas.microsoft.com/office/2020/mipLabelMetadata">'
    b'<clbl:label id="{1}"/></clbl:labelList>'
)
KIND = "http://schemas.microsoft.com/office/2020/02/relationships/classificationlabels"


@pytest.fixture(scope="module")
def labelled(tmp_path_factory):
    path = tmp_path_factory.mktemp("labelled") / "board.xlsx"
    book = openpyxl.load_workbook(EXAMPLE)
    for name, value in (("MSIP_Label_1_Name", "Confidential & more"), ("Author's note", "not a label")):
        book.custom_doc_props.append(openpyxl.packaging.custom.StringProperty(name=name, value=value))
    book.save(path)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["docMetadata/LabelInfo.xml"] = INFO
    relation = f'<Relationship Id="rIdL" Type="{KIND}" Target="docMetadata/LabelInfo.xml"/></Relationships>'
    parts["_rels/.rels"] = parts["_rels/.rels"].replace(b"</Relationships>", relation.encode())
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return path


@pytest.mark.slow
@pytest.mark.parametrize("words", [["extract", "--object", "2121806"], ["calibrate", "--results-only"]])
def test_what_is_made_from_a_labelled_workbook_has_its_label(labelled, tmp_path, words):
    target = tmp_path / "out.xlsx"
    done = run(words[0], str(labelled), *words[1:], "-o", str(target))
    assert done.returncode == 0, done.stderr
    parts = check_package(target)
    assert parts["docMetadata/LabelInfo.xml"] == INFO
    book = openpyxl.load_workbook(target)
    assert {item.name: item.value for item in book.custom_doc_props.props} == {
        "MSIP_Label_1_Name": "Confidential & more"
    }


def test_without_a_label_nothing_is_added(tmp_path):
    target = tmp_path / "out.xlsx"
    assert run("extract", str(EXAMPLE), "--object", "2121806", "-o", str(target)).returncode == 0
    assert not [name for name in check_package(target) if "docMetadata" in name or "custom" in name]
