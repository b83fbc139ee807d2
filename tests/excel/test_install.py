"""`panelcal install` writes exactly what it says, `uninstall` removes exactly that, and both refuse politely."""

import os
import stat
from dataclasses import replace
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest

from excel.machines import PLATFORMS, files_below, folders_below, machine
from panelcal.errors import InstallProblem, PanelcalError
from panelcal.excel import FAULT_FILE
from panelcal.excel import install as installing
from panelcal.excel.finished_addin import LIBRARIES, SCRIPT_NAME, XLWINGS, addin_content, script_content
from panelcal.excel.install import install_addin, uninstall_addin
from panelcal.excel.install_record import PythonNote, read_note
from panelcal.excel.machine import this_machine

HOME_FILES = {
    "win32": [
        "AppData/Roaming/Microsoft/Excel/XLSTART/panelcal.xlam",
        "AppData/Roaming/panelcal/python.txt",
        "AppData/Roaming/panelcal/installed.json",
    ],
    "darwin": [
        "Library/Group Containers/UBF8T346G9.Office/User Content.localized/Startup.localized/Excel/panelcal.xlam",
        "Library/Application Support/panelcal/python.txt",
        f"Library/Application Scripts/com.microsoft.Excel/{SCRIPT_NAME}",
        "Library/Application Support/panelcal/installed.json",
    ],
}


@pytest.mark.parametrize("platform", HOME_FILES)
def test_install_writes_what_it_says_and_uninstall_removes_it(tmp_path, platform):
    computer = machine(tmp_path, platform)
    files, folders = files_below(tmp_path), folders_below(tmp_path)
    done = install_addin(computer)
    written = {path: content for path, content in files_below(tmp_path).items() if path not in files}
    assert [str(path.relative_to(computer.home)) for path in done.files] == HOME_FILES[platform]
    assert set(written) == set(done.files)
    assert "start it again" in done.sentences[0]
    removed = uninstall_addin(computer)
    assert set(removed.files) == set(done.files)
    assert files_below(tmp_path) == files and folders_below(tmp_path) == folders


@pytest.mark.parametrize("platform", PLATFORMS)
def test_another_folder_can_be_named_and_is_made(tmp_path, platform):
    computer = machine(tmp_path, platform)
    files, folders = files_below(tmp_path), folders_below(tmp_path)
    done = install_addin(computer, tmp_path / "new" / "folder")
    assert done.files[0] == tmp_path / "new" / "folder" / "panelcal.xlam"
    assert set(files_below(tmp_path)) == {*files, *done.files}
    uninstall_addin(computer)
    assert files_below(tmp_path) == files and folders_below(tmp_path) == folders


def test_a_relative_folder_is_noted_by_its_full_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert install_addin(machine(tmp_path, "linux"), Path("here")).files[0] == tmp_path / "here" / "panelcal.xlam"


def test_without_excel_the_file_door_is_explained(tmp_path):
    computer = machine(tmp_path, "linux")
    files = files_below(tmp_path)
    with pytest.raises(InstallProblem, match=r"panelcal calibrate .* --to FOLDER"):
        install_addin(computer)
    assert files_below(tmp_path) == files
    assert "to be looked at only" in install_addin(computer, tmp_path / "out").sentences[0]


@pytest.mark.parametrize("platform", PLATFORMS)
def test_everyone_gets_the_same_file_and_a_note_of_their_own_python(tmp_path, platform):
    computer = machine(tmp_path / "Łukasz & Zoë", platform)
    assert install_addin(computer, tmp_path / "out").files[0].read_bytes() == addin_content()
    assert read_note(computer.python_note) == PythonNote(
        computer.interpreter, computer.library_folder if platform == "win32" else Path("")
    )
    if platform == "darwin":
        assert (computer.scripts_folder / SCRIPT_NAME).read_bytes() == script_content()


