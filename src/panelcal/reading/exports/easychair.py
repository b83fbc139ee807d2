"""EasyChair: the table of reviews in the download of all data, and the review list of a track."""

from panelcal.reading.exports.known import known_list

_MEMBERS = ("member name", "PC member", "reviewer", "reviewer name", "member #")

EASYCHAIR = (
    known_list(
        "an EasyChair review table",
        [["submission #"], ["member name", "member #"], ["total score"]],
        objects=["submission #"],
        assessors=_MEMBERS,
        scores=["total score"],
        confidences=["reviewer's confidence", "confidence"],
    ),
    known_list(
        "an EasyChair review list",
        [["submission", "submission #", "paper"], [*_MEMBERS], ["overall evaluation"]],
        objects=["submission #", "submission", "paper"],
        assessors=_MEMBERS,
        scores=["overall evaluation"],
        confidences=["reviewer's confidence", "reviewer’s confidence", "confidence"],
    ),
)
"""Two layouts; `scores`, where several criteria stand in one cell, is not taken apart."""
