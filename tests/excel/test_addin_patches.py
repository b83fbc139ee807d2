"""xlwings' VBA is closed up, and a version of it that the patches do not fit is refused."""

import re
import shutil

import pytest

from excel.addin_reading import INTERPRETER, taken
from panelcal.errors import InstallProblem
from panelcal.excel.addin_build import build_addin
from panelcal.excel.xlwings_source import (
    PATCHES,
    library_names,
    script_name,
    xlwings_folder,
    xlwings_modules,
    xlwings_version,
)

SHIPPED = (xlwings_folder() / "xlwings_custom_addin.bas").read_bytes().decode("cp1252").replace("\r\n", "\n")


@pytest.fixture
def copied(tmp_path):
    """A copy of what the add-in takes from xlwings, to be spoiled, and a function that changes its main text."""
    source = xlwings_folder()
    (tmp_path / "addin").mkdir()
    for name in ("xlwings_custom_addin.bas", "addin/Dictionary.cls"):
        shutil.copy(source / name, tmp_path / name)

    def rewritten(text):
        (tmp_path / "xlwings_custom_addin.bas").write_bytes(text.replace("\n", "\r\n").encode("cp1252"))
        return tmp_path

    return rewritten


def procedure(name):
    return re.search(
        rf"^(?:Public |Private )?(?:Function|Sub) {name}\(.*?^End (?:Function|Sub)\r$",
        taken().source("xlwings"),
        re.MULTILINE | re.DOTALL,
    )[0]


def test_only_two_procedures_can_be_called_from_elsewhere():
    text = taken().source("xlwings")
    assert text.startswith('Attribute VB_Name = "xlwings"\r\nOption Private Module\r\n')
    procedures = re.findall(
        r"^ *(Public |Private )?(?:Declare |)(?:PtrSafe |)(?:Function|Sub) (\w+)", text, re.MULTILINE
    )
    assert len(procedures) > 40
    assert {name for scope, name in procedures if scope != "Private "} == {"RunPython", "XLPy"}


def test_python_is_never_started_by_a_formula():
    first = procedure("RunPython").split("\r\n")[1]
    assert first.strip() == 'If TypeName(Application.Caller) = "Range" Then Exit Function'


def test_the_active_workbook_has_no_say():
    assert "ActiveWorkbook" not in procedure("GetConfig")
    assert "Directory" not in procedure("GetConfig")
    assert "SheetExists(ThisWorkbook" in procedure("GetConfig")
    for name in ("RunPython", "XLPyCommand"):
        trusting = r"\.py|xlwings\.pro|\.FullName|Worksheets|GetConfig\(\"PYTHONPATH|ONEDRIVE"
        assert not re.search(trusting, procedure(name))
        assert "AddExcelDir =" not in procedure(name)


def test_python_imports_from_its_own_places_only():
    assert '" -P -B -c ""import xlwings.utils' in procedure("ExecuteWindows")
    assert '" -P -B -c ""import sys' in procedure("XLPyCommand")
    fields = re.search(r'#If Mac Then\r\n +PYTHONPATH = "([^"]*)"', procedure("RunPython"))[1]
    assert 'ParameterString = PYTHONPATH + ";"' in procedure("ExecuteMac")
    for given in (fields + ";", *re.findall(r'PYTHONPATH = "(false;;;;;)"', procedure("XLPyCommand"))):
        # what xlwings.utils.prepare_sys_path makes of it: no workbook's folder, and nothing after the sixth field
        split = given.split(";")
        assert split[0] == "false" and not any(split[1:]) and split[6:] == []


def test_folders_in_letters_of_any_script_are_found():
    """VBA's own words for files know the letters of Windows' code page only."""
    assert "GetAttr" not in procedure("FileExistsOnWindows")
    assert 'GetConfig("TEMP DIR", "%TEMP%")' in procedure("ExecuteWindows")
    assert "ExpandEnvironmentStrings(GetConfig)" in procedure("GetConfig")


def test_notices_of_others_are_kept():
    assert "Copyright (C) 2014-present, Zoomer Analytics LLC." in taken().source("xlwings")
    assert "Redistributions in binary form must reproduce" in taken().source("xlwings")
    assert "(c) Tim Hall" in taken().source("Dictionary") and "MIT" in taken().source("Dictionary")


def test_version_library_and_script_fit_together():
    version = xlwings_version(xlwings_folder())
    text = taken().source("xlwings")
    assert f'XLWINGS_VERSION As String = "{version}"' in text
    assert all(name in text for name in library_names(version))
    assert (xlwings_folder() / script_name(version)).is_file()
    assert 'AppleScriptTask("xlwings-" & XLWINGS_VERSION & ".applescript"' in text


def test_users_meet_our_words_only():
    assert "ShowProblem Message" in procedure("ShowError")
    assert "ActiveWorkbook" not in procedure("ShowError")
    assert "runpython install" not in taken().source("xlwings")


@pytest.mark.parametrize("patch", PATCHES, ids=lambda patch: patch.purpose)
def test_a_patch_that_finds_nothing_stops_the_build(patch):
    flags = re.DOTALL | re.MULTILINE
    found = re.search(patch.find, SHIPPED, flags)
    assert found
    with pytest.raises(InstallProblem, match="install panelcal again") as problem:
        patch.apply(re.sub(patch.find, "", SHIPPED, flags=flags))
    assert patch.purpose in str(problem.value)


def test_another_text_than_ours_is_refused(copied):
    renamed = SHIPPED.replace("' Check for embedded Python code", "' Look for embedded Python code")
    with pytest.raises(InstallProblem, match="code and paths from the active workbook"):
        build_addin(INTERPRETER, platform="win32", xlwings=copied(renamed))


@pytest.mark.parametrize(
    "added",
    [
        "Property Get Runner() As String\nEnd Property\n",
        '    Public Declare PtrSafe Function WinExec Lib "kernel32" (ByVal a As String, ByVal b As Long) As Long\n',
    ],
)
def test_a_new_way_in_is_refused(copied, added):
    with pytest.raises(InstallProblem, match="does not know"):
        xlwings_modules(copied(SHIPPED + added))


@pytest.mark.parametrize("version", ["0.36.2", "0.38.0", "1.0.0"])
def test_another_series_is_refused(copied, version):
    folder = copied(SHIPPED.replace(xlwings_version(xlwings_folder()), version))
    with pytest.raises(InstallProblem, match=rf"0\.37, but {version} is installed"):
        build_addin(INTERPRETER, platform="win32", xlwings=folder)


@pytest.mark.parametrize("name", ["xlwings_custom_addin.bas", "addin/Dictionary.cls"])
def test_a_missing_file_is_named(copied, name):
    folder = copied(SHIPPED)
    (folder / name).unlink()
    with pytest.raises(InstallProblem, match=rf"{name.split('/')[-1]} is missing"):
        build_addin(INTERPRETER, platform="win32", xlwings=folder)
