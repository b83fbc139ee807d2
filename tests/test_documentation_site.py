"""The documentation site: every public name has its place, no link leads nowhere, and `panelcal docs` shows it."""

import importlib.util
import re
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

import panelcal
from run_panelcal import run

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def make_site():
    where = importlib.util.spec_from_file_location("make_site", DOCS / "make_site.py")
    module = importlib.util.module_from_spec(where)
    where.loader.exec_module(module)
    return module


def test_every_public_name_stands_on_one_page_of_the_reference():
    shown = [
        name
        for page in sorted((DOCS / "reference").glob("*.md"))
        for name in re.findall(r"^::: panelcal\.(\w+)$", page.read_text("utf-8"), re.MULTILINE)
    ]
    assert sorted(shown) == sorted(panelcal.__all__)
    listed = re.findall(r"`(\w+)`[,| ]", (DOCS / "reference" / "README.md").read_text("utf-8").partition("| ---")[2])
    assert sorted(listed) == sorted(panelcal.__all__)


def test_every_page_has_its_place_in_the_site(make_site):
    given = (DOCS / "site.yml").read_text("utf-8")
    made = {"reference/command_line.md", *(f"project/{name}" for name in make_site.PROJECT.values())}
    named = re.findall(r"([\w/-]+\.md)$", given, re.MULTILINE)
    assert set(named) <= {str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")} | made
    listed = re.findall(r"([\w/-]+\.md)$", make_site.with_every_page(given, DOCS), re.MULTILINE)
    assert set(listed) == {str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")} | made
    assert len(listed) == len(set(listed))


@pytest.mark.slow
def test_every_command_and_option_is_on_the_page_of_the_command_line(make_site):
    page = make_site.command_line()
    for option in ("--json", "--fail-on", "--per-object", "--no-browser", "--confidence-sheet"):
        assert f"`{option}`" in page
    assert {"## calibrate", "## check", "## docs", "## doctor", "## plan"} <= set(page.splitlines())


def test_links_that_lead_nowhere_and_what_is_fetched_from_elsewhere_are_found(make_site, tmp_path):
    (tmp_path / "a.html").write_text('<a id="here"></a><a href="b.html#there">b</a><a href="https://x.org/">x</a>')
    (tmp_path / "b.html").write_text('<p id="there"></p><a href="a.html#here">a</a><a href="#there">b</a>')
    assert make_site.wrong_links(tmp_path) == []
    (tmp_path / "b.html").write_text(
        '<a href="c.html"></a><a href="a.html#gone"></a><script src="//x.org/s.js"></script>'
    )
    assert [wrong.partition(" ")[2] for wrong in make_site.wrong_links(tmp_path)] == [
        "links to b.html#there, where nothing has that name",
        "links to c.html",
        "links to a.html#gone, where nothing has that name",
        "fetches //x.org/s.js",
    ]


def test_links_out_of_the_folder_lead_to_copies(make_site):
    home = DOCS / "guide" / "ten_minutes.md"
    page = make_site.PAGES / "guide" / "ten_minutes.md"
    said = make_site._relinked("[a](../../README.md#try-it) [b](values.md) [c](#here) [d](https://x.org)", home, page)
    assert said == "[a](../project/readme.md#try-it) [b](values.md) [c](#here) [d](https://x.org)"


def test_an_installation_without_the_site_says_where_it_is(monkeypatch, tmp_path):
    monkeypatch.setattr("importlib.resources.files", lambda package: tmp_path / "src" / "panelcal")
    done = run("docs", "--no-browser")
    assert done.returncode == 1 and "is not in this installation of panelcal" in done.stderr


@pytest.mark.slow
def test_the_site_is_shown_to_this_computer_until_it_is_stopped(tmp_path):
    script = (
        "import pathlib, importlib.resources; "
        f"importlib.resources.files = lambda package: pathlib.Path({str(tmp_path / 'panelcal')!r}); "
        "import sys; sys.argv = ['panelcal', 'docs', '--no-browser']; from panelcal.__main__ import main; main()"
    )
    site = tmp_path / "panelcal" / "site"
    site.mkdir(parents=True)
    (site / "index.html").write_text("<p>panelcal")
    (tmp_path / "secret.txt").write_text("not of the site")
    shown = subprocess.Popen([sys.executable, "-u", "-c", script], stdout=subprocess.PIPE, text=True)
    try:
        address = re.search(r"http://127\.0\.0\.1:\d+/", shown.stdout.readline())[0]
        assert urllib.request.urlopen(address, timeout=20).read() == b"<p>panelcal"
        for other in ("missing.html", "../../secret.txt", "%2e%2e/%2e%2e/secret.txt"):
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(address + other, timeout=20)
            refused.value.close()
        taken = run("docs", "--no-browser", "--port", address.rstrip("/").rpartition(":")[2])
        assert taken.returncode == 1
    finally:
        shown.send_signal(2)
        rest = shown.communicate(timeout=20)[0]
    assert (shown.returncode, rest) == (0, "\n")


@pytest.mark.slow
def test_the_tutorial_prints_what_stands_below_its_lines(monkeypatch, tmp_path, capsys):
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib").use("Agg")
    page = (DOCS / "tutorial.md").read_text("utf-8")
    (tmp_path / "docs").symlink_to(DOCS)
    monkeypatch.chdir(tmp_path)
    known = {}
    blocks = re.findall(r"^```python\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) == page.count("```python")
    for lines, printed in blocks:
        exec(compile(lines, "tutorial.md", "exec"), known)
        assert capsys.readouterr().out == printed
    assert (tmp_path / "changes.png").exists()
