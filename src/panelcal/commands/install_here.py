"""Installs on this computer what Excel or LibreOffice loads, and removes it."""

from __future__ import annotations

from pathlib import Path

from panelcal.excel.install import Done, install_addin, uninstall_addin
from panelcal.excel.machine import this_machine


def install_here(to: Path | None, *, libreoffice: bool) -> Done:
    """Install the add-in for Excel, or the extension for LibreOffice."""
    machine = this_machine()
    if not libreoffice:
        return install_addin(machine, to)
    from panelcal.office.install_extension import install_extension, this_office

    return install_extension(machine, this_office(machine.platform), to)


def uninstall_here(*, libreoffice: bool) -> Done:
    """Remove what was installed for Excel, or for LibreOffice."""
    machine = this_machine()
    if not libreoffice:
        return uninstall_addin(machine)
    from panelcal.office.install_extension import this_office, uninstall_extension

    return uninstall_extension(machine, this_office(machine.platform))
