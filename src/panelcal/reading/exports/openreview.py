"""OpenReview: official reviews as its consoles, its API and the usual scripts write them."""

from panelcal.reading.exports.known import Gives, Headed, Known, known_list

_REVIEWERS = (
    "reviewer", "signature", "signatures", "tauthor", "reviewer_profile", "reviewer profile", "reviewer_id", "profile",
)  # fmt: skip
_PAPERS = ("submission number", "submission_number", "number", "paper number", "paper_number")
_SCORES = ("rating", "recommendation", "score", "overall_assessment", "overall_rating")

_LIST = known_list(
    "an OpenReview list of reviews",
    [["forum"], [*_REVIEWERS], [*_SCORES]],
    objects=[*_PAPERS, "forum"],
    assessors=_REVIEWERS,
    scores=_SCORES,
    confidences=["confidence", "reviewer_confidence"],
)


def _by_paper(headed: Headed) -> Gives | None:
    """Take the forum for the paper where the numbers are those of the reviews: 1, 2, 3 within each forum."""
    gives = _LIST.recognise(headed)
    if gives is None or gives["object_column"].casefold() == "forum":
        return gives
    forum, number = headed.first("forum"), gives["object_column"]
    if not forum:
        return gives
    pairs = list(zip(headed.values(forum), headed.values(number), strict=False))
    one_each = len(set(pairs)) == len({of for of, _ in pairs}) == len({n for _, n in pairs})
    return gives if one_each else {**gives, "object_column": forum}


OPENREVIEW = (Known(_LIST.name, _by_paper),)
