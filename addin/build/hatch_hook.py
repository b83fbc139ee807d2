"""Lets hatch make `panelcal.xlam` whenever the wheel is built, for `pip install .` and `-e` too.

The documentation site goes into a wheel where it was built before (`.ci/site`): building it needs a program that nobody
who installs panelcal should have to wait for. So do the libraries for charts where they were fetched before
(`python -m panelcal.page.fetch_parts --charts`).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class AddinHook(BuildHookInterface):  # type: ignore[type-arg]
    """Makes the add-in, which the wheel then carries; an editable installation reads it from the source folder."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the file, and look for the site, before the wheel is put together."""
        sys.path.insert(0, self.root)
        try:
            from addin.build.make import write_addin  # noqa: PLC0415  found only from here on
        finally:
            sys.path.remove(self.root)
        build_data["force_include"][str(write_addin())] = "panelcal/addin/panelcal.xlam"
        site = Path(self.root, "site")
        if version != "editable" and (site / "index.html").is_file():
            build_data["force_include"][str(site)] = "panelcal/site"
        for library in Path(self.root, "src/panelcal/page/libraries").glob("*.js"):
            if version != "editable":
                build_data["force_include"][str(library)] = f"panelcal/page/libraries/{library.name}"
