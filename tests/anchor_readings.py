"""Anchors and scores of agents as they are after reading, made from arrays."""

from __future__ import annotations

import numpy as np

from panelcal.reading.anchors.anchor_reading import AnchorBank, AnchorReading
from panelcal.reading.decisions import About, Decision
from panelcal.reading.nouns import Nouns
from panelcal.reading.settings import Settings


def anchor_reading(anchor_scores, consensus, scores, *, score_dates=None, known=None, labels=(), **settings):
    """Make a reading.

    Parameters
    ----------
    anchor_scores
        (n_agents, n_anchors), or (n_dates, n_agents, n_anchors).
    scores
        (n_agents with scores, n_items).
    labels
        Tiers and clusters, one sequence each.
    """
    table = np.array(anchor_scores, dtype=float)
    table = table[None] if table.ndim == 2 else table
    scores = np.array(scores, dtype=float)
    n_dates, n_agents, n_anchors = table.shape
    n_scoring, n_items = scores.shape
    dates = [f"week {k + 1}" for k in range(n_dates)] if n_dates > 1 else [""]
    names = tuple(f"G{k + 1}" for k in range(n_agents))
    bank = AnchorBank(
        sheet="Anchors",
        ids=tuple(f"A{k + 1}" for k in range(n_anchors)),
        cells=tuple(f"A{k + 2}" for k in range(n_anchors)),
        consensus=np.array(consensus, dtype=float),
        consensus_cells=tuple(f"B{k + 2}" for k in range(n_anchors)),
        tiers=tuple(labels[0]) if labels else (),
        clusters=tuple(labels[1]) if len(labels) > 1 else (),
        agents=names,
        agent_cells=tuple(f"{'CDEFGHIJKL'[k]}1" for k in range(n_agents)),
        dates=tuple(dates),
        times=np.arange(1.0, n_dates + 1),
        scores=table,
    )
    at = np.full(scores.shape, n_dates - 1) if score_dates is None else np.array(score_dates)
    return AnchorReading(
        settings=Settings(method="anchors", **settings),
        nouns=Nouns("Manuscript", "Agent", "Score"),
        source_name="agents.xlsx",
        sheet="Scores",
        summary=f"{n_items} manuscripts and {n_scoring} agents",
        bank=bank,
        items=tuple(f"M{k + 1}" for k in range(n_items)),
        agents=names[:n_scoring],
        scores=scores,
        score_dates=at.astype(np.intp),
        consensus=None if known is None else np.array(known, dtype=float),
        item_cells=tuple(f"A{k + 2}" for k in range(n_items)),
        agent_cells=tuple(f"{'BCDEFGHIJK'[k]}1" for k in range(n_scoring)),
        decisions=(
            Decision(About.CODE_EXCLUDED, ("B7", "C9"), '"n/a" was taken as not assessed.', "warning", "Anchors", 2),
            Decision(About.SETTINGS, (), "Every setting has its default."),
        ),
        fingerprint="0" * 64,
    )
