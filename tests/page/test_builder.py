"""What the page is made of: pinned parts, one policy, every module of the page joined to one script."""

import base64
import hashlib
import html
import json
import re
from importlib.resources import files

import pytest

from panelcal.errors import FileProblem
from panelcal.page.document import SCRIPTS, document
from panelcal.page.one_file import policy
from panelcal.page.parts import PARTS, verified
from panelcal.page.result_file import SCRIPTS as OF_A_RESULT
from panelcal.page.site_tree import site_tree

WEB = files("panelcal.page") / "web"


def test_parts_are_verified_and_what_is_missing_is_named(tmp_path):
    with pytest.raises(FileProblem, match=r"lacks pyodide\.asm\.js.*fetch_parts"):
        verified(tmp_path)
    (tmp_path / PARTS[0].file).write_bytes(b"something else")
    with pytest.raises(FileProblem, match=r"pyodide\.asm\.js .* is not the file"):
        verified(tmp_path)
    assert len({part.file for part in PARTS}) == len(PARTS)
    assert all(re.fullmatch("[0-9a-f]{64}", part.sha256) for part in PARTS)


def test_the_policy_allows_nothing_wider():
    rules = html.unescape(policy("script", "style", ["worker-src blob:"])).split("; ")
    sha = base64.b64encode(hashlib.sha256(b"script").digest()).decode()
    assert rules[0] == "default-src 'none'"
    assert f"script-src 'sha256-{sha}'" in rules
    assert {"connect-src 'none'", "worker-src blob:", "form-action 'none'", "base-uri 'none'"} <= set(rules)
    assert not re.search(r"unsafe-inline|'unsafe-eval'|\*|https?:|data:", " ".join(rules))


def test_every_module_is_in_one_of_the_files():
    there = {path.name for path in WEB.iterdir() if path.name.endswith(".js")}
    assert there == {*SCRIPTS, *OF_A_RESULT, "worker.js"}


@pytest.mark.parametrize("scripts", [SCRIPTS, OF_A_RESULT], ids=["the page", "one result"])
def test_every_module_is_joined_after_what_it_imports_and_no_name_is_there_twice(scripts):
    texts = {name: (WEB / name).read_text("utf-8") for name in scripts}
    seen = set()
    for name, text in texts.items():
        wanted = re.findall(r'from "\./(.+?)"', text)
        assert set(wanted) <= seen, f"{name} comes before what it imports"
        seen.add(name)
    names = re.findall(r"^(?:export )?(?:async )?(?:function|class|const|let) (\w+)", "\n".join(texts.values()), re.M)
    assert len(names) == len(set(names))


def test_nothing_on_the_page_becomes_html_or_is_kept():
    for path in WEB.iterdir():
        text = path.read_text("utf-8")
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|localStorage|sessionStorage|indexedDB|cookie", text
        ), path.name


def test_the_document_is_whole_and_the_same_twice(monkeypatch):
    monkeypatch.setattr("panelcal.page.document.libraries_code", lambda: "const Plot = {};")
    parts = {name: b"code" for name in ("pyodide.asm.js", "pyodide.js", "pyodide.asm.wasm")}
    tree = {"lib/python3.12/os.pyc": b"o", "lib/python3.12/site-packages/panelcal/a.pyc": b"</script>"}
    licences = {"A work": "text with </script> in it"}
    made = document(parts, tree, licences, "1.2")
    assert made == document(parts, tree, licences, "1.2")
    assert "script-src 'sha256-" in made and "' 'wasm-unsafe-eval'; " in made and "worker-src blob:" in made
    assert not re.search(r"@(CSP|STYLE|SCRIPT|PAYLOAD)@", made)
    assert made.count("</script>") == made.count("<script")
    facts = re.search(r'id="facts">(.*?)</script>', made, re.S)[1]
    assert json.loads(facts)["licences"] == licences
    style = re.search(r"<style>(.*?)</style>", made, re.S)[1]
    sha = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"'sha256-{sha}'" in html.unescape(made)


def test_the_tree_has_panelcal_without_its_other_doors():
    parts = {part.file: b"PK\x05\x06" + bytes(18) for part in PARTS}
    own = {path.partition("/panelcal/")[2] for path in site_tree(parts)}
    assert {"run.py", "page/bridge.py", "files/run_bytes.py", "workbook_templates/exam_board.xlsx"} <= own
    assert not any(name.startswith(("excel/", "commands/", "addin/", "page/web/")) or name == "cli.py" for name in own)


def test_without_node_the_builder_says_so(monkeypatch):
    from panelcal.page import compile_tree

    monkeypatch.setattr(compile_tree.shutil, "which", lambda name: None)
    with pytest.raises(FileProblem, match="install Node"):
        compile_tree.compiled({}, {})
