"""`panelcal doctor` finds each broken state and says in one sentence what to do."""

import re
import sys
from dataclasses import fields, replace
from pathlib import Path

import pytest

import run_panelcal
from excel.machines import PLATFORMS, VERSION, files_below, machine
from panelcal.excel.addin_build import build_addin
from panelcal.excel.doctor import examine
from panelcal.excel.install import install_addin
from panelcal.excel.windows_settings import ExcelSettings, excel_settings
from panelcal.excel.xlwings_source import library_names, script_name


@pytest.fixture
def windows(tmp_path):
    """A Windows computer on which all is well."""
    computer = machine(tmp_path, "win32")
    install_addin(computer)
    return computer


@pytest.fixture
def mac(tmp_path):
    """A Mac on which all is well."""
    computer = machine(tmp_path, "darwin")
    install_addin(computer)
    return computer


def said(computer, kind="problem"):
    return [finding.sentence for finding in examine(computer) if finding.kind == kind]


def the_problem(computer):
    problems = said(computer)
    assert len(problems) == 1, problems
    return problems[0]


def test_where_all_is_well_no_problem_is_found(windows, mac):
    assert not said(windows) and not said(windows, "advice")
    assert not said(mac)
    assert len(said(windows, "good")) == len(said(mac, "good")) == 4


def test_without_excel_the_file_door_is_shown(tmp_path):
    computer = machine(tmp_path, "linux")
    assert not said(computer)
    assert "panelcal calibrate" in said(computer, "advice")[0]


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_nothing_installed(tmp_path, platform):
    problems = said(machine(tmp_path, platform))
    assert 'The add-in is not installed: run "panelcal install".' in problems


def test_a_missing_library(windows):
    library = windows.interpreter.parent.parent / library_names(VERSION)[0]
    library.unlink()
    sentence = the_problem(windows)
    assert library.name in sentence and "virus scanner" in sentence and "--reinstall" in sentence


def test_both_libraries_missing(windows):
    for name in library_names(VERSION):
        (windows.interpreter.parent.parent / name).unlink()
    assert all(name in the_problem(windows) for name in library_names(VERSION))


def test_a_library_that_was_moved_to_where_the_addin_does_not_look(windows, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    for name in library_names(VERSION):
        (windows.interpreter.parent.parent / name).rename(tmp_path / "elsewhere" / name)
    moved = replace(windows, library_folders=(*windows.library_folders, tmp_path / "elsewhere"))
    assert "does not know that the library lies in" in the_problem(moved)
    install_addin(moved)
    assert not said(moved)


@pytest.mark.parametrize("kind", ["windows", "mac"])
def test_another_xlwings_than_the_addin_was_made_for(request, kind):
    computer = request.getfixturevalue(kind)
    main = computer.xlwings / "xlwings_custom_addin.bas"
    main.write_bytes(main.read_bytes().replace(VERSION.encode(), b"0.37.99"))
    problems = said(computer)
    assert f"The add-in was made for xlwings {VERSION}, and 0.37.99 is installed" in problems[0]
    assert 'run "panelcal install" again' in problems[0]


def test_a_series_of_xlwings_that_panelcal_does_not_know(windows):
    main = windows.xlwings / "xlwings_custom_addin.bas"
    main.write_bytes(main.read_bytes().replace(VERSION.encode(), b"0.40.1"))
    assert "0.40.1 is installed" in the_problem(windows)


def test_another_panelcal_than_the_addin_was_made_for(windows, monkeypatch):
    monkeypatch.setattr("panelcal.excel.doctor.__version__", "9.9.9")
    assert "and 9.9.9 is installed" in the_problem(windows)


@pytest.mark.parametrize("kind", ["windows", "mac"])
def test_a_moved_interpreter(request, kind):
    computer = request.getfixturevalue(kind)
    moved = computer.interpreter.with_name("python3")
    computer.interpreter.rename(moved)
    sentence = the_problem(replace(computer, interpreter=moved))
    assert "Python is no longer at" in sentence and 'run "panelcal install" again' in sentence


def test_another_python_than_the_one_that_installed(windows):
    other = windows.interpreter.with_name("other.exe")
    other.write_text("")
    computer = replace(windows, interpreter=other)
    assert not said(computer)
    assert "uses another Python" in said(computer, "advice")[0]


@pytest.mark.parametrize("kind", ["windows", "mac"])
def test_a_removed_addin(request, kind):
    computer = request.getfixturevalue(kind)
    (computer.startup_folder / "panelcal.xlam").unlink()
    sentence = the_problem(computer)
    assert "is gone" in sentence and "virus scanner" in sentence


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"something else"])
def test_a_spoiled_addin(windows, content):
    (windows.startup_folder / "panelcal.xlam").write_bytes(content)
    assert "is not what panelcal install wrote" in the_problem(windows)


def test_an_addin_for_another_system(windows):
    foreign = build_addin("/usr/bin/python", platform="darwin")
    (windows.startup_folder / "panelcal.xlam").write_bytes(foreign)
    assert "Python is no longer at" in the_problem(windows)


def test_a_spoiled_note(windows):
    windows.record.write_text("{}")
    assert "delete that file" in the_problem(windows)


