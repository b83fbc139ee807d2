"""Compile the Python sources of the page beforehand, by the very Python that will load them, run under Node."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from panelcal.errors import FileProblem
from panelcal.page.parts import PARTS

_CORE = [part.file for part in PARTS if part.of in ("Pyodide", "Python")]
# Pyodide asks for a lock file, and nothing is loaded by it here.
NO_PACKAGES = '{"info":{"abi_version":"2024_0","arch":"wasm32","platform":"emscripten_3_1_58","python":"3.12.7",'
NO_PACKAGES += '"version":"0.27.7"},"packages":{}}'


def compiled(tree: Mapping[str, bytes], parts: Mapping[str, bytes]) -> dict[str, bytes]:
    """Put compiled modules in the place of the sources.

    Raises
    ------
    FileProblem
        If there is no Node, or it fails.
    """
    node = shutil.which("node") or shutil.which("nodejs")
    if node is None:
        raise FileProblem("The page is built with the help of Node, which is not here: install Node 18 or newer.")
    sources = {path: content for path, content in tree.items() if path.endswith(".py")}
    with tempfile.TemporaryDirectory() as folder:
        core = Path(folder)
        for name in _CORE:
            (core / name).write_bytes(parts[name])
        (core / "pyodide-lock.json").write_text(NO_PACKAGES, encoding="utf-8")
        (core / "package.json").write_text('{"type": "commonjs"}', encoding="utf-8")
        script, listed = core / "compile_tree.mjs", core / "tree.json"
        script.write_bytes((files("panelcal.page") / "compile_tree.mjs").read_bytes())
        listed.write_text(json.dumps([(path, _text(content)) for path, content in sources.items()]), encoding="utf-8")
        done = subprocess.run([node, str(script), str(core), str(listed)], capture_output=True, text=True, check=False)
        if done.returncode:
            last = done.stderr.strip().rpartition("\n")[2]
            raise FileProblem(f"Node could not compile the sources of the page: {last}")
        made = {path: base64.b64decode(content) for path, content in json.loads(listed.read_text(encoding="utf-8"))}
    kept = {path: content for path, content in tree.items() if path not in sources}
    return dict(sorted((kept | made).items()))


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")
