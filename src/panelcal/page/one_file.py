"""What every HTML file of ours is put together from: scripts joined to one, style, a policy that names each by hash."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from panelcal.errors import FileProblem

RESULT_SCRIPTS = (
    "elements.js",
    "frames.js",
    "numbers.js",
    "licences.js",
    "charts.js",
    "rows.js",
    "tables.js",
    "sheets.js",
    "summary.js",
    "saving.js",
    "results.js",
)
"""The modules that show a result, each after those that it imports from."""

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


def one_file(shell: str, marks: Mapping[str, str]) -> str:
    """Return a frame of `web` with what belongs in each of its places, such as @STYLE@.

    Raises
    ------
    FileProblem
        If the frame lacks a place.
    """
    frame = re.split("(@[A-Z]+@)", web_text(shell))
    if lacking := marks.keys() - frame:
        raise FileProblem(f"The frame {shell} lacks the place {min(lacking)}.")
    return "".join(marks.get(piece, piece) for piece in frame)


def policy(script: str, style: str, more: Sequence[str] = (), *, script_rules: str = "") -> str:
    """Spell a content security policy: these scripts and styles, no connection, and `more` rules."""
    rules = (
        "default-src 'none'",
        f"script-src '{_hash(script)}'{script_rules}",
        f"style-src '{_hash(style)}' '{_hash(_PLOT_STYLE)}'",
        *more,
        "connect-src 'none'",
        "form-action 'none'",
        "base-uri 'none'",
    )
    return html.escape("; ".join(rules), quote=True).replace("&#x27;", "'")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def joined(scripts: Sequence[str]) -> str:
    """Join modules of `web` into one script, in which each name is there once."""
    modules = [_EXPORT.sub("", _IMPORT.sub("", web_text(name))) for name in scripts]
    return '\n;(() => {\n"use strict";\n' + "\n".join(modules) + "\n})();\n"


def web_text(name: str) -> str:
    """Return a file of `web`."""
    return (files("panelcal.page") / "web" / name).read_text(encoding="utf-8")


def data_block(name: str, data: Any) -> str:
    """Return an element that holds data, which nothing in it can end or run."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="text/plain" id="{name}">{text}</script>'
