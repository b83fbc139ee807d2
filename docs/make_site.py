"""Build the documentation site: `python docs/make_site.py [FOLDER]`, which `pip install '.[docs]'` makes possible.

Copies the pages, adds those that are made (the command line from its own help, the README, the changelog), has Zensical
build them, and then looks at every link of every page itself: Zensical looks at links between pages of text only.

While panelcal is installed from this folder, `site_for_wheel` does the same with tools that are thrown away afterwards,
unless the site in the folder `site` is made from these very pages and this very code.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "site-source"  # deep enough below the top for `paths` in site.yml
PAGES = WORK / "pages"
MOST_BYTES = 12_000_000
MADE_FROM = "made_from.txt"
PATIENCE = 180.0
PROJECT = {"README.md": "readme.md", "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
_NOT_PAGES = shutil.ignore_patterns("*.py", "site.yml", "__pycache__")


def copy_pages() -> None:
    """Lay out the pages as the site has them; links that lead out of `docs` are turned to copies of their aims."""
    shutil.rmtree(WORK, ignore_errors=True)
    shutil.copytree(ROOT / "docs", PAGES, ignore=_NOT_PAGES)
    (PAGES / "project").mkdir()
    for page in sorted(PAGES.rglob("*.md")):
        home = ROOT / "docs" / page.relative_to(PAGES)
        page.write_text(_relinked(home.read_text("utf-8"), home, page), encoding="utf-8")
    for name, there in PROJECT.items():
        page = PAGES / "project" / there
        page.write_text(_relinked((ROOT / name).read_text("utf-8"), ROOT / name, page), encoding="utf-8")
    (PAGES / "reference" / "command_line.md").write_text(command_line(), encoding="utf-8")
    settings = (ROOT / "docs" / "site.yml").read_text("utf-8")
    (WORK / "mkdocs.yml").write_text(with_every_page(settings, PAGES), encoding="utf-8")


def with_every_page(settings: str, pages: Path) -> str:
    """Return the settings with pages that nobody has given a place yet where their last comment says."""
    listed = set(re.findall(r"([\w/-]+\.md)$", settings, re.MULTILINE))
    others = [
        name for page in sorted(pages.rglob("*.md")) if (name := page.relative_to(pages).as_posix()) not in listed
    ]
    head, mark, tail = settings.partition("      # Further pages.\n")
    return head + mark + "".join(f"      - {name}\n" for name in others) + tail


def _relinked(text: str, home: Path, page: Path) -> str:
    """Return the page's text with its links as they are from the page's new place; `home` is where it was written."""

    def turned(found: re.Match[str]) -> str:
        path, mark, anchor = found[1].partition("#")
        if not path or re.match(r"[a-z]+:", path):
            return found[0]
        aim = (home.parent / path).resolve().relative_to(ROOT)
        return f"]({os.path.relpath(_place_of(aim), page.parent)}{mark}{anchor})"

    return re.sub(r"\]\(([^)\s]+)\)", turned, text)


def _place_of(aim: Path) -> Path:
    """Return where a file of the repository stands among the pages; what is no page is copied there."""
    if aim.parts[0] == "docs":
        return PAGES / aim.relative_to("docs")
    if str(aim) in PROJECT:
        return PAGES / "project" / PROJECT[str(aim)]
    place = PAGES / "project" / aim.name
    shutil.copy(ROOT / aim, place)
    return place


def command_line() -> str:
    """Return the page of all commands and their options, from what `--help` is made of."""
    import typer  # noqa: PLC0415  needed here only

    from panelcal.cli import app  # noqa: PLC0415

    told = "`panelcal COMMAND --help` shows the same; [what the exit status says](../programs.md#from-pipelines)."
    lines = ["# Command line", "", told]
    for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        arguments = [one for one in command.params if one.param_type_name == "argument"]
        options = [one for one in command.params if one.param_type_name == "option"]
        usage = " ".join(["panelcal", name, *(str(one.metavar or one.name) for one in arguments), "[OPTIONS]"])
        lines += ["", f"## {name}", "", f"    {usage}", "", *(command.help or "").splitlines()]
        lines += ["", "| option | what it does |", "| --- | --- |"] if command.params else []
        lines += [f"| `{one.metavar or one.name}` | {_in_a_cell(one.help or '')} |" for one in arguments]
        for one in options:
            spelt = ", ".join(f"`{way}`" for way in (*one.opts, *one.secondary_opts))
            lines.append(f"| {spelt} {one.metavar or ''} | {_in_a_cell(one.help or '')} |")
    return "\n".join(lines) + "\n"


def _in_a_cell(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("|", "\\|").replace("[", "\\[").replace("<", "&lt;")


class _Links(HTMLParser):
    """The links of a page and what they can be aimed at."""

    def __init__(self) -> None:
        super().__init__()
        self.aims: list[tuple[str, str]] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.aims.append((tag, value))


def wrong_links(site: Path) -> list[str]:
    """Return every link of the site that leads nowhere, and everything that a page would fetch from elsewhere."""
    pages = {path: _Links() for path in sorted(site.rglob("*.html"))}
    for path, links in pages.items():
        links.feed(path.read_text("utf-8"))
    wrong = []
    for path, links in pages.items():
        for tag, link in links.aims:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if tag != "a":
                    wrong.append(f"{path.relative_to(site)} fetches {link}")
                continue
            aim = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            aim = aim / "index.html" if aim.is_dir() else aim
            if path.name == "404.html" and parts.path.startswith("/"):
                continue  # it is shown in any place
            if not aim.is_file():
                wrong.append(f"{path.relative_to(site)} links to {link}")
            elif parts.fragment and aim in pages and unquote(parts.fragment) not in pages[aim].anchors:
                wrong.append(f"{path.relative_to(site)} links to {link}, where nothing has that name")
    return wrong


def build(site: Path) -> None:
    """Build the site into a folder, which is replaced; end with status 1 at any warning or wrong link."""
    copy_pages()
    tools = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        [shutil.which("zensical", path=tools) or "zensical", "build", "--strict", "--clean"],
        cwd=WORK,
        env=os.environ | {"PATH": tools},
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stdout + done.stderr
    print(said, end="")
    built = WORK / "site"
    wrong = [line for line in said.splitlines() if "warning" in line.lower()] + wrong_links(built)
    size = sum(path.stat().st_size for path in built.rglob("*") if path.is_file())
    if size > MOST_BYTES:
        wrong.append(f"The site has {size:,} bytes, more than {MOST_BYTES:,}.")
    if done.returncode or wrong:
        sys.exit("\n".join(["The site is not as it should be.", *wrong]))
    (built / MADE_FROM).write_text(made_from(), encoding="utf-8")
    shutil.rmtree(site, ignore_errors=True)
    shutil.move(built, site)
    shutil.rmtree(WORK)
    print(f"{sum(1 for _ in site.rglob('*.html'))} pages, {size:,} bytes: {site}")


def made_from() -> str:
    """Return a fingerprint of all that the site is made from: pages, code, and the versions of the tools."""
    code = (ROOT / "src" / "panelcal").rglob("*.py")
    sources = [*ROOT.glob("*.md"), ROOT / "pyproject.toml", *(ROOT / "docs").rglob("*.*"), *code]
    digest = hashlib.sha256()
    for path in sorted(path for path in sources if path.is_file() and "__pycache__" not in path.parts):
        digest.update(f"{path.relative_to(ROOT).as_posix()}\n{path.stat().st_size}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def site_for_wheel(*, fetching: bool) -> Path | None:
    """Return the folder of the site as it should be now, built if need be and allowed; none where it is another.

    Raises
    ------
    OSError, subprocess.SubprocessError
        If the tools that build it are not to be had.
    """
    site = ROOT / "site"
    kept = site / MADE_FROM
    if fetching and not (kept.is_file() and kept.read_text("utf-8") == made_from()):
        with tempfile.TemporaryDirectory() as tools:
            python = _tools_in(Path(tools))
            environment = _plain_environment() | {"PYTHONPATH": str(ROOT / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
            _quietly([str(python), str(Path(__file__).resolve())], environment)
    return site if kept.is_file() and kept.read_text("utf-8") == made_from() else None


def _tools_in(folder: Path) -> Path:
    """Install what building the site needs into an environment of its own; return its Python."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    of_the_program = [one for one in project["dependencies"] if one.startswith("typer")]  # for the command line's page
    with_pip = subprocess.run([sys.executable, "-I", "-c", "import pip"], capture_output=True, check=False).returncode
    without = [] if with_pip else ["--without-pip"]  # the pip at hand can serve the new environment, which is quicker
    _quietly([sys.executable, "-I", "-m", "venv", *without, str(folder)], _plain_environment())
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    pip = [str(python), "-m", "pip"] if with_pip else [sys.executable, "-I", "-m", "pip", "--python", str(python)]
    wanted = [*project["optional-dependencies"]["docs"], *of_the_program]
    _quietly([*pip, "install", "--no-compile", "--retries", "1", "--no-input", *wanted], _plain_environment())
    return python


def _plain_environment() -> dict[str, str]:
    """Return the surroundings without what an installer sets for the Python that builds the wheel."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def _quietly(command: list[str], environment: dict[str, str]) -> None:
    subprocess.run(
        command, env=environment, timeout=PATIENCE, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    )


if __name__ == "__main__":
    build(Path(sys.argv[1]).resolve() if sys.argv[1:] else ROOT / "site")
