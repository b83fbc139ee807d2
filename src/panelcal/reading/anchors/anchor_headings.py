"""What the headings of anchor sheets say: anchor, consensus, date, tier, cluster.

The words of the trades (`headings`) are looked at where these do not match.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from panelcal.reading.heading_rows import role_in
from panelcal.reading.headings import ABOUT_WORDS, OBJECT_WORDS, Role, is_statistic, words_of
from panelcal.reading.settings import Settings


class AnchorRole(Enum):
    """What a heading on a sheet of anchors or of agents' scores announces."""

    ANCHOR = "anchor"
    CONSENSUS = "consensus"
    DATE = "date"
    TIER = "tier"
    CLUSTER = "cluster"
    AGENT = "agent"
    SCORE = "score"
    ITEM = "item"
    NOT_READ = "not read"
    OTHER = "other"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_IDENTIFIERS = _words("id identifier number no nr code ref reference key # name label")
_CONSENSUS = _words("consensus truth gold true known target human agreed")
_CONSENSUS_FILLERS = _words(
    "severity score mark rating value of the standard ground panel review reviewer expert reference mean level anchor"
)
_DATE = _words("date week day month wave round when time scored")
_DATE_FILLERS = _words("of the on at check checked scoring commencing beginning start no number nr anchor score")
_TIER = _words("tier level stratum difficulty band")
_CLUSTER = _words("cluster topic topical area field track category theme subject class group section discipline domain")
_LABEL_FILLERS = _words("severity anchor of the quality topical name id")
_OF_TRADES = {
    Role.OBJECT: AnchorRole.ITEM,
    Role.IDENTIFIER: AnchorRole.ITEM,
    Role.ASSESSOR: AnchorRole.AGENT,
    Role.SCORE: AnchorRole.SCORE,
    Role.NAME: AnchorRole.NOT_READ,
    Role.ABOUT: AnchorRole.NOT_READ,
    Role.WEIGHT: AnchorRole.NOT_READ,
    Role.DEVIATION: AnchorRole.NOT_READ,
}


def anchor_role(heading: Any, settings: Settings) -> AnchorRole:
    """Tell what a heading says, going by whole headings only."""
    words = words_of(heading)
    if not words:
        return AnchorRole.OTHER
    for role, needed, fillers in (
        (AnchorRole.ANCHOR, frozenset({"anchor"}), _IDENTIFIERS | OBJECT_WORDS),
        (AnchorRole.CONSENSUS, _CONSENSUS, _CONSENSUS_FILLERS),
        (AnchorRole.DATE, _DATE, _DATE_FILLERS),
        (AnchorRole.TIER, _TIER, _LABEL_FILLERS),
        (AnchorRole.CLUSTER, _CLUSTER, _LABEL_FILLERS | ABOUT_WORDS),
    ):
        if any(word in needed for word in words) and all(word in needed or word in fillers for word in words):
            return role
    found = _OF_TRADES.get(role_in(settings, heading), AnchorRole.OTHER)
    if found is AnchorRole.OTHER and is_statistic(heading):
        return AnchorRole.NOT_READ
    return found
