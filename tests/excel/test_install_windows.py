"""Reading the registry of Windows, with a registry made up here."""

import importlib.util
import sys
import types
from contextlib import contextmanager

import pytest

from panelcal.excel import windows_settings

OFFICE = r"Software\Microsoft\Office\16.0\Excel"
POLICY = r"Software\Policies\Microsoft\Office\16.0\Excel"
RULES = r"SOFTWARE\Policies\Microsoft\Windows Defender\Windows Defender Exploit Guard\ASR\Rules"
PREFERENCES = r"SOFTWARE\Microsoft\Windows Defender\Windows Defender Exploit Guard\ASR\Rules"
INTUNE = r"SOFTWARE\Policies\Microsoft\Windows Defender\Policy Manager"
COMMON = r"Software\Microsoft\Office\16.0\Common"
COMMON_POLICY = r"Software\Policies\Microsoft\Office\16.0\Common"
CLOUD = r"Software\Policies\Microsoft\Cloud\Office\16.0"
NO_CALLS = "92e97fa1-2edf-4476-bdd6-9dd0b4dddc7b"
NO_CHILDREN = "d4f940ab-401b-4efc-aadc-ad5f3c50688a"


def settings(monkeypatch, registry):
    """What the module makes of a registry: a mapping of (root, key) to values by name."""
    fake = types.ModuleType("winreg")
    fake.HKEY_CURRENT_USER, fake.HKEY_LOCAL_MACHINE = "user", "machine"

    @contextmanager
    def open_key(root, path):
        if (root, path) not in registry:
            raise FileNotFoundError(path)
        yield list(registry[root, path].items())

    fake.OpenKey = open_key
    fake.QueryInfoKey = lambda key: (0, len(key), 0)
    fake.EnumValue = lambda key, k: (*key[k], 0)
    monkeypatch.setitem(sys.modules, "winreg", fake)
    monkeypatch.setattr(sys, "platform", "win32")
    spec = importlib.util.spec_from_file_location("settings_on_windows", windows_settings.__file__)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return module.excel_settings()


def read(monkeypatch, registry):
    """The settings that stand in the way, by name."""
    found = settings(monkeypatch, registry)
    return {name for name in found.__slots__ if getattr(found, name)}


def test_folders_whose_files_are_protected_are_read_with_their_names_written_out(monkeypatch):
    monkeypatch.setenv("APPDATA", "C:/Users/Ada/Roaming")
    place = rf"{COMMON_POLICY}\Security\ProtectedView\Locations"
    registry = {
        ("user", rf"{place}\Location1"): {"Path": r"D:\Downloads", "AllowSubfolders": 0},
        ("user", rf"{place}\Location20"): {"Path": "$APPDATA", "AllowSubfolders": 1},
    }
    assert settings(monkeypatch, registry).unsafe_folders == ((r"D:\Downloads", False), ("C:/Users/Ada/Roaming", True))


def test_without_any_key_nothing_stands_in_the_way(monkeypatch):
    assert read(monkeypatch, {}) == set()


@pytest.mark.parametrize(
    ("root", "path", "values", "found"),
    [
        ("user", rf"{OFFICE}\Security", {"VBAWarnings": 4}, {"macros_off"}),
        ("user", rf"{OFFICE}\Security", {"VBAWarnings": 2, "DisableAllAddins": 0}, set()),
        ("user", rf"{POLICY}\Security", {"vbawarnings": 4, "RequireAddinSig": 1}, {"macros_off", "signed_only"}),
        ("user", rf"{POLICY}\Security", {"DisableAllAddins": 1}, {"addins_off"}),
        ("user", rf"{OFFICE}\Security\Trusted Locations", {"AllLocationsDisabled": 1}, {"trusted_folders_off"}),
        ("user", rf"{POLICY}\Security\Trusted Locations", {"AllowNetworkLocations": 1}, {"network_folders_trusted"}),
        ("machine", RULES, {NO_CHILDREN.upper(): "1"}, {"no_child_processes"}),
        ("machine", RULES, {NO_CHILDREN: "2"}, set()),
        ("machine", PREFERENCES, {NO_CALLS: 1}, {"no_library_calls"}),
        ("machine", PREFERENCES, {NO_CHILDREN: 6, NO_CALLS: 2}, set()),
        (
            "machine",
            INTUNE,
            {"ASRRules": f"{NO_CHILDREN}=1|{{{NO_CALLS.upper()}}}=1"},
            {"no_child_processes", "no_library_calls"},
        ),
        ("machine", INTUNE, {"ASRRules": f"{NO_CHILDREN}=2|{NO_CALLS}="}, set()),
        ("machine", rf"{POLICY}\Security", {"VBAWarnings": 4}, {"macros_off"}),
        ("user", rf"{CLOUD}\Excel\Security", {"VBAWarnings": 4}, {"macros_off"}),
        ("user", COMMON, {"VBAOff": 1}, {"vba_off"}),
        ("machine", COMMON_POLICY, {"VBAOff": 1}, {"vba_off"}),
        ("user", rf"{COMMON_POLICY}\Security\Trusted Locations", {"Allow User Locations": 0}, {"trusted_folders_off"}),
        (
            "user",
            rf"{OFFICE}\Resiliency\DisabledItems",
            {"A1": b"\x02\0" + r"C:\XLSTART\PanelCal.xlam".encode("utf-16-le"), "B": 3},
            {"switched_off"},
        ),
        ("user", rf"{OFFICE}\Resiliency\DisabledItems", {"A1": r"C:\other.xlam".encode("utf-16-le")}, set()),
        ("user", rf"{POLICY}\Security", {"BlockContentExecutionFromInternet": 1}, {"internet_macros_off"}),
        ("user", rf"{POLICY}\Security\ProtectedView", {"DisableInternetFilesInPV": 0}, {"protected_by_policy"}),
        ("machine", rf"{POLICY}\Security\ProtectedView", {"DisableAttachmentsInPV": 0}, {"protected_by_policy"}),
        ("user", rf"{CLOUD}\Excel\Security\ProtectedView", {"DisableUnsafeLocationsInPV": 0}, {"protected_by_policy"}),
        (
            "user",
            rf"{POLICY}\Security\ProtectedView",
            {"DisableIntranetCheck": 0},
            {"protected_by_policy", "network_protected"},
        ),
        (
            "user",
            rf"{POLICY}\Security\ProtectedView",
            {"DisableIntranetCheck": 1, "DisableInternetFilesInPV": 1},
            set(),
        ),
        ("user", rf"{OFFICE}\Security\ProtectedView", {"DisableInternetFilesInPV": 0}, set()),
    ],
)
def test_each_obstacle_is_recognised(monkeypatch, root, path, values, found):
    assert read(monkeypatch, {(root, path): values}) == found


def test_what_an_administrator_sets_counts_before_what_the_user_sets(monkeypatch):
    registry = {
        ("user", rf"{OFFICE}\Security"): {"VBAWarnings": 1},
        ("user", rf"{POLICY}\Security"): {"VBAWarnings": 4},
    }
    assert read(monkeypatch, registry) == {"macros_off"}
