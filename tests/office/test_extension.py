"""The extension for LibreOffice without its windows: what is in it, how it is installed, and its helper process."""

import ast
import importlib.util
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

import panelcal
from office import screen
from office.office import REQUIRED
from panelcal.errors import InstallProblem
from panelcal.excel.machine import Machine
from panelcal.office import type_library
from panelcal.office.build_extension import BUTTONS, extension_content
from panelcal.office.cell_functions import FUNCTIONS
from panelcal.office.install_extension import Office, install_extension, note_path, uninstall_extension
from panelcal.reading.prior import PRIOR_SHEET, holds_biases

INSIDE = type_library.EXTENSION / "pythonpath" / "panelcal_in_office"


@pytest.fixture(scope="module")
def parts():
    with zipfile.ZipFile(io.BytesIO(extension_content())) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture
def helper_process():
    """The module of the extension that starts the helper; it needs nothing of LibreOffice."""
    spec = importlib.util.spec_from_file_location("helper_process", INSIDE / "helper_process.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    module.FOR_BUTTONS.stop()


@pytest.fixture
def at_home(tmp_path, monkeypatch, helper_process):
    """A home whose note names this Python, and the version that the extension would say it belongs to."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", "/nowhere")  # as an office sets it for its own Python
    monkeypatch.setattr(helper_process, "version", lambda: panelcal.__version__)
    note = Path(helper_process.note_path())
    note.parent.mkdir(parents=True)
    note.write_text(f"{sys.executable}\n")
    return note


def test_the_same_source_makes_the_same_extension_with_everything_that_its_manifest_names(parts):
    assert extension_content() == extension_content()
    manifest = ElementTree.fromstring(parts["META-INF/manifest.xml"])
    named = [value for entry in manifest for key, value in entry.attrib.items() if key.endswith("full-path")]
    assert set(named) <= set(parts)
    assert len(named) == 5
    assert not [name for name in parts if name.endswith((".pyc", ".idl")) or "__pycache__" in name]
    assert parts["pythonpath/panelcal_in_office/version.txt"].decode() == panelcal.__version__
    assert f'version value="{panelcal.__version__}"' in parts["description.xml"].decode()


def test_every_button_has_its_picture_and_a_deed_and_every_text_is_well_formed(parts):
    for name in parts:
        if name.endswith((".xcu", ".xml")):
            ElementTree.fromstring(parts[name])
    addons, buttons = parts["Addons.xcu"].decode(), parts["pythonpath/panelcal_in_office/buttons.py"].decode()
    for action, label, icon in BUTTONS:
        if action:
            assert addons.count(f"?{action}</value>") == 3, label  # in the menu, on the toolbar, with its picture
            assert f"icons/{icon}.png" in parts
            assert f'    "{action}": ' in buttons


def test_every_function_is_named_alike_in_all_the_places_that_name_it(parts):
    component = parts["panelcal_office.py"].decode()
    library = parts["functions.rdb"]
    for function in FUNCTIONS.values():
        assert f"def {function.method}(" in component
        assert f'helper_process.computed("{function.name}"' in component
        assert len(function.method).to_bytes(4, "little") + function.method.encode() in library
        assert all(one.identifier.encode() in library for one in function.arguments)
        assert f'oor:name="{function.method}"'.encode() in parts["CalcAddIns.xcu"]
    assert component.count("helper_process.computed(") == len(FUNCTIONS)


def test_the_functions_are_those_of_excel():
    module = (Path(__file__).parents[2] / "addin" / "vba" / "CalibrateFunctions.bas").read_text("utf-8")
    declared = re.findall(r"Public Function (\w+)\(([^)]*)\)", module)
    assert {name: re.findall(r"(\w+) As Variant", given) for name, given in declared} == {
        function.name: [one.name for one in function.arguments] for function in FUNCTIONS.values()
    }


def without_maker(library: bytes) -> bytes:
    """Blank out the version of the tool, in which alone the libraries of two versions differ."""
    start = library.index(b"** Created by LibreOffice ")
    end = library.index(b"\0", start)
    return library[:start] + b"*" * (end - start) + library[end:]


@pytest.mark.slow
def test_the_committed_type_library_is_what_the_sdk_makes_of_its_text():
    try:
        made = type_library.library_content()
    except InstallProblem as problem:
        if REQUIRED:
            pytest.fail(str(problem))
        pytest.skip(str(problem))
    assert without_maker(made) == without_maker(type_library.LIBRARY.read_bytes())


def test_the_part_in_the_office_is_python_3_8_and_speaks_to_nothing_but_its_pipe():
    for path in type_library.EXTENSION.rglob("*.py"):
        text = path.read_text("utf-8")
        tree = ast.parse(text, feature_version=(3, 8))
        names = {
            name.split(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in ([node.module] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names])
        }
        own = {"panelcal_in_office", "uno", "unohelper", "com", "org"}
        assert names - own <= {"__future__", *sys.stdlib_module_names}
        assert not names & {"socket", "http", "urllib", "socketserver", "asyncio", "multiprocessing"}
        assert "shell=True" not in text


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_the_extension_looks_for_the_note_where_installing_puts_it(platform, tmp_path, monkeypatch, helper_process):
    monkeypatch.setattr(helper_process.sys, "platform", platform)
    monkeypatch.setattr(helper_process.os.path, "expanduser", lambda path: str(tmp_path))
    monkeypatch.delenv("APPDATA", raising=False)
    machine = Machine(platform, tmp_path, Path(sys.executable), "")
    assert Path(helper_process.note_path()) == note_path(machine)


def test_an_earlier_result_is_known_by_the_same_names_of_sheets_as_everywhere():
    told = re.search(r'^BIASES = "(.*)"$', (INSIDE / "document.py").read_text("utf-8"), re.MULTILINE)[1]
    assert holds_biases(told) and holds_biases(f"{told.title()} 2")
    assert not holds_biases(told[:-1])
    assert f'PRIOR = "{PRIOR_SHEET}"\n' in (INSIDE / "buttons.py").read_text("utf-8")


def _tool(folder, script):
    tool = folder / "unopkg"
    tool.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {folder}/given\n{script}\n')
    tool.chmod(0o755)
    return tool


def test_installing_gives_the_extension_to_libreoffice_and_notes_the_python(tmp_path):
    tool = _tool(tmp_path, f'for last; do :; done; cp "$last" {tmp_path}/taken.oxt')
    machine = Machine("linux", tmp_path, Path("/opt/venv/bin/python"), "")
    done = install_extension(machine, Office(tool))
    assert (tmp_path / "taken.oxt").read_bytes() == extension_content()
    assert (tmp_path / "given").read_text().split("\n")[:3] == ["add", "--force", "--suppress-license"]
    assert note_path(machine).read_text() == "/opt/venv/bin/python\n"
    assert done.files == (note_path(machine),)
    install_extension(machine, Office(tool, shared=True))
    assert "--shared" in (tmp_path / "given").read_text()
    (tmp_path / "unopkg").write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {tmp_path}/given\n')
    assert "removed" in uninstall_extension(machine, Office(tool)).sentences[0]
    assert (tmp_path / "given").read_text() == "remove\norg.panelcal.office\n"
    assert not note_path(machine).exists()
    assert "nothing is removed" in uninstall_extension(machine, Office(tool)).sentences[0]


@pytest.mark.office
@pytest.mark.parametrize("shared", [True, False])
def test_libreoffice_takes_the_extension_for_everyone_and_for_one(tmp_path, shared):
    screen.need_screen()
    if not shared and os.geteuid() == 0:
        pytest.skip("LibreOffice's tool lets the administrator add extensions for everyone only")
    folders = {"UserInstallation": tmp_path / "profile", "UNO_SHARED_PACKAGES_CACHE": tmp_path / "everyone"}
    places = " ".join(f"-env:{name}={folder.as_uri()}" for name, folder in folders.items())
    folders["UNO_SHARED_PACKAGES_CACHE"].mkdir()
    tool = tmp_path / "unopkg"
    tool.write_text(f'#!/bin/sh\nexec {shutil.which("unopkg")} "$@" {places}\n')
    tool.chmod(0o755)
    machine = Machine("linux", tmp_path, Path(sys.executable), "")
    install_extension(machine, Office(tool, shared=shared))
    asked = [str(tool), "list", *(["--shared"] if shared else [])]
    listed = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    assert listed.count("is registered: yes") == 6
    assert "is registered: no" not in listed
    uninstall_extension(machine, Office(tool, shared=shared))
    assert "org.panelcal" not in subprocess.run(asked, capture_output=True, text=True, check=True).stdout


def test_a_tool_of_libreoffice_that_ends_by_a_fault_of_its_own_is_run_once_more(tmp_path):
    tool = _tool(tmp_path, f"[ -e {tmp_path}/once ] || {{ touch {tmp_path}/once; exit 134; }}")
    machine = Machine("linux", tmp_path, Path(sys.executable), "")
    assert install_extension(machine, Office(tool)).files == (note_path(machine),)


def test_what_libreoffice_refuses_is_said_and_leaves_nothing_behind(tmp_path):
    tool = _tool(tmp_path, 'echo "ERROR: it is running" >&2; exit 1')
    machine = Machine("linux", tmp_path, Path(sys.executable), "")
    with pytest.raises(InstallProblem, match=r"it is running.*Close all its windows"):
        install_extension(machine, Office(tool))
    assert not note_path(machine).exists()
    with pytest.raises(InstallProblem, match="LibreOffice was not found"):
        install_extension(machine, Office(None))


def test_the_extension_can_be_had_as_a_file(tmp_path):
    machine = Machine("linux", tmp_path / "home", Path(sys.executable), "")
    done = install_extension(machine, Office(None), tmp_path / "there")
    assert done.files == (tmp_path / "there" / "panelcal.oxt", note_path(machine))
    assert done.files[0].read_bytes() == extension_content()
    assert "Extension Manager" in done.sentences[0]


@pytest.mark.slow
def test_the_helper_is_kept_and_another_one_comes_when_it_has_died(at_home, helper_process):
    helper = helper_process.FOR_BUTTONS
    rows = [[50, 60], [55, 65], [70, 82]]
    ask = {"do": "cells", "name": "CALIBRATE_WHY", "arguments": [rows, None, False, None]}
    assert helper.ask(ask)["rows"] == [["All is well: 3 x 2, 6 scores were read."]]
    first = helper._process
    helper.ask(ask)
    assert helper._process is first
    first.kill()
    first.wait()
    assert helper.ask(ask)["rows"] == [["All is well: 3 x 2, 6 scores were read."]]
    assert helper._process is not first


@pytest.mark.slow
def test_a_helper_that_stops_in_the_middle_is_said_and_ends_with_the_pipe(at_home, helper_process):
    helper = helper_process.FOR_BUTTONS
    told = []

    def stop(doing):
        told.append(doing)
        os.kill(helper._process.pid, signal.SIGKILL)

    example = Path(__file__).parents[2] / "workbook_templates" / "exam_board_example.xlsx"
    with pytest.raises(helper_process.HelperProblem, match=r"nothing was changed: click again"):
        helper.ask({"do": "check", "file": str(example), "title": "x"}, stop)
    assert told == ["reading"]
    helper.ask({"do": "hello"})
    process = helper._process
    process.stdin.close()
    assert process.wait(60) == 0
    helper.stop()


@pytest.mark.slow
def test_another_version_or_a_python_without_panelcal_is_said(at_home, helper_process, monkeypatch, tmp_path):
    helper = helper_process.FOR_BUTTONS
    monkeypatch.setattr(helper_process, "version", lambda: "0.0.1")
    with pytest.raises(helper_process.HelperProblem, match=r"belong to panelcal 0\.0\.1, and panelcal .* is installed"):
        helper.ask({"do": "hello"})
    empty = tmp_path / "python"
    empty.write_text("#!/bin/sh\nexit 1\n")
    empty.chmod(0o755)
    at_home.write_text(f"{empty}\n")
    with pytest.raises(helper_process.HelperProblem, match="does not start"):
        helper.ask({"do": "hello"})


@pytest.mark.parametrize("content", ["", "python3\n", "/nowhere/python\n"])
def test_only_a_python_that_is_there_is_started_and_only_the_note_names_it(content, at_home, helper_process):
    at_home.write_text(content)
    with pytest.raises(helper_process.HelperProblem, match="panelcal install --libreoffice"):
        helper_process.FOR_BUTTONS.ask({"do": "hello"})
    at_home.unlink()
    with pytest.raises(helper_process.HelperProblem, match="does not say yet where panelcal is"):
        helper_process.FOR_BUTTONS.ask({"do": "hello"})


@pytest.mark.slow
def test_refusals_and_questions_are_answers_and_nothing_else_can_be_asked_for(tmp_path):
    file = tmp_path / "scores.csv"
    file.write_text("Student,Maths,Physics\nAnn,50,x\nBo,55,65\nCy,70,82\n")
    asks = [
        {"do": "check", "file": str(file), "title": "scores"},
        {"do": "check", "file": str(tmp_path / "none.xlsx"), "title": "none"},
        {"do": "system", "file": "true"},
    ]
    done = subprocess.run(
        [sys.executable, "-m", "panelcal.office.answer_requests"],
        input="".join(json.dumps(ask) + "\n" for ask in asks[:2]),
        capture_output=True,
        text=True,
        env={**os.environ, "PANELCAL": ""},
        check=False,
    )
    assert done.returncode == 0
    from panelcal.office.answer_requests import answer

    found = answer(asks[0], lambda doing: None)["refused"]
    assert "C2" in found["words"]
    assert [one["meaning"] for one in found["questions"][0]["answers"]]
    again = {**asks[0], "choices": {"answers": [found["questions"][0]["answers"][0]["gives"]]}}
    assert "This can be calibrated" in answer(again, lambda doing: None)["said"]
    assert answer(asks[1], lambda doing: None)["refused"]["questions"] == []
    with pytest.raises(ValueError, match="nothing is called system"):
        answer(asks[2], lambda doing: None)
