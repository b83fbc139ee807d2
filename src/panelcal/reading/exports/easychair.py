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

REVIEWS = "reviews"
BESIDE_REVIEWS = frozenset(
    "submissions,authors,program committee,senior program committee,committee,review scores,review form,review fields,"
    "review form fields,comments,assignment,assignments,bids,bidding,conflicts,topics,submission topics,pc topics,"
    "submission fields,submission field values,tracks,track chairs,watchlists,rebuttals".split(",")
)
"""Names of sheets in the workbook with all data of a conference: the scores stand on the sheet of reviews."""
