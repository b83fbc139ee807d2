"""HotCRP: Download > Reviews (CSV) and Download > Scores."""

from panelcal.reading.exports.known import known_list

HOTCRP = known_list(
    "a HotCRP list of reviews",
    [["paper"], ["reviewername", "email", "reviewer email"], ["overall merit", "over*merit", "ovemer", "score"]],
    objects=["paper"],
    assessors=["email", "reviewer email", "reviewername"],
    scores=["overall merit", "over*merit", "ovemer", "score"],
    confidences=["reviewer expertise", "rev*exp*", "revexp", "reviewer confidence", "confidence"],
)
