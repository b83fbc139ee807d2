"""Put shell, style, scripts and Python into one HTML document."""

from __future__ import annotations

import base64
import gzip
import io
import json
import zipfile
from collections.abc import Mapping

from panelcal.errors import FileProblem
from panelcal.page.compile_tree import NO_PACKAGES
from panelcal.page.libraries import HOW, libraries_code
from panelcal.page.one_file import RESULT_SCRIPTS, data_block, joined, one_file, policy, web_text
from panelcal.page.site_tree import STANDARD

SCRIPTS = (*RESULT_SCRIPTS, "engine.js", "reading.js", "options.js", "planning.js", "criteria.js", "start.js")
"""The modules of the page, each after those that it imports from."""

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

    Raises
    ------
    FileProblem
        If the libraries for charts are not here.
    """
    libraries = libraries_code()
    if not libraries:
        raise FileProblem(f"The libraries that draw the charts are not here: fetch them with {HOW}.")
    script = libraries + joined(SCRIPTS)
    style = web_text("style.css")
    payload = {
        "worker-code": _packed(parts["pyodide.asm.js"] + b"\n;\n" + parts["pyodide.js"] + b"\n;\n" + _worker()),
        "core": _packed(parts["pyodide.asm.wasm"]),
        "standard": _packed(_standard_library(tree)),
        "site": _packed(_planted(tree)),
    }
    blocks = [f'<script type="text/plain" id="payload-{name}">{text}</script>' for name, text in payload.items()]
    blocks.append(data_block("facts", {"version": version, "lock": NO_PACKAGES, "licences": dict(licences)}))
    rules = policy(script, style, ["worker-src blob:"], script_rules=" 'wasm-unsafe-eval'")
    marks = {"@CSP@": rules, "@STYLE@": style, "@SCRIPT@": script, "@PAYLOAD@": "\n".join(blocks)}
    return one_file("shell.html", marks)


def _worker() -> bytes:
    return web_text("worker.js").encode()


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
