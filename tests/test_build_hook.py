"""Building the wheel: the site and the libraries for charts come along where they can, and never stop installing."""

import hashlib
import importlib.util
import io
import subprocess
import sys
import tarfile
import types
from dataclasses import replace
from pathlib import Path

import pytest

from panelcal.page import fetch_libraries, libraries

ROOT = Path(__file__).parent.parent


def loaded(path):
    where = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(where)
    where.loader.exec_module(module)
    return module


@pytest.fixture
def make_site(monkeypatch, tmp_path):
    module = loaded(ROOT / "docs" / "make_site.py")
    for name in ("docs/page.md", "src/panelcal/run.py", "README.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.setattr(module, "ROOT", tmp_path)
    return module


@pytest.fixture
def hook(monkeypatch):
    interface = types.ModuleType("hatchling.builders.hooks.plugin.interface")
    interface.BuildHookInterface = type("BuildHookInterface", (), {})
    names = "hatchling.builders.hooks.plugin".split(".")
    for end in range(1, len(names) + 1):
        monkeypatch.setitem(sys.modules, ".".join(names[:end]), types.ModuleType(names[end - 1]))
    monkeypatch.setitem(sys.modules, interface.__name__, interface)
    module = loaded(ROOT / "addin" / "build" / "hatch_hook.py")
    made = module.AddinHook()
    made.root, made.said = str(ROOT), []
    made.app = types.SimpleNamespace(display_warning=made.said.append)
    monkeypatch.setattr("addin.build.make.write_addin", lambda: Path("made.xlam"))
    made.module = module
    return made


def test_a_site_is_used_again_until_a_page_or_the_code_changes(make_site, monkeypatch, tmp_path):
    assert make_site.site_for_wheel(fetching=False) is None
    site = tmp_path / "site"
    site.mkdir()
    (site / make_site.MADE_FROM).write_text(make_site.made_from())
    assert make_site.site_for_wheel(fetching=True) == site
    for name in ("docs/page.md", "src/panelcal/run.py", "README.md"):
        before = make_site.made_from()
        (tmp_path / name).write_text("changed")
        assert make_site.made_from() != before
    assert make_site.site_for_wheel(fetching=False) is None

    def built(command, environment):
        assert environment["PYTHONPATH"] == str(tmp_path / "src") and "PYTHONHOME" not in environment
        (site / make_site.MADE_FROM).write_text(make_site.made_from())

    monkeypatch.setenv("PYTHONHOME", "elsewhere")
    monkeypatch.setattr(make_site, "_tools_in", lambda folder: folder / "python")
    monkeypatch.setattr(make_site, "_quietly", built)
    assert make_site.site_for_wheel(fetching=True) == site


def test_the_wheel_takes_what_is_there_and_an_editable_installation_nothing(hook, monkeypatch, tmp_path):
    monkeypatch.setattr(hook.module, "_site", lambda: tmp_path)
    monkeypatch.setattr(hook.module, "_libraries", lambda: [tmp_path / "d3.js"])
    addin = {"made.xlam": "panelcal/addin/panelcal.xlam"}
    taken = {str(tmp_path): "panelcal/site", str(tmp_path / "d3.js"): "panelcal/page/libraries/d3.js"}
    for version, expected in (("standard", addin | taken), ("editable", addin)):
        build_data = {"force_include": {}}
        hook.initialize(version, build_data)
        assert build_data["force_include"] == expected
    assert hook.said == []


@pytest.mark.parametrize("problem", [OSError("no network"), subprocess.TimeoutExpired("pip", 1), KeyError("anything")])
def test_nothing_that_goes_wrong_stops_an_installation(hook, monkeypatch, problem):
    def fails():
        raise problem

    monkeypatch.setattr(hook.module, "_site", fails)
    monkeypatch.setattr(hook.module, "_libraries", fails)
    build_data = {"force_include": {}}
    before = list(sys.path)
    hook.initialize("standard", build_data)
    assert build_data["force_include"] == {"made.xlam": "panelcal/addin/panelcal.xlam"}
    assert len(hook.said) == 2 and sys.path == before


def test_nothing_is_fetched_where_a_distribution_is_built(hook, monkeypatch, tmp_path):
    monkeypatch.setenv("PANELCAL_BUILD_OFFLINE", "1")
    monkeypatch.setattr(fetch_libraries, "fetch_libraries", lambda: pytest.fail("fetched"))
    monkeypatch.setattr(libraries, "FOLDER", tmp_path)
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    monkeypatch.setattr("make_site.site_for_wheel", lambda *, fetching: fetching or None)
    assert hook.module._libraries() == [] and hook.module._site() is None


def packed(content):
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w:gz") as archive:
        member = tarfile.TarInfo("package/dist/one.js")
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
    return whole.getvalue()


def test_a_library_is_fetched_from_the_first_place_that_has_the_right_bytes(monkeypatch, tmp_path):
    right = hashlib.sha256(b"right").hexdigest()
    one = replace(libraries.LIBRARIES[0], member="package/dist/one.js", file="one.js", sha256=right)
    monkeypatch.setattr(fetch_libraries, "LIBRARIES", (one,))
    asked = []

    def copies(address, timeout):
        asked.append(address)
        raise OSError("no network")

    def run(command, *, cwd, **others):
        asked.append(command[-1])
        Path(cwd, "one.tgz").write_bytes(packed(given))

    monkeypatch.setattr(fetch_libraries.urllib.request, "urlopen", copies)
    monkeypatch.setattr(fetch_libraries.subprocess, "run", run)
    monkeypatch.setattr(fetch_libraries.shutil, "which", lambda name: "/bin/npm")
    given = b"wrong"
    assert fetch_libraries.fetch_libraries(tmp_path) == ["one.js"]
    assert [path.name for path in tmp_path.iterdir()] == []
    assert asked == ["d3@7.9.2", f"{fetch_libraries._COPIES}/d3@7.9.2/dist/one.js", fetch_libraries._NPM_AS_A_WHEEL]
    given = b"right"
    assert fetch_libraries.fetch_libraries(tmp_path) == []
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"right"]
    assert fetch_libraries.fetch_libraries(tmp_path) == [] and len(asked) == 4
