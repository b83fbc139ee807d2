"""Canvas: the gradebook, with its rows of points possible and its test student."""

from panelcal.reading.exports.known import known_gradebook, with_codes

_GRADEBOOK = known_gradebook(
    "a Canvas gradebook",
    [["student"], ["id"], ["sis user id", "sis login id"], ["section"]],
    students=["sis user id", "sis login id", "id"],
    aside=["Root Account", "Section", "Integration ID", "Notes", "Manual Posting", "Muted", "(read only)"],
    left_out=[
        "*current score",
        "*current points",
        "*final score",
        "*final points",
        "*current grade",
        "*final grade",
        "*override score",
        "*override grade",
        "*override status",
        "student, test",
    ],
    rows=["points possible"],
)
CANVAS = with_codes(_GRADEBOOK, {"EX": "exclude"})
"""Whoever is excused from an assignment was not assessed in it."""
