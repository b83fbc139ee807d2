"""`panelcal doctor` finds each broken state and says in one sentence what to do."""

import hashlib
import re
import sys
import zipfile
from dataclasses import fields, replace
from pathlib import Path

import pytest

import run_panelcal
from excel.machines import PLATFORMS, files_below, machine
from panelcal.excel.doctor import OBSTACLES, examine
from panelcal.excel.finished_addin import LIBRARIES, SCRIPT_NAME, addin_content
from panelcal.excel.install import install_addin
from panelcal.excel.windows_settings import ExcelSettings, excel_settings


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
    assert len(said(windows, "good")) == len(said(mac, "good")) == 5


def test_without_excel_the_file_door_is_shown(tmp_path):
    computer = machine(tmp_path, "linux")
    assert not said(computer)
    assert "panelcal calibrate" in said(computer, "advice")[0]


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_nothing_installed(tmp_path, platform):
    problems = said(machine(tmp_path, platform))
    assert 'The add-in is not installed: run "panelcal install".' in problems


def test_a_missing_library(windows):
    library = windows.interpreter.parent.parent / LIBRARIES[0]
    library.unlink()
    sentence = the_problem(windows)
    assert library.name in sentence and "virus scanner" in sentence and "--reinstall" in sentence


def test_both_libraries_missing(windows):
    for name in LIBRARIES:
        (windows.interpreter.parent.parent / name).unlink()
    assert all(name in the_problem(windows) for name in LIBRARIES)


def test_a_library_that_was_moved_to_where_the_addin_does_not_look(windows, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    for name in LIBRARIES:
        (windows.interpreter.parent.parent / name).rename(tmp_path / "elsewhere" / name)
    moved = replace(windows, library_folders=(*windows.library_folders, tmp_path / "elsewhere"))
    assert "does not know that xlwings' library lies in" in the_problem(moved)
    install_addin(moved)
    assert not said(moved)


@pytest.mark.parametrize("version", ["0.40.1", ""])
def test_another_xlwings_than_the_addin_was_made_for(windows, version):
    sentence = the_problem(replace(windows, xlwings=version))
    assert f"but {version or 'none'} is installed" in sentence and "--reinstall" in sentence


def test_a_copy_that_was_signed_is_no_fault_but_named_with_its_own_hash(windows):
    path = windows.startup_folder / "panelcal.xlam"
    with zipfile.ZipFile(path, "a") as package:
        package.writestr("xl/vbaProjectSignatureAgile.bin", b"signature")
    advice = [sentence for sentence in said(windows, "advice") if "was signed" in sentence]
    assert len(advice) == 1 and hashlib.sha256(path.read_bytes()).hexdigest() in advice[0]
    assert not [sentence for sentence in said(windows, "problem") if "is not the add-in" in sentence]


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", addin_content()[:-1]])
def test_the_file_is_compared_with_the_one_of_this_release(windows, content):
    good = [sentence for sentence in said(windows, "good") if "SHA-256" in sentence]
    assert hashlib.sha256(addin_content()).hexdigest() in good[0]
    (windows.startup_folder / "panelcal.xlam").write_bytes(content)
    assert "is not the add-in of panelcal" in the_problem(windows)


@pytest.mark.parametrize("content", [None, b""])
def test_a_missing_note_of_where_python_is(windows, content):
    windows.python_note.unlink() if content is None else windows.python_note.write_bytes(content)
    assert "python.txt, which tells the add-in where Python is, is missing" in the_problem(windows)


@pytest.mark.parametrize(
    ("mark", "marked"), [("[ZoneTransfer]\nZoneId=3\n", True), ("[ZoneTransfer]\nZoneId=0\n", False)]
)
def test_a_file_that_windows_has_marked_as_downloaded(windows, mark, marked):
    addin = windows.startup_folder / "panelcal.xlam"
    addin.with_name("panelcal.xlam:Zone.Identifier").write_text(mark)
    problems = said(windows)
    assert len(problems) == marked and all("coming from the internet" in sentence for sentence in problems)
    strict = replace(windows, settings=ExcelSettings(internet_macros_off=True))
    for computer, word in ((windows, "may refuse"), (strict, "refuses")):
        for finding in (finding for finding in examine(computer) if finding.kind == "problem"):
            assert f"Excel {word} its macros" in finding.sentence and "Zone.Identifier" in finding.for_it


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")
@pytest.mark.parametrize("marked", [True, False])
def test_a_file_that_macos_has_marked_as_downloaded(mac, tmp_path, marked):
    """The stand-in knows one attribute of one file, and what to ask it for."""
    program = tmp_path / "xattr"
    addin = mac.startup_folder / "panelcal.xlam"
    program.write_text(f'#!/bin/sh\n[ "$1 $2 $3" = "-p com.apple.quarantine {addin}" ] && {str(marked).lower()}\n')
    program.chmod(0o755)
    found = [finding for finding in examine(replace(mac, xattr=str(program))) if finding.kind == "problem"]
    assert len(found) == marked
    for finding in found:
        assert "macOS has marked" in finding.sentence and "panelcal install" in finding.sentence
        assert (
            "com.apple.quarantine" in finding.for_it and hashlib.sha256(addin_content()).hexdigest() in finding.for_it
        )


def test_workbooks_that_a_policy_keeps_in_protected_view(windows):
    computer = replace(windows, settings=ExcelSettings(protected_by_policy=True))
    finding = next(finding for finding in examine(computer) if finding.kind == "advice")
    assert "click Enable Editing" in finding.sentence and "trusted location" in finding.for_it and not said(computer)


@pytest.mark.parametrize(("part", "deep", "unsafe"), [
    ("", False, True), ("", True, True), ("Microsoft", True, True), ("Microsoft", False, False), ("Else", True, False)
])  # fmt: skip
def test_a_folder_for_addins_whose_files_are_protected(tmp_path, part, deep, unsafe):
    roaming = Path("C:/Users/Ada/Roaming")
    listed = str(roaming / part) if part else "c:/users/ada/roaming/microsoft/excel/xlstart"
    computer = machine(tmp_path, "win32", appdata=roaming, settings=ExcelSettings(unsafe_folders=((listed, deep),)))
    found = [finding for finding in examine(computer) if "unsafe locations" in finding.sentence]
    assert len(found) == unsafe and all("Please take" in finding.for_it for finding in found)


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


def test_a_spoiled_note(windows):
    windows.record.write_text("{}")
    assert "delete that file" in the_problem(windows)


@pytest.mark.parametrize("spoil", ["remove", "change"])
def test_a_missing_or_changed_script_on_a_mac(mac, spoil):
    script = mac.scripts_folder / SCRIPT_NAME
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
    ("setting", "words", "asked"),
    [
        ("vba_off", "Visual Basic is switched off", "VBAOff"),
        ("addins_off", "All add-ins are switched off", "DisableAllAddins"),
        ("signed_only", "signed", "certificate"),
        ("no_child_processes", "from starting other programs", "d4f940ab-401b-4efc-aadc-ad5f3c50688a"),
        ("no_library_calls", "from calling libraries", "92e97fa1-2edf-4476-bdd6-9dd0b4dddc7b"),
        ("switched_off", "Disabled Items", ""),
    ],
)
def test_each_setting_that_stands_in_the_way_and_what_to_send_to_it(windows, setting, words, asked):
    computer = replace(windows, settings=ExcelSettings(**{setting: True}))
    assert words in the_problem(computer)
    request = next(finding.for_it for finding in examine(computer) if finding.kind == "problem")
    assert asked in request and bool(asked) == bool(request)


