"""OpenReview: official reviews as its consoles and the usual scripts write them."""

from panelcal.reading.exports.known import known_list

_REVIEWERS = ("reviewer", "signature", "signatures", "tauthor")

OPENREVIEW = (
    known_list(
        "an OpenReview list of reviews",
        [["forum"], [*_REVIEWERS], ["rating", "recommendation", "score", "overall_assessment"]],
        objects=["submission number", "number", "paper number", "forum"],
        assessors=_REVIEWERS,
        scores=["rating", "recommendation", "score", "overall_assessment"],
        confidences=["confidence"],
    ),
)
