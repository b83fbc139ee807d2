"""Put shell, style, scripts and payload into one HTML document, under a policy that names each by hash."""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import io
import json
import re
import tarfile
import zipfile
from collections.abc import Mapping
from importlib.resources import files

from panelcal.errors import FileProblem
from panelcal.page.compile_tree import NO_PACKAGES
from panelcal.page.parts import part_of
from panelcal.page.site_tree import STANDARD

SCRIPTS = (
    "elements.js",
    "frames.js",
    "numbers.js",
    "engine.js",
    "charts.js",
    "rows.js",
    "tables.js",
    "sheets.js",
    "summary.js",
    "reading.js",
    "options.js",
    "saving.js",
    "results.js",
    "start.js",
)
"""The modules of the page, each after those that it imports from."""

# What Observable Plot puts into each of its pictures; allowed by its hash.
_PLOT_STYLE = """:where(.plot-d6a7b5) {
  --plot-background: white;
  display: block;
  height: auto;
  height: intrinsic;
  max-width: 100%;
}
:where(.plot-d6a7b5 text),
:where(.plot-d6a7b5 tspan) {
  white-space: pre;
}"""
_IMPORT = re.compile(r"^import .*?;\n", re.MULTILINE | re.DOTALL)
_EXPORT = re.compile(r"^export (?=const|let|function|async|class)", re.MULTILINE)
_STAMP = (1980, 1, 1, 0, 0, 0)
_LEVEL = 9


def document(parts: Mapping[str, bytes], tree: Mapping[str, bytes], licences: Mapping[str, str], version: str) -> str:
    """Return the whole page.

    Parameters
    ----------
    parts
        The pinned parts.
    tree
        Path in the browser's file system -> content, compiled.
    licences
        Name of a work -> its licence.
    version
        Version of panelcal.
    """
    script = _libraries(parts) + _own_script()
    style = _web("style.css")
    payload = {
        "worker-code": _packed(parts["pyodide.asm.js"] + b"\n;\n" + parts["pyodide.js"] + b"\n;\n" + _worker()),
        "core": _packed(parts["pyodide.asm.wasm"]),
        "standard": _packed(_standard_library(tree)),
        "site": _packed(_planted(tree)),
    }
    blocks = [f'<script type="text/plain" id="payload-{name}">{text}</script>' for name, text in payload.items()]
    facts = {"version": version, "lock": NO_PACKAGES, "licences": dict(licences)}
    blocks.append(f'<script type="text/plain" id="facts">{_harmless(json.dumps(facts))}</script>')
    page = _web("shell.html")
    for mark, text in (
        ("@CSP@", policy(script, style)),
        ("@STYLE@", style),
        ("@SCRIPT@", script),
        ("@PAYLOAD@", "\n".join(blocks)),
    ):
        before, found, after = page.partition(mark)
        if not found:
            raise FileProblem(f"The frame of the page lacks the place {mark}.")
        page = before + text + after
    return page


def policy(script: str, style: str) -> str:
    """Spell the content security policy: these scripts and styles, WebAssembly, a Worker from here, no connection."""
    rules = (
        "default-src 'none'",
        f"script-src '{_hash(script)}' 'wasm-unsafe-eval'",
        f"style-src '{_hash(style)}' '{_hash(_PLOT_STYLE)}'",
        "worker-src blob:",
        "connect-src 'none'",
        "form-action 'none'",
        "base-uri 'none'",
    )
    return html.escape("; ".join(rules), quote=True).replace("&#x27;", "'")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _own_script() -> str:
    """Join the modules of the page into one script, in which each name is there once."""
    modules = [_EXPORT.sub("", _IMPORT.sub("", _web(name))) for name in SCRIPTS]
    return '\n;(() => {\n"use strict";\n' + "\n".join(modules) + "\n})();\n"


def _libraries(parts: Mapping[str, bytes]) -> str:
    texts = []
    for work, member in (("d3", "package/dist/d3.min.js"), ("Observable Plot", "package/dist/plot.umd.min.js")):
        text = member_of(parts[part_of(work).file], member)
        if "</script" in text.lower():
            raise FileProblem(f"{work} cannot stand in a page as it is.")
        texts.append(text.replace("\r\n", "\n"))
    return "\n;\n".join(texts)


def member_of(archive: bytes, name: str) -> str:
    """Return a text file of a package from npm."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as opened:
        member = opened.extractfile(name)
        if member is None:
            raise FileProblem(f"A part of the page lacks {name}.")
        return member.read().decode("utf-8")


def _worker() -> bytes:
    return _web("worker.js").encode()


def _web(name: str) -> str:
    return (files("panelcal.page") / "web" / name).read_text(encoding="utf-8")


def _harmless(text: str) -> str:
    """Return JSON that says the same and cannot end a script element."""
    return text.replace("<", "\\u003c")


def _packed(content: bytes) -> str:
    return base64.b64encode(gzip.compress(content, _LEVEL, mtime=0)).decode("ascii")


def _standard_library(tree: Mapping[str, bytes]) -> bytes:
    """Return Python's own modules as the archive that it starts from."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for path, content in tree.items():
            if _is_standard(path):
                archive.writestr(zipfile.ZipInfo(path.removeprefix(f"{STANDARD}/"), _STAMP), content)
    return stream.getvalue()


def _planted(tree: Mapping[str, bytes]) -> bytes:
    """Return everything else: ten figures for the length of a list, the list of paths and lengths, and the contents."""
    rest = {path: content for path, content in tree.items() if not _is_standard(path)}
    listed = json.dumps([[path, len(content)] for path, content in rest.items()], separators=(",", ":")).encode()
    return b"%010d" % len(listed) + listed + b"".join(rest.values())


def _is_standard(path: str) -> bool:
    return path.startswith(f"{STANDARD}/") and "/site-packages/" not in path
