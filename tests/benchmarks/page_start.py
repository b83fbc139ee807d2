"""How long the page takes to start, beside a bare Pyodide with numpy and scipy in one file, in the same run.

usage: python tests/benchmarks/page_start.py PAGE PARTS MODULES [ROUNDS]; PARTS and MODULES as .ci/page makes them.
"""

import base64
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from panelcal.page.parts import verified

LOCK = {
    "info": {"abi_version": "2024_0", "arch": "wasm32", "platform": "emscripten_3_1_58", "python": "3.12.7"},
    "packages": {},
}
WORKER = """
let files; self.fetch = async (u) => { const n = String(u.url || u).replace("https://page.invalid/", "");
  const type = n.endsWith(".wasm") ? "application/wasm" : "text/plain";
  return new Response(files[n], {headers: {"content-type": type}}); };
const bytes = (t) => Uint8Array.from(atob(t), (c) => c.charCodeAt(0));
onmessage = async ({data}) => { try { files = {}; for (const n in data) files[n] = bytes(data[n]);
  const py = await loadPyodide({indexURL: "https://page.invalid/", packages: []});
  await py.loadPackage(["numpy", "scipy"], {messageCallback: () => {}, checkIntegrity: false});
  py.runPython("import numpy, scipy.linalg, scipy.sparse.linalg"); postMessage("yes");
} catch (e) { postMessage(String(e)); } };
"""
PAGE = """<!doctype html><meta charset="utf-8"><p>Bare Pyodide</p>PAYLOAD<script>
const all = {}; for (const e of document.querySelectorAll("script[id]")) all[e.id] = e.textContent;
const text = (n) => { const t = atob(all[n]); delete all[n]; return t; };
const code = [text("pyodide.asm.js"), text("pyodide.js"), text("worker")].join("\\n;\\n");
const w = new Worker(URL.createObjectURL(new Blob([Uint8Array.from(code, (c) => c.charCodeAt(0))])));
w.onmessage = ({data}) => { document.documentElement.dataset.ready = data; }; w.postMessage(all);
</script>"""


def bare_page(parts):
    """Return a page with nothing but Pyodide, numpy and scipy, packed as they are published."""
    lock = json.loads(json.dumps(LOCK)) | {"info": LOCK["info"] | {"version": "0.27.7"}}
    for name, start, needs in (
        ("numpy", "numpy-", []),
        ("openblas", "openblas-", []),
        ("scipy", "scipy-", ["openblas"]),
    ):
        file = next(file for file in parts if file.startswith(start))
        shared = name == "openblas"
        lock["packages"][name] = {
            "name": name, "version": "1", "file_name": file, "sha256": "", "imports": [] if shared else [name],
            "depends": [*needs, *(["numpy"] if name == "scipy" else [])], "unvendored_tests": False,
            "install_dir": "dynlib" if shared else "site", "package_type": "shared_library" if shared else "package",
        }  # fmt: skip
    wanted = ("pyodide.asm.js", "pyodide.js", "pyodide.asm.wasm", "python_stdlib.zip")
    files = {
        name: content
        for name, content in parts.items()
        if name in wanted or name.startswith(("numpy", "scipy", "openblas"))
    }
    files |= {"pyodide-lock.json": json.dumps(lock).encode(), "worker": WORKER.encode()}
    tags = [
        f'<script type="text/plain" id="{name}">{base64.b64encode(content).decode()}</script>'
        for name, content in files.items()
    ]
    return PAGE.replace("PAYLOAD", "".join(tags))


def opened_in_turn(page, parts, modules, rounds):
    """Open both in turn; return name -> (seconds until it is ready, until the first paint) of each round."""
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder) / "bare.html"
        bare.write_text(bare_page(verified(Path(parts))), encoding="utf-8")
        driver = Path(__file__).with_suffix(".mjs")
        done = subprocess.run(
            ["node", str(driver), modules, rounds, page, str(bare)], capture_output=True, text=True, check=True
        )
    found = {}
    for line in done.stdout.splitlines():
        name, ready, shell = json.loads(line)
        found.setdefault("bare" if name == "bare.html" else "page", []).append((ready, shell))
        print(f"{name:20} ready after {ready:5.1f} s, first paint after {shell:4.2f} s", flush=True)
    return found


def main(page, parts, modules, rounds="5"):
    """Open both in turn and print the medians and their ratio."""
    found = opened_in_turn(page, parts, modules, rounds)
    own, other = (statistics.median(ready for ready, _ in found[name]) for name in ("page", "bare"))
    print(f"medians: page {own:.1f} s, bare Pyodide with numpy and scipy {other:.1f} s, ratio {own / other:.2f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