def test_no_setting_is_forgotten_above():
    marks = next(
        mark
        for mark in test_each_setting_that_stands_in_the_way_and_what_to_send_to_it.pytestmark
        if mark.name == "parametrize"
    )
    together = {"network_folders_trusted", "macros_off", "trusted_folders_off"}
    together |= {"internet_macros_off", "protected_by_policy", "network_protected", "unsafe_folders"}
    assert {row[0] for row in marks.args[1]} | together == {entry.name for entry in fields(ExcelSettings)}
    assert set(OBSTACLES) < {row[0] for row in marks.args[1]}


@pytest.mark.parametrize(("macros_off", "folders_off", "kind"), [
    (True, False, "good"), (False, True, "advice"), (True, True, "problem")
])  # fmt: skip
def test_macros_that_are_off_are_no_problem_where_excel_trusts_its_folder(windows, macros_off, folders_off, kind):
    settings = ExcelSettings(macros_off=macros_off, trusted_folders_off=folders_off)
    found = [
        finding
        for finding in examine(replace(windows, settings=settings))
        if re.search(r"\b[Mm]acros", finding.sentence)
    ]
    assert [finding.kind for finding in found] == [kind]
    assert bool(found[0].for_it) == folders_off


@pytest.mark.parametrize("trusted", [False, True])
def test_a_folder_for_addins_on_the_network_is_pointed_out_unless_such_folders_are_trusted(tmp_path, trusted):
    settings = ExcelSettings(network_folders_trusted=trusted)
    computer = machine(tmp_path, "win32", appdata=Path(r"\\server\home$\Ada"), settings=settings)
    told = [sentence for sentence in said(computer, "advice") if "on the network" in sentence]
    assert len(told) == (not trusted) and all("Allow Trusted Locations on my network" in sentence for sentence in told)
    stricter = replace(computer, settings=replace(settings, network_protected=True))
    problems = [finding for finding in examine(stricter) if "Protected View" in finding.sentence]
    assert [finding.kind for finding in problems] == ["problem"] * (not trusted)
    assert all("trusted locations on the network" in finding.for_it for finding in problems)


@pytest.mark.parametrize(("user", "page", "plain"), [
    ("Łukasz", "cp1252", False), ("Łukasz", "cp1250", True), ("Zoë", "cp1252", True), ("李", "cp936", True)
])  # fmt: skip
def test_a_user_name_in_letters_of_another_script_than_windows_own(tmp_path, user, page, plain):
    computer = machine(tmp_path / user, "win32", code_page=page)
    install_addin(computer)
    assert not said(computer)
    advice = said(computer, "advice")
    assert plain == (not advice) and all("UV_TOOL_DIR" in sentence for sentence in advice)


@pytest.mark.skipif(sys.platform == "win32", reason="there something may be set")
def test_elsewhere_than_on_windows_nothing_is_known_of_settings():
    assert excel_settings() == ExcelSettings()


def test_every_finding_is_one_sentence_that_ends(windows, mac, tmp_path):
    broken = replace(
        machine(tmp_path / "other", "win32"),
        library_folders=(),
        settings=replace(ExcelSettings(*(True for _ in fields(ExcelSettings))), unsafe_folders=(("C:/", True),)),
    )
    for finding in (*examine(windows), *examine(broken), *examine(mac)):
        assert re.fullmatch(r"[A-Za-z].*[.)]", finding.sentence), finding
        assert re.fullmatch(r"Please .*\.|", finding.for_it), finding


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