def test_the_note_is_as_visual_basic_and_as_a_shell_read_it():
    note = PythonNote(PureWindowsPath("C:/Users/Łukasz/python.exe"), PureWindowsPath("C:/Users/Łukasz"))
    windows = note.content("win32")
    assert windows.decode("utf-16").split("\r\n") == [r"C:\Users\Łukasz\python.exe", r"C:\Users\Łukasz", ""]
    assert windows.startswith(b"\xff\xfe")
    assert (
        PythonNote(PurePosixPath("/Users/Zoë/python"), PurePosixPath()).content("darwin")
        == "/Users/Zoë/python\n".encode()
    )


@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe\x00", b"\xff"])
def test_a_missing_or_spoiled_note_is_none(tmp_path, content):
    if content is not None:
        (tmp_path / "note").write_bytes(content)
    assert read_note(tmp_path / "note") is None


def test_a_library_elsewhere_is_made_known(tmp_path):
    computer = machine(tmp_path, "win32")
    elsewhere = computer.roaming / "Python"
    elsewhere.mkdir(parents=True)
    for name in LIBRARIES:
        (computer.interpreter.parent.parent / name).rename(elsewhere / name)
    computer = replace(computer, library_folders=(*computer.library_folders, elsewhere))
    install_addin(computer)
    assert read_note(computer.python_note).library_folder == elsewhere


def test_a_missing_library_does_not_keep_the_addin_from_being_installed(tmp_path):
    computer = replace(machine(tmp_path, "win32"), library_folders=())
    assert "panelcal doctor" in install_addin(computer).sentences[1]


def test_the_folder_that_excel_names_comes_first(tmp_path):
    computer = machine(tmp_path, "darwin", startup=tmp_path / "named by Excel")
    assert install_addin(computer).files[0].parent == tmp_path / "named by Excel"


def test_what_lay_there_before_stays(tmp_path):
    computer = machine(tmp_path, "win32")
    other = computer.startup_folder / "PERSONAL.XLSB"
    other.parent.mkdir(parents=True)
    other.write_text("mine")
    install_addin(computer)
    uninstall_addin(computer)
    assert other.read_text() == "mine"


def test_installing_twice_changes_nothing_and_is_removed_at_once(tmp_path):
    computer = machine(tmp_path, "darwin")
    before = files_below(tmp_path), folders_below(tmp_path)
    install_addin(computer)
    once = files_below(tmp_path)
    install_addin(computer)
    assert files_below(tmp_path) == once
    uninstall_addin(computer)
    assert (files_below(tmp_path), folders_below(tmp_path)) == before


def test_places_of_all_installations_are_remembered(tmp_path):
    computer = machine(tmp_path, "win32")
    before = files_below(tmp_path), folders_below(tmp_path)
    install_addin(computer)
    install_addin(computer, tmp_path / "copy")
    uninstall_addin(computer)
    assert (files_below(tmp_path), folders_below(tmp_path)) == before


def test_uninstall_where_nothing_was_installed_says_so(tmp_path):
    done = uninstall_addin(machine(tmp_path, "win32"))
    assert not done.files and "nothing to remove" in done.sentences[0]


def test_uninstall_forgives_what_is_gone(tmp_path):
    computer = machine(tmp_path, "darwin")
    addin, *others = install_addin(computer).files
    addin.unlink()
    assert list(uninstall_addin(computer).files) == others


def test_an_open_addin_is_left_alone(tmp_path):
    computer = machine(tmp_path, "win32")
    addin = install_addin(computer).files[0]
    addin.with_name("~$panelcal.xlam").write_text("Ada")
    files = files_below(tmp_path)
    for action in (install_addin, uninstall_addin):
        with pytest.raises(InstallProblem, match="quit Excel"):
            action(computer)
        assert files_below(tmp_path) == files


@pytest.mark.parametrize("fresh", [True, False])
def test_a_file_that_windows_keeps_back_changes_nothing(tmp_path, monkeypatch, fresh):
    computer = machine(tmp_path, "darwin")
    if not fresh:
        install_addin(replace(computer, interpreter=tmp_path / "former" / "python"))
    before = files_below(tmp_path), folders_below(tmp_path)

    def replaced(source, target, allowed=os.replace):
        if str(target).endswith(".applescript"):
            raise PermissionError(13, "used by another process", str(source), None, str(target))
        allowed(source, target)

    monkeypatch.setattr(installing.os, "replace", replaced)
    with pytest.raises(InstallProblem, match=r"applescript may not be written or removed: quit Excel"):
        install_addin(computer)
    monkeypatch.undo()
    assert (files_below(tmp_path), folders_below(tmp_path)) == before


