"""What is set on Windows, by the user or by an administrator, that can keep an add-in from working."""

from __future__ import annotations

import sys
from dataclasses import dataclass

_OFFICE = r"Software\Microsoft\Office\16.0\Excel"
_POLICY = r"Software\Policies\Microsoft\Office\16.0\Excel"
_DEFENDER = r"SOFTWARE\Policies\Microsoft\Windows Defender\Windows Defender Exploit Guard\ASR\Rules"
# "Block all Office applications from creating child processes"; the value 1 blocks, 2 only writes a log, 6 warns.
_NO_CHILD_PROCESSES = "d4f940ab-401b-4efc-aadc-ad5f3c50688a"
_NO_MACROS = 4


@dataclass(frozen=True, slots=True)
class ExcelSettings:
    """Settings that bear on loading the add-in; without knowledge, all are as Excel comes.

    Attributes
    ----------
    macros_off
        All macros are disabled without asking.
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
    switched_off
        Excel has put panelcal on its list of disabled items.
    """

    macros_off: bool = False
    addins_off: bool = False
    signed_only: bool = False
    trusted_folders_off: bool = False
    network_folders_trusted: bool = False
    no_child_processes: bool = False
    switched_off: bool = False


if sys.platform == "win32":
    import winreg

    def excel_settings() -> ExcelSettings:
        """Read the registry; what cannot be read counts as not set."""
        security = _values(winreg.HKEY_CURRENT_USER, rf"{_OFFICE}\Security") | _values(
            winreg.HKEY_CURRENT_USER, rf"{_POLICY}\Security"
        )
        trusted = _values(winreg.HKEY_CURRENT_USER, rf"{_OFFICE}\Security\Trusted Locations") | _values(
            winreg.HKEY_CURRENT_USER, rf"{_POLICY}\Security\Trusted Locations"
        )
        disabled = _values(winreg.HKEY_CURRENT_USER, rf"{_OFFICE}\Resiliency\DisabledItems")
        rules = _values(winreg.HKEY_LOCAL_MACHINE, _DEFENDER)
        return ExcelSettings(
            macros_off=security.get("vbawarnings") == _NO_MACROS,
            addins_off=security.get("disablealladdins") == 1,
            signed_only=security.get("requireaddinsig") == 1,
            trusted_folders_off=trusted.get("alllocationsdisabled") == 1,
            network_folders_trusted=trusted.get("allownetworklocations") == 1,
            no_child_processes=str(rules.get(_NO_CHILD_PROCESSES)) == "1",
            switched_off=any(
                isinstance(item, bytes) and "panelcal" in item.decode("utf-16-le", "ignore").lower()
                for item in disabled.values()
            ),
        )

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
