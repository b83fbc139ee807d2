"""Microsoft CMT: the export of reviews, with the answers to the questions of the review form."""

from panelcal.reading.exports.known import known_list

CMT = known_list(
    "a Microsoft CMT list of reviews",
    [["paper id"], ["reviewer name", "reviewer email", "reviewer number"], ["Q* (*)"]],
    objects=["paper id"],
    assessors=["reviewer email", "reviewer name"],
    scores=[
        "Q* (*overall* - value)",
        "Q* (*overall*)",
        "Q* (*recommendation* - value)",
        "Q* (*recommendation*)",
        "Q* (*rating* - value)",
    ],
    confidences=["Q* (*confiden* - value)", "Q* (*confiden*)", "Q* (*expertise* - value)", "Q* (*expertise*)"],
)
"""Reviewers are known by their address: their number only counts the reviews of one paper."""
