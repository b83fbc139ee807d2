"""One result as an HTML file of its own: the page's view of it, without Python inside and with nothing to fetch."""

from __future__ import annotations

import html

from panelcal.page.libraries import has_libraries, libraries_code, library_licences
from panelcal.page.one_file import RESULT_SCRIPTS, data_block, joined, one_file, policy, web_text
from panelcal.page.sheet_data import outline, sheet_data
from panelcal.page.site_tree import own_licence
from panelcal.reporting.cautions import cautions
from panelcal.run import Run
from panelcal.version import __version__

SCRIPTS = (*RESULT_SCRIPTS, "result_file.js")


def result_file(run: Run) -> bytes:
    """Return an HTML file that shows every sheet of a result: tables to sort and search, and the charts.

    Without the libraries for charts each chart is told in words. Each sheet stands in an element of its own, which is
    read when somebody looks at it.
    """
    report = run.report
    shown = {
        "name": None,
        "sentences": list(run.sentences),
        "notes": [],
        "reading": {"cautions": list(cautions(run.reading.decisions))},
        "report": outline(report),
    }
    with_charts = library_licences() if has_libraries() else {}
    facts = {"licences": {f"panelcal {__version__}": own_licence(), **with_charts}}
    blocks = [data_block("facts", facts), data_block("result", shown)]
    blocks += [
        data_block(f"sheet-{number}", sheet_data(report, number, whole=True)) for number in range(len(report.sheets))
    ]
    script, style = libraries_code() + joined(SCRIPTS), web_text("style.css")
    title = html.escape(f"{run.reading.source_name}: calibrated")
    marks = {"@CSP@": policy(script, style), "@TITLE@": title, "@STYLE@": style, "@VERSION@": __version__}
    return one_file("result.html", marks | {"@SCRIPT@": script, "@PAYLOAD@": "\n".join(blocks)}).encode("utf-8")