def test_a_space_in_the_path_of_python_on_a_mac(mac, tmp_path):
    assert "a space" in said(replace(mac, interpreter=tmp_path / "my tools" / "python"))[0]


@pytest.mark.parametrize("spoil", ["remove", "change"])
def test_a_missing_or_changed_script_on_a_mac(mac, spoil):
    script = mac.scripts_folder / script_name(VERSION)
    script.unlink() if spoil == "remove" else script.write_text("other")
    assert script.name in the_problem(mac)


def test_mac_users_are_told_about_permissions_and_functions(mac):
    advice = " ".join(said(mac, "advice"))
    assert "Automation" in advice and "#N/A" in advice


def test_a_python_from_the_store(windows, tmp_path):
    store = tmp_path / "WindowsApps" / "python.exe"
    store.parent.mkdir()
    store.write_text("")
    assert any("Microsoft Store" in sentence for sentence in said(replace(windows, interpreter=store), "advice"))


def test_an_addin_where_excel_does_not_look(tmp_path):
    computer = machine(tmp_path, "win32")
    install_addin(computer, tmp_path / "elsewhere")
    assert "from where Excel loads add-ins" in said(computer, "advice")[0]


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("macros_off", "All macros are switched off"),
        ("addins_off", "All add-ins are switched off"),
        ("signed_only", "signed"),
        ("trusted_folders_off", "does not trust its own folder"),
        ("no_child_processes", "Windows Defender"),
        ("switched_off", "Disabled Items"),
    ],
)
def test_each_setting_that_stands_in_the_way(windows, setting, words):
    assert words in the_problem(replace(windows, settings=ExcelSettings(**{setting: True})))


def test_no_setting_is_forgotten_above():
    marks = next(mark for mark in test_each_setting_that_stands_in_the_way.pytestmark if mark.name == "parametrize")
    helps = {"network_folders_trusted"}
    assert {row[0] for row in marks.args[1]} | helps == {entry.name for entry in fields(ExcelSettings)}


@pytest.mark.parametrize("trusted", [False, True])
def test_a_folder_for_addins_on_the_network_is_pointed_out_unless_such_folders_are_trusted(tmp_path, trusted):
    settings = ExcelSettings(network_folders_trusted=trusted)
    computer = machine(tmp_path, "win32", appdata=Path(r"\\server\home$\Ada"), settings=settings)
    told = [sentence for sentence in said(computer, "advice") if "on the network" in sentence]
    assert len(told) == (not trusted) and all("Allow Trusted Locations on my network" in sentence for sentence in told)


@pytest.mark.parametrize(("user", "page", "good"), [
    ("Łukasz", "cp1252", False), ("Łukasz", "cp1250", True), ("Zoë", "cp1252", True), ("李", "cp936", True)
])  # fmt: skip
def test_a_user_name_in_letters_of_another_script_than_windows_own(tmp_path, user, page, good):
    computer = machine(tmp_path / user, "win32", code_page=page)
    install_addin(computer)
    problems = said(computer)
    assert good == (not problems) and all("UV_TOOL_DIR" in sentence for sentence in problems)


@pytest.mark.skipif(sys.platform == "win32", reason="there something may be set")
def test_elsewhere_than_on_windows_nothing_is_known_of_settings():
    assert excel_settings() == ExcelSettings()


def test_every_finding_is_one_sentence_that_ends(windows, mac, tmp_path):
    broken = replace(
        machine(tmp_path / "other", "win32"),
        library_folders=(),
        settings=ExcelSettings(*(True for _ in fields(ExcelSettings))),
    )
    for finding in (*examine(windows), *examine(broken), *examine(mac)):
        assert re.fullmatch(r"[A-Za-z].*[.)]", finding.sentence), finding


def test_nothing_is_changed_by_looking(windows):
    before = files_below(windows.home)
    examine(windows)
    assert files_below(windows.home) == before


@pytest.mark.parametrize("platform", PLATFORMS)
def test_install_mends_what_doctor_finds(tmp_path, platform):
    computer = machine(tmp_path, platform)
    install_addin(computer, None if computer.has_excel else tmp_path / "out")
    assert not said(computer)


def test_the_three_commands(tmp_path):
    home = {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path), "APPDATA": str(tmp_path / "Roaming")}
    target = tmp_path / "out" / "panelcal.xlam"
    done = run_panelcal.run("install", "--to", str(target.parent), **home)
    assert done.returncode == 0, done.stderr
    assert f"Wrote {target}" in done.stdout and target.is_file()
    looked = run_panelcal.run("doctor", **home)
    assert looked.returncode == 0 and "  ok  " in looked.stdout
    target.unlink()
    looked = run_panelcal.run("doctor", **home)
    assert looked.returncode == 1 and "  !!  " in looked.stdout and "is gone" in looked.stdout
    removed = run_panelcal.run("uninstall", **home)
    assert removed.returncode == 0 and "Removed" in removed.stdout
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="there it would install")
def test_install_without_excel_is_one_message(tmp_path):
    done = run_panelcal.run("install", HOME=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1 and "panelcal calibrate" in done.stderr
    assert not list(tmp_path.iterdir())
