"""What is set on Windows, by the user or by an administrator, that can keep an add-in from working."""

from __future__ import annotations

import os
import sys

from panelcal.frozen import dataclass

_OFFICE = r"Software\Microsoft\Office\16.0"
# Set by a group policy, or by Intune from the cloud; of two that differ the later one here counts.
_POLICIES = (r"Software\Policies\Microsoft\Office\16.0", r"Software\Policies\Microsoft\Cloud\Office\16.0")
# Set by hand or a tool, by Intune, and by a group policy.
_RULES = (
    r"SOFTWARE\Microsoft\Windows Defender\Windows Defender Exploit Guard\ASR\Rules",
    r"SOFTWARE\Policies\Microsoft\Windows Defender\Windows Defender Exploit Guard\ASR\Rules",
)
_INTUNE_RULES = r"SOFTWARE\Policies\Microsoft\Windows Defender\Policy Manager"
# "Block all Office applications from creating child processes", "Block Win32 API calls from Office macros"; the value 1
# blocks, 2 only writes a log, 6 warns.
_NO_CHILD_PROCESSES = "d4f940ab-401b-4efc-aadc-ad5f3c50688a"
_NO_LIBRARY_CALLS = "92e97fa1-2edf-4476-bdd6-9dd0b4dddc7b"
_NO_MACROS = 4
# Which files open in Protected View, where 0 means that they do; the last one is about files from the network.
_NETWORK = "disableintranetcheck"
_PROTECTED = ("disableinternetfilesinpv", "disableattachmentsinpv", "disableunsafelocationsinpv", _NETWORK)
_UNSAFE_FOLDERS = 20  # as many can be named in a policy


@dataclass(frozen=True, slots=True)
class ExcelSettings:
    """Settings that bear on loading the add-in; without knowledge, all are as Excel comes.

    Attributes
    ----------
    vba_off
        There is no Visual Basic in any Office program.
    macros_off
        All macros are disabled without asking, except in trusted folders.
    addins_off
        All add-ins are disabled.
    signed_only
        Add-ins must be signed.
    trusted_folders_off
        The folder for add-ins is not trusted by itself.
    network_folders_trusted
        Folders on the network may be trusted; only where this is so are add-ins loaded from one.
    no_child_processes
        Windows Defender keeps Excel from starting another program.
    no_library_calls
        Windows Defender keeps macros from calling libraries.
    switched_off
        Excel has put panelcal on its list of disabled items.
    internet_macros_off
        Macros of files that carry the mark of the internet do not run, and nobody is asked.
    protected_by_policy
        An administrator has some workbooks open in Protected View, whatever the user sets.
    network_protected
        Files from the network open in Protected View.
    unsafe_folders
        Folders whose files open in Protected View, and whether those in folders inside them do too.
    """

    vba_off: bool = False
    macros_off: bool = False
    addins_off: bool = False
    signed_only: bool = False
    trusted_folders_off: bool = False
    network_folders_trusted: bool = False
    no_child_processes: bool = False
    no_library_calls: bool = False
    switched_off: bool = False
    internet_macros_off: bool = False
    protected_by_policy: bool = False
    network_protected: bool = False
    unsafe_folders: tuple[tuple[str, bool], ...] = ()


if sys.platform == "win32":
    import winreg

    def excel_settings() -> ExcelSettings:
        """Read the registry; what cannot be read counts as not set."""
        security = _set(r"Excel\Security")
        trusted = _set(r"Excel\Security\Trusted Locations")
        common = _set("Common") | _set(r"Common\Security\Trusted Locations")
        disabled = _values(winreg.HKEY_CURRENT_USER, rf"{_OFFICE}\Excel\Resiliency\DisabledItems")
        rules = _defender_rules()
        protected = _set(r"Excel\Security\ProtectedView")
        required = _policies(r"Excel\Security\ProtectedView")
        unsafe = [_set(rf"Common\Security\ProtectedView\Locations\Location{k}") for k in range(1, _UNSAFE_FOLDERS + 1)]
        return ExcelSettings(
            vba_off=common.get("vbaoff") == 1,
            macros_off=security.get("vbawarnings") == _NO_MACROS,
            addins_off=security.get("disablealladdins") == 1,
            signed_only=security.get("requireaddinsig") == 1,
            trusted_folders_off=trusted.get("alllocationsdisabled") == 1 or common.get("allow user locations") == 0,
            network_folders_trusted=trusted.get("allownetworklocations") == 1,
            no_child_processes=rules.get(_NO_CHILD_PROCESSES) == "1",
            no_library_calls=rules.get(_NO_LIBRARY_CALLS) == "1",
            switched_off=any(
                isinstance(item, bytes) and "panelcal" in item.decode("utf-16-le", "ignore").lower()
                for item in disabled.values()
            ),
            internet_macros_off=security.get("blockcontentexecutionfrominternet") == 1,
            protected_by_policy=any(required.get(name) == 0 for name in _PROTECTED),
            network_protected=protected.get(_NETWORK) == 0,
            unsafe_folders=tuple(
                (os.path.expandvars(str(folder["path"])), folder.get("allowsubfolders") == 1)
                for folder in unsafe
                if folder.get("path")
            ),
        )

    def _set(below: str) -> dict[str, object]:
        """Return what holds: what the user has set, but for what an administrator has."""
        return _values(winreg.HKEY_CURRENT_USER, rf"{_OFFICE}\{below}") | _policies(below)

    def _policies(below: str) -> dict[str, object]:
        """Return what an administrator has set."""
        found: dict[str, object] = {}
        for root in (winreg.HKEY_CURRENT_USER, winreg.HKEY_LOCAL_MACHINE):
            for policy in _POLICIES:
                found |= _values(root, rf"{policy}\{below}")
        return found

    def _defender_rules() -> dict[str, str]:
        """Return the rules that reduce what Office may do, each by its number, wherever they are set."""
        found: dict[str, str] = {}
        for path in _RULES:
            found |= {name: str(value) for name, value in _values(winreg.HKEY_LOCAL_MACHINE, path).items()}
        listed = str(_values(winreg.HKEY_LOCAL_MACHINE, _INTUNE_RULES).get("asrrules", ""))
        pairs = (entry.partition("=") for entry in listed.lower().split("|"))
        return found | {name.strip("{} "): value.strip() for name, _, value in pairs if value}

    def _values(root: int, path: str) -> dict[str, object]:
        """Return the values of a key by their names in small letters."""
        found: dict[str, object] = {}
        try:
            with winreg.OpenKey(root, path) as key:
                for k in range(winreg.QueryInfoKey(key)[1]):
                    name, value, _ = winreg.EnumValue(key, k)
                    found[name.lower()] = value
        except OSError:
            pass
        return found

else:

    def excel_settings() -> ExcelSettings:
        """Return what is known elsewhere than on Windows: nothing."""
        return ExcelSettings()
