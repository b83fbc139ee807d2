"""The file of one result: every cell of the Report in it, nothing that could run or go out, names as text."""

import base64
import hashlib
import html
import json
import re
from dataclasses import replace

import pytest

import panelcal
from panelcal.errors import FileProblem
from panelcal.page import libraries
from panelcal.page.as_data import plain
from panelcal.page.document import document
from panelcal.page.result_file import result_file

HOSTILE = "</script><img src=x onerror=alert(1)>"
NAMES = ["Student", "Maths", HOSTILE, "Art"]
MARKS = [[f"S{k}", 50 + 5 * k % 12, 52 + k % 3, 49 + 11 * k % 13] for k in range(12)]
LARGEST = 310_000
"""Characters that a small result may have: our scripts, and its figures."""


@pytest.fixture(scope="module")
def stand_ins(tmp_path_factory):
    """Files in place of the libraries for charts, which only a released wheel has."""
    folder = tmp_path_factory.mktemp("libraries")
    own = []
    for library in libraries.LIBRARIES:
        content = f"const {library.file.partition('-')[0]} = {{}};".encode()
        (folder / library.file).write_bytes(content)
        own.append(replace(library, sha256=hashlib.sha256(content).hexdigest()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(libraries, "FOLDER", folder)
        patch.setattr(libraries, "LIBRARIES", tuple(own))
        yield folder


@pytest.fixture(scope="module")
def made(stand_ins):
    """A run, and the text of its file."""
    lines = [",".join(map(str, row)) for row in [NAMES, *MARKS]]
    run = panelcal.run_bytes([("<b>marks.csv", "\n".join(lines).encode())], created="2026-01-02T03:04:05").run
    return run, result_file(run).decode("utf-8")


def held(text, name):
    """What an element of data says."""
    return json.loads(re.search(rf'id="{name}">(.*?)</script>', text, re.DOTALL)[1])


def test_every_cell_and_chart_of_the_report_is_in_it(made):
    run, text = made
    assert [sheet["name"] for sheet in held(text, "result")["report"]["sheets"]] == [s.name for s in run.report.sheets]
    for number, sheet in enumerate(run.report.sheets):
        shown = held(text, f"sheet-{number}")
        assert [note["text"] for note in shown["notes"]] == [note.text for note in sheet.notes]
        assert [(one["title"], one["alt_text"]) for one in shown["charts"]] == [
            (one.title, one.alt_text) for one in sheet.charts
        ]
        for table, one in zip(sheet.tables, shown["tables"], strict=True):
            assert one["rows"] == list(range(table.n_rows))
            for column, cells in zip(table.columns, one["columns"], strict=True):
                assert (cells["heading"], cells["cells"]) == (column.heading, plain(list(column.cells)))


def test_long_tables_are_there_to_their_last_row(made, monkeypatch):
    monkeypatch.setattr("panelcal.page.sheet_data.WHOLE", 3)
    run, _ = made
    text = result_file(run).decode("utf-8")
    totals = [len(table["rows"]) for table in held(text, "sheet-1")["tables"]]
    assert totals == [table.n_rows for table in run.report.sheets[1].tables]
    assert totals[0] == len(MARKS)


def test_its_policy_names_what_it_runs_and_nothing_else(made):
    _, text = made
    rules = html.unescape(re.search(r'Content-Security-Policy" content="(.*?)"', text)[1]).split("; ")
    script, style = (re.search(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)[1] for tag in ("script", "style"))
    of_script, of_style = (base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in (script, style))
    assert rules[0] == "default-src 'none'"
    assert f"script-src 'sha256-{of_script}'" in rules
    assert f"style-src 'sha256-{of_style}' 'sha256-" in " ".join(rules)
    assert {"connect-src 'none'", "form-action 'none'", "base-uri 'none'"} <= set(rules)
    assert not re.search(r"unsafe|\*|https?:|data:|blob:|worker", " ".join(rules))


def test_names_cannot_end_an_element_and_there_is_no_python_in_it(made):
    _, text = made
    assert text.count("<script") == text.count("</script>")
    assert "<img" not in text
    assert "<title>&lt;b&gt;marks.csv: calibrated</title>" in text
    assert HOSTILE in held(text, "sheet-2")["tables"][0]["columns"][0]["cells"]
    assert len(text) < LARGEST and "payload-" not in text


def test_the_same_result_is_the_same_file(made):
    run, text = made
    assert result_file(run).decode("utf-8") == text


def test_a_library_that_was_changed_is_refused(stand_ins, monkeypatch):
    changed = replace(libraries.LIBRARIES[0], sha256="0" * 64)
    monkeypatch.setattr(libraries, "LIBRARIES", (changed,))
    with pytest.raises(FileProblem, match=r"d3-7\.9\.2\.min\.js is not as it was published"):
        libraries.libraries_code()


def test_without_the_libraries_charts_are_told_in_words(made, tmp_path, monkeypatch):
    run, text = made
    assert "const plot = {};" in text and "Observable Plot 0.6.17" in held(text, "facts")["licences"]
    monkeypatch.setattr(libraries, "FOLDER", tmp_path)
    alone = result_file(run).decode("utf-8")
    assert "const plot = {};" not in alone and 'typeof Plot === "undefined"' in alone
    assert list(held(alone, "facts")["licences"]) == [f"panelcal {panelcal.__version__}"]
    assert held(alone, "sheet-0") == held(text, "sheet-0")
    with pytest.raises(FileProblem, match="fetch_libraries"):
        document({}, {}, {}, "0")
