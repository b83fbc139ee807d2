"""Choose where sums over the pairs are made."""

from __future__ import annotations

from pathlib import Path

from panelcal.large.engine import Engine
from panelcal.large.pairs import Repeated
from panelcal.large.rows import Assessments
from panelcal.large.walk import Walk


def make_walk(engine: Engine, assessments: Assessments, repeated: Repeated, folder: Path) -> Walk:
    """Bring the pairs together, in files here or in tables of the engine.

    Raises
    ------
    InputRefused
        If pairs repeat and that is to stop a run, or both sides are too long.
    """
    # Either needs pyarrow, which is there when there is an engine, and not before.
    if engine.streams:
        from panelcal.large.stream_walk import StreamWalk

        return StreamWalk(engine, assessments, repeated=repeated, folder=folder)
    from panelcal.large.table_walk import TableWalk

    return TableWalk(engine, assessments, repeated=repeated, folder=folder)
