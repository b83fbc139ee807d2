"""Tabbycat: ballots of a debating tournament, a row per speech."""

from panelcal.reading.exports.known import known_list

TABBYCAT = known_list(
    "a Tabbycat list of ballots",
    [["adjudicator", "adjudicator name"], ["speaker", "speaker name"], ["score", "speaker score"]],
    objects=["speaker", "speaker name"],
    assessors=["adjudicator", "adjudicator name"],
    scores=["speaker score", "score"],
)