def test_a_file_that_may_not_be_removed_is_named(tmp_path, monkeypatch):
    computer = machine(tmp_path, "win32")
    done = install_addin(computer)

    def unlink(path, missing_ok=False):
        raise PermissionError(13, "used by another process", str(path))

    monkeypatch.setattr(Path, "unlink", unlink)
    with pytest.raises(InstallProblem, match=r"panelcal\.xlam may not be written or removed: quit Excel"):
        uninstall_addin(computer)
    monkeypatch.undo()
    assert all(path.exists() for path in done.files)


def test_an_addin_that_vanishes_at_once_is_told(tmp_path, monkeypatch):
    def replaced(source, target, allowed=os.replace):
        allowed(source, target)
        if str(target).endswith(".xlam"):
            os.remove(target)

    monkeypatch.setattr(installing.os, "replace", replaced)
    with pytest.raises(InstallProblem, match="virus scanner"):
        install_addin(machine(tmp_path, "win32"))


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="permissions do not bind this user")
def test_a_folder_without_permission_is_named(tmp_path):
    closed = tmp_path / "closed"
    closed.mkdir()
    closed.chmod(stat.S_IRUSR | stat.S_IXUSR)
    with pytest.raises(InstallProblem, match="may not be written"):
        install_addin(machine(tmp_path, "win32"), closed)


@pytest.mark.parametrize("folder", ["my tools", "R&D", "a$b", "Zoë"])
@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_python_may_lie_in_a_folder_of_any_name(tmp_path, platform, folder):
    computer = machine(tmp_path, platform, interpreter=tmp_path / folder / "python")
    install_addin(computer)
    assert read_note(computer.python_note).interpreter == tmp_path / folder / "python"


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InstallProblem, match="is a file"):
        install_addin(machine(tmp_path, "linux"), tmp_path / "file")


def test_a_spoiled_note_is_named_and_nothing_is_removed(tmp_path):
    computer = machine(tmp_path, "win32")
    done = install_addin(computer)
    computer.record.write_text("{")
    for action in (install_addin, uninstall_addin):
        with pytest.raises(PanelcalError, match=r"installed\.json, cannot be read: delete that file"):
            action(computer)
    assert all(path.exists() for path in done.files)


def test_a_part_that_the_installation_lacks_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("panelcal.excel.finished_addin.shipped_folder", lambda _: tmp_path)
    with pytest.raises(InstallProblem, match=r"panelcal\.xlam is missing"):
        install_addin(machine(tmp_path, "darwin"))


@pytest.mark.parametrize("platform", PLATFORMS)
def test_the_report_of_a_fault_goes_too(tmp_path, platform):
    report = tmp_path / FAULT_FILE
    computer = machine(tmp_path, platform, fault_reports=(report,))
    before = files_below(tmp_path), folders_below(tmp_path)
    install_addin(computer, tmp_path / "out")
    report.write_text("a report")
    assert report in uninstall_addin(computer).files
    assert (files_below(tmp_path), folders_below(tmp_path)) == before


def test_what_the_last_click_left_on_a_mac_goes_too(tmp_path):
    computer = machine(tmp_path, "darwin")
    before = files_below(tmp_path), folders_below(tmp_path)
    install_addin(computer)
    computer.last_click.write_text("")
    uninstall_addin(computer)
    assert (files_below(tmp_path), folders_below(tmp_path)) == before


def test_this_machine_names_the_running_python_and_the_installed_xlwings():
    here = this_machine()
    assert here.interpreter.is_file() and here.interpreter.is_absolute()
    assert here.xlwings == XLWINGS
    assert here.library("no such library") is None
