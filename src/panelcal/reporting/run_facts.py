"""Facts about a run that do not come from its input: when it was, and by which program and libraries."""

from __future__ import annotations

import importlib.metadata
import os
import platform
from datetime import UTC, datetime

from panelcal import __version__

_LIBRARIES = ("numpy", "scipy", "openpyxl", "xlwings")


def run_moment() -> str:
    """Date and time of the run, ISO format; SOURCE_DATE_EPOCH fixes it, so that a filed workbook can be reproduced."""
    fixed = os.environ.get("SOURCE_DATE_EPOCH")
    moment = datetime.fromtimestamp(int(fixed), UTC) if fixed else datetime.now().astimezone()
    return moment.replace(tzinfo=None).isoformat(timespec="seconds")


def run_versions() -> dict[str, str]:
    """Versions of the program, of Python and of the libraries that the results depend on."""
    libraries = {name: importlib.metadata.version(name) for name in _LIBRARIES}
    return {"panelcal": __version__, "Python": platform.python_version(), **libraries}
