"""Canvas: the gradebook, with its rows of points possible and its test student."""

from panelcal.reading.exports.known import known_gradebook

CANVAS = known_gradebook(
    "a Canvas gradebook",
    [["student"], ["id"], ["sis user id", "sis login id"], ["section"]],
    students=["sis user id", "sis login id", "id"],
    aside=["Root Account", "Section", "Manual Posting", "(read only)"],
    left_out=[
        "*current score",
        "*current points",
        "*final score",
        "*final points",
        "*current grade",
        "*final grade",
        "*override score",
        "*override grade",
        "student, test",
    ],
    rows=["points possible"],
)
