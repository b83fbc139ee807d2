"""Facts about a run: when it was, by which program and libraries, and the identifier that ties it to its input."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import platform
from collections.abc import Mapping
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


def run_identifier_of(fingerprint: str, options: Mapping[str, str], versions: Mapping[str, str]) -> str:
    """Eight hexadecimal digits of the cells read, the options and the program version."""
    text = json.dumps([fingerprint, dict(options), versions.get("panelcal", "")], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:8]
