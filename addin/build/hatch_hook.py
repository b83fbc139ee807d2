"""Lets hatch add what is no Python to the wheel whenever it is built, for `pip install .` and `-e` too.

`panelcal.xlam` is made from the repository's own texts and always there. The documentation site and the libraries for
charts need tools and a network: what is in the source folder from before is taken, the rest is made or fetched once and
kept there (git ignores it). Where this cannot be, the wheel is built without, and panelcal says so when it is asked.
Nothing is fetched where PANELCAL_BUILD_OFFLINE is set, as those wish who build packages for a distribution.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class AddinHook(BuildHookInterface):  # type: ignore[type-arg]
    """Makes the add-in, the site and the libraries; an editable installation reads them from the source folder."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the files before the wheel is put together."""
        places = [self.root, str(Path(self.root, "src")), str(Path(self.root, "docs"))]
        sys.path[:0] = places
        try:
            addin = importlib.import_module("addin.build.make").write_addin()
            site, libraries = self._if_possible(_site), self._if_possible(_libraries)
        finally:
            for place in places:
                sys.path.remove(place)
        build_data["force_include"][str(addin)] = "panelcal/addin/panelcal.xlam"
        if version == "editable":
            return
        if site is not None:
            build_data["force_include"][str(site)] = "panelcal/site"
        for library in libraries or []:
            build_data["force_include"][str(library)] = f"panelcal/page/libraries/{library.name}"

    def _if_possible(self, step: Callable[[], Any]) -> Any:
        """Return what a step makes: an installation never fails because of one, whatever it is that goes wrong."""
        try:
            return step()
        except Exception as problem:
            self.app.display_warning(f"panelcal is built without something: {problem!r}")  # shown by pip -v
            return None


def _site() -> Path | None:
    make_site = importlib.import_module("make_site")
    return make_site.site_for_wheel(fetching=_may_fetch())


def _libraries() -> list[Path]:
    libraries = importlib.import_module("panelcal.page.libraries")
    if _may_fetch():
        importlib.import_module("panelcal.page.fetch_libraries").fetch_libraries()
    return [libraries.FOLDER / library.file for library in libraries.LIBRARIES] if libraries.has_libraries() else []


def _may_fetch() -> bool:
    return not os.environ.get("PANELCAL_BUILD_OFFLINE")
