"""Whatever is on the two sheets, the answer is a study whose numbers stood there, or one refusal meant for people."""

from datetime import datetime

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from made_up_input import more_when_thorough, thorough
from panelcal.errors import PanelcalError
from panelcal.reading.anchors.read_anchors import read_anchor_study
from panelcal.reading.grid import CellError, Grid, Source, Uncalculated
from panelcal.reporting.run_facts import RunFacts
from panelcal.systems.anchors.report import build_anchor_report
from panelcal.systems.anchors.results import compute_anchor_results

pytestmark = more_when_thorough
HEADS = ["Anchor", "Consensus", "G1", "Week", "Date", "Tier", "Cluster", "G2", "Agent", "Score", "Mean", "Note", None]
ITEM_HEADS = ["Item", "G1", "G2", "Agent", "Score", "Week", "Consensus", "Total", None]
odd = st.sampled_from(["ABS", "64,5", " ", "-", "good", True, CellError("#N/A"), Uncalculated("=A1"), "60-70", 1e300])
dates = st.sampled_from([1, 2, "Week 3", "2026-03-02", datetime(2026, 3, 9), "soon"])
scores = st.one_of(st.integers(0, 100), st.integers(0, 100), st.integers(0, 100), st.none())
messy = st.one_of(scores, scores, odd, dates, st.text(max_size=4), st.floats())


def _cell(draw, head, row):
    if head in ("Week", "Date"):
        return draw(st.one_of(dates, st.just(1)))
    if head in ("Anchor", "Item"):
        rare = draw(st.integers(0, 39)) == 0
        return draw(st.sampled_from(["A1", "Mean", None, CellError("#REF!")])) if rare else f"A{row}"
    if head == "Consensus":
        return draw(messy if draw(st.integers(0, 39)) == 0 else st.integers(0, 100))
    if head in ("Tier", "Cluster", "Note"):
        return draw(st.sampled_from(["low", "high", None, 3]))
    if head == "Agent":
        return draw(st.sampled_from(["G1", "G2", None]))
    return draw(messy) if draw(st.integers(0, 39)) == 0 else draw(scores)


@st.composite
def sheets(draw, heads, name):
    unique = draw(st.integers(0, 3)) > 0
    head = draw(st.lists(st.sampled_from(heads), min_size=1, max_size=6, unique=unique))
    first = heads[: draw(st.sampled_from([0, 2, 2, 3]))]
    head = [*first, *(h for h in head if not unique or h not in first)]
    rows = [[_cell(draw, h, k) for h in head] for k in range(draw(st.integers(0, 8)))]
    above = draw(st.sampled_from([[], [[None] * len(head)], [["2026-03-02", *[None] * (len(head) - 1)]]]))
    body = [*above, head, *rows]
    if draw(st.booleans()) and above:
        body += [[None] * len(head), *above, head, *rows]
    hidden = draw(st.sampled_from([frozenset(), frozenset({3})]))
    return Grid(name, tuple(map(tuple, body)), hidden_rows=hidden)


@st.composite
def studies(draw):
    grids = [draw(sheets(HEADS, "Anchors")), draw(sheets(ITEM_HEADS, draw(st.sampled_from(["Scores", "June"]))))]
    if draw(st.booleans()):
        rows = [["Setting", "Value"], ["Lowest score", 0], ["Hidden rows and columns", "exclude"]]
        grids.append(Grid("Settings", tuple(map(tuple, rows))))
    return Source("a.xlsx", tuple(grids), grids[draw(st.integers(0, 1))].sheet)


@settings(max_examples=thorough(150), deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(studies())
def test_a_study_or_a_refusal_in_words(source):
    try:
        reading = read_anchor_study(source)
    except PanelcalError as problem:
        assert str(problem).strip().endswith((".", "!"))
        assert "{where}" not in str(problem) and "{values}" not in str(problem)
        return
    bank = reading.bank
    assert np.isfinite(bank.consensus).all() and len(set(bank.ids)) == bank.n_anchors
    assert bank.scores.shape == (bank.n_dates, len(bank.agents), bank.n_anchors)
    assert reading.scores.shape == (len(reading.agents), len(reading.items))
    assert bank.agents[: len(reading.agents)] == reading.agents
    assert (np.diff(bank.times) > 0).all()
    assert ((0 <= reading.score_dates) & (reading.score_dates < bank.n_dates)).all()


def clean_study(draw):
    anchors = [["Anchor", "Consensus", "Week", "G1", "G2"]]
    weeks = draw(st.integers(1, 3))
    known = draw(st.lists(st.integers(0, 100), min_size=3, max_size=9))
    anchors += [[f"A{k}", c, w, draw(scores), draw(scores)] for w in range(weeks) for k, c in enumerate(known)]
    items = [["Item", "Week", "G1", "G2"]]
    items += [[f"M{k}", draw(st.integers(0, 3)), draw(scores), draw(scores)] for k in range(draw(st.integers(1, 5)))]
    grids = [Grid(name, tuple(map(tuple, rows))) for name, rows in (("Anchors", anchors), ("Scores", items))]
    return Source("a.xlsx", tuple(grids), "Scores")


@settings(max_examples=thorough(60), deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(st.composite(clean_study)())
def test_a_thin_study_ends_in_a_report_or_a_refusal_in_words(source):
    try:
        results = compute_anchor_results(read_anchor_study(source))
    except PanelcalError as problem:
        assert str(problem).endswith(".")
        return
    assert np.isfinite(results.calibrated.values[np.isfinite(results.calibrated.scores).any(axis=0)]).all()
    report = build_anchor_report(results, RunFacts(created="2026-01-01T00:00:00"))
    for page in report.sheets:
        for table in page.tables:
            assert all(len(column.cells) == table.n_rows for column in table.columns)
