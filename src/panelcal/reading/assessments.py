"""What the readers of the two layouts hand on: assessments with their places, ready to become a panel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from panelcal.panel import Panel
from panelcal.reading.decisions import Decision
from panelcal.reading.fingerprint import CellBlock
from panelcal.reading.reading import Nouns


@dataclass(slots=True, eq=False)
class Assessments:
    """Scores read from one block, with everything a `Reading` says about them.

    The fields have the meaning they have in `Reading`; `cells_read` are the (sheet, address, value) triples for the
    fingerprint, beside whole blocks of them in `blocks_read`.
    """

    panel: Panel
    nouns: Nouns
    summary: str
    score_block: str
    score_cells: Sequence[str]
    plain_scores: NDArray[np.bool_]
    object_cells: tuple[str, ...]
    assessor_cells: tuple[str, ...]
    object_names: tuple[str, ...]
    declared: tuple[str, ...]
    cells_found: int
    confidence_block: str
    decisions: list[Decision] = field(default_factory=list)
    cells_read: list[tuple[str, str, Any]] = field(default_factory=list)
    blocks_read: tuple[CellBlock, ...] = ()
