"""Runs the command line as a user would, in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path


def run(*arguments: str, folder: Path | None = None, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "panelcal", *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "120", **environment},
        timeout=120,
        check=False,
    )
